//! Laws that hold of any answer, and of any way it is delivered.

use proptest::prelude::*;

use super::*;

/// Pieces of answers: sentences that may be said and that may not, marks, ends of lines, and characters that are neither.
fn answer() -> impl Strategy<Value = String> {
    let rows: Vec<String> = [include_str!("../said.txt"), include_str!("../unsaid.txt")]
        .into_iter()
        .flat_map(rows)
        .filter_map(|(_, fields)| fields.last().cloned())
        .collect();
    let bare: Vec<String> = rows.iter().map(|row| unmark(row).to_owned()).collect();
    let part = prop_oneof![
        4 => prop::sample::select(rows),
        4 => prop::sample::select(bare),
        4 => Just("\n".to_owned()),
        2 => Just(" ".to_owned()),
        1 => prop::sample::select(vec!["- ", "* ", "3. ", "«", "»", "\"", "*", "€", "25,99", "\r\n", "\u{200b}", "\u{301}", "\u{202e}", "…", ". Y ", "‘", "'"])
            .prop_map(str::to_owned),
        1 => "\\PC{0,20}",
        1 => any::<String>(),
        2 => (0..150_usize).prop_map(|count| "buena ".repeat(count)),
    ];
    prop::collection::vec(part, 0..14).prop_map(|parts| parts.concat())
}

fn guard_of(language: Language) -> LineGuard {
    let mut guard = LineGuard::new(language);
    guard.know(&shelf());
    guard
}

fn language() -> impl Strategy<Value = Language> {
    prop_oneof![
        Just(Language::default()),
        Just(Language::from_tag("en").unwrap())
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn how_an_answer_is_delivered_does_not_matter(text in answer(), language in language(), sizes in prop::collection::vec(1..40_usize, 1..30)) {
        let mut whole = guard_of(language);
        let mut expected = whole.push(&text);
        expected.extend(whole.finish());

        let mut parts = guard_of(language);
        let mut given = Vec::new();
        let chars: Vec<char> = text.chars().collect();
        let mut sizes = sizes.iter().cycle();
        let mut at = 0;
        while at < chars.len() {
            let end = (at + sizes.next().unwrap()).min(chars.len());
            given.extend(parts.push(&chars[at..end].iter().collect::<String>()));
            at = end;
        }
        given.extend(parts.finish());
        prop_assert_eq!(&given, &expected);
        prop_assert_eq!(parts.passed(), expected);
        prop_assert_eq!(parts.verdict(), whole.verdict());
    }

    #[test]
    fn what_passes_is_in_form_and_stated(text in answer(), language in language()) {
        let mut guard = guard_of(language);
        guard.push(&text);
        guard.finish();
        let passed = guard.passed();
        let verdict = guard.verdict();
        prop_assert_eq!(verdict.passed, passed.len());
        prop_assert!(verdict.repaired <= verdict.passed);
        prop_assert!(passed.len() <= 5);
        prop_assert!(passed.iter().all(|line| line.starts_with("- ") && !line.contains('\n')));
        let message = passed.join("\n");
        prop_assert!(message.chars().count() <= MESSAGE_CHARS);
        let mut violations = check(&message, &shelf());
        if passed.len() < 2 {
            violations.retain(|violation| !matches!(violation, Violation::Bullets | Violation::Empty));
        }
        prop_assert_eq!(violations, [], "{}", message);
        // What may be said may be said again.
        let mut again = guard_of(language);
        again.push(&message);
        again.push("\n- Sí.");
        again.finish();
        prop_assert_eq!(&again.passed()[..passed.len()], passed);
        prop_assert_eq!(again.verdict().repaired, 0);
    }

    #[test]
    fn a_rejected_line_is_gone(texts in prop::collection::vec(answer(), 2..9), language in language()) {
        // Every line with its mark, so that none is cut; none says less than another.
        // Each begins with more of them, so that none says what another has said.
        let lines: Vec<String> = (1..).zip(&texts).map(|(place, text)| format!("- {}{}", "a ".repeat(place), text.replace(['\n', '\r'], " "))).collect();
        let mut expected = vec!["- Sí.".to_owned()];
        for line in &lines {
            let mut alone = guard_of(language);
            alone.push("- Sí.\n");
            alone.push(line);
            alone.push("\n- No.\n");
            alone.finish();
            let used: usize = expected.iter().map(|line| line.chars().count() + 1).sum();
            match alone.passed() {
                [_, passed, ..] if passed != "- No." && expected.len() < 5 && used + passed.chars().count() <= MESSAGE_CHARS => {
                    expected.push(passed.clone());
                }
                _ => {}
            }
        }
        let mut guard = guard_of(language);
        guard.push("- Sí.\n");
        guard.push(&lines.join("\n"));
        guard.finish();
        prop_assert_eq!(guard.passed(), expected);
    }
}

#[test]
fn an_endless_answer_takes_no_room() {
    let mut guard = guard_of(Language::default());
    let mut given = 0;
    for _ in 0..200 {
        given += guard.push(&"palabra ".repeat(1_000)).len();
    }
    assert_eq!(given, 0);
    let others: String = (0..1_000)
        .map(|line| format!("\n- Otra {}línea.", "más ".repeat(line % 10)))
        .collect();
    given += guard.push(&others).len();
    assert_eq!(given, 5);
    guard.finish();
    assert_eq!(guard.passed().len(), 5);
    let rejected = [("bullets", 500), ("repeated", 495), ("too_long", 1)];
    assert_eq!(guard.verdict().rejected, rejected.into());
}
