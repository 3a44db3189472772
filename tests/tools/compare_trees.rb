#!/usr/bin/env ruby
# frozen_string_literal: true

# Compares the syntax trees of all manifests and templates below some directories with those of the reference
# implementation, byte for byte. Prints the files that differ; the exit code tells whether there are any.
#
#   tests/tools/compare_trees.rb target/release/bunraku /usr/share/puppet/modules
#
# Needs the puppet-agent package; Debian's puppet-module-* packages make a good corpus.

require 'json'
require 'open3'

# So many files are named on one command line.
BATCH = 200

def files_below(directories)
  found = directories.flat_map { |directory| Dir.glob(File.join(directory, '**{,/*/**}', '*.{pp,epp}')) }
  found.select { |path| File.file?(path) }.uniq.sort
end

def reference_trees(paths)
  script = File.join(__dir__, 'reference_pn.rb')
  output, status = Open3.capture2('ruby', script, stdin_data: paths.join("\n"))
  abort 'the reference failed' unless status.success?
  output.each_line.to_h { |line| JSON.parse(line).then { |record| [record['path'], record['pn']] } }
end

# The dumps of several files come one after the other, each after its name.
def our_trees(binary, command, paths)
  paths.each_slice(BATCH).flat_map do |batch|
    # A file that is named twice makes the command show names even for a batch of one.
    output, = Open3.capture2(binary, command, 'dump', '--no-validate', '--format', 'pn', *batch, batch.first)
    output.force_encoding('UTF-8')
    rest = output
    batch.each_with_index.map do |path, index|
      rest = rest.delete_prefix("--- #{path}")
      stop = rest.index("--- #{batch[index + 1] || batch.first}") || rest.length
      tree = rest[0...stop].strip
      rest = rest[stop..]
      [path, tree]
    end
  end.to_h
end

binary, *directories = ARGV
abort "usage: #{$PROGRAM_NAME} BUNRAKU FOLDER..." if directories.empty?
paths = files_below(directories)
templates, manifests = paths.partition { |path| path.end_with?('.epp') }
expected = reference_trees(paths)
actual = our_trees(binary, 'parser', manifests).merge(our_trees(binary, 'epp', templates))
different = paths.reject { |path| expected[path].to_s.strip == actual[path].to_s }
different.each { |path| puts path }
puts "#{paths.length} files, #{different.length} differ"
exit different.empty?
