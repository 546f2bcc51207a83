//! Many at once. Slow machines get all the time they need.

use tokio::task::JoinSet;
use worker::protocol::{Request, WireExit};

use crate::support::{Confined, Confined::Bare, Confined::Jailed, start_as};

async fn fast_exits(confined: Confined, count: i32, at_once: usize) {
    let mut running = JoinSet::new();
    for number in 0..count {
        if running.len() >= at_once {
            running.join_next().await.unwrap().unwrap();
        }
        running.spawn(async move {
            let code = number % 256;
            let script = format!("echo number {number}; exit {code}");
            let args = ["-c", script.as_str()];
            let mut program = start_as(confined, "/bin/sh", &args, |_| {}).await.unwrap();
            let (exit, last) = program.exited().await;
            assert_eq!(exit, WireExit::Code(code));
            assert_eq!(last.exit_tail, Some(format!("number {number}")));
            program.ask(Request::Shutdown).await;
        });
    }
    while let Some(done) = running.join_next().await {
        done.unwrap();
    }
}

fn times(default: i32) -> i32 {
    std::env::var("STRESS").ok().and_then(|times| times.parse().ok()).unwrap_or(1) * default
}

#[tokio::test]
async fn fast_exits_lose_nothing() {
    fast_exits(Bare, times(60), 6).await;
}

#[tokio::test]
async fn fast_exits_in_jails_lose_nothing() {
    fast_exits(Jailed, times(30), 6).await;
}
