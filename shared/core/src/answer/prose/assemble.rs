//! What is left of a line once the clauses that do not stand are out.

use super::{
    Fault,
    clauses::{Clause, Sentence},
    token::{Kind, Token},
};
use crate::answer::part::Part;

/// The parts of a line, of whose clauses each has its verdict.
pub(super) fn assemble(sentences: &[Sentence], verdicts: &[Vec<Result<(), Fault>>]) -> Vec<Part> {
    let mut line = Line::default();
    for (sentence, verdicts) in sentences.iter().zip(verdicts) {
        line.sentence(sentence, verdicts);
    }
    line.finish()
}

#[derive(Default)]
struct Line {
    tokens: Vec<Token>,
}

/// What becomes of a clause.
enum Kept<'a> {
    Whole(&'a Clause),
    /// The item that it begins with.
    Item(&'a Clause, &'a Token),
}

impl Kept<'_> {
    /// Whether it is prose alone.
    fn only_announces(&self) -> bool {
        let Self::Whole(clause) = self else {
            return false;
        };
        clause.items().is_empty() && clause.tokens.iter().all(|token| token.number().is_none())
    }
}

impl Line {
    fn sentence(&mut self, sentence: &Sentence, verdicts: &[Result<(), Fault>]) {
        // A question stands as a whole.
        if sentence.is_question() && verdicts.iter().any(Result::is_err) {
            return;
        }
        let kept = kept(sentence, verdicts);
        if kept.is_empty() {
            return;
        }
        let is_whole = kept.len() == sentence.clauses.len();
        let mut after_item = false;
        for (place, clause) in kept.iter().enumerate() {
            let (lead, tokens, is_item) = match clause {
                Kept::Whole(clause) => (&clause.lead[..], &clause.tokens[..], false),
                Kept::Item(clause, item) => (&clause.lead[..], std::slice::from_ref(*item), true),
            };
            let has_own = tokens.iter().any(|token| token.item().is_some());
            let opening = place == 0 && !is_whole;
            // "{1} es de bolsillo y cuesta 9 €" becomes "{1} cuesta 9 €".
            let joins = after_item && !has_own && lead.iter().any(Token::is_word);
            if !opening && !joins {
                self.tokens.extend(lead.iter().cloned());
            }
            let first = self.tokens.len();
            self.tokens.extend(tokens.iter().cloned());
            if opening && let Some(token) = self.tokens.get_mut(first) {
                capitalise(token);
                token.spaced = true;
            }
            if let Some(token) = self.tokens.get_mut(first) {
                token.spaced = token.spaced || joins;
            }
            after_item = is_item;
        }
        self.tokens.extend(sentence.end.iter().cloned());
    }

    fn finish(self) -> Vec<Part> {
        let mut parts: Vec<Part> = Vec::new();
        let mut open = 0_u32;
        for (at, token) in self.tokens.iter().enumerate() {
            match token.mark() {
                Some('(') => open += 1,
                Some(')') if open == 0 => continue,
                Some(')') => open -= 1,
                // A comma where nothing stands behind it, or nothing before.
                Some(',' | ';')
                    if at == 0
                        || self.tokens.get(at + 1).is_none_or(|next| {
                            next.mark().is_some_and(|mark| ",;.)!?".contains(mark))
                        }) =>
                {
                    continue;
                }
                _ => {}
            }
            if token.spaced && at > 0 {
                push(&mut parts, " ");
            }
            match &token.kind {
                Kind::Item(item) => parts.push(Part::Item(*item)),
                Kind::Fact(item, field) => parts.push(Part::Fact(*item, field.clone())),
                _ => push(&mut parts, &token.text),
            }
        }
        if open > 0 {
            push(&mut parts, ")");
        }
        parts
    }
}

fn push(parts: &mut Vec<Part>, text: &str) {
    match parts.last_mut() {
        Some(Part::Text(before)) => before.push_str(text),
        _ => parts.push(Part::Text(text.to_owned())),
    }
}

fn capitalise(token: &mut Token) {
    let mut chars = token.text.chars();
    if let Some(first) = chars.next() {
        token.text = first.to_uppercase().chain(chars).collect();
    }
}

/// The clauses that stand. What hangs on one that does not, by a comma alone, goes with it.
fn kept<'a>(sentence: &'a Sentence, verdicts: &[Result<(), Fault>]) -> Vec<Kept<'a>> {
    let mut kept: Vec<Kept<'a>> = Vec::new();
    let mut lost = false;
    for (clause, verdict) in sentence.clauses.iter().zip(verdicts) {
        let has_own = clause.tokens.iter().any(|token| token.item().is_some());
        match verdict {
            Ok(()) if lost && !has_own && !clause.is_coordinated() => {}
            // "{1} has gears and a flat bar", of which the first is wrong: nothing says any more what has a flat bar.
            Ok(()) if lost && kept.is_empty() && Kept::Whole(clause).only_announces() => {}
            Ok(()) => {
                kept.push(Kept::Whole(clause));
                lost = false;
            }
            Err(_) => {
                // What announces nothing that is told: "Hecho: …".
                let announced = clause.lead.iter().any(|token| token.mark() == Some(':'));
                if announced && kept.last().is_some_and(Kept::only_announces) {
                    kept.pop();
                }
                let first = clause
                    .tokens
                    .iter()
                    .find(|token| !matches!(token.kind, Kind::Mark(_)));
                match first.filter(|token| matches!(token.kind, Kind::Item(_))) {
                    Some(item) => {
                        kept.push(Kept::Item(clause, item));
                        lost = false;
                    }
                    None => lost = true,
                }
            }
        }
    }
    kept
}
