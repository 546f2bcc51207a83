//! Reads: the screen as asked, bounded and redacted, and what a status says. Nothing here
//! moves an anchor or resets a clock.

use policy::outgoing::{self, Format, Selection, Wrap};
use term::Frame;

use super::handle::Session;
use super::observe::Look;
use crate::clock;
use crate::error::Error;
use crate::session_limits::{
    EXIT_TAIL_BYTES_MAX, READ_HISTORY_ROWS_MAX, SCREEN_BYTES_MAX, SCREEN_FULL_BYTES_MAX,
};
use crate::session_types::{
    CursorAt, Diff, LimitsUsed, Read, ReadReply, StatusModes, StatusReply, Summary,
};
use crate::settings::ReadMode;

#[must_use]
pub fn cursor_of(frame: &Frame) -> CursorAt {
    let cursor = frame.cursor;
    CursorAt { x: cursor.x, y: cursor.y, visible: cursor.visible }
}

/// Which rows changed after a frame.
fn diff_since(frame: &Frame, since: u64) -> Diff {
    let changed = |row: &term::Row| row.changed_in > since;
    let first = frame.rows.iter().position(changed);
    let last = frame.rows.iter().rposition(changed);
    let row = |index: usize| u16::try_from(index).unwrap_or(u16::MAX);
    Diff {
        changed: frame.number > since,
        first_changed_row: first.map(row),
        last_changed_row: last.map(row),
    }
}

impl Session {
    /// The screen in the format and mode asked for.
    ///
    /// # Errors
    /// The worker does not answer.
    pub async fn read(&self, ask: Read) -> Result<ReadReply, Error> {
        let mode = ask.mode.unwrap_or(self.info.drive.read_mode);
        let scrollback = match mode {
            ReadMode::Full => ask.scrollback.min(READ_HISTORY_ROWS_MAX),
            ReadMode::Digest | ReadMode::Diff => 0,
        };
        let look = self.look_with_history(scrollback).await?;
        let frame = look.frame();
        self.marks().saw(frame);
        let since = ask.since_frame.unwrap_or(0);
        let bytes_max = match mode {
            ReadMode::Full => SCREEN_FULL_BYTES_MAX,
            ReadMode::Digest | ReadMode::Diff => SCREEN_BYTES_MAX,
        };
        let selection = Selection {
            frame,
            history: &look.history,
            changed_since: (mode == ReadMode::Diff).then_some(since),
        };
        let screen = self.outgoing(ask.format, bytes_max, ask.wrap, |request| {
            outgoing::screen(selection, request)
        });
        let view = self.view();
        let exit_tail = look.exit_tail.as_ref().map(|tail| {
            self.outgoing(Format::Text, EXIT_TAIL_BYTES_MAX, ask.wrap, |request| {
                outgoing::plain(tail, request)
            })
        });
        Ok(ReadReply {
            screen,
            cursor: cursor_of(frame),
            cols: frame.size.cols,
            rows: frame.size.rows,
            title: self.outgoing(Format::Text, TITLE_BYTES_MAX, Wrap::None, |request| {
                outgoing::plain(&frame.title, request)
            }),
            alternate_screen: frame.modes.alternate_screen,
            alive: view.alive(),
            frame: frame.number,
            diff: diff_since(frame, since),
            ghost_text: None,
            exit: view.exit,
            exit_tail,
        })
    }

    /// The newest picture with so many lines above it.
    async fn look_with_history(&self, lines: u32) -> Result<Look, Error> {
        if lines == 0 {
            return self.newest(None, 0).await;
        }
        let total = self.newest(None, 0).await?.frame().history_total;
        self.newest(Some(total.saturating_sub(u64::from(lines))), lines).await
    }

    #[must_use]
    pub fn summary(&self) -> Summary {
        let view = self.view();
        let info = &self.info;
        Summary {
            session_id: info.session_id.clone(),
            allow_id: info.allow_id.clone(),
            name: info.name.clone(),
            project: info.project.clone(),
            agent_id: info.owner.agent_id.clone(),
            session_key: info.owner.session_key.clone(),
            state: view.state,
            reason: view.reason(),
            kind: view
                .classification
                .as_ref()
                .and_then(|found| found.kind)
                .map(|kind| kind.as_str().to_owned()),
            alive: view.alive(),
            created_at: clock::rfc3339(info.created_ms),
            last_activity_at: clock::rfc3339(view.last_activity_ms),
            interactions: view.interactions,
            drive: None,
        }
    }

    /// What the session is doing and why we think so.
    ///
    /// # Errors
    /// The worker does not answer.
    pub async fn status(&self) -> Result<StatusReply, Error> {
        let look = self.newest(None, 0).await?;
        let view = self.view();
        let facts = &look.observation.facts;
        let frame = look.frame();
        let classification = view.classification.as_deref().cloned();
        Ok(StatusReply {
            session: self.summary(),
            state: view.state,
            evidence: classification
                .as_ref()
                .map(|found| found.evidence.clone())
                .unwrap_or_default(),
            classification,
            since: clock::rfc3339(view.since_ms),
            no_progress: facts.unchanged_for,
            cursor_parked: policy::cursor_parked(frame),
            foreground: facts.foreground.clone(),
            modes: view.alive().then(|| StatusModes {
                terminal: frame.modes,
                echo: facts.tty.map(|tty| tty.echo),
                canonical: facts.tty.map(|tty| tty.canonical),
            }),
            unanswered_queries: look.unanswered_queries.as_ref().clone(),
            exit: view.exit,
            lost_reason: view.lost.map(|reason| reason.as_str().to_owned()),
            cols: frame.size.cols,
            rows: frame.size.rows,
            backend: self.info.backend,
            limits: LimitsUsed {
                wall_clock: self.info.age(),
                interactions: view.interactions,
                requests: view.requests,
            },
        })
    }
}

/// Titles are one line.
const TITLE_BYTES_MAX: usize = 1_024;
