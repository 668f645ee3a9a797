//! Prose that a model writes, judged clause by clause against what is shown.
//!
//! A clause stands if every number in it is rendered, stated, the shopper's own or computed; if what it claims of price, age and stock
//! is so; if it names nobody that nothing shown names; and if it speaks of nothing that only the shop's own texts may speak of. A clause
//! that does not stand is left out, and the rest of the line is told.

mod alone;
mod amounts;
mod anothers;
mod assemble;
mod bare;
mod claims;
mod clauses;
mod deeds;
mod each;
mod form;
mod items;
mod lexicon;
mod measures;
mod money;
mod numbers;
mod order;
mod price;
mod reach;
mod reading;
mod subject;
mod titles;
mod token;
mod topics;
mod units;
mod wish;
mod words;

#[cfg(test)]
mod corpus;
#[cfg(test)]
mod trial;

pub use items::Item;

use assemble::assemble;
use clauses::{Clause, Sentence, split};
use items::Known;
use lexicon::Lexicon;
use reading::{Place, Reading};
use subject::makers;
use token::{Token, tokens};
use wish::Wish;

use super::part::{Field, Part};
use std::collections::HashSet;

use crate::{language::Language, shop::currency, text};

/// Markers by which a label speaks of what is shown: "el primero:", "en total:".
const LABELS: [&str; 7] = ["all", "both", "costs", "first", "left", "second", "sum"];

/// So many words of the instructions together are no accident.
const INSTRUCTION_WORDS: usize = 6;

/// What is wrong with a clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// A reference to nothing, or to what the shop does not state.
    Reference,
    /// Code, markup or a link.
    Code,
    /// An amount that nothing shown has and nothing shown makes.
    Price,
    Number,
    /// An order, a comparison or a state of the stock that is not so.
    Claim,
    /// What only the shop's own texts may speak of.
    Topic,
    /// What nothing that the shop states of it has a word of.
    Unsupported,
    /// Something said to be done that only the customer may do.
    Action,
    Title,
    Name,
    /// Clearly in another language than the caller's.
    Language,
}

impl Fault {
    /// Whether it is found by computing, and so depends on whom a clause is about.
    fn is_computed(self) -> bool {
        matches!(self, Self::Price | Self::Number | Self::Claim)
    }

    /// A stable word for the trace.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Reference => "reference",
            Self::Code => "code",
            Self::Price => "ungrounded_price",
            Self::Number => "ungrounded_number",
            Self::Claim => "ungrounded_claim",
            Self::Topic => "topic",
            Self::Unsupported => "unsupported",
            Self::Action => "ungrounded_action",
            Self::Title => "ungrounded_title",
            Self::Name => "ungrounded_name",
            Self::Language => "language",
        }
    }
}

/// A line as far as it may be told.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Judged {
    /// Empty where nothing of it may.
    pub parts: Vec<Part>,
    /// What is wrong with each clause that was left out.
    pub faults: Vec<Fault>,
    /// What its prose states by itself of items, by their places: a price, what is left.
    pub states: Vec<(usize, Field)>,
}

/// Everything that prose is judged by: what is shown, and what the shopper wrote.
#[derive(Debug)]
pub struct Prose {
    lexicon: Lexicon,
    /// What prices are in, by ISO 4217.
    currency: String,
    known: Vec<Known>,
    everything: Vec<usize>,
    wish: Wish,
    /// Runs of words of what the model is told, which is no business of the shopper's.
    instructions: HashSet<String>,
    /// The items that the lines before named, the last one last.
    named_before: Vec<usize>,
    /// What the last clause was about.
    subject: Vec<usize>,
    /// The items that were last spoken of together.
    group: Vec<usize>,
}

impl Prose {
    /// A judge of prose in `language` in a shop whose prices are in `currency`, to whom nothing is shown yet.
    #[must_use]
    pub fn new(language: Language, currency: &str) -> Self {
        Self {
            lexicon: Lexicon::of(language),
            currency: currency.to_owned(),
            known: Vec::new(),
            everything: Vec::new(),
            wish: Wish::default(),
            instructions: HashSet::new(),
            named_before: Vec::new(),
            subject: Vec::new(),
            group: Vec::new(),
        }
    }

