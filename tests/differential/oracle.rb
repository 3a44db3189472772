#!/usr/bin/env ruby
# frozen_string_literal: true

# Answers what the reference implementation gives for programs: one JSON object a line in, one a line out, in the shape of
# the corpora in tests/conformance. The reference is the Puppet or OpenVox that Ruby finds; docs/testing.md tells how to have
# OpenVox 8 found. Nothing else is needed.

ENV.update('TZ' => 'UTC', 'LC_ALL' => 'C.UTF-8', 'LANG' => 'C.UTF-8')
Encoding.default_external = Encoding.default_internal = Encoding::UTF_8

require 'json'
require 'timeout'
require 'tmpdir'
require 'fileutils'
require 'puppet'
require 'puppet/pops/pn'

SECONDS = Integer(ENV.fetch('SECONDS', 5))
# The settings that questions may change.
SETTINGS = { 'rich_data' => 'true', 'disable_warnings' => 'deprecations' }.freeze
NODE = 'test.example.com'
FACTS = {
  'hostname' => 'test', 'domain' => 'example.com', 'fqdn' => NODE, 'certname' => NODE, 'clientcert' => NODE,
  'kernel' => 'Linux', 'osfamily' => 'Debian', 'operatingsystem' => 'Debian',
  'os' => { 'name' => 'Debian', 'family' => 'Debian', 'release' => { 'full' => '12.1', 'major' => '12', 'minor' => '1' } },
  'networking' => { 'hostname' => 'test', 'domain' => 'example.com', 'fqdn' => NODE },
  'processors' => { 'count' => 4 }, 'is_virtual' => false
}.freeze

# Dumping a parameter that captures the rest asks for this, which the release forgot to define.
Puppet::Pops::PN.define_singleton_method(:Literal) { |value| Puppet::Pops::PN::Literal.new(value) }

# Keeps the value of the last expression of a program.
module LastValue
  class << self
    attr_accessor :value
  end

  def evaluate_code(resource)
    super.tap { |value| LastValue.value = value if ['main', :main].include?(resource.title) && name == '' }
  end
end
Puppet::Resource::Type.prepend(LastValue)

# Finds one environment, wherever its directory is.
class OnlyEnvironment < Puppet::Environments::Static
  def initialize(environment, directory)
    super(environment)
    @configuration = Puppet::Settings::EnvironmentConf.load_from(directory, [])
  end

  def get_conf(_name)
    @configuration
  end
end

# The text of a value as a program would have it. What the reference prints with details of its runtime is written
# as the call that makes the value.
def repr(value)
  case value
  when Array then "[#{value.map { |element| repr(element) }.join(', ')}]"
  when Hash then "{#{value.map { |key, element| "#{repr(key)} => #{repr(element)}" }.join(', ')}}"
  when Puppet::Pops::Time::Timestamp then "Timestamp('#{value}')"
  when Puppet::Pops::Time::Timespan then "Timespan('#{value}')"
  when SemanticPuppet::Version then "SemVer('#{value}')"
  when SemanticPuppet::VersionRange then "SemVerRange('#{value}')"
  when Puppet::Pops::Types::PSensitiveType::Sensitive then 'Sensitive [value redacted]'
  else Puppet::Pops::Types::StringConverter.convert(value, '%p')
  end
end

