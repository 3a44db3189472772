class { 'manila': default_transport_url => 'rabbit://m', }
class { 'manila::share': }
class { 'manila::backends': enabled_share_backends => ['g1', 'n1'] }
manila::backend::generic { 'g1': driver_handles_share_servers => true }
manila::backend::netapp { 'n1': driver_handles_share_servers => false, netapp_login => 'l', netapp_password => 'p', netapp_server_hostname => 'h', }
manila::service_instance { 'g1': service_instance_user => 'u', service_instance_password => 'p', create_service_image => true, service_image_location => 'http://x/img.qcow2', }
