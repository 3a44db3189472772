//! Small functions of much used modules. They are seen where the module is installed.

pub(crate) mod apache_authz_core_config;
pub(crate) mod apache_bool2httpd;
pub(crate) mod apache_pw_hash;
pub(crate) mod archive_assemble_nexus_url;
pub(crate) mod archive_parse_artifactory_url;
pub(crate) mod collectd_convert_processes;
pub(crate) mod datacat_template_body;
pub(crate) mod dns_get_in_addr_arpa;
pub(crate) mod extlib_cidr_to_netmask;
pub(crate) mod extlib_cidr_to_network;
pub(crate) mod extlib_compare_ip;
pub(crate) mod extlib_default_content;
pub(crate) mod extlib_echo;
pub(crate) mod extlib_get_ip_in_cidr;
pub(crate) mod extlib_has_module;
pub(crate) mod extlib_ip_to_cron;
pub(crate) mod extlib_ip_to_reverse;
pub(crate) mod extlib_is_in_cidr;
pub(crate) mod extlib_last_in_cidr;
pub(crate) mod extlib_netmask_to_cidr;
pub(crate) mod extlib_random_password;
pub(crate) mod extlib_resources_deep_merge;
pub(crate) mod extlib_sort_by_version;
pub(crate) mod extlib_sort_hash_deep;
pub(crate) mod extlib_to_ini;
pub(crate) mod inifile_create_ini_settings;
pub(crate) mod ipcalc;
pub(crate) mod ironic_ipv6_normalize_dnsmasq_ip_subnets;
pub(crate) mod mcollective_mco_array_to_string;
pub(crate) mod memcached_max_memory;
pub(crate) mod mongodb_password;
pub(crate) mod murano_get_ext_net_name;
pub(crate) mod mysql_innobackupex_args;
pub(crate) mod mysql_normalise_and_deepmerge;
pub(crate) mod mysql_password;
pub(crate) mod mysql_strip_hash;
pub(crate) mod neutron_convert_cert_to_string;
pub(crate) mod neutron_convert_to_json_string;
pub(crate) mod neutron_validate;
pub(crate) mod nova_to_array_of_json_strings;
pub(crate) mod openssl_certificate;
pub(crate) mod openstack_extras_validate_yum_hash;
pub(crate) mod openstacklib_inet6_prefix;
pub(crate) mod openstacklib_is_service_default;
pub(crate) mod openstacklib_normalize_ip_for_uri;
pub(crate) mod openstacklib_os_database_connection;
pub(crate) mod openstacklib_os_transport_url;
pub(crate) mod postgresql_escape;
pub(crate) mod postgresql_password;
pub(crate) mod postgresql_prepend_sql_password;
pub(crate) mod redis_getvar_emptystring;
pub(crate) mod ssh_ipaddresses;
pub(crate) mod staging_parse;
pub(crate) mod staging_scope_defaults;
pub(crate) mod systemd_escape;
pub(crate) mod translate;
pub(crate) mod vswitch_range_to_mask;

use bunraku_compiler::function::Function;

/// All functions on this shelf, by the names of their files.
pub const ALL: &[Function] = &[
    apache_authz_core_config::FUNCTION,
    apache_bool2httpd::FUNCTION,
    apache_bool2httpd::FLAT,
    apache_pw_hash::FUNCTION,
    apache_pw_hash::LONG,
    apache_pw_hash::FLAT,
    archive_assemble_nexus_url::FUNCTION,
    archive_parse_artifactory_url::FUNCTION,
    collectd_convert_processes::FUNCTION,
    datacat_template_body::FUNCTION,
    dns_get_in_addr_arpa::FUNCTION,
    extlib_cidr_to_netmask::FUNCTION,
    extlib_cidr_to_network::FUNCTION,
    extlib_compare_ip::FUNCTION,
    extlib_default_content::FUNCTION,
    extlib_echo::FUNCTION,
    extlib_get_ip_in_cidr::FUNCTION,
    extlib_has_module::FUNCTION,
    extlib_ip_to_cron::FUNCTION,
    extlib_ip_to_reverse::FUNCTION,
    extlib_is_in_cidr::FUNCTION,
    extlib_last_in_cidr::FUNCTION,
    extlib_netmask_to_cidr::FUNCTION,
    extlib_random_password::FUNCTION,
    extlib_resources_deep_merge::FUNCTION,
    extlib_sort_by_version::FUNCTION,
    extlib_sort_hash_deep::FUNCTION,
    extlib_to_ini::FUNCTION,
    inifile_create_ini_settings::FUNCTION,
    inifile_create_ini_settings::FLAT,
    ipcalc::ADDRESS,
    ipcalc::BROADCAST,
    ipcalc::INCREMENT,
    ipcalc::NETMASK,
    ipcalc::NETWORK,
    ipcalc::NETWORK_SIZE,
    ipcalc::OFFSET,
    ipcalc::PREFIXLENGTH,
    ipcalc::SPLIT,
    ipcalc::SUBNET,
    ipcalc::SUPERNET,
    ironic_ipv6_normalize_dnsmasq_ip_subnets::FUNCTION,
    mcollective_mco_array_to_string::FUNCTION,
    memcached_max_memory::FUNCTION,
    mongodb_password::FUNCTION,
    murano_get_ext_net_name::FUNCTION,
    mysql_innobackupex_args::FUNCTION,
    mysql_normalise_and_deepmerge::FUNCTION,
    mysql_password::FUNCTION,
    mysql_password::FLAT,
    mysql_strip_hash::FUNCTION,
    neutron_convert_cert_to_string::FUNCTION,
    neutron_convert_to_json_string::FUNCTION,
    neutron_validate::NETWORK_VLAN_RANGES,
    neutron_validate::TUNNEL_ID_RANGES,
    neutron_validate::VNI_RANGES,
    neutron_validate::VXLAN_UDP_PORT,
    nova_to_array_of_json_strings::FUNCTION,
    openssl_certificate::CERT_AIA_CAISSUERS,
    openssl_certificate::CERT_DATE_VALID,
    openssl_certificate::FLAT_CERT_DATE_VALID,
    openstack_extras_validate_yum_hash::FUNCTION,
    openstacklib_inet6_prefix::FUNCTION,
    openstacklib_is_service_default::FUNCTION,
    openstacklib_normalize_ip_for_uri::FUNCTION,
    openstacklib_os_database_connection::FUNCTION,
    openstacklib_os_transport_url::FUNCTION,
    postgresql_escape::FUNCTION,
    postgresql_escape::FLAT,
    postgresql_password::FUNCTION,
    postgresql_password::FLAT,
    postgresql_prepend_sql_password::FUNCTION,
    redis_getvar_emptystring::FUNCTION,
    ssh_ipaddresses::FUNCTION,
    staging_parse::FUNCTION,
    staging_scope_defaults::FUNCTION,
    systemd_escape::FUNCTION,
    translate::FUNCTION,
    vswitch_range_to_mask::FUNCTION,
];
