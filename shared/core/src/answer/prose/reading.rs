//! A clause with everything that it is read by.

use std::collections::HashSet;

use super::{
    Fault, anothers, claims, each,
    items::{Known, stem},
    lexicon::Lexicon,
    numbers, reach,
    token::{Kind, Token, of_count},
    units::{Unit, unit},
    wish::Wish,
    words,
};

/// Where a clause stands.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    /// What its line names so far, itself included.
    pub(super) line: &'a [usize],
    /// What the whole line names, and what stands behind the clause, too.
    pub(super) whole: &'a [usize],
    /// Small whole numbers of its sentence so far, itself included: so many of an item.
    pub(super) counts: &'a [i64],
    /// Numbers that its sentence has said before, and that stood.
    pub(super) numbers: &'a [i64],
    /// Folded words of what stands before in its sentence, from the last clause on that says a number.
    pub(super) context: &'a [String],
    pub(super) is_question: bool,
    /// Whether it compares, and what follows says that nothing is so: "más reciente que {2}, de 2017, no hay nada".
    pub(super) is_denied: bool,
    pub(super) begins_sentence: bool,
}

/// A clause in its place.
pub(super) struct Reading<'a> {
    pub(super) lexicon: &'a Lexicon,
    /// What prices are in.
    pub(super) currency: &'a str,
    pub(super) tokens: &'a [Token],
    /// Its folded words; `·` where an item or a number stands.
    pub(super) words: &'a [String],
    pub(super) known: &'a [Known],
    pub(super) everything: &'a [usize],
    /// What it is about.
    pub(super) subject: &'a [usize],
    /// What it names.
    pub(super) named: &'a [usize],
    /// What the lines before named.
    pub(super) before: &'a [usize],
    /// The items that were last spoken of together.
    pub(super) group: &'a [usize],
    /// How many of what is shown it begins to speak of without naming them.
    pub(super) count: Option<usize>,
    /// The items of a maker that it names, where these are several.
    pub(super) makers: &'a [usize],
    pub(super) wish: &'a Wish,
    pub(super) at: Place<'a>,
}

