class { 'octavia': default_transport_url => 'rabbit://o' }
class { 'octavia::controller': amp_flavor_id => '42', amp_boot_network_list => ['a', 'b'], amp_secgroup_list => ['s'], controller_ip_port_list => '192.0.2.1:5555', connection_max_retries => 240, }
class { 'octavia::health_manager': heartbeat_key => 'hk', workers => 2 }
class { 'octavia::certificates': ca_certificate => '/ca', ca_private_key => '/k', server_certs_key_passphrase => 'insecure-key-do-not-use-this-key', ca_private_key_data => 'dead', ca_certificate_data => 'beef', client_cert_data => 'cafe', client_cert => '/cc', file_permission_owner => 'o' }
