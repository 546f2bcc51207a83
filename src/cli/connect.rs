//! Where the service is and who asks it: flags, environment, configuration, data dir.

use std::net::IpAddr;
use std::path::PathBuf;

use super::client::Failure;
use crate::config::{self, Overrides};

/// The only hosts that get the admin token without being asked for it.
const LOOPBACK_NAME: &str = "localhost";

/// At each flag and not once for all: a heading for all goes on to the flags of the verb.
const HEADING: &str = "Service";

#[derive(clap::Args)]
pub struct Connect {
    /// Where the service is (default: the bind address of the configuration)
    #[arg(long, help_heading = HEADING, env = "TTYDRIVE_URL", value_name = "URL")]
    url: Option<String>,
    /// File with the token (default: $TTYDRIVE_TOKEN, then the data dir's admin token)
    #[arg(long, help_heading = HEADING, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Configuration file that names address and data dir
    #[arg(long, help_heading = HEADING, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Data dir of the service
    #[arg(long, help_heading = HEADING, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// Session key of the caller (default: main)
    #[arg(long, help_heading = HEADING, value_name = "KEY", value_parser = header_value)]
    pub session_key: Option<String>,
    /// Print JSON, as the service gave it
    #[arg(long, help_heading = HEADING)]
    pub json: bool,
}

impl Connect {
    /// Address and token.
    pub fn resolve(&self) -> Result<(String, String), Failure> {
        let url = match &self.url {
            Some(url) => url.trim_end_matches('/').to_owned(),
            None => self.configured_url()?,
        };
        if !url.starts_with("http://") {
            return Err(Failure::usage(
                format!("`{url}` is not an http:// URL"),
                "Such as http://127.0.0.1:7717. For a remote service use a tunnel.",
            ));
        }
        let token = self.token(&url)?;
        let token = token.trim();
        header_value(token).map_err(|_| {
            Failure::new("the token is empty or has odd characters", Some(TOKEN_HINT))
        })?;
        Ok((url, token.to_owned()))
    }

    fn token(&self, url: &str) -> Result<String, Failure> {
        let read = |path: &PathBuf| {
            std::fs::read_to_string(path).map_err(|error| {
                let message = format!("cannot read {}: {error}", path.display());
                Failure::new(message, Some(TOKEN_HINT))
            })
        };
        if let Some(path) = &self.token_file {
            return read(path);
        }
        if let Ok(token) = std::env::var("TTYDRIVE_TOKEN") {
            return Ok(token);
        }
        if !is_loopback(url) {
            return Err(Failure::usage(
                format!("the admin token of this machine is not sent to {url}"),
                TOKEN_HINT,
            ));
        }
        let data_dir = match &self.data_dir {
            Some(dir) => dir.clone(),
            None => self.load()?.settings.data_dir,
        };
        read(&data_dir.join("admin-token"))
    }

    fn configured_url(&self) -> Result<String, Failure> {
        let mut bind = self.load()?.server.bind;
        if bind.port() == 0 {
            return Err(Failure::usage(
                "the configuration leaves the port open",
                "Give the `url` of the ready line with --url.",
            ));
        }
        if bind.ip().is_unspecified() {
            bind.set_ip(match bind.ip() {
                IpAddr::V4(_) => std::net::Ipv4Addr::LOCALHOST.into(),
                IpAddr::V6(_) => std::net::Ipv6Addr::LOCALHOST.into(),
            });
        }
        Ok(format!("http://{bind}"))
    }

    fn load(&self) -> Result<config::Lowered, Failure> {
        let overrides = Overrides {
            config: self.config.clone(),
            data_dir: self.data_dir.clone(),
            ..Overrides::default()
        };
        config::load(&overrides).map_err(|error| {
            let message = format!("the configuration is not valid\n{error}");
            Failure::new(message, Some("--url with --token-file needs no configuration."))
        })
    }
}

const TOKEN_HINT: &str = "Give a token with --token-file or $TTYDRIVE_TOKEN; \
                          `ttydrive token create` makes one.";

/// As the client that sends the token reads the URL.
fn is_loopback(url: &str) -> bool {
    let Ok(uri) = url.parse::<ureq::http::Uri>() else { return false };
    let host = uri.host().unwrap_or("").trim_matches(['[', ']']);
    host == LOOPBACK_NAME || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

fn header_value(text: &str) -> Result<String, String> {
    if text.is_empty() || !text.chars().all(|c| c.is_ascii_graphic()) {
        return Err("needs visible ASCII characters".to_owned());
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::is_loopback;

    #[test]
    fn the_admin_token_stays_on_this_machine() {
        for near in ["http://127.0.0.1:7717", "http://localhost", "http://[::1]:1/x"] {
            assert!(is_loopback(near), "{near}");
        }
        for far in [
            "http://example.org:7717",
            "http://127.0.0.1@example.org",
            "http://127.0.0.1.example.org",
            "http://localhost.example.org/",
            "http://10.0.0.1",
            "http://",
        ] {
            assert!(!is_loopback(far), "{far}");
        }
    }
}
