//! What a clause is about.

use super::{Prose, claims, clauses::Clause, token::Token};
use crate::shop::currency;

impl Prose {
    /// What a clause names, or else what the clause before was about.
    pub(super) fn subject_of(
        &self,
        tokens: &[Token],
        words: &[String],
        own: &[usize],
        line: &[usize],
        whole: &[usize],
    ) -> Vec<usize> {
        let marks = |key: &str| self.lexicon.marks(words, key);
        let mut found = self.lexicon.claims.all(words);
        // "The only one of the five": of one, not of five.
        let mut marked = self.lexicon.markers.all(words);
        let is_alone = marked.any(|(_, found)| found.key == "only" && found.words > 1);
        let orders = found.any(|(_, found)| claims::is_order(found.key))
            || marks("most")
            || (is_alone && self.subject.len() == 1);
        let equals = self
            .lexicon
            .claims
            .all(words)
            .any(|(_, found)| found.key == "same-price");
        if (orders || equals || marks("more") || marks("less"))
            && let Some(compared) = self.beside_standard(tokens, own, line, whole)
        {
            return compared;
        }
        // "It's half the price of {2}": what is measured by it.
        let times = self
            .lexicon
            .claims
            .all(words)
            .any(|(_, found)| matches!(found.key, "half" | "double"));
        if times && own.len() == 1 && !self.subject.is_empty() && self.subject != own {
            return self.subject.clone();
        }
        // "Dois anos anterior a {2}": what stands behind it is what it is compared with.
        let is_name = |token: &Token| token.item().is_some() || !token.names.is_empty();
        let behind = tokens.iter().position(is_name).unwrap_or_default();
        let before: Vec<&str> = tokens[..behind]
            .iter()
            .map(|token| token.folded.as_str())
            .collect();
        let mut found = self.lexicon.claims.all(words);
        let follows = found.any(|(_, found)| {
            matches!(found.key, "older" | "newer")
                && before.len() >= found.words
                && self
                    .lexicon
                    .claims
                    .at(&before[before.len() - found.words..])
                    == Some(found)
        });
        if follows && own.len() == 1 && !self.subject.is_empty() && self.subject != own {
            return self.subject.clone();
        }
        let makers = makers(tokens);
        if !own.is_empty() && own.len() != makers.len() {
            return self.last_of(tokens, own);
        }
        if line.len() > 1 && own.is_empty() {
            if marks("first") {
                return vec![line[0]];
            }
            if marks("second") {
                return vec![line[1]];
            }
        }
        if !orders {
            if marks("all") {
                return self.everything.clone();
            }
            let several = if marks("both") {
                Some(2)
            } else {
                self.several(tokens)
            };
            if let Some(several) = several {
                // "Cualquiera de estos tres: {1}, {2} y {4}".
                if line.is_empty() && whole.len() == several {
                    return whole.to_vec();
                }
                return self.group_of(several, &makers, line);
            }
        }
        if own.is_empty() {
            self.subject.clone()
        } else {
            own.to_vec()
        }
    }

    /// Of several that a clause names, the one that it goes on to speak of: "{3} y {4}, la segunda …", "…, este último agotado".
    fn last_of(&self, tokens: &[Token], own: &[usize]) -> Vec<usize> {
        let names = |token: &Token| token.item().is_some() || !token.names.is_empty();
        let behind = tokens.iter().rposition(names).map_or(0, |last| last + 1);
        let words: Vec<&str> = tokens[behind..]
            .iter()
            .map(|token| token.folded.as_str())
            .collect();
        let chosen = if own.len() > 1 && self.lexicon.marks(&words, "second") {
            own.get(1)
        } else if own.len() > 1 && self.lexicon.marks(&words, "first") {
            own.first()
        } else if self.lexicon.marks(&words, "latter") {
            own.last()
        } else {
            None
        };
        chosen.map_or_else(|| own.to_vec(), |item| vec![*item])
    }

