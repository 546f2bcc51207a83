//! Runs sends and key calls, one at a time and in order.

use std::time::Duration;

use actix::{ActorFutureExt, AsyncContext, Context, WrapFuture};
use policy::outgoing::Wrap;
use policy::{Confidence, State as Doing, composer};
use worker::LinkError;
use worker::protocol::{Reply, Request};

use super::actor::{SessionActor, exited};
use super::answering::refused;
use super::fresh::{self, Mark};
use super::inputs::echo_lines;
use super::looking::Want;
use super::machine::Command;
use super::messages::Answer;
use super::send::{Effect, Event, Plan, Refusal, Seen, State};
use super::typing::{self, Bytes, What};
use crate::caller::{Caller, Owner};
use crate::clock;
use crate::error::{ConflictReason, Error};
use crate::limits::{
    CHECK_SETTLE_MS_MAX, EFFECT_SETTLE_MS_MAX, KEYS_TIMEOUT, REQUEST_MAX, SENDS_MAX,
    TYPED_SETTLE_MS_MAX,
};
use crate::session_types::{OnDialog, SendKey, SendReply, SendText};

/// One transaction in line or under way.
pub(crate) struct Sending {
    pub(super) caller: Caller,
    pub(super) what: What,
    pub(super) wrap: Wrap,
    pub(super) plan: Plan,
    pub(super) state: State,
    pub(super) begun: bool,
    /// The first look that counts.
    pub(super) min_look: u64,
    pub(super) bytes: Bytes,
    /// What the screen was when Enter was sent.
    pub(super) at_enter: AtEnter,
    pub(super) frame_before: u64,
    pub(super) worked_before: bool,
    pub(super) hidden: bool,
    /// Somebody else's text stood in the input before.
    pub(super) found_draft: bool,
    pub(super) reply: Option<Answer<SendReply>>,
}

#[derive(Debug, Default)]
pub(super) struct AtEnter {
    pub(super) content: u64,
    pub(super) output_bytes: u64,
    pub(super) doing: Option<Doing>,
    pub(super) modes: term::Modes,
    /// The terminal itself echoes Enter, whoever reads it later and how.
    pub(super) cooked_echo: bool,
    pub(super) cursor: Option<(u16, u16)>,
    pub(super) mark: Mark,
    /// How often the program said that it keeps a message.
    pub(super) queued: usize,
}

impl SessionActor {
    pub(super) fn send_text(
        &mut self,
        ctx: &mut Context<Self>,
        caller: Caller,
        send: SendText,
        reply: Answer<SendReply>,
    ) {
        let timeout = send.timeout;
        let plan = plan(send.submit, send.settle, timeout);
        let wrap = send.wrap;
        self.enqueue(ctx, caller, What::Text(send), wrap, plan, reply);
    }

    pub(super) fn send_key(
        &mut self,
        ctx: &mut Context<Self>,
        caller: Caller,
        send: SendKey,
        reply: Answer<SendReply>,
    ) {
        let keys = match typing::parse_keys(&send.keys) {
            Ok(keys) => keys,
            Err(error) => {
                let _ = reply.send(Err(error));
                return;
            }
        };
        // Keys are how dialogs are answered: there is nothing to check for.
        let plan = Plan { check_ms_max: 0, ..plan(false, send.settle, KEYS_TIMEOUT) };
        self.enqueue(ctx, caller, What::Keys(keys), send.wrap, plan, reply);
    }

    fn enqueue(
        &mut self,
        ctx: &mut Context<Self>,
        caller: Caller,
        what: What,
        wrap: Wrap,
        plan: Plan,
        reply: Answer<SendReply>,
    ) {
        if let Err(error) = self.admit(Command::Type) {
            let _ = reply.send(Err(error));
            return;
        }
        if self.sends.len() >= SENDS_MAX {
            let _ = reply.send(Err(Error::Conflict {
                reason: ConflictReason::Busy,
                detail: format!("{SENDS_MAX} sends are waiting for this session already"),
                hint: Some("wait for earlier sends to be answered".to_owned()),
            }));
            return;
        }
        self.sends.push_back(Sending {
            caller,
            what,
            wrap,
            plan,
            state: State::Checking { since_ms: clock::monotonic_ms() },
            begun: false,
            min_look: 0,
            bytes: Bytes::default(),
            at_enter: AtEnter::default(),
            frame_before: 0,
            worked_before: false,
            hidden: false,
            found_draft: false,
            reply: Some(reply),
        });
        self.begin_send(ctx);
    }

