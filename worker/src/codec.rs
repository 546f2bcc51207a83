//! Messages on the socket: four bytes of length, big end first, then MessagePack.
//!
//! Both sides refuse a length above the cap before they make room for it, and end the link on
//! the first message that does not decode; there is no way back into step.

use serde::{Serialize, de::DeserializeOwned};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio_util::bytes::{Buf, BytesMut};

use crate::limits::{FRAME_BYTES_MAX, READ_BUFFER_BYTES, READ_BUFFER_KEPT_BYTES};

const HEADER: usize = 4;

#[derive(Debug, thiserror::Error)]
pub enum CodecError {
    #[error("a message of {bytes} bytes is above the cap of {FRAME_BYTES_MAX}")]
    TooLarge { bytes: usize },
    #[error("a message does not decode: {0}")]
    Malformed(String),
    #[error("the connection ended inside a message")]
    Torn,
    #[error("the connection failed: {0}")]
    Io(#[from] std::io::Error),
}

/// One message, ready for the socket.
///
/// # Errors
/// When it is above the cap.
pub fn encode<T: Serialize>(message: &T) -> Result<Vec<u8>, CodecError> {
    let mut out = vec![0; HEADER];
    let mut serializer = rmp_serde::Serializer::new(&mut out).with_struct_map();
    message.serialize(&mut serializer).map_err(|error| CodecError::Malformed(error.to_string()))?;
    let bytes = out.len() - HEADER;
    let length = u32::try_from(bytes).ok().filter(|_| bytes <= FRAME_BYTES_MAX);
    let Some(length) = length else {
        return Err(CodecError::TooLarge { bytes });
    };
    for (place, byte) in out.iter_mut().zip(length.to_be_bytes()) {
        *place = byte;
    }
    Ok(out)
}

/// Takes the first whole message's bytes off the buffer; `None` when more is needed.
///
/// # Errors
/// When the announced length is above the cap.
pub fn take_frame(buffer: &mut BytesMut) -> Result<Option<BytesMut>, CodecError> {
    let Some(header) = buffer.first_chunk::<HEADER>() else {
        return Ok(None);
    };
    let bytes = usize::try_from(u32::from_be_bytes(*header)).unwrap_or(usize::MAX);
    if bytes > FRAME_BYTES_MAX {
        return Err(CodecError::TooLarge { bytes });
    }
    if buffer.len() < HEADER + bytes {
        return Ok(None);
    }
    buffer.advance(HEADER);
    Ok(Some(buffer.split_to(bytes)))
}

/// # Errors
/// When the bytes are not such a message.
pub fn decode<T: DeserializeOwned>(frame: &[u8]) -> Result<T, CodecError> {
    rmp_serde::from_slice(frame).map_err(|error| CodecError::Malformed(error.to_string()))
}

/// Reads messages; `next` may be dropped at any await and called again.
#[derive(Debug)]
pub struct MessageReader<R> {
    stream: R,
    buffer: BytesMut,
}

impl<R: AsyncRead + Unpin> MessageReader<R> {
    pub fn new(stream: R) -> Self {
        Self { stream, buffer: BytesMut::new() }
    }

    /// The next message; `None` when the other side is done.
    ///
    /// # Errors
    /// When the stream fails or carries something else than messages.
    pub async fn next<T: DeserializeOwned>(&mut self) -> Result<Option<T>, CodecError> {
        loop {
            if let Some(frame) = take_frame(&mut self.buffer)? {
                let message = decode(&frame)?;
                drop(frame);
                if self.buffer.is_empty() && self.buffer.capacity() > READ_BUFFER_KEPT_BYTES {
                    self.buffer = BytesMut::new();
                }
                return Ok(Some(message));
            }
            self.buffer.reserve(READ_BUFFER_BYTES);
            if self.stream.read_buf(&mut self.buffer).await? == 0 {
                return if self.buffer.is_empty() { Ok(None) } else { Err(CodecError::Torn) };
            }
        }
    }
}

#[cfg(test)]
#[path = "codec_tests.rs"]
mod tests;
