//! Random bytes and names. Without randomness none is made: a guessable name is worse than an
//! error.

/// Random bytes.
///
/// # Errors
/// The system gives none.
pub(crate) fn random<const N: usize>() -> Result<[u8; N], getrandom::Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)?;
    Ok(bytes)
}

/// The same in hexadecimal digits, two a byte.
///
/// # Errors
/// The system gives no randomness.
pub(crate) fn random_hex<const N: usize>() -> Result<String, getrandom::Error> {
    Ok(hex::encode(random::<N>()?))
}

#[cfg(test)]
mod tests {
    use super::random_hex;

    #[test]
    fn two_digits_a_byte_and_never_the_same() {
        let (one, other) = (random_hex::<8>().unwrap(), random_hex::<8>().unwrap());
        assert_ne!(one, other);
        assert_eq!(one.len(), 16);
        assert!(one.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')));
    }
}
