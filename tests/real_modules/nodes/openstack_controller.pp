class { 'nova::pci': aliases => [{ 'vendor_id' => '8086', 'product_id' => '0126', 'name' => 'g' }, { 'vendor_id' => '9096', 'product_id' => '1520', 'name' => 'c' }] }
class { 'glance::api::db': database_connection => 'mysql://g:g@db/glance' }
class { 'glance::api::authtoken': password => 'g', auth_url => 'http://k', www_authenticate_uri => 'http://k' }
class { 'keystone::policy': policies => { 'identity:get' => { 'key' => 'identity:get', 'value' => 'rule:admin' } }, enforce_scope => true }
class { 'keystone::logging': log_dir => '/var/log/k', default_log_levels => { 'amqp' => 'WARN', 'sqlalchemy' => 'INFO' }, logging_context_format_string => '%(asctime)s', use_json => true }
class { 'keystone::db': database_connection => 'mysql+pymysql://keystone:pw@db/keystone', database_max_retries => '10' }
# An all-in-one controller.
include apache
class { 'keystone': service_name => 'httpd', default_transport_url => 'rabbit://u:p@mq:5672/', rabbit_ha_queues => true, public_endpoint => 'https://k.example.com:5000', max_token_size => 255, catalog_driver => 'sql', fernet_max_active_keys => 5, fernet_keys => { '/etc/keystone/fernet-keys/0' => { 'content' => 'c1' }, '/etc/keystone/fernet-keys/1' => { 'content' => 'c2' } }, credential_keys => { '/etc/keystone/credential-keys/0' => { 'content' => 'x' } }, enable_credential_setup => true }

class { 'keystone::db::mysql': password => 'pw', allowed_hosts => ['%', '192.0.2.1'] }
class { 'keystone::bootstrap': password => 'adminpw', email => 'a@example.com', admin_url => 'https://k:5000', public_url => 'https://k:5000', internal_url => 'https://k:5000', region => 'R1' }
class { 'keystone::wsgi::apache': ssl => true, ssl_cert => '/c', ssl_key => '/k', workers => 4, vhost_custom_fragment => 'LimitRequestFieldSize 81900', custom_wsgi_process_options => { 'python-path' => '/x' } }
class { 'keystone::messaging::amqp': amqp_ssl_ca_file => '/ca' }
class { 'keystone::cron::fernet_rotate': }


class { 'keystone::federation': trusted_dashboards => ['https://d/'], remote_id_attribute => 'r' }
class { 'keystone::federation::openidc': keystone_url => 'https://k:5000', methods => 'password,token,openid', idp_name => 'idp', openidc_provider_metadata_url => 'https://i/.well', openidc_client_id => 'c', openidc_client_secret => 's', openidc_crypto_passphrase => 'pp', openidc_enable_oauth => true, openidc_introspection_endpoint => 'https://i/introspect' }
keystone_role { ['member', 'reader']: ensure => present }
keystone_user { 'demo': ensure => present, enabled => true, email => 'd@example.com', password => 'pw' }
keystone_tenant { 'demo': ensure => present, enabled => true, description => 'd' }
keystone_user_role { 'demo@demo': ensure => present, roles => ['member', 'reader'] }
keystone_domain { 'heat': ensure => present, enabled => true }
keystone::resource::authtoken { 'keystone_config': username => 'u', password => 'p', auth_url => 'http://k:5000', project_name => 's', user_domain_name => 'D', project_domain_name => 'D', memcached_servers => ['a:11211', 'b:11211'], memcache_use_advanced_pool => true, service_token_roles_required => true } 
class { 'glance::api': enabled_backends => ['file:file', 'rbd1:rbd', 'sw:swift'], default_backend => 'file', workers => 2, show_image_direct_url => true, enabled_import_methods => ['glance-direct', 'web-download'], node_staging_uri => 'file:///tmp/staging' }

