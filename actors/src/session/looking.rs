//! Looking at the session, and saying what it does.
//!
//! At most one look is under way. Whoever needs one that begins after now gets its number;
//! wishes that come meanwhile are merged into the next. Everything that waits is looked at
//! again with every look: nothing depends on having seen a particular push.

use std::time::Duration;

use actix::{ActorFutureExt, AsyncContext, Context, WrapFuture};
use policy::{Classification, History, Observation, Reason, State as Doing, TreeActivity};
use worker::LinkError;
use worker::protocol::{Reply, Request};

use super::actor::SessionActor;
use super::machine::{Activity, Event, State};
use super::seen::Seen;
use crate::classifier::{Perceived, Sight};
use crate::clock;
use crate::limits::{LOOK_MAX, RELOOK_MS_MAX, RELOOK_MS_MIN, SETTLE_MS_DEFAULT, SILENT_INPUT_MS};
use crate::session_types::SessionState;

/// What a look should bring.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Want {
    pub(crate) tree: bool,
    pub(crate) history_from: Option<u64>,
    pub(crate) history_max: u32,
}

impl Want {
    fn and(self, other: Self) -> Self {
        Self {
            tree: self.tree || other.tree,
            history_from: match (self.history_from, other.history_from) {
                (Some(one), Some(another)) => Some(one.min(another)),
                (one, another) => one.or(another),
            },
            history_max: self.history_max.max(other.history_max),
        }
    }
}

/// Looks under way, asked for and done.
#[derive(Debug, Default)]
pub(crate) struct Looks {
    begun: u64,
    pub(super) done: u64,
    under_way: bool,
    wanted: Option<Want>,
    /// Looks in a row that were not answered in time.
    timeouts: u32,
    relook_at: Option<i64>,
    pause_ms: i64,
    /// CPU and I/O of the tree, and when they were measured.
    activity: Option<(TreeActivity, i64)>,
}

impl Looks {
    pub(super) fn is_under_way(&self) -> bool {
        self.under_way
    }
}

/// What the classifier was last told, so that a moving clock is no news.
#[derive(Debug, Default)]
pub(crate) struct Attention {
    /// Frame and cursor row of the prompt that was told.
    pub(super) frame: u64,
    cursor_y: u16,
    history_total: u64,
    kind: Option<policy::Kind>,
    /// Inputs that may have answered it, then and now.
    told_inputs: u64,
    pub(super) inputs: u64,
}

/// More rows than a status line or a clock.
const ROWS_OF_NEWS: usize = 2;
/// Looks in a row without an answer after which the worker counts as gone.
const TIMEOUTS_MAX: u32 = 2;

impl SessionActor {
    /// Asks for a look that begins after now; returns its number.
    pub(super) fn look(&mut self, ctx: &mut Context<Self>, want: Want) -> u64 {
        if self.looks.under_way {
            self.looks.wanted = Some(self.looks.wanted.unwrap_or_default().and(want));
            return self.looks.begun + 1;
        }
        self.begin_look(ctx, want);
        self.looks.begun
    }

    fn begin_look(&mut self, ctx: &mut Context<Self>, want: Want) {
        self.looks.begun += 1;
        self.looks.under_way = true;
        let link = self.link.clone();
        let request = Request::Observe {
            history_from: want.history_from,
            history_max: want.history_max,
            with_tree: want.tree,
        };
        let asked = async move {
            match link {
                Some(link) => link.request(request, LOOK_MAX).await,
                None => Err(LinkError::Closed),
            }
        };
        ctx.spawn(asked.into_actor(self).map(|result, this, ctx| {
            this.run(ctx, |this, ctx| this.looked(ctx, result));
        }));
    }

