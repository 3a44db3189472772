# Compiles programs with the reference implementation and prints the median time of each in seconds.
#
# Input: JSON Lines with `code`, `files` and `repeats`. Needs Debian's puppet-agent.

require 'json'
require 'tmpdir'
require 'fileutils'
require 'puppet'

NODE = 'bench.example.com'.freeze

# Knows one environment, the one in a folder.
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

def compile_once(folder, code)
  environment = Puppet::Node::Environment.create(:production, [File.join(folder, 'modules')],
                                                 Puppet::Node::Environment::NO_MANIFEST)
  configuration = Puppet::Settings::EnvironmentConf.load_from(folder, [])
  loader = SingleEnvironment.new(environment, configuration)
  Puppet.override(environments: loader, current_environment: environment) do
    Puppet[:code] = code
    node = Puppet::Node.new(NODE, facts: Puppet::Node::Facts.new(NODE, {}), environment: environment)
    begin_at = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    Puppet::Parser::Compiler.compile(node)
    Process.clock_gettime(Process::CLOCK_MONOTONIC) - begin_at
  end
end

Dir.mktmpdir do |scratch|
  Puppet.initialize_settings(['--confdir', "#{scratch}/conf", '--vardir', "#{scratch}/var", '--logdir', "#{scratch}/log",
                              '--rundir', "#{scratch}/run", '--certname', NODE, '--strict', 'error',
                              '--strict_variables'], true, true)
  Puppet.push_context(Puppet.base_context(Puppet.settings), 'benchmark')
  Puppet::Util::Log.close_all
  $stdin.each_line.with_index do |line, index|
    work = JSON.parse(line)
    folder = File.join(scratch, index.to_s, 'production')
    FileUtils.mkdir_p(File.join(folder, 'modules'))
    work['files'].each do |path, text|
      target = File.join(folder, path)
      FileUtils.mkdir_p(File.dirname(target))
      File.write(target, text)
    end
    times = Array.new(work['repeats']) { compile_once(folder, work['code']) }
    puts times.sort[times.size / 2]
    $stdout.flush
  end
end
