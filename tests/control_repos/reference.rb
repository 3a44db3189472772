# Compiles catalogs with the reference implementation that Ruby finds (docs/testing.md):
#
#   ruby tests/control_repos/reference.rb CASES OUT
#
# CASES is what run.py writes, one JSON object a line; OUT/NAME.json becomes the catalog as a server sends it, and OUT/records.jsonl
# says of each case how it went. Cases of one group share a process and an environment, as nodes of a server do; others have
# a process of their own.
require 'json'
require 'puppet'
require 'puppet/pops'
require 'puppet/parser/compiler'
require 'puppet/indirector/catalog/compiler'

# The one environment of a group of cases, with its directory.
class OneEnvironment
  attr_reader :environment

  def initialize(kase)
    @root = kase['environment']
    @environment = Puppet::Node::Environment.create(:production, kase['modulepath'], kase['manifest'])
    @environment.each_plugin_directory { |path| $LOAD_PATH << path unless $LOAD_PATH.include?(path) }
  end

  def search_paths = []
  def list = [@environment]
  def get(name) = (@environment if name.to_sym == @environment.name)
  def get!(name) = get(name) || raise(Puppet::Environments::EnvironmentNotFound, name)
  def clear(_name = nil) = nil
  def clear_all = nil
  def guard(_name) = nil
  def unguard(_name) = nil

  def get_conf(name)
    return unless get(name)

    root = @root
    Puppet::Settings::EnvironmentConf.static_for(@environment, 'unlimited').tap do |conf|
      conf.define_singleton_method(:path_to_env) { root }
    end
  end
end

# Keeps what is logged.
class Collector
  attr_reader :logs

  def initialize = @logs = []
  def handle(log) = @logs << [log.level.to_s, (log.source == 'Puppet' ? '' : "#{log.source}: ") + log.to_s.scrub]
end
Puppet::Util::Log.newdesttype :control_repos do
  match 'Collector'
  def initialize(collector) = @collector = collector
  def handle(log) = @collector.handle(log)
end

def start(kase)
  arguments = %w[--confdir /nonexistent --vardir /nonexistent/var --codedir /nonexistent/code]
  arguments += ['--hiera_config', kase['hiera_config']] if kase['hiera_config']
  kase['settings'].each { |name, value| arguments += value == 'false' ? ["--no-#{name}"] : ["--#{name}", value] }
  Puppet.initialize_settings(arguments)
  Puppet.push_context(Puppet.base_context(Puppet.settings), 'control_repos')
  Puppet::Util::Log.close_all
  Puppet::Util::Log.level = :notice
  OneEnvironment.new(kase)
end

def compile(kase, environments)
  name = kase['certname']
  facts = Puppet::Node::Facts.new(name, JSON.parse(File.read(kase['facts'])))
  facts.sanitize # as a server does with what an agent sends
  node = Puppet::Node.new(name, facts: facts, environment: environments.environment)
  node.merge(facts.values)
  node.add_server_facts(kase['server_facts'])
  trusted = Puppet::Context::TrustedInformation.new('remote', name, {})
  node.trusted_data = trusted.to_h
  Puppet.override(environments: environments, current_environment: environments.environment, trusted_information: trusted) do
    catalog = Puppet::Parser::Compiler.compile(node, nil).filter(&:virtual?)
    Puppet::Network::FormatHandler.format(:rich_data_json).render(catalog)
  end
end

def record(kase, environments, out)
  collector = Collector.new
  Puppet::Util::Log.newdestination(collector)
  started = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
  result = begin
    File.write(File.join(out, "#{kase['name']}.json"), compile(kase, environments))
    {}
  # A refused method definition is a SecurityError, a stack that is too deep a SystemStackError.
  rescue StandardError, ScriptError, SystemStackError, SecurityError => e
    # The JSON library that comes with Ruby 3.1 puts a line of its C source first, which newer ones do not.
    { 'error' => e.message.to_s.scrub.gsub(/\b\d+: (?=unexpected token at )/, '') }
  end
  cpu = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - started
  { 'name' => kase['name'], **result, 'logs' => collector.logs.uniq, 'cpu' => cpu.round(3) }
ensure
  Puppet::Util::Log.close(collector)
end

def run_group(cases, out)
  reader, writer = IO.pipe
  child = fork do
    reader.close
    $stdout.reopen(File::NULL)
    environments = start(cases.first)
    cases.each { |kase| writer.puts(JSON.generate(record(kase, environments, out))) }
    writer.close
    exit!(0)
  end
  writer.close
  lines = reader.each_line.to_a
  Process.wait(child)
  lost = cases.drop(lines.size).map { |kase| JSON.generate('name' => kase['name'], 'error' => 'the reference ended', 'logs' => []) }
  lines + lost
end

cases, out = ARGV
groups = File.readlines(cases).map { |line| JSON.parse(line) }.group_by { |kase| kase['group'] || kase['name'] }
File.open(File.join(out, 'records.jsonl'), 'w') do |records|
  groups.each do |name, group|
    records.puts(run_group(group, out))
    records.flush
    warn "#{name}: #{group.size}"
  end
end
