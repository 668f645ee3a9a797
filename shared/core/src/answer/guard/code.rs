//! What is no speech: code, markup, links, the fences of our own prompt, and characters that deceive.

use unicode_normalization::char::is_combining_mark;

use super::{line::Line, words};

/// The tags around what a model is shown.
const FENCES: [&str; 6] = [
    "resultados",
    "resumen",
    "conversacion",
    "system",
    "assistant",
    "tool",
];

/// Where addresses without a scheme end.
const DOMAINS: [&str; 29] = [
    "com", "es", "org", "net", "io", "ly", "co", "info", "me", "shop", "store", "eu", "app", "dev",
    "gg", "link", "xyz", "cat", "mx", "ar", "uk", "us", "to", "html", "php", "pdf", "tienda",
    "biz", "ru",
];

/// Whether a line holds anything that is no speech.
pub(super) fn is_code(line: &Line<'_>) -> bool {
    let text = line.text;
    text.contains(['`', '{', '}', '\\', '[', ']', '@', '<', '＜', '|'])
        || [
            "://", "\":", "~~", "==", "=>", "();", "&#", "&lt", "&gt", "&nbsp", "&amp",
        ]
        .iter()
        .any(|mark| text.contains(mark))
        || assigns(line)
        || deceives(text)
        || has_link(line)
        || has_fence(line)
        || has_identifier(line)
        || is_spelt(line)
        || words::PROMPTS.stand_in(&line.spoken())
}

/// "approved=true": no title has it, and nobody says it.
fn assigns(line: &Line<'_>) -> bool {
    let words = line.words.iter().enumerate().skip(1);
    let mut free = words.filter(|(_, word)| !word.titled && !word.named);
    free.any(|(at, _)| line.gap(at).contains('='))
}

/// Controls, turns of direction, tags, private characters, and marks put on what is no letter.
fn deceives(text: &str) -> bool {
    let mut before = ' ';
    text.chars().any(|c| {
        let mark = is_combining_mark(c) && !before.is_alphabetic() && !is_combining_mark(before);
        before = c;
        mark || c.is_control()
            || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{206f}'
                | '\u{fff9}'..='\u{fffd}' | '\u{e000}'..='\u{f8ff}' | '\u{e0000}'..='\u{10ffff}')
    })
}

fn has_link(line: &Line<'_>) -> bool {
    line.words.iter().enumerate().any(|(at, word)| {
        matches!(
            word.folded.as_str(),
            "www" | "http" | "https" | "mailto" | "javascript"
        ) || (at > 0
            && line.gap(at) == "."
            && DOMAINS.contains(&word.folded.as_str())
            && !word.is_capitalised()
            && !line.words[at - 1].has_number())
    })
}

fn has_fence(line: &Line<'_>) -> bool {
    line.words.iter().enumerate().any(|(at, word)| {
        let gap = line.gap(at);
        FENCES.contains(&word.folded.as_str())
            && (gap.ends_with(['‹', '«', '〈', '(', '/', '>'])
                && line.gap(at + 1).starts_with(['›', '»', '〉', ')', '>'])
                || gap.ends_with("‹/")
                || (at == 0
                    && gap.is_empty()
                    && line.gap(1).starts_with(':')
                    && !matches!(word.folded.as_str(), "resultados" | "resumen")))
    })
}

/// `precio_max`, `add_to_cart`: names of ours, which no shopper reads.
fn has_identifier(line: &Line<'_>) -> bool {
    (1..line.words.len()).any(|at| line.gap(at) == "_")
}

/// "g r a t i s": letters apart are read as a word by people alone.
fn is_spelt(line: &Line<'_>) -> bool {
    let mut apart = 0;
    line.words.iter().any(|word| {
        let letter = word.text.chars().nth(1).is_none() && !word.quoted;
        apart = if letter { apart + 1 } else { 0 };
        apart > 3
    })
}
