//! What a clause is about.

use super::{Prose, claims, token::Token};

impl Prose {
    /// What a clause names, or else what the clause before was about.
    pub(super) fn subject_of(
        &self,
        tokens: &[Token],
        words: &[String],
        own: &[usize],
        line: &[usize],
    ) -> Vec<usize> {
        let marks = |key: &str| self.lexicon.marks(words, key);
        let mut found = self.lexicon.claims.all(words);
        let orders = found.any(|(_, found)| claims::is_order(found.key));
        let equals = self
            .lexicon
            .claims
            .all(words)
            .any(|(_, found)| found.key == "same-price");
        if (orders || equals || marks("more") || marks("less"))
            && let Some(compared) = self.beside_standard(tokens, own)
        {
            return compared;
        }
        let makers = makers(tokens);
        if !own.is_empty() && own.len() != makers.len() {
            return own.to_vec();
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
                return self.group_of(several, &makers, line);
            }
        }
        if own.is_empty() {
            self.subject.clone()
        } else {
            own.to_vec()
        }
    }

    /// "{1} cuesta menos que {2}", "3 € menos que {2}": what stands behind "que" is what it is compared with.
    fn beside_standard(&self, tokens: &[Token], own: &[usize]) -> Option<Vec<usize>> {
        let is_than = |token: &Token| {
            token.is_plain_word() && self.lexicon.markers.stands(&token.folded, "than")
        };
        let than = tokens.iter().position(is_than)?;
        let named = |token: &Token| token.item().or_else(|| token.names.first().copied());
        let standard = tokens[than..].iter().find_map(named)?;
        let without = |items: &[usize]| -> Vec<usize> {
            let others = items.iter().filter(|item| **item != standard);
            others.copied().collect()
        };
        let others = without(own);
        Some(if others.is_empty() {
            without(&self.subject)
        } else {
            others
        })
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
            let is_group = self.lexicon.is_article(&pair[0].folded) && !counts_other;
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
