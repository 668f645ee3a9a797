//! Where a line ends, and the marks before it.

use super::MESSAGE_CHARS;

/// An unmarked line this long is no heading: it is emitted sentence by sentence.
const PARAGRAPH_CHARS: usize = 120;

/// Longest name that a point may shorten.
const SHORTENED_CHARS: usize = 4;

/// A part of an answer that is judged alone.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// A line as it came, its mark before it.
    Line(String),
    /// A sentence of a paragraph.
    Sentence(String),
    /// Longer than a whole message may be; not kept.
    Overlong,
}

/// Cuts an answer into lines as it comes. It goes by the text alone, so it does not matter how the text was delivered.
#[derive(Default)]
pub(super) struct Cutter {
    line: String,
    chars: usize,
    state: State,
    /// The first line, until another is known to follow: a whole answer in one line is cut into sentences.
    held: Option<String>,
    begun: bool,
}

#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum State {
    #[default]
    Line,
    Sentences,
    Overlong,
}

impl Cutter {
    pub(super) fn push(&mut self, delta: &str, pieces: &mut Vec<Piece>) {
        for c in delta.chars() {
            self.take(c, pieces);
        }
    }

    pub(super) fn finish(&mut self, pieces: &mut Vec<Piece>) {
        self.end_line(pieces);
        if let Some(held) = self.held.take() {
            match sentences(unmark(&held)) {
                one if one.len() == 1 => pieces.push(Piece::Line(held)),
                several => pieces.extend(several.into_iter().map(Piece::Sentence)),
            }
        }
    }

    fn take(&mut self, c: char, pieces: &mut Vec<Piece>) {
        if c == '\n' {
            self.end_line(pieces);
            return;
        }
        if self.state == State::Overlong || (self.line.is_empty() && c.is_whitespace()) {
            return;
        }
        if let Some(held) = self.held.take() {
            pieces.push(Piece::Line(held));
        }
        self.line.push(c);
        self.chars += 1;
        if self.chars > MESSAGE_CHARS {
            self.line = String::new();
            self.state = State::Overlong;
            return;
        }
        if self.chars == PARAGRAPH_CHARS && unmark(&self.line) == self.line {
            self.state = State::Sentences;
            self.push_sentences(pieces);
        } else if self.state == State::Sentences && begins_sentence(c) {
            self.push_sentences(pieces);
        }
    }

    fn push_sentences(&mut self, pieces: &mut Vec<Piece>) {
        while let Some((end, next)) = sentence_end(&self.line) {
            pieces.push(Piece::Sentence(self.line[..end].to_owned()));
            self.line.drain(..next);
            self.begun = true;
        }
        self.chars = self.line.chars().count();
    }

    fn end_line(&mut self, pieces: &mut Vec<Piece>) {
        let line = std::mem::take(&mut self.line);
        let line = line.trim_end();
        self.chars = 0;
        match std::mem::take(&mut self.state) {
            State::Overlong => pieces.push(Piece::Overlong),
            _ if unmark(line).is_empty() => return,
            State::Sentences => pieces.push(Piece::Sentence(line.to_owned())),
            State::Line if self.begun => pieces.push(Piece::Line(line.to_owned())),
            State::Line => self.held = Some(line.to_owned()),
        }
        self.begun = true;
    }
}

/// A line without the marks of a list or a heading, its own or another's.
pub(super) fn unmark(line: &str) -> &str {
    let mut line = line.trim();
    loop {
        let rest = without_mark(line).trim_start();
        if rest.len() == line.len() {
            return line;
        }
        line = rest;
    }
}

