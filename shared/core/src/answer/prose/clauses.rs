//! A line in clauses, of which each stands or falls by itself.

use super::{
    Lexicon,
    token::{Kind, Token},
};
use crate::shop::currency;

/// Tokens that say one thing, with what joins them to what stands before.
#[derive(Debug, Clone, Default)]
pub(super) struct Clause {
    /// Commas, brackets and conjunctions.
    pub(super) lead: Vec<Token>,
    pub(super) tokens: Vec<Token>,
}

impl Clause {
    /// The items that it names: by references and titles, or else by a part of them, or else by whom they are of.
    pub(super) fn items(&self) -> Vec<usize> {
        let titled = self.tokens.iter().flat_map(|token| {
            let part = token.names.iter().copied().filter(|_| !token.is_maker);
            token.item().into_iter().chain(part)
        });
        let titled = distinct(titled);
        if titled.is_empty() {
            distinct(
                self.tokens
                    .iter()
                    .flat_map(|token| token.names.iter().copied()),
            )
        } else {
            titled
        }
    }

    /// Whether it only names what another clause speaks of.
    fn only_names(&self, lexicon: &Lexicon) -> bool {
        let words = plain(&self.tokens);
        let counts = lexicon.claims.find(&words).is_some() || lexicon.marks(&words, "left");
        !counts
            && self.tokens.iter().all(|token| match token.kind {
                Kind::Word => !token.names.is_empty() || lexicon.is_function(&token.folded),
                Kind::Item(_) | Kind::Mark(_) => true,
                Kind::Fact(..) | Kind::Number(_) | Kind::Broken => false,
            })
    }

    /// "Reunir {1}, {2} y {3} cuesta 45,20 €": whether the names that it ends with go on in the next.
    fn goes_on_naming(&self, next: &Self, lexicon: &Lexicon) -> bool {
        let is_name =
            |token: &Token| matches!(token.kind, Kind::Item(_)) || !token.names.is_empty();
        let says_something = self.tokens.iter().any(|token| token.number().is_some())
            || lexicon.claims.find(&plain(&self.tokens)).is_some();
        let mut rest = next
            .tokens
            .iter()
            .skip_while(|token| lexicon.is_function(&token.folded));
        let names = rest.next().is_some_and(is_name);
        let joint = rest.find(|token| !is_name(token));
        let joins = joint.is_some_and(|joint| lexicon.begins_clause(&joint.folded));
        let mut rest = rest.skip_while(|token| lexicon.is_function(&token.folded));
        let is_comma = matches!(&next.lead[..], [lead] if lead.mark() == Some(','));
        is_comma
            && self.tokens.last().is_some_and(is_name)
            && !says_something
            && names
            && joins
            && rest.next().is_some_and(is_name)
    }

    /// "Y del piloto": whether it goes on with another.
    fn is_of_another(&self, lexicon: &Lexicon) -> bool {
        let first = self.tokens.first();
        self.is_coordinated()
            && first.is_some_and(|first| lexicon.markers.stands(&first.folded, "by"))
    }

    /// Whether a semicolon parts it from what stands before.
    fn is_separate(&self) -> bool {
        self.lead.iter().any(|token| token.mark() == Some(';'))
    }

    /// Whether a word joins it, and not a comma alone.
    pub(super) fn is_coordinated(&self) -> bool {
        self.lead
            .iter()
            .any(|token| token.is_word() || matches!(token.kind, Kind::Mark(';' | ':' | '—' | '–')))
    }
}

fn plain(tokens: &[Token]) -> Vec<&str> {
    tokens.iter().map(|token| token.folded.as_str()).collect()
}

fn distinct(items: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut distinct = Vec::new();
    for item in items {
        if !distinct.contains(&item) {
            distinct.push(item);
        }
    }
    distinct
}

/// A sentence in clauses, with what ends it.
#[derive(Debug, Clone, Default)]
pub(super) struct Sentence {
    pub(super) clauses: Vec<Clause>,
    pub(super) end: Vec<Token>,
}

impl Sentence {
    pub(super) fn is_question(&self) -> bool {
        self.end.iter().any(|token| token.mark() == Some('?'))
    }
}

