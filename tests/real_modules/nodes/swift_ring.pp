include memcached
class { 'swift': swift_hash_path_suffix => 'suf' }
class { 'swift::ringbuilder': part_power => 14, replicas => 3, min_part_hours => 1 }
ring_object_device { '192.0.2.61:6200/sdb': region => 1, zone => 1, weight => 100 }
ring_container_device { '192.0.2.61:6201/sdb': zone => 1, weight => 1 }
ring_account_device { '192.0.2.61:6202/sdb': zone => 2, weight => 1, meta => 'm' }
ring_object_device { '1:[2001:db8::1]:6200/sdc': region => 2, zone => 1, weight => 1 }
class { 'swift::ringserver': local_net_ip => '192.0.2.60', max_connections => 5 }
class { 'swift::proxy': proxy_local_net_ip => '192.0.2.62', pipeline => ['catch_errors', 'gatekeeper', 'healthcheck', 'proxy-logging', 'cache', 'listing_formats', 'container_sync', 'bulk', 'ratelimit', 'authtoken', 'keystone', 'copy', 'container_quotas', 'account_quotas', 'slo', 'dlo', 'versioned_writes', 'proxy-logging', 'proxy-server'], account_autocreate => true, read_affinity => 'r1z1=100, r1=200', write_affinity => 'r1', node_timeout => 20, cors_allow_origin => 'http://a', workers => 3, client_timeout => 60, log_headers => true }
include swift::proxy::catch_errors, swift::proxy::gatekeeper, swift::proxy::healthcheck, swift::proxy::proxy_logging, swift::proxy::listing_formats, swift::proxy::container_sync, swift::proxy::bulk, swift::proxy::copy, swift::proxy::container_quotas, swift::proxy::account_quotas, swift::proxy::slo, swift::proxy::dlo, swift::proxy::versioned_writes, swift::proxy::keystone
class { 'swift::proxy::cache': memcache_servers => ['a:11211', 'b:11211'], tls_enabled => true }
class { 'swift::proxy::ratelimit': clock_accuracy => 1000, account_ratelimit => 0, max_sleep_time_seconds => 60 }
class { 'swift::proxy::authtoken': password => 'p', www_authenticate_uri => 'http://k:5000', delay_auth_decision => 1, cache => 'swift.cache', include_service_catalog => false }
class { 'swift::keystone::auth': password => 'p', configure_s3_endpoint => true, operator_roles => ['admin', 'Swift'] }
class { 'swift::keystone::dispersion': auth_pass => 'd' }
class { 'swift::dispersion': auth_url => 'http://k', swift_dir => '/etc/swift', coverage => 2 }
class { 'swift::objectexpirer': interval => 600, pipeline => ['catch_errors', 'cache', 'proxy-server'], report_interval => 60 }
swift::ringsync { 'object': ring_server => '192.0.2.60' } swift::ringsync { 'container': ring_server => '192.0.2.60' } swift::ringsync { 'account': ring_server => '192.0.2.60' }
