# Records the catalogs that the reference compiles for node manifests, as a server sends them:
#
#   cd tests/real_modules && ruby ../record/catalogs.rb [--strict] OUT < cases.jsonl
#
# A case has the fields `case`, `node` (a manifest), `facts` (a YAML file) and `environment` (a directory, or null), all paths
# relative to the current directory. `OUT/CASE.json` is its catalog and `OUT/CASE.error.json` its error. The cases are printed
# as they go into `cases.json`. Defaults are those of release 7; with `--strict`, those of release 8.
ENV['TZ'] = 'UTC'
ENV['LC_ALL'] = 'C.UTF-8'
Encoding.default_external = Encoding::UTF_8
Encoding.default_internal = Encoding::UTF_8

require 'fileutils'
require 'json'
require 'tmpdir'
require 'puppet'

MODULEPATH = ['/usr/share/puppet/modules'].freeze
SERVER_FACTS = { 'serverversion' => '7.23.0', 'servername' => 'puppet.example.com', 'serverip' => '192.0.2.10' }.freeze

# Trees of manifests are made once for all cases, except where making one logs something.
module TreesOnce
  TREES = {}

  def parse_file(file)
    key = [file, File.mtime(file)]
    return TREES[key] if TREES.key?(key)

    logged = Recorder.logs.size
    tree = super
    TREES[key] = tree if logged == Recorder.logs.size && file.start_with?(MODULEPATH.first)
    tree
  end
end
Puppet::Pops::Parser::EvaluatingParser.prepend(TreesOnce)

# Compiles one case after the other.
class Recorder
  class << self
    attr_accessor :logs
  end
  self.logs = []

  def initialize(scratch, strict)
    directories = %w[confdir vardir logdir rundir].flat_map { |name| ["--#{name}", File.join(scratch, name)] }
    Puppet.initialize_settings(directories + ['--certname', 'puppet.example.com'], true, true)
    Puppet[:strict] = strict ? :error : :warning
    Puppet[:strict_variables] = strict
    Puppet.push_context(Puppet.base_context(Puppet.settings), 'recorder')
  end

  def record(kase, out)
    listen
    path = File.join(out, kase.fetch('case'))
    catalog = compile(kase)
    text = relative(catalog.render(:rich_data_json))
    FileUtils.rm_f("#{path}.error.json")
    File.write("#{path}.json", "#{text}\n")
  rescue StandardError, ScriptError, SystemStackError => e
    error = { 'class' => e.class.name, 'message' => relative(e.message) }
    %i[line pos file].each { |name| error[name.to_s] = relative(e.public_send(name)) if e.respond_to?(name) && e.public_send(name) }
    FileUtils.rm_f("#{path}.json")
    File.write("#{path}.error.json", "#{JSON.pretty_generate(error)}\n")
  ensure
    puts JSON.generate(kase.merge(outcome(catalog)))
  end

  private

  def compile(kase)
    facts = YAML.load_file(kase.fetch('facts'))
    certname = @certname = facts.fetch('networking').fetch('fqdn')
    with_environment(kase) do |environment|
      node = Puppet::Node.new(certname, facts: Puppet::Node::Facts.new(certname, facts), environment: environment)
      node.merge(facts)
      node.trusted_data = trusted(certname)
      node.add_server_facts(SERVER_FACTS)
      catalog = Puppet::Parser::Compiler.compile(node)
      catalog = catalog.filter(&:virtual?)
      catalog.version = 0
      catalog.catalog_uuid = '00000000-0000-0000-0000-000000000000'
      catalog
    end
  end

  # What is recorded about a case besides its catalog.
  def outcome(catalog)
    warnings = Recorder.logs.select { |log| log.level == :warning }.map { |log| relative(log.message) }.uniq
    sizes = catalog ? { 'resources' => catalog.resources.size, 'edges' => catalog.edges.size } : {}
    { 'certname' => @certname, 'compiles' => !catalog.nil? }.merge(sizes, 'warnings' => warnings)
  end

  def trusted(certname)
    hostname, domain = certname.split('.', 2)
    { 'authenticated' => 'remote', 'certname' => certname, 'extensions' => {}, 'hostname' => hostname, 'domain' => domain, 'external' => {} }
  end

  def with_environment(kase)
    manifest = File.expand_path(kase.fetch('node'))
    environment = Puppet::Node::Environment.create(:production, MODULEPATH, manifest)
    directory = kase['environment']
    loader = directory ? Puppet::Environments::StaticDirectory.new('production', File.expand_path(directory), environment) : Puppet::Environments::Static.new(environment)
    Puppet.override(environments: loader, current_environment: environment) { yield environment }
  end

  def listen
    $unique_warnings&.clear
    $deprecation_warnings&.clear
    $logged_deprecation_warnings&.clear
    Puppet::Util::Warnings.clear_warnings
    Recorder.logs = []
    Puppet::Util::Log.close_all
    Puppet::Util::Log.newdestination(Puppet::Test::LogCollector.new(Recorder.logs))
    Puppet::Util::Log.level = :debug
  end

  # Paths as they were given.
  def relative(value)
    value.is_a?(String) ? value.dup.force_encoding(Encoding::UTF_8).scrub.gsub("#{Dir.pwd}/", '') : value
  end
end

strict = !ARGV.delete('--strict').nil?
out = ARGV.fetch(0)
FileUtils.mkdir_p(out)
Dir.mktmpdir('catalogs') do |scratch|
  recorder = Recorder.new(scratch, strict)
  # All at once: a process that a module starts may move the position of the input.
  $stdin.readlines.each do |line|
    recorder.record(JSON.parse(line), out)
  end
end
