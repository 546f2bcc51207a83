//! How a send ends: its answer, the event, the audit record, and what remains of it.

use actix::Context;
use policy::outgoing::Wrap;

use super::actor::{SessionActor, exited};
use super::send::{Refusal, Stall};
use super::typing::{self, What};
use crate::audit::{AuditAction, AuditEntry};
use crate::clock;
use crate::error::{ConflictReason, Error};
use crate::events::{Cap, Code, Emit, Event as Fact, EvictionReason, KeystrokeKind};
use crate::session_types::{Outcome, SendReply};

impl SessionActor {
    pub(super) fn answer_send(
        &mut self,
        ctx: &mut Context<Self>,
        outcome: Outcome,
        written: u64,
        stall: Option<Stall>,
    ) {
        let Some(first) = self.sends.front() else { return };
        // Keys with an Enter among them: did anything come of it?
        let keys = matches!(first.what, What::Keys(_));
        let moved = self.seen.clock.content != first.at_enter.content || !self.state.is_alive();
        let outcome = if keys && first.bytes.enters && moved && outcome == Outcome::Delivered {
            Outcome::Submitted
        } else {
            outcome
        };
        if outcome == Outcome::Delivered && !keys {
            let frame = first.frame_before;
            self.typed_only(frame);
        }
        self.note_draft(outcome, written);
        self.report_send(outcome, written);
        let reply = self.send_reply(outcome, written, stall);
        self.close_send(ctx, reply);
        self.check_interactions(ctx);
    }

    /// Unsubmitted text belongs to whoever typed it until somebody submits or clears it.
    fn note_draft(&mut self, outcome: Outcome, written: u64) {
        let Some(first) = self.sends.front() else { return };
        let submitted = matches!(outcome, Outcome::Submitted | Outcome::Queued);
        // C-u may have cleared one line of several.
        let cleared = || first.bytes.clears && !self.shows_draft(clock::monotonic_ms());
        if submitted || cleared() {
            self.inputs.touched = None;
        } else if !first.found_draft && written > 0 {
            self.inputs.touched = Some(first.caller.owner.clone());
        }
        if first.bytes.enters || first.bytes.clears || submitted {
            self.inputs.draft = None;
        } else if first.bytes.leaves_text && written > 0 {
            self.inputs.draft = Some(first.caller.owner.clone());
        }
    }

    fn report_send(&self, outcome: Outcome, written: u64) {
        let Some(first) = self.sends.front() else { return };
        let (kind, action) = match &first.what {
            What::Text(_) => (KeystrokeKind::Text, AuditAction::SessionSendText),
            What::Keys(_) => (KeystrokeKind::Key, AuditAction::SessionSendKey),
        };
        let payload = (!first.hidden).then(|| self.audited(&first.what.as_told()));
        let redactions = payload.as_ref().map_or(0, |payload| payload.redactions);
        self.emit(Fact::Keystroke { kind, byte_length: written, redactions, outcome });
        let mut entry = AuditEntry::by(&first.caller, action, outcome_code(outcome))
            .session(&self.card.id)
            .detail("byteLength", written);
        entry.payload = payload;
        self.records.audit.record(entry);
    }

    pub(super) fn emit(&self, event: Fact) {
        self.records.events.emit(Emit {
            owner: Some(self.card.owner.clone()),
            session_id: Some(self.card.id.clone()),
            event,
        });
    }

    fn send_reply(
        &self,
        outcome: Outcome,
        written: u64,
        stall: Option<Stall>,
    ) -> Result<SendReply, Error> {
        let wrap = self.sends.front().map_or(Wrap::Untrusted, |first| first.wrap);
        let asked = self.sends.front().map_or(0, |first| first.bytes.input.len());
        Ok(SendReply {
            outcome,
            bytes_written: written,
            screen: self.digest(wrap)?,
            cursor: self.cursor(),
            frame: self.seen.frame.number,
            state: self.session_state(),
            reason: self.state_reason(),
            hint: stall.map(|stall| typing::hint(stall, written, asked)),
        })
    }

    pub(super) fn close_send(&mut self, ctx: &mut Context<Self>, answer: Result<SendReply, Error>) {
        if let Some(mut first) = self.sends.pop_front()
            && let Some(reply) = first.reply.take()
        {
            if let Ok(sent) = &answer {
                self.inputs.saw(&first.caller, sent.frame);
            }
            // The caller may have gone; what was typed is typed.
            let _ = reply.send(answer);
        }
        if self.state.is_alive() {
            self.begin_send(ctx);
        }
    }

    fn check_interactions(&mut self, ctx: &mut Context<Self>) {
        let used = self.card.now().used.interactions;
        if let Some(max) = self.card.entry.limits.interactions_max
            && used >= max
            && self.state.is_alive()
        {
            let limit = Cap { name: "max_interactions", value: max, unit: "interactions" };
            let reason = EvictionReason::MaxInteractions;
            self.evict(ctx, super::messages::Evict { reason, limit });
        }
    }
}

fn outcome_code(outcome: Outcome) -> Code {
    Code::of(match outcome {
        Outcome::Delivered => "delivered",
        Outcome::Submitted => "submitted",
        Outcome::Queued => "queued",
        Outcome::Stalled => "stalled",
    })
}

pub(super) fn refused(refusal: Refusal) -> Error {
    match refusal {
        Refusal::SessionExited => exited(),
        Refusal::DialogOpen => Error::Conflict {
            reason: ConflictReason::DialogOpen,
            detail: "the program shows a dialog; typed text would choose or confirm something"
                .to_owned(),
            hint: Some(
                "answer the dialog with terminal_session_send_key, or pass onDialog: send"
                    .to_owned(),
            ),
        },
        Refusal::ForeignDraft => Error::Conflict {
            reason: ConflictReason::ForeignDraft,
            detail: "somebody else's unsubmitted text stands in the program's input".to_owned(),
            hint: Some(
                "wait until it is submitted, or clear it with terminal_session_send_key".to_owned(),
            ),
        },
    }
}
