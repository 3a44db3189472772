//! Messages to name servers and their answers.

use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream, UdpSocket};
use std::time::Duration;

/// How long an answer may be.
const LONGEST: usize = 65_535;

/// Sends a message as a datagram, or on a connection with its length in front, and waits for the answer.
pub(super) fn ask(server: &str, port: u16, message: &[u8], by_stream: bool, wait: Duration) -> io::Result<Vec<u8>> {
    let address: IpAddr = server.parse().map_err(|_| io::ErrorKind::InvalidInput)?;
    let target = SocketAddr::new(address, port);
    let wait = wait.max(Duration::from_millis(1));
    let mut answer = vec![0; LONGEST];
    if by_stream {
        let mut stream = TcpStream::connect_timeout(&target, wait)?;
        stream.set_read_timeout(Some(wait))?;
        stream.set_write_timeout(Some(wait))?;
        let length = u16::try_from(message.len()).map_err(|_| io::ErrorKind::InvalidInput)?;
        stream.write_all(&length.to_be_bytes())?;
        stream.write_all(message)?;
        let mut length = [0; 2];
        stream.read_exact(&mut length)?;
        answer.truncate(usize::from(u16::from_be_bytes(length)));
        stream.read_exact(&mut answer)?;
    } else {
        let any = if address.is_ipv4() { IpAddr::V4(Ipv4Addr::UNSPECIFIED) } else { IpAddr::V6(Ipv6Addr::UNSPECIFIED) };
        let socket = UdpSocket::bind(SocketAddr::new(any, 0))?;
        socket.connect(target)?;
        socket.set_read_timeout(Some(wait))?;
        socket.send(message)?;
        let length = socket.recv(&mut answer)?;
        answer.truncate(length);
    }
    Ok(answer)
}
