//! The short names of the extensions that Puppet has for certificates.

/// The names of 1.3.6.1.4.1.34380.1.1.N, N from 1.
pub const NODE: [&str; 26] = [
    "pp_uuid",
    "pp_instance_id",
    "pp_image_name",
    "pp_preshared_key",
    "pp_cost_center",
    "pp_product",
    "pp_project",
    "pp_application",
    "pp_service",
    "pp_employee",
    "pp_created_by",
    "pp_environment",
    "pp_role",
    "pp_software_version",
    "pp_department",
    "pp_cluster",
    "pp_provisioner",
    "pp_region",
    "pp_datacenter",
    "pp_zone",
    "pp_network",
    "pp_securitypolicy",
    "pp_cloudplatform",
    "pp_apptier",
    "pp_hostname",
    "pp_owner",
];

/// The names of 1.3.6.1.4.1.34380.1.3.N.
pub const AUTHORIZATION: [(&str, &str); 4] =
    [("1", "pp_authorization"), ("2", "pp_auth_auto_renew"), ("13", "pp_auth_role"), ("39", "pp_cli_auth")];

/// The identifier of an extension with a short name.
pub fn of(name: &str) -> Option<String> {
    let place =
        NODE.iter().position(|known| *known == name).map(|place| format!("1.3.6.1.4.1.34380.1.1.{}", place + 1));
    let number = || AUTHORIZATION.iter().find(|(_, known)| *known == name).map(|(number, _)| number);
    place.or_else(|| number().map(|number| format!("1.3.6.1.4.1.34380.1.3.{number}")))
}

/// The identifier of an attribute of a request with a short name.
pub fn of_attribute(name: &str) -> Option<String> {
    match name {
        "challengePassword" => Some("1.2.840.113549.1.9.7".to_owned()),
        "unstructuredName" => Some("1.2.840.113549.1.9.2".to_owned()),
        name => of(name),
    }
}
