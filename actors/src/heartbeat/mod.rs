//! Asks every living session from time to time whether its worker still answers.
//!
//! A worker that has gone closes its link, and that is noticed at once. This finds the other
//! kind: one that is stopped or hangs. A session whose worker leaves two looks unanswered is
//! lost. It reads no screen and moves no clock of the session.

mod actor;

pub(crate) use actor::HeartbeatActor;
