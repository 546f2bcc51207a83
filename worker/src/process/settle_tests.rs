use super::*;

/// Runs a script of output times against the machine in one-millisecond steps.
struct Run {
    start: Instant,
    settle: Settle,
    content: u64,
    told: Vec<(u64, Due)>,
}

impl Run {
    fn new() -> Self {
        let start = crate::clock::now();
        Self { start, settle: Settle::new(start), content: 0, told: Vec::new() }
    }

    fn at(&self, ms: u64) -> Instant {
        self.start + Duration::from_millis(ms)
    }

    /// Output at these times, `true` when it changes content; until `end`.
    fn play(&mut self, from: u64, end: u64, output: impl Fn(u64) -> Option<bool>) {
        for ms in from..end {
            let now = self.at(ms);
            if let Some(changes) = output(ms) {
                self.content += u64::from(changes);
                self.settle.output(now);
            }
            self.drain(ms);
        }
    }

    fn drain(&mut self, ms: u64) {
        let now = self.at(ms);
        while let Some(due) = self.settle.due(now) {
            match due {
                Due::Evaluate => self.settle.evaluated(now, self.content),
                Due::Changed | Due::Settled => self.told.push((ms, due)),
                Due::ReleaseSync => {
                    // What the update had drawn so far becomes the picture.
                    self.content += 1;
                    self.told.push((ms, due));
                }
            }
        }
        assert!(
            self.settle.deadline().is_none_or(|at| at > now),
            "at {ms} ms the deadline is not in the future"
        );
    }

    fn times(&self, wanted: Due) -> Vec<u64> {
        self.told.iter().filter(|(_, due)| *due == wanted).map(|(ms, _)| *ms).collect()
    }
}

#[test]
fn a_silent_program_settles_once_and_then_nothing_is_due() {
    let mut run = Run::new();
    run.play(0, 1_000, |_| None);
    assert_eq!(run.told, vec![(120, Due::Settled)]);
    assert_eq!(run.settle.deadline(), None);
}

#[test]
fn the_window_counts_from_the_last_change() {
    let mut run = Run::new();
    run.play(0, 1_000, |ms| (ms == 10 || ms == 100).then_some(true));
    assert_eq!(run.times(Due::Settled), vec![220]);
    assert_eq!(run.times(Due::Changed), vec![10, 100]);
}

#[test]
fn changes_are_told_every_15_ms_and_the_last_one_always() {
    let mut run = Run::new();
    run.play(0, 200, |ms| (ms <= 20).then_some(true));
    assert_eq!(run.times(Due::Changed), vec![0, 15, 30]);
}

#[test]
fn a_spinner_never_settles() {
    let mut run = Run::new();
    run.play(0, 5_000, |ms| ms.is_multiple_of(100).then_some(true));
    assert!(run.times(Due::Settled).is_empty());
}

#[test]
fn output_without_a_change_settles_at_a_falling_rate() {
    let mut run = Run::new();
    run.play(0, 10_000, |ms| ms.is_multiple_of(50).then_some(ms == 0));
    let settled = run.times(Due::Settled);
    assert_eq!(settled.first(), Some(&120));
    assert!(settled.len() >= 9 && settled.len() <= 14, "{settled:?}");
    // Somebody typed: the next report does not wait for the slow rate.
    run.settle.input();
    run.play(10_000, 10_300, |ms| (ms == 10_000).then_some(false));
    assert!(run.times(Due::Settled).iter().any(|ms| (10_000..=10_240).contains(ms)));
}

#[test]
fn an_open_synchronized_update_is_not_settled_and_is_released_after_150_ms() {
    let mut run = Run::new();
    run.settle.output(run.at(0));
    run.settle.sync_update(run.at(0), true, false);
    run.play(0, 1_000, |_| None);
    assert_eq!(run.times(Due::ReleaseSync), vec![150]);
    assert_eq!(run.times(Due::Settled), vec![270], "120 ms after what the release showed");
}

#[test]
fn back_to_back_updates_are_never_released_early() {
    let mut run = Run::new();
    for ms in (0..1_000).step_by(50) {
        run.settle.output(run.at(ms));
        run.settle.sync_update(run.at(ms), true, true);
        run.drain(ms);
    }
    assert!(run.times(Due::ReleaseSync).is_empty());
}
