use std::path::Path;

use super::*;

const MINIMAL: &str = "id = \"x\"\nallowIds = [\"x\"]\nplatformVersion = \"1\"\n";

fn refused(text: &str) -> String {
    load::parse("test", text).expect_err(text).to_string()
}

fn pattern(detect: &str) -> String {
    format!(
        "{MINIMAL}[[perception]]\nname = \"p\"\nmeans = \"working\"\nregion = \"bottom(3)\"\n\
         detect = '{detect}'\n"
    )
}

fn write(dir: &Path, name: &str, text: &str) {
    let folder = dir.join(name);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("profile.toml"), text).unwrap();
}

#[test]
fn the_built_in_profiles_load_and_are_found_by_their_allow_ids() {
    let profiles = Profiles::builtin().unwrap();
    let ids: Vec<&str> = profiles.ids().collect();
    assert_eq!(ids, ["claude-code", "codex", "aider", "gemini-cli", "opencode"]);
    for (allow_id, id) in
        [("claude", "claude-code"), ("claude-code", "claude-code"), ("codex", "codex")]
    {
        assert_eq!(profiles.for_allow_id(allow_id).map(|found| found.id.as_str()), Some(id));
    }
    assert!(profiles.for_allow_id("bash").is_none());
}

#[test]
fn each_built_in_profile_has_a_skill_of_the_same_version() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for profile in Profiles::builtin().unwrap().all {
        let path = root.join(&profile.id).join("SKILL.md");
        let skill = std::fs::read_to_string(&path).unwrap();
        let front = skill.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n"));
        let (front, body) = front.expect("front matter between two rules");
        let name = format!("name: {}", profile.id);
        let version = format!("version: \"{}\"", profile.platform_version);
        assert!(front.lines().any(|line| line == name), "{}: {name}", path.display());
        assert!(front.lines().any(|line| line == version), "{}: {version}", path.display());
        assert!(!body.trim().is_empty());
    }
}

#[test]
fn what_a_human_must_decide_has_no_answer() {
    for profile in Profiles::builtin().unwrap().all {
        for dialog in &profile.dialogs {
            let may_be_answered = dialog.kind == DialogKind::Trust && !dialog.destructive;
            assert!(dialog.answer.is_empty() || may_be_answered, "{}: {}", profile.id, dialog.name);
        }
    }
    let profiles = Profiles::builtin().unwrap();
    for (id, name) in [("claude-code", "bypass_permissions_warning"), ("codex", "run_command")] {
        let profile = profiles.get(id).unwrap();
        assert!(profile.dialogs.iter().any(|dialog| dialog.name == name && dialog.destructive));
    }
}

#[test]
fn a_profile_with_a_mistake_is_refused() {
    assert!(refused(&format!("{MINIMAL}colour = 1\n")).contains("colour"));
    assert!(refused("id = \"x\"\n").contains("allowIds"));
    assert!(refused(&pattern("(?=a)")).contains("does not compile"));
    assert!(refused(&pattern(r"(a)\1")).contains("does not compile"));
    assert!(refused(&pattern("a*")).contains("empty string"));
    assert!(refused(&pattern("^$")).contains("empty string"));
    assert!(refused(&pattern("a{1000}{1000}")).contains("does not compile"));
    assert!(refused(&pattern("a").replace("bottom(3)", "bottom(0)")).contains("region"));
    assert!(refused(&pattern("a").replace("bottom(3)", "screen")).contains("region"));
    assert!(refused(&pattern("a").replace("working", "busy")).contains("busy"));
    assert!(refused(&MINIMAL.replace("\"x\"]", "\"x\", \"x\"]")).contains("twice"));
    assert!(refused(&MINIMAL.replace("id = \"x\"", "id = \"a b\"")).contains("a b"));
    let dialog = format!(
        "{MINIMAL}[[dialogs]]\nname = \"d\"\ndetect = 'a'\nregion = \"box\"\nkind = \"menu\"\n"
    );
    assert!(load::parse("test", &dialog).is_ok());
    assert!(refused(&format!("{dialog}answer = [\"Entr\"]\n")).contains("Entr"));
    let both = format!("{dialog}answer = [\"Enter\"]\ndestructive = true\n");
    assert!(refused(&both).contains("destructive"));
    assert!(refused(&dialog.replace("\"menu\"", "\"question\"")).contains("question"));
}

#[test]
fn patterns_come_in_order_of_priority() {
    let second = "[[perception]]\nname = \"q\"\nmeans = \"menu\"\nregion = \"title\"\n\
                  detect = 'b'\npriority = 7\n";
    let profile = load::parse("test", &format!("{}{second}", pattern("a"))).unwrap();
    let names: Vec<&str> = profile.perception.iter().map(|pattern| pattern.name.as_str()).collect();
    assert_eq!(names, ["q", "p"]);
    assert_eq!(
        profile.perception.iter().map(|p| p.region).collect::<Vec<_>>(),
        [Region::Title, Region::Bottom(3)]
    );
}

#[test]
fn folders_are_loaded_whole_or_not_at_all() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "one", &MINIMAL.replace("\"x\"", "\"one\""));
    write(dir.path(), "two", &MINIMAL.replace("\"x\"", "\"two\""));
    let mut profiles = Profiles::builtin().unwrap();
    profiles.load_dir(dir.path()).unwrap();
    assert_eq!(profiles.ids().count(), 7);

    let mut one = Profiles::default();
    one.load_dir(&dir.path().join("one")).unwrap();
    assert_eq!(one.ids().collect::<Vec<_>>(), ["one"]);

    write(dir.path(), "three", &MINIMAL.replace("id = \"x\"", "id = \"codex\""));
    let mut profiles = Profiles::builtin().unwrap();
    let error = profiles.load_dir(dir.path()).unwrap_err();
    assert!(matches!(error, ProfileError::DuplicateId { .. }), "{error}");
    assert_eq!(profiles.ids().count(), 5);

    write(dir.path(), "three", &MINIMAL.replace("[\"x\"]", "[\"claude\"]"));
    let error = profiles.load_dir(dir.path()).unwrap_err();
    assert!(matches!(error, ProfileError::DuplicateAllowId { .. }), "{error}");

    let empty = tempfile::tempdir().unwrap();
    let error = profiles.load_dir(empty.path()).unwrap_err();
    assert!(matches!(error, ProfileError::Nothing { .. }), "{error}");
}
