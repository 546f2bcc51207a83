//! Runs waits. A wait is data in the session, never a handler that waits.

use std::time::Duration;

use actix::Context;
use policy::outgoing::Wrap;
use regex::{Regex, RegexBuilder};

use super::actor::SessionActor;
use super::fresh;
use super::inputs::Since;
use super::looking::Want;
use super::messages::Answer;
use super::wait::{Conditions, Effect, Event, Seen, State};
use crate::caller::Caller;
use crate::clock;
use crate::error::{ConflictReason, Error};
use crate::limits::{FRESH_LINES_MAX, REGEX_BYTES_MAX, SETTLE_MS_DEFAULT, WAIT_MAX, WAITS_MAX};
use crate::session_types::{SessionState, Wait, WaitReason, WaitReply};

/// One wait.
pub(crate) struct Waiting {
    caller: Caller,
    state: State,
    pattern: Option<Pattern>,
    wanted_state: Option<SessionState>,
    wanted_exit: bool,
    idle_ms: i64,
    since: Since,
    wrap: Wrap,
    /// The first look that counts.
    min_look: u64,
    /// The deadline passed; a last look is on its way.
    late: bool,
    reply: Option<Answer<WaitReply>>,
}

enum Pattern {
    Text(String),
    Regex(Regex),
    Both(String, Regex),
}

impl Pattern {
    /// Blanks at the end of a row cannot be told from untouched cells, so a pattern that ends
    /// with one (`>>> `) is looked for both ways.
    fn is_in(&self, text: &str) -> bool {
        self.is_in_exactly(text) || self.is_in_exactly(&text.replace('\n', " \n"))
    }

    fn is_in_exactly(&self, text: &str) -> bool {
        match self {
            Self::Text(wanted) => text.contains(wanted.as_str()),
            Self::Regex(regex) => regex.is_match(text),
            Self::Both(wanted, regex) => text.contains(wanted.as_str()) || regex.is_match(text),
        }
    }
}

fn pattern(wait: &Wait) -> Result<Option<Pattern>, Error> {
    let regex = match &wait.for_regex {
        None => None,
        Some(source) => {
            let built = RegexBuilder::new(source)
                .multi_line(true)
                .size_limit(REGEX_BYTES_MAX)
                .dfa_size_limit(REGEX_BYTES_MAX)
                .build();
            Some(built.map_err(|error| Error::InvalidValue {
                field: "forRegex".to_owned(),
                detail: if matches!(error, regex::Error::CompiledTooBig(_)) {
                    "the expression is too large".to_owned()
                } else {
                    format!("is not a regular expression: {error}")
                },
                hint: Some("look-around and back-references are not supported".to_owned()),
            })?)
        }
    };
    Ok(match (wait.for_text.clone(), regex) {
        (None, None) => None,
        (Some(text), None) => Some(Pattern::Text(text)),
        (None, Some(regex)) => Some(Pattern::Regex(regex)),
        (Some(text), Some(regex)) => Some(Pattern::Both(text, regex)),
    })
}

fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX / 4)
}

