//! The functions of the module stdlib, of its versions 8 and 9. They are seen where the module is installed.

pub(crate) mod any2array;
pub(crate) mod any2bool;
pub(crate) mod assert_private;
pub(crate) mod base64;
pub(crate) mod basename;
pub(crate) mod batch_escape;
pub(crate) mod bool2num;
pub(crate) mod bool2str;
pub(crate) mod clamp;
pub(crate) mod concat;
pub(crate) mod convert_base;
pub(crate) mod count;
pub(crate) mod crc32;
pub(crate) mod deep_merge;
pub(crate) mod defined_with_params;
pub(crate) mod delete;
pub(crate) mod delete_at;
pub(crate) mod delete_regex;
pub(crate) mod delete_undef_values;
pub(crate) mod delete_values;
pub(crate) mod deprecation;
pub(crate) mod difference;
pub(crate) mod dig44;
pub(crate) mod dirname;
pub(crate) mod dos2unix;
pub(crate) mod enclose_ipv6;
pub(crate) mod ensure;
pub(crate) mod ensure_packages;
pub(crate) mod ensure_resource;
pub(crate) mod ensure_resources;
pub(crate) mod extname;
pub(crate) mod fact;
pub(crate) mod fqdn_rand_string;
pub(crate) mod fqdn_rotate;
pub(crate) mod fqdn_uuid;
pub(crate) mod get_module_path;
pub(crate) mod getparam;
pub(crate) mod glob;
pub(crate) mod grep;
pub(crate) mod has_function;
pub(crate) mod has_interface_with;
pub(crate) mod has_ip_address;
pub(crate) mod has_ip_network;
pub(crate) mod has_key;
pub(crate) mod hash;
pub(crate) mod intersection;
pub(crate) mod ip_in_range;
pub(crate) mod is;
pub(crate) mod is_a;
pub(crate) mod join_keys_to_values;
pub(crate) mod load_module_metadata;
pub(crate) mod loadjson;
pub(crate) mod loadyaml;
pub(crate) mod member;
pub(crate) mod merge;
pub(crate) mod nested_values;
pub(crate) mod num2bool;
pub(crate) mod os_version_gte;
pub(crate) mod parsehocon;
pub(crate) mod parsejson;
pub(crate) mod parsepson;
pub(crate) mod parseyaml;
pub(crate) mod pick;
pub(crate) mod pick_default;
pub(crate) mod powershell_escape;
pub(crate) mod prefix;
pub(crate) mod pry;
pub(crate) mod pw_hash;
pub(crate) mod range;
pub(crate) mod regexpescape;
pub(crate) mod reject;
pub(crate) mod reverse;
pub(crate) mod rewrap_sensitive_data;
pub(crate) mod seeded_rand;
pub(crate) mod seeded_rand_string;
pub(crate) mod sha256;
pub(crate) mod shell_escape;
pub(crate) mod shell_join;
pub(crate) mod shell_split;
pub(crate) mod shuffle;
pub(crate) mod sort_by;
pub(crate) mod sprintf_hash;
pub(crate) mod squeeze;
pub(crate) mod str2bool;
pub(crate) mod str2resource;
pub(crate) mod str2saltedpbkdf2;
pub(crate) mod str2saltedsha512;
pub(crate) mod suffix;
pub(crate) mod swapcase;
pub(crate) mod time;
pub(crate) mod to_bytes;
pub(crate) mod to_json;
pub(crate) mod to_json_pretty;
pub(crate) mod to_python;
pub(crate) mod to_ruby;
pub(crate) mod to_toml;
pub(crate) mod to_yaml;
pub(crate) mod try_get_value;
pub(crate) mod type3x;
pub(crate) mod type_of;
pub(crate) mod union;
pub(crate) mod unix2dos;
pub(crate) mod uriescape;
pub(crate) mod validate;
pub(crate) mod validate_augeas;
pub(crate) mod validate_cmd;
pub(crate) mod validate_domain_name;
pub(crate) mod validate_email_address;
pub(crate) mod validate_legacy;
pub(crate) mod validate_x509_rsa_key_pair;
pub(crate) mod values_at;
pub(crate) mod xml_encode;
pub(crate) mod zip;

use bunraku_compiler::function::Function;

