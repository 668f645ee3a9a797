//! Amounts, copies, years and other numbers: what cannot be read for sure is not said.

use std::sync::LazyLock;

use unicode_normalization::char::is_combining_mark;

use super::{
    Violation,
    amounts::{decimals, is_bundle, minor, split_unit, whole, with_cents},
    claims,
    facts::{Facts, Mention},
    line::{Line, Word},
    words::{self, Words, words},
};
use crate::isbn;

/// Verbs of what several are.
static THEY: LazyLock<Words> =
    LazyLock::new(|| words("cuestan valen salen tienen son cost have are"));

/// Fewest digits of what can only be an ISBN.
const ISBN_DIGITS: usize = 9;

/// A number where it stands, with everything that is joined to it.
#[derive(Clone, Copy)]
struct Figure<'a> {
    written: &'a str,
    first: usize,
    end: usize,
}

/// What the numbers of a line claim that no result states.
pub(super) fn violations(line: &Line<'_>, facts: &Facts, named: &[Mention<'_>]) -> Vec<Violation> {
    let numbers = Numbers { line, facts, named };
    let figures = numbers.figures();
    let mut violations = Vec::new();
    if numbers.has_stray_money(&figures) {
        violations.push(Violation::Price);
    }
    let mut at = 0;
    while let Some(figure) = figures.get(at) {
        let cents = numbers.cents_of(figure, figures.get(at + 1));
        at += 1 + usize::from(cents.is_some());
        violations.extend(numbers.judge(figure, cents));
    }
    violations.extend(numbers.judge_numerals());
    violations
}

struct Numbers<'a> {
    line: &'a Line<'a>,
    facts: &'a Facts,
    named: &'a [Mention<'a>],
}

