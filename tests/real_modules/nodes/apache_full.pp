class { 'apache':
  default_vhost       => false,
  default_mods        => ['alias', 'rewrite', 'headers', 'expires', 'mime', 'dir', 'authn_core', 'authz_user', 'auth_basic', 'authn_file', 'env', 'setenvif'],
  mpm_module          => 'prefork',
  server_tokens       => 'Prod',
  server_signature    => 'Off',
  trace_enable        => 'Off',
  keepalive           => 'On',
  max_keepalive_requests => 200,
  keepalive_timeout   => 5,
  timeout             => 60,
  log_level           => 'info',
  log_formats         => { 'vhost_common' => '%v %h %l %u %t "%r" %>s %b', 'json' => '{"a":"%a"}' },
  purge_configs       => false,
  file_e_tag          => 'None',
}
class { 'apache::mod::ssl': ssl_protocol => ['all', '-SSLv3', '-TLSv1'], ssl_cipher => 'HIGH:!aNULL', ssl_honorcipherorder => true, ssl_stapling => true, ssl_options => ['StdEnvVars', 'StrictRequire'] }
class { 'apache::mod::status': requires => { 'enforce' => 'any', 'requires' => ['ip 192.0.2.0/24', 'host example.com'] }, extended_status => 'On' }
class { 'apache::mod::info': allow_from => ['127.0.0.1', '192.0.2.0/24'] }
class { 'apache::mod::expires': expires_active => true, expires_default => 'access plus 1 month', expires_by_type => [{ 'text/css' => 'access plus 1 year' }, { 'image/png' => 'access plus 1 week' }] }
class { 'apache::mod::deflate': types => ['text/html', 'text/css'], notes => { 'Input' => 'instream' } }
class { 'apache::mod::remoteip': header => 'X-Forwarded-For', internal_proxy => ['192.0.2.1'], proxies_header => 'X-Via' }
class { 'apache::mod::proxy': proxy_requests => 'Off', allow_from => 'none', proxy_via => 'Off' }
class { 'apache::mod::security': crs_package => undef, activated_rules => ['base_rules/a.data', 'base_rules/b.conf'], secpcrematchlimit => 3000, audit_log_relevant_status => '^(?:5|4(?!04))' }
class { 'apache::mod::passenger': passenger_high_performance => 'on', passenger_max_pool_size => 12, passenger_root => '/usr/lib/p.ini' }
class { 'apache::mod::php': package_name => 'libapache2-mod-php', php_version => '8.2', path => '/usr/lib/apache2/modules/libphp.so' }
include apache::mod::wsgi, apache::mod::userdir, apache::mod::ldap, apache::mod::authnz_ldap, apache::mod::proxy_http, apache::mod::proxy_wstunnel
include apache::mod::include, apache::mod::vhost_alias, apache::mod::version, apache::mod::fcgid, apache::mod::http2
apache::vhost { 'secure.example.com':
  port => 443, docroot => '/srv/www/secure', docroot_owner => 'www-data', docroot_mode => '0755', ssl => true,
  ssl_cert => '/etc/ssl/c.pem', ssl_key => '/etc/ssl/k.pem', ssl_chain => '/etc/ssl/ch.pem', ssl_verify_client => 'optional', ssl_verify_depth => 3, ssl_options => ['+ExportCertData', '+StdEnvVars'],
  ssl_protocol => 'all -SSLv2', ssl_cipher => 'HIGH', serveraliases => ['s1.example.com', 's2.example.com'], serveradmin => 'root@example.com',
  options => ['Indexes', 'FollowSymLinks'], override => ['AuthConfig', 'Limit'], directoryindex => ['index.php', 'index.html'],
  headers => ['set X-Robots-Tag "noindex"', 'always set Strict-Transport-Security "max-age=1"'], request_headers => ['append A "b"', 'unset Proxy'],
  setenv => ['SPECIAL_PATH /foo/bin', 'ENV prod'], setenvif => ['Host "^([^\.]*)\.website\.com$" CLIENT_NAME=$1'],
  aliases => [{ 'alias' => '/image', 'path' => '/ftp/pub/image' }, { 'aliasmatch' => '^/image/(.*)\.jpg$', 'path' => '/files/jpg.images/$1.jpg' }, { 'scriptalias' => '/nagios/cgi-bin/', 'path' => '/usr/share/nagios/html' }],
  rewrites => [{ 'comment' => 'redirect IE', 'rewrite_cond' => ['%{HTTP_USER_AGENT} ^MSIE', '%{HTTPS} off'], 'rewrite_rule' => ['^index\.html$ welcome.html', '^x$ y [L]'] }, { 'rewrite_base' => '/apps/', 'rewrite_rule' => ['^(.*)$ /$1 [R]'], 'rewrite_map' => ['lc int:tolower'] }],
  proxy_pass => [{ 'path' => '/a', 'url' => 'http://backend-a/' }, { 'path' => '/b', 'url' => 'http://backend-b/', 'reverse_urls' => ['http://x/', 'http://y/'], 'params' => { 'retry' => 0, 'timeout' => 5 }, 'no_proxy_uris' => ['/b/no'], 'setenv' => ['proxy-nokeepalive 1'], 'keywords' => ['noquery'], 'reverse_cookies' => [{ 'path' => '/a', 'url' => 'http://a' }, { 'domain' => 'foo', 'url' => 'http://foo' }] }],
  proxy_pass_match => [{ 'path' => '^/(.*\.gif)$', 'url' => 'http://backend/$1' }], proxy_preserve_host => true, proxy_dest => 'http://fallback/', no_proxy_uris => ['/health'],
  directories => [
    { 'path' => '/srv/www/secure', 'options' => ['Indexes'], 'allow_override' => ['None'], 'require' => 'all granted', 'addhandlers' => [{ 'handler' => 'cgi-script', 'extensions' => ['.cgi', '.pl'] }], 'directoryindex' => 'index.php', 'expires_active' => 'On', 'headers' => 'Set X "y"' },
    { 'path' => '/secret', 'provider' => 'location', 'auth_type' => 'Basic', 'auth_name' => 'Secret', 'auth_user_file' => '/etc/htpasswd', 'auth_require' => 'valid-user', 'ssl_require' => '%{SSL_CIPHER_USEKEYSIZE} >= 128' },
    { 'path' => '\.php$', 'provider' => 'filesmatch', 'sethandler' => 'proxy:unix:/run/php.sock|fcgi://localhost', 'require' => { 'enforce' => 'all', 'requires' => ['ip 192.0.2.1', 'method GET'] } },
    { 'path' => '/cgi', 'provider' => 'directorymatch', 'order' => 'allow,deny', 'allow' => ['from 192.0.2.0/24'], 'deny' => 'from all', 'fcgiwrapper' => { 'command' => '/w', 'suffix' => '.fcgi', 'virtual' => 'virtual' }, 'custom_fragment' => "# custom\n# lines", 'limit' => [{ 'methods' => 'GET HEAD', 'require' => ['valid-user'] }], 'mellon_enable' => 'auth', 'php_value' => { 'a' => 'b' } },
  ],
  error_documents => [{ 'error_code' => '503', 'document' => '/service-unavail' }, { 'error_code' => 404, 'document' => 'https://example.com/missing' }],
  access_logs => [{ 'file' => 'a.log', 'format' => 'combined' }, { 'syslog' => 'syslog', 'env' => '!dontlog' }, { 'pipe' => '|/usr/bin/logger' }], error_log_file => 'e.log', log_level => 'warn',
  redirect_source => ['/old', '/older'], redirect_dest => ['/new', '/newer'], redirect_status => ['permanent', 'temp'], redirectmatch_status => ['404'], redirectmatch_regexp => ['\.git(/.*|$)'], redirectmatch_dest => ['http://x/$1'],
  wsgi_daemon_process => 'app', wsgi_daemon_process_options => { 'processes' => 2, 'threads' => 15, 'display-name' => '%{GROUP}' }, wsgi_process_group => 'app', wsgi_script_aliases => { '/app' => '/srv/app.wsgi' }, wsgi_import_script => '/i.wsgi', wsgi_import_script_options => { 'process-group' => 'app', 'application-group' => '%{GLOBAL}' }, wsgi_application_group => '%{GLOBAL}', wsgi_pass_authorization => 'On', wsgi_chunked_request => 'On',
  php_admin_flags => { 'engine' => 'on', 'x' => 1 }, php_flags => { 'display_errors' => false }, php_values => { 'memory_limit' => '128M' }, php_admin_values => ['a b', 'c d'],
  fallbackresource => '/index.php', additional_includes => ['/etc/a', '/etc/b'], custom_fragment => "  # custom\n  LogLevel debug", action => 'php-fastcgi', block => ['scm'], http_protocol_options => 'Strict LenientMethods', allow_encoded_slashes => 'nodecode', use_canonical_name => 'Off', ip => ['192.0.2.9', '192.0.2.10'], protocols => ['h2', 'http/1.1'], protocols_honor_order => true,
  modsec_disable_vhost => true, modsec_disable_ids => ['90015', '90016'], modsec_disable_ips => ['192.0.2.7'], passenger_app_root => '/srv/rails', passenger_ruby => '/usr/bin/ruby', passenger_min_instances => 2, jk_mounts => [{ 'mount' => '/*', 'worker' => 'tcnode1' }, { 'unmount' => '/*.jpg', 'worker' => 'tcnode1' }], cas_login_url => undef, auth_kerb => false, itk => undef,
}
apache::vhost { 'macro':
  port => '8080', docroot => false, ensure => present, virtual_docroot => '/srv/v/%-2+', servername => 'default', add_default_charset => 'utf-8', suphp_engine => 'off', scriptaliases => [{ 'alias' => '/cgi-bin/', 'path' => '/srv/cgi' }], headers => 'Set A b', default_vhost => true, priority => '05', vhost_name => '192.0.2.3', shib_compat_valid_user => 'On', options => ['-MultiViews'], filters => ['FilterDeclare COMPRESS'], request_headers => ['set X y'], keepalive => 'on', 
}
apache::balancer { 'puppet00': proxy_set => { 'stickysession' => 'JSESSIONID', 'lbmethod' => 'bytraffic' }, collect_exported => false }
apache::balancermember { "${facts['networking']['fqdn']}-puppet00": balancer_cluster => 'puppet00', url => "ajp://${facts['networking']['fqdn']}:8009", options => ['ping=5', 'disablereuse=on'] }
apache::custom_config { 'tuning': content => "ServerLimit 10\n", priority => '90', verify_config => false }
apache::listen { '192.0.2.4:8443': }
apache::namevirtualhost { '*:8443': }
apache::mod { 'mime_magic': package => 'x', loadfile_name => 'z.load', id => 'q_module', path => '/usr/lib/q.so' }
apache::fastcgi::server { 'php': host => '127.0.0.1:9000', timeout => 15, flush => false, faux_path => '/var/www/php.fcgi', fcgi_alias => '/php.fcgi', file_type => 'application/x-httpd-php' }
