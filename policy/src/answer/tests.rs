use std::time::Duration;

use profiles::Profiles;
use proptest::prelude::*;
use term::{Frame, Options, Size, Terminal};

use super::machine::{Effect, Event, FAILING_ANSWERS_MAX, Machine, State};
use super::*;

fn frame(text: &str) -> std::sync::Arc<Frame> {
    let size = Size { cols: 80, rows: 30 };
    let mut terminal = Terminal::new(Options { size, scrollback_lines: 0 });
    terminal.advance(text.replace('\n', "\r\n").as_bytes());
    terminal.frame()
}

fn policy(mode: Mode, hints: &[&str]) -> Policy {
    let hint = |text: &&str| Hint { text: (*text).to_owned(), keys: Vec::new() };
    Policy { mode, hints: hints.iter().map(hint).collect() }
}

fn decision(text: &str, policy: &Policy) -> Decision {
    decide(&frame(text), Some(Kind::Confirm), None, policy).decision
}

fn claude(text: &str, mode: Mode) -> Decision {
    let profiles = Profiles::builtin().unwrap();
    let profile = profiles.for_allow_id("claude");
    decide(&frame(text), None, profile, &policy(mode, &[])).decision
}

const TRUST: &str = "────────────────────────────\n Do you trust this folder?\n\n \
                     ❯ 1. Yes, I trust this folder\n   2. No, exit\n\n Enter to confirm";
const BYPASS: &str = "────────────────────────────\n WARNING: Bypass Permissions mode\n\n \
                      ❯ 1. No, exit\n   2. Yes, I accept\n\n Enter to confirm";
const PERMISSION: &str = "────────────────────────────\n Bash command\n\n   ls -l\n\n \
                          Do you want to proceed?\n ❯ 1. Yes\n   2. No\n\n Esc to cancel";

#[test]
fn mode_none_answers_nothing() {
    let policy = policy(Mode::None, &["Continue?"]);
    assert_eq!(decision("Continue? [Y/n] ", &policy), Decision::Escalate(Escalation::NoSafeMatch));
    assert_eq!(claude(TRUST, Mode::None), Decision::Escalate(Escalation::NoSafeMatch));
}

#[test]
fn dialogs_of_a_profile_are_answered_or_always_escalate() {
    let Decision::Answer(answer) = claude(TRUST, Mode::SafeOnly) else { panic!("no answer") };
    assert!(matches!(&answer.source, Source::Dialog(name) if name.starts_with("trust")));
    for mode in [Mode::SafeOnly, Mode::All] {
        assert_eq!(claude(BYPASS, mode), Decision::Escalate(Escalation::Destructive));
    }
}

#[test]
fn a_permission_is_only_answered_when_the_operator_says_so() {
    let expected = Decision::Escalate(Escalation::NoSafeMatch);
    assert_eq!(claude(PERMISSION, Mode::SafeOnly), expected);
    let Decision::Answer(all) = claude(PERMISSION, Mode::All) else { panic!("no answer") };
    assert_eq!((all.source, all.keys), (Source::Default, vec!["Enter".to_owned()]));
    let hinted = decide(
        &frame(PERMISSION),
        Some(Kind::Permission),
        None,
        &policy(Mode::SafeOnly, &["do you want to proceed?"]),
    );
    assert!(matches!(hinted.decision, Decision::Answer(Answer { source: Source::Hint(0), .. })));
}

#[test]
fn hints_count_only_in_the_prompt() {
    let policy = policy(Mode::SafeOnly, &["Use cache?"]);
    let answered = decision("building\nUse cache? [Y/n] ", &policy);
    assert!(matches!(answered, Decision::Answer(Answer { source: Source::Hint(0), .. })));
    let prose = "Use cache? was asked before\n1\n2\n3\n4\nUse network? [Y/n] ";
    assert_eq!(decision(prose, &policy), Decision::Escalate(Escalation::NoSafeMatch));
}

#[test]
fn the_default_choice_follows_the_kind_of_the_question() {
    let all = policy(Mode::All, &[]);
    for (text, keys) in [
        ("Install it? [Y/n] ", vec!["Enter"]),
        ("Continue (y/n)? ", vec!["y", "Enter"]),
        ("Press any key to continue", vec!["Enter"]),
    ] {
        let Decision::Answer(answer) = decision(text, &all) else { panic!("{text}") };
        assert_eq!(answer.keys, keys, "{text}");
    }
    let menu = decide(&frame("1) a\n2) b\n#? "), Some(Kind::Menu), None, &all);
    assert_eq!(menu.decision, Decision::Escalate(Escalation::NoSafeMatch));
}

