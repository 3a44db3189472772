class { 'haproxy':
  merge_options => true, global_options => { 'log' => ["${facts['networking']['ip']} local0", '/dev/log local1'], 'chroot' => '/var/lib/haproxy', 'maxconn' => '4000', 'stats' => ['socket /run/h.sock mode 600', 'timeout 30s'], 'ssl-default-bind-options' => ['no-sslv3', 'no-tls-tickets'] },
  defaults_options => { 'log' => 'global', 'option' => ['redispatch', 'httplog'], 'retries' => '3', 'timeout' => ['http-request 10s', 'queue 1m', 'client 1m'], 'maxconn' => 8000 }, custom_fragment => "# hello\n", restart_command => 'systemctl reload haproxy',
}
haproxy::listen { 'stats': bind => { '0.0.0.0:9090' => ['ssl', 'crt', '/etc/ssl/x.pem'], '192.0.2.1:80' => [], ':::80' => ['v6only'] }, mode => 'http', options => { 'stats' => ['enable', 'uri /'], 'option' => 'httpchk' }, collect_exported => false }
haproxy::listen { 'legacy': ipaddress => ['192.0.2.5', '*', 'lb.example.com'], ports => '18140,18141', bind_options => ['ssl', 'crt x'], options => [{ 'option' => ['tcplog'] }, { 'balance' => 'roundrobin' }], collect_exported => false }
haproxy::frontend { 'web': bind => { '*:443' => ['ssl', 'crt', '/c.pem', 'alpn', 'h2'] }, mode => 'http', options => [{ 'acl' => ['a path_beg /a', 'b hdr(host) -i b'] }, { 'use_backend' => 'be if a' }, { 'default_backend' => 'be2' }] }
haproxy::frontend { 'unsorted': ipaddress => $facts['networking']['ip'], ports => ['80', '8080'], sort_options_alphabetic => false, options => { 'timeout client' => '30s', 'default_backend' => 'be', 'option' => ['tcplog', 'accept-invalid-http-request'] } }
haproxy::backend { 'be': mode => 'tcp', collect_exported => false, options => { 'option' => ['tcplog', 'ssl-hello-chk'], 'balance' => 'source', 'cookie' => 'C00 insert' } }
haproxy::backend { 'be2': collect_exported => false, sort_options_alphabetic => false, options => [{ 'server-template' => 'srv 3 x:80' }, { 'http-request' => ['set-header A b', 'deny if c'] }] }
haproxy::balancermember { 'm1': listening_service => 'be', server_names => ['s1', 's2'], ipaddresses => ['192.0.2.21', '192.0.2.22'], ports => ['8140', '8141'], options => ['check', 'inter 2s'], define_cookies => true, weight => '10' }
haproxy::balancermember { 'm2': listening_service => 'legacy', options => 'check', ports => '1', verifyhost => true }
haproxy::balancermember { 'tmpl': listening_service => 'be2', options => 'check resolvers dns' }
haproxy::peers { 'cluster': collect_exported => false }
haproxy::peer { 'p1': peers_name => 'cluster', server_names => 'lb1', ipaddresses => '192.0.2.31', port => 1024 }
haproxy::userlist { 'admins': users => ['scott insecure-password tiger', 'k password $6$x'], groups => ['g users scott'] }
haproxy::mapfile { 'hosts': ensure => 'present', mappings => [{ 'a.example.com' => 'be' }, 'b.example.com be2', { 'c' => 'd', 'e' => 'f' }], instances => ['haproxy'] }
haproxy::resolver { 'dns': nameservers => { 'n1' => '192.0.2.53:53', 'n2' => '192.0.2.54:53' }, hold => { 'valid' => '10s', 'nx' => '30s' }, resolve_retries => 3, timeout => { 'retry' => '1s' }, collect_exported => false }
haproxy::mailer { 'mail01': mailers_name => 'm', server_names => 'mx', ipaddresses => '192.0.2.25', port => 25 }
haproxy::mailers { 'm': collect_exported => false }
haproxy::defaults { 'alt': options => { 'mode' => 'http', 'timeout' => ['connect 5s'] }, sort_options_alphabetic => false }
