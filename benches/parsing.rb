#!/usr/bin/env ruby
# frozen_string_literal: true

# How much faster manifests are parsed and validated than by the reference implementation, measured in one run.
#
#   benches/parsing.rb target/release/bunraku /usr/share/puppet/modules
#
# Both get the same files. Rates are in source bytes per second of processor time, so that a busy machine changes
# them less; the reference's start is not counted, ours is. Needs the puppet-agent package.

require 'benchmark'
require 'etc'
require 'puppet'

# Runs of our binary, of which the best counts.
RUNS = 5

def manifests(folders)
  found = folders.flat_map { |folder| Dir.glob(File.join(folder, '**{,/*/**}', '*.pp')) }
  found.select { |path| File.file?(path) }.uniq
end

def reference_seconds(paths)
  Puppet.initialize_settings([], true, true)
  Puppet::Util::Log.level = :crit
  parser = Puppet::Pops::Parser::EvaluatingParser.new
  environment = Puppet::Node::Environment.create(:production, [], Puppet::Node::Environment::NO_MANIFEST)
  Puppet.override(current_environment: environment, loaders: Puppet::Pops::Loaders.new(environment)) do
    Benchmark.measure do
      paths.each { |path| parser.validate(parser.parser.parse_string(File.read(path, encoding: 'utf-8'), path).model) }
    end.total
  end
end

# Processor and wall seconds of the best run.
def our_seconds(binary, folders, threads)
  runs = Array.new(RUNS) do
    Benchmark.measure do
      # Bad manifests are part of some corpora; the exit code does not matter here.
      system({ 'RAYON_NUM_THREADS' => threads.to_s }, binary, 'parser', 'validate', *folders, err: File::NULL)
    end
  end
  [runs.map { |run| run.cutime + run.cstime }.min, runs.map(&:real).min]
end

def start_seconds(binary)
  Array.new(RUNS) { Benchmark.realtime { system(binary, '--version', out: File::NULL) } }.min
end

binary, *folders = ARGV
abort "usage: #{$PROGRAM_NAME} BUNRAKU FOLDER..." if folders.empty?
paths = manifests(folders)
megabytes = paths.sum { |path| File.size(path) } / 1e6
reference = reference_seconds(paths)
single, single_wall = our_seconds(binary, folders, 1)
_, many_wall = our_seconds(binary, folders, Etc.nprocessors)

puts format('%<count>d manifests, %<megabytes>.1f MB', count: paths.length, megabytes: megabytes)
puts format('reference   %<rate>8.2f MB/s', rate: megabytes / reference)
puts format('bunraku     %<rate>8.2f MB/s   %<ratio>.0f times', rate: megabytes / single, ratio: reference / single)
puts format('%<cores>d cores     %<ratio>8.2f times one', cores: Etc.nprocessors, ratio: single_wall / many_wall)
puts format('start       %<milliseconds>8.2f ms', milliseconds: start_seconds(binary) * 1e3)