    fn looked(&mut self, ctx: &mut Context<Self>, result: Result<Reply, LinkError>) {
        self.looks.under_way = false;
        self.looks.done = self.looks.begun;
        match result {
            Ok(Reply::Observed(observation)) => {
                self.looks.timeouts = 0;
                let seen = Seen::new(&observation, clock::monotonic_ms());
                self.take(seen, ctx);
            }
            Ok(_) => {
                tracing::warn!(session = %self.card.id, "a look was answered by something else")
            }
            Err(LinkError::Timeout) => {
                self.looks.timeouts += 1;
                if self.looks.timeouts >= TIMEOUTS_MAX {
                    self.link = None;
                    self.step(ctx, Event::WorkerGone);
                }
            }
            // The end of the link is told by its pushes.
            Err(error) => tracing::debug!(session = %self.card.id, %error, "no look"),
        }
        // Whatever came of it, nobody waits for it any longer.
        self.answer_reads();
        self.waits_see(clock::monotonic_ms());
        if !self.state.is_alive() && self.is_final() {
            self.finish_waits();
            if std::mem::take(&mut self.release_wanted) {
                self.release_worker(ctx);
            }
        }
        if let Some(want) = self.looks.wanted.take() {
            self.begin_look(ctx, want);
        }
    }

    /// Takes over a look, from wherever it came, and lets everybody see it.
    pub(super) fn take(&mut self, mut seen: Seen, ctx: &mut Context<Self>) {
        if seen.history.is_empty() && !self.state.is_alive() {
            seen.history = std::mem::take(&mut self.seen.history);
        }
        if seen.exit_tail.is_none() {
            seen.exit_tail = self.seen.exit_tail.take();
        }
        let now = seen.at_ms;
        if seen.clock.content != self.seen.clock.content {
            self.looks.pause_ms = RELOOK_MS_MIN;
            self.card.update(|card| card.last_activity_ms = clock::unix_ms());
        }
        match seen.facts.activity {
            Some(activity) => self.looks.activity = Some((activity, now)),
            None => {
                let recent = self.looks.activity.filter(|(_, at)| now - at < 2 * RELOOK_MS_MAX);
                seen.facts.activity = recent.map(|(activity, _)| activity);
            }
        }
        let busy = seen.facts.activity.is_some_and(|tree| tree.busy_child || !tree.cpu.is_zero());
        let size = seen.frame.size;
        self.card.update(|card| {
            card.busy = busy;
            (card.cols, card.rows) = (size.cols, size.rows);
        });
        self.clock = (seen.clock, now);
        self.dirty = false;
        self.seen = seen;
        self.perceive(ctx, now);
        self.sends_see(ctx, now);
        self.waits_see(now);
    }

    /// How long nothing has changed, counted from the last input at most.
    pub(super) fn still_ms(&self, now: i64) -> Option<i64> {
        let (clock, at) = self.clock;
        if clock.synchronized_update {
            return None;
        }
        let unchanged = i64::try_from(clock.unchanged_ms).unwrap_or(i64::MAX);
        let unchanged = unchanged.saturating_add(now - at);
        Some(self.inputs.last_ms.map_or(unchanged, |input| unchanged.min(now - input)))
    }

    pub(super) fn classify(&self, now: i64, settled: bool) -> Classification {
        let still = self.still_ms(now).unwrap_or(0);
        let mut facts = self.seen.facts.clone();
        facts.settled = settled;
        facts.unchanged_for = Duration::from_millis(u64::try_from(still).unwrap_or(0));
        let history =
            History { no_change_for: facts.unchanged_for, stuck_after: self.card.stuck_after };
        let observation = Observation { frame: self.seen.frame.clone(), facts };
        policy::classify(&observation, &history, self.card.profile())
    }

