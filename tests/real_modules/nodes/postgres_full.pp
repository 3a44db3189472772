class { 'postgresql::globals': manage_package_repo => false, encoding => 'UTF-8', locale => 'C.UTF-8', version => '13', manage_pg_ident_conf => true, manage_recovery_conf => true }
class { 'postgresql::server':
  ip_mask_deny_postgres_user => '0.0.0.0/32', ip_mask_allow_all_users => '192.0.2.0/24', listen_addresses => '*', postgres_password => 'TPSrep0rt!', ipv4acls => ['hostssl all johndoe 192.0.2.0/24 cert'], ipv6acls => ['host all all ::1/128 md5'], port => 5433,
}
include postgresql::client, postgresql::server::contrib, postgresql::lib::python, postgresql::lib::devel, postgresql::lib::java, postgresql::lib::perl
postgresql::server::db { 'appdb': user => 'app', password => postgresql::postgresql_password('app', 'secret'), owner => 'app', grant => 'ALL', comment => 'application', encoding => 'UTF8', template => 'template0' }
postgresql::server::role { 'reader': password_hash => postgresql_password('reader', 'pw'), login => true, connection_limit => 5, replication => true, inherit => false }
postgresql::server::database { 'plain': owner => 'reader', tablespace => 'space', istemplate => true, locale => 'C' }
postgresql::server::database_grant { 'g1': privilege => 'ALL', db => 'plain', role => 'reader' }
postgresql::server::table_grant { 't1': privilege => 'SELECT', table => 'my_table', db => 'plain', role => 'reader' }
postgresql::server::grant { 'schema': privilege => 'USAGE', db => 'plain', role => 'reader', object_type => 'SCHEMA', object_name => 'public' }
postgresql::server::grant { 'seqs': privilege => 'SELECT', db => 'plain', role => 'reader', object_type => 'ALL SEQUENCES IN SCHEMA', object_name => 'public', onlyif_exists => true }
postgresql::server::grant_role { 'gr': role => 'reader', group => 'app', ensure => present }
postgresql::server::schema { 'private': db => 'plain', owner => 'reader' }
postgresql::server::tablespace { 'space': location => '/srv/space', owner => 'reader' }
postgresql::server::extension { 'pgcrypto': database => 'plain', version => 'latest', schema => 'public' }
postgresql::server::pg_hba_rule { 'allow app': description => 'app', type => 'hostssl', database => 'appdb', user => 'app', address => '192.0.2.0/24', auth_method => 'md5', auth_option => 'clientcert=1', order => '050' }
postgresql::server::pg_ident_rule { 'map': description => 'd', map_name => 'm', system_username => 'a', database_username => 'b' }
postgresql::server::config_entry { 'max_connections': value => 300 }
postgresql::server::config_entry { 'check_function_bodies': value => 'off' }
postgresql::server::config_entry { 'shared_preload_libraries': ensure => absent }
postgresql::server::recovery { 'rec': restore_command => 'cp /x %p', archive_cleanup_command => undef, recovery_target_time => '2020-01-01', standby_mode => 'on', primary_conninfo => 'host=p port=5432' }
postgresql::server::reassign_owned_by { 'ro': old_role => 'reader', new_role => 'app', db => 'plain' }
postgresql_psql { 'vacuum': command => 'VACUUM', db => 'plain', unless => 'SELECT 1', port => 5433, environment => ['A=b'], search_path => ['x', 'y'] }
postgresql_conn_validator { 'v': host => 'h', db_username => 'u', db_password => 'p', db_name => 'd', sleep => 2, tries => 3 }
postgresql::validate_db_connection { 'remote': database_host => 'pg.example.com', database_name => 'app', database_username => 'u', database_password => 'p', create_db_first => false }
