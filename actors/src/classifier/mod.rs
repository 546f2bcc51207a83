//! The classifier actor: owns the profiles and answers one question, on a thread of its own,
//! so that a hundred busy screens never delay a key press.
//!
//! ```text
//! session ──Classify{observation}──▶ classifier ──Classification──▶ session
//! ```
//!
//! The decision is `policy::classify`, pure and total; there is no state here but data.
//! Whoever asks keeps the history: the worker's clock says how long nothing changed, so a
//! status query never moves that anchor.

use std::sync::Arc;
use std::time::Duration;

use actix::{Actor, Context, Handler, Message, MessageResult};
use policy::{Classification, History, Observation};
use profiles::Profiles;

use crate::limits::MAILBOX;

/// From a session, after each look. Answered at once.
#[derive(Message)]
#[rtype(result = "Classification")]
pub struct Classify {
    pub observation: Arc<Observation>,
    pub allow_id: String,
    pub stuck_after: Duration,
    pub hint_patterns: Arc<Vec<String>>,
}

pub struct Classifier {
    pub profiles: Arc<Profiles>,
}

impl Actor for Classifier {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Context<Self>) {
        ctx.set_mailbox_capacity(MAILBOX);
    }
}

impl Handler<Classify> for Classifier {
    type Result = MessageResult<Classify>;

    fn handle(&mut self, question: Classify, _: &mut Context<Self>) -> Self::Result {
        let history = History {
            no_change_for: question.observation.facts.unchanged_for,
            stuck_after: question.stuck_after,
            hint_patterns: question.hint_patterns.as_ref().clone(),
        };
        let profile = self.profiles.for_allow_id(&question.allow_id);
        MessageResult(policy::classify(&question.observation, &history, profile))
    }
}
