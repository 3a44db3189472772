//! The functions of the language itself: one file each, under the name of the function.

pub(crate) mod abs;
pub(crate) mod all;
pub(crate) mod annotate;
pub(crate) mod any;
pub(crate) mod assert_type;
pub(crate) mod binary_file;
pub(crate) mod r#break;
pub(crate) mod call;
pub(crate) mod camelcase;
pub(crate) mod capitalize;
pub(crate) mod ceiling;
pub(crate) mod chomp;
pub(crate) mod chop;
pub(crate) mod compare;
pub(crate) mod contain;
pub(crate) mod convert_to;
pub(crate) mod create_resources;
pub(crate) mod data_provider;
pub(crate) mod defined;
pub(crate) mod dig;
pub(crate) mod digest;
pub(crate) mod downcase;
pub(crate) mod each;
pub(crate) mod empty;
pub(crate) mod epp;
pub(crate) mod fail;
pub(crate) mod file;
pub(crate) mod filter;
pub(crate) mod find_file;
pub(crate) mod find_template;
pub(crate) mod flatten;
pub(crate) mod floor;
pub(crate) mod fqdn_rand;
pub(crate) mod generate;
pub(crate) mod get;
pub(crate) mod getvar;
pub(crate) mod group_by;
pub(crate) mod hiera;
pub(crate) mod import;
pub(crate) mod include;
pub(crate) mod index;
pub(crate) mod inline_epp;
pub(crate) mod inline_template;
pub(crate) mod join;
pub(crate) mod keys;
pub(crate) mod length;
pub(crate) mod lest;
pub(crate) mod logging;
pub(crate) mod lookup;
pub(crate) mod lstrip;
pub(crate) mod map;
pub(crate) mod r#match;
pub(crate) mod max;
pub(crate) mod md5;
pub(crate) mod min;
pub(crate) mod module_directory;
pub(crate) mod new;
pub(crate) mod next;
pub(crate) mod partition;
pub(crate) mod realize;
pub(crate) mod reduce;
pub(crate) mod regsubst;
pub(crate) mod require;
pub(crate) mod r#return;
pub(crate) mod reverse_each;
pub(crate) mod round;
pub(crate) mod rstrip;
pub(crate) mod scanf;
pub(crate) mod sha1;
pub(crate) mod sha256;
pub(crate) mod shellquote;
pub(crate) mod size;
pub(crate) mod slice;
pub(crate) mod sort;
pub(crate) mod split;
pub(crate) mod sprintf;
pub(crate) mod step;
pub(crate) mod strftime;
pub(crate) mod strip;
pub(crate) mod tag;
pub(crate) mod tagged;
pub(crate) mod template;
pub(crate) mod then;
pub(crate) mod tree_each;
pub(crate) mod r#type;
pub(crate) mod unique;
pub(crate) mod unwrap;
pub(crate) mod upcase;
pub(crate) mod values;
pub(crate) mod versioncmp;
pub(crate) mod with;

use bunraku_compiler::function::Function;

/// The functions that OpenVox 9 has in another form.
pub const OPENVOX9: &[Function] = &[regsubst::OPENVOX9];

/// All functions on this shelf, by the names of their files.
pub const ALL: &[Function] = &[
    abs::FUNCTION,
    all::FUNCTION,
    annotate::FUNCTION,
    any::FUNCTION,
    assert_type::FUNCTION,
    binary_file::FUNCTION,
    r#break::FUNCTION,
    call::FUNCTION,
    camelcase::FUNCTION,
    capitalize::FUNCTION,
    ceiling::FUNCTION,
    chomp::FUNCTION,
    chop::FUNCTION,
    compare::FUNCTION,
    contain::FUNCTION,
    convert_to::FUNCTION,
    create_resources::FUNCTION,
    data_provider::EYAML_LOOKUP_KEY,
    data_provider::HOCON_DATA,
    data_provider::JSON_DATA,
    data_provider::YAML_DATA,
    defined::FUNCTION,
    dig::FUNCTION,
    digest::FUNCTION,
    downcase::FUNCTION,
    each::FUNCTION,
    empty::FUNCTION,
    epp::FUNCTION,
    fail::FUNCTION,
    file::FUNCTION,
    filter::FUNCTION,
    find_file::FUNCTION,
    find_template::FUNCTION,
    flatten::FUNCTION,
    floor::FUNCTION,
    fqdn_rand::FUNCTION,
    generate::FUNCTION,
    get::FUNCTION,
    getvar::FUNCTION,
    group_by::FUNCTION,
    hiera::HIERA,
    hiera::HIERA_ARRAY,
    hiera::HIERA_HASH,
    hiera::HIERA_INCLUDE,
    import::FUNCTION,
    include::FUNCTION,
    index::FUNCTION,
    inline_epp::FUNCTION,
    inline_template::FUNCTION,
    join::FUNCTION,
    keys::FUNCTION,
    length::FUNCTION,
    lest::FUNCTION,
    logging::ALERT,
    logging::CRIT,
    logging::DEBUG,
    logging::EMERG,
    logging::ERR,
    logging::INFO,
    logging::NOTICE,
    logging::WARNING,
    lookup::FUNCTION,
    lstrip::FUNCTION,
    map::FUNCTION,
    r#match::FUNCTION,
    max::FUNCTION,
    md5::FUNCTION,
    min::FUNCTION,
    module_directory::FUNCTION,
    new::FUNCTION,
    next::FUNCTION,
    partition::FUNCTION,
    realize::FUNCTION,
    reduce::FUNCTION,
    regsubst::FUNCTION,
    require::FUNCTION,
    r#return::FUNCTION,
    reverse_each::FUNCTION,
    round::FUNCTION,
    rstrip::FUNCTION,
    scanf::FUNCTION,
    sha1::FUNCTION,
    sha256::FUNCTION,
    shellquote::FUNCTION,
    size::FUNCTION,
    slice::FUNCTION,
    sort::FUNCTION,
    split::FUNCTION,
    sprintf::FUNCTION,
    step::FUNCTION,
    strftime::FUNCTION,
    strip::FUNCTION,
    tag::FUNCTION,
    tagged::FUNCTION,
    template::FUNCTION,
    then::FUNCTION,
    tree_each::FUNCTION,
    r#type::FUNCTION,
    unique::FUNCTION,
    unwrap::FUNCTION,
    upcase::FUNCTION,
    values::FUNCTION,
    versioncmp::FUNCTION,
    with::FUNCTION,
];
