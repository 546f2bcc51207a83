//! SOCKS5 without authentication, CONNECT only.

use std::net::{Ipv4Addr, Ipv6Addr};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::DeniedReason;
use super::rules::is_name;

pub(super) const VERSION: u8 = 5;
const NO_AUTHENTICATION: u8 = 0;
const NOTHING_ACCEPTABLE: u8 = 0xff;
const CONNECT: u8 = 1;

/// Reads the greeting (its first byte is `VERSION`) and the request: host and port.
/// `None`: malformed, or something else than CONNECT.
pub(super) async fn read_request(client: &mut TcpStream) -> std::io::Result<Option<(String, u16)>> {
    let mut greeting = [0; 2];
    client.read_exact(&mut greeting).await?;
    let mut methods = vec![0; usize::from(greeting[1])];
    client.read_exact(&mut methods).await?;
    if !methods.contains(&NO_AUTHENTICATION) {
        client.write_all(&[VERSION, NOTHING_ACCEPTABLE]).await?;
        return Ok(None);
    }
    client.write_all(&[VERSION, NO_AUTHENTICATION]).await?;
    let mut request = [0; 4];
    client.read_exact(&mut request).await?;
    let [version, command, _, kind] = request;
    let host = match kind {
        1 => {
            let mut bytes = [0; 4];
            client.read_exact(&mut bytes).await?;
            Some(Ipv4Addr::from(bytes).to_string())
        }
        3 => {
            let mut name = vec![0; usize::from(client.read_u8().await?)];
            client.read_exact(&mut name).await?;
            let name = String::from_utf8(name).ok();
            name.filter(|name| is_name(name.strip_suffix('.').unwrap_or(name)))
        }
        4 => {
            let mut bytes = [0; 16];
            client.read_exact(&mut bytes).await?;
            Some(Ipv6Addr::from(bytes).to_string())
        }
        _ => None,
    };
    let port = client.read_u16().await?;
    Ok(host.filter(|_| version == VERSION && command == CONNECT).map(|host| (host, port)))
}

/// The answer to a request; the address in it is of no use to anyone and so is none.
pub(super) fn answer(result: Result<(), DeniedReason>) -> [u8; 10] {
    let code = match result {
        Ok(()) => 0,
        Err(DeniedReason::NotListed | DeniedReason::AddressRefused) => 2,
        Err(DeniedReason::DialFailed) => 5,
        Err(DeniedReason::Malformed) => 7,
    };
    [VERSION, code, 0, 1, 0, 0, 0, 0, 0, 0]
}
