//! What is printed: lines for a person at a terminal, or for whatever else reads them.

use std::{
    env,
    io::Write,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

/// Where text is not wrapped any more: a terminal so narrow holds no sentence.
const COLUMNS_MIN: usize = 20;
const DIM: &str = "\u{1b}[2m";
const PLAIN: &str = "\u{1b}[0m";
const CLEAR_LINE: &str = "\r\u{1b}[K";

/// How wide a terminal is; 0 where nobody knows. It is measured anew at each prompt.
pub(super) type Columns = Arc<AtomicUsize>;

/// How lines are printed.
#[derive(Debug, Default)]
pub(super) struct Style {
    /// Lines are wrapped at words, where there is a width.
    pub(super) columns: Columns,
    /// Whether less important lines are dimmed.
    pub(super) dims: bool,
    /// Whether a line can be taken back.
    pub(super) erases: bool,
}

impl Style {
    /// That of a terminal, by what the environment says of it.
    pub(super) fn of_terminal(columns: Columns) -> Self {
        let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_dumb = env::var_os("TERM").is_none_or(|term| term == "dumb");
        Self {
            columns,
            dims: !is_dumb && !is_set("NO_COLOR"),
            erases: !is_dumb,
        }
    }
}

pub(super) struct Screen {
    paper: Mutex<Paper>,
    style: Style,
}

struct Paper {
    out: Box<dyn Write + Send>,
    has_status: bool,
    /// Whether the last line is an empty one.
    is_apart: bool,
}

impl Screen {
    pub(super) fn new(out: Box<dyn Write + Send>, style: Style) -> Self {
        let paper = Paper {
            out,
            has_status: false,
            is_apart: true,
        };
        Self {
            paper: Mutex::new(paper),
            style,
        }
    }

    /// Prints lines.
    pub(super) fn print(&self, text: &str) {
        self.write(&self.wrapped(text));
    }

    /// Prints lines that matter less.
    pub(super) fn print_dim(&self, text: &str) {
        let text = self.wrapped(text);
        if self.style.dims {
            self.write(&format!("{DIM}{text}{PLAIN}"));
        } else {
            self.write(&text);
        }
    }

    /// An empty line, unless there is one.
    pub(super) fn set_apart(&self) {
        let mut paper = self.paper();
        if !paper.is_apart {
            paper.put("\n");
            paper.is_apart = true;
        }
    }

    /// Shows what goes on, until something is printed.
    pub(super) fn show_status(&self, text: &str) {
        let mut paper = self.paper();
        if !self.style.erases || paper.has_status {
            return;
        }
        if self.style.dims {
            paper.put(&format!("{DIM}{text}{PLAIN}"));
        } else {
            paper.put(text);
        }
        paper.has_status = true;
    }

    /// Takes back what was shown to go on.
    pub(super) fn clear_status(&self) {
        self.paper().clear_status();
    }

    fn write(&self, text: &str) {
        let mut paper = self.paper();
        paper.clear_status();
        paper.put(&format!("{text}\n"));
        paper.is_apart = false;
    }

    fn paper(&self) -> std::sync::MutexGuard<'_, Paper> {
        self.paper.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wrapped(&self, text: &str) -> String {
        let columns = self.style.columns.load(Ordering::Relaxed);
        if columns < COLUMNS_MIN {
            return text.to_owned();
        }
        let lines: Vec<String> = text
            .split('\n')
            .map(|line| wrapped(line, columns))
            .collect();
        lines.join("\n")
    }
}

impl Paper {
    fn clear_status(&mut self) {
        if std::mem::take(&mut self.has_status) {
            self.put(CLEAR_LINE);
        }
    }

    fn put(&mut self, text: &str) {
        // A terminal that is gone is noticed at the next prompt.
        let _ = self.out.write_all(text.as_bytes());
        let _ = self.out.flush();
    }
}

/// A line broken between words, so that none is longer than `columns`. What follows stands below the line's own text: behind the mark of a
/// list, or in the same column of a table.
fn wrapped(line: &str, columns: usize) -> String {
    let text = line.trim_start();
    let margin = line.chars().count() - text.chars().count();
    let indent = (margin + before_text(text)).min(columns / 2);
    let mut wrapped = " ".repeat(margin);
    let mut width = margin;
    for (place, word) in text.split(' ').enumerate() {
        let length = word.chars().count();
        if place > 0 && width + 1 + length > columns && width > indent {
            wrapped.push('\n');
            wrapped.push_str(&" ".repeat(indent));
            width = indent;
        } else if place > 0 {
            wrapped.push(' ');
            width += 1;
        }
        wrapped.push_str(word);
        width += length;
    }
    wrapped
}

/// How many characters stand before a line's own text.
fn before_text(line: &str) -> usize {
    let (first, _) = line.split_once(' ').unwrap_or_default();
    let is_number = first.ends_with('.') && first.starts_with(|c: char| c.is_ascii_digit());
    if first == "-" || is_number {
        return first.chars().count() + 1;
    }
    let Some((first, rest)) = line.split_once("  ") else {
        return 0;
    };
    let gap = rest.chars().take_while(|c| *c == ' ').count() + 2;
    first.chars().count() + gap
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_wrapped_between_words_and_below_their_own_text() {
        let check = |line: &str, expected: &str| assert_eq!(wrapped(line, 20), expected);
        check("", "");
        check("twenty characters ok", "twenty characters ok");
        check("one line, and some more", "one line, and some\nmore");
        check(
            "  2. «Rayuela»: 21,90 €, 7 left",
            "  2. «Rayuela»:\n     21,90 €, 7 left",
        );
        check(
            "  /q  leave, whatever it is",
            "  /q  leave,\n      whatever it is",
        );
        check(
            "- https://example.org/no/room here",
            "- https://example.org/no/room\n  here",
        );
    }

    #[test]
    fn what_goes_on_is_shown_where_it_can_be_taken_back() {
        let check = |style: Style, expected: &str| {
            let (out, printed) = super::super::tests::paper();
            let screen = Screen::new(out, style);
            screen.show_status("…");
            screen.print("one");
            screen.set_apart();
            screen.set_apart();
            screen.print_dim("two");
            assert_eq!(printed.text(), expected);
        };
        check(Style::default(), "one\n\ntwo\n");
        let terminal = |dims| Style {
            dims,
            erases: true,
            ..Style::default()
        };
        check(terminal(false), "…\r\u{1b}[Kone\n\ntwo\n");
        check(
            terminal(true),
            "\u{1b}[2m…\u{1b}[0m\r\u{1b}[Kone\n\n\u{1b}[2mtwo\u{1b}[0m\n",
        );
    }
}
