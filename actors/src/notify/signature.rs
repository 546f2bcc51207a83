//! HMAC-SHA256 (RFC 2104) over the SHA-256 we have.

use sha2::{Digest, Sha256};

const BLOCK_BYTES: usize = 64;

/// `v1=<hex>`: the signature over `<timestamp>.<body>`.
#[must_use]
pub fn sign(secret: &str, timestamp: i64, body: &str) -> String {
    let message = format!("{timestamp}.{body}");
    format!("v1={}", hex::encode(hmac(secret.as_bytes(), message.as_bytes())))
}

fn hmac(key: &[u8], message: &[u8]) -> [u8; 32] {
    let hashed;
    let key = if key.len() > BLOCK_BYTES {
        hashed = Sha256::digest(key);
        hashed.as_slice()
    } else {
        key
    };
    let mut block = [0_u8; BLOCK_BYTES];
    block.iter_mut().zip(key).for_each(|(to, from)| *to = *from);
    let inner = Sha256::new().chain_update(block.map(|b| b ^ 0x36)).chain_update(message);
    let outer = Sha256::new().chain_update(block.map(|b| b ^ 0x5c));
    outer.chain_update(inner.finalize()).finalize().into()
}

#[cfg(test)]
mod tests {
    use super::hmac;

    /// RFC 4231, test cases 1, 2 and 6.
    #[test]
    fn published_vectors() {
        let cases: [(&[u8], &[u8], &str); 3] = [
            (
                &[0x0b; 20],
                b"Hi There",
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
            ),
            (
                b"Jefe",
                b"what do ya want for nothing?",
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
            ),
            (
                &[0xaa; 131],
                b"Test Using Larger Than Block-Size Key - Hash Key First",
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
            ),
        ];
        for (key, message, expected) in cases {
            assert_eq!(hex::encode(hmac(key, message)), expected);
        }
    }
}
