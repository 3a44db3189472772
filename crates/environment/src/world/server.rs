//! Messages to servers and their answers.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream, UdpSocket};
use std::time::{Duration, Instant};

/// How a message gets to a server, and how the end of the answer is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    /// As a datagram, which is answered by one.
    Datagram,
    /// On a connection, with its length in two bytes in front; so is the answer.
    Framed,
    /// On a connection that the server closes after its answer, and that must be there within this time.
    UntilClosed(Duration),
}

/// How long an answer may be that has its length in front.
const LONGEST: usize = 65_535;

/// How much is read until a server closes the connection.
const LONGEST_UNTIL_CLOSED: usize = 1 << 20;

/// Sends a message and waits for the answer.
pub(super) fn ask(server: &str, port: u16, message: &[u8], channel: Channel, wait: Duration) -> io::Result<Vec<u8>> {
    let address: IpAddr = server.parse().map_err(|_| ErrorKind::InvalidInput)?;
    let target = SocketAddr::new(address, port);
    let wait = wait.max(Duration::from_millis(1));
    match channel {
        Channel::Datagram => {
            let any = match address {
                IpAddr::V4(_) => IpAddr::V4(Ipv4Addr::UNSPECIFIED),
                IpAddr::V6(_) => IpAddr::V6(Ipv6Addr::UNSPECIFIED),
            };
            let socket = UdpSocket::bind(SocketAddr::new(any, 0))?;
            socket.connect(target)?;
            socket.set_read_timeout(Some(wait))?;
            socket.send(message)?;
            let mut answer = vec![0; LONGEST];
            let length = socket.recv(&mut answer)?;
            answer.truncate(length);
            Ok(answer)
        }
        Channel::Framed => {
            let mut stream = connect(&target, wait, wait)?;
            let length = u16::try_from(message.len()).map_err(|_| ErrorKind::InvalidInput)?;
            stream.write_all(&length.to_be_bytes())?;
            stream.write_all(message)?;
            let mut length = [0; 2];
            stream.read_exact(&mut length)?;
            let mut answer = vec![0; usize::from(u16::from_be_bytes(length))];
            stream.read_exact(&mut answer)?;
            Ok(answer)
        }
        Channel::UntilClosed(most) => {
            let mut stream = connect(&target, most.max(Duration::from_millis(1)), wait)?;
            stream.write_all(message)?;
            read_until_closed(&mut stream, Instant::now() + wait)
        }
    }
}

fn connect(target: &SocketAddr, most: Duration, wait: Duration) -> io::Result<TcpStream> {
    let stream = TcpStream::connect_timeout(target, most)?;
    stream.set_read_timeout(Some(wait))?;
    stream.set_write_timeout(Some(wait))?;
    Ok(stream)
}

fn read_until_closed(stream: &mut TcpStream, end: Instant) -> io::Result<Vec<u8>> {
    let mut answer = Vec::new();
    let mut part = [0; 16_384];
    loop {
        // A server that sends a byte now and then must not hold anybody up either.
        let left = end.checked_duration_since(Instant::now()).filter(|left| !left.is_zero());
        stream.set_read_timeout(Some(left.ok_or(ErrorKind::TimedOut)?))?;
        match stream.read(&mut part)? {
            0 => return Ok(answer),
            length => answer.extend_from_slice(part.get(..length).unwrap_or_default()),
        }
        if answer.len() > LONGEST_UNTIL_CLOSED {
            return Err(ErrorKind::FileTooLarge.into());
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test states its expectation")]

    use std::net::TcpListener;
    use std::thread;

    use super::*;

    const WAIT: Duration = Duration::from_secs(20);

    /// A server that does something with its only connection, and what a client of it gets.
    fn answer(serve: fn(TcpStream), wait: Duration) -> io::Result<Vec<u8>> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = thread::spawn(move || serve(listener.accept().unwrap().0));
        let answer = ask("127.0.0.1", port, b"question", Channel::UntilClosed(WAIT), wait);
        server.join().unwrap();
        answer
    }

    #[test]
    fn an_answer_ends_with_the_connection() {
        let echo = |mut stream: TcpStream| {
            let mut question = [0; 8];
            stream.read_exact(&mut question).unwrap();
            stream.write_all(&question).unwrap();
        };
        assert_eq!(answer(echo, WAIT).unwrap(), b"question");
    }

    #[test]
    fn answers_without_end_are_refused() {
        let endless = |mut stream: TcpStream| while stream.write_all(&[b'x'; 4096]).is_ok() {};
        assert_eq!(answer(endless, WAIT).unwrap_err().kind(), ErrorKind::FileTooLarge);
        // One that comes in drops has no more time than any other.
        let slow = |mut stream: TcpStream| {
            while stream.write_all(b"x").is_ok() {
                thread::sleep(Duration::from_millis(20));
            }
        };
        assert!(answer(slow, Duration::from_millis(200)).is_err());
    }
}