#[test]
fn cue_words_veto_however_they_are_drawn() {
    let policy = policy(Mode::All, &["Continue"]);
    for (above, reason) in [
        ("This will delete everything", Escalation::Destructive),
        ("This will ｄｅｌｅｔｅ everything", Escalation::Destructive),
        ("This will d\u{200b}elete everything", Escalation::Destructive),
        ("This will \x1b[31mdel\x1b[32mete\x1b[0m everything", Escalation::Destructive),
        ("git reset  --hard", Escalation::Destructive),
        ("│ rm -rf │", Escalation::Destructive),
        ("Your token expired", Escalation::AuthLogin),
        ("Password: ", Escalation::AuthLogin),
        ("Please sign\nin first", Escalation::AuthLogin),
        ("Do you accept this", Escalation::Approval),
    ] {
        let text = format!("{above}\n\n\n\nContinue? [Y/n] ");
        assert_eq!(decision(&text, &policy), Decision::Escalate(reason), "{above}");
    }
    let wrapped = format!("{}delete all\nContinue? [Y/n] ", "x".repeat(76) + " ");
    assert_eq!(decision(&wrapped, &policy), Decision::Escalate(Escalation::Destructive));
    // Whole words only, and only near the prompt.
    for harmless in ["deleted_at undeletable".to_owned(), format!("delete{}", "\n".repeat(14))] {
        let text = format!("{harmless}\nContinue? [Y/n] ");
        assert!(matches!(decision(&text, &policy), Decision::Answer(_)), "{harmless}");
    }
}

#[test]
fn a_prompt_keeps_its_name_while_its_display_moves() {
    let same = [
        ("⠋ Building 12:30:01 Continue?", "⠙ Building 12:30:02 Continue?"),
        ("45% done. Continue?", "46% done. Continue?"),
        ("waited 3s. Continue?", "waited 1m 20s. Continue?"),
        ("❯ 1. Yes 2. No", "1. Yes ❯ 2. No"),
        ("1.5 MB/s Continue?", "2.5 MB/s Continue?"),
        ("[###   ] 3/10 ok?", "[####  ] 4/10 ok?"),
    ];
    for (a, b) in same {
        assert_eq!(PromptId::of(a), PromptId::of(b), "{a}");
    }
    for (a, b) in [("step 1: go on?", "step 2: go on?"), ("remove a?", "remove b?")] {
        assert_ne!(PromptId::of(a), PromptId::of(b), "{a}");
    }
}

fn answerable(text: &str) -> Prompt {
    let answer = Answer { source: Source::Default, keys: vec!["Enter".to_owned()] };
    Prompt { id: PromptId::of(text), decision: Decision::Answer(answer) }
}

/// Everything up to the keys being written.
fn write(machine: &mut Machine, prompt: &Prompt, now: Duration) -> Vec<Effect> {
    let mut effects = machine.step(Event::PromptShown { prompt: prompt.clone(), now });
    if effects == [Effect::AskForTurn] {
        machine.step(Event::TurnGranted);
        effects.extend(machine.step(Event::Rechecked { prompt: Some(prompt.clone()), now }));
        effects.extend(machine.step(Event::Written { complete: true }));
    }
    effects
}

#[test]
fn an_answer_counts_when_its_prompt_is_gone() {
    let mut machine = Machine::default();
    let prompt = answerable("a?");
    write(&mut machine, &prompt, Duration::ZERO);
    assert_eq!(machine.step(Event::Looked { prompt: Some(prompt.id) }), []);
    let effects = machine.step(Event::Looked { prompt: None });
    assert!(matches!(effects.as_slice(), [Effect::GiveTurnBack, Effect::AnnounceAnswered(_)]));
    assert!(matches!(machine.state(), State::Answered { .. }));
}

#[test]
fn the_same_prompt_soon_again_is_a_loop_and_later_is_not() {
    let mut machine = Machine::default();
    let prompt = answerable("a?");
    write(&mut machine, &prompt, Duration::ZERO);
    machine.step(Event::Looked { prompt: None });
    let soon =
        machine.step(Event::PromptShown { prompt: prompt.clone(), now: Duration::from_secs(30) });
    assert_eq!(soon, [Effect::Escalate(Escalation::LoopDetected)]);
    let again =
        machine.step(Event::PromptShown { prompt: prompt.clone(), now: Duration::from_secs(31) });
    assert_eq!(again, [], "one escalation per prompt");
    machine.step(Event::PromptGone);
    let later = machine.step(Event::PromptShown { prompt, now: Duration::from_secs(61) });
    assert_eq!(later, [Effect::AskForTurn]);
}

