class { 'designate': default_transport_url => 'rabbit://d' }
class { 'designate::db': database_connection => 'mysql://d' }
class { 'designate::api': auth_strategy => 'noauth', enable_api_v2 => true }
class { 'designate::central': managed_resource_email => 'e@x', max_zone_name_len => 100 }
class { 'designate::backend::bind9': ns_records => { '1' => 'ns1.example.org.', '2' => 'ns2.example.org.' }, nameservers => ['192.0.2.1'], bind9_hosts => ['192.0.2.2', '192.0.2.3'], mdns_hosts => ['192.0.2.4'], rndc_config_file => '/r.conf', rndc_key_file => '/r.key' }
class { 'designate::mdns': listen => '0.0.0.0:5354', workers => 1 }
class { 'designate::producer': }
class { 'designate::worker': threads => 10 }
