//! Recordings: what is written reads back, and damage is named by its line.

use std::fs;
use std::io::BufReader;
use std::path::Path;
use std::time::Duration;

use proptest::prelude::*;
use term::Size;
use term::cast::{CastError, Data, Event, Header, LINE_BYTES_MAX, Reader, Writer};

const SIZE: Size = Size { cols: 80, rows: 24 };

fn read(text: &str) -> Result<Vec<Event>, CastError> {
    Reader::new(text.as_bytes())?.collect()
}

fn at(micros: u64, data: Data) -> Event {
    Event { time: Duration::from_micros(micros), data }
}

const HEADER: &str = "{\"version\": 2, \"width\": 80, \"height\": 24}\n";

#[test]
fn all_known_events_and_no_others() {
    let text = format!(
        "{HEADER}[0.5, \"o\", \"a\\u001b[1m\"]\n\n[1, \"i\", \"x\\r\"]\n[1.5, \"z\", \"?\"]\n\
         [2.25, \"r\", \"100x30\"]\n[2.0, \"m\", \"mark\"]\n[3, \"x\", \"130\"]"
    );
    let events = read(&text).expect("a good recording");
    let wanted = vec![
        at(500_000, Data::Output("a\x1b[1m".to_owned())),
        at(1_000_000, Data::Input("x\r".to_owned())),
        at(2_250_000, Data::Resize(Size { cols: 100, rows: 30 })),
        // The stamp goes back, the time does not.
        at(2_250_000, Data::Marker("mark".to_owned())),
        at(3_000_000, Data::Exit(130)),
    ];
    assert_eq!(events, wanted);
}

#[test]
fn the_header_is_read_and_unknown_fields_are_not() {
    let text = "{\"version\":2,\"width\":120,\"height\":40,\
                \"timestamp\":1700000000,\"command\":\"bash\",\
                \"env\":{\"TERM\":\"xterm\",\"SHELL\":null},\"theme\":{\"fg\":\"#fff\"}}";
    let reader = Reader::new(text.as_bytes()).expect("a good header");
    let header = reader.header().clone();
    assert_eq!(header.size(), Size { cols: 120, rows: 40 });
    assert_eq!(header.timestamp, Some(1_700_000_000));
    assert_eq!(header.command.as_deref(), Some("bash"));
    assert_eq!(header.env.get("TERM").map(String::as_str), Some("xterm"));
    assert_eq!(header.env.len(), 1);
    assert_eq!(reader.count(), 0);
}

#[test]
fn damage_is_named_by_its_line() {
    for (text, line, wanted) in [
        ("", 0, "empty"),
        ("nonsense", 1, "header"),
        ("[]", 1, "version"),
        ("{\"version\":1,\"width\":80,\"height\":24}", 1, "version 1"),
        ("{\"version\":2,\"width\":80}", 1, "height"),
        ("{\"version\":2,\"width\":0,\"height\":24}", 1, "0x24"),
        ("{\"version\":2,\"width\":99999999,\"height\":24}", 1, "99999999x24"),
    ] {
        let error = read(text).expect_err(text);
        assert_eq!(error.line(), line, "{text}");
        assert!(error.to_string().contains(wanted), "{text}: {error}");
        assert!(!error.hint().is_empty());
    }
    for bad in [
        "[1, \"o\"]",
        "[1, \"o\", 5]",
        "[-1, \"o\", \"x\"]",
        "[1e300, \"o\", \"x\"]",
        "{\"o\": 1}",
        "[1, \"r\", \"80\"]",
        "[1, \"r\", \"0x0\"]",
        "[1, \"x\", \"TERM\"]",
        "[1, \"o\", \"x\"",
    ] {
        let error = read(&format!("{HEADER}[0, \"o\", \"ok\"]\n{bad}\n")).expect_err(bad);
        assert_eq!(error.line(), 3, "{bad}: {error}");
        assert!(error.to_string().starts_with("line 3: "), "{error}");
    }
}

#[test]
fn an_error_is_the_end() {
    let text = format!("{HEADER}[0, \"o\", \"ok\"]\nbroken\n[1, \"o\", \"never\"]\n");
    let mut reader = Reader::new(text.as_bytes()).expect("a good header");
    assert!(matches!(reader.next(), Some(Ok(_))));
    assert!(matches!(reader.next(), Some(Err(CastError::Event { line: 3, .. }))));
    assert!(reader.next().is_none());
}

#[test]
fn a_line_without_end_is_refused_at_the_bound() {
    let frame = "[0, \"o\", \"\"]".len();
    let fits = format!("{HEADER}[0, \"o\", \"{}\"]\n", "x".repeat(LINE_BYTES_MAX - frame));
    assert_eq!(read(&fits).expect("just fits").len(), 1);
    let over = format!("{HEADER}[0, \"o\", \"{}\"]\n", "x".repeat(LINE_BYTES_MAX - frame + 1));
    assert!(matches!(read(&over), Err(CastError::LineTooLong { line: 2 })));
    let endless = std::io::repeat(b'x');
    let refused = Reader::new(BufReader::new(endless)).map(|_| ());
    assert!(matches!(refused, Err(CastError::LineTooLong { line: 1 })));
}

