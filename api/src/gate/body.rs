//! Reads a body up to the limit.

use actix_web::http::header;
use actix_web::{HttpRequest, web};
use futures_util::StreamExt;
use tokio::time::timeout;

use crate::limits::{BODY_BYTES_MAX, BODY_DISCARD_BYTES_MAX, BODY_DISCARD_WAIT, BODY_WAIT};
use crate::problem::{Code, Problem};

/// # Errors
/// `too_large`, or `invalid_value` when the body breaks off.
pub async fn read(http: &HttpRequest, mut payload: web::Payload) -> Result<web::Bytes, Problem> {
    let announced = http
        .headers()
        .get(header::CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.parse::<u64>().ok());
    if announced.is_some_and(|bytes| bytes > BODY_BYTES_MAX as u64) {
        discard(&mut payload).await;
        return Err(too_large());
    }
    let mut body = web::BytesMut::new();
    let reading = async {
        while let Some(chunk) = payload.next().await {
            let chunk = chunk.map_err(|_| broken())?;
            if body.len() + chunk.len() > BODY_BYTES_MAX {
                return Err(too_large());
            }
            body.extend_from_slice(&chunk);
        }
        Ok(())
    };
    match timeout(BODY_WAIT, reading).await {
        Ok(Ok(())) => Ok(body.freeze()),
        Ok(Err(problem)) => {
            discard(&mut payload).await;
            Err(problem)
        }
        Err(_) => Err(broken()),
    }
}

async fn discard(payload: &mut web::Payload) {
    let mut left = BODY_DISCARD_BYTES_MAX;
    let reading = async {
        while let Some(Ok(chunk)) = payload.next().await {
            match left.checked_sub(chunk.len()) {
                Some(rest) => left = rest,
                None => return,
            }
        }
    };
    // What is still unread when the time is over is the connection's problem.
    let _ = timeout(BODY_DISCARD_WAIT, reading).await;
}

fn too_large() -> Problem {
    Problem::new(Code::TooLarge, format!("the body has more than {BODY_BYTES_MAX} bytes"))
}

fn broken() -> Problem {
    Problem::new(Code::InvalidValue, "the body ended before it was complete")
        .hint("Send the whole body; check Content-Length.")
}
