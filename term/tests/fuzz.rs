//! Whatever the bytes and sizes: no panic, the invariants hold, cutting changes nothing.
//!
//! A short run belongs to every test run; `TTYDRIVE_FUZZ=MILLIONS` (and `TTYDRIVE_FUZZ_SEED`)
//! make it long.

mod common;

use common::{
    Numbers, any_size, assert_same_screen, check_frame, check_row, piece, replay, stream,
};
use term::{Options, Terminal};

fn environment(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Pieces per terminal; history and tables fill up within one.
const PIECES: u64 = 400;
/// Cells of 5,000 lines and two screens would be far below this.
const MEMORY_BYTES_MAX: usize = 64 << 20;

fn run(seed: u64) {
    let mut numbers = Numbers::new(seed);
    let mut terminal = Terminal::new(Options {
        size: any_size(&mut numbers),
        scrollback_lines: numbers.below(60) as usize,
    });
    for step in 0..PIECES {
        if numbers.below(40) == 0 {
            terminal.resize(any_size(&mut numbers));
            check_frame(&terminal.frame());
        }
        terminal.advance(&piece(&mut numbers));
        if step % 8 == 0 {
            let before = terminal.frame_number();
            check_frame(&terminal.frame());
            assert_eq!(terminal.frame_number(), before, "looking changed the number");
        }
        if numbers.below(30) == 0 {
            terminal.release_synchronized_update();
            terminal.take_replies();
        }
    }
    check_frame(&terminal.frame());
    for (_, row) in terminal.history(0, usize::MAX) {
        check_row(&row);
    }
    terminal.snapshot_ansi(10);
    assert!(terminal.take_events().len() <= 1_024);
    assert!(terminal.unanswered_queries().len() <= 64);
    assert!(terminal.memory_bytes() < MEMORY_BYTES_MAX);
}

#[test]
fn any_bytes_at_any_size_keep_the_invariants() {
    let runs = environment("TTYDRIVE_FUZZ", 0) * 1_000_000 / PIECES;
    let first = environment("TTYDRIVE_FUZZ_SEED", 1);
    for seed in first..first + runs.max(300) {
        let result = std::panic::catch_unwind(|| run(seed));
        assert!(result.is_ok(), "seed {seed}");
    }
}

#[test]
fn random_bytes_keep_the_invariants() {
    for seed in 0..300 {
        let mut numbers = Numbers::new(seed);
        let mut terminal =
            Terminal::new(Options { size: any_size(&mut numbers), scrollback_lines: 20 });
        let bytes: Vec<u8> = (0..2_000).map(|_| numbers.next() as u8).collect();
        terminal.advance(&bytes);
        check_frame(&terminal.frame());
    }
}

#[test]
fn cutting_the_stream_changes_nothing() {
    for seed in 0..150 {
        let mut numbers = Numbers::new(seed);
        let size = any_size(&mut numbers);
        let bytes = stream(seed, 60);
        let whole = replay(size, &bytes, usize::MAX);
        for chunk in [1, 2, 7] {
            let pieces = replay(size, &bytes, chunk);
            assert_same_screen(&whole, &pieces, &format!("seed {seed}, chunks of {chunk}"));
        }
    }
}
