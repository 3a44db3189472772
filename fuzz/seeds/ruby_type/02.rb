require 'puppet/resource_api'
Puppet::ResourceApi.register_type(
  name: 'apt_key',
  docs: <<-EOS,
  text
  EOS
  features: ['canonicalize', 'simple_get_filter'],
  title_patterns: [{pattern: %r{^(?<a>.*)$}, desc: 'd'}],
  attributes: {
    ensure: { type: 'Enum[present, absent]', default: 'present' },
    id: { type: 'Variant[Pattern[/a/], String]', behaviour: :namevar },
  },
  autorequires: { file: '$source' },
)