    /// The first in line begins with a look that is newer than the wish.
    pub(super) fn begin_send(&mut self, ctx: &mut Context<Self>) {
        if self.sends.front().is_some_and(|first| !first.begun) {
            let number = self.look(ctx, Want::default());
            if let Some(first) = self.sends.front_mut() {
                first.begun = true;
                first.min_look = number;
                first.state = State::Checking { since_ms: clock::monotonic_ms() };
            }
        }
    }

    /// Text is being typed and not submitted yet.
    pub(super) fn is_typing(&self) -> bool {
        self.sends.front().is_some_and(|first| match first.state {
            State::Typing | State::Settling { .. } | State::Submitting { .. } => {
                matches!(first.what, What::Text(_))
            }
            State::Checking { .. } | State::Confirming { .. } | State::Done => false,
        })
    }

    pub(super) fn sends_see(&mut self, ctx: &mut Context<Self>, now: i64) {
        let Some(first) = self.sends.front().filter(|first| first.begun) else { return };
        if self.looks.done < first.min_look {
            return;
        }
        let seen = Seen {
            now_ms: now,
            still_ms: self.still_ms(now),
            refusal: self.refusal(first, now),
            effect: self.has_effect(first),
            queued: self.shows_queued(first),
        };
        self.step_send(ctx, Event::Seen(seen));
    }

    fn refusal(&self, first: &Sending, now: i64) -> Option<Refusal> {
        match (&first.what, first.state) {
            (What::Text(send), State::Checking { .. }) => {
                if send.on_dialog == OnDialog::Refuse && self.dialog_open(now) {
                    return Some(Refusal::DialogOpen);
                }
                self.is_foreign(&first.caller.owner, now).then_some(Refusal::ForeignDraft)
            }
            (What::Text(_) | What::Keys(_), _) => None,
        }
    }

    /// Somebody else's unsubmitted text stands in the program's input: another caller's, or a
    /// human's at the terminal.
    fn is_foreign(&self, owner: &Owner, now: i64) -> bool {
        match &self.inputs.draft {
            Some(draft) => draft != owner,
            None => self.inputs.touched.as_ref() != Some(owner) && self.shows_draft(now),
        }
    }

    pub(super) fn shows_draft(&self, now: i64) -> bool {
        let frame = &self.seen.frame;
        let in_composer =
            self.card.profile().is_some_and(|profile| composer::holds_text(frame, profile));
        let edits_line = edits_line(&self.seen);
        let prompt = self.inputs.prompt.as_deref().filter(|_| edits_line);
        let behind_prompt = prompt.is_some_and(|prompt| composer::extends(frame, prompt));
        (in_composer || behind_prompt) && self.classify(now, true).state == Doing::AwaitingInput
    }

    /// An empty prompt is remembered until it is another one, so that text behind it shows.
    pub(super) fn note_prompt(&mut self) {
        let frame = &self.seen.frame;
        let known = self.inputs.prompt.as_deref().is_some_and(|old| composer::is_at(frame, old));
        if !known
            && self.inputs.touched.is_none()
            && edits_line(&self.seen)
            && let Some(prompt) = composer::prompt_of(frame)
        {
            self.inputs.prompt = Some(prompt);
        }
    }

    fn dialog_open(&self, now: i64) -> bool {
        let is_dialog = |verdict: &policy::Classification| {
            verdict.state == Doing::AwaitingInput
                && verdict.kind.is_some_and(policy::Kind::is_dialog)
        };
        if self.verdict.as_ref().is_some_and(is_dialog) {
            return true;
        }
        // Something on the screen still moves: what would it be if it stood still?
        let unsettled = self
            .verdict
            .as_ref()
            .is_none_or(|verdict| verdict.reason == policy::Reason::UnsettledOutput);
        let still = self.classify(now, true);
        unsettled && still.confidence == Confidence::High && is_dialog(&still)
    }

