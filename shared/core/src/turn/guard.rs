//! What may be said: the form of a message, and that every fact in it is in this turn's results.

use crate::{catalogue::BookResult, isbn, price::Price, text::fold};

/// Longest message, in characters.
pub const MESSAGE_CHARS: usize = 800;
/// Fewest and most bullets.
pub const BULLETS: std::ops::RangeInclusive<usize> = 2..=5;

/// What is wrong with a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Violation {
    Empty,
    TooLong,
    Bullets,
    Code,
    /// A price that no result has.
    Price,
    /// A number (stock, year, id, ISBN, count) that no result has.
    Number,
    /// A quoted title or name that no result has.
    Title,
}

impl Violation {
    /// A stable word for the trace.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::TooLong => "too_long",
            Self::Bullets => "bullets",
            Self::Code => "code",
            Self::Price => "ungrounded_price",
            Self::Number => "ungrounded_number",
            Self::Title => "ungrounded_title",
        }
    }

    /// Whether putting the form right can help.
    #[must_use]
    pub fn is_form(self) -> bool {
        matches!(self, Self::TooLong | Self::Bullets)
    }
}

/// Everything wrong with `message` as an answer that shows `results`.
#[must_use]
pub fn check(message: &str, results: &[BookResult]) -> Vec<Violation> {
    let mut violations = form(message);
    violations.extend(grounding(message, results));
    violations
}

fn form(message: &str) -> Vec<Violation> {
    let mut violations = Vec::new();
    let lines: Vec<&str> = message
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    if lines.is_empty() {
        return vec![Violation::Empty];
    }
    if message.chars().count() > MESSAGE_CHARS {
        violations.push(Violation::TooLong);
    }
    if !BULLETS.contains(&lines.len()) || lines.iter().any(|line| !line.starts_with("- ")) {
        violations.push(Violation::Bullets);
    }
    let looks_like_code = |line: &&str| {
        let text = line.trim_start_matches(['-', '*', ' ']);
        line.contains("```") || line.contains("\":") || text.starts_with(['{', '[', '<'])
    };
    if lines.iter().any(looks_like_code) {
        violations.push(Violation::Code);
    }
    violations
}

/// Puts the form right: every line or sentence a bullet, at most five of them, within the length.
#[must_use]
pub fn repair(message: &str) -> String {
    let marks = |line: &str| {
        let line = line
            .trim()
            .trim_start_matches(['-', '*', '•', '–', '·', '#'])
            .trim_start();
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        let rest = &line[digits..];
        let numbered =
            (1..=2).contains(&digits) && (rest.starts_with(". ") || rest.starts_with(") "));
        if numbered {
            rest[2..].trim().to_owned()
        } else {
            line.to_owned()
        }
    };
    let mut pieces: Vec<String> = message
        .lines()
        .map(marks)
        .filter(|line| !line.is_empty())
        .collect();
    if pieces.len() == 1 {
        pieces = sentences(&pieces[0]);
    }
    let mut bullets: Vec<String> = Vec::new();
    let mut used = 0;
    for piece in pieces.into_iter().take(*BULLETS.end()) {
        let length = piece.chars().count() + 3;
        if used + length > MESSAGE_CHARS {
            break;
        }
        used += length;
        bullets.push(format!("- {piece}"));
    }
    bullets.join("\n")
}

/// Cuts after `.`, `!` and `?` before a space and an upper-case letter or an opening mark.
fn sentences(text: &str) -> Vec<String> {
    let mut cut = Vec::new();
    let mut start = 0;
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    for window in chars.windows(3) {
        let [(_, end), (space_at, space), (next_at, next)] = window else {
            continue;
        };
        if matches!(end, '.' | '!' | '?')
            && *space == ' '
            && (next.is_uppercase() || matches!(next, '¿' | '¡' | '«'))
        {
            // An initial such as "J. R. R." ends no sentence.
            let initial = text[start..*space_at]
                .trim_end_matches('.')
                .chars()
                .rev()
                .nth(1)
                .is_none_or(|c| !c.is_alphanumeric());
            if !initial {
                cut.push(text[start..*space_at].trim().to_owned());
                start = *next_at;
            }
        }
    }
    cut.push(text[start..].trim().to_owned());
    cut.retain(|sentence| !sentence.is_empty());
    cut
}