    fn perceive(&mut self, ctx: &mut Context<Self>, now: i64) {
        let settled = self.still_ms(now).is_some_and(|still| still >= SETTLE_MS_DEFAULT);
        let verdict = self.classify(now, settled);
        let confirmed = self.is_confirmed(&verdict, now);
        if confirmed {
            self.state_inputs = self.inputs.count;
            if settled && verdict.state == Doing::AwaitingInput {
                self.note_prompt();
            }
        }
        let activity = match verdict.state {
            Doing::Working => Some(Activity::Working),
            Doing::AwaitingInput => Some(Activity::AwaitingInput),
            Doing::Stuck => Some(Activity::Stuck),
            // Told by the worker itself.
            Doing::Exited => None,
        };
        let before = self.verdict.as_ref().map(|verdict| verdict.state);
        if before != Some(verdict.state) {
            self.since_unix_ms = clock::unix_ms();
        }
        self.plan_relook(&verdict, settled, confirmed, now);
        self.verdict = Some(verdict);
        if let Some(activity) = activity {
            self.step(ctx, Event::Perceived(activity));
        }
        self.publish_state();
        if settled && confirmed {
            self.tell_classifier();
        }
    }

    /// After an input the old prompt still stands there; it counts again once the program has
    /// said something, is known to read, or has been silent for long.
    fn is_confirmed(&self, verdict: &Classification, now: i64) -> bool {
        let Some(input) = self.inputs.last_ms else { return true };
        if verdict.state != Doing::AwaitingInput {
            return true;
        }
        let answered = self.seen.clock.output_bytes > self.inputs.output_bytes
            || self.seen.facts.blocked_reader == Some(true)
            || now - input >= SILENT_INPUT_MS;
        answered && !self.seen.unread_input
    }

    fn plan_relook(&mut self, verdict: &Classification, settled: bool, confirmed: bool, now: i64) {
        let pause = match verdict.state {
            Doing::Exited => None,
            Doing::AwaitingInput if confirmed => None,
            Doing::AwaitingInput | Doing::Working | Doing::Stuck if !settled => {
                let still = self.still_ms(now).unwrap_or(0);
                Some((SETTLE_MS_DEFAULT - still).clamp(2, SETTLE_MS_DEFAULT) + 1)
            }
            Doing::AwaitingInput | Doing::Working | Doing::Stuck => {
                let pause = self.looks.pause_ms.clamp(RELOOK_MS_MIN, RELOOK_MS_MAX);
                self.looks.pause_ms = (pause * 2).min(RELOOK_MS_MAX);
                let stuck_ms = i64::try_from(self.card.stuck_after.as_millis()).unwrap_or(i64::MAX);
                let to_stuck = stuck_ms.saturating_sub(self.still_ms(now).unwrap_or(0));
                Some(if to_stuck > 0 { pause.min(to_stuck.saturating_add(5)) } else { pause })
            }
        };
        self.looks.relook_at = pause.filter(|_| self.state.is_alive()).map(|pause| now + pause);
    }

    pub(super) fn relook_due(&self) -> Option<i64> {
        self.looks.relook_at.filter(|_| self.state.is_alive() && !self.looks.under_way)
    }

    pub(super) fn relook_on_time(&mut self, ctx: &mut Context<Self>, now: i64) {
        if self.relook_due().is_some_and(|at| now >= at) {
            self.looks.relook_at = None;
            self.look(ctx, Want { tree: true, ..Want::default() });
        }
    }

    /// Something was written: the next look comes soon.
    pub(super) fn look_after_input(&mut self, now: i64) {
        self.looks.pause_ms = RELOOK_MS_MIN;
        let at = now + SETTLE_MS_DEFAULT + 1;
        self.looks.relook_at = Some(self.looks.relook_at.map_or(at, |old| old.min(at)));
    }

    /// Output came: by definition it works until that has settled.
    pub(super) fn on_changed(&mut self, ctx: &mut Context<Self>, now: i64) {
        let moving = self.still_ms(now).is_none_or(|still| still < SETTLE_MS_DEFAULT);
        if moving && self.verdict.as_ref().is_none_or(|old| old.state != Doing::Working) {
            self.since_unix_ms = clock::unix_ms();
            self.verdict = Some(Classification {
                state: Doing::Working,
                confidence: policy::Confidence::High,
                reason: Reason::UnsettledOutput,
                kind: None,
                evidence: Vec::new(),
            });
            self.step(ctx, Event::Perceived(Activity::Working));
            self.publish_state();
        }
        self.card.update(|card| card.last_activity_ms = clock::unix_ms());
        // Should the worker's own word about the settled screen get lost.
        self.looks.relook_at = Some(now + 2 * SETTLE_MS_DEFAULT);
        self.waits_on_change(ctx);
    }

