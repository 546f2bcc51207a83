//! What a jailed start costs beside bare bubblewrap with the same mounts. A measurement, run
//! by hand: `cargo test --release -p jail --test inside start_cost -- --ignored --nocapture`.

#![allow(clippy::disallowed_methods, reason = "a measurement looks at the clock")]

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::harness::{Place, finish, host};

const ROUNDS: usize = 30;

#[test]
#[ignore = "a measurement, not a test"]
fn start_cost() {
    let place = Place::new();
    let mut request = place.request("");
    let pinned = jail::pin_program(std::path::Path::new("/bin/true"), None).unwrap();
    (request.program.path, request.program.sha256) = (pinned.path, pinned.sha256);
    request.program.args.clear();
    let plan = jail::plan(&request, &host(&request)).unwrap();
    // Texts come through descriptors that only the stage has; bare, the host's files do.
    let mut bare: Vec<String> =
        plan.bwrap_argv().into_iter().map(|word| word.into_string().unwrap()).collect();
    while let Some(at) = bare.iter().position(|word| word == "--ro-bind-data") {
        let dest = bare.get(at + 2).unwrap().clone();
        bare.splice(at..at + 2, ["--ro-bind".to_owned(), dest]);
        bare.drain(at - 2..at);
    }
    let (mut jailed, mut alone) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let begin = Instant::now();
        finish(&request);
        jailed.push(begin.elapsed());
        let begin = Instant::now();
        let status = Command::new("bwrap")
            .args(&bare)
            .arg("/bin/true")
            .env_clear()
            .stdin(Stdio::null())
            .status()
            .unwrap();
        assert!(status.success());
        alone.push(begin.elapsed());
    }
    let (jailed, alone) = (median(jailed), median(alone));
    println!("jailed {jailed:?}, bare bwrap {alone:?}, difference {:?}", jailed - alone);
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}
