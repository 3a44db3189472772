class { 'collectd': purge => true, recurse => true, purge_config => true, minimum_version => '5.8', interval => 5, fqdnlookup => false, collectd_hostname => 'h', read_threads => undef, write_queue_limit_low => 100, write_queue_limit_high => 1000, typesdb => ['/usr/share/collectd/types.db', '/etc/x.db'], internal_stats => true, manage_repo => false, autoloadplugin => true }
include collectd::plugin::cpu, collectd::plugin::memory, collectd::plugin::swap, collectd::plugin::uptime, collectd::plugin::users, collectd::plugin::load, collectd::plugin::contextswitch, collectd::plugin::entropy, collectd::plugin::processes, collectd::plugin::unixsock
class { 'collectd::plugin::df': mountpoints => ['/'], fstypes => ['nfs', 'tmpfs'], ignoreselected => true, reportbydevice => true, valuespercentage => true }
class { 'collectd::plugin::disk': disks => ['/^dm/'], ignoreselected => true, udevnameattr => 'DM_NAME' }
class { 'collectd::plugin::interface': interfaces => ['lo'], ignoreselected => true }
class { 'collectd::plugin::network': timetolive => '70', maxpacketsize => '42', forward => false, reportstats => true, servers => { 'a.example.com' => { 'port' => 25826, 'interface' => 'ens3', 'securitylevel' => 'Sign', 'username' => 'u', 'password' => 'p' } }, listeners => { '0.0.0.0' => { 'port' => 25826, 'securitylevel' => 'None', 'authfile' => '/a' } } }
class { 'collectd::plugin::write_graphite': carbons => { 'c1' => { 'graphitehost' => 'g.example.com', 'graphiteport' => 2003, 'graphiteprefix' => 'p.', 'storerates' => false, 'protocol' => 'udp' } } }
class { 'collectd::plugin::write_http': nodes => { 'n' => { 'url' => 'http://x/', 'format' => 'JSON', 'storerates' => true, 'verify_peer' => false } } }
class { 'collectd::plugin::exec': commands => { 'c' => { 'user' => 'nobody', 'group' => 'users', 'exec' => ['/bin/echo', 'a b'], 'notification_exec' => ['/n', 'x'] } }, globals => true }
class { 'collectd::plugin::python': modulepaths => ['/usr/share/p'], logtraces => true, interactive => false, modules => { 'elastic' => { 'script_source' => 'puppet:///modules/x/e.py', 'config' => [{ 'Cluster' => 'c', 'Verbose' => false, 'Keys' => ['a', 'b'] }] } } }
class { 'collectd::plugin::snmp': data => { 'amavis' => { 'type' => 'counter', 'table' => false, 'instance' => 'a', 'values' => ['A-MIB::x'] } }, hosts => { 'h' => { 'address' => '1.2.3.4', 'version' => 2, 'community' => 'c', 'collect' => ['amavis'], 'interval' => 10 } } }
class { 'collectd::plugin::mysql': }
collectd::plugin::mysql::database { 'd': host => 'h', username => 'u', password => 'p', port => '3306', masterstats => true, wsrepstats => true }
class { 'collectd::plugin::postgresql': databases => { 'd' => { 'host' => 'x', 'user' => 'u', 'password' => 'p', 'query' => ['disk_io', 'mine'], 'interval' => 60 } }, queries => { 'mine' => { 'statement' => 'SELECT 1', 'results' => [{ 'type' => 'counter', 'instanceprefix' => 'i', 'valuesfrom' => 'v' }], 'params' => ['hostname'], 'minversion' => 90000 } }, writers => { 'w' => { 'statement' => 'SELECT f($1)', 'storerates' => true } } }
class { 'collectd::plugin::tail': files => { 'auth' => { 'filename' => '/var/log/auth.log', 'instance' => 'auth', 'matches' => [{ 'regex' => 'fail', 'dstype' => 'CounterInc', 'type' => 'counter', 'instance' => 'f', 'excluderegex' => 'x' }] } } }
collectd::plugin::curl_json { 'rabbit': url => 'http://localhost:55672/api', instance => 'r', interval => 5, user => 'u', password => 'p', digest => 'true', keys => { 'message_stats/publish' => { 'type' => 'gauge', 'instance' => 'o' }, 'b' => { 'type' => 'counter' } }, header => 'Accept: x', post => '{"a": "b\"c"}', timeout => 5 }
class { 'collectd::plugin::curl': pages => { 'stocks' => { 'url' => 'http://f?s=AMD', 'user' => 'foo', 'password' => 'bar', 'matches' => [{ 'dstype' => 'GaugeAverage', 'instance' => 'AMD', 'regex' => ']*> *([0-9]*\.[0-9]+) *', 'type' => 'stock_value' }] } } }
class { 'collectd::plugin::filecount': directories => { 'mq' => { 'path' => '/var/q', 'pattern' => '*.conf', 'mtime' => '-5m', 'recursive' => true, 'includehidden' => false, 'size' => '10k', 'instance' => 'i' } } }
class { 'collectd::plugin::logfile': log_level => 'warning', log_file => '/var/log/c.log', print_severity => true, log_timestamp => false }
class { 'collectd::plugin::syslog': log_level => 'warning', notify_level => 'OKAY' }
class { 'collectd::plugin::statsd': host => '0.0.0.0', port => 8125, deletecounters => true, timerpercentile => ['50', '90'], timerlower => true }
class { 'collectd::plugin::rrdtool': datadir => '/d', createfilesasync => false, rrarows => 1200, rratimespan => [3600, 86400], xff => 0.1, cacheflush => 900 }
class { 'collectd::plugin::aggregation': aggregators => { 'cpu' => { 'plugin' => 'cpu', 'agg_type' => 'cpu', 'groupby' => ['Host', 'TypeInstance'], 'calculateaverage' => true, 'host' => '/x/', 'setplugin' => 'p' } } }
class { 'collectd::plugin::chain': chainname => 'PostCache', defaulttarget => 'write', rules => [{ 'match' => { 'type' => 'regex', 'matches' => { 'Plugin' => '^cpu$', 'PluginInstance' => '^[0-9]+$' } }, 'targets' => [{ 'type' => 'write', 'attributes' => { 'Plugin' => 'aggregation' } }, { 'type' => 'stop' }] }] }
class { 'collectd::plugin::genericjmx': jvmarg => ['a', 'b'], }
collectd::plugin::genericjmx::mbean { 'gc': object_name => 'java.lang:type=GC,name=*', instance_prefix => 'gc-', instance_from => ['name'], values => [{ 'type' => 'x', 'table' => true, 'attribute' => 'CollectionTime', 'instance_prefix' => 'p', 'instance_from' => ['y'] }] }
collectd::plugin::genericjmx::connection { 'app': host => 'h', service_url => 's', user => 'u', password => 'p', collect => ['gc', 'mem'], instance_prefix => 'i-' }

collectd::plugin::filter::chain { 'MyChain': ensure => present, target => 'set', target_options => { 'PluginInstance' => 'coretemp', 'TypeInstance' => 'core3' } }
collectd::plugin::filter::rule { 'r': chain => 'MyChain' }
collectd::plugin::filter::match { 'm': chain => 'MyChain', rule => 'r', plugin => 'regex', options => { 'Type' => '^t$', 'Satisfy' => ['a', 'b'] } }
collectd::plugin::filter::target { 't': chain => 'MyChain', rule => 'r', plugin => 'set', options => { 'X' => 1 } }
collectd::type { 'custom': target => '/etc/x.db' }
collectd::typesdb { '/etc/y.db': mode => '0644' }
