class { 'mysql::server':
  root_password => 'r00t', remove_default_accounts => true, restart => true, create_root_my_cnf => true, manage_config_file => true, service_enabled => true, purge_conf_dir => false, includedir => '/etc/mysql/conf.d', package_ensure => 'present', create_root_login_file => false,
  override_options => { 'mysqld' => { 'max_connections' => '1024', 'bind-address' => '0.0.0.0', 'skip-name-resolve' => true, 'replicate-do-db' => ['a', 'b'], 'ssl' => false, 'innodb_buffer_pool_size' => '4G', 'tmpdir' => undef }, 'client' => { 'socket' => '/run/m.sock' }, 'isamchk' => { 'key_buffer_size' => '16M' } },
  users => { 'someuser@localhost' => { 'ensure' => 'present', 'max_connections_per_hour' => '0', 'password_hash' => '*F3A2A51A9B0F2BE2468926B4132313728C250DBF', 'tls_options' => ['NONE'] } },
  grants => { 'someuser@localhost/somedb.*' => { 'ensure' => 'present', 'options' => ['GRANT'], 'privileges' => ['SELECT', 'INSERT', 'UPDATE'], 'table' => 'somedb.*', 'user' => 'someuser@localhost' } },
  databases => { 'somedb' => { 'ensure' => 'present', 'charset' => 'utf8' } },
}
mysql::db { ['one', 'two']: user => 'u', password => 'p', host => '%', grant => ['SELECT', 'UPDATE'], charset => 'utf8mb4', collate => 'utf8mb4_general_ci', sql => ['/tmp/a.sql', '/tmp/b.sql'], enforce_sql => true, import_timeout => 900, import_cat_cmd => 'zcat' }
class { 'mysql::server::backup': backupuser => 'b', backuppassword => 'pw', backupdir => '/srv/backup', backupdirmode => '0700', backupcompress => true, backuprotate => 15, delete_before_dump => true, file_per_database => true, include_routines => true, include_triggers => true, ignore_events => false, postscript => ['rsync -a /a b', 'echo done'], prescript => 'true', time => ['22', '5'], optional_args => ['--opt'], maxallowedpacket => '16M', execpath => '/usr/bin:/bin', backupdatabases => ['one', 'two'] }
class { 'mysql::bindings': python_enable => true, perl_enable => true, php_enable => true, ruby_enable => true, java_enable => true, daemon_dev => true, client_dev => true }
class { 'mysql::server::monitor': mysql_monitor_username => 'mon', mysql_monitor_password => 'pw', mysql_monitor_hostname => 'mon.example.com' }
class { 'mysql::client': package_ensure => 'latest', bindings_enable => false }
class { 'mysql::server::mysqltuner': version => 'v1.9.9' }
mysql_plugin { 'auth_socket': ensure => present, soname => 'auth_socket.so' }
mysql_datadir { '/srv/mysql': ensure => present, basedir => '/usr', user => 'mysql', insecure => false }
mysql_grant { 'x@%/*.*': ensure => present, options => ['GRANT'], privileges => ['ALL'], table => '*.*', user => 'x@%' }
mysql_user { 'bob@192.0.2.%': ensure => present, password_hash => mysql::password('secret'), plugin => 'mysql_native_password', max_user_connections => 10, tls_options => ['SUBJECT \'/CN=x\'', 'ISSUER \'/CN=y\''] }