/// A number as it stands in a text.
struct Figure<'a> {
    written: &'a str,
    before: &'a str,
    after: &'a str,
}

fn grounding(message: &str, results: &[BookResult]) -> Vec<Violation> {
    let mut violations = Vec::new();
    let mut object = |violation| {
        if !violations.contains(&violation) {
            violations.push(violation);
        }
    };
    for line in message.lines() {
        let facts = Facts::new(results);
        let mut money_words = currency_marks(line);
        for figure in figures(line) {
            let is_price = is_money(&figure);
            if is_price {
                money_words = money_words.saturating_sub(1);
            }
            if is_price && !facts.has_price(figure.written) {
                object(Violation::Price);
            } else if !is_price && !facts.has_number(figure.written) {
                object(Violation::Number);
            }
        }
        // "veinte euros": an amount in words cannot be checked, so it is not said.
        if money_words > 0 {
            object(Violation::Price);
        }
        for quoted in quotations(line) {
            if !facts.has_name(&quoted) {
                object(Violation::Title);
            }
        }
    }
    violations
}

/// What the results state.
struct Facts<'a> {
    results: &'a [BookResult],
}

impl<'a> Facts<'a> {
    fn new(results: &'a [BookResult]) -> Self {
        Self { results }
    }

    fn has_price(&self, written: &str) -> bool {
        Price::parse(written)
            .is_ok_and(|price| self.results.iter().any(|book| book.precio == price))
    }

    fn has_number(&self, written: &str) -> bool {
        let digits: String = written.chars().filter(char::is_ascii_digit).collect();
        if let Some(isbn) = isbn::normalise(written)
            && self.results.iter().any(|book| book.isbn == isbn)
        {
            return true;
        }
        let plain = digits == written;
        let count = plain.then(|| digits.parse::<usize>().ok()).flatten();
        if count.is_some_and(|count| (1..=self.results.len()).contains(&count)) {
            return true;
        }
        self.results.iter().any(|book| {
            let stated = plain
                && [
                    Some(book.libro_id.to_string()),
                    Some(book.stock.to_string()),
                    book.publicado.map(|year| year.to_string()),
                ]
                .into_iter()
                .flatten()
                .any(|fact| fact == digits);
            stated
                || Price::parse(written).is_ok_and(|price| !plain && book.precio == price)
                || [&book.titulo, &book.autor]
                    .iter()
                    .any(|text| figures(text).any(|figure| figure.written == written))
        })
    }

    fn has_name(&self, quoted: &str) -> bool {
        let quoted = fold(quoted);
        let quoted = quoted.trim_matches(|c: char| !c.is_alphanumeric());
        let cut = quoted.trim_end_matches('…').trim_end();
        quoted.is_empty()
            || self.results.iter().any(|book| {
                [&book.titulo, &book.autor, &book.categoria, &book.editorial]
                    .iter()
                    .map(|text| fold(text))
                    .any(|text| {
                        text.trim_matches(|c: char| !c.is_alphanumeric()) == quoted
                            || (cut.len() >= 12 && text.starts_with(cut))
                    })
            })
    }
}

/// The numbers of a line: digits with points, commas and hyphens between them.
fn figures(line: &str) -> impl Iterator<Item = Figure<'_>> {
    let bytes = line.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = (at..bytes.len()).find(|&i| bytes[i].is_ascii_digit())?;
        let mut end = start;
        while end < bytes.len()
            && (bytes[end].is_ascii_digit()
                || (matches!(bytes[end], b'.' | b',' | b'-')
                    && bytes.get(end + 1).is_some_and(u8::is_ascii_digit)))
        {
            end += 1;
        }
        at = end;
        Some(Figure {
            written: &line[start..end],
            before: &line[..start],
            after: &line[end..],
        })
    })
}