    /// Screen or state changed since Enter, and not by Enter's own echo.
    fn has_effect(&self, first: &Sending) -> bool {
        // An echo of what nobody has read is the terminal's own doing.
        if !matches!(first.state, State::Confirming { .. }) || self.seen.unread_input {
            return false;
        }
        let (before, now) = (&first.at_enter, &self.seen);
        let cursor = Some((now.frame.cursor.x, now.frame.cursor.y));
        let cooked_echo = before.cooked_echo || echoes_lines(now);
        // The kernel itself echoes CR LF, though nobody may ever read the line.
        let only_echo =
            cooked_echo && now.clock.output_bytes.saturating_sub(before.output_bytes) <= 2;
        if !only_echo && now.clock.content != before.content {
            return true;
        }
        if now.frame.modes != before.modes || (!cooked_echo && cursor != before.cursor) {
            return true;
        }
        self.verdict.as_ref().is_some_and(|verdict| {
            verdict.reason != policy::Reason::UnsettledOutput
                && match (before.doing, verdict.state) {
                    (Some(Doing::AwaitingInput), Doing::Working | Doing::Exited)
                    | (Some(Doing::Working | Doing::Stuck), Doing::AwaitingInput) => true,
                    (None, _)
                    | (Some(_), Doing::Stuck)
                    | (Some(Doing::AwaitingInput), Doing::AwaitingInput)
                    | (
                        Some(Doing::Working | Doing::Stuck | Doing::Exited),
                        Doing::Working | Doing::Exited,
                    )
                    | (Some(Doing::Exited), Doing::AwaitingInput) => false,
                }
        })
    }

    fn queued_told(&self) -> usize {
        self.card.profile().map_or(0, |profile| composer::queued(&self.seen.frame, profile))
    }

    fn shows_queued(&self, first: &Sending) -> bool {
        if !matches!(first.state, State::Confirming { .. }) {
            return false;
        }
        let told = self.queued_told();
        if told > first.at_enter.queued || (told > 0 && first.worked_before) {
            return true;
        }
        let mark = &first.at_enter.mark;
        let new = fresh::text(&self.seen.frame, &[], mark.frame, std::slice::from_ref(mark));
        typing::says_queued(&new, first.worked_before)
    }

    pub(super) fn sends_due(&self, now: i64) -> Option<i64> {
        let first = self.sends.front().filter(|first| first.begun)?;
        first
            .state
            .look_in_ms(&first.plan, now, self.still_ms(now), self.seen.at_ms)
            .map(|wait| now + wait)
            .filter(|_| !self.look_under_way())
    }

    pub(super) fn sends_on_time(&mut self, ctx: &mut Context<Self>, now: i64) {
        let Some(first) = self.sends.front().filter(|first| first.begun) else { return };
        let due = first.state.look_in_ms(&first.plan, now, self.still_ms(now), self.seen.at_ms);
        if now >= first.plan.deadline_ms {
            self.step_send(ctx, Event::TimePassed { now_ms: now });
        } else if due.is_some_and(|wait| wait <= 1) && !self.look_under_way() {
            self.look(ctx, Want { tree: true, ..Want::default() });
        }
    }

    pub(super) fn end_sends(&mut self, ctx: &mut Context<Self>) {
        if self.sends.front().is_some_and(|first| first.begun) {
            self.step_send(ctx, Event::Ended);
        }
        // One whose write is under way is answered by the end of that write.
        let mut rest =
            self.sends.split_off(usize::from(self.sends.front().is_some_and(|f| f.begun)));
        for mut sending in rest.drain(..) {
            if let Some(reply) = sending.reply.take() {
                let _ = reply.send(Err(exited()));
            }
        }
    }

    fn step_send(&mut self, ctx: &mut Context<Self>, event: Event) {
        let Some(first) = self.sends.front_mut() else { return };
        let (next, effects) = first.state.step(&first.plan, event);
        first.state = next;
        for effect in effects {
            match effect {
                Effect::WriteInput => self.write_input(ctx),
                Effect::WriteEnter => self.write_enter(ctx),
                Effect::Refuse(refusal) => self.close_send(ctx, Err(refused(refusal))),
                Effect::Answer { outcome, written, stall } => {
                    self.answer_send(ctx, outcome, written, stall);
                }
            }
        }
    }

