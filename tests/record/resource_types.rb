# Lists the resource types of all modules below a directory as the reference loads them, one JSON line per type:
# `ruby tests/record/resource_types.rb MODULES > tests/data/resource_types.jsonl`
require 'json'
require 'tmpdir'
require 'puppet'

modules = ARGV.fetch(0, '/usr/share/puppet/modules')
Puppet.initialize_settings(['--confdir', Dir.mktmpdir, '--vardir', Dir.mktmpdir])
environment = Puppet::Node::Environment.create(:production, [modules])
Puppet.override(current_environment: environment, environments: Puppet::Environments::Static.new(environment)) do
  $LOAD_PATH.concat(Dir["#{modules}/*/lib"].sort)
  Dir["#{modules}/*/lib/puppet/type/*.rb"].sort.each do |file|
    name = File.basename(file, '.rb').to_sym
    begin
      type = Puppet::Type.type(name)
      raise "type not defined" unless type
      type.providerloader.loadall(environment)
    rescue Exception => e
      warn "#{file}: #{e.class} #{e.message}"
      next
    end
    values = lambda do |attribute|
      collection = attribute.value_collection
      collection.respond_to?(:values) ? collection.instance_variable_get(:@strings).map(&:name).map(&:to_s) : []
    end
    describe = lambda do |attribute, kind|
      entry = { name: attribute.name.to_s, kind: kind }
      names = values.(attribute)
      patterns = attribute.value_collection.instance_variable_get(:@regexes).map { |r| r.name.to_s }
      entry[:values] = names unless names.empty?
      entry[:patterns] = patterns unless patterns.empty?
      features = attribute.required_features
      entry[:features] = features.map(&:to_s) unless features.nil? || features.empty?
      entry
    end
    patterns = begin
      type.title_patterns.map { |regexp, parts| [regexp.source, regexp.options, parts.map { |part| part.first.to_s }] }
    rescue Exception
      nil
    end
    autos = {}
    %i[autorequire autobefore autosubscribe autonotify].each do |kind|
      list = []
      type.send("each#{kind}") { |n, _| list << n.to_s }
      autos[kind] = list unless list.empty?
    end
    puts JSON.generate({
      name: type.name.to_s,
      file: file.delete_prefix(modules + '/'),
      attributes: type.properties.map { |p| describe.(p, 'property') } + type.parameters.map { |p| describe.(type.paramclass(p), 'parameter') },
      namevars: type.key_attributes.map(&:to_s),
      isomorphic: type.isomorphic?,
      title_patterns: patterns,
      features: type.features.map(&:to_s).sort,
      providers: type.providers.map(&:to_s).sort,
      apply_to: type.apply_to.to_s,
    }.merge(autos))
  end
end
