//! Files that are copied from web servers: how their headers are understood, and what becomes of answers that are no file.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test states its expectation")]

mod site;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};

use site::Site;

const SHA256: &str = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03";
const MODIFIED: &str = "Last-Modified: Wed, 01 Jan 2020 00:00:00 GMT\r\n";

/// A web server that has a few files, all with the content `hello`.
fn serve() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            // A client may have gone away; the next one is answered all the same.
            let _ = answer(stream.unwrap());
        }
    });
    address
}

fn answer(stream: TcpStream) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head)? == 0 {
            return Ok(());
        }
    }
    let mut words = head.split(' ');
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    // A proxy is told the whole address.
    let path = target.split_once("://").map_or(target, |(_, rest)| rest.get(rest.find('/').unwrap_or(0)..).unwrap());
    let has = |header: &str| head.contains(header);
    let sum = format!("X-Checksum-Sha256: {SHA256}\r\n");
    let (status, headers, body) = match path {
        "/plain" => ("200 OK", MODIFIED.to_owned(), "hello\n"),
        "/sum" => ("200 OK", sum, "hello\n"),
        "/tag" => ("200 OK", format!("{MODIFIED}ETag: \"b1946ac92492d2347c6235b4d2611184\"\r\n"), "hello\n"),
        "/wrong" => ("200 OK", format!("X-Checksum-Sha256: {}\r\n", "0".repeat(64)), "hello\n"),
        "/elsewhere" => ("302 Found", "Location: /sum\r\n".to_owned(), ""),
        "/circle" => ("302 Found", "Location: /circle\r\n".to_owned(), ""),
        "/unasked" if method == "HEAD" => ("405 Method Not Allowed", String::new(), ""),
        "/unasked" => ("200 OK", sum, "hello\n"),
        "/broken" if method == "GET" => ("500 Oops", String::new(), "oops"),
        "/broken" => ("200 OK", MODIFIED.to_owned(), "oops"),
        "/secret" if has("Authorization: Basic dTpwQHM=\r\n") => ("200 OK", sum, "hello\n"),
        "/secret" => ("401 Unauthorized", String::new(), ""),
        "/proxied" if target.starts_with("http://nowhere.invalid/") => ("200 OK", sum, "hello\n"),
        _ => ("404 Not Found", String::new(), "nope"),
    };
    let body = if method == "HEAD" { "" } else { body };
    let length = if method == "HEAD" { 6 } else { body.len() };
    let answer = format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}");
    reader.get_mut().write_all(answer.as_bytes())?;
    // Whatever else is sent is not waited for.
    reader.get_mut().shutdown(std::net::Shutdown::Write)?;
    let _ = reader.read(&mut [0]);
    Ok(())
}

