# frozen_string_literal: true

# The reference implementation's side of a comparison: one piece of work in a process of its own.
#
# Input: one JSON object with `mode`. Output: one JSON object with `seconds` (the median) and `memory` (kilobytes). Needs Debian's puppet-agent.

require 'json'
require 'tmpdir'
require 'yaml'
require 'puppet'

NODE = 'bench.example.com'

# Knows one environment, the one in a directory.
class SingleEnvironment
  include Puppet::Environments::EnvironmentLoader

  def initialize(environment, configuration)
    @environment = environment
    @configuration = configuration
  end

  def search_paths = []

  def list = [@environment]

  def get(name) = name.to_sym == @environment.name ? @environment : nil

  def get_conf(name) = name.to_sym == @environment.name ? @configuration : nil
end

def seconds_of
  begin_at = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  yield
  Process.clock_gettime(Process::CLOCK_MONOTONIC) - begin_at
end

def median(times) = times.sort[times.size / 2]

def node_of(work, environment)
  facts = work['facts'] ? YAML.load_file(work['facts']) : {}
  facts = facts['values'] if facts['values'].is_a?(Hash)
  node = Puppet::Node.new(NODE, facts: Puppet::Node::Facts.new(NODE, facts), environment: environment)
  node.merge(facts)
  node
end

# Compiles one program again and again in an environment that has been read before.
def compile(work)
  modules = [File.join(work['directory'], 'modules'), work['modulepath']].compact
  environment = Puppet::Node::Environment.create(:production, modules, Puppet::Node::Environment::NO_MANIFEST)
  loader = SingleEnvironment.new(environment, Puppet::Settings::EnvironmentConf.load_from(work['directory'], []))
  Puppet.override(environments: loader, current_environment: environment) do
    Puppet[:code] = work['code']
    once = -> { seconds_of { Puppet::Parser::Compiler.compile(node_of(work, environment)) } }
    once.call if work['repeats'] > 1
    median(Array.new(work['repeats']) { once.call })
  end
end

# Parses and validates files.
def parse(work)
  parser = Puppet::Pops::Parser::EvaluatingParser.new
  environment = Puppet::Node::Environment.create(:production, [], Puppet::Node::Environment::NO_MANIFEST)
  Puppet.override(current_environment: environment, loaders: Puppet::Pops::Loaders.new(environment)) do
    seconds_of do
      work['files'].each do |path|
        parser.validate(parser.parser.parse_string(File.read(path, encoding: 'utf-8'), path).model)
      end
    end
  end
end

# What it has written to, and that with its share of the pages of files that processes have in common.
def memory
  rollup = File.read('/proc/self/smaps_rollup')
  private, proportional = %w[Private_Dirty Pss].map { |name| rollup[/^#{name}:\s+(\d+)/, 1].to_i }
  { private: private, proportional: proportional }
end

work = JSON.parse($stdin.read)
Dir.mktmpdir do |scratch|
  arguments = ['--confdir', "#{scratch}/conf", '--vardir', "#{scratch}/var", '--logdir', "#{scratch}/log",
               '--rundir', "#{scratch}/run", '--certname', NODE, '--strict', 'error', '--strict_variables']
  Puppet.initialize_settings(arguments, true, true)
  (work['settings'] || {}).each { |name, value| Puppet[name.to_sym] = value == 'false' ? false : value }
  Puppet.push_context(Puppet.base_context(Puppet.settings), 'benchmark')
  Puppet::Util::Log.close_all
  seconds = work['mode'] == 'parse' ? parse(work) : compile(work)
  puts JSON.generate(seconds: seconds, memory: memory)
end