    fn tell_classifier(&mut self) {
        // Text on its way into a prompt is not yet an answer to it.
        if self.is_typing() {
            return;
        }
        let Some(verdict) = &self.verdict else { return };
        let frame = &self.seen.frame;
        let rows = frame.rows.iter().filter(|row| row.changed_in > self.attention.frame).count();
        let moved = rows >= ROWS_OF_NEWS
            || frame.cursor.y != self.attention.cursor_y
            || frame.history_total != self.attention.history_total;
        let sight = match verdict.state {
            Doing::Working => Sight::Works,
            Doing::Stuck => Sight::Hangs,
            Doing::Exited => Sight::Ended,
            Doing::AwaitingInput => Sight::Awaits {
                renewed: moved
                    || verdict.kind != self.attention.kind
                    || self.attention.inputs != self.attention.told_inputs,
            },
        };
        if verdict.state == Doing::AwaitingInput {
            let inputs = self.attention.inputs;
            self.attention = Attention {
                frame: frame.number,
                cursor_y: frame.cursor.y,
                history_total: frame.history_total,
                kind: verdict.kind,
                told_inputs: inputs,
                inputs,
            };
        }
        let perceived = Perceived {
            session_id: self.card.id.clone(),
            owner: self.card.owner.clone(),
            sight,
            verdict: Some(verdict.clone()),
            no_progress: self.seen.facts.unchanged_for,
        };
        if self.classifier.try_send(perceived).is_err() {
            tracing::warn!(session = %self.card.id, "the classifier does not keep up");
        }
    }

    pub(super) fn tell_end(&self) {
        let ended = Perceived {
            session_id: self.card.id.clone(),
            owner: self.card.owner.clone(),
            sight: Sight::Ended,
            verdict: None,
            no_progress: Duration::ZERO,
        };
        if self.classifier.try_send(ended).is_err() {
            tracing::warn!(session = %self.card.id, "the classifier does not keep up");
        }
    }

    /// The echo of text that was only typed is not a new prompt.
    pub(super) fn typed_only(&mut self, since: u64) {
        let frame = &self.seen.frame;
        let rows = frame.rows.iter().filter(|row| row.changed_in > since).count();
        if rows < ROWS_OF_NEWS {
            self.attention.frame = frame.number;
            self.attention.cursor_y = frame.cursor.y;
        }
    }

    pub(super) fn session_state(&self) -> SessionState {
        match self.state {
            State::Created => SessionState::Created,
            State::Running { activity: Activity::Working } => SessionState::Working,
            State::Running { activity: Activity::AwaitingInput } => SessionState::AwaitingInput,
            State::Running { activity: Activity::Stuck } => SessionState::Stuck,
            State::Ending { .. } => SessionState::Ending,
            State::Exited { .. } => SessionState::Exited,
            State::Lost { .. } => SessionState::Lost,
        }
    }

    /// Which rule fired, or why it is lost.
    pub(super) fn state_reason(&self) -> Option<String> {
        match self.state {
            State::Lost { reason } => Some(reason.as_str().to_owned()),
            State::Exited { .. } => Some(Reason::PtyExit.as_str().to_owned()),
            State::Created | State::Running { .. } | State::Ending { .. } => {
                self.verdict.as_ref().map(|verdict| verdict.reason.as_str().to_owned())
            }
        }
    }

    pub(super) fn publish_state(&self) {
        let state = self.session_state();
        let reason = self.state_reason();
        let kind = self
            .verdict
            .as_ref()
            .filter(|_| state == SessionState::AwaitingInput)
            .and_then(|verdict| verdict.kind)
            .map(|kind| kind.as_str().to_owned());
        let alive = self.state.is_alive();
        self.card.update(|now| {
            now.state = state;
            now.reason = reason;
            now.kind = kind;
            now.alive = alive;
        });
    }
}