class { 'glance::keystone::auth': password => 'g', public_url => 'https://g:9292', roles => ['admin', 'service'] }
glance::backend::multistore::file { 'file': filesystem_store_datadir => '/var/lib/glance', store_description => 'F' }
glance::backend::multistore::rbd { 'rbd1': rbd_store_user => 'glance', rbd_store_pool => 'images', manage_packages => true }
glance::backend::multistore::swift { 'sw': swift_store_user => 's:g', swift_store_key => 'k', swift_store_container => 'g', default_swift_reference => 'ref1' }
class { 'glance::notify::rabbitmq': default_transport_url => 'rabbit://g', notification_driver => 'messagingv2', rabbit_use_ssl => true, kombu_ssl_ca_certs => '/ca', kombu_ssl_certfile => '/c', kombu_ssl_keyfile => '/k' }
class { 'glance::cache::pruner': minute => 30 }
class { 'placement': }
class { 'placement::db': database_connection => 'mysql://p' }
class { 'placement::keystone::auth': password => 'p' }
class { 'placement::keystone::authtoken': password => 'p' }
class { 'placement::wsgi::apache': ssl => false, api_port => '8778' }
class { 'nova': default_transport_url => 'rabbit://n', cpu_allocation_ratio => '4.0', ram_allocation_ratio => 1.0, notification_driver => ['messagingv2', 'log'], notify_on_state_change => 'vm_and_task_state', host => $facts['networking']['fqdn'], ovsdb_connection => 'tcp:127.0.0.1:6640', my_ip => $facts['networking']['ip'] }
class { 'nova::db': database_connection => 'mysql+pymysql://n:n@db/nova', api_database_connection => 'mysql+pymysql://n:n@db/nova_api', slave_connection => 'mysql://x' }
class { 'nova::db::mysql': password => 'n' }
class { 'nova::db::mysql_api': password => 'n' }
class { 'nova::keystone::authtoken': password => 'n', auth_version => 'v3', region_name => 'R1' }
class { 'nova::api': osapi_compute_workers => 2, metadata_workers => 1, service_name => 'httpd', enabled => true, sync_db => true, sync_db_api => true, max_limit => 1000, use_forwarded_for => true, }
class { 'nova::wsgi::apache_api': ssl => false, workers => 3 }
class { 'nova::metadata': neutron_metadata_proxy_shared_secret => 'meta', dhcp_domain => 'x' }
class { 'nova::conductor': workers => 2 }
class { 'nova::scheduler': workers => 2, discover_hosts_in_cells_interval => 300, query_placement_for_image_type_support => true }
class { 'nova::scheduler::filter': scheduler_available_filters => ['nova.scheduler.filters.all_filters', 'x.y'], scheduler_enabled_filters => ['ComputeFilter', 'ImagePropertiesFilter'], ram_weight_multiplier => '1.5', isolated_images => ['a', 'b'], restrict_isolated_hosts_to_isolated_images => true }
class { 'nova::vncproxy': host => '0.0.0.0', vncproxy_protocol => 'https', allow_vencrypt => true, allow_noauth => true, vencrypt_key => '/k', vencrypt_cert => '/c', vencrypt_ca => '/ca' }
class { 'nova::network::neutron': password => 'ne', auth_url => 'http://k', default_floating_pool => 'public', ovs_bridge => 'br-int' }
class { 'nova::placement': password => 'p', auth_url => 'http://k', region_name => 'R1' }
class { 'nova::quota': instances => 20, cores => 40, ram => 100000 }

class { 'nova::keystone::auth': password => 'n' }
class { 'nova::cell_v2::simple_setup': transport_url => 'rabbit://x', database_connection => 'mysql://y' }
nova_flavor { 'm1.tiny': ensure => present, id => '42', ram => '512', disk => '1', vcpus => '1', properties => { 'hw:cpu_policy' => 'dedicated', 'a' => 'b' } }
nova_aggregate { 'agg': ensure => present, availability_zone => 'z', hosts => ['h1', 'h2'], metadata => 'prop=x' }
nova_config { 'DEFAULT/foo': value => 'bar'; 'x/y': ensure => absent; 'x/z': value => ['a', 'b'], secret => true }
