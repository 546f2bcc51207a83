//! The only road out of a jail with `network: listed-hosts`: a proxy per session.
//!
//! ```text
//! program --TCP 127.0.0.1:13128--> (listener of the jail's network) --> proxy --> host
//! ```
//!
//! The stage inside makes the listener and hands it, as a descriptor, to the worker; then it
//! forgets it. So nothing of ours runs inside, no socket of ours has a path there, and a
//! program that talks to the port by any means meets the same rules. The proxy lives in the
//! worker and so as long as the session, whatever the daemon does.
//!
//! It speaks CONNECT, absolute-form HTTP and SOCKS5. It resolves names itself, refuses
//! addresses of the inside of a network, and dials exactly the address it checked.

mod channel;
mod dial;
mod head;
mod proxy;
mod rules;
mod socks;

pub use rules::{HostRule, RuleError, Rules};

pub(crate) use channel::{connect, hand_over};

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::JailError;
use crate::limits::EGRESS_EVENTS_MAX;

/// Where programs inside find the proxy.
pub const ADDRESS: &str = "127.0.0.1:13128";

/// Why a connection was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeniedReason {
    NotListed,
    /// Listed, but all it resolves to is inside a network.
    AddressRefused,
    Malformed,
    DialFailed,
}

impl DeniedReason {
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NotListed => "not_listed",
            Self::AddressRefused => "address_refused",
            Self::Malformed => "malformed",
            Self::DialFailed => "dial_failed",
        }
    }
}

/// One refusal. The host is what the program asked for: untrusted text, bounded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denied {
    pub host: String,
    pub port: u16,
    pub reason: DeniedReason,
}

/// What the proxy of one session did; shared with whoever reports it.
#[derive(Debug, Default)]
pub struct Report {
    allowed: AtomicU64,
    denied: AtomicU64,
    recent: Mutex<VecDeque<Denied>>,
}

impl Report {
    #[must_use]
    pub fn allowed(&self) -> u64 {
        self.allowed.load(Ordering::Relaxed)
    }

    #[must_use]
    pub fn denied(&self) -> u64 {
        self.denied.load(Ordering::Relaxed)
    }

    /// Refusals since the last call, oldest first; beyond a bound only counted.
    #[must_use]
    pub fn take_denied(&self) -> Vec<Denied> {
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        recent.drain(..).collect()
    }

    fn count_allowed(&self) {
        self.allowed.fetch_add(1, Ordering::Relaxed);
    }

    fn add_denied(&self, denied: Denied) {
        self.denied.fetch_add(1, Ordering::Relaxed);
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        if recent.len() < EGRESS_EVENTS_MAX {
            recent.push_back(denied);
        }
    }
}

/// The proxy of one session: a thread that ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Egress {
    pub socket_name: String,
    pub report: Arc<Report>,
    stop: Option<tokio::sync::oneshot::Sender<()>>,
}

impl Egress {
    /// Starts the thread; it waits for the stage's listener and then serves.
    pub(crate) fn start(rules: Rules) -> Result<Self, JailError> {
        let failed = |error: std::io::Error| JailError::Start {
            detail: format!("the egress proxy: {error}"),
            fix: "Raise the limits of open files and processes.".to_owned(),
        };
        let (socket_name, channel) = channel::listen().map_err(failed)?;
        let report = Arc::new(Report::default());
        let (stop, stopped) = tokio::sync::oneshot::channel();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(RESOLVER_THREADS)
            .build()
            .map_err(failed)?;
        let shared = Arc::new(proxy::Shared::new(rules, Arc::clone(&report)));
        std::thread::Builder::new()
            .name("egress".to_owned())
            .spawn(move || {
                runtime.block_on(async {
                    tokio::select! {
                        _ = stopped => {}
                        () = proxy::run(channel, shared) => {}
                    }
                });
                runtime.shutdown_background();
            })
            .map_err(failed)?;
        Ok(Self { socket_name, report, stop: Some(stop) })
    }
}

/// Name look-ups at once; more wait their turn.
const RESOLVER_THREADS: usize = 8;

impl Drop for Egress {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
    }
}