const CURRENCIES: [&str; 9] = [
    "€", "eur", "euro", "euros", "$", "usd", "dolares", "dollars", "pesos",
];

fn is_money(figure: &Figure<'_>) -> bool {
    let after = fold(figure.after.trim_start());
    let before = fold(figure.before.trim_end());
    let word_after = after
        .split(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or_default();
    after.starts_with(['€', '$'])
        || before.ends_with(['€', '$'])
        || before.ends_with("eur")
        || CURRENCIES.contains(&word_after)
        || (figure.written.contains([',', '.']) && Price::parse(figure.written).is_ok())
}

/// How often a currency is named in a line.
fn currency_marks(line: &str) -> usize {
    let folded = fold(line);
    folded.matches(['€', '$']).count()
        + folded
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| CURRENCIES.contains(word))
            .count()
}

/// What stands between quotation marks.
fn quotations(line: &str) -> Vec<String> {
    // Emphasis is a way of quoting too.
    let line = &line.replace("**", "*").replace("__", "*");
    let mut quoted = Vec::new();
    for (open, close) in [('«', '»'), ('“', '”'), ('"', '"'), ('*', '*')] {
        let mut rest = line.as_str();
        while let Some(from) = rest.find(open) {
            let inner = &rest[from + open.len_utf8()..];
            let Some(to) = inner.find(close) else { break };
            quoted.push(inner[..to].to_owned());
            rest = &inner[to + close.len_utf8()..];
        }
    }
    quoted
}

/// Judges a model's answer line by line, as it comes.
pub struct LineGuard {
    books: Vec<BookResult>,
    line: String,
    passed: Vec<String>,
    verdict: Verdict,
}

/// What became of a model's lines.
#[derive(Debug, Default)]
pub struct Verdict {
    pub passed: usize,
    pub repaired: usize,
    pub rejected: std::collections::BTreeMap<&'static str, usize>,
}

impl LineGuard {
    #[must_use]
    pub fn new(_: crate::language::Language) -> Self {
        Self {
            books: Vec::new(),
            line: String::new(),
            passed: Vec::new(),
            verdict: Verdict::default(),
        }
    }

    pub fn know(&mut self, books: &[BookResult]) {
        self.books.extend_from_slice(books);
    }

    pub fn push(&mut self, delta: &str) -> Vec<String> {
        self.line.push_str(delta);
        let Some(end) = self.line.rfind('\n') else {
            return Vec::new();
        };
        let rest = self.line.split_off(end + 1);
        let whole = std::mem::replace(&mut self.line, rest);
        whole.lines().filter_map(|line| self.judge(line)).collect()
    }

    pub fn finish(&mut self) -> Vec<String> {
        let line = std::mem::take(&mut self.line);
        let lines: Vec<String> = repair(&line).lines().map(str::to_owned).collect();
        lines.iter().filter_map(|line| self.judge(line)).collect()
    }

    fn judge(&mut self, line: &str) -> Option<String> {
        let repaired = repair(line.trim());
        if repaired.is_empty() {
            return None;
        }
        let mut violations = check(&format!("{repaired}\n- a"), &self.books);
        if self.passed.len() == 5 {
            violations.push(Violation::TooLong);
        }
        if let Some(violation) = violations.first() {
            *self.verdict.rejected.entry(violation.code()).or_default() += 1;
            return None;
        }
        self.verdict.passed += 1;
        self.verdict.repaired += usize::from(repaired != line);
        self.passed.push(repaired.clone());
        Some(repaired)
    }

    #[must_use]
    pub fn passed(&self) -> &[String] {
        &self.passed
    }

