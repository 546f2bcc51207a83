//! Start and stop: listeners, the application, graceful end.

use std::fs::Permissions;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use actix_web::dev::ServerHandle;
use actix_web::middleware::from_fn;
use actix_web::{App, HttpRequest, HttpServer, web};
use actors::System;
use tokio::sync::watch;

use crate::budget::CallBudget;
use crate::gate::{self, Hosts, Shared};
use crate::limits::{CONNECTIONS_MAX, STOP_WAIT_SEC};
use crate::metrics::Metrics;
use crate::route::Route;
use crate::routes;
use crate::settings::ServerSettings;

#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("{bind} can be reached from other machines and server.allowRemote is not true")]
    Remote { bind: SocketAddr },
    #[error("cannot listen on {bind}")]
    Bind { bind: SocketAddr, source: io::Error },
    #[error("cannot listen on the unix socket {}", path.display())]
    UnixSocket { path: PathBuf, source: io::Error },
}

impl ServeError {
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Remote { .. } => "bind to 127.0.0.1, or set server.allowRemote: true and put \
                 TLS in front"
                .to_owned(),
            Self::Bind { source, .. } if source.kind() == io::ErrorKind::AddrInUse => {
                "another process has this port; use --bind 127.0.0.1:0 for any free one".to_owned()
            }
            Self::Bind { .. } => "check server.bind".to_owned(),
            Self::UnixSocket { .. } => "check server.unixSocket: its directory must exist and be \
                 writable, and no other service may use it"
                .to_owned(),
        })
    }
}

/// A running server.
pub struct Server {
    address: SocketAddr,
    handle: ServerHandle,
    stopping: watch::Sender<bool>,
    unix_socket: Option<PathBuf>,
}

impl Server {
    /// Where it really listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Ends streams, lets calls in flight finish for a moment, and stops.
    pub async fn stop(&self) {
        self.stopping.send_replace(true);
        let _ =
            tokio::time::timeout(Duration::from_secs(STOP_WAIT_SEC + 1), self.handle.stop(true))
                .await;
        if let Some(path) = &self.unix_socket {
            // The next start replaces a socket that stays behind.
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Whether these settings may be served at all.
///
/// # Errors
/// The address can be reached from other machines and that was not allowed.
pub fn check(settings: &ServerSettings) -> Result<(), ServeError> {
    let bind = settings.bind;
    if bind.ip().is_loopback() || settings.allow_remote {
        Ok(())
    } else {
        Err(ServeError::Remote { bind })
    }
}

/// Starts serving. Must be called inside an actix system.
///
/// # Errors
/// The address is not allowed or cannot be had.
pub async fn serve(system: System, settings: ServerSettings) -> Result<Server, ServeError> {
    let bind = settings.bind;
    check(&settings)?;
    let bind_error = |source| ServeError::Bind { bind, source };
    let listener = TcpListener::bind(bind).map_err(bind_error)?;
    let address = listener.local_addr().map_err(bind_error)?;
    let (stop, stopping) = watch::channel(false);
    let shared = web::Data::new(Shared {
        system,
        hosts: Arc::new(Hosts::new(address, &settings.allowed_hosts)),
        foreground: settings.foreground_ms.map(Duration::from_millis),
        metrics: Arc::new(Metrics::default()),
        budget: Arc::new(CallBudget::default()),
        stopping,
    });
    let server = HttpServer::new(move || {
        App::new()
            .app_data(shared.clone())
            .configure(register)
            .default_service(web::to(gate::no_such_path))
            .wrap(from_fn(gate::edge))
    })
    .workers(1)
    .max_connections(CONNECTIONS_MAX)
    .shutdown_timeout(STOP_WAIT_SEC)
    // A client that has gone away ends its call.
    .h1_allow_half_closed(false)
    .disable_signals()
    .listen(listener)
    .map_err(bind_error)?;
    let server = match &settings.unix_socket {
        Some(path) => {
            let error = |source| ServeError::UnixSocket { path: path.clone(), source };
            server.listen_uds(unix_listener(path).map_err(error)?).map_err(error)?
        }
        None => server,
    };
    let running = server.run();
    let handle = running.handle();
    actix_rt::spawn(async move {
        if let Err(error) = running.await {
            tracing::error!(%error, "the HTTP server ended");
        }
    });
    Ok(Server { address, handle, stopping: stop, unix_socket: settings.unix_socket })
}

/// A socket only its owner can connect to, from the first moment on: it is made below a
/// private name, narrowed, and then moved to its place.
fn unix_listener(path: &Path) -> io::Result<UnixListener> {
    if let Ok(found) = std::fs::symlink_metadata(path) {
        if !found.file_type().is_socket() {
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, "a file is in the way"));
        }
        if UnixStream::connect(path).is_ok() {
            return Err(io::ErrorKind::AddrInUse.into());
        }
    }
    let mut fresh = path.as_os_str().to_owned();
    fresh.push(format!(".{}", std::process::id()));
    let fresh = PathBuf::from(fresh);
    let _ = std::fs::remove_file(&fresh);
    let listener = UnixListener::bind(&fresh)?;
    std::fs::set_permissions(&fresh, Permissions::from_mode(0o600))?;
    std::fs::rename(&fresh, path)?;
    Ok(listener)
}

/// Registers the table: one resource per path, so that a wrong method is told apart from a
/// wrong path.
fn register(config: &mut web::ServiceConfig) {
    let mut paths: Vec<(&'static str, Vec<&'static Route>)> = Vec::new();
    for route in routes::all() {
        match paths.iter_mut().find(|(path, _)| *path == route.path) {
            Some((_, routes)) => routes.push(route),
            None => paths.push((route.path, vec![route])),
        }
    }
    for (path, routes) in paths {
        let mut resource = web::resource(path);
        for route in &routes {
            let route: &'static Route = route;
            for method in route.methods() {
                resource = resource.route(web::method(method).to(
                    move |http: HttpRequest, payload: web::Payload, shared: web::Data<Shared>| {
                        gate::dispatch(route, http, payload, shared)
                    },
                ));
            }
        }
        let routes = Arc::new(routes);
        config.service(resource.default_service(web::to(move |http: HttpRequest| {
            let problem = gate::wrong_method(http.method(), http.path(), &routes);
            async move { Err::<actix_web::HttpResponse, _>(problem) }
        })));
    }
}