#[test]
fn torn_characters_are_written_whole() {
    let mut writer = Writer::new(Vec::new(), &Header::new(SIZE)).expect("a vector");
    for (index, byte) in "é漢🦀!".bytes().enumerate() {
        let time = Duration::from_millis(index as u64);
        writer.output(time, &[byte]).expect("a vector");
    }
    writer.output(Duration::from_secs(1), b"\xe6\xbc").expect("a vector");
    writer.exit(Duration::from_secs(2), 0).expect("a vector");
    let file = writer.finish(Duration::from_secs(2)).expect("a vector");
    let events = read(std::str::from_utf8(&file).expect("UTF-8")).expect("reads back");
    let wanted: Vec<Data> = ["é", "漢", "🦀", "!", "\u{fffd}"]
        .map(|text| Data::Output(text.to_owned()))
        .into_iter()
        .chain([Data::Exit(0)])
        .collect();
    assert_eq!(events.into_iter().map(|event| event.data).collect::<Vec<_>>(), wanted);
}

#[test]
fn long_output_is_split_into_lines_that_can_be_read() {
    let text = "\x01漢".repeat(LINE_BYTES_MAX / 3);
    let mut writer = Writer::new(Vec::new(), &Header::new(SIZE)).expect("a vector");
    writer.output(Duration::ZERO, text.as_bytes()).expect("a vector");
    let file = writer.finish(Duration::ZERO).expect("a vector");
    let events = read(std::str::from_utf8(&file).expect("UTF-8")).expect("reads back");
    assert!(events.len() > 1);
    let mut joined = String::new();
    for event in events {
        if let Data::Output(piece) = event.data {
            joined.push_str(&piece);
        }
    }
    assert!(joined == text, "the pieces are not the whole");
}

proptest! {
    #[test]
    fn output_reads_back_however_it_was_cut(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        cuts in prop::collection::vec(0..200usize, 0..8),
    ) {
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
        cuts.extend([0, bytes.len()]);
        cuts.sort_unstable();
        let mut writer = Writer::new(Vec::new(), &Header::new(SIZE)).expect("a vector");
        for (index, pair) in cuts.windows(2).enumerate() {
            let time = Duration::from_micros(index as u64);
            writer.output(time, &bytes[pair[0]..pair[1]]).expect("a vector");
        }
        let file = writer.finish(Duration::from_secs(1)).expect("a vector");
        let mut joined = String::new();
        for event in read(std::str::from_utf8(&file).expect("UTF-8")).expect("reads back") {
            match event.data {
                Data::Output(piece) => joined.push_str(&piece),
                other => panic!("unexpected {other:?}"),
            }
        }
        prop_assert_eq!(joined, String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn events_read_back(
        input in "\\PC{0,20}|[\\x00-\\x20]{1,5}",
        label in "\\PC{0,20}",
        cols in 1..=1000u16,
        rows in 1..=1000u16,
        status in any::<i32>(),
        micros in 0..10_000_000_000u64,
    ) {
        let time = Duration::from_micros(micros);
        let size = Size { cols, rows };
        let mut writer = Writer::new(Vec::new(), &Header::new(SIZE)).expect("a vector");
        writer.input(time, &input).expect("a vector");
        writer.resize(time, size).expect("a vector");
        writer.marker(time, &label).expect("a vector");
        writer.exit(time, status).expect("a vector");
        let file = writer.finish(time).expect("a vector");
        let events = read(std::str::from_utf8(&file).expect("UTF-8")).expect("reads back");
        let mut wanted = vec![Data::Resize(size), Data::Marker(label), Data::Exit(status)];
        if !input.is_empty() {
            wanted.insert(0, Data::Input(input));
        }
        for event in &events {
            // A recording stamps seconds as a decimal fraction; a microsecond may round.
            prop_assert!(event.time.abs_diff(time) < Duration::from_micros(2));
        }
        prop_assert_eq!(events.into_iter().map(|event| event.data).collect::<Vec<_>>(), wanted);
    }

    #[test]
    fn nonsense_never_panics(text in "\\PC{0,40}", line in "[\\[\\]{}\",:0-9a-z]{0,40}") {
        let _ = read(&text);
        let _ = read(&format!("{HEADER}{line}\n"));
    }
}

/// Recordings of real programs that a machine may have at `TTYDRIVE_CORPUS`.
#[test]
fn recordings_of_real_programs_read_to_the_end() {
    let Some(root) = std::env::var_os("TTYDRIVE_CORPUS") else {
        println!("not run: TTYDRIVE_CORPUS names no folder of recordings");
        return;
    };
    let mut recordings = 0;
    for program in fs::read_dir(Path::new(&root)).expect("the folder of TTYDRIVE_CORPUS") {
        let folder = program.expect("an entry").path();
        if !folder.is_dir() {
            continue;
        }
        for file in fs::read_dir(folder).expect("a program's folder") {
            let path = file.expect("an entry").path();
            if path.extension().is_some_and(|end| end == "cast") {
                let file = BufReader::new(fs::File::open(&path).expect("a recording"));
                let reader = Reader::new(file).expect("a header");
                let events: Result<Vec<Event>, CastError> = reader.collect();
                let events = events.unwrap_or_else(|e| panic!("{}: {e}", path.display()));
                assert!(!events.is_empty(), "{}", path.display());
                recordings += 1;
            }
        }
    }
    assert!(recordings > 0, "no recordings below TTYDRIVE_CORPUS");
}
