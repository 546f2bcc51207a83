//! What the operator says about listening.

use std::net::SocketAddr;
use std::path::PathBuf;

#[derive(Debug, Clone)]
pub struct ServerSettings {
    /// Port 0 picks a free one.
    pub bind: SocketAddr,
    pub unix_socket: Option<PathBuf>,
    pub allow_remote: bool,
    /// Host names accepted besides the loopback ones.
    pub allowed_hosts: Vec<String>,
    /// Acts like `Prefer: wait` on calls without that header.
    pub foreground_ms: Option<u64>,
}
