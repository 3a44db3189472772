//! `convert_cert_to_string`: a certificate on one line.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_syntax::Issue;

use crate::number::fail;
use crate::text::is_blank;

function! {
    /// Returns what stands between the first and the last line of the file of a certificate, as one line.
    ///
    /// ```puppet
    /// convert_cert_to_string('/etc/ssl/certs/ca.pem')
    /// ```
    "convert_cert_to_string" of "neutron" {
        "(String $cert_file)" as ">> String" => convert_cert_to_string(call, cert_file),
    }
}

fn convert_cert_to_string(call: &mut Call<'_, '_>, path: &str) -> Result<String, Issue> {
    let Ok(text) = call.frame.compilation.environment.world().read_text(path) else {
        return fail(format!("Certificate file not found: {path}"));
    };
    Ok(text.split('\n').filter(|line| !line.contains("-----")).map(|line| line.trim_matches(is_blank)).collect())
}