class Oracle
  PLACE = /\s*\((?:file: (?<file>[^,()]*))?(?:, )?(?:line: (?<line>\d+))?(?:, column: (?<column>\d+))?\)\s*\z/.freeze

  def initialize(scratch)
    @scratch = scratch
    directories = %w[conf var log run].flat_map { |name| ["--#{name}dir", File.join(scratch, name)] }
    names = ['--certname', NODE, '--node_name_value', NODE, '--disable_warnings', 'deprecations']
    Puppet.initialize_settings(directories + names, true, true)
    Puppet.push_context(Puppet.base_context(Puppet.settings), 'oracle')
  end

  def answer(question)
    prepare(question)
    Timeout.timeout(SECONDS) { dispatch(question) }
  rescue Timeout::Error
    { 'error' => { 'message' => 'TIMEOUT' } }
  rescue Interrupt
    raise
  rescue Exception => e # rubocop:disable Lint/RescueException
    { 'error' => failure(e) }.merge(logs)
  end

  private

  def prepare(question)
    Puppet[:strict] = question.fetch('strict', 'error').to_sym
    Puppet[:strict_variables] = question.fetch('strict_variables', true)
    SETTINGS.merge(question['settings'] || {}).each { |name, value| Puppet[name.to_sym] = value }
    [$unique_warnings, $deprecation_warnings, $logged_deprecation_warnings].compact.each(&:clear)
    Puppet::Util::Warnings.clear_warnings
    Puppet::Util::Log.close_all
    @logged = []
    Puppet::Util::Log.newdestination(Puppet::Test::LogCollector.new(@logged))
    Puppet::Util::Log.level = :debug
    @directory = nil
    LastValue.value = nil
    forget_formatting
  end

  # The one formatter of types keeps what the last program left in it: whether aliases are written out, the aliases that
  # an error has interrupted, and the type set that names are shown relative to. A new process starts with nothing.
  def forget_formatting
    formatter = Puppet::Pops::Types::TypeFormatter.singleton
    %i[@expanded @guard @type_set].each { |variable| formatter.instance_variable_set(variable, nil) }
  end

  def dispatch(question)
    code = question['code'].to_s
    case question['mode']
    when 'parse' then in_environment(question) { |environment| parse(environment, code) }
    when 'epp' then compile(question, question['prelude'].to_s) { |compiler, _| template(compiler, question) }
    when 'catalog' then compile(question, code) { |_, catalog| describe_catalog(catalog, question['tags']) }
    else compile(question, code) { { 'value' => describe_value(LastValue.value) } }
    end.merge(logs)
  end

  def in_environment(question)
    if question['files']
      @directory = Dir.mktmpdir('environment', @scratch)
      base = File.join(@directory, 'production')
      FileUtils.mkdir_p(modules = File.join(base, 'modules'))
      question['files'].each do |path, text|
        FileUtils.mkdir_p(File.dirname(path = File.join(base, path)))
        File.write(path, text)
      end
    end
    environment = Puppet::Node::Environment.create(:production, [modules].compact, Puppet::Node::Environment::NO_MANIFEST)
    found = base ? OnlyEnvironment.new(environment, base) : Puppet::Environments::Static.new(environment)
    Puppet.override({ environments: found, current_environment: environment }, 'question') { yield environment }
  ensure
    FileUtils.rm_rf(@directory) if @directory
  end

  def compile(question, code)
    in_environment(question) do |environment|
      # Without any code the manifest of the environment would be taken.
      Puppet[:code] = code.empty? ? "\n" : code
      facts = FACTS.merge(question['facts'] || {})
      node = Puppet::Node.new(NODE, facts: Puppet::Node::Facts.new(NODE, facts), environment: environment)
      node.merge(facts)
      node.trusted_data = { 'authenticated' => 'local', 'certname' => NODE, 'extensions' => {}, 'hostname' => 'test',
                            'domain' => 'example.com', 'external' => {} }
      node.add_server_facts('serverversion' => '0.0.0')
      result = nil
      compiler = Puppet::Parser::Compiler.new(node)
      compiler.compile do |catalog|
        result = yield(compiler, question['mode'] == 'catalog' ? catalog.to_resource : catalog)
        catalog
      end
      result
    end
  end

  def describe_value(value)
    calculator = Puppet::Pops::Types::TypeCalculator
    reduced = calculator.infer(value)
    { 'repr' => clean(repr(value)), 'type' => clean(calculator.infer_set(value).to_s),
      'type_reduced' => clean(reduced.to_s), 'type_generalized' => clean(reduced.generalize.to_s) }
  end

  def describe_catalog(catalog, with_tags)
    resources = catalog.resources.reject { |resource| resource.ref == 'Class[Settings]' }
    resources = resources.map { |resource| describe_resource(resource, with_tags) }
    edges = catalog.edges.map { |edge| [edge.source.ref, edge.target.ref] }
    edges = edges.reject { |edge| edge.include?('Class[Settings]') }
    { 'catalog' => { 'resources' => resources.sort_by { |resource| resource.values_at('type', 'title') },
                     'edges' => edges.uniq.sort, 'classes' => (catalog.classes.map(&:to_s) - ['settings']).sort } }
  end

  def describe_resource(resource, with_tags)
    data = Puppet.override({ rich_data: Puppet[:rich_data] }, 'rich data') { resource.to_data_hash }
    parameters = (data['parameters'] || {}).sort_by { |name, _| name.to_s }.to_h
    result = { 'type' => data['type'], 'title' => data['title'], 'parameters' => parameters }
    result['exported'] = true if data['exported']
    result['virtual'] = true if resource.virtual?
    result['sensitive_parameters'] = data['sensitive_parameters'].sort if data['sensitive_parameters']
    result['tags'] = data['tags'].map(&:to_s).sort if with_tags
    result
  end

  def parse(environment, code)
    Puppet.override({ loaders: Puppet::Pops::Loaders.new(environment) }, 'parse') do
      tree(Puppet::Pops::Parser::EvaluatingParser.new, code)
    end
  end

  def tree(parser, code)
    begin
      model = parser.parser.parse_string(code).model
    rescue Puppet::ParseError => e
      return { 'errors' => [failure(e)] }
    end
    checked = parser.validate(model)
    warnings = checked.warnings.reject { |warning| warning.severity == :deprecation }
    { 'pn' => notation(model), 'errors' => diagnostics(checked.errors), 'warnings' => diagnostics(warnings) }.compact
  end

  # Nothing where the notation cannot express the tree.
  def notation(model)
    text = +''
    Puppet::Pops::Model::PNTransformer.transform(model).format(nil, text)
    clean(text)
  rescue ArgumentError
    nil
  rescue RuntimeError => e
    raise unless e.message.start_with?('Visitor Error')
  end

  def diagnostics(list)
    formatter = Puppet::Pops::Validation::DiagnosticFormatterPuppetStyle.new
    list = list.map do |found|
      place = found.source_pos ? { 'line' => found.source_pos.line, 'column' => found.source_pos.pos } : {}
      { 'message' => clean(formatter.format_message(found)) }.merge(place, 'issue' => found.issue.issue_code.to_s)
    end
    list unless list.empty?
  end

  def template(compiler, question)
    parsed = tree(Puppet::Pops::Parser::EvaluatingParser::EvaluatingEppParser.new, question['code'])
    return parsed if parsed['errors']

    result = parsed.slice('pn')
    begin
      text = Puppet::Pops::Evaluator::EppEvaluator.inline_epp(compiler.topscope, question['code'], question['params'])
      sensitive = text.is_a?(Puppet::Pops::Types::PSensitiveType::Sensitive)
      result['text'] = clean(sensitive ? text.unwrap : text)
      result['sensitive'] = true if sensitive
    rescue Timeout::Error
      raise
    rescue StandardError => e
      result['error'] = failure(e)
    end
    result
  end

  def logs
    wanted = @logged.reject do |log|
      quiet = %i[debug info].include?(log.level)
      quiet && (!log.source.to_s.start_with?('Scope(') || log.message.to_s.start_with?('Retrieving '))
    end
    wanted.empty? ? {} : { 'logs' => wanted.map { |log| describe_log(log) } }
  end

  def describe_log(log)
    result = { 'level' => log.level.to_s, 'message' => clean(log.message.to_s) }
    result['source'] = log.source.to_s if log.source.to_s.start_with?('Scope(')
    if !log.line && (place = PLACE.match(result['message']))
      result['message'] = place.pre_match
      %w[line column].each { |key| result[key] = place[key].to_i if place[key] }
    end
    result['line'] = log.line if log.line
    result['column'] = log.pos if log.pos.is_a?(Integer)
    result['issue'] = log.issue_code.to_s if log.issue_code
    result
  end

  def failure(error)
    message = error.basic_message if error.respond_to?(:basic_message)
    message = clean((message || error.message).to_s)
    parsing = error.respond_to?(:environment) && error.environment
    parsing = true if message.sub!(/\ACould not parse for environment \S+: /, '')
    message = message.delete_suffix(" on node #{NODE}")
    line = error.line if error.respond_to?(:line)
    column = error.pos if error.respond_to?(:pos) && error.pos.is_a?(Integer)
    if (place = PLACE.match(message))
      message = place.pre_match
      line ||= place[:line]&.to_i
      column ||= place[:column]&.to_i
    end
    result = { 'message' => message }
    result['line'] = line.to_i if line
    result['column'] = column if column
    result['issue'] = error.issue_code.to_s if error.respond_to?(:issue_code) && error.issue_code
    result['phase'] = 'parse' if parsing
    result['internal'] = error.class.name unless error.is_a?(Puppet::Error) || error.is_a?(ArgumentError)
    result
  end

  # The text without what differs from run to run.
  def clean(text)
    text = text.dup.force_encoding(Encoding::UTF_8).scrub
    [@directory, @scratch].compact.each { |directory| text = text.gsub(directory, '') }
    text.gsub(/ by #<Puppet::Resource::Type:0x[0-9a-f]+>/, '').gsub(/#<(\w[\w:]*):0x[0-9a-f]+/, '#<\1:0x0')
  end
end

if $PROGRAM_NAME == __FILE__
  Dir.mktmpdir('oracle') do |scratch|
    oracle = Oracle.new(scratch)
    $stdout.sync = true
    $stdin.each_line do |line|
      question = JSON.parse(line)
      puts JSON.generate({ 'id' => question['id'] }.merge(oracle.answer(question)))
    end
  end
end
