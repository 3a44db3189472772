class { 'swift': swift_hash_path_suffix => 'suf', swift_hash_path_prefix => 'pre', package_ensure => 'latest', max_header_size => 16384 }
class { 'swift::storage::all': storage_local_net_ip => '192.0.2.61', mount_check => true, object_port => 6200, container_port => 6201, account_port => 6202, splice => true, log_udp_host => '127.0.0.1', log_udp_port => '514', max_connections => 50, statsd_enabled => true, log_statsd_host => 's.example.com' }




notify { 'z': }