    /// Shows more items; one that is shown already keeps its place and has what is newer.
    pub fn show(&mut self, items: impl Iterator<Item = Item>) {
        for item in items {
            let known = Known::new(item);
            match self.known.iter_mut().find(|of| of.item.id == known.item.id) {
                Some(of) => *of = known,
                None => self.known.push(known),
            }
        }
        self.everything = (0..self.known.len()).collect();
    }

    /// Takes note of what the shopper wrote: it may be said back.
    pub fn take_message(&mut self, message: &str) {
        self.wish.take(message, &self.lexicon, &self.currency);
    }

    /// Takes note of what the model is told: it is not to be repeated.
    pub fn take_instructions(&mut self, instructions: &str) {
        let words = text::words(instructions);
        let runs = words.windows(INSTRUCTION_WORDS);
        self.instructions.extend(runs.map(|run| run.join(" ")));
    }

    /// Judges a line, without its mark of a list.
    pub fn judge(&mut self, line: &str) -> Judged {
        let mut tokens = tokens(line, self.known.len());
        titles::resolve(&mut tokens, &self.known, &self.lexicon);
        self.lexicon.join_numerals(&mut tokens);
        self.lexicon.join_cents(&mut tokens);
        units::join_signs(&mut tokens, &self.lexicon, &self.currency);
        if let Some(fault) = self.fault_of_line(&tokens) {
            return Judged {
                parts: Vec::new(),
                faults: vec![fault],
                states: Vec::new(),
            };
        }
        let sentences = split(tokens, &self.lexicon);
        let mut named = Vec::new();
        let mut faults = Vec::new();
        let mut kept = Vec::new();
        let mut states = Vec::new();
        let mut whole: Vec<usize> = Vec::new();
        for item in sentences
            .iter()
            .flat_map(|of| &of.clauses)
            .flat_map(Clause::items)
        {
            if !whole.contains(&item) {
                whole.push(item);
            }
        }
        let before = self.suppose(&sentences);
        for sentence in &sentences {
            let verdicts = self.judge_sentence(sentence, &whole, &mut named, &mut states);
            faults.extend(verdicts.iter().filter_map(|verdict| verdict.err()));
            kept.push(verdicts);
        }
        if let Some(wish) = before {
            self.wish = wish;
        }
        let parts = assemble(&sentences, &kept);
        for item in named {
            self.named_before.retain(|other| *other != item);
            self.named_before.push(item);
        }
        Judged {
            parts,
            faults,
            states,
        }
    }

    /// Whether a clause states a price, and whether it states what is left.
    fn states(&self, tokens: &[Token]) -> Vec<Field> {
        let words = plain_words(tokens);
        let has_number = tokens.iter().any(|token| token.number().is_some());
        let units: Vec<&str> = self
            .lexicon
            .units
            .all(&words)
            .map(|(_, found)| found.key)
            .collect();
        let has_sign = tokens
            .iter()
            .any(|token| token.mark().is_some_and(currency::is_symbol));
        let is_priced = has_number && (has_sign || units.iter().any(|key| currency::is_unit(key)));
        let mut claims = self.lexicon.claims.all(&words);
        let is_counted = claims.any(|(_, found)| claims::is_of_stock(found.key))
            || (has_number && (units.contains(&"copies") || self.lexicon.marks(&words, "left")));
        let price = is_priced.then_some(Field::Price);
        price
            .into_iter()
            .chain(is_counted.then_some(Field::Stock))
            .collect()
    }

    /// Whether a line says an amount or a share, or what the shop does or has done: nobody says that in passing.
    pub(crate) fn promises(&self, line: &str) -> bool {
        let tokens = tokens(line, 0);
        let words = plain_words(&tokens);
        self.lexicon.promises(tokens, &words) || words::speaks_of_service(self.lexicon, &words)
    }

    /// The items that are shown, by their places.
    pub fn item(&self, place: usize) -> Option<&Item> {
        self.known.get(place).map(|known| &known.item)
    }

    /// The place of an item that is shown.
    #[must_use]
    pub fn place(&self, id: u64) -> Option<usize> {
        self.known.iter().position(|known| known.item.id == id)
    }

