//! The functions of the module stdlib, of its versions 8 and 9. They are seen where the module is installed.

pub(crate) mod any2array;
pub(crate) mod any2bool;
pub(crate) mod base64;
pub(crate) mod basename;
pub(crate) mod batch_escape;
pub(crate) mod bool2num;
pub(crate) mod bool2str;
pub(crate) mod clamp;
pub(crate) mod concat;
pub(crate) mod convert_base;
pub(crate) mod count;
pub(crate) mod deep_merge;
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
pub(crate) mod end_with;
pub(crate) mod extname;
pub(crate) mod grep;
pub(crate) mod has_key;
pub(crate) mod hash;
pub(crate) mod intersection;
pub(crate) mod ip_in_range;
pub(crate) mod is;
pub(crate) mod is_a;
pub(crate) mod join_keys_to_values;
pub(crate) mod member;
pub(crate) mod merge;
pub(crate) mod num2bool;
pub(crate) mod pick;
pub(crate) mod pick_default;
pub(crate) mod powershell_escape;
pub(crate) mod prefix;
pub(crate) mod range;
pub(crate) mod regexpescape;
pub(crate) mod reject;
pub(crate) mod reverse;
pub(crate) mod shell_escape;
pub(crate) mod shell_join;
pub(crate) mod shell_split;
pub(crate) mod shuffle;
pub(crate) mod sprintf_hash;
pub(crate) mod squeeze;
pub(crate) mod start_with;
pub(crate) mod str2bool;
pub(crate) mod suffix;
pub(crate) mod swapcase;
pub(crate) mod time;
pub(crate) mod to_bytes;
pub(crate) mod try_get_value;
pub(crate) mod type3x;
pub(crate) mod type_of;
pub(crate) mod union;
pub(crate) mod unix2dos;
pub(crate) mod uriescape;
pub(crate) mod validate;
pub(crate) mod validate_domain_name;
pub(crate) mod validate_email_address;
pub(crate) mod validate_legacy;
pub(crate) mod values_at;
pub(crate) mod xml_encode;
pub(crate) mod zip;

use bunraku_compiler::function::Function;

/// All functions on this shelf, by the names of their files.
pub const ALL: &[Function] = &[
    any2array::FUNCTION,
    any2bool::FUNCTION,
    base64::FUNCTION,
    basename::FUNCTION,
    batch_escape::FUNCTION,
    bool2num::FUNCTION,
    bool2str::FUNCTION,
    clamp::FUNCTION,
    concat::FUNCTION,
    convert_base::FUNCTION,
    count::FUNCTION,
    deep_merge::FUNCTION,
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
    end_with::FUNCTION,
    extname::FUNCTION,
    grep::FUNCTION,
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
    member::FUNCTION,
    merge::FUNCTION,
    num2bool::FUNCTION,
    pick::FUNCTION,
    pick_default::FUNCTION,
    powershell_escape::FUNCTION,
    prefix::FUNCTION,
    range::FUNCTION,
    regexpescape::FUNCTION,
    reject::FUNCTION,
    reverse::FUNCTION,
    shell_escape::FUNCTION,
    shell_join::FUNCTION,
    shell_split::FUNCTION,
    shuffle::FUNCTION,
    sprintf_hash::FUNCTION,
    squeeze::FUNCTION,
    start_with::FUNCTION,
    str2bool::FUNCTION,
    suffix::FUNCTION,
    swapcase::FUNCTION,
    time::FUNCTION,
    to_bytes::FUNCTION,
    try_get_value::FUNCTION,
    type3x::FUNCTION,
    type_of::FUNCTION,
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
    validate_domain_name::FUNCTION,
    validate_email_address::FUNCTION,
    validate_legacy::FUNCTION,
    values_at::FUNCTION,
    xml_encode::FUNCTION,
    zip::FUNCTION,
];
