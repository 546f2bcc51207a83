//! Every state machine as a picture and a table, for `ttydrive states` and the docs.
//!
//! A picture is made by asking the machine itself: each state is given each event, and what
//! changes becomes an arrow. So a picture cannot be out of date.

use std::fmt::Write;

/// One machine for the reader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachineDoc {
    pub name: &'static str,
    /// A Mermaid state diagram.
    pub mermaid: String,
    /// The printed (state × event) table, as a test keeps it.
    pub table: String,
}

/// From state, by event, to state.
pub(crate) type Arrow = (&'static str, &'static str, &'static str);

pub(crate) fn doc(
    name: &'static str,
    start: &'static str,
    arrows: impl IntoIterator<Item = Arrow>,
    table: &str,
) -> MachineDoc {
    let mut mermaid = format!("stateDiagram-v2\n    [*] --> {start}\n");
    let mut drawn = Vec::new();
    for arrow @ (from, event, to) in arrows {
        if from != to && !drawn.contains(&arrow) {
            // Writing to a string cannot fail.
            let _ = writeln!(mermaid, "    {from} --> {to}: {event}");
            drawn.push(arrow);
        }
    }
    MachineDoc { name, mermaid, table: table.to_owned() }
}

/// All machines of this crate.
#[must_use]
pub fn all() -> Vec<MachineDoc> {
    let mut all = vec![crate::system::states::states()];
    all.extend(crate::session::states::states());
    all.extend([
        crate::classifier::states(),
        crate::calls::states(),
        crate::approvals::states(),
        crate::events::states(),
        crate::drive::states(),
    ]);
    all
}

#[cfg(test)]
mod tests {
    use super::all;

    #[test]
    fn every_picture_has_arrows_and_a_table() {
        for machine in all() {
            assert!(machine.mermaid.matches("-->").count() > 2, "{}", machine.mermaid);
            assert!(machine.table.lines().count() > 4, "{}", machine.name);
        }
    }

    #[test]
    fn the_call_as_drawn() {
        let call = all().into_iter().find(|machine| machine.name == "call").unwrap();
        for arrow in [
            "[*] --> running",
            "running --> pending: handed out",
            "pending --> finished: finished",
            "pending --> gone: abandoned",
            "finished --> gone: time passed",
        ] {
            assert!(call.mermaid.contains(arrow), "{arrow} in\n{}", call.mermaid);
        }
        assert!(!call.mermaid.contains("finished --> running"));
    }
}
