//! `ttydrive completions` and `ttydrive man`: made from the command line itself, so that
//! neither can be out of date.

use std::process::ExitCode;

use clap_complete::Shell;

use super::output;

#[derive(clap::Args)]
#[command(after_help = "Example:\n  ttydrive completions bash > \
                  ~/.local/share/bash-completion/completions/ttydrive")]
pub struct Args {
    #[arg(value_enum)]
    shell: Shell,
}

#[derive(clap::Args)]
#[command(after_help = "Example:\n  ttydrive man > ~/.local/share/man/man1/ttydrive.1")]
pub struct ManArgs {}

pub fn run(args: &Args, mut command: clap::Command) -> ExitCode {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "ttydrive", &mut script);
    print(script)
}

pub fn man(command: clap::Command) -> ExitCode {
    let mut page = Vec::new();
    match clap_mangen::Man::new(command).render(&mut page) {
        Ok(()) => print(page),
        Err(error) => output::fail(&format!("cannot make the page: {error}"), None),
    }
}

fn print(bytes: Vec<u8>) -> ExitCode {
    output::line(String::from_utf8_lossy(&bytes).trim_end());
    ExitCode::SUCCESS
}
