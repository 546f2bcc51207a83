//! `ttydrive serve`: start and stop order of the service.
//!
//! Configuration → data dir and store → actors (recovering) → HTTP → ready line. SIGHUP
//! re-reads the file, SIGTERM and SIGINT drain. Nothing here decides anything.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use actors::System;
use profiles::Profiles;
use serde_json::json;
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::{demo, logs, output};
use crate::config::{self, Lowered, Overrides};

#[derive(clap::Args, Clone)]
#[command(after_help = "Example:\n  ttydrive serve --bind 127.0.0.1:0 --data-dir /tmp/ttydrive")]
pub struct Args {
    /// Configuration file (default: $TTYDRIVE_CONFIG, ~/.config/ttydrive/config.yaml,
    /// /etc/ttydrive/config.yaml, the embedded default)
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Address to listen on; port 0 picks a free one
    #[arg(long, value_name = "ADDR:PORT", value_parser = bind_address)]
    bind: Option<String>,
    /// Data dir
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// How log lines look
    #[arg(long, value_enum, default_value_t = logs::Format::Text)]
    log_format: logs::Format,
}

/// Checked here too, so that a slip on the command line is a usage error.
fn bind_address(text: &str) -> Result<String, String> {
    let parsed = text.parse::<std::net::SocketAddr>();
    parsed.map(|_| text.to_owned()).map_err(|_| "needs ADDRESS:PORT, such as 127.0.0.1:7717".into())
}

/// What happens once the service is ready.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Afterwards {
    Serve,
    Demonstrate,
}

/// The whole drain, after which the process ends whatever is still open.
const DRAIN_MAX: Duration = Duration::from_secs(9);

pub fn run(args: Args, afterwards: Afterwards) -> ExitCode {
    logs::start(args.log_format);
    let overrides = Overrides { config: args.config, data_dir: args.data_dir, bind: args.bind };
    let lowered = match config::load(&overrides) {
        Ok(lowered) => lowered,
        Err(error) => {
            return output::fail(
                &format!("the configuration is not valid\n{error}"),
                Some("`ttydrive config check` shows the same without starting"),
            );
        }
    };
    actix_rt::System::new().block_on(serve(lowered, overrides, afterwards))
}

async fn serve(lowered: Lowered, overrides: Overrides, afterwards: Afterwards) -> ExitCode {
    announce(&lowered);
    let Lowered { settings, server: server_settings, .. } = lowered;
    let data_dir = settings.data_dir.clone();
    let exe = match std::env::current_exe() {
        Ok(exe) => exe,
        Err(error) => return output::fail(&format!("cannot find my own binary: {error}"), None),
    };
    let profiles = match load_profiles(&settings.profile_paths) {
        Ok(profiles) => profiles,
        Err(message) => return output::fail(&message, None),
    };
    let mut signals = match Signals::new() {
        Ok(signals) => signals,
        Err(error) => return output::fail(&format!("cannot listen to signals: {error}"), None),
    };
    let system = match System::start(settings, profiles, exe).await {
        Ok(system) => system,
        Err(error) => return output::fail(&error.to_string(), error.hint().as_deref()),
    };
    let server = match api::serve(system.clone(), server_settings).await {
        Ok(server) => server,
        Err(error) => return output::fail(&error.to_string(), error.hint().as_deref()),
    };
    system.wait_ready().await;
    let url = format!("http://{}", server.address());
    let ready = json!({
        "ready": true, "url": url, "dataDir": data_dir, "recovered": system.recovered(),
    });
    output::line(&ready.to_string());
    if afterwards == Afterwards::Demonstrate {
        demo::start(url, data_dir);
    }
    signals.run(&system, &overrides).await;
    tracing::info!("draining");
    let drained = tokio::time::timeout(DRAIN_MAX, async {
        system.drain().await;
        server.stop().await;
    });
    if drained.await.is_err() {
        tracing::warn!("the drain took too long; leaving what is still open");
    }
    ExitCode::SUCCESS
}

/// What an operator must not miss.
fn announce(lowered: &Lowered) {
    for warning in &lowered.warnings {
        tracing::warn!("configuration: {warning}");
    }
    for (id, agent) in &lowered.settings.agents {
        if agent.terminal.unsafe_disable_sandbox {
            tracing::error!(
                agent = %id,
                "unsafeDisableSandbox is true: programs of this agent run WITHOUT a jail"
            );
        }
    }
}

fn load_profiles(paths: &[PathBuf]) -> Result<Profiles, String> {
    let mut profiles = Profiles::builtin().map_err(|error| error.to_string())?;
    for path in paths {
        profiles
            .load_dir(path)
            .map_err(|error| format!("profile in {}: {error}", path.display()))?;
    }
    Ok(profiles)
}

struct Signals {
    hangup: Signal,
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    fn new() -> std::io::Result<Self> {
        Ok(Self {
            hangup: signal(SignalKind::hangup())?,
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    /// Reloads on SIGHUP and returns when it is time to stop.
    async fn run(&mut self, system: &System, overrides: &Overrides) {
        loop {
            tokio::select! {
                _ = self.terminate.recv() => return,
                _ = self.interrupt.recv() => return,
                _ = self.hangup.recv() => reload(system, overrides).await,
            }
        }
    }
}

/// A file with an error changes nothing. The bound address and the data dir stay as they
/// are until the next start.
async fn reload(system: &System, overrides: &Overrides) {
    let mut overrides = overrides.clone();
    overrides.data_dir = Some(system.settings().data_dir.clone());
    match config::load(&overrides) {
        Ok(lowered) => {
            announce(&lowered);
            system.reload(lowered.settings).await;
            tracing::info!("configuration reloaded");
        }
        Err(error) => tracing::error!("configuration not reloaded, nothing changed:\n{error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::bind_address;

    #[test]
    fn an_address_needs_a_port() {
        assert_eq!(bind_address("127.0.0.1:0"), Ok("127.0.0.1:0".to_owned()));
        assert!(bind_address("[::1]:7717").is_ok());
        for bad in ["x", "127.0.0.1", "localhost:7717", ":7717", "127.0.0.1:70000"] {
            assert!(bind_address(bad).is_err(), "{bad}");
        }
    }
}
