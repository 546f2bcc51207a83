//! Resolves, checks every address, dials one of those that passed.

use std::net::SocketAddr;

use tokio::net::TcpStream;
use tokio::time::timeout;

use super::DeniedReason;
use super::rules::{Rules, normal};
use crate::limits::EGRESS_DIAL;

/// Connects to a host the rules allow.
pub(super) async fn dial(rules: &Rules, host: &str, port: u16) -> Result<TcpStream, DeniedReason> {
    if !rules.allows(host, port) {
        return Err(DeniedReason::NotListed);
    }
    let name = normal(host);
    let lookup = timeout(EGRESS_DIAL, tokio::net::lookup_host((name.as_str(), port))).await;
    let addresses: Vec<SocketAddr> = match lookup {
        Ok(Ok(addresses)) => addresses.collect(),
        Ok(Err(_)) | Err(_) => return Err(DeniedReason::DialFailed),
    };
    let good: Vec<SocketAddr> = addresses
        .iter()
        .copied()
        .filter(|address| rules.allows_address(address.ip(), port))
        .collect();
    if good.is_empty() && !addresses.is_empty() {
        return Err(DeniedReason::AddressRefused);
    }
    for address in good {
        // The address that was checked, not the name: a second look-up could say another.
        if let Ok(Ok(stream)) = timeout(EGRESS_DIAL, TcpStream::connect(address)).await {
            return Ok(stream);
        }
    }
    Err(DeniedReason::DialFailed)
}