    /// What else a clause that names nothing may be about: "el otro", "este último", or what a number behind it is of. The line's own items
    /// one by one, the last first, all of them, all but the one that was spoken of, and those that were spoken of together.
    pub(super) fn other_subjects(
        &self,
        words: &[String],
        own: &[usize],
        (line, whole): (&[usize], &[usize]),
        first: &[usize],
        behind: &[Clause],
        count: Option<usize>,
    ) -> Vec<Vec<usize>> {
        if !own.is_empty() {
            return Vec::new();
        }
        let without = |items: &[usize]| -> Vec<usize> {
            let others = items.iter().filter(|item| !self.subject.contains(item));
            others.copied().collect()
        };
        // "Los más caros, a 16 €, son {2} y {5}".
        let is_verb = |clause: &&Clause| {
            let mut words = clause
                .tokens
                .iter()
                .take_while(|token| token.item().is_none());
            !clause.items().is_empty()
                && words.any(|token| self.lexicon.markers.stands(&token.folded, "is"))
        };
        let named_behind = behind.iter().take(2).find(is_verb).map(Clause::items);
        let mut others: Vec<Vec<usize>> = named_behind.into_iter().collect();
        let stands = |word: &str, key: &str| self.lexicon.markers.stands(word, key);
        // "At £9.99 each, half a dozen of {1} would come to…".
        let next = whole.iter().find(|item| !line.contains(item));
        let is_relative = words
            .first()
            .is_some_and(|word| stands(word, "which") || stands(word, "by"));
        let next =
            next.filter(|_| !is_relative && count.is_none() && !self.lexicon.marks(words, "left"));
        others.extend(next.map(|item| vec![*item]));
        others.push(self.subject.clone());
        // "It costs less, too" goes on with what was spoken of, as "the shorter one" does not: of two it is always true of one.
        let mut claims = self.lexicon.claims.all(words);
        let compares = claims.any(|(at, found)| {
            let chooses = at > 0 && self.lexicon.is_article(&words[at - 1]);
            claims::is_comparative(found.key) && !chooses
        });
        let others_of_line = line.iter().rev().filter(|_| !compares);
        others.extend(others_of_line.map(|item| vec![*item]));
        others.push(line.to_vec());
        others.push(self.group.clone());
        if self.lexicon.marks(words, "others") {
            others.push(without(&self.everything));
            others.push(without(&self.group));
        }
        others.extend(self.subsets(count));
        // So many are spoken of, and no others.
        if let Some(count) = count {
            others.retain(|other| other.len() == count);
        }
        others.retain(|other| !other.is_empty() && other != first);
        others
    }

    /// "…, de la ingeniera Marta Quiroga", ", by Osman", "is by Osman": says whose the item before it is, and names no other.
    pub(super) fn is_attribution(&self, clause: &Clause) -> bool {
        let first = clause.tokens.iter().find(|token| token.mark().is_none());
        let mut tokens = clause.tokens.iter();
        let is_by = first.is_some_and(|first| self.lexicon.markers.stands(&first.folded, "by"));
        let hangs = clause.lead.iter().any(|token| token.mark() == Some(','));
        let only_makers = tokens
            .all(|token| token.item().is_none() && (token.names.is_empty() || token.is_maker));
        only_makers && !self.subject.is_empty() && ((is_by && hangs) || self.predicates(clause))
    }

    /// "Is by Osman", "la escribió Delibes": whether a clause begins with what is said of what was spoken of.
    fn predicates(&self, clause: &Clause) -> bool {
        let words: Vec<&str> = clause
            .tokens
            .iter()
            .filter(|token| token.mark().is_none())
            .map(|token| token.folded.as_str())
            .collect();
        let begins = |word: &&str| {
            let markers = &self.lexicon.markers;
            markers.stands(word, "is") || markers.stands(word, "wrote")
        };
        let mut chooses = ["one", "others", "first", "second", "all", "both"].iter();
        let verb = words.iter().take(2).position(begins);
        verb.is_some_and(|at| at == 0 || self.lexicon.is_function(words[0]))
            && !chooses.any(|key| self.lexicon.marks(&words, key))
            && clause.tokens.iter().any(|token| token.is_maker)
    }

