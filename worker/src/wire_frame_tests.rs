use proptest::prelude::*;

use super::*;

fn color() -> impl Strategy<Value = Color> {
    prop_oneof![
        Just(Color::Default),
        any::<u8>().prop_map(Color::Indexed),
        any::<(u8, u8, u8)>().prop_map(|(r, g, b)| Color::Rgb(r, g, b)),
    ]
}

fn style() -> impl Strategy<Value = Style> {
    let underline = prop::sample::select(vec![
        Underline::None,
        Underline::Single,
        Underline::Double,
        Underline::Curly,
        Underline::Dotted,
        Underline::Dashed,
    ]);
    let link = prop::option::of("[a-z:/]{0,12}");
    ((color(), color(), color()), underline, any::<[bool; 8]>(), link).prop_map(
        |((foreground, background, underline_color), underline, flags, link)| Style {
            foreground,
            background,
            underline_color,
            underline,
            bold: flags[0],
            dim: flags[1],
            italic: flags[2],
            blink: flags[3],
            inverse: flags[4],
            hidden: flags[5],
            strikethrough: flags[6],
            overline: flags[7],
            link: link.map(Arc::from),
        },
    )
}

/// Whole glyphs as an emulator makes them: a wide one is two cells.
fn glyph(styles: usize) -> impl Strategy<Value = (Vec<(Glyph, u8)>, usize)> {
    let cells = prop_oneof![
        4 => Just(vec![(Glyph::Char(' '), 1)]),
        4 => "[a-zäß]".prop_map(|s| vec![(Glyph::Char(s.chars().next().unwrap()), 1)]),
        1 => Just(vec![(Glyph::Char('漢'), 2), (Glyph::Char(' '), 0)]),
        1 => Just(vec![(Glyph::Cluster(Arc::from("👩‍🚀")), 2), (Glyph::Char(' '), 0)]),
        1 => Just(vec![(Glyph::Cluster(Arc::from("e\u{301}")), 1)]),
        1 => Just(vec![(Glyph::Cluster(Arc::from("x")), 1)]),
    ];
    (cells, 0..styles)
}

fn row() -> impl Strategy<Value = Row> {
    (
        prop::collection::vec(style(), 1..4),
        prop::collection::vec(glyph(4), 1..40),
        any::<(bool, u64)>(),
    )
        .prop_map(|(styles, glyphs, (wrapped, changed_in))| {
            let styles: Vec<_> = styles.into_iter().map(Arc::new).collect();
            let plain = Arc::new(Style::default());
            let cells = glyphs
                .into_iter()
                .flat_map(|(cells, style)| {
                    let style = Arc::clone(styles.get(style).unwrap_or(&plain));
                    cells.into_iter().map(move |(glyph, width)| Cell {
                        glyph,
                        width,
                        style: Arc::clone(&style),
                    })
                })
                .collect();
            Row { cells, wrapped, changed_in }
        })
}

fn over_the_wire<T: serde::Serialize + serde::de::DeserializeOwned>(value: &T) -> T {
    rmp_serde::from_slice(&rmp_serde::to_vec_named(value).unwrap()).unwrap()
}

proptest! {
    #[test]
    fn rows_survive(row in row()) {
        prop_assert_eq!(over_the_wire(&WireRow::from_row(&row)).to_row(), row);
    }

    #[test]
    fn frames_survive(
        rows in prop::collection::vec(row(), 1..6),
        (x, y, bits) in any::<(u16, u16, [bool; 11])>(),
        (number, history_total) in any::<(u64, u64)>(),
        (mouse, kitty_flags, modify_other_keys) in (0_u8..5, 0_u8..32, 0_u8..3),
    ) {
        let size = Size { cols: 50, rows: u16::try_from(rows.len()).unwrap() };
        let frame = Frame {
            number,
            size,
            rows,
            cursor: Cursor {
                x: x % size.cols,
                y: y % size.rows,
                visible: bits[0],
                shape: CursorShape::Bar,
            },
            title: Arc::from("a title ✳"),
            modes: modes_in(WireModes {
                bits: u16::try_from(pack(&bits)).unwrap(),
                mouse,
                modify_other_keys,
                kitty_flags,
            }),
            history_total,
        };
        prop_assert_eq!(over_the_wire(&WireFrame::from_frame(&frame)).to_frame(), frame);
    }

    #[test]
    fn a_lying_row_is_only_a_strange_row(
        cells in any::<u16>(),
        text in ".{0,20}",
        odd in prop::collection::vec(any::<(u16, u8, u16, bool)>(), 0..9),
        runs in prop::collection::vec(any::<u16>(), 0..9),
    ) {
        let wire = WireRow {
            cells,
            text,
            odd: odd.into_iter().map(|(a, b, c, d)| WireOdd(a, b, c, d)).collect(),
            runs: runs.into_iter().map(|cells| WireRun(cells, None)).collect(),
            wrapped: false,
            changed_in: 0,
        };
        prop_assert_eq!(wire.to_row().cells.len(), usize::from(cells.min(WIRE_COLS_MAX)));
    }
}

#[test]
fn an_ordinary_row_is_small() {
    let plain = Arc::new(Style::default());
    let cells: Vec<Cell> = format!("{:<80}", "user@host:~$ ls")
        .chars()
        .map(|c| Cell { glyph: Glyph::Char(c), width: 1, style: Arc::clone(&plain) })
        .collect();
    let wire = WireRow::from_row(&Row { cells, wrapped: false, changed_in: 7 });
    assert_eq!(wire.text, "user@host:~$ ls");
    assert!(wire.odd.is_empty() && wire.runs.is_empty());
    assert!(rmp_serde::to_vec_named(&wire).unwrap().len() < 80);
}

#[test]
fn every_mode_has_its_own_bit() {
    let mut seen = std::collections::HashSet::new();
    for bit in 0..13 {
        let wire = WireModes { bits: 1 << bit, mouse: 0, modify_other_keys: 0, kitty_flags: 0 };
        let modes = modes_in(wire);
        assert_eq!(modes_out(&modes), wire);
        assert!(seen.insert(modes), "bit {bit} is read twice");
    }
}
