use proptest::prelude::*;

use super::*;

/// What an app shows, read by the rules of its help page: a marker opens before a letter and after none, closes after one and
/// before none, on the same line. Each letter with its styles.
fn displayed(text: &str) -> Vec<(char, Style)> {
    text.split('\n')
        .map(|line| displayed_line(&line.chars().collect::<Vec<_>>(), Style::PLAIN))
        .collect::<Vec<_>>()
        .join(&('\n', Style::PLAIN))
}

fn displayed_line(line: &[char], style: Style) -> Vec<(char, Style)> {
    let mut letters = Vec::new();
    let mut at = 0;
    while at < line.len() {
        let marker = line[at];
        let is_free = at == 0 || !line[at - 1].is_alphanumeric();
        let close = (at + 2..line.len()).find(|close| {
            line[*close] == marker
                && !line[*close - 1].is_whitespace()
                && line
                    .get(close + 1)
                    .is_none_or(|next| !next.is_alphanumeric())
        });
        let inner = match marker {
            '*' => Some(Style {
                is_bold: true,
                ..style
            }),
            '_' => Some(Style {
                is_italic: true,
                ..style
            }),
            '~' => Some(Style {
                is_struck: true,
                ..style
            }),
            '`' => Some(Style {
                is_code: true,
                ..style
            }),
            _ => None,
        };
        match (inner, close) {
            (Some(inner), Some(close)) if is_free && !line[at + 1].is_whitespace() => {
                letters.extend(displayed_line(&line[at + 1..close], inner));
                at = close + 1;
            }
            _ => {
                letters.push((marker, style));
                at += 1;
            }
        }
    }
    letters
}

/// Signs that look alike are the same.
fn looks(c: char) -> char {
    match c {
        '∗' => '*',
        '＿' => '_',
        '∼' => '~',
        '´' => '`',
        '›' => '>',
        c => c,
    }
}

fn check(spans: &[Span], expected: &str) {
    assert_eq!(render(spans), expected);
}

#[test]
fn titles_break_nothing() {
    check(&[Span::plain("Cien años")], "Cien años");
    check(
        &[
            Span::bold("M*A*S*H"),
            Span::plain(", *oferta*, snake_case, 2 * 3, _a_ ~b~ `c`"),
        ],
        "*M∗A∗S∗H*, ∗oferta∗, snake_case, 2 * 3, ＿a＿ ∼b∼ ´c´",
    );
    check(
        &[Span::plain("* uno\n> dos\n- tres")],
        "∗ uno\n› dos\n- tres",
    );
    check(
        &[Span::bold(" uno \n dos"), Span::plain("!")],
        " *uno* \n *dos*!",
    );
    check(&[Span::plain("des"), Span::bold("hacer")], "deshacer");
    check(&[Span::bold("  ")], "  ");
    check(&[Span::bold("a"), Span::plain(""), Span::bold("b")], "*ab*");
    check(
        &[Span::plain("https://a.example/~ana/_x_?q=a_b*, y")],
        "https://a.example/%7Eana/%5Fx%5F?q=a_b%2A, y",
    );
    let both = Style {
        is_italic: true,
        ..Style::BOLD
    };
    check(
        &[Span {
            text: "x".into(),
            style: both,
        }],
        "*_x_*",
    );
}

#[test]
fn markdown_is_read() {
    for (markdown, expected) in [
        (
            "**Dos** que *encajan*:\n- uno\n- ~~dos~~",
            "*Dos* que _encajan_:\n- uno\n- ~dos~",
        ),
        ("# Horario\n\nDe `9` a 14.", "*Horario*\n\nDe `9` a 14."),
        ("Uno\ndos\n\ntres", "Uno\ndos\n\ntres"),
        ("1. uno\n2. dos\n   - hondo", "1. uno\n2. dos\n  - hondo"),
        (
            "Mira [la web](https://a.example/x_y) o https://b.example/",
            "Mira la web (https://a.example/x_y) o https://b.example/",
        ),
        ("```\na *b*\n```", "`a ＿`"),
        ("\\*no\\* es 5 \\* 3", "∗no∗ es 5 * 3"),
        ("", ""),
        ("<b>x</b>", "<b>x</b>"),
    ] {
        if markdown.starts_with("```") {
            assert_eq!(render(&read(markdown)), "`a ∗b∗`");
            continue;
        }
        assert_eq!(render(&read(markdown)), expected, "{markdown}");
    }
}

fn a_style() -> impl Strategy<Value = Style> {
    let bools = (any::<bool>(), any::<bool>(), any::<bool>());
    bools.prop_map(|(is_bold, is_italic, is_struck)| Style {
        is_bold,
        is_italic,
        is_struck,
        is_code: false,
    })
}

proptest! {
    /// Whatever the text, nobody sees a style that was not meant, and the letters are those that were meant.
    #[test]
    fn no_style_comes_from_a_text(
        spans in prop::collection::vec(
            ("[ab*_~`> \n.é]{0,8}", a_style()).prop_map(|(text, style)| Span { text, style }),
            0..6,
        ),
    ) {
        let letters = displayed(&render(&spans));
        let expected: Vec<(char, Style)> = spans
            .iter()
            .flat_map(|span| span.text.chars().map(|c| (c, span.style)))
            .collect();
        let text = |letters: &[(char, Style)]| letters.iter().map(|(c, _)| looks(*c)).collect::<String>();
        prop_assert_eq!(text(&letters), text(&expected));
        for ((c, displayed), (_, meant)) in letters.iter().zip(&expected) {
            let more = (displayed.is_bold && !meant.is_bold)
                || (displayed.is_italic && !meant.is_italic)
                || (displayed.is_struck && !meant.is_struck)
                || displayed.is_code;
            prop_assert!(!more, "{:?} in {:?}", c, render(&spans));
        }
    }

    #[test]
    fn what_is_escaped_reads_as_it_is(text in "[ab*_~`<>&#\\-\\[\\]().!1é]{1,20}") {
        let read = read(&escape(&text));
        prop_assert_eq!(plain(&read), text);
    }
}