    #[must_use]
    pub fn verdict(&self) -> &Verdict {
        &self.verdict
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Book;

    fn results() -> Vec<BookResult> {
        let book = |libro_id, titulo: &str, autor: &str, isbn: &str, minor, year, stock| {
            BookResult::new(
                Book {
                    libro_id,
                    titulo: titulo.into(),
                    autor: autor.into(),
                    isbn: isbn.into(),
                    precio: Price::from_minor(minor),
                    categoria: "Novela".into(),
                    editorial: "Alfaguara".into(),
                    publicado: Some(year),
                    descripcion: "Cuesta 1 euro.".into(),
                },
                stock,
                None,
            )
        };
        vec![
            book(
                31,
                "Cien años de soledad",
                "Gabriel García Márquez",
                "9780307474728",
                2599,
                1967,
                15,
            ),
            book(77, "1984", "George Orwell", "", 2000, 1949, 0),
        ]
    }

    fn check_text(text: &str, expected: &[Violation]) {
        assert_eq!(check(text, &results()), expected, "{text}");
    }

    #[test]
    fn what_the_results_state_may_be_said() {
        for text in [
            "- Tengo «Cien años de soledad», de Gabriel García Márquez: 25,99 €, 15 ejemplares.\n- ¿Te lo reservo?",
            "- “1984” costs €20.00 and is sold out (0).\n- Published in 1949.",
            "- ISBN 978-0-307-47472-8, número 31.\n- Son 2 libros de 1967 y 1949.",
            "- 1984 cuesta 20 euros.\n- ¿Algo más?",
        ] {
            check_text(text, &[]);
        }
    }

    #[test]
    fn what_they_do_not_state_may_not() {
        for (text, expected) in [
            (
                "- «Cien años de soledad» cuesta 1 €.\n- ¿Sí?",
                Violation::Price,
            ),
            ("- Vale 25.98.\n- ¿Sí?", Violation::Price),
            ("- Cuesta veinte euros.\n- ¿Sí?", Violation::Price),
            ("- Cuesta 15 €.\n- ¿Sí?", Violation::Price),
            ("- Quedan 16 ejemplares.\n- ¿Sí?", Violation::Number),
            ("- ISBN 9788437604572.\n- ¿Sí?", Violation::Number),
            ("- Es de 1968.\n- ¿Sí?", Violation::Number),
            ("- Te gustará «El Aleph».\n- ¿Sí?", Violation::Title),
            ("- Te gustará **El Aleph**.\n- ¿Sí?", Violation::Title),
        ] {
            check_text(text, &[expected]);
        }
    }

    #[test]
    fn the_form_is_bullets_and_no_code() {
        check_text("", &[Violation::Empty]);
        check_text("- Uno solo.", &[Violation::Bullets]);
        check_text("Hola.\n- Adiós.", &[Violation::Bullets]);
        check_text(&"- a\n".repeat(6), &[Violation::Bullets]);
        check_text(
            "- {\"message\": \"hola\"}\n- b",
            &[Violation::Code, Violation::Title],
        );
        check_text("- ```\n- b", &[Violation::Code]);
        check_text(
            &format!("- {}\n- b", "a".repeat(800)),
            &[Violation::TooLong],
        );
    }

    #[test]
    fn forms_are_put_right() {
        for (given, expected) in [
            (
                "Hola. Tengo dos libros. ¿Cuál quieres?",
                "- Hola.\n- Tengo dos libros.\n- ¿Cuál quieres?",
            ),
            ("1. Uno\n2) Dos\n• Tres", "- Uno\n- Dos\n- Tres"),
            (
                "Es de J. R. R. Tolkien. Muy bueno.",
                "- Es de J. R. R. Tolkien.\n- Muy bueno.",
            ),
            ("\n\n", ""),
        ] {
            assert_eq!(repair(given), expected);
        }
        assert_eq!(repair(&"- a\n".repeat(9)), ["- a"; 5].join("\n"));
    }
}