    /// All that so many of what is shown may be: "dos caben en tus 20 € y están disponibles".
    pub(super) fn subsets(&self, count: Option<usize>) -> Vec<Vec<usize>> {
        /// Of more items nobody counts which.
        const COUNTED: usize = 8;
        let items = &self.everything[..self.everything.len().min(COUNTED)];
        let Some(count) = count else {
            return Vec::new();
        };
        let subsets = 1_usize..1 << items.len();
        let subsets = subsets.filter(|subset| subset.count_ones() as usize == count);
        let chosen = subsets.map(|subset| {
            let places = items.iter().enumerate();
            let chosen = places.filter(|(place, _)| subset & (1 << place) != 0);
            chosen.map(|(_, item)| *item).collect()
        });
        chosen.collect()
    }

    /// How many of what is shown a clause begins to speak of without naming them: "dos", "una", "la otra", "a third".
    pub(super) fn counted(&self, tokens: &[Token], own: &[usize]) -> Option<usize> {
        /// Words before it: "de las cuatro, tres", "and the".
        const BEFORE: usize = 3;
        // "Quedan dos": copies of what is spoken of.
        let folded: Vec<&str> = tokens.iter().map(|token| token.folded.as_str()).collect();
        let is_left = || self.lexicon.marks(&folded, "left");
        if !own.is_empty() || (!self.subject.is_empty() && is_left()) {
            return None;
        }
        let mut words = tokens
            .iter()
            .enumerate()
            .filter(|(_, token)| token.mark().is_none());
        let (at, token) = words.find(|(at, token)| {
            token.number().is_some()
                || self.lexicon.markers.stands(&token.folded, "one")
                || *at > BEFORE
        })?;
        let Some(number) = token.number() else {
            // "De una sola pieza" is how something is made.
            let markers = &self.lexicon.markers;
            let is_of = at > 0 && markers.stands(&tokens[at - 1].folded, "by");
            return (markers.stands(&token.folded, "one") && !is_of).then_some(1);
        };
        let count = usize::try_from(number / 100)
            .ok()
            .filter(|_| number % 100 == 0)?;
        // "O mais antigo dos cinco": of all of them.
        let after_article = at > 0 && self.lexicon.is_article(&tokens[at - 1].folded);
        if after_article && count == self.everything.len() {
            return None;
        }
        let is_money = [at.checked_sub(1), Some(at + 1)]
            .into_iter()
            .flatten()
            .any(|beside| {
                let token = tokens.get(beside);
                token.is_some_and(|token| token.mark().is_some_and(currency::is_symbol))
            });
        let unit = tokens
            .get(at + 1)
            .and_then(|next| self.lexicon.units.at(&[next.folded.as_str()]));
        let is_other = is_money || unit.is_some_and(|unit| unit.key != "items");
        (!is_other && (1..=self.everything.len()).contains(&count)).then_some(count)
    }