/// All functions on this shelf, by the names of their files.
pub const ALL: &[Function] = &[
    any2array::FUNCTION,
    any2bool::FUNCTION,
    assert_private::FUNCTION,
    base64::FUNCTION,
    basename::FUNCTION,
    batch_escape::FUNCTION,
    batch_escape::NAMESPACED,
    bool2num::FUNCTION,
    bool2str::FUNCTION,
    clamp::FUNCTION,
    concat::FUNCTION,
    convert_base::FUNCTION,
    count::FUNCTION,
    crc32::FUNCTION,
    deep_merge::FUNCTION,
    defined_with_params::FUNCTION,
    delete::FUNCTION,
    delete_at::FUNCTION,
    delete_regex::FUNCTION,
    delete_undef_values::FUNCTION,
    delete_values::FUNCTION,
    deprecation::FUNCTION,
    difference::FUNCTION,
    dig44::FUNCTION,
    dirname::FUNCTION,
    dos2unix::FUNCTION,
    enclose_ipv6::FUNCTION,
    ensure::FUNCTION,
    ensure_packages::FUNCTION,
    ensure_packages::NAMESPACED,
    ensure_resource::FUNCTION,
    ensure_resources::FUNCTION,
    extname::FUNCTION,
    fact::FUNCTION,
    fqdn_rand_string::FUNCTION,
    fqdn_rand_string::NAMESPACED,
    fqdn_rotate::FUNCTION,
    fqdn_rotate::NAMESPACED,
    fqdn_uuid::FUNCTION,
    get_module_path::FUNCTION,
    getparam::FUNCTION,
    glob::FUNCTION,
    grep::FUNCTION,
    has_function::FUNCTION,
    has_interface_with::FUNCTION,
    has_interface_with::NAMESPACED,
    has_ip_address::FUNCTION,
    has_ip_address::NAMESPACED,
    has_ip_network::FUNCTION,
    has_ip_network::NAMESPACED,
    has_key::FUNCTION,
    hash::FUNCTION,
    intersection::FUNCTION,
    ip_in_range::FUNCTION,
    is::IS_ABSOLUTE_PATH,
    is::IS_ARRAY,
    is::IS_BOOL,
    is::IS_DOMAIN_NAME,
    is::IS_EMAIL_ADDRESS,
    is::IS_FLOAT,
    is::IS_FUNCTION_AVAILABLE,
    is::IS_HASH,
    is::IS_INTEGER,
    is::IS_IPV4_ADDRESS,
    is::IS_IPV6_ADDRESS,
    is::IS_IP_ADDRESS,
    is::IS_MAC_ADDRESS,
    is::IS_NUMERIC,
    is::IS_STRING,
    is_a::FUNCTION,
    join_keys_to_values::FUNCTION,
    load_module_metadata::FUNCTION,
    loadjson::FUNCTION,
    loadyaml::FUNCTION,
    member::FUNCTION,
    merge::FUNCTION,
    merge::NAMESPACED,
    nested_values::FUNCTION,
    num2bool::FUNCTION,
    os_version_gte::FUNCTION,
    os_version_gte::NAMESPACED,
    parsehocon::FUNCTION,
    parsehocon::NAMESPACED,
    parsejson::FUNCTION,
    parsepson::FUNCTION,
    parseyaml::FUNCTION,
    pick::FUNCTION,
    pick_default::FUNCTION,
    powershell_escape::FUNCTION,
    powershell_escape::NAMESPACED,
    prefix::FUNCTION,
    pry::FUNCTION,
    pw_hash::FUNCTION,
    range::FUNCTION,
    regexpescape::FUNCTION,
    reject::FUNCTION,
    reverse::FUNCTION,
    rewrap_sensitive_data::FUNCTION,
    seeded_rand::FUNCTION,
    seeded_rand::NAMESPACED,
    seeded_rand_string::FUNCTION,
    seeded_rand_string::NAMESPACED,
    sha256::FUNCTION,
    shell_escape::FUNCTION,
    shell_escape::NAMESPACED,
    shell_join::FUNCTION,
    shell_split::FUNCTION,
    shuffle::FUNCTION,
    sort_by::FUNCTION,
    sprintf_hash::FUNCTION,
    squeeze::FUNCTION,
    str2bool::FUNCTION,
    str2resource::FUNCTION,
    str2saltedpbkdf2::FUNCTION,
    str2saltedsha512::FUNCTION,
    suffix::FUNCTION,
    swapcase::FUNCTION,
    time::FUNCTION,
    time::NAMESPACED,
    to_bytes::FUNCTION,
    to_json::FUNCTION,
    to_json::NAMESPACED,
    to_json_pretty::FUNCTION,
    to_json_pretty::NAMESPACED,
    to_python::FUNCTION,
    to_python::NAMESPACED,
    to_ruby::FUNCTION,
    to_ruby::NAMESPACED,
    to_toml::FUNCTION,
    to_toml::NAMESPACED,
    to_yaml::FUNCTION,
    to_yaml::NAMESPACED,
    try_get_value::FUNCTION,
    type3x::FUNCTION,
    type_of::FUNCTION,
    type_of::NAMESPACED,
    union::FUNCTION,
    unix2dos::FUNCTION,
    uriescape::FUNCTION,
    validate::ABSOLUTE_PATH,
    validate::ARRAY,
    validate::BOOL,
    validate::HASH,
    validate::INTEGER,
    validate::IPV4_ADDRESS,
    validate::IPV6_ADDRESS,
    validate::IP_ADDRESS,
    validate::NUMERIC,
    validate::RE,
    validate::SLENGTH,
    validate::STRING,
    validate_augeas::FUNCTION,
    validate_cmd::FUNCTION,
    validate_domain_name::FUNCTION,
    validate_domain_name::NAMESPACED,
    validate_email_address::FUNCTION,
    validate_email_address::NAMESPACED,
    validate_legacy::FUNCTION,
    validate_x509_rsa_key_pair::FUNCTION,
    values_at::FUNCTION,
    xml_encode::FUNCTION,
    zip::FUNCTION,
];
