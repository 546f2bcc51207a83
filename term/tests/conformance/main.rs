//! What control functions do, case by case: bytes in, text and cursor out. The expected values
//! come from the manuals of the VT420 and of xterm.

#[path = "../common/mod.rs"]
mod common;

mod editing;
mod erasing;
mod modes;
mod movement;
mod regions;
mod saving;
mod text;

/// Name, bytes, rows (blank ones at the end left out), cursor as (column, row) from zero.
pub type Case = (&'static str, &'static str, &'static [&'static str], (u16, u16));

/// Runs cases on a 10×5 screen.
pub fn check(cases: &[Case]) {
    for (name, bytes, rows, cursor) in cases {
        let mut terminal = common::after(10, 5, bytes);
        assert_eq!(common::rows(&mut terminal), *rows, "{name}: text");
        assert_eq!(common::cursor(&mut terminal), *cursor, "{name}: cursor");
        common::check_frame(&terminal.frame());
    }
}

/// A 10×5 screen of letters with the cursor at the top left.
macro_rules! letters {
    ($rest:literal) => {
        concat!(
            "\x1b[1;1Haaaaaaaaaa\x1b[2;1Hbbbbbbbbbb\x1b[3;1Hcccccccccc",
            "\x1b[4;1Hdddddddddd\x1b[5;1Heeeeeeeeee\x1b[1;1H",
            $rest
        )
    };
}
pub(crate) use letters;