/// What is said when a manifest is applied, without the address of the server and the times.
fn apply(site: &Site, address: SocketAddr, manifest: &str, flags: &[&str]) -> String {
    let out = site.directory.join("out").display().to_string();
    std::fs::create_dir_all(&out).unwrap();
    let manifest = manifest.replace("WEB", &format!("http://{address}")).replace("OUT", &out);
    site.write("m.pp", &manifest);
    let command = [&["apply", "m.pp", "--color=false"], flags].concat();
    let (output, messages, _) = site.run(&command);
    let said = format!("{output}{messages}").replace(&format!("http://{address}"), "WEB");
    let lines = said.lines().filter(|line| !line.contains("ompiled catalog") && !line.contains("Applied catalog"));
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn headers_tell_whether_a_file_is_current() {
    let site = Site::new("web_headers", &[]);
    let address = serve();
    let manifest = "file {\n  'OUT/plain': source => 'WEB/plain';\n  'OUT/sum': source => 'WEB/sum';\n  \
                    'OUT/tag': source => 'WEB/tag', checksum => etag;\n  \
                    'OUT/elsewhere': source => 'WEB/elsewhere';\n  'OUT/unasked': source => 'WEB/unasked';\n  \
                    'OUT/list': source => ['WEB/nothing', 'WEB/sum'];\n}\n";
    let expected = [
        ("plain", "{mtime}2020-01-01 00:00:00 UTC".to_owned()),
        ("sum", format!("{{sha256}}{SHA256}")),
        ("tag", "{md5}b1946ac92492d2347c6235b4d2611184".to_owned()),
        ("elsewhere", format!("{{sha256}}{SHA256}")),
        ("unasked", format!("{{sha256}}{SHA256}")),
        ("list", format!("{{sha256}}{SHA256}")),
    ];
    let lines = expected
        .map(|(name, sum)| format!("Notice: /Stage[main]/Main/File[out/{name}]/ensure: defined content as '{sum}'\n"));
    assert_eq!(apply(&site, address, manifest, &[]), lines.concat());
    assert_eq!(site.read("out/list"), "hello\n");
    assert_eq!(apply(&site, address, manifest, &[]), "");
    // The file here is newer than the one there, so it stays as it is; a checksum tells more.
    site.write("out/plain", "changed\n");
    site.write("out/sum", "changed\n");
    let said = apply(&site, address, manifest, &[]);
    assert!(said.starts_with("Notice: /Stage[main]/Main/File[out/sum]/content: content changed '{sha256}"), "{said}");
    assert_eq!([site.read("out/plain"), site.read("out/sum")], ["changed\n", "hello\n"]);
}

#[test]
fn what_is_no_file_is_told() {
    let site = Site::new("web_failures", &[]);
    let address = serve();
    let check = |resource: &str, expected: &str| {
        let said = apply(&site, address, &format!("file {{ 'OUT/a': {resource} }}\n"), &[]);
        assert_eq!(said, expected, "{resource}");
        assert!(!site.directory.join("out/a").exists());
    };
    let place = "/Stage[main]/Main/File[out/a]";
    let unfound =
        format!("Error: {place}: Could not evaluate: Could not retrieve information from environment production");
    check("source => 'WEB/nothing'", &format!("{unfound} source(s) WEB/nothing\n"));
    let mismatch = format!(
        "File written to disk did not match desired checksum; discarding changes ({{sha256}}{SHA256} vs {{sha256}}{})",
        "0".repeat(64)
    );
    let failed =
        format!("Error: {mismatch}\nError: {place}/ensure: change from 'absent' to 'file' failed: {mismatch}\n");
    check("source => 'WEB/wrong'", &failed);
    // Who knows the checksum need not ask what it is.
    let known = format!("ensure => file, source => 'WEB/plain', checksum_value => '{}'", "0".repeat(64));
    check(&known, &failed);
    let metadata = format!("Error: {place}: Could not evaluate: Could not retrieve file metadata for");
    check("source => 'WEB/circle'", &format!("{metadata} WEB/circle: Too many HTTP redirections for WEB/circle\n"));
    check("source => 'WEB/a b'", &format!("{metadata} WEB/a b: bad URI(is not URI?): \"WEB/a b\"\n"));
    let oops = "Could not set 'file' on ensure: Error 500 on SERVER: oops (file: m.pp, line: 1)";
    let original = "Wrapped exception:\nError 500 on SERVER: oops";
    check(
        "source => 'WEB/broken'",
        &format!(
            "Error: {oops}\nError: {oops}\n{original}\nError: {place}/ensure: change from 'absent' to 'file' failed: {oops}\n"
        ),
    );
    let list = "cannot lookup multiple files";
    let said = apply(&site, address, "file { 'OUT/r': source => 'WEB/sum', recurse => true }\n", &[]);
    assert!(
        said.contains(&format!("Failed to generate additional resources using 'eval_generate': {list}\n")),
        "{said}"
    );
}

#[test]
fn passwords_reach_the_server_and_nobody_else() {
    let site = Site::new("web_passwords", &[]);
    let address = serve();
    let own = |path: &str| format!("http://u:p%40s@{address}/{path}");
    let said = apply(&site, address, &format!("file {{ 'OUT/a': source => '{}' }}\n", own("secret")), &[]);
    assert!(said.contains("File[out/a]/ensure: defined content as"), "{said}");
    let said = apply(&site, address, &format!("file {{ 'OUT/b': source => '{}' }}\n", own("nothing")), &[]);
    assert!(said.contains("source(s) WEB/nothing\n") && !said.contains("p%40s"), "{said}");
}

#[test]
fn a_proxy_passes_on() {
    let site = Site::new("web_proxy", &[]);
    let address = serve();
    let manifest = "file { 'OUT/a': source => 'http://nowhere.invalid/proxied' }\n";
    let (host, port) = (address.ip().to_string(), address.port().to_string());
    let said = apply(&site, address, manifest, &["--http_proxy_host", &host, "--http_proxy_port", &port]);
    assert!(said.contains(&format!("defined content as '{{sha256}}{SHA256}'")), "{said}");
    let direct = ["--http_proxy_host", &host, "--http_proxy_port", &port, "--no_proxy", ".invalid"];
    std::fs::remove_file(site.directory.join("out/a")).unwrap();
    let said = apply(&site, address, manifest, &direct);
    assert!(said.contains("Request to http://nowhere.invalid/proxied failed after"), "{said}");
}