fn without_mark(line: &str) -> &str {
    let rest = line.trim_start_matches([
        '-', '•', '–', '—', '−', '·', '●', '○', '▪', '■', '◦', '‣', '⁃', '#', '>', '➤', '➜', '→',
        '✓', '✔',
    ]);
    if rest.len() < line.len() {
        return rest;
    }
    if line.bytes().all(|b| b"*_=~".contains(&b)) {
        return "";
    }
    if let Some(rest) = line.strip_prefix(['*', '+'])
        && rest.starts_with(char::is_whitespace)
    {
        return rest;
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &line[digits..];
    match rest.strip_prefix(['.', ')']) {
        Some(rest)
            if (1..=2).contains(&digits)
                && (rest.is_empty() || rest.starts_with([' ', '-', '\t'])) =>
        {
            rest
        }
        _ => line,
    }
}

/// Cuts after `.`, `!` and `?` before a space and an upper-case letter or an opening mark.
fn sentences(mut text: &str) -> Vec<String> {
    let mut cut = Vec::new();
    while let Some((end, next)) = sentence_end(text) {
        cut.push(text[..end].trim().to_owned());
        text = &text[next..];
    }
    cut.push(text.trim().to_owned());
    cut.retain(|sentence| !sentence.is_empty());
    cut
}

fn begins_sentence(c: char) -> bool {
    c.is_uppercase() || matches!(c, '¿' | '¡' | '«' | '“')
}

/// Where the first sentence ends and where the next begins, if both stand in `text`.
fn sentence_end(text: &str) -> Option<(usize, usize)> {
    let mut before = ['\0'; 2];
    for (at, c) in text.char_indices() {
        let [end, space] = before;
        before = [space, c];
        if !matches!(end, '.' | '!' | '?') || space != ' ' || !begins_sentence(c) {
            continue;
        }
        let sentence = &text[..at - 1];
        let last = sentence
            .trim_end_matches(['.', '!', '?'])
            .rsplit(|c: char| !c.is_alphanumeric())
            .next()
            .unwrap_or_default();
        // "J. R. R.", "Dr. Watson", "Sra. Dalloway": a short name's point ends no sentence.
        let chars = last.chars().count();
        let is_short = chars == 1 || (chars <= SHORTENED_CHARS && sentence.contains(' '));
        let shortened = end == '.' && is_short && last.starts_with(char::is_uppercase);
        if !shortened {
            return Some((at - 1, at));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(given: &str, expected: &[&str]) {
        let (mut cutter, mut pieces) = (Cutter::default(), Vec::new());
        cutter.push(given, &mut pieces);
        cutter.finish(&mut pieces);
        let cut: Vec<&str> = pieces
            .iter()
            .map(|piece| match piece {
                Piece::Line(text) | Piece::Sentence(text) => unmark(text),
                Piece::Overlong => "…",
            })
            .collect();
        assert_eq!(cut, expected);
    }

    #[test]
    fn lines_and_paragraphs() {
        check("- a\n\n* b\n2) c\r\n---\n", &["a", "b", "c"]);
        check(
            "Sí. El Dr. Watson vive.\nNo. Otra.",
            &["Sí. El Dr. Watson vive.", "No. Otra."],
        );
        check("- Uno. Dos.\n \n", &["Uno.", "Dos."]);
        check("## Libros\n1.- Uno\n+ Dos", &["Libros", "Uno", "Dos"]);
        check(
            &format!("{}\n- b\n- {}", "a".repeat(900), "c".repeat(800)),
            &["…", "b", "…"],
        );
        let long = "bueno ".repeat(22);
        check(
            &format!("Es {long}. Y más. Fin\n- Uno. Dos."),
            &[format!("Es {long}.").as_str(), "Y más.", "Fin", "Uno. Dos."],
        );
    }

    #[test]
    fn a_paragraph_is_emitted_as_it_arrives() {
        let (mut cutter, mut pieces) = (Cutter::default(), Vec::new());
        cutter.push(&format!("{}. Y", "a".repeat(130)), &mut pieces);
        assert_eq!(pieces, [Piece::Sentence(format!("{}.", "a".repeat(130)))]);
    }

    #[test]
    fn a_line_without_end_is_not_kept() {
        let (mut cutter, mut pieces) = (Cutter::default(), Vec::new());
        for part in ["palabra ", " ", "Una frase. "] {
            cutter.push(&part.repeat(100_000), &mut pieces);
            assert!(cutter.line.capacity() <= 8 * MESSAGE_CHARS);
            cutter.push("\n", &mut pieces);
        }
        assert_eq!(pieces[0], Piece::Overlong);
    }

    #[test]
    fn marks_come_off() {
        for (given, expected) in [
            ("- - 3. a", "a"),
            ("*a* b", "*a* b"),
            ("1984 es", "1984 es"),
            ("25.99 €", "25.99 €"),
            ("***", ""),
            ("→ a", "a"),
        ] {
            assert_eq!(unmark(given), expected);
        }
    }
}
