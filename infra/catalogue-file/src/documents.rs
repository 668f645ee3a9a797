//! From the Markdown files about a shop to passages that are told word for word.
//!
//! The files lie in `about/` beside the profile: `about/regalos.es.md`, where `es` is their language; without it, they are in the shop's
//! default. A first heading of its own is the document's title, and else its name is.

use std::{fs, path::Path};

use mostrador_core::shop::{Document, Passage};
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use crate::decoded;

/// The folder beside the profile.
const FOLDER: &str = "about";

/// The documents beside a profile, each with the name of its file, by name; none where there is no such folder.
pub(crate) fn beside(profile: &Path) -> std::io::Result<Vec<(String, Document)>> {
    let folder = profile.parent().unwrap_or(Path::new("")).join(FOLDER);
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(folder)?;
    let paths: std::io::Result<Vec<_>> = entries.map(|entry| Ok(entry?.path())).collect();
    let mut paths = paths?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    paths.sort();
    let documents = paths.iter().map(|path| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let text = fs::read(path)?;
        Ok((
            format!("{FOLDER}/{name}.md"),
            document(&name, &decoded(&text).0),
        ))
    });
    documents.collect()
}

/// The document of a file's name, without its ending, and text.
#[must_use]
pub fn document(name: &str, markdown: &str) -> Document {
    let (name, language) = match name.rsplit_once('.') {
        Some((name, tag)) if tag.len() == 2 => (name, Some(tag.to_owned())),
        _ => (name, None),
    };
    let mut document = Document {
        title: name.replace(['-', '_'], " "),
        language,
        passages: Vec::new(),
    };
    let (mut heading, mut text) = (String::new(), String::new());
    let (mut lists, mut level) = (0_usize, None);
    let (mut columns, mut cells): (Vec<String>, Vec<String>) = Default::default();
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    for event in Parser::new_ext(markdown, options) {
        match event {
            Event::Start(Tag::Heading { level: found, .. }) => level = Some(found),
            Event::End(TagEnd::Heading(_)) => {
                let words = std::mem::take(&mut text);
                let is_title = level.take() == Some(HeadingLevel::H1);
                if is_title && document.passages.is_empty() {
                    document.title = one_line(&words);
                } else {
                    heading = one_line(&words);
                }
            }
            Event::Start(Tag::List(_)) => lists += 1,
            Event::End(TagEnd::List(_)) => {
                lists -= 1;
                if lists == 0 {
                    close(&mut text, &heading, &mut document.passages);
                }
            }
            // A list is a passage: what introduces it is the paragraph before.
            Event::Start(Tag::Item) if !text.trim().is_empty() => text.push_str("; "),
            // A row of a table is a passage, each cell behind its column's name.
            Event::Start(Tag::Table(_)) => columns.clear(),
            Event::End(TagEnd::TableHead) => columns.append(&mut cells),
            Event::Start(Tag::TableCell) => text.clear(),
            Event::End(TagEnd::TableCell) => cells.push(one_line(&std::mem::take(&mut text))),
            Event::End(TagEnd::TableRow) => {
                let named = columns.iter().zip(cells.drain(..));
                let named = named.filter(|(_, cell)| !cell.is_empty());
                let named: Vec<String> = named
                    .map(|(column, cell)| match column.as_str() {
                        "" => cell,
                        column => format!("{column}: {cell}"),
                    })
                    .collect();
                text = named.join(", ");
                close(&mut text, &heading, &mut document.passages);
            }
            Event::End(TagEnd::CodeBlock) => {
                close(&mut text, &heading, &mut document.passages);
            }
            Event::End(TagEnd::Paragraph) if lists == 0 => {
                close(&mut text, &heading, &mut document.passages);
            }
            Event::Text(words) | Event::Code(words) => text.push_str(&words),
            Event::SoftBreak | Event::HardBreak | Event::End(TagEnd::Paragraph) => text.push(' '),
            _ => {}
        }
    }
    close(&mut text, &heading, &mut document.passages);
    document
}

/// Puts what was read into passages: one, or as many as its sentences need.
fn close(text: &mut String, heading: &str, passages: &mut Vec<Passage>) {
    let whole = one_line(&std::mem::take(text));
    let mut piece = String::new();
    let mut keep = |piece: &mut String| {
        let text = std::mem::take(piece).trim().to_owned();
        if !text.is_empty() {
            passages.push(Passage {
                heading: heading.to_owned(),
                text,
            });
        }
    };
    // "3.50" is no end of a sentence.
    let ends = |word: &str| word.ends_with(['.', '!', '?', ';']);
    let mut sentences: Vec<String> = vec![String::new()];
    for word in whole.split_inclusive(' ') {
        if let Some(last) = sentences.last_mut() {
            last.push_str(word);
        }
        if ends(word.trim_end()) {
            sentences.push(String::new());
        }
    }
    for sentence in &sentences {
        let chars = |text: &str| text.chars().count();
        if chars(&piece) + chars(sentence) > Passage::CHARS_MAX {
            keep(&mut piece);
        }
        piece.push_str(sentence);
    }
    keep(&mut piece);
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passages(markdown: &str) -> Vec<(String, String)> {
        let document = document("regalos.es", markdown);
        let passages = document.passages.into_iter();
        passages
            .map(|passage| (passage.heading, passage.text))
            .collect()
    }

    #[test]
    fn paragraphs_and_lists_are_passages_under_their_headings() {
        let markdown = "# Regalos\n\nTodo se puede **regalar**,\ncon [tarjeta](https://hilo.example).\n\n## Cestas\n\n- De baño: 20 €\n- De té: 15 €\n\n```\nnada\n```\n";
        let own = |heading: &str, text: &str| (heading.to_owned(), text.to_owned());
        assert_eq!(
            passages(markdown),
            [
                own("", "Todo se puede regalar, con tarjeta."),
                own("Cestas", "De baño: 20 €; De té: 15 €"),
                own("Cestas", "nada"),
            ]
        );
        let document = document("regalos-y-cestas.es", markdown);
        assert_eq!(document.title, "Regalos");
        assert_eq!(document.language.as_deref(), Some("es"));
        assert_eq!(
            super::document("regalos-y-cestas", "Hola.").title,
            "regalos y cestas"
        );
    }

    #[test]
    fn a_long_paragraph_is_cut_between_sentences() {
        let sentence = "Una frase de la tienda que dice algo. ";
        let cut = passages(&sentence.repeat(40));
        assert!(cut.len() > 1);
        assert!(cut.iter().all(|(_, text)| text.ends_with("algo.")));
        assert!(
            cut.iter()
                .all(|(_, text)| text.chars().count() <= Passage::CHARS_MAX)
        );
    }

    #[test]
    fn rows_and_blocks_are_passages_of_their_own() {
        let table = "| Talla | Pecho |\n|---|---|\n| M | 96 |\n";
        let rows = passages(table).into_iter().map(|(_, text)| text);
        assert_eq!(rows.collect::<Vec<_>>(), ["Talla: M, Pecho: 96"]);
        assert_eq!(passages("```\nx\n```\n\n## Cestas\n\ny")[1].0, "Cestas");
    }

    #[test]
    fn nothing_is_no_passage() {
        for markdown in ["", "\n\n", "# \n", "---", "<!-- nada -->", "- \n- \n"] {
            assert_eq!(passages(markdown), [], "{markdown:?}");
        }
    }
}
