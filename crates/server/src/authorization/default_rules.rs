//! The rules that hold without `auth.conf`: those that Puppet Server's packages bring.

/// The rules, in the notation of `auth.conf`.
pub const RULES: &str = r#"
authorization: {
  version: 1
  rules: [
    { name: "puppetlabs v3 catalog from agents", sort-order: 500, allow: "$1"
      match-request: { path: "^/puppet/v3/catalog/([^/]+)$", type: regex, method: [get, post] } }
    { name: "puppetlabs v4 catalog for services", sort-order: 500, deny: "*"
      match-request: { path: "^/puppet/v4/catalog/?$", type: regex, method: post } }
    { name: "puppetlabs certificate", sort-order: 500, allow-unauthenticated: true
      match-request: { path: "/puppet-ca/v1/certificate/", type: path, method: get } }
    { name: "puppetlabs crl", sort-order: 500, allow-unauthenticated: true
      match-request: { path: "/puppet-ca/v1/certificate_revocation_list/ca", type: path, method: get } }
    { name: "puppetlabs csr", sort-order: 500, allow-unauthenticated: true
      match-request: { path: "/puppet-ca/v1/certificate_request", type: path, method: [get, put] } }
    { name: "puppetlabs cert renewal", sort-order: 500, allow: "*"
      match-request: { path: "/puppet-ca/v1/certificate_renewal", type: path, method: post } }
    { name: "puppetlabs cert status", sort-order: 500, allow: { extensions: { pp_cli_auth: "true" } }
      match-request: { path: "/puppet-ca/v1/certificate_status", type: path, method: [get, put, delete] } }
    { name: "puppetlabs cert statuses", sort-order: 500, allow: { extensions: { pp_cli_auth: "true" } }
      match-request: { path: "/puppet-ca/v1/certificate_statuses", type: path, method: get } }
    { name: "puppetlabs cert clean", sort-order: 500, allow: { extensions: { pp_cli_auth: "true" } }
      match-request: { path: "/puppet-ca/v1/clean", type: path, method: put } }
    { name: "puppetlabs CRL update", sort-order: 500, allow: { extensions: { pp_cli_auth: "true" } }
      match-request: { path: "^/puppet-ca/v1/certificate_revocation_list$", type: regex, method: put } }
    { name: "puppetlabs cert sign", sort-order: 500, allow: { extensions: { pp_cli_auth: "true" } }
      match-request: { path: "/puppet-ca/v1/sign", type: path, method: post } }
    { name: "puppetlabs CA cert and CRL expirations", sort-order: 500, allow: "*"
      match-request: { path: "/puppet-ca/v1/expirations", type: path, method: get } }
    { name: "puppetlabs status service - full", sort-order: 500, allow-unauthenticated: true
      match-request: { path: "/status/v1/services", type: path, method: get } }
    { name: "puppetlabs status service - simple", sort-order: 500, allow-unauthenticated: true
      match-request: { path: "/status/v1/simple", type: path, method: get } }
    { name: "puppetlabs environments", sort-order: 500, allow: "*"
      match-request: { path: "/puppet/v3/environments", type: path, method: get } }
    { name: "puppetlabs file bucket file", sort-order: 500, allow: "*"
      match-request: { path: "/puppet/v3/file_bucket_file", type: path, method: [get, head, post, put] } }
    { name: "puppetlabs file content", sort-order: 500, allow: "*"
      match-request: { path: "/puppet/v3/file_content", type: path } }
    { name: "puppetlabs file metadata", sort-order: 500, allow: "*"
      match-request: { path: "/puppet/v3/file_metadata", type: path } }
    { name: "puppetlabs node", sort-order: 500, allow: "$1"
      match-request: { path: "^/puppet/v3/node/([^/]+)$", type: regex, method: get } }
    { name: "puppetlabs report", sort-order: 500, allow: "$1"
      match-request: { path: "^/puppet/v3/report/([^/]+)$", type: regex, method: put } }
    { name: "puppetlabs facts", sort-order: 500, allow: "$1"
      match-request: { path: "^/puppet/v3/facts/([^/]+)$", type: regex, method: put } }
    { name: "puppetlabs static file content", sort-order: 500, allow: "*"
      match-request: { path: "/puppet/v3/static_file_content", type: path, method: get } }
    { name: "puppetlabs tasks information", sort-order: 500, allow: "*"
      match-request: { path: "/puppet/v3/tasks", type: path, method: get } }
    { name: "metrics for Prometheus", sort-order: 500, allow: "*"
      match-request: { path: "^/metrics$", type: regex, method: get } }
    { name: "puppetlabs deny all", sort-order: 999, deny: "*"
      match-request: { path: "/", type: path } }
  ]
}
"#;
