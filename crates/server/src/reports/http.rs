//! The report processor `http`: sends reports as YAML to a program that collects them.

use bunraku_web::{Question, Url, Web};

/// Sends a report. What goes wrong is told without the password that may be in the URL.
pub(super) fn send(url: &str, report: &str, web: &Web) -> Result<(), String> {
    let url = Url::parse(url).ok_or("the setting 'reporturl' is not the URL of a web server")?;
    let headers = [("Content-Type", "application/x-yaml")];
    let question = Question { method: "POST", headers: &headers, body: report.as_bytes() };
    let place = url.place();
    match web.ask(&url, &question).map_err(|error| format!("{place}: {error}"))?.status {
        200..=299 => Ok(()),
        status => Err(format!("Unable to submit report to {place} [{status}]")),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::net::TcpListener;

    use bunraku::{RunMode, Settings};

    use super::*;

    #[test]
    fn a_report_is_sent() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let answers = ["HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 503 Busy\r\n\r\n", "nonsense\n"];
        let served = std::thread::spawn(move || {
            answers.map(|answer| {
                let (stream, _) = listener.accept().unwrap();
                let mut reader = BufReader::new(stream);
                let lines: Vec<String> =
                    reader.by_ref().lines().map(Result::unwrap).take_while(|line| !line.is_empty()).collect();
                let mut body = [0; 6];
                reader.read_exact(&mut body).unwrap();
                reader.get_mut().write_all(answer.as_bytes()).unwrap();
                (lines, String::from_utf8(body.to_vec()).unwrap())
            })
        });
        let web = Web::of(&Settings::new(RunMode::Server)).unwrap();
        let url = format!("http://user:secret@{address}/up");
        let sent = answers.map(|_| send(&url, "--- {}", &web));
        let busy = format!("Unable to submit report to {address} [503]");
        assert_eq!(sent.clone().map(|it| it.err()).get(..2), Some([None, Some(busy)].as_slice()));
        let reason = sent.last().unwrap().clone().unwrap_err();
        assert!(reason.ends_with("the answer is not HTTP") && !reason.contains("secret"), "{reason}");
        for (lines, body) in served.join().unwrap() {
            assert_eq!((lines.first().unwrap().as_str(), body.as_str()), ("POST /up HTTP/1.1", "--- {}"));
            assert!(lines.contains(&"Authorization: Basic dXNlcjpzZWNyZXQ=".to_owned()), "{lines:?}");
        }
    }
}
