# Applies resources whose type or provider is written in Ruby, with the Puppet or OpenVox of this machine. Reads requests as YAML
# after their length, and answers each with a line of JSON; whatever providers print goes to standard error.
require 'json'
require 'yaml'
answers = $stdout.dup
$stdout.reopen($stderr)
answers.sync = true

begin
  require 'puppet'
rescue LoadError => e
  answers.puts JSON.generate('error' => "neither Puppet nor OpenVox is installed for this Ruby: #{e.message}")
  exit 1
end

module Bunraku
  class Lines < Array; end

  # What is said while a request is worked on.
  Puppet::Util::Log.newdesttype :bunraku do
    match 'Bunraku::Lines'
    def initialize(lines) = @lines = lines
    def handle(line) = @lines << [line.level.to_s, line.source.to_s, line.message.to_s]
  end

  class Helper
    def initialize(setup)
      Puppet.initialize_settings(['--vardir', setup['vardir'], '--confdir', setup['confdir']])
      Puppet[:log_level] = setup['log_level']
      Puppet::Util::Log.level = setup['log_level'].to_sym
      Puppet[:noop] = setup['noop']
      directories = setup['modulepath'].select { |it| File.directory?(it) }
      environment = Puppet::Node::Environment.create(setup['environment'].to_sym, directories)
      Puppet.push_context(Puppet.base_context(Puppet.settings), 'bunraku')
      Puppet.push_context({ current_environment: environment, environments: Puppet::Environments::Static.new(environment) }, 'bunraku')
      setup['libraries'].each { |it| $LOAD_PATH.unshift(it) unless $LOAD_PATH.include?(it) }
      @lines = Lines.new
      Puppet::Util::Log.newdestination(@lines)
      @catalog = Puppet::Resource::Catalog.new('bunraku', environment)
      @catalog.host_config = true
      @transaction = Puppet::Transaction.new(@catalog, nil, Puppet::Graph::SequentialPrioritizer.new)
      @harness = Puppet::Transaction::ResourceHarness.new(@transaction)
      @resources = []
    end

    def answer(request)
      @lines.clear
      send("answer_#{request['do']}", request).merge('lines' => @lines)
    rescue Puppet::Error, ArgumentError, LoadError, NameError, StandardError => e
      { 'error' => e.message, 'lines' => @lines }
    end

    private

    def answer_declare(request)
      type = Puppet::Type.type(request['type']) or return { 'unsuitable' => nil }
      declared = Puppet::Resource.new(request['type'], request['title'], parameters: request['parameters'])
      declared.file, declared.line = request['file'], request['line']
      declared.sensitive_parameters = request['sensitive'].map(&:to_sym)
      resource = declared.to_ral
      path = request['path']
      resource.define_singleton_method(:pathbuilder) { [path.delete_prefix('/')] }
      @catalog.add_resource(resource) unless @catalog.resource(resource.ref)
      return { 'unsuitable' => resource.provider && resource.provider.class.name.to_s } unless resource.suitable?
      @resources << resource
      { 'number' => @resources.size - 1, 'provider' => resource.provider&.class&.name&.to_s,
        'refreshable' => resource.respond_to?(:refresh), 'requires' => requires(resource) }
    end

    # What the type says comes before the resource: types and names. The whole catalog is not known here.
    def requires(resource)
      found = []
      resource.class.eachautorequire do |type, block|
        names = [resource.instance_eval(&block)].flatten.compact
        found.concat(names.map { |name| [type.to_s, name.respond_to?(:title) ? name.title.to_s : name.to_s] })
      rescue StandardError
        next
      end
      found
    end

    def answer_generate(request)
      { 'resources' => (@resources[request['number']].public_send(request['how']) || []).map { |it| described(it) } }
    rescue NoMethodError => e
      raise unless e.name.to_s == request['how']
      { 'resources' => [] }
    end

    def answer_check(request)
      @resources[request['number']].pre_run_check
      {}
    end

    def answer_evaluate(request)
      resource = @resources[request['number']]
      @transaction.prefetch_if_necessary(resource)
      provider = resource.provider.class.name
      return { 'prefetch_failed' => provider.to_s } if @transaction.prefetch_failed_providers[resource.type][provider]
      status = @harness.evaluate(resource)
      { 'events' => status.events.map { |it| event(it) } }
    end

    def answer_refresh(request)
      @resources[request['number']].refresh
      {}
    end

    def described(resource)
      { 'type' => resource.type.to_s, 'title' => resource.title.to_s, 'parameters' => plain(resource.original_parameters) }
    end

    def event(it)
      { 'name' => it.name.to_s, 'property' => it.property&.to_s, 'previous' => plain(it.previous_value),
        'desired' => plain(it.desired_value), 'message' => it.message.to_s, 'status' => it.status.to_s, 'redacted' => it.redacted }
    end

    def plain(value)
      case value
      when Hash then value.to_h { |name, it| [name.to_s, plain(it)] }
      when Array then value.map { |it| plain(it) }
      when nil, true, false, Integer, Float then value
      else value.to_s.dup.force_encoding('UTF-8').scrub
      end
    end
  end
end

helper = nil
$stdin.binmode
while (length = $stdin.gets)
  request = YAML.safe_load($stdin.read(length.to_i).force_encoding('UTF-8'))
  answer =
    if helper
      helper.answer(request)
    else
      begin
        helper = Bunraku::Helper.new(request)
        { 'lines' => [] }
      rescue StandardError => e
        { 'error' => e.message, 'lines' => [] }
      end
    end
  answers.puts JSON.generate(answer)
end
