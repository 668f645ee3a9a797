//! What the shopper wrote: it may be said back, and amounts are reckoned from it.

use std::collections::HashSet;

use super::{
    Prose,
    clauses::Sentence,
    lexicon::Lexicon,
    measures,
    token::{Token, tokens},
    units,
};
use crate::{shop::currency, text};

/// What the shopper wrote.
#[derive(Debug, Clone, Default)]
pub(super) struct Wish {
    /// Folded words of the messages.
    pub(super) words: HashSet<String>,
    /// Each message in words: `" one two "`.
    pub(super) texts: Vec<String>,
    /// Numbers in them that are amounts, and others.
    pub(super) budgets: Vec<i64>,
    /// The amount that was named last, or else the last number that may be one.
    pub(super) budget: Option<i64>,
    pub(super) numbers: HashSet<i64>,
}

/// What a number in a message may be.
#[derive(PartialEq, Eq)]
enum Sense {
    Amount,
    /// So many of something: "6 balls", "20 cm".
    Count,
    /// An age, a size, so many: an amount only where no other number is one.
    Small,
    /// An amount that says nothing of its currency: "hasta 300".
    Plain,
}

impl Wish {
    pub(super) fn take(&mut self, message: &str, lexicon: &Lexicon, code: &str) {
        self.take_words(message);
        let mut tokens = tokens(message, 0);
        lexicon.join_numerals(&mut tokens);
        units::join_signs(&mut tokens, lexicon, code);
        let numbers = tokens.iter().enumerate();
        let numbers = numbers.filter_map(|(at, token)| Some((at, token.number()?)));
        let senses = numbers.filter(|(at, _)| !units::is_foreign(&tokens, *at, lexicon, code));
        let senses: Vec<(i64, Sense)> = senses
            .map(|(at, number)| {
                let bound = units::bound_of_range(&tokens, at, lexicon).unwrap_or(at);
                (number, sense(number, &tokens, bound, lexicon))
            })
            .collect();
        let all = |of: &[Sense]| -> Vec<i64> {
            let numbers = senses.iter().filter(|(_, sense)| of.contains(sense));
            numbers.map(|(number, _)| *number).collect()
        };
        let amounts = all(&[Sense::Amount]);
        self.budgets.extend(all(&[Sense::Amount, Sense::Plain]));
        if self.budgets.is_empty() {
            self.budgets = all(&[Sense::Small]);
        }
        let (plain, small) = (all(&[Sense::Plain]), all(&[Sense::Small]));
        let budget = amounts.last().or(plain.first()).or(small.first());
        self.budget = budget.copied().or(self.budget);
        self.numbers
            .extend(all(&[Sense::Count, Sense::Small, Sense::Plain]));
    }

    pub(super) fn take_words(&mut self, text: &str) {
        let words = text::words(text);
        self.texts.push(format!(" {} ", words.join(" ")));
        self.words.extend(words);
    }
}

impl Prose {
    /// Has a line be judged by what it supposes of the wish, where that buys something: "si no quieres pasar de 15 €", and not "if it drops
    /// too low, just write €0". The wish as it was, where it is another one now.
    pub(super) fn suppose(&mut self, sentences: &[Sentence]) -> Option<Wish> {
        let mut clauses = sentences.iter().flat_map(|of| &of.clauses);
        let amount = clauses.find_map(|clause| supposed(&clause.tokens, &self.lexicon))?;
        let mut prices = self.known.iter().map(|known| known.item.price_minor);
        prices.any(|price| price <= amount).then_some(())?;
        let wish = self.wish.clone();
        self.wish.budgets.push(amount);
        self.wish.budget = Some(amount);
        Some(wish)
    }
}

/// The amount that a clause supposes, where it names nothing and begins by "if".
fn supposed(tokens: &[Token], lexicon: &Lexicon) -> Option<i64> {
    let mut words = tokens.iter().filter(|token| token.mark().is_none());
    let begins = words.next()?;
    let names = |token: &Token| token.item().is_some() || !token.names.is_empty();
    if !lexicon.markers.stands(&begins.folded, "if") || tokens.iter().any(names) {
        return None;
    }
    let mut numbers = tokens.iter().enumerate();
    numbers.find_map(|(at, token)| {
        let number = token.number()?;
        (sense(number, tokens, at, lexicon) == Sense::Amount).then_some(number)
    })
}

fn sense(number: i64, tokens: &[Token], at: usize, lexicon: &Lexicon) -> Sense {
    /// So many of something are counted, in hundredths; more may be an amount.
    const COUNTED: i64 = 1_200;
    let unit = |token: &Token| lexicon.units.at(&[token.folded.as_str()]);
    let around = [at.checked_sub(1), Some(at + 1)];
    let mut around = around.into_iter().flatten().filter_map(|at| tokens.get(at));
    let is_amount = around.any(|beside| {
        beside.mark().is_some_and(currency::is_symbol)
            || unit(beside).is_some_and(|found| currency::is_unit(found.key))
    });
    if is_amount {
        return Sense::Amount;
    }
    let counts = tokens.get(at + 1).is_some_and(|next| {
        let is_noun = next.is_word() && !next.is_capitalised() && !lexicon.has(&next.folded);
        unit(next).is_some()
            || measures::scaled(number, &next.folded, lexicon).is_some()
            || (is_noun && number <= COUNTED)
    });
    match (counts, number <= COUNTED) {
        (true, _) => Sense::Count,
        (false, true) => Sense::Small,
        (false, false) => Sense::Plain,
    }
}
