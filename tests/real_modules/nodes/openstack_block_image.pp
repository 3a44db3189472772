class { 'cinder::db': database_connection => 'mysql+pymysql://c:c@db/cinder' }
class { 'cinder': default_transport_url => 'rabbit://c', storage_availability_zone => 'az1', host => 'h', notification_driver => 'messagingv2', image_conversion_dir => '/conv', allow_availability_zone_fallback => true, enable_force_upload => true, }

class { 'cinder::db::mysql': password => 'c', allowed_hosts => '%' }
class { 'cinder::db::sync': extra_params => '--config-file /x', db_sync_timeout => 900 }
class { 'cinder::keystone::authtoken': password => 'c' }
class { 'cinder::keystone::auth': password => 'c' }
class { 'cinder::api': service_name => 'httpd', default_volume_type => 'ssd', use_ssl => true, cert_file => '/c', key_file => '/k', osapi_max_limit => 1500 }
class { 'cinder::wsgi::apache': ssl => false, workers => 2, error_log_file => 'e.log', access_log_format => 'combined' }
class { 'cinder::scheduler': scheduler_driver => 'cinder.scheduler.filter_scheduler.FilterScheduler' }
class { 'cinder::scheduler::filter': scheduler_default_filters => ['A', 'B'] }
class { 'cinder::volume': volume_clear => 'zero', volume_clear_size => 50, volume_clear_ionice => '-c3', cluster => 'cl' }
class { 'cinder::backends': enabled_backends => ['lvm1', 'rbd1', 'nfs1', 'netapp1', 'iscsi2', 'pure1', 'emc1', 'quo1'], backend_host => 'x' }
cinder::backend::iscsi { 'lvm1': volume_group => 'vg', manage_volume_type => true, extra_options => { 'lvm1/param1' => { 'value' => 'v' } } }
cinder::backend::iscsi { 'iscsi2': target_ip_address => '192.0.2.2', target_helper => 'lioadm', volumes_dir => '/v' }
cinder::backend::rbd { 'rbd1': rbd_pool => 'volumes', rbd_user => 'cinder', rbd_secret_uuid => '1111', rbd_flatten_volume_from_snapshot => true, rbd_max_clone_depth => '0', backend_availability_zone => 'z', report_dynamic_total_capacity => false }
cinder::backend::nfs { 'nfs1': nfs_servers => ['192.0.2.3:/share', '192.0.2.4:/share/2'], nfs_mount_options => 'vers=3', nfs_shares_config => '/etc/cinder/s', nfs_snapshot_support => true, nas_secure_file_operations => 'auto' }
cinder::backend::netapp { 'netapp1': netapp_login => 'n', netapp_password => 'p', netapp_server_hostname => 'h', netapp_storage_protocol => 'nfs', nfs_shares => ['192.0.2.9:/a', '192.0.2.9:/b'], netapp_pool_name_search_pattern => '^x', netapp_vserver => 'v' }
cinder::backend::pure { 'pure1': san_ip => '192.0.2.8', pure_api_token => 't', use_chap_auth => true, use_multipath_for_image_xfer => true, pure_storage_protocol => 'FC', pure_host_personality => 'aix' }
cinder::backend::quobyte { 'quo1': quobyte_volume_url => 'quobyte://q/v' }
cinder_type { 'ssd': ensure => present, properties => ['volume_backend_name=rbd1', 'k=v'], is_public => true }
class { 'cinder::backup': backup_manager => 'm', backup_name_template => 't-%s', backup_workers => 2 }
class { 'cinder::backup::swift': backup_swift_url => 'http://s', backup_swift_container => 'v', backup_swift_object_size => 52428800 }

class { 'cinder::quota': quota_volumes => 100, quota_gigabytes => 10000 }
class { 'cinder::nova': password => 'n', region_name => 'R' }
class { 'cinder::glance': glance_api_servers => ['http://g1:9292', 'http://g2:9292'], }
class { 'cinder::cron::db_purge': age => 30, destination => '/dev/null', maxdelay => 3600 }
cinder_qos { 'q': ensure => present, properties => ['a=b'], consumer => 'both', associations => ['ssd'] } 
cinder_config { 'DEFAULT/x': value => 'y' }
