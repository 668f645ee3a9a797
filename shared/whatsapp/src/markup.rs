//! Text with styles, as the platform's apps show it: `*bold*`, `_italic_`, `~struck~`, `` `code` ``.
//!
//! The apps know no escape. What must not be a marker is replaced by a sign that looks alike, and only where a marker could
//! begin or end something: `snake_case` and `2 * 3` stay as they are.

mod markdown;
#[cfg(test)]
mod tests;

pub use markdown::{escape, read};

/// How a piece of text looks. Code has no other style beside it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Style {
    pub is_bold: bool,
    pub is_italic: bool,
    pub is_struck: bool,
    pub is_code: bool,
}

impl Style {
    pub const PLAIN: Self = Self {
        is_bold: false,
        is_italic: false,
        is_struck: false,
        is_code: false,
    };
    pub const BOLD: Self = Self {
        is_bold: true,
        ..Self::PLAIN
    };

    /// The markers in the order in which they open.
    fn markers(self) -> Vec<char> {
        if self.is_code {
            return vec!['`'];
        }
        let markers = [
            (self.is_bold, '*'),
            (self.is_italic, '_'),
            (self.is_struck, '~'),
        ];
        let markers = markers.into_iter().filter(|(is_set, _)| *is_set);
        markers.map(|(_, marker)| marker).collect()
    }
}

/// A piece of text in one style. Its text is anybody's: a title, a name, a customer's own words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    pub text: String,
    pub style: Style,
}

impl Span {
    #[must_use]
    pub fn plain(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            style: Style::PLAIN,
        }
    }

    #[must_use]
    pub fn bold(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            style: Style::BOLD,
        }
    }
}

/// The text with its markers. A style that no marker can show (within a word, over blanks alone) is left out.
#[must_use]
pub fn render(spans: &[Span]) -> String {
    let pieces = pieces(spans);
    let mut text = String::new();
    for (at, piece) in pieces.iter().enumerate() {
        let next = pieces.get(at + 1).and_then(|next| next.text.chars().next());
        write(piece, next, &mut text);
    }
    text
}

/// The text without its styles.
#[must_use]
pub(crate) fn plain(spans: &[Span]) -> String {
    spans.iter().map(|span| span.text.as_str()).collect()
}

/// Spans by lines, without blanks at the edges of what has a style, neighbours of the same style as one.
fn pieces(spans: &[Span]) -> Vec<Span> {
    let mut pieces: Vec<Span> = Vec::new();
    let mut push = |text: &str, style: Style| match pieces.last_mut() {
        _ if text.is_empty() => {}
        Some(last) if last.style == style => last.text.push_str(text),
        _ => pieces.push(Span {
            text: text.to_owned(),
            style,
        }),
    };
    for span in spans {
        if span.style == Style::PLAIN {
            push(&span.text, Style::PLAIN);
            continue;
        }
        for line in span.text.split_inclusive('\n') {
            let body = line.trim();
            let start = line.len() - line.trim_start().len();
            push(&line[..start], Style::PLAIN);
            push(body, span.style);
            push(&line[start + body.len()..], Style::PLAIN);
        }
    }
    pieces
}

fn write(piece: &Span, next: Option<char>, text: &mut String) {
    let markers = piece.style.markers();
    let before = text.chars().next_back();
    let is_within_word = [before, next]
        .into_iter()
        .flatten()
        .any(char::is_alphanumeric);
    // Two markers of the same sort side by side are read otherwise.
    let is_beside_marker = before.is_some_and(|before| markers.contains(&before));
    if markers.is_empty() || is_within_word || is_beside_marker {
        escape_into(&piece.text, next, Inside::Nothing, text);
        return;
    }
    text.extend(&markers);
    let last = markers.last().copied();
    escape_into(&piece.text, last, Inside::Markers, text);
    text.extend(markers.iter().rev());
}

/// What the text stands within.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Nothing,
    Markers,
}

fn escape_into(piece: &str, after: Option<char>, inside: Inside, text: &mut String) {
    let mut chars = piece.char_indices().peekable();
    let mut address_end = 0;
    while let Some((at, c)) = chars.next() {
        let rest = &piece[at..];
        if at >= address_end && (rest.starts_with("https://") || rest.starts_with("http://")) {
            address_end = at + rest.find(char::is_whitespace).unwrap_or(rest.len());
        }
        let before = text.chars().next_back();
        let next = chars.peek().map(|(_, next)| *next).or(after);
        let is_line_start = before.is_none_or(|before| before == '\n');
        let both = |is: fn(char) -> bool| before.is_some_and(is) && next.is_some_and(is);
        let is_inert = match inside {
            Inside::Nothing => both(char::is_alphanumeric) || both(char::is_whitespace),
            Inside::Markers => false,
        };
        match c {
            c if at < address_end && !is_inert => push_in_address(c, text),
            '*' if !is_inert || is_line_start => text.push('∗'),
            '_' if !is_inert => text.push('＿'),
            '~' if !is_inert => text.push('∼'),
            '`' => text.push('´'),
            // At the start of a line it makes a quotation.
            '>' if is_line_start => text.push('›'),
            c => text.push(c),
        }
    }
}

/// An address leads to the same place with its signs as numbers.
fn push_in_address(c: char, text: &mut String) {
    match c {
        '*' => text.push_str("%2A"),
        '_' => text.push_str("%5F"),
        '~' => text.push_str("%7E"),
        '`' => text.push_str("%60"),
        c => text.push(c),
    }
}
