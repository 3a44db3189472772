class { 'chrony': servers => ['0.pool', '1.pool iburst'], queryhosts => ['192.0.2.0/24'], keys => ['1 SHA1 HEX:00'], local_stratum => false, log_options => 'tracking', mailonchange => ['root@x', '0.5'] }
class { 'dns': forwarders => ['192.0.2.53'], recursion => 'no', allow_query => ['any'], additional_options => { 'max-cache-ttl' => 3600 }, acls => { 'trusted' => ['localhost', '192.0.2.0/24'] }, zones => { 'example.com' => { 'soa' => 'ns1.example.com', 'soaip' => '192.0.2.1' } }, keys => {}, }
dns::zone { '2.0.192.in-addr.arpa': reverse => true, zonetype => 'slave', masters => ['192.0.2.9'] }
dns::key { 'k': secret => 'c2VjcmV0', algorithm => 'hmac-sha256' }
class { 'zookeeper': id => '2', observers => ['z3'], client_ip => '192.0.2.1', tick_time => 3000, purge_interval => 6, rollingfile_threshold => 'DEBUG', install_java => false, cfg_dir => '/etc/zk', java_opts => '-Xmx1G', log4j_prop => 'INFO,X', leader => false }
class { 'etcd': listen_client_urls => 'http://0.0.0.0:2379', initial_cluster => ['a=http://a:2380', 'b=http://b:2380'], proxy => 'off', debug => true, cert_file => '/c', auto_compaction_retention => 1 }
class { 'sssd': }
class { 'tftp': address => '192.0.2.1', options => '--secure', directory => '/srv/tftp', inetd => false }
tftp::file { 'pxelinux.0': content => 'x' } tftp::file { 'd': ensure => directory }
class { 'rsync::server': use_xinetd => false, address => '192.0.2.1', motd_file => '/m', use_chroot => 'yes' }
rsync::server::module { 'repo': path => '/srv/repo', read_only => 'yes', list => 'yes', comment => 'c', hosts_allow => ['192.0.2.1', '192.0.2.2'], auth_users => ['a', 'b'], secrets_file => '/s', max_connections => 10, exclude => ['/x'], uid => 'nobody', incoming_chmod => '0644', transfer_logging => 'true', log_format => '%t', refuse_options => ['c', 'd'] }
rsync::get { '/foo': source => 'rsync://h/r', exclude => ['*.tmp'], recursive => true, purge => true, timeout => '900', options => '-a', links => true, keyfile => '/k', user => 'u' }
rsync::put { 'h:/x': user => 'u', source => '/y', include => ['a'], path => '/z' }
class { 'corosync': authkey => '/k', bind_address => ['192.0.2.1'], multicast_address => '239.1.1.2', cluster_name => 'c', enable_secauth => true, check_standby => true, quorum_members => ['192.0.2.1', '192.0.2.2'], quorum_members_names => ['a', 'b'], set_votequorum => true, log_stderr => false, rrp_mode => 'none', token => 10000, unicast_addresses => ['192.0.2.1', '192.0.2.2'] }
corosync::service { 'pacemaker': version => '0' }
cs_property { 'stonith-enabled': value => 'false' }
cs_primitive { 'vip': primitive_class => 'ocf', primitive_type => 'IPaddr2', provided_by => 'heartbeat', parameters => { 'ip' => '192.0.2.99', 'cidr_netmask' => '24' }, operations => [{ 'monitor' => { 'interval' => '10s' } }, { 'start' => { 'timeout' => '20' } }], metadata => { 'a' => 'b' } }
cs_colocation { 'c': primitives => ['vip', 'web'], score => 'INFINITY' } cs_order { 'o': first => 'vip', second => 'web', kind => 'Mandatory' } cs_primitive { 'web': primitive_class => 'systemd', primitive_type => 'apache2' }
cs_location { 'l': primitive => 'vip', node_name => 'n', score => '100' } cs_group { 'g': primitives => ['vip', 'web'] } cs_clone { 'cl': ensure => present, primitive => 'web', clone_max => 3 }
class { 'mongodb::globals': manage_package_repo => false, version => '3.6', bind_ip => ['127.0.0.1'] } -> class { 'mongodb::server': port => 27018, auth => true, replset => 'rs0', verbose => true, smallfiles => true, oplog_size => 100, keyfile => '/k', journal => true, }
mongodb::db { 'app': user => 'u', password => 'p', roles => ['readWrite', 'dbAdmin'] } mongodb_user { 'x': ensure => present, password_hash => 'h', database => 'app', roles => ['read'], tries => 5 }
class { 'gitolite': userhome => '/var/lib/git', user => 'git', admin_key_source => 'puppet:///x', umask => '0027', git_config_keys => '.*', roles => ['READERS'], commands => ['help', 'desc'], }
