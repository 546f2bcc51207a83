//! The secret itself: made, parsed, hashed.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use super::TokenError;
use crate::ids;

pub(super) const SECRET_BYTES: usize = 32;
/// Random bytes of a token id; it only names, it does not protect.
const ID_BYTES: usize = 8;

pub(super) type Hash = [u8; 32];

/// A fresh secret, base64url without padding.
pub(super) fn make() -> Result<String, TokenError> {
    Ok(URL_SAFE_NO_PAD.encode(random::<SECRET_BYTES>()?))
}

pub(super) fn make_id() -> Result<String, TokenError> {
    Ok(format!("tok_{}", hex::encode(random::<ID_BYTES>()?)))
}

fn random<const N: usize>() -> Result<[u8; N], TokenError> {
    ids::random().map_err(|e| TokenError::Random(e.to_string()))
}

/// `None` when the text cannot be one of our secrets.
pub(super) fn hash(secret: &str) -> Option<Hash> {
    let bytes = URL_SAFE_NO_PAD.decode(secret).ok()?;
    (bytes.len() == SECRET_BYTES).then(|| Sha256::digest(bytes).into())
}
