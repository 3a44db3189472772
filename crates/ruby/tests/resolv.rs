//! `Resolv::DNS` against a name server of one answer.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test states its expectation")]

use std::net::UdpSocket;
use std::sync::Arc;

use bunraku_environment::Disk;
use bunraku_ruby::interpreter::answer_in;

#[test]
fn names_are_asked_of_the_server() {
    let server = UdpSocket::bind("127.0.0.1:0").unwrap();
    let port = server.local_addr().unwrap().port();
    let answering = std::thread::spawn(move || {
        for _ in 0..2 {
            let mut message = [0; 512];
            let (length, from) = server.recv_from(&mut message).unwrap();
            let mut answer = message[..length].to_vec();
            // An answer without error, with one record: the name of the question, A, IN, 300 seconds, 192.0.2.7.
            answer[2..4].copy_from_slice(&[0x81, 0x80]);
            answer[6..8].copy_from_slice(&[0, 1]);
            answer.extend([0xc0, 12, 0, 1, 0, 1, 0, 0, 1, 44, 0, 4, 192, 0, 2, 7]);
            server.send_to(&answer, from).unwrap();
        }
    });
    let code = format!(
        "require 'resolv'\n\
         dns = Resolv::DNS.new(nameserver_port: [['127.0.0.1', {port}]])\n\
         [dns.getresources('a.example.', Resolv::DNS::Resource::IN::A).map {{ |it| [it.address.to_s, it.ttl] }},\n\
          dns.getresource('b.example.', Resolv::DNS::Resource::IN::A).address.to_s]"
    );
    let given = answer_in(&[&code], "case.rb", Some(Arc::new(Disk)), false);
    answering.join().unwrap();
    assert_eq!(given.result.as_deref(), Some(r#"[[["192.0.2.7", 300]], "192.0.2.7"]"#), "{:?}", given.error);
}