impl SessionActor {
    pub(super) fn wait(
        &mut self,
        ctx: &mut Context<Self>,
        caller: Caller,
        wait: Wait,
        reply: Answer<WaitReply>,
    ) {
        let pattern = match pattern(&wait) {
            Ok(pattern) => pattern,
            Err(error) => {
                let _ = reply.send(Err(error));
                return;
            }
        };
        if self.waits.len() >= WAITS_MAX {
            let _ = reply.send(Err(Error::Conflict {
                reason: ConflictReason::Busy,
                detail: format!("{WAITS_MAX} waits on this session already"),
                hint: Some("let earlier waits end".to_owned()),
            }));
            return;
        }
        let nothing_else = pattern.is_none() && wait.for_state.is_none() && !wait.for_exit;
        let idle_ms = wait.for_idle.map(millis).or(nothing_else.then_some(SETTLE_MS_DEFAULT));
        let since = self.inputs.since(&caller, wait.since_frame);
        let now = clock::monotonic_ms();
        let state = State::Armed(Conditions {
            idle_ms,
            text: pattern.is_some(),
            state: wait.for_state.is_some(),
            deadline_ms: now.saturating_add(millis(wait.timeout.min(WAIT_MAX))),
        });
        let id = self.new_id();
        self.waits.insert(
            id,
            Waiting {
                caller,
                state,
                pattern,
                wanted_state: wait.for_state,
                wanted_exit: wait.for_exit,
                idle_ms: idle_ms.unwrap_or(SETTLE_MS_DEFAULT),
                since,
                wrap: wait.wrap,
                min_look: 0,
                late: false,
                reply: Some(reply),
            },
        );
        if self.link.is_none() {
            self.finish_waits();
            return;
        }
        let want = self.text_want();
        let number = self.look(ctx, want);
        if let Some(waiting) = self.waits.get_mut(&id) {
            waiting.min_look = number;
        }
    }

    /// Everything that text conditions have to see.
    pub(super) fn text_want(&self) -> Want {
        let text = self.waits.values().filter(|waiting| waiting.pattern.is_some());
        let from = text.map(|waiting| waiting.since.history_from).min();
        let newest = self.seen.frame.history_total.saturating_sub(u64::from(FRESH_LINES_MAX));
        Want {
            tree: false,
            history_from: from.map(|from| from.max(newest)),
            history_max: if from.is_some() { 2 * FRESH_LINES_MAX } else { 0 },
        }
    }

    pub(super) fn waits_on_change(&mut self, ctx: &mut Context<Self>) {
        let wants_text = self.waits.values().any(|waiting| waiting.pattern.is_some());
        if wants_text {
            let want = self.text_want();
            self.look(ctx, want);
        } else {
            self.waits_see(clock::monotonic_ms());
        }
    }

    pub(super) fn waits_see(&mut self, now: i64) {
        let due: Vec<u64> = self
            .waits
            .iter()
            .filter(|(_, waiting)| waiting.min_look <= self.looks.done)
            .map(|(id, _)| *id)
            .collect();
        for id in due {
            self.wait_sees(id, now);
        }
    }

    fn wait_sees(&mut self, id: u64, now: i64) {
        let Some(waiting) = self.waits.get(&id) else { return };
        let seen = Seen {
            now_ms: now,
            text: waiting.pattern.as_ref().is_some_and(|pattern| {
                let since = &waiting.since;
                let (frame, history) = (&self.seen.frame, &self.seen.history);
                pattern.is_in(&fresh::text(frame, history, since.frame, &since.inputs))
            }),
            state: waiting.wanted_state.is_some_and(|wanted| self.is_in(wanted)),
            // The final look comes after the end was told, and may hold the text.
            exited: !self.state.is_alive() && self.is_final(),
            still_ms: self.still_ms(now).filter(|_| !self.dirty),
        };
        self.step_wait(id, Event::Seen(seen));
        let late = self.waits.get(&id).is_some_and(|waiting| waiting.late);
        if late {
            self.step_wait(id, Event::TimePassed { now_ms: now });
        }
    }

    /// In that state, and reached after the last input.
    fn is_in(&self, wanted: SessionState) -> bool {
        let fresh = self.state_inputs == self.inputs.count;
        self.session_state() == wanted && (fresh || !self.state.is_alive())
    }

    pub(super) fn waits_due(&self, now: i64) -> Option<i64> {
        let still = self.still_ms(now);
        let looking = self.look_under_way();
        let each = |waiting: &Waiting| {
            let deadline = waiting.state.deadline_ms().filter(|_| !waiting.late);
            let idle = waiting.state.look_in_ms(still).map(|wait| now + wait);
            [deadline, idle.filter(|_| !looking)].into_iter().flatten().min()
        };
        self.waits.values().filter_map(each).min()
    }

