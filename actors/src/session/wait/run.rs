//! Drives one wait in its caller's task: looks when the session's view changed or a window
//! may be over, and never holds up anybody else.

use std::time::Duration;

use tokio::time::timeout_at;

use super::super::handle::Session;
use super::super::marks::Mark;
use super::super::observe::Look;
use super::super::view::View;
use super::machine::{Conditions, Event, Facts, State};
use super::text::{Pattern, new_text};
use crate::caller::Caller;
use crate::clock;
use crate::error::Error;
use crate::session_limits::{IDLE_DEFAULT, LOOK_INTERVAL, WAIT_HISTORY_ROWS_MAX, WAIT_MAX};
use crate::session_types::{Wait, WaitReason, WaitReply};

impl Session {
    /// Waits for the earliest of the armed conditions.
    ///
    /// # Errors
    /// A pattern that cannot be one, or a worker that does not answer.
    pub async fn wait(&self, caller: &Caller, ask: Wait) -> Result<WaitReply, Error> {
        let pattern = Pattern::new(ask.for_text, ask.for_regex.as_deref())?;
        let nothing_asked =
            pattern.is_none() && ask.for_state.is_none() && !ask.for_exit;
        let conditions = Conditions {
            idle: ask.for_idle.or(nothing_asked.then_some(IDLE_DEFAULT)),
            text: pattern.is_some(),
            state: ask.for_state,
        };
        let window = conditions.idle.unwrap_or(IDLE_DEFAULT);
        let mark = self.mark_for(caller, ask.since_frame);
        let deadline = clock::deadline(ask.timeout.min(WAIT_MAX));
        let mut waiting = Waiting { session: self, pattern, mark, needs_look: false };
        waiting.needs_look = conditions.text || conditions.idle.is_some();
        let (reason, look) = match timeout_at(deadline, waiting.run(conditions)).await {
            Ok(ended) => ended?,
            Err(_) => (WaitReason::Timeout, None),
        };
        let look = match look {
            Some(look) => look,
            None => self.newest(None, 0).await?,
        };
        Ok(self.wait_reply(reason, &look, window, ask.wrap))
    }

    fn mark_for(&self, caller: &Caller, since_frame: Option<u64>) -> Mark {
        let marks = self.marks();
        let last = marks.of(&caller.owner).unwrap_or_default();
        match since_frame {
            // Echo and prompt belong to the last input, which may be the one meant.
            Some(frame) => Mark {
                frame,
                history_total: marks.history_at(frame).unwrap_or(0),
                ..if frame <= last.frame { last } else { Mark::default() }
            },
            None => last,
        }
    }

    fn wait_reply(
        &self,
        reason: WaitReason,
        look: &Look,
        window: Duration,
        wrap: policy::outgoing::Wrap,
    ) -> WaitReply {
        let view = self.view();
        let timed_out = reason == WaitReason::Timeout;
        let quiet = Duration::from_millis(look.clock.quiet_ms);
        let producing = timed_out.then_some(view.alive() && quiet < window);
        let hint = producing.map(|producing| timeout_hint(producing, &view));
        WaitReply {
            matched: !timed_out,
            is_complete: !timed_out,
            reason,
            producing,
            hint,
            screen: self.screen(look, wrap),
            cursor: super::super::read::cursor_of(look.frame()),
            frame: look.frame().number,
            state: view.state,
            state_reason: view.reason(),
        }
    }
}

fn timeout_hint(producing: bool, view: &View) -> String {
    if producing {
        "output still arrives: wait again, with a longer timeout or for a text".to_owned()
    } else if view.state == crate::session_types::SessionState::AwaitingInput {
        "the program awaits input: read the screen and answer it".to_owned()
    } else {
        "no output for a while: check terminal_session_status before sending anything".to_owned()
    }
}

struct Waiting<'s> {
    session: &'s Session,
    pattern: Option<Pattern>,
    mark: Mark,
    needs_look: bool,
}

impl Waiting<'_> {
    async fn run(&self, conditions: Conditions) -> Result<(WaitReason, Option<Look>), Error> {
        let mut state = State::Armed(conditions);
        let mut seen = self.session.view.clone();
        loop {
            let view = seen.borrow_and_update().clone();
            let look = if self.needs_look || !view.alive() {
                let history = self.pattern.as_ref().map(|_| self.mark.history_total);
                Some(self.session.newest(history, WAIT_HISTORY_ROWS_MAX).await?)
            } else {
                None
            };
            let facts = self.facts(&self.session.view(), look.as_ref());
            state = state.step(Event::Looked(facts));
            if let State::Ended(reason) = state {
                return Ok((reason, look));
            }
            let pause = state.look_again_after(facts);
            // Coalesces bursts: under a flood one look each interval is enough.
            tokio::time::sleep(LOOK_INTERVAL.min(pause.unwrap_or(LOOK_INTERVAL))).await;
            match pause {
                Some(pause) => {
                    let _ = tokio::time::timeout(pause, seen.changed()).await;
                }
                None => {
                    if seen.changed().await.is_err() {
                        // The actor is gone; its last view says how it ended.
                        let reason = WaitReason::Exit;
                        return Ok((reason, look));
                    }
                }
            }
        }
    }

    fn facts(&self, view: &View, look: Option<&Look>) -> Facts {
        let text_found = match (&self.pattern, look) {
            (Some(pattern), Some(look)) => {
                let rows = &look.frame().rows;
                pattern.found_in(&new_text(&self.mark, &look.history, rows))
            }
            (Some(_) | None, Some(_) | None) => false,
        };
        let clock = look.map_or(view.clock, |look| look.clock);
        let since_input = view.input_at_ms.map(|at| {
            let ms = clock::monotonic_ms().saturating_sub(at);
            Duration::from_millis(u64::try_from(ms).unwrap_or(0))
        });
        Facts {
            exited: !view.alive(),
            text_found,
            state: view.state,
            still_for: Duration::from_millis(clock.unchanged_ms),
            synchronized_update: clock.synchronized_update,
            since_input,
        }
    }
}