impl Reading<'_> {
    pub(super) fn check(&self) -> Result<(), Fault> {
        for token in self.tokens {
            match &token.kind {
                Kind::Broken => return Err(Fault::Reference),
                Kind::Fact(item, field) if self.known[*item].item.value(field).is_none() => {
                    return Err(Fault::Reference);
                }
                _ => {}
            }
        }
        numbers::check(self)?;
        claims::check(self)?;
        each::check(self)?;
        reach::check(self)?;
        anothers::check(self)?;
        words::check(self)
    }

    pub(super) fn marks(&self, key: &str) -> bool {
        let mut found = self.lexicon.markers.all(self.words);
        found.any(|(_, found)| found.key == key)
    }

    /// A marker here, or in what its sentence said before.
    pub(super) fn marks_near(&self, key: &str) -> bool {
        let mut before = self.lexicon.markers.all(self.at.context);
        self.marks(key) || before.any(|(_, found)| found.key == key)
    }

    /// "El único", and not "solo".
    pub(super) fn is_of_one_alone(&self) -> bool {
        let mut found = self.lexicon.markers.all(self.words);
        found.any(|(_, found)| found.key == "only" && found.words > 1)
    }

    pub(super) fn claims(&self, key: &str) -> bool {
        let mut found = self.lexicon.claims.all(self.words);
        found.any(|(_, found)| found.key == key)
    }

    /// A claim here, or in what its sentence said before.
    pub(super) fn claims_near(&self, key: &str) -> bool {
        let mut before = self.lexicon.claims.all(self.at.context);
        self.claims(key) || before.any(|(_, found)| found.key == key)
    }

    /// What it names where these are several, or else what its line names.
    pub(super) fn mentioned(&self) -> Vec<usize> {
        let groups = [self.named, self.subject];
        let group = groups.into_iter().find(|group| group.len() > 1);
        group.unwrap_or(self.at.line).to_vec()
    }

    /// What the clause may speak of: what it is about, and what it names.
    pub(super) fn spoken_of(&self) -> Vec<usize> {
        let mut all = self.subject.to_vec();
        all.extend(self.named);
        if all.is_empty() {
            self.everything.to_vec()
        } else {
            all
        }
    }

    /// What it is about, each beside what it may be compared with.
    pub(super) fn compared(&self) -> Vec<(usize, usize)> {
        let subject = if self.subject.is_empty() {
            self.everything
        } else {
            self.subject
        };
        let beside = |one: usize, items: &[usize]| -> Vec<(usize, usize)> {
            let others = items.iter().filter(|other| **other != one);
            others.map(|other| (one, *other)).collect()
        };
        let groups = [self.named, self.at.line, self.before, self.everything];
        let pairs = subject.iter().flat_map(|one| {
            let mut pairs = groups.iter().map(|group| beside(*one, group));
            pairs.find(|pairs| !pairs.is_empty()).unwrap_or_default()
        });
        pairs.collect()
    }

    /// Whether it speaks of all that is shown together: "todas", "los cuatro".
    pub(super) fn is_of_all(&self) -> bool {
        let mut numbers = self.tokens.iter().filter_map(Token::number);
        let shown = of_count(self.everything.len());
        self.subject.len() > 1
            && self.named.is_empty()
            && self.subject == self.everything
            && (self.marks("all") || numbers.any(|number| number == shown))
    }

    /// Amounts of money that stand in it.
    pub(super) fn money(&self) -> Vec<i64> {
        let tokens = self.tokens.iter().enumerate();
        let numbers = tokens.filter_map(|(at, token)| {
            let is_amount = matches!(unit(self, at), Ok(Unit::Money));
            let number = token.number()?;
            (is_amount || self.wish.budgets.contains(&number)).then_some(number)
        });
        let own: Vec<i64> = numbers.collect();
        if own.is_empty() && self.marks("under") {
            self.wish.budgets.clone()
        } else {
            own
        }
    }

    /// Whether folded words stand together in a text of anything shown, or the shopper wrote them so.
    pub(super) fn has_run(&self, words: &[&str]) -> bool {
        let run = format!(" {} ", words.join(" "));
        self.wish.texts.iter().any(|text| text.contains(&run))
            || self.known.iter().any(|known| known.has_run(&run))
    }

    /// Whether a folded word stands in a text of anything shown, or the shopper wrote it.
    pub(super) fn is_known_word(&self, folded: &str) -> bool {
        self.wish.words.contains(folded) || self.known.iter().any(|known| known.has(folded))
    }

    /// Whether the texts of what it speaks of have a folded word.
    pub(super) fn states(&self, folded: &str) -> bool {
        let mut items = self.spoken_of().into_iter();
        items.any(|item| self.known[item].has(folded))
    }

    /// Whether what it speaks of has a value that the shopper asked for or that it names: the size M.
    pub(super) fn has_wished_value(&self) -> bool {
        let mut items = self.spoken_of().into_iter();
        items.any(|item| {
            let mut values = self.known[item].item.attributes.values().flatten();
            values.any(|value| {
                let words = crate::text::words(value);
                let is_short = words.len() == 1 && words[0].chars().count() <= 3;
                let in_tokens = || {
                    let mut tokens = self.tokens.iter();
                    tokens.any(|token| words.first() == Some(&token.folded))
                };
                is_short && (self.wish.words.contains(&words[0]) || in_tokens())
            })
        })
    }

    /// "The Debolsillo edition": whether it names who publishes what it speaks of.
    pub(super) fn names_publisher(&self) -> bool {
        let mut items = self.subject.iter();
        items.any(|item| {
            let publisher = crate::text::words(&self.known[*item].item.publisher);
            let mut words = publisher
                .iter()
                .filter(|word| !self.lexicon.is_function(word));
            let is_said = |word: &String| self.words.contains(word);
            words.clone().next().is_some() && words.all(is_said)
        })
    }

    /// Whether anything shown has attributes of the shop's own.
    pub(super) fn has_attributes(&self) -> bool {
        let mut known = self.known.iter();
        known.any(|known| !known.item.attributes.is_empty())
    }

    /// Whether the shopper spoke of it.
    pub(super) fn is_own(&self, phrase: &[&str]) -> bool {
        let own: HashSet<String> = self.wish.words.iter().map(|word| stem(word)).collect();
        let mut phrase = phrase.iter();
        phrase.all(|word| self.lexicon.is_function(word) || own.contains(&stem(word)))
    }
}
