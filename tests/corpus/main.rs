//! Every labelled recording must read as its label says, however its bytes are cut.
//!
//! `labels.tsv` names program, recording, state and kind. The recordings are of real programs,
//! made for this repository; those in `imitations` are of scripts that print what programs
//! print that need an account, a network or a package to be installed.

use std::path::Path;

use policy::corpus::{Case, run};
use profiles::Profiles;

/// Where the recordings stand beside their labels.
#[derive(Clone, Copy)]
enum Layout {
    ByProgram,
    Flat,
}

fn cases(root: &Path, layout: Layout) -> Vec<Case> {
    let labels = std::fs::read_to_string(root.join("labels.tsv")).expect("labels");
    let case = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [program, cast, state, kind] = fields.as_slice() else {
            panic!("not four fields: {line}")
        };
        let folder = match layout {
            Layout::ByProgram => root.join(program),
            Layout::Flat => root.to_owned(),
        };
        let file = folder.join(format!("{cast}.cast"));
        Case {
            program: (*program).to_owned(),
            cast: (*cast).to_owned(),
            state: (*state).to_owned(),
            kind: (!kind.is_empty()).then(|| (*kind).to_owned()),
            bytes: std::fs::read(&file).unwrap_or_else(|_| panic!("{}", file.display())),
        }
    };
    labels.lines().skip(1).map(case).collect()
}

fn recordings(root: &Path) -> usize {
    let folders = std::fs::read_dir(root).expect("a folder").flatten();
    let inside = |entry: std::fs::DirEntry| std::fs::read_dir(entry.path()).into_iter().flatten();
    folders
        .flat_map(inside)
        .flatten()
        .filter(|file| file.path().extension().is_some_and(|extension| extension == "cast"))
        .count()
}

#[test]
fn every_recording_reads_as_its_label_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let cases = cases(&root, Layout::ByProgram);
    assert_eq!(cases.len(), recordings(&root), "each recording has one label");
    let report = run(&cases, &Profiles::builtin().expect("built-in profiles"));
    println!("{report}");
    assert!(report.wrong.is_empty(), "{report}");
}

#[test]
fn the_frames_of_each_profile_read_as_labelled() {
    let profiles = Profiles::builtin().expect("built-in profiles");
    let mut labelled = 0;
    for id in profiles.ids() {
        let frames = Path::new(env!("CARGO_MANIFEST_DIR")).join("profiles").join(id).join("frames");
        if !frames.is_dir() {
            println!("{id} has no frames");
            continue;
        }
        let cases = cases(&frames, Layout::Flat);
        labelled += cases.len();
        let report = run(&cases, &profiles);
        println!("{report}");
        assert!(report.wrong.is_empty(), "{id}: {report}");
    }
    assert!(labelled > 0, "no profile has frames");
}