impl<'a> Numbers<'a> {
    fn figures(&self) -> Vec<Figure<'a>> {
        let words = &self.line.words;
        let free = |at: usize| {
            words
                .get(at)
                .is_some_and(|word| !word.titled && !word.named)
        };
        let mut figures = Vec::new();
        let mut first = 0;
        while first < words.len() {
            let mut end = first + 1;
            while free(first) && free(end) && self.joins(end) {
                end += 1;
            }
            if free(first) && words[first..end].iter().any(|word| word.has_number()) {
                figures.push(Figure {
                    written: &self.line.text[words[first].start..words[end - 1].end],
                    first,
                    end,
                });
            }
            first = end;
        }
        figures
    }

    /// Whether word `at` goes on with the number before it.
    fn joins(&self, at: usize) -> bool {
        let numeric = |at: usize| {
            self.line
                .words
                .get(at)
                .is_some_and(|word| word.has_number())
        };
        let both = numeric(at) && numeric(at - 1);
        let gap = self.line.gap(at);
        let mut chars = gap.chars();
        match (chars.next(), chars.next()) {
            (Some(' '), None) => both && self.is_plain(at - 1) && self.is_plain(at),
            (Some('/' | ':' | '×' | '*' | '^' | '~' | '='), None) => both,
            (Some(c), None) => !c.is_whitespace() && !is_bound(c),
            _ => gap.chars().all(is_combining_mark),
        }
    }

    fn is_plain(&self, at: usize) -> bool {
        let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
        self.line
            .words
            .get(at)
            .is_some_and(|word| digits(word.text))
    }

    fn judge(&self, figure: &Figure<'_>, cents: Option<&str>) -> Option<Violation> {
        let (digits, unit) = split_unit(figure.written);
        let money = cents.is_some() || self.is_money(figure);
        if money {
            let amount = match cents {
                Some(cents) => whole(digits).and_then(|euros| with_cents(euros, cents)),
                None if self.counts_cents(figure) => whole(digits),
                None => minor(digits),
            };
            let right = (unit.is_empty() || words::EUROS.contains(unit.as_str()))
                && !self.is_vague(figure)
                && !self.is_of_several(figure)
                && amount.is_some_and(|amount| {
                    self.states(figure, |book| {
                        u64::try_from(book.precio_minor) == Ok(amount)
                    })
                });
            return (!right).then_some(Violation::Price);
        }
        if words::TIMES.contains(self.line.word(figure.end)) || words::TIMES.contains(unit.as_str())
        {
            return Some(Violation::Date);
        }
        if is_bundle(figure.written) {
            return Some(Violation::Price);
        }
        (!self.is_number_stated(figure)).then_some(Violation::Number)
    }

    fn states(&self, figure: &Figure<'_>, states: impl Fn(&super::facts::Known) -> bool) -> bool {
        let together = claims::joined_before(self.line, self.named, figure.first);
        let told = together.last().map_or(figure.first, Mention::end);
        let mut verbs = (told..figure.first).map(|at| self.line.word(at));
        // "«Rayuela» y «Dune» cuestan 18,95 €": each of them.
        if together.len() > 1 && verbs.any(|verb| THEY.contains(verb)) {
            let mut together = together.iter();
            return together.all(|title| self.facts.is_any(title, &states));
        }
        self.facts.state(self.named, figure.first, states)
    }

    /// Of what tells a book from others.
    fn tells(&self, figure: &Figure<'_>, tells: impl Fn(&super::facts::Known) -> bool) -> bool {
        self.facts.state_of_any(self.named, figure.first, tells)
    }

    fn is_number_stated(&self, figure: &Figure<'_>) -> bool {
        let written = figure.written;
        let digits = written.chars().filter(char::is_ascii_digit).count();
        if let Some(isbn) = isbn::normalise(written) {
            return self.tells(figure, |book| book.isbn == isbn);
        }
        if digits >= ISBN_DIGITS {
            return false;
        }
        let Some(number) = whole(written) else {
            // "3D", "Covid-19": only as a result writes it.
            return figure.end == figure.first + 1
                && written.is_ascii()
                && !self.is_plain(figure.first)
                && self.facts.has_word(self.line.word(figure.first));
        };
        let line = self.line;
        let near = |of: &words::Words| {
            (0..2).any(|on| {
                of.contains(line.word(figure.end + on)) && self.is_near(figure.end, figure.end + on)
            })
        };
        let before = |of: &words::Words, most: usize| {
            (1..=most).any(|back| of.contains(line.word_before(figure.first, back)))
        };
        let next = line.word(figure.end);
        let counted = near(&words::BOOKS) && !near(&words::COPIES);
        if near(&words::COPIES)
            || words::IN_STOCK.contains(next)
            || (words::STOCKED_AFTER.contains(next) && line.word(figure.end + 1) == "stock")
        {
            return self.states(figure, |book| book.stock == number);
        }
        if counted || before(&words::ARTICLES, 1) {
            return (1..=self.facts.len()).contains(&number);
        }
        if words::UNITS.contains(next) {
            return false;
        }
        let year = !written.contains(['.', ',', ' ']);
        (before(&words::STOCKED, 3) && self.states(figure, |book| book.stock == number))
            || (before(&words::NUMBERS, 2) || line.gap(figure.first).ends_with('#'))
                && self.tells(figure, |book| book.has_id(number))
            || (year && number > 999 && self.tells(figure, |book| book.publicado == Some(number)))
    }

    /// Whether only spaces stand between words `from` and `to`.
    fn is_near(&self, from: usize, to: usize) -> bool {
        (from..=to).all(|at| self.line.gap(at).trim().is_empty())
    }

    fn is_money(&self, figure: &Figure<'_>) -> bool {
        let line = self.line;
        let after = line.gap(figure.end).trim_start();
        let before = line.gap(figure.first).trim_end();
        let word_after = line.word(figure.end);
        let spaced = line.gap(figure.end).trim().is_empty();
        let (digits, unit) = split_unit(figure.written);
        let counted = spaced
            && (words::COPIES.contains(word_after)
                || words::BOOKS.contains(word_after)
                || words::IN_STOCK.contains(word_after));
        after.starts_with('€')
            || before.ends_with('€')
            || words::EUROS.contains(unit.as_str())
            || (spaced && (words::EUROS.contains(word_after) || words::CENTS.contains(word_after)))
            || words::EUROS.contains(line.word_before(figure.first, 1))
            || (decimals(digits).is_some() && minor(digits).is_some())
            || (!counted && (self.is_price_of(figure.first) || self.is_given_for(figure)))
    }

    /// "te lo llevas por 5."
    fn is_given_for(&self, figure: &Figure<'_>) -> bool {
        let line = self.line;
        let ends = figure.end == line.words.len() || !line.gap(figure.end).trim().is_empty();
        matches!(line.word_before(figure.first, 1), "por" | "for" | "at") && ends
    }

    /// "llévate tres por 21,90 €": a price is one copy's.
    fn is_of_several(&self, figure: &Figure<'_>) -> bool {
        let line = self.line;
        let is_for = matches!(
            line.word_before(figure.first, 1),
            "por" | "for" | "a" | "at" | "son"
        );
        // As far back as its clause goes; another amount is no part of it.
        let goes_on = |at: &usize| {
            let ends = line.gap(at + 1).contains([',', ';', ':', '(', '€']);
            !ends && !words::EUROS.contains(line.word(*at))
        };
        let before = (0..figure.first.saturating_sub(1)).rev();
        let before = before.take_while(goes_on);
        let free = |at: &usize| !line.words[*at].titled && !line.words[*at].named;
        is_for && before.filter(free).take(3).any(|at| self.is_several(at))
    }

    /// "tres", "ambos"; no count of the copies that there are.
    fn is_several(&self, at: usize) -> bool {
        let word = self.line.word(at);
        let few = word.parse().ok().filter(|few: &u64| *few < 100);
        match few.or(words::numeral(word)).filter(|number| *number > 1) {
            Some(number) => !self
                .facts
                .state(self.named, at, |book| book.stock == number),
            None => words::SEVERAL.contains(word),
        }
    }

    /// Whether what stands at `at` is said to be a price.
    fn is_price_of(&self, at: usize) -> bool {
        (1..=3)
            .take_while(|back| {
                // "Vale, tengo 2 libros."
                at.checked_sub(back - 1)
                    .is_some_and(|at| !self.line.gap(at).contains([',', '.', ';', '(']))
            })
            .any(|back| {
                at.checked_sub(back).is_some_and(|at| {
                    let word = &self.line.words[at];
                    !word.titled && words::COSTS.contains(word.folded.as_str())
                })
            })
    }

    fn counts_cents(&self, figure: &Figure<'_>) -> bool {
        words::CENTS.contains(self.line.word(figure.end))
    }

    /// "25 con 99", "25 euros y 99 céntimos": the cents, if the next figure is those of this one.
    fn cents_of<'f>(&self, figure: &Figure<'_>, next: Option<&Figure<'f>>) -> Option<&'f str> {
        let next = next?;
        let line = self.line;
        let mut at = figure.end;
        if words::EUROS.contains(line.word(at)) {
            at += 1;
        }
        let with = line.word(at);
        let joined = matches!(with, "con" | "y" | "and" | "with");
        let cents = self.counts_cents(next);
        let digits = next.written;
        let counted = words::COPIES.contains(line.word(next.end));
        (next.first == at + usize::from(joined)
            && (cents || (with == "con" && digits.len() == 2 && !counted))
            && (1..=2).contains(&digits.len())
            && digits.bytes().all(|b| b.is_ascii_digit()))
        .then_some(digits)
    }

    /// "menos de 25 €", "casi 25 €".
    fn is_vague(&self, figure: &Figure<'_>) -> bool {
        let from = figure.first.saturating_sub(3);
        let mut spoken = String::from(" ");
        for at in from..figure.first {
            spoken.push_str(self.line.word(at));
            spoken.push(' ');
        }
        let euros = words::EUROS.contains(self.line.word(figure.end));
        let after = figure.end + usize::from(euros);
        let beside = words::BESIDE.contains(self.line.word(after))
            && self
                .line
                .gap(after)
                .trim()
                .trim_start_matches('€')
                .trim()
                .is_empty();
        let minus = self.line.gap(figure.first).trim_end_matches('€');
        beside || minus.ends_with(['-', '−', '–', '+']) || words::ABOUT.end(&spoken)
    }

    /// Money that belongs to no figure ("veinte euros"), and that of others.
    fn has_stray_money(&self, figures: &[Figure<'_>]) -> bool {
        let line = self.line;
        let begins = |at: usize| figures.iter().any(|figure| figure.first == at);
        let ends = |at: usize| figures.iter().any(|figure| figure.end == at);
        let stray_sign = (0..=line.words.len()).any(|at| {
            let gap = line.gap(at);
            let signs = gap.matches('€').count();
            let before = ends(at) && gap.trim_start().starts_with('€');
            let after = begins(at) && gap.trim_end().ends_with('€');
            signs > usize::from(before) + usize::from(after)
                || gap.contains(is_other_currency)
                || gap.contains(['%', '٪', '‰', '‱', '％', '﹪'])
        });
        let is_priced = || {
            let words = line.words.iter();
            let mut prices = words.filter(|word| !word.titled);
            prices.any(|word| words::COSTS.contains(word.folded.as_str()))
        };
        let stray_word = || {
            line.words.iter().enumerate().any(|(at, word)| {
                let near = |to: usize| line.gap(to).trim().is_empty();
                let amount = |at: usize| {
                    line.words
                        .get(at)
                        .is_some_and(|word| word.has_number() || is_numeral(&word.folded))
                };
                !word.named
                    && if is_euro(&word.folded) {
                        !((ends(at) && near(at)) || begins(at + 1))
                    } else if words::CENTS.contains(word.folded.as_str()) {
                        !(ends(at) && near(at))
                    } else {
                        words::OTHER_MONEY.contains(word.folded.as_str())
                            && ((words::CURRENCIES.contains(word.folded.as_str()) && is_priced())
                                || amount(at + 1)
                                || (1..=3).any(|back| at.checked_sub(back).is_some_and(amount)))
                    }
            })
        };
        stray_sign || stray_word()
    }

    /// Numbers in words beside a price or copies.
    fn judge_numerals(&self) -> Option<Violation> {
        let line = self.line;
        // "Nueve siete ocho, ocho cuatro": digits read out.
        let is_digit = |word: &Word<'_>| {
            !word.titled && !word.named && (is_numeral(&word.folded) || word.folded == "cero")
        };
        if line
            .words
            .windows(3)
            .any(|three| three.iter().all(is_digit))
        {
            return Some(Violation::Number);
        }
        (0..line.words.len())
            .filter(|&at| !line.words[at].titled && !line.words[at].named)
            .find_map(|at| {
                let word = line.word(at);
                let one = words::ONES.contains(word)
                    && (matches!(word, "one" | "single" | "uno")
                        || words::STOCKED.contains(line.word_before(at, 1))
                        || matches!(line.word_before(at, 1), "solo" | "only" | "just"))
                    || (matches!(word, "ultimo" | "ultima" | "unico" | "unica" | "last")
                        && words::COPIES.contains(line.word(at + 1)));
                let number = words::numeral(word).or(one.then_some(1))?;
                let counted = (1..=2).any(|on| words::COPIES.contains(line.word(at + on)))
                    || (number > 1 && self.is_left(at));
                let spelt = |back| words::numeral(line.word_before(at, back)).is_some();
                if (number > 1 && !counted && (self.is_price_of(at) || self.is_sold_for(at)))
                    || words::CENTS.contains(line.word(at + 1))
                {
                    return Some(Violation::Price);
                }
                if number > 1 && words::EXACT_UNITS.contains(line.word(at + 1)) {
                    return Some(Violation::Number);
                }
                if number > 1 && self.is_term(at) {
                    return Some(Violation::Date);
                }
                let composed =
                    spelt(1) || (spelt(2) && matches!(line.word_before(at, 1), "y" | "and"));
                let right = !counted
                    || (!composed
                        && self
                            .facts
                            .state(self.named, at, |book| book.stock == number));
                (!right).then_some(Violation::Number)
            })
    }

    /// "quedan dos", "queda medio millar": a count of copies without the word.
    fn is_left(&self, at: usize) -> bool {
        let line = self.line;
        let of_books = (1..=2).any(|on| words::BOOKS.contains(line.word(at + on)));
        let left = (1..=2).any(|back| words::LEFT.contains(line.word_before(at, back)))
            || words::LEFT.contains(line.word(at + 1));
        // "Tengo dos: «Dune» y «Dune Messiah»."
        let after = line.gap(at + 1).trim();
        let alone = at + 1 == line.words.len() || !(after.is_empty() || after.starts_with(':'));
        let stocked = words::STOCKED.contains(line.word_before(at, 1)) && alone;
        !of_books && (left || stocked)
    }

    /// "por solo veinte", "for just twenty".
    fn is_sold_for(&self, at: usize) -> bool {
        let before = self.line.word_before(at, 1);
        let for_it = self.line.word_before(at, 2);
        let alone = !self.line.gap(at + 1).trim().is_empty()
            || at + 1 == self.line.words.len()
            || matches!(
                self.line.word(at + 1),
                "te" | "lo" | "la" | "y" | "con" | "you"
            );
        (matches!(before, "solo" | "only" | "just") && matches!(for_it, "por" | "for" | "a" | "at"))
            || (matches!(before, "por" | "a" | "for" | "at" | "son") && alone)
            || (self.line.word(at + 1) == "y" && self.line.word(at + 2) == "medio")
    }

    /// "en dos días", "within two weeks".
    fn is_term(&self, at: usize) -> bool {
        matches!(
            self.line.word_before(at, 1),
            "en" | "in" | "within" | "de" | "of"
        ) && words::TIMES.contains(self.line.word(at + 1))
    }
}

/// In any language and case of its own: "euroan".
fn is_euro(word: &str) -> bool {
    words::EUROS.contains(word) || (word.starts_with("euro") && !word.starts_with("europ"))
}

fn is_numeral(word: &str) -> bool {
    words::numeral(word).is_some() || words::ONES.contains(word)
}

/// What parts a number from what is beside it, where no space does.
fn is_bound(c: char) -> bool {
    "€()¿?¡!;«»“”\"„‹›—…/:×*^~=#%+&".contains(c) || is_other_currency(c)
}

fn is_other_currency(c: char) -> bool {
    matches!(c, '$' | '¢'..='¥' | '\u{58f}' | '\u{60b}' | '\u{e3f}' | '\u{17db}' | '\u{20a0}'..='\u{20ab}'
        | '\u{20ad}'..='\u{20cf}' | '﹩' | '＄' | '￠' | '￡' | '￥' | '￦')
}
