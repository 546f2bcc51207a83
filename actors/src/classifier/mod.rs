//! Attention: tells by itself, once per entry, that a session needs input or is stuck.
//!
//! ```text
//! sessions ──Perceived──▶ ClassifierActor ──input_needed, stuck──▶ event log
//! ```
//!
//! A session looks at its worker whenever the screen has settled and, while it seems to work,
//! from time to time; what `policy` makes of a look comes here. The edges are found here, for
//! all sessions alike, so that a status query or a moving clock never raises anything.
//! What it does not do: look at screens.

mod actor;
mod machine;
mod messages;
mod states;
#[cfg(test)]
mod tests;

pub(crate) use actor::ClassifierActor;
pub(crate) use messages::{Perceived, Sight};
pub(crate) use states::states;