    /// "{1} cuesta menos que {2}", "3 € menos que {2}": what stands behind "que" is what it is compared with.
    fn beside_standard(
        &self,
        tokens: &[Token],
        own: &[usize],
        line: &[usize],
        whole: &[usize],
    ) -> Option<Vec<usize>> {
        let is_than = |token: &Token| {
            token.is_plain_word() && self.lexicon.markers.stands(&token.folded, "than")
        };
        // "Ao passo que {4} é o mais caro": no comparison before it.
        let compares = |than: &usize| {
            let before: Vec<&str> = tokens[..=*than]
                .iter()
                .map(|token| token.folded.as_str())
                .collect();
            let mut claims = self.lexicon.claims.all(&before);
            claims.any(|(_, found)| claims::is_order(found.key) || found.key == "same-price")
                || ["more", "less"]
                    .iter()
                    .any(|key| self.lexicon.marks(&before, key))
        };
        let mut places = (0..tokens.len()).filter(|at| is_than(&tokens[*at]));
        let than = places.find(compares)?;
        let named = |token: &Token| token.item().or_else(|| token.names.first().copied());
        let standard = tokens[than..].iter().find_map(named)?;
        // "Less than either {3} or {4}": both are what it is compared with.
        let joined = tokens[than..].windows(3).filter_map(|run| {
            let is_joined = self.lexicon.markers.stands(&run[1].folded, "to");
            named(&run[0]).and(named(&run[2])).filter(|_| is_joined)
        });
        let standards: Vec<usize> = joined.chain([standard]).collect();
        let without = |items: &[usize]| -> Vec<usize> {
            let others = items.iter().filter(|item| !standards.contains(item));
            others.copied().collect()
        };
        let others = without(own);
        // "Cheaper than {5}, {2} is a comedy": what comes next.
        let next = whole.iter().find(|item| !standards.contains(item));
        let is_fronted = than < 4 && line == [standard];
        if !others.is_empty() {
            return Some(others);
        }
        if let Some(next) = next.filter(|_| is_fronted) {
            return Some(vec![*next]);
        }
        let before = without(&self.subject);
        // "Like {2} it was written by a surgeon, and it costs more than {2}", of what was named before that.
        let last = || without(line).last().copied().into_iter().collect();
        Some(if before.is_empty() { last() } else { before })
    }

    /// "Los tres", "the four": how many are spoken of together.
    fn several(&self, tokens: &[Token]) -> Option<usize> {
        let mut pairs = tokens.windows(2).enumerate();
        pairs.find_map(|(at, pair)| {
            let number = pair[1].number().filter(|number| number % 100 == 0)?;
            let count = usize::try_from(number / 100).ok();
            let count = count.filter(|count| (2..=20).contains(count))?;
            let counts_other = tokens.get(at + 2).is_some_and(|next| {
                let unit = self.lexicon.units.at(&[next.folded.as_str()]);
                next.mark().is_some_and(|mark| !",.;:)".contains(mark))
                    || unit.is_some_and(|found| found.key != "items")
            });
            let word = &pair[0].folded;
            // "Entre os 3 e os 6 anos".
            let before = at.checked_sub(1).map(|before| &tokens[before].folded);
            let is_between = before
                .is_some_and(|word| self.lexicon.markers.stands(word, "between"))
                && pair[1].text.starts_with(|c: char| c.is_ascii_digit());
            let counts_other = counts_other || is_between;
            let is_joined = self.lexicon.markers.stands(word, "together");
            let is_group = (self.lexicon.is_article(word) || is_joined) && !counts_other;
            is_group.then_some(count)
        })
    }

    /// Which so many are: a maker's, those named last, all, those in stock, or those within the budget.
    fn group_of(&self, several: usize, makers: &[usize], line: &[usize]) -> Vec<usize> {
        let mut mentioned: Vec<usize> = self.named_before.clone();
        mentioned.retain(|item| !line.contains(item));
        mentioned.extend(line);
        let last: Vec<usize> = mentioned.iter().rev().take(several).copied().collect();
        let those = |fits: &dyn Fn(usize) -> bool| -> Vec<usize> {
            let all = self.everything.iter().copied();
            all.filter(|item| fits(*item)).collect()
        };
        let in_stock = those(&|at| self.known[at].item.stock > 0);
        let affordable = those(&|at| {
            let price = self.known[at].item.price_minor;
            self.wish.budgets.iter().any(|budget| price <= *budget)
        });
        let groups = [
            makers.to_vec(),
            last,
            self.everything.clone(),
            in_stock,
            affordable,
        ];
        let group = groups.into_iter().find(|group| group.len() == several);
        group.unwrap_or_else(|| self.everything.clone())
    }
}

/// The items of a maker that is named, where these are several.
pub(super) fn makers(tokens: &[Token]) -> Vec<usize> {
    let mut makers: Vec<usize> = Vec::new();
    let named = tokens.iter().filter(|token| token.names.len() > 1);
    for item in named.flat_map(|token| &token.names) {
        if !makers.contains(item) {
            makers.push(*item);
        }
    }
    makers
}
