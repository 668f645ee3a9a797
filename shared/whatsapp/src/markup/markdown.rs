//! Our Markdown as spans.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use super::{Span, Style};

/// Spans of a Markdown text. Line breaks stay where they are; headings are bold lines; a link's address follows its words.
#[must_use]
pub fn read(markdown: &str) -> Vec<Span> {
    let mut reader = Reader::default();
    for event in Parser::new_ext(markdown, Options::ENABLE_STRIKETHROUGH) {
        reader.event(event);
    }
    let end = reader
        .spans
        .iter()
        .rposition(|span| !span.text.trim().is_empty());
    reader.spans.truncate(end.map_or(0, |end| end + 1));
    if let Some(last) = reader.spans.last_mut() {
        last.text.truncate(last.text.trim_end().len());
    }
    reader.spans
}

/// Text of anybody's, to stand in Markdown as it is.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii_punctuation() {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

#[derive(Default)]
struct Reader {
    spans: Vec<Span>,
    style: Style,
    /// The number of the next item of each list that is open; none for bullets.
    lists: Vec<Option<u64>>,
    /// The address of the link that is open, and where its words begin.
    link: Option<(String, usize)>,
}

impl Reader {
    fn push(&mut self, text: &str) {
        let style = self.style;
        self.spans.push(Span {
            text: text.to_owned(),
            style,
        });
    }

    fn push_plain(&mut self, text: &str) {
        self.spans.push(Span::plain(text));
    }

    /// Whether what comes begins a line.
    fn is_at_line_start(&self) -> bool {
        let last = self.spans.iter().rev().find(|span| !span.text.is_empty());
        last.is_none_or(|last| last.text.ends_with('\n'))
    }

    fn end_line(&mut self) {
        if !self.is_at_line_start() {
            self.push_plain("\n");
        }
    }

    /// Blocks have an empty line between them, items of a list do not.
    fn begin_block(&mut self) {
        self.end_line();
        if self.lists.is_empty() && !self.spans.is_empty() {
            self.push_plain("\n");
        }
    }

    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.push(&text),
            Event::Code(code) => {
                let style = Style {
                    is_code: true,
                    ..Style::PLAIN
                };
                self.spans.push(Span {
                    text: code.into_string(),
                    style,
                });
            }
            Event::SoftBreak | Event::HardBreak => self.push_plain("\n"),
            Event::Rule => self.begin_block(),
            // Extensions that are off.
            Event::InlineMath(text) | Event::DisplayMath(text) | Event::FootnoteReference(text) => {
                self.push(&text);
            }
            Event::TaskListMarker(_) => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Paragraph if self.lists.is_empty() => {
                self.begin_block();
            }
            Tag::Heading { .. } => {
                self.begin_block();
                self.style.is_bold = true;
            }
            Tag::CodeBlock(CodeBlockKind::Indented | CodeBlockKind::Fenced(_)) => {
                self.begin_block();
                self.style.is_code = true;
            }
            Tag::List(first) => {
                if self.lists.is_empty() && !self.spans.is_empty() {
                    self.end_line();
                }
                self.lists.push(first);
            }
            Tag::Item => {
                self.end_line();
                let depth = self.lists.len().saturating_sub(1);
                let indent = "  ".repeat(depth.min(4));
                let mark = match self.lists.last_mut() {
                    Some(Some(number)) => {
                        *number += 1;
                        format!("{}. ", *number - 1)
                    }
                    Some(None) | None => "- ".to_owned(),
                };
                self.push_plain(&(indent + &mark));
            }
            Tag::Emphasis => self.style.is_italic = true,
            Tag::Strong => self.style.is_bold = true,
            Tag::Strikethrough => self.style.is_struck = true,
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                self.link = Some((dest_url.into_string(), self.spans.len()));
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::Item => self.end_line(),
            TagEnd::Heading(_) => {
                self.style.is_bold = false;
                self.end_line();
            }
            TagEnd::CodeBlock => {
                self.style.is_code = false;
                self.end_line();
            }
            TagEnd::List(_) => {
                self.lists.pop();
            }
            TagEnd::Emphasis => self.style.is_italic = false,
            TagEnd::Strong => self.style.is_bold = false,
            TagEnd::Strikethrough => self.style.is_struck = false,
            TagEnd::Link | TagEnd::Image => {
                if let Some((address, from)) = self.link.take() {
                    let words = super::plain(&self.spans[from..]);
                    if words != address && !address.is_empty() {
                        self.push_plain(&format!(" ({address})"));
                    }
                }
            }
            _ => {}
        }
    }
}
