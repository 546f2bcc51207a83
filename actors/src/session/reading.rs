//! What leaves a session: screens, status. Text goes out through `policy::outgoing` alone.

use actix::Context;
use policy::outgoing::{self, Format, Request, Selection, Wrap};
use policy::{Exit, SafeText};
use term::Row;

use super::actor::SessionActor;
use super::looking::Want;
use super::machine::State;
use super::messages::Answer;
use crate::caller::Caller;
use crate::clock;
use crate::error::Error;
use crate::ids;
use crate::limits::{EXIT_TAIL_BYTES_MAX, FULL_BYTES_MAX, SCREEN_BYTES_MAX, SCROLLBACK_MAX};
use crate::session_types::{
    CursorAt, Diff, Read, ReadReply, SessionState, StatusModes, StatusReply,
};
use crate::settings::ReadMode;

/// Room for lines that scroll off between asking and looking.
const HISTORY_SLACK: u32 = 1_000;
/// Random hex digits around untrusted text.
const DELIMITER_BYTES: usize = 12;

/// Somebody who waits for a look.
pub(crate) enum Reading {
    Screen { min_look: u64, caller: Caller, read: Read, reply: Answer<ReadReply> },
    Status { min_look: u64, reply: Answer<StatusReply> },
}

impl SessionActor {
    pub(super) fn look_under_way(&self) -> bool {
        self.looks.is_under_way()
    }

    pub(super) fn read(
        &mut self,
        ctx: &mut Context<Self>,
        caller: Caller,
        read: Read,
        reply: Answer<ReadReply>,
    ) {
        if self.link.is_none() {
            let _ = reply.send(self.read_reply(&caller, &read));
            return;
        }
        let lines = if self.read_mode(&read) == ReadMode::Full { read.scrollback } else { 0 };
        let lines = lines.min(SCROLLBACK_MAX);
        let want = Want {
            tree: false,
            history_from: (lines > 0)
                .then(|| self.seen.frame.history_total.saturating_sub(u64::from(lines))),
            history_max: lines.saturating_add(HISTORY_SLACK),
        };
        let min_look = self.look(ctx, want);
        self.reads.push(Reading::Screen { min_look, caller, read, reply });
    }

    pub(super) fn status(&mut self, ctx: &mut Context<Self>, reply: Answer<StatusReply>) {
        if self.link.is_none() {
            let _ = reply.send(Ok(self.status_reply()));
            return;
        }
        let min_look = self.look(ctx, Want::default());
        self.reads.push(Reading::Status { min_look, reply });
    }

    pub(super) fn answer_reads(&mut self) {
        let done = self.looks.done;
        let ready = |reading: &Reading| match reading {
            Reading::Screen { min_look, .. } | Reading::Status { min_look, .. } => {
                *min_look <= done
            }
        };
        let (now, later) = std::mem::take(&mut self.reads).into_iter().partition(ready);
        self.reads = later;
        let now: Vec<Reading> = now;
        for reading in now {
            match reading {
                Reading::Screen { caller, read, reply, .. } => {
                    let answer = self.read_reply(&caller, &read);
                    self.inputs.saw(&caller, self.seen.frame.number);
                    let _ = reply.send(answer);
                }
                Reading::Status { reply, .. } => {
                    let _ = reply.send(Ok(self.status_reply()));
                }
            }
        }
    }

    fn read_mode(&self, read: &Read) -> ReadMode {
        read.mode.unwrap_or(self.card.read_mode)
    }

    fn read_reply(&self, caller: &Caller, read: &Read) -> Result<ReadReply, Error> {
        let frame = &self.seen.frame;
        let since = read.since_frame.unwrap_or_else(|| self.inputs.last_seen(caller));
        let mode = self.read_mode(read);
        let lines = usize::try_from(read.scrollback.min(SCROLLBACK_MAX)).unwrap_or(0);
        let history: Vec<Row> = match mode {
            ReadMode::Full => {
                let all = &self.seen.history;
                let skip = all.len().saturating_sub(lines);
                all.iter().skip(skip).map(|(_, row)| row.clone()).collect()
            }
            ReadMode::Digest | ReadMode::Diff => Vec::new(),
        };
        let selection = Selection {
            frame,
            history: &history,
            changed_since: (mode == ReadMode::Diff).then_some(since),
        };
        let bytes_max = match mode {
            ReadMode::Full => FULL_BYTES_MAX,
            ReadMode::Digest | ReadMode::Diff => SCREEN_BYTES_MAX,
        };
        let (screen, ghost_text) = self.without_ghost(selection, read, bytes_max)?;
        let bare = |text: &str, bytes_max| {
            self.outgoing(Format::Text, bytes_max, Wrap::None, |request| {
                outgoing::plain(text, request)
            })
        };
        let exit_tail = match &self.seen.exit_tail {
            Some(tail) if !self.state.is_alive() => {
                Some(self.outgoing(Format::Text, EXIT_TAIL_BYTES_MAX, read.wrap, |request| {
                    outgoing::plain(tail, request)
                })?)
            }
            Some(_) | None => None,
        };
        Ok(ReadReply {
            screen,
            cursor: self.cursor(),
            cols: frame.size.cols,
            rows: frame.size.rows,
            title: bare(&frame.title, SCREEN_BYTES_MAX)?,
            alternate_screen: frame.modes.alternate_screen,
            alive: self.state.is_alive(),
            frame: frame.number,
            diff: self.diff(since),
            ghost_text,
            exit: self.exit(),
            exit_tail,
        })
    }