    fn write_input(&mut self, ctx: &mut Context<Self>) {
        let now = clock::monotonic_ms();
        let owner = self.sends.front().map(|first| first.caller.owner.clone());
        let found_draft = owner.is_some_and(|owner| self.is_foreign(&owner, now));
        let Some(first) = self.sends.front_mut() else { return };
        let bytes = match typing::encode(&first.what, &self.seen) {
            Ok(bytes) => bytes,
            Err(error) => {
                first.state = State::Done;
                self.close_send(ctx, Err(error));
                return;
            }
        };
        if bytes.pasted {
            first.plan.typed_settle_ms = first.plan.typed_settle_ms.max(typing::PASTE_SETTLE_MS);
        }
        first.found_draft = found_draft;
        let mut mark = Mark::at(&self.seen.frame);
        first.frame_before = mark.frame;
        first.hidden = self.seen.hides_input();
        if !first.hidden {
            mark.echo = echo_lines(&first.what.as_typed());
            mark.keys = matches!(first.what, What::Keys(_));
        }
        first.worked_before =
            self.verdict.as_ref().is_none_or(|verdict| verdict.state != Doing::AwaitingInput);
        let (caller, input) = (first.caller.clone(), bytes.input.clone());
        if matches!(first.what, What::Keys(_)) {
            // A key may act by itself, without an Enter.
            self.attention.inputs += 1;
        } else {
            self.card.update(|now| now.tasked = true);
        }
        first.bytes = bytes;
        if first.bytes.enters && !first.plan.submit {
            first.at_enter = at_enter(&self.seen, self.verdict.as_ref(), mark.clone(), 0);
        }
        self.inputs.begin(&caller, mark);
        self.card.update(|now| now.used.interactions += 1);
        self.write(ctx, input);
    }

    fn write_enter(&mut self, ctx: &mut Context<Self>) {
        let queued = self.queued_told();
        let Some(first) = self.sends.front_mut() else { return };
        let mut mark = Mark::at(&self.seen.frame);
        if !first.hidden {
            mark.echo = echo_lines(&first.what.as_typed());
        }
        first.at_enter = at_enter(&self.seen, self.verdict.as_ref(), mark, queued);
        let enter = first.bytes.enter.clone();
        self.attention.inputs += 1;
        self.write(ctx, enter);
    }

    fn write(&mut self, ctx: &mut Context<Self>, bytes: Vec<u8>) {
        let now = clock::monotonic_ms();
        self.inputs.written(now, self.clock.0.output_bytes);
        self.card.update(|card| card.last_activity_ms = clock::unix_ms());
        let Some(first) = self.sends.front() else { return };
        let left = u64::try_from(first.plan.deadline_ms - now).unwrap_or(0).max(1);
        let link = self.link.clone();
        let written = async move {
            let request = Request::Write { bytes, deadline_ms: left };
            match link {
                Some(link) => {
                    link.request(request, Duration::from_millis(left) + REQUEST_MAX).await
                }
                None => Err(LinkError::Closed),
            }
        };
        ctx.spawn(written.into_actor(self).map(|result, this, ctx| {
            this.run(ctx, |this, ctx| {
                let now_ms = clock::monotonic_ms();
                let (bytes, complete) = match result {
                    Ok(Reply::Written { bytes_written, complete }) => (bytes_written, complete),
                    Ok(_) | Err(_) => (0, false),
                };
                this.inputs.last_ms = Some(now_ms);
                this.look_after_input(now_ms);
                this.step_send(ctx, Event::Written { now_ms, bytes, complete });
                if !this.state.is_alive() {
                    this.end_sends(ctx);
                }
            });
        }));
    }
}

fn echoes_lines(seen: &super::seen::Seen) -> bool {
    seen.facts.tty.is_some_and(|tty| tty.canonical && tty.echo)
}

/// Somebody reads a line. Line editors switch bracketed paste off while a command runs, and
/// stay on the main screen; in a full-screen editor any line may look like a prompt.
fn edits_line(seen: &super::seen::Seen) -> bool {
    let reads = seen.facts.bracketed_paste == Some(true) || seen.facts.blocked_reader == Some(true);
    reads && !seen.frame.modes.alternate_screen
}

fn at_enter(
    seen: &super::seen::Seen,
    verdict: Option<&policy::Classification>,
    mark: Mark,
    queued: usize,
) -> AtEnter {
    AtEnter {
        content: seen.clock.content,
        output_bytes: seen.clock.output_bytes,
        doing: verdict.map(|verdict| verdict.state),
        modes: seen.frame.modes,
        cooked_echo: echoes_lines(seen),
        cursor: Some((seen.frame.cursor.x, seen.frame.cursor.y)),
        mark,
        queued,
    }
}

fn plan(submit: bool, settle: Duration, timeout: Duration) -> Plan {
    let millis = |time: Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX / 4);
    Plan {
        submit,
        settle_ms: millis(settle),
        typed_settle_ms: millis(settle),
        deadline_ms: clock::monotonic_ms().saturating_add(millis(timeout)),
        check_ms_max: CHECK_SETTLE_MS_MAX,
        typed_ms_max: TYPED_SETTLE_MS_MAX,
        effect_ms_max: EFFECT_SETTLE_MS_MAX,
    }
}
