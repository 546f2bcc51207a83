use proptest::prelude::*;

use super::*;
use crate::protocol::{Request, ToDaemon, ToWorker};

fn requests() -> Vec<ToWorker> {
    vec![
        ToWorker::Hello { version: 1 },
        ToWorker::Request { id: 7, body: Request::Resize { cols: 100, rows: 30 } },
        ToWorker::Request {
            id: u64::MAX,
            body: Request::Write { bytes: vec![0, 27, 255], deadline_ms: 5 },
        },
        ToWorker::Request { id: 8, body: Request::Shutdown },
    ]
}

proptest! {
    #[test]
    fn any_cutting_gives_the_same_messages(cuts in prop::collection::vec(1_usize..9, 1..40)) {
        let stream: Vec<u8> = requests().iter().flat_map(|m| encode(m).unwrap()).collect();
        let mut buffer = BytesMut::new();
        let mut seen = Vec::new();
        let mut rest = stream.as_slice();
        for cut in cuts.iter().cycle() {
            let (now, later) = rest.split_at((*cut).min(rest.len()));
            buffer.extend_from_slice(now);
            rest = later;
            while let Some(frame) = take_frame(&mut buffer).unwrap() {
                seen.push(format!("{:?}", decode::<ToWorker>(&frame).unwrap()));
            }
            if rest.is_empty() {
                break;
            }
        }
        let sent: Vec<String> = requests().iter().map(|m| format!("{m:?}")).collect();
        prop_assert_eq!(seen, sent);
    }

    #[test]
    fn noise_is_an_error_and_never_a_panic(noise in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = decode::<ToWorker>(&noise);
        let _ = decode::<ToDaemon>(&noise);
        let mut buffer = BytesMut::from(noise.as_slice());
        while let Ok(Some(frame)) = take_frame(&mut buffer) {
            let _ = decode::<ToDaemon>(&frame);
        }
    }

    #[test]
    fn a_damaged_message_is_an_error_or_another_message(at in 0_usize..60, to in any::<u8>()) {
        for message in requests() {
            let mut bytes = encode(&message).unwrap();
            if let Some(place) = bytes.get_mut(4 + at) {
                *place = to;
            }
            let _ = decode::<ToWorker>(&bytes[4..]);
        }
    }
}

#[test]
fn a_length_above_the_cap_is_refused_before_its_bytes_come() {
    let mut buffer = BytesMut::from(&(16 * 1024 * 1024 + 1_u32).to_be_bytes()[..]);
    assert!(matches!(take_frame(&mut buffer), Err(CodecError::TooLarge { bytes: 16_777_217 })));
    let mut buffer = BytesMut::from(&(16 * 1024 * 1024_u32).to_be_bytes()[..]);
    assert!(matches!(take_frame(&mut buffer), Ok(None)));
}

#[test]
fn a_message_above_the_cap_is_not_sent() {
    let body = Request::Write { bytes: vec![0; FRAME_BYTES_MAX], deadline_ms: 0 };
    let message = ToWorker::Request { id: 1, body };
    assert!(matches!(encode(&message), Err(CodecError::TooLarge { .. })));
}

#[tokio::test]
async fn an_end_inside_a_message_is_told_from_a_clean_end() {
    let bytes = encode(&ToWorker::Hello { version: 3 }).unwrap();
    let mut whole = MessageReader::new(bytes.as_slice());
    assert!(matches!(whole.next().await, Ok(Some(ToWorker::Hello { version: 3 }))));
    assert!(matches!(whole.next::<ToWorker>().await, Ok(None)));
    let mut torn = MessageReader::new(&bytes[..bytes.len() - 1]);
    assert!(matches!(torn.next::<ToWorker>().await, Err(CodecError::Torn)));
}
