//! Every piece of evidence in words, content-free: names, counts and ages, never screen text.

use crate::classification::Evidence;
use crate::observation::{Exit, Facts, History, ProgramState, ShellMark};
use crate::structure::Structure;

fn piece(name: &'static str, detail: impl Into<String>) -> Evidence {
    Evidence { name, detail: detail.into() }
}

pub fn of_facts(facts: &Facts, history: &History) -> Vec<Evidence> {
    let mut out = Vec::new();
    match facts.exit {
        Some(Exit::Code(code)) => out.push(piece("exit", format!("code {code}"))),
        Some(Exit::Signal(signal)) => out.push(piece("exit", format!("signal {signal}"))),
        None => {}
    }
    let quiet = facts.unchanged_for.as_millis();
    let name = if facts.settled { "settled" } else { "unsettled" };
    out.push(piece(name, format!("{quiet} ms without change")));
    if history.no_change_for > history.stuck_after {
        let limit = history.stuck_after.as_millis();
        out.push(piece("no_change", format!("longer than {limit} ms")));
    }
    if let Some(tty) = facts.tty {
        let canonical = if tty.canonical { "canonical" } else { "raw" };
        let echo = if tty.echo { "echo" } else { "no echo" };
        out.push(piece("terminal_mode", format!("{canonical}, {echo}")));
    }
    match facts.blocked_reader {
        Some(true) => out.push(piece("blocked_reader", "the foreground reads this tty")),
        Some(false) => out.push(piece("blocked_reader", "nobody reads this tty")),
        None => {}
    }
    match facts.shell_mark {
        Some(ShellMark::PromptStart) => out.push(piece("shell_mark", "prompt")),
        Some(ShellMark::InputStart) => out.push(piece("shell_mark", "input")),
        Some(ShellMark::OutputStart) => out.push(piece("shell_mark", "command runs")),
        Some(ShellMark::Done { .. }) => out.push(piece("shell_mark", "command ended")),
        None => {}
    }
    if let Some(on) = facts.bracketed_paste {
        out.push(piece("bracketed_paste", if on { "on" } else { "off" }));
    }
    if let Some(report) = &facts.program {
        let state = match report.state {
            ProgramState::Idle => "idle",
            ProgramState::Working => "working",
            ProgramState::Blocked => "blocked",
            ProgramState::Done => "done",
        };
        out.push(piece("program_status", format!("{state}, {} ms ago", report.age.as_millis())));
    }
    if let Some(age) = facts.progress_age {
        out.push(piece("progress_osc", format!("{} ms ago", age.as_millis())));
    }
    if let Some(activity) = facts.activity {
        let child = if activity.busy_child { ", busy child" } else { "" };
        let (cpu, io) = (activity.cpu.as_millis(), activity.io_bytes);
        out.push(piece("process_activity", format!("{cpu} ms CPU, {io} bytes{child}")));
    }
    out
}

pub fn of_screen(structure: &Structure) -> Vec<Evidence> {
    let mut out = Vec::new();
    let parked = if structure.parked { "yes" } else { "no" };
    out.push(piece("cursor_parked", parked));
    if let Some(found) = structure.dialog {
        out.push(piece("dialog_structure", format!("{} ({})", found.name, found.kind.as_str())));
    }
    if let Some(found) = structure.prompt {
        out.push(piece("prompt_structure", format!("{} ({})", found.name, found.kind.as_str())));
    }
    if let Some(name) = structure.working {
        out.push(piece("working_sign", name));
    }
    out
}
