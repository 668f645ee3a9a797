//! A summary by a model, as far as it stands in what it sums up.

use std::collections::HashSet;

use super::{Summarised, extract::unbulleted};
use crate::{
    answer::prose,
    log::Summary,
    text::{fold, words},
};

/// The lines of `text` whose figures, titles and deeds all stand in `previous` or `messages`. What a model adds would be given to
/// the customer, and to every model after it. A line with a number gets a dash for it: the number is no figure, and would be one
/// in what the next summary is judged by.
#[must_use]
pub fn grounded(text: &str, previous: Option<&Summary>, messages: &[Summarised<'_>]) -> String {
    let sources = previous.map(|summary| summary.text.as_str());
    let sources = sources.into_iter();
    let sources: Vec<&str> = sources
        .chain(messages.iter().map(|message| message.content))
        .collect();
    let source = sources.join("\n");
    let folded = fold(&source);
    let stated: HashSet<&str> = figures(&source).collect();
    let known: HashSet<String> = words(&source).into_iter().collect();
    let stands = |line: &String| {
        let mut words_of_line = words(line).into_iter();
        figures(line).all(|figure| stated.contains(figure))
            && titles(line).all(|title| folded.contains(&fold(title)))
            && words_of_line.all(|word| !prose::weighs(&word) || known.contains(&word))
    };
    let lines = text.lines().map(unnumbered).filter(stands);
    lines.collect::<Vec<_>>().join("\n")
}

/// The line with a dash in place of its number in a list: "1. El cliente…", "- 2) Su presupuesto…".
fn unnumbered(line: &str) -> String {
    let marked = unbulleted(line);
    let digits = marked.bytes().take_while(u8::is_ascii_digit).count();
    let rest = marked[digits..].strip_prefix(['.', ')']);
    match rest.filter(|rest| rest.starts_with(char::is_whitespace)) {
        Some(rest) if (1..=2).contains(&digits) => format!("- {}", rest.trim_start()),
        _ => line.to_owned(),
    }
}

/// Digits with what joins them. The sign of money is no part of them: it may stand beside them, apart, or not at all.
fn figures(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_numeric() || ".,'’-/%".contains(c);
    let pieces = text.split(move |c: char| !is_part(c));
    let trimmed = pieces.map(|piece| piece.trim_matches(|c: char| ".,'’-/".contains(c)));
    trimmed.filter(|piece| piece.contains(char::is_numeric))
}

fn titles(line: &str) -> impl Iterator<Item = &str> {
    let quoted = line.split(['«', '“']).skip(1);
    quoted.map(|rest| rest.split(['»', '”']).next().unwrap_or_default().trim())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::Role;

    #[test]
    fn what_a_model_adds_is_left_out() {
        let messages = [Summarised {
            role: Role::Assistant,
            content: "- «Rayuela», de Julio Cortázar: 21,90 €, 7 ejemplares disponibles.",
        }];
        let previous = Summary {
            text: "- Cliente: presupuesto de 30 €.".into(),
            through: crate::ids::Seq(1),
            messages: 1,
            made_by: "m".into(),
        };
        for (line, expected) in [
            ("- Le interesa «Rayuela» (21,90 €).", true),
            ("- Le interesa «Rayuela» (21,90€).", true),
            ("- «Rayuela» cuesta €21,90.", true),
            ("- Presupuesto: 30 €.", true),
            ("- «rayuela», quedan 7.", true),
            ("- «Rayuela» cuesta 1 €.", false),
            ("- «Rayuela» cuesta dos euros.", false),
            ("- «Rayuela» está reservado.", false),
            ("- «Rayuela» es gratis.", false),
            ("- Eligió «Ficciones».", false),
            ("- Rebajado a 21,9 €.", false),
            ("- Rebajado a 20,90€.", false),
            ("- Un 30% menos.", false),
        ] {
            let kept = grounded(line, Some(&previous), &messages);
            assert_eq!(kept == line, expected, "{line}");
        }
        for (line, expected) in [
            ("1. Le interesa «Rayuela».", "- Le interesa «Rayuela»."),
            ("  2) Presupuesto: 30 €.", "- Presupuesto: 30 €."),
            ("- 3. «Rayuela», quedan 7.", "- «Rayuela», quedan 7."),
            ("* 4. Presupuesto: 30 €.", "- Presupuesto: 30 €."),
            ("• 12. Presupuesto: 30 €.", "- Presupuesto: 30 €."),
            ("• Presupuesto: 30 €.", "• Presupuesto: 30 €."),
            ("1. «Rayuela» cuesta 1 €.", ""),
            ("1.Presupuesto: 30 €.", ""),
            ("1.50 € por «Rayuela».", ""),
            ("1984. Una novela.", ""),
            ("4 ejemplares.", ""),
        ] {
            let kept = grounded(line, Some(&previous), &messages);
            assert_eq!(kept, expected, "{line}");
        }
    }
}