    pub(super) fn waits_on_time(&mut self, ctx: &mut Context<Self>, now: i64) {
        let still = self.still_ms(now);
        let mut look = false;
        for waiting in self.waits.values_mut() {
            if !waiting.late && waiting.state.deadline_ms().is_some_and(|at| now >= at) {
                waiting.late = true;
                look = true;
            }
            let due = waiting.state.look_in_ms(still);
            look = look || due.is_some_and(|wait| wait <= 1);
        }
        if look && self.link.is_none() {
            self.finish_waits();
        } else if look {
            let want = self.text_want();
            self.look(ctx, want);
        }
    }

    /// Nobody will see anything new: everything ends now.
    pub(super) fn finish_waits(&mut self) {
        let now = clock::monotonic_ms();
        let all: Vec<u64> = self.waits.keys().copied().collect();
        for id in all {
            self.wait_sees(id, now);
            if let Some(waiting) = self.waits.get(&id)
                && self.state.is_alive()
                && let Some(deadline_ms) = waiting.state.deadline_ms()
            {
                // The worker is gone and the session about to be lost.
                self.step_wait(id, Event::TimePassed { now_ms: deadline_ms });
            }
        }
    }

    fn step_wait(&mut self, id: u64, event: Event) {
        let Some(waiting) = self.waits.get_mut(&id) else { return };
        let (next, effects) = waiting.state.step(event);
        waiting.state = next;
        for effect in effects {
            let Effect::Answer(reason) = effect;
            if let Some(mut waiting) = self.waits.remove(&id)
                && let Some(reply) = waiting.reply.take()
            {
                let answer = self.wait_reply(&waiting, reason);
                self.inputs.saw(&waiting.caller, self.seen.frame.number);
                let _ = reply.send(answer);
            }
        }
    }

    fn wait_reply(&self, waiting: &Waiting, reason: WaitReason) -> Result<WaitReply, Error> {
        let producing = self.is_producing(waiting.idle_ms);
        let only_exit = waiting.pattern.is_none() && waiting.wanted_state.is_none();
        let exit_asked =
            waiting.wanted_exit || only_exit || waiting.wanted_state == Some(SessionState::Exited);
        let matched = match reason {
            WaitReason::Idle | WaitReason::Text | WaitReason::State => true,
            WaitReason::Exit => exit_asked,
            WaitReason::Timeout => false,
        };
        let is_complete = match reason {
            WaitReason::Exit => true,
            WaitReason::Timeout => false,
            WaitReason::Text | WaitReason::State => true,
            // That the screen stands still does not mean that the work is done.
            WaitReason::Idle => self.is_in(SessionState::AwaitingInput),
        };
        let timed_out = reason == WaitReason::Timeout;
        Ok(WaitReply {
            matched,
            is_complete,
            reason,
            producing: timed_out.then_some(producing),
            hint: timed_out.then(|| hint(producing, self.session_state())),
            screen: self.digest(waiting.wrap)?,
            cursor: self.cursor(),
            frame: self.seen.frame.number,
            state: self.session_state(),
            state_reason: self.state_reason(),
        })
    }

    /// Did output arrive in the last idle window?
    fn is_producing(&self, window_ms: i64) -> bool {
        let (clock, at) = self.clock;
        let quiet = i64::try_from(clock.quiet_ms).unwrap_or(i64::MAX);
        let quiet = quiet.saturating_add(clock::monotonic_ms() - at);
        self.state.is_alive() && quiet <= window_ms
    }
}

fn hint(producing: bool, state: SessionState) -> String {
    let text = if producing {
        "output is still coming: wait again, with forText or forState to stop at what you need"
    } else if state == SessionState::AwaitingInput {
        "the program waits for input: read the screen and answer it"
    } else if state == SessionState::Stuck {
        "nothing has happened for long: read the screen, then interrupt with C-c or kill it"
    } else {
        "the program is quiet but has not finished: wait again, or look at its status"
    };
    text.to_owned()
}
