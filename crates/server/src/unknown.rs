//! What is said where there is nothing: the page that the reference's web server makes, in the form that the client takes.

use serde_json::json;

use crate::{Request, Response};

/// There is nothing at a path, or nothing for this method. Methods that do not ask for pages get none.
pub(crate) fn page(request: &Request) -> Response {
    if !matches!(request.method.as_str(), "GET" | "POST" | "HEAD") {
        return Response::empty(404);
    }
    let accept = request.header("accept").unwrap_or("*/*");
    let mut listed = accept.split(',').map(|range| range.split(';').next().unwrap_or_default().trim());
    let page = listed.find_map(|mime| match mime {
        "text/html" | "text/*" | "*/*" => Some(Response::new(404, "text/html;charset=iso-8859-1", html(&request.path))),
        "text/plain" => Some(Response::new(404, "text/plain;charset=iso-8859-1", text(&request.path))),
        "application/json" | "text/json" => Some(Response::new(404, mime, object(&request.path))),
        _ => None,
    });
    page.unwrap_or_else(|| Response::empty(404)).with_header("Cache-Control", "must-revalidate,no-cache,no-store")
}

fn html(path: &str) -> String {
    let path = path.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let path = path.replace('"', "&quot;").replace('\'', "&apos;");
    let rows = [("URI", path.as_str()), ("STATUS", "404"), ("MESSAGE", "Not Found"), ("SERVLET", "-")];
    let rows = rows.map(|(name, value)| format!("<tr><th>{name}:</th><td>{value}</td></tr>\n"));
    format!(
        "<html>\n<head>\n<meta http-equiv=\"Content-Type\" content=\"text/html;charset=ISO-8859-1\"/>\n\
         <title>Error 404 Not Found</title>\n</head>\n<body><h2>HTTP ERROR 404 Not Found</h2>\n<table>\n{}</table>\n\n\
         </body>\n</html>\n",
        rows.concat()
    )
}

fn text(path: &str) -> String {
    format!("HTTP ERROR 404 Not Found\nURI: {path}\nSTATUS: 404\nMESSAGE: Not Found\nSERVLET: null\n")
}

fn object(path: &str) -> String {
    format!("{{\n\"message\":\"Not Found\",\n\"url\":{},\n\"status\":\"404\"\n}}", json!(path))
}