/// Cuts a line into sentences and clauses.
pub(super) fn split(tokens: Vec<Token>, lexicon: &Lexicon) -> Vec<Sentence> {
    let mut sentences: Vec<Sentence> = Vec::new();
    let mut sentence = Sentence::default();
    let mut clause = Clause::default();
    let mut rest = tokens.into_iter().peekable();
    while let Some(token) = rest.next() {
        if token.quoted && token.mark().is_none() {
            clause.tokens.push(token);
            continue;
        }
        match token.mark() {
            Some('.' | '!' | '?' | '…') => {
                let next = rest.peek();
                // An initial, "Sr.", "J. R. R.": no end.
                let is_end = next.is_none_or(|next| {
                    next.mark().is_some()
                        || (next.spaced
                            && (next.is_capitalised()
                                || next.item().is_some()
                                || next.number().is_some()))
                });
                let is_initial = clause.tokens.last().is_some_and(|last| {
                    last.is_word() && last.text.chars().count() == 1 && last.is_capitalised()
                });
                if is_end && !(is_initial && token.mark() == Some('.')) {
                    sentence.clauses.push(std::mem::take(&mut clause));
                    sentence.end.push(token);
                    while let Some(more) = rest
                        .next_if(|next| matches!(next.mark(), Some('.' | '!' | '?' | '…' | ')')))
                    {
                        sentence.end.push(more);
                    }
                    sentences.push(std::mem::take(&mut sentence));
                } else {
                    clause.tokens.push(token);
                }
            }
            Some(',' | ';' | ':' | '(' | ')' | '—' | '–') => {
                next_clause(&mut sentence, &mut clause, token)
            }
            // A dash within a word is none.
            Some('-') if token.spaced => next_clause(&mut sentence, &mut clause, token),
            _ if token.is_plain_word() && joins_names(&clause, rest.clone(), lexicon) => {
                clause.tokens.push(token);
            }
            // "Entre 10 y 20 euros".
            _ if token.is_plain_word()
                && clause
                    .tokens
                    .last()
                    .is_some_and(|last| last.number().is_some())
                && rest.peek().is_some_and(|next| {
                    next.number().is_some() || next.mark().is_some_and(currency::is_symbol)
                })
                && clause.tokens.iter().rev().nth(1).is_some_and(|token| {
                    token.is_word() || token.mark().is_some_and(currency::is_symbol)
                }) =>
            {
                clause.tokens.push(token);
            }
            // An accent makes another word of it: "é".
            _ if token.is_plain_word()
                && token.text.to_lowercase() == token.folded
                && lexicon.begins_clause(&token.folded) =>
            {
                next_clause(&mut sentence, &mut clause, token);
            }
            _ => clause.tokens.push(token),
        }
    }
    sentence.clauses.push(clause);
    sentences.push(sentence);
    for sentence in &mut sentences {
        sentence.clauses = joined(std::mem::take(&mut sentence.clauses), lexicon);
    }
    sentences.retain(|sentence| !sentence.clauses.is_empty());
    sentences
}

/// Whether names stand on both sides: "{1} y el {2}".
fn joins_names(clause: &Clause, rest: impl Iterator<Item = Token>, lexicon: &Lexicon) -> bool {
    let is_name = |token: &Token| matches!(token.kind, Kind::Item(_)) || !token.names.is_empty();
    let mut rest = rest
        .skip_while(|token| lexicon.is_function(&token.folded))
        .take(1);
    clause.tokens.last().is_some_and(is_name) && rest.any(|token| is_name(&token))
}

fn next_clause(sentence: &mut Sentence, clause: &mut Clause, separator: Token) {
    if clause.tokens.is_empty() {
        clause.lead.push(separator);
        return;
    }
    let next = Clause {
        lead: vec![separator],
        tokens: Vec::new(),
    };
    sentence.clauses.push(std::mem::replace(clause, next));
}

/// What only names is a part of the clause that follows: "{1}, {2} y {3} cuestan lo mismo".
fn joined(clauses: Vec<Clause>, lexicon: &Lexicon) -> Vec<Clause> {
    let mut whole: Vec<Clause> = Vec::new();
    let mut pending: Option<Clause> = None;
    for clause in clauses {
        if let Some(last) = whole.last_mut()
            && pending.is_none()
            && last.goes_on_naming(&clause, lexicon)
        {
            last.tokens.extend(clause.lead);
            last.tokens.extend(clause.tokens);
            continue;
        }
        let clause = match pending.take() {
            None => clause,
            // "…, {5}; el de papel grueso es {1}": a part of what stands before.
            // "…, la de lana y el piloto, y del piloto no queda ninguno", too.
            Some(names)
                if (clause.is_separate() || clause.is_of_another(lexicon)) && !whole.is_empty() =>
            {
                if let Some(last) = whole.last_mut() {
                    last.tokens.extend(names.lead);
                    last.tokens.extend(names.tokens);
                }
                clause
            }
            Some(mut names) => {
                names.tokens.extend(clause.lead);
                names.tokens.extend(clause.tokens);
                names
            }
        };
        if clause.only_names(lexicon) {
            pending = Some(clause);
        } else {
            whole.push(clause);
        }
    }
    match (pending, whole.last_mut()) {
        (None, _) => {}
        (Some(names), Some(_)) if names.is_separate() => whole.push(names),
        (Some(names), Some(last)) => {
            last.tokens.extend(names.lead);
            last.tokens.extend(names.tokens);
        }
        (Some(names), None) => whole.push(names),
    }
    whole.retain(|clause| !clause.tokens.is_empty());
    whole
}
