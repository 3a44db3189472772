class { 'ironic::inspector::authtoken': password => 'p' }
class { 'ironic::inspector': listen_address => '127.0.0.1', dnsmasq_interface => 'br-ctl', dnsmasq_ip_subnets => [{ 'ip_range' => '192.0.2.100,192.0.2.200', 'gateway' => '192.0.2.254' }, { 'tag' => 's1', 'ip_range' => '192.0.3.100,192.0.3.200', 'netmask' => '255.255.255.0', 'gateway' => '192.0.3.254', 'classless_static_routes' => [{ 'destination' => '1.2.3.0/24', 'nexthop' => '192.0.3.1' }] }], port_physnet_cidr_map => { '192.0.2.0/24' => 'ctl', '2001:db8::/64' => 'p2' }, }
class { 'ironic': default_transport_url => 'rabbit://i', rpc_transport => 'json-rpc' }
class { 'ironic::conductor': enabled_hardware_types => ['ipmi', 'redfish'], cleaning_network => 'cn', automated_clean => true, power_state_change_timeout => 300, http_url => 'http://h', http_root => '/httpboot', force_power_state_during_sync => false, }
class { 'ironic::drivers::pxe': uefi_pxe_bootfile_name => 'x.efi' }
class { 'ironic::pxe': http_port => 3816, tftp_root => '/tftp', pxelinux_path => false, }
class { 'ironic::drivers::ipmi': command_retry_timeout => 50 }
