//! Tests from inside real jails. Each starts one on a real PTY, through the public interface,
//! exactly as a worker does; the stage is this test binary itself.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]
#![allow(clippy::disallowed_methods, reason = "tests start the processes they look at")]

mod attempts;
mod doctor;
mod egress;
mod harness;
mod limits;
mod scopes;
mod start_and_end;
mod start_cost;
mod terminal;

use std::process::ExitCode;

/// A secret in the environment of the process that starts the jails.
const CANARY: &str = "canary-of-the-service-5e1f";

/// Runs before the test harness reads the arguments: as `jail-exec` this binary is the stage.
extern "C" fn stage() {
    let mut args = std::env::args_os().skip(1);
    if args.next().is_some_and(|word| word == "jail-exec") {
        let code = jail::exec_stage(args);
        std::process::exit(i32::from(code != ExitCode::SUCCESS) * 126);
    }
    #[allow(unsafe_code)]
    // SAFETY: before main there is one thread.
    unsafe {
        std::env::set_var("TTYDRIVE_CANARY", CANARY);
    }
}

#[allow(unsafe_code)]
// SAFETY: the loader calls each entry once before main, in the only thread there is, with a
// C library that is ready; `stage` has the type of an entry that ignores its arguments.
#[unsafe(link_section = ".init_array")]
#[used]
static STAGE: extern "C" fn() = stage;
