//! What Ruby makes of the parts of a URI for some schemes: each has a class of its own there.

use bunraku_syntax::Issue;
use ecow::{EcoString, eco_format};

use super::Uri;
use crate::issues;

/// Applies the rules of the scheme to a URI that was read from text.
pub(super) fn resolve(mut uri: Uri) -> Result<Uri, Issue> {
    match uri.scheme.as_deref() {
        Some("mailto") => check_mail(&mut uri)?,
        // The path says what is looked for, and there is nothing to say it about a part of.
        Some("ldap" | "ldaps") if uri.fragment.is_some() || uri.opaque.is_some() => {
            return Err(issues::runtime_error("bad LDAP URL"));
        }
        Some("ftp") if uri.opaque.is_some() => return Err(issues::runtime_error("URI::InvalidURIError")),
        // A file is on a host, which may be this one, and nobody logs in there.
        Some("file") => {
            let host = uri.host.take().filter(|host| host != "localhost");
            uri = Uri { host: Some(host.unwrap_or_default()), port: None, userinfo: None, ..uri };
        }
        _ => {}
    }
    Ok(uri)
}

fn check_mail(uri: &mut Uri) -> Result<(), Issue> {
    if uri.opaque.is_none() {
        uri.opaque = uri.query.as_ref().map(|query| eco_format!("?{query}"));
    }
    let Some(opaque) = &uri.opaque else {
        return Err(issues::runtime_error("missing opaque part for mailto URL"));
    };
    let to = opaque.split_once('?').map_or(opaque.as_str(), |(to, _)| to);
    if !are_addresses(to) {
        return Err(issues::runtime_error(format!("unrecognised opaque part for mailtoURL: {opaque}")));
    }
    Ok(())
}

/// Whether a text is made of `name@host`, with a comma or semicolon between two and perhaps after the last.
fn are_addresses(text: &str) -> bool {
    let separators = [',', ';'];
    let text = text.strip_suffix(separators).filter(|rest| !rest.is_empty()).unwrap_or(text);
    let is_address = |address: &str| {
        address.split_once('@').is_some_and(|(name, host)| !name.is_empty() && !host.is_empty() && !host.contains('@'))
    };
    text.is_empty() || text.split(separators).all(is_address)
}

/// The path as a program sees it: that of FTP begins at the directory of the user, and ends before the kind of transfer.
pub(crate) fn path(uri: &Uri) -> EcoString {
    if uri.scheme.as_deref() != Some("ftp") {
        return uri.path.clone();
    }
    let path = uri.path.split_once(";type=").map_or(uri.path.as_str(), |(path, _)| path);
    let relative = path.strip_prefix('/').unwrap_or(path);
    match relative.strip_prefix("%2F") {
        Some(absolute) => eco_format!("/{absolute}"),
        None => relative.into(),
    }
}
