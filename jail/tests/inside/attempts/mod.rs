//! The red-team list: attempt, what must happen, what happened.
//!
//! Each row runs its script in a jail of its own. The script says what it got in a line
//! `=> …`; the row says what that line must be. `@NAME@` stands for a path or number of the
//! place. A control column shows that the attempt is a real one: what the same script says
//! without a jail, where that can be run without harm.

mod files;
mod kernel;
mod network;
mod processes;

use std::os::unix::net::UnixListener;

use jail::Scope;

use crate::for_both;
use crate::harness::{Place, finish};

pub struct Attempt {
    pub name: &'static str,
    pub script: &'static str,
    pub must: &'static str,
    /// What it says bare, as the service's user; empty: not run bare.
    pub bare: &'static str,
    /// Changes to least privilege.
    pub scope: fn(&Place, &mut Scope),
}

pub fn least(_: &Place, _: &mut Scope) {}

/// What the attempts aim at.
struct Targets {
    place: Place,
    tcp: std::net::TcpListener,
    tcp6: Option<std::net::TcpListener>,
    udp: std::net::UdpSocket,
    _unix: UnixListener,
    _abstract: UnixListener,
    shm: tempfile::NamedTempFile,
    pty: nix::pty::OpenptyResult,
    /// Has the canary in its environment, as the service would.
    neighbour: std::process::Child,
}

impl Drop for Targets {
    fn drop(&mut self) {
        let _ = self.neighbour.kill();
        let _ = self.neighbour.wait();
    }
}

impl Targets {
    fn new() -> Self {
        use std::os::linux::net::SocketAddrExt;
        let place = Place::new();
        std::fs::write(place.data_dir.join("secret"), "the-token\n").unwrap();
        std::fs::create_dir_all(place.data_dir.join("workspace-b/projects")).unwrap();
        std::fs::write(place.data_dir.join("workspace-b/projects/other"), "the-token\n").unwrap();
        std::fs::write(place.home.join("private"), "the-token\n").unwrap();
        std::fs::write(place.root.join("outside"), "the-token\n").unwrap();
        std::os::unix::fs::symlink(place.root.join("outside"), place.projects.join("planted"))
            .unwrap();
        let name = format!("ttydrive-test-{}", std::process::id());
        let address = std::os::unix::net::SocketAddr::from_abstract_name(name).unwrap();
        Self {
            tcp: std::net::TcpListener::bind("127.0.0.1:0").unwrap(),
            tcp6: std::net::TcpListener::bind("[::1]:0").ok(),
            udp: std::net::UdpSocket::bind("127.0.0.1:0").unwrap(),
            _unix: UnixListener::bind(place.projects.join("planted.sock")).unwrap(),
            _abstract: UnixListener::bind_addr(&address).unwrap(),
            shm: tempfile::NamedTempFile::new_in("/dev/shm").unwrap(),
            pty: nix::pty::openpty(None, None).unwrap(),
            neighbour: std::process::Command::new("sleep")
                .arg("1000")
                .env("CANARY", crate::CANARY)
                .spawn()
                .unwrap(),
            place,
        }
    }

    fn fill(&self, script: &str) -> String {
        let pty = nix::unistd::ttyname(&self.pty.slave).unwrap();
        let path = |path: &std::path::Path| path.to_string_lossy().into_owned();
        let port = |listener: &std::net::TcpListener| listener.local_addr().unwrap().port();
        let values = [
            ("@DATA@", path(&self.place.data_dir)),
            ("@HOME@", path(&self.place.home)),
            ("@ROOT@", path(&self.place.root)),
            ("@PTY@", path(&pty)),
            ("@SHM@", path(self.shm.path())),
            ("@PID@", std::process::id().to_string()),
            ("@PORT@", port(&self.tcp).to_string()),
            ("@PORT6@", self.tcp6.as_ref().map_or(0, port).to_string()),
            ("@UDP@", self.udp.local_addr().unwrap().port().to_string()),
        ];
        let filled = |text: String, (name, value): &(&str, String)| text.replace(name, value);
        values.iter().fold(script.to_owned(), filled)
    }

    fn run(&self, attempt: &Attempt, bare: bool) -> String {
        let mut request = self.place.request(&self.fill(attempt.script));
        request.unsafe_disable_sandbox = bare;
        (attempt.scope)(&self.place, &mut request.scope);
        let output = finish(&request).output;
        let said = output.lines().rev().find_map(|line| line.strip_prefix("=> "));
        said.map_or_else(|| format!("(no answer) {output:?}"), |said| said.trim().to_owned())
    }
}

for_both!(each_attempt_ends_as_it_must, |service| {
    let lists = [files::ATTEMPTS, processes::ATTEMPTS, network::ATTEMPTS, kernel::ATTEMPTS];
    let targets = Targets::new();
    let mut wrong = Vec::new();
    let mut count = 0;
    for attempt in lists.into_iter().flatten() {
        let happened = targets.run(attempt, false);
        let bare = if attempt.bare.is_empty() || service == Service::Root {
            String::new()
        } else {
            targets.run(attempt, true)
        };
        println!(
            "{:<52} must: {:<16} happened: {happened:<16} bare: {bare}",
            attempt.name, attempt.must
        );
        if happened != attempt.must || (!bare.is_empty() && bare != attempt.bare) {
            wrong.push(attempt.name);
        }
        count += 1;
    }
    assert!(count >= 40, "{count} attempts");
    assert!(wrong.is_empty(), "{wrong:?}");
    assert!(!targets.place.data_dir.join("new").exists());
});