    fn without_ghost(
        &self,
        selection: Selection<'_>,
        read: &Read,
        bytes_max: usize,
    ) -> Result<(SafeText, Option<SafeText>), Error> {
        let mut suggestion = None;
        let screen = self.outgoing(read.format, bytes_max, read.wrap, |request| {
            match outgoing::ghost(selection.frame, self.card.profile(), request) {
                Some(ghost) => {
                    suggestion = Some(ghost.text);
                    outgoing::screen(Selection { frame: &ghost.frame, ..selection }, request)
                }
                None => outgoing::screen(selection, request),
            }
        })?;
        Ok((screen, suggestion))
    }

    fn diff(&self, since: u64) -> Diff {
        let changed: Vec<u16> = (0_u16..)
            .zip(&self.seen.frame.rows)
            .filter(|(_, row)| row.changed_in > since)
            .map(|(number, _)| number)
            .collect();
        Diff {
            changed: self.seen.frame.number > since,
            first_changed_row: changed.first().copied(),
            last_changed_row: changed.last().copied(),
        }
    }

    pub(super) fn exit(&self) -> Option<Exit> {
        match self.state {
            State::Exited { exit } => Some(exit),
            State::Created | State::Running { .. } | State::Ending { .. } | State::Lost { .. } => {
                None
            }
        }
    }

    pub(super) fn cursor(&self) -> CursorAt {
        let cursor = self.seen.frame.cursor;
        CursorAt { x: cursor.x, y: cursor.y, visible: cursor.visible }
    }

    /// The viewport, for sends and waits.
    pub(super) fn digest(&self, wrap: Wrap) -> Result<SafeText, Error> {
        let selection = Selection { frame: &self.seen.frame, history: &[], changed_since: None };
        self.outgoing(Format::Text, SCREEN_BYTES_MAX, wrap, |request| {
            match outgoing::ghost(selection.frame, self.card.profile(), request) {
                Some(ghost) => {
                    outgoing::screen(Selection { frame: &ghost.frame, ..selection }, request)
                }
                None => outgoing::screen(selection, request),
            }
        })
    }

    /// What was typed, as the audit trail keeps it.
    pub(super) fn audited(&self, text: &str) -> SafeText {
        let request = Request {
            format: Format::Text,
            bytes_max: SCREEN_BYTES_MAX,
            redact: true,
            wrap: Wrap::None,
            allow_id: &self.card.entry.id,
            delimiter: "",
        };
        outgoing::plain(text, &request)
    }

    fn outgoing(
        &self,
        format: Format,
        bytes_max: usize,
        wrap: Wrap,
        make: impl FnOnce(&Request<'_>) -> SafeText,
    ) -> Result<SafeText, Error> {
        let delimiter = ids::random_hex::<DELIMITER_BYTES>()
            .map_err(|error| Error::Internal { detail: format!("no randomness: {error}") })?;
        Ok(make(&Request {
            format,
            bytes_max,
            redact: self.card.redact,
            wrap,
            allow_id: &self.card.entry.id,
            delimiter: &delimiter,
        }))
    }

    fn status_reply(&self) -> StatusReply {
        let seen = &self.seen;
        let now = clock::monotonic_ms();
        let card = self.card.now();
        let mut used = card.used;
        used.wall_clock = self.card.age();
        let unchanged = seen.facts.unchanged_for;
        let since_look = u64::try_from(now - seen.at_ms).unwrap_or(0);
        StatusReply {
            session: self.card.summary(),
            state: self.session_state(),
            classification: self.verdict.clone(),
            evidence: self
                .verdict
                .as_ref()
                .map(|verdict| verdict.evidence.clone())
                .unwrap_or_default(),
            since: clock::rfc3339(self.since_unix_ms),
            no_progress: unchanged + std::time::Duration::from_millis(since_look),
            cursor_parked: is_parked(&seen.frame),
            foreground: seen.facts.foreground.clone(),
            modes: self.state.is_alive().then(|| StatusModes {
                terminal: seen.frame.modes,
                echo: seen.facts.tty.map(|tty| tty.echo),
                canonical: seen.facts.tty.map(|tty| tty.canonical),
            }),
            unanswered_queries: seen.unanswered_queries.clone(),
            exit: self.exit(),
            lost_reason: (self.session_state() == SessionState::Lost)
                .then(|| self.lost.map(|reason| reason.as_str().to_owned()))
                .flatten(),
            cols: seen.frame.size.cols,
            rows: seen.frame.size.rows,
            backend: self.card.backend,
            limits: used,
        }
    }
}

/// Within a row of the last text, and not behind its end.
fn is_parked(frame: &term::Frame) -> bool {
    let (x, y) = (usize::from(frame.cursor.x), usize::from(frame.cursor.y));
    let Some(last) = frame.last_text_row() else { return false };
    let Some(row) = frame.rows.get(y) else { return false };
    let length = row.text().chars().count();
    y.abs_diff(last) <= 1 && length > 0 && x <= length + 1
}
