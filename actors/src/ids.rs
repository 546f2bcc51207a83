//! Random names.

/// `bytes` random bytes in hex. Without randomness nothing of this service is safe, so a
/// system that has none ends the call by an all-zero name never being accepted anywhere.
#[must_use]
pub fn random_hex(bytes: usize) -> String {
    let mut buffer = vec![0; bytes];
    if let Err(error) = getrandom::fill(&mut buffer) {
        tracing::error!(%error, "the system gives no random bytes");
    }
    hex::encode(buffer)
}

/// `ts_<16 hex>`
#[must_use]
pub fn session_id() -> String {
    format!("ts_{}", random_hex(8))
}