    /// Takes note of a name that may be said, where saying it claims nothing.
    pub fn take_name(&mut self, name: &str) {
        let words = text::words(name);
        let claims_nothing = {
            let is_topic = self.lexicon.topics.find(&words).is_some();
            let is_claim = self.lexicon.claims.find(&words).is_some();
            let mut tokens = tokens(name, 0);
            self.lexicon.join_numerals(&mut tokens);
            let has_number = tokens.iter().any(|token| token.number().is_some());
            !is_topic && !is_claim && !has_number
        };
        if claims_nothing {
            self.wish.take_words(name);
        }
    }

    /// Whether a clause may be the name of something that is not shown: "Relojería: 9 €".
    fn is_label(&self, clause: &Clause) -> bool {
        let lexicon = &self.lexicon;
        let words = plain_words(&clause.tokens);
        let says_something = lexicon.claims.find(&words).is_some()
            || LABELS.iter().any(|key| lexicon.marks(&words, key))
            || words
                .iter()
                .any(|word| word == "·" || lexicon.units.stands(word, "items"));
        !says_something && !words.iter().all(|word| lexicon.is_function(word))
    }

    fn judge_sentence(
        &mut self,
        sentence: &Sentence,
        whole: &[usize],
        named: &mut Vec<usize>,
        states: &mut Vec<(usize, Field)>,
    ) -> Vec<Result<(), Fault>> {
        let mut verdicts = Vec::new();
        let mut context: Vec<String> = Vec::new();
        let mut counts: Vec<i64> = Vec::new();
        let mut counted = None;
        let mut numbers: Vec<i64> = Vec::new();
        for (place, clause) in sentence.clauses.iter().enumerate() {
            let own = if self.is_attribution(clause) {
                Vec::new()
            } else {
                clause.items()
            };
            for item in &own {
                if !named.contains(item) {
                    named.push(*item);
                }
            }
            let negation = clause.lead.iter().filter(|token| {
                token.is_word() && self.lexicon.markers.stands(&token.folded, "negation")
            });
            let negation = negation.map(|token| token.folded.clone());
            let words: Vec<String> = negation.chain(plain_words(&clause.tokens)).collect();
            counts.extend(self.copies(&clause.tokens));
            let count = self.counted(&clause.tokens, &own);
            let counts_here = count.is_some();
            if counts_here {
                counted = count;
            } else if !own.is_empty() {
                counted = None;
            }
            let is_labelled = clause.lead.iter().any(|token| token.mark() == Some(':'));
            if is_labelled && place > 0 && self.is_label(&sentence.clauses[place - 1]) {
                self.subject.clear();
            }
            let mut behind = sentence.clauses[place + 1..].iter().take(2);
            let is_denied = self.lexicon.marks(&words, "than")
                && behind.any(|clause| {
                    let words = plain_words(&clause.tokens);
                    clause.items().is_empty() && self.lexicon.marks(&words, "none")
                });
            let first = self.subject_of(&clause.tokens, &words, &own, named, whole);
            let makers = makers(&clause.tokens);
            let check = |subject: &[usize]| {
                let reading = Reading {
                    lexicon: &self.lexicon,
                    currency: &self.currency,
                    tokens: &clause.tokens,
                    words: &words,
                    known: &self.known,
                    everything: &self.everything,
                    subject,
                    named: &own,
                    before: &self.named_before,
                    group: &self.group,
                    count,
                    makers: &makers,
                    wish: &self.wish,
                    at: Place {
                        line: named,
                        whole,
                        counts: &counts,
                        numbers: &numbers,
                        context: &context,
                        is_question: sentence.is_question(),
                        is_denied,
                        begins_sentence: place == 0,
                    },
                };
                reading.check()
            };
            let claims_of_some = first.is_empty()
                && counts_here
                && !sentence.is_question()
                && self.lexicon.claims.find(&words).is_some();
            let orders_or_tells_age = || {
                let mut claims = self.lexicon.claims.all(&words);
                let mut topics = self.lexicon.topics.all(&words);
                claims.any(|(_, found)| claims::is_order(found.key))
                    || topics.any(|(_, found)| found.key == "age")
            };
            // "The Oakfield is lighter than {4}", of one of those by Oakfield; or of what is named behind.
            let unnamed: &[usize] = match &makers[..] {
                [] if named.is_empty() => whole,
                _ => &makers,
            };
            let orders_unnamed = first.is_empty()
                && !unnamed.is_empty()
                && !sentence.is_question()
                && orders_or_tells_age();
            let (verdict, subject) = match check(&first) {
                Err(fault) if fault.is_computed() => {
                    let others = self.other_subjects(
                        &words,
                        &own,
                        (named, whole),
                        &first,
                        &sentence.clauses[place + 1..],
                        counted,
                    );
                    // What follows a sum is said of all that it is of.
                    let marks = |words: &[String], key| self.lexicon.marks(words, key);
                    let sums_here =
                        marks(&words, "sum") && !marks(&words, "both") && counts.is_empty();
                    let sums = first.len() > 1 && (sums_here || marks(&context, "sum"));
                    let is_of_several =
                        sums || (first.len() > 1 && fault == Fault::Claim && marks(&words, "fits"));
                    let mut others = others
                        .into_iter()
                        .filter(|other| !is_of_several || other.len() > 1);
                    let stands = others.find(|other| check(other).is_ok());
                    stands.map_or((Err(fault), first), |other| (Ok(()), other))
                }
                // "Dos están agotados", of nothing in particular: there are so many of which it is so.
                Ok(()) if claims_of_some => {
                    let subsets = self.subsets(counted);
                    let is_so = |of: &Vec<usize>| !check(of).is_err_and(Fault::is_computed);
                    // "Solo dos están disponibles": no more than are counted.
                    let singles = self.everything.iter().map(|item| vec![*item]);
                    let all = singles.filter(is_so).count();
                    let is_all = counted < Some(2)
                        || !self.lexicon.marks(&words, "only")
                        || Some(all) == counted;
                    let verdict = (is_all && subsets.iter().any(is_so)).then_some(());
                    (verdict.ok_or(Fault::Claim), first)
                }
                // "Es el más barato de los cinco: {2}", of what is named behind.
                Ok(()) if orders_unnamed => {
                    let is_so = |item: &usize| !check(&[*item]).is_err_and(Fault::is_computed);
                    let verdict = unnamed.iter().any(is_so).then_some(());
                    (verdict.ok_or(Fault::Claim), first)
                }
                verdict => (verdict, first),
            };
            if verdict.is_ok() {
                numbers.extend(clause.tokens.iter().filter_map(Token::number));
                let stated = self.states(&clause.tokens);
                let of = subject.iter();
                states.extend(of.flat_map(|item| {
                    let fields = stated.iter().cloned();
                    fields.map(|field| (*item, field))
                }));
            }
            verdicts.push(verdict);
            if subject.len() > 1 {
                self.group.clone_from(&subject);
            }
            if !own.is_empty() || subject.len() > 1 {
                self.subject = subject;
            }
            // What names alone goes on with what was said: "… te quedan 11 €; con el 36, …, 21".
            let says_number = clause.tokens.iter().any(|token| token.number().is_some());
            if says_number {
                context.clear();
            }
            context.extend(words);
        }
        verdicts
    }
}

/// The folded words of a clause; `·` where an item, a name or a number stands.
fn plain_words(tokens: &[Token]) -> Vec<String> {
    let says = |token: &&Token| token.mark().is_none();
    let words = tokens.iter().filter(says).map(|token| {
        if token.is_plain_word() {
            token.folded.clone()
        } else {
            "·".to_owned()
        }
    });
    words.collect()
}

/// Whether a folded word claims much: a number, a discount, or something done at the counter.
pub(crate) fn weighs(word: &str) -> bool {
    Language::all().map(Lexicon::of).any(|lexicon| {
        let topic = lexicon.topics.at(&[word]);
        lexicon.is_numeral(word)
            || topic.is_some_and(|found| matches!(found.key, "done" | "discount"))
    })
}

/// Whether a text in any language says an amount or a share, or what the shop does or has done.
pub(crate) fn promises(text: &str) -> bool {
    let tokens = tokens(text, 0);
    let mut lexicons = Language::all().map(Lexicon::of);
    lexicons.any(|lexicon| lexicon.promises(tokens.clone(), &plain_words(&tokens)))
}
