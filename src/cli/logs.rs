//! Logs go to standard error; `--log-format json` is for machines.

use clap::ValueEnum;
use tracing_subscriber::EnvFilter;

#[derive(Debug, Clone, Copy, ValueEnum, PartialEq, Eq)]
pub enum Format {
    Text,
    Json,
}

/// Starts logging. `TTYDRIVE_LOG` takes filters such as `info,actors=debug`.
pub fn start(format: Format) {
    let filter = EnvFilter::try_from_env("TTYDRIVE_LOG").unwrap_or_else(|_| EnvFilter::new("info"));
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    // A second start in one process keeps the first subscriber, which is what is wanted.
    let started = match format {
        Format::Text => builder.with_ansi(false).try_init(),
        Format::Json => builder.json().try_init(),
    };
    drop(started);
}