#[test]
fn a_prompt_that_changed_meanwhile_is_not_answered() {
    let mut machine = Machine::default();
    let now = Duration::ZERO;
    machine.step(Event::PromptShown { prompt: answerable("a?"), now });
    machine.step(Event::TurnGranted);
    let effects = machine.step(Event::Rechecked { prompt: Some(answerable("b?")), now });
    assert_eq!(effects, [Effect::GiveTurnBack, Effect::LookAgain]);
    assert_eq!(*machine.state(), State::Idle);
}

#[test]
fn answers_that_change_nothing_end_at_the_hop_limit() {
    let mut machine = Machine::default();
    let mut last = Vec::new();
    for hop in 0..FAILING_ANSWERS_MAX {
        let now = Duration::from_secs(u64::from(hop) * 60);
        write(&mut machine, &answerable("a?"), now);
        last = machine.step(Event::ConfirmTimedOut);
    }
    assert_eq!(last, [Effect::GiveTurnBack, Effect::Escalate(Escalation::HopLimit)]);
}

fn any_event() -> impl Strategy<Value = Event> {
    let text = || prop::sample::select(vec!["a?", "b?", "c?"]);
    let prompt = move || {
        (text(), any::<bool>()).prop_map(|(text, safe)| {
            let prompt = answerable(text);
            let decision = Decision::Escalate(Escalation::Destructive);
            if safe { prompt } else { Prompt { decision, ..prompt } }
        })
    };
    prop_oneof![
        prompt().prop_map(|prompt| Event::PromptShown { prompt, now: Duration::ZERO }),
        Just(Event::PromptGone),
        Just(Event::TurnGranted),
        prop::option::of(prompt())
            .prop_map(|prompt| Event::Rechecked { prompt, now: Duration::ZERO }),
        any::<bool>().prop_map(|complete| Event::Written { complete }),
        prop::option::of(text().prop_map(PromptId::of)).prop_map(|prompt| Event::Looked { prompt }),
        Just(Event::ConfirmTimedOut),
    ]
}

proptest! {
    /// Counters of what was asked for, against what was given back; keys only after a second look.
    #[test]
    fn turns_balance_and_nothing_is_written_unseen(
        events in prop::collection::vec(any_event(), 0..200),
    ) {
        let mut machine = Machine::default();
        let mut asked = 0_i32;
        for event in events {
            let looked = matches!(event, Event::Rechecked { prompt: Some(_), .. });
            // The queue grants only what was asked for.
            if matches!(event, Event::TurnGranted) && asked == 0 {
                continue;
            }
            for effect in machine.step(event) {
                match effect {
                    Effect::AskForTurn => asked += 1,
                    Effect::GiveTurnBack => asked -= 1,
                    Effect::Write(_) => prop_assert!(looked),
                    Effect::Recheck | Effect::WatchForEnd | Effect::AnnounceAnswered(_)
                    | Effect::Escalate(_) | Effect::LookAgain => {}
                }
            }
            let holds = matches!(
                machine.state(),
                State::Seen { .. } | State::Rechecking { .. } | State::Answering { .. }
                    | State::Confirming { .. }
            );
            prop_assert_eq!(asked, i32::from(holds));
        }
    }

    /// Whatever is drawn, an auth or destructive word next to the prompt is never answered.
    #[test]
    fn cues_beside_a_prompt_always_escalate(
        noise in "[a-z0-9 .│─\n]{0,60}",
        cue in prop::sample::select(vec!["delete", "rm -rf", "oauth", "passphrase", "wipe"]),
        gap in 0_usize..6,
    ) {
        let text = format!("{noise}\nnow {cue} it{}Go on? [Y/n] ", "\n".repeat(gap + 1));
        let decision = decision(&text, &policy(Mode::All, &["Go on?"]));
        prop_assert!(matches!(decision, Decision::Escalate(_)), "{text}");
    }

    #[test]
    fn deciding_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..1_500)) {
        let size = Size { cols: 33, rows: 9 };
        let mut terminal = Terminal::new(Options { size, scrollback_lines: 0 });
        terminal.advance(&bytes);
        let _ = decide(&terminal.frame(), None, None, &policy(Mode::All, &["a"]));
    }
}
