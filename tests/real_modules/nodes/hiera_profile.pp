# environment: site2
type Profile::Port = Variant[Integer[1, 65535], Pattern[/\A\d+\z/]]
type Profile::Vhost = Struct[{ port => Profile::Port, docroot => Stdlib::Absolutepath, Optional[serveraliases] => Array[String], Optional[directories] => Array[Hash] }]
function profile::repeat(String $x, Integer $n) >> String { Integer[1, $n].map |$i| { $x }.join }
function profile::shout(String $x, Integer $n = 1, String *$rest) >> String { "${x.upcase}${profile::repeat('!', $n)}${rest}" }
class profile (
  Hash[String, Profile::Vhost] $vhosts,
  Array[String] $list,
  Sensitive[String] $secret,
  Profile::Port $port,
  String $text,
  Array $aliased,
  Hash $json,
  Optional[String] $nothing = undef,
) {
  contain profile::web
  file { '/etc/profile.d/x': mode => '0600', content => inline_template("<% @vhosts.sort.each do |name, v| -%>\n<%= name.ljust(6) %> <%= v['port'].to_s.rjust(5, '0') %> <%= (v['serveraliases'] || []).join(',') %>\n<% end -%>\n<%- unless @list.include?('nope') %>\nlist <%= @list.map { |x| x.upcase }.sort.reverse.inspect %>\n<%- end -%>\n<%= scope.lookupvar('facts')['os']['name'] %> <%= @facts['networking']['ip'] %> <%= scope.function_versioncmp(['1.2', '1.10']) %> <%= @nothing.inspect %>\n<%= @json.to_yaml %>\n<%= scope.call_function('join', [@list, '-']) %>") }
  file { '/etc/profile.d/y': content => inline_epp('<%- | Array[String] $list, Sensitive[String] $secret, Integer $n = 3 | -%>
<% $list.each |$x| { -%>
item <%= $x %> <%= $n %>
<% } -%>
secret <%= $secret.unwrap %> <%= $facts["os"]["name"] %> <%= $profile::port %>
', { 'list' => $list, 'secret' => $secret }) }
  $list.each |Integer $i, String $e| { profile::item { "${i}-${e}": weight => $i, * => { 'label' => profile::shout($e, $i + 1, 'r') } } }
  notify { 'data': message => "${text} ${port} ${aliased} ${json}" }
  Profile::Item <| weight == 0 |> { label => 'first' }
  @profile::item { 'virtual': weight => 99 }
  realize Profile::Item['virtual']
}
class profile::base { File { owner => 'root' } file { '/etc/base': content => 'base' } include stdlib }
class profile::web inherits profile::base {
  include apache
  create_resources('apache::vhost', $profile::vhosts, { 'docroot_owner' => 'root', 'options' => ['-Indexes'] })
  File['/etc/base'] { content => 'overridden' }
  Class['apache'] -> Class['profile::web']
}
define profile::item (Integer $weight, String $label = $title, Optional[Hash] $extra = { 'w' => $weight }) {
  ensure_resource('file', '/srv/items', { 'ensure' => 'directory' })
  file { "/srv/items/${title}": content => inline_template("<%= @label %> <%= @weight * 2 %> <%= @extra.to_a.flatten.inspect %> <%= scope['profile::port'] %>\n"), tag => ['item', "w${weight}"] }
  ensure_packages(['vim', 'curl'], { 'ensure' => 'latest' })
}
include profile
include ntp, ssh, systemd
notify { 'l': message => "${lookup('profile::list', { 'merge' => 'first' })} ${lookup('profile::vhosts', Hash, { 'strategy' => 'deep', 'knockout_prefix' => '--' })} ${lookup('nope', undef, undef, 'dflt')}" }
