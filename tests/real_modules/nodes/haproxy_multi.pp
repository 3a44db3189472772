haproxy::instance { 'one': config_file => '/etc/haproxy/one.cfg', package_ensure => 'present', global_options => { 'maxconn' => 10 }, defaults_options => {}, merge_options => false }
haproxy::instance_service { 'one': haproxy_init_source => 'puppet:///modules/x/y', haproxy_unit_template => "haproxy/instance_service_unit.erb", haproxy_package => 'haproxy', bindir => '/opt/h' }
haproxy::listen { 'l1': instance => 'one', ipaddress => '127.0.0.1', ports => '80', mode => 'tcp' }
haproxy::balancermember { 'x': instance => 'one', listening_service => 'l1', ports => '8080', server_names => $facts['networking']['hostname'], ipaddresses => $facts['networking']['ip'], config_file => '/etc/haproxy/one.cfg' }
