# environment: site2
if $facts['os']['family'] == 'Debian' { include apt }
include mysql::server, redis, memcached
class { 'postgresql::server': }
lookup('classes', { 'default_value' => ['xinetd'] }).each |$c| { include $c }
