//! Serves one session's connections.

use std::os::unix::net::UnixListener;
use std::sync::Arc;

use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::rules::Rules;
use super::{Denied, DeniedReason, Report, channel, dial::dial, head, socks};
use crate::limits::{EGRESS_CONNECTIONS_MAX, EGRESS_HEAD, EGRESS_HEAD_BYTES_MAX, EGRESS_HOST_MAX};

pub(super) struct Shared {
    rules: Rules,
    report: Arc<Report>,
    room: Semaphore,
}

impl Shared {
    pub(super) fn new(rules: Rules, report: Arc<Report>) -> Self {
        Self { rules, report, room: Semaphore::new(EGRESS_CONNECTIONS_MAX) }
    }

    fn deny(&self, host: &str, port: u16, reason: DeniedReason) {
        let host = host.chars().take(EGRESS_HOST_MAX).collect();
        self.report.add_denied(Denied { host, port, reason });
    }
}

/// Between two tries when the process is out of descriptors.
const PAUSE: std::time::Duration = std::time::Duration::from_millis(50);

/// Waits for the listener of the jail, then accepts for ever.
pub(super) async fn run(channel: UnixListener, shared: Arc<Shared>) {
    let Ok(listener) = take_listener(channel).await else { return };
    loop {
        // More than the bound wait in the listener's queue.
        let Ok(room) = shared.room.acquire().await else { return };
        room.forget();
        match listener.accept().await {
            Ok((client, _)) => {
                let shared = Arc::clone(&shared);
                tokio::spawn(async move {
                    let _ = serve(client, &shared).await;
                    shared.room.add_permits(1);
                });
            }
            // Out of descriptors, or a client that left: the next one may do.
            Err(_) => {
                shared.room.add_permits(1);
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

async fn take_listener(channel: UnixListener) -> std::io::Result<TcpListener> {
    let channel = tokio::net::UnixListener::from_std(channel)?;
    loop {
        let (stream, _) = channel.accept().await?;
        let stream = stream.into_std()?;
        if !channel::is_own(&stream) {
            continue;
        }
        let waiting = tokio::net::UnixStream::from_std(stream)?;
        waiting.readable().await?;
        let listener = channel::receive(&waiting.into_std()?)?;
        listener.set_nonblocking(true)?;
        return TcpListener::from_std(listener);
    }
}

async fn serve(mut client: TcpStream, shared: &Shared) -> std::io::Result<()> {
    let mut first = [0];
    match timeout(EGRESS_HEAD, client.peek(&mut first)).await {
        Ok(Ok(1)) if first == [socks::VERSION] => serve_socks(client, shared).await,
        Ok(Ok(1)) => serve_http(client, shared).await,
        Ok(_) | Err(_) => client.shutdown().await,
    }
}

async fn serve_http(mut client: TcpStream, shared: &Shared) -> std::io::Result<()> {
    let read = timeout(EGRESS_HEAD, read_head(&mut client)).await;
    let Ok(Ok(Some((head, rest)))) = read else {
        shared.deny("", 0, DeniedReason::Malformed);
        return refuse(&mut client, DeniedReason::Malformed).await;
    };
    let Some(asked) = head::parse(&head) else {
        shared.deny("", 0, DeniedReason::Malformed);
        return refuse(&mut client, DeniedReason::Malformed).await;
    };
    let mut server = match dial(&shared.rules, &asked.host, asked.port).await {
        Ok(server) => server,
        Err(reason) => {
            shared.deny(&asked.host, asked.port, reason);
            return refuse(&mut client, reason).await;
        }
    };
    shared.report.count_allowed();
    match &asked.forward {
        None => client.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n").await?,
        Some(forward) => server.write_all(forward).await?,
    }
    server.write_all(&rest).await?;
    pump(client, server).await
}

async fn serve_socks(mut client: TcpStream, shared: &Shared) -> std::io::Result<()> {
    let request = timeout(EGRESS_HEAD, socks::read_request(&mut client)).await;
    let Ok(Ok(Some((host, port)))) = request else {
        shared.deny("", 0, DeniedReason::Malformed);
        return client.write_all(&socks::answer(Err(DeniedReason::Malformed))).await;
    };
    match dial(&shared.rules, &host, port).await {
        Ok(server) => {
            shared.report.count_allowed();
            client.write_all(&socks::answer(Ok(()))).await?;
            pump(client, server).await
        }
        Err(reason) => {
            shared.deny(&host, port, reason);
            client.write_all(&socks::answer(Err(reason))).await
        }
    }
}

async fn pump(mut client: TcpStream, mut server: TcpStream) -> std::io::Result<()> {
    let _ = client.set_nodelay(true);
    let _ = server.set_nodelay(true);
    copy_bidirectional(&mut client, &mut server).await.map(drop)
}

/// The head up to its blank line, and what came behind it. `None`: too large.
async fn read_head(client: &mut TcpStream) -> std::io::Result<Option<(Vec<u8>, Vec<u8>)>> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 2048];
    loop {
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n").map(|at| at + 4);
        match end {
            Some(end) if end <= EGRESS_HEAD_BYTES_MAX => {
                let rest = bytes.split_off(end);
                return Ok(Some((bytes, rest)));
            }
            None if bytes.len() <= EGRESS_HEAD_BYTES_MAX => {}
            Some(_) | None => return Ok(None),
        }
        let count = client.read(&mut buffer).await?;
        if count == 0 {
            return Ok(None);
        }
        bytes.extend_from_slice(buffer.get(..count).unwrap_or_default());
    }
}

async fn refuse(client: &mut TcpStream, reason: DeniedReason) -> std::io::Result<()> {
    let (status, why) = match reason {
        DeniedReason::NotListed => ("403 Forbidden", "this host is not in scope.hosts"),
        DeniedReason::AddressRefused => {
            ("403 Forbidden", "this host resolves to an address inside a network")
        }
        DeniedReason::Malformed => ("400 Bad Request", "not a proxy request, or a head over 8 KiB"),
        DeniedReason::DialFailed => ("502 Bad Gateway", "this host cannot be reached"),
    };
    let body = format!("ttydrive: {why}\n");
    let answer = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/plain\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n{body}",
        body.len()
    );
    client.write_all(answer.as_bytes()).await?;
    client.shutdown().await?;
    // What the client is still sending is read away for a moment, or the kernel answers it
    // with a reset that can overtake the refusal.
    let mut sink = tokio::io::sink();
    let mut rest = client.take(u64::try_from(EGRESS_HEAD_BYTES_MAX * 8).unwrap_or(u64::MAX));
    let _ = timeout(std::time::Duration::from_secs(1), tokio::io::copy(&mut rest, &mut sink)).await;
    Ok(())
}
