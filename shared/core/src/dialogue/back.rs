//! What a message goes back to of what was shown before it.

use super::{
    SURE, SURE_OF_ONE, Shown,
    follow::goes_on,
    place::{Place, place},
    says_nothing,
    several::{Several, several, several_done},
    task::{content, naming, only_copies, says_one},
};
use crate::{
    index::{Filters, Sort},
    language::List,
    shop::says_age,
    text::{clauses, words},
    understand::{
        Exclusion, Fact, Route, beside_recommending,
        intent::{Intent, Meant},
        names_kind, recommends, sought,
    },
};

/// What a message goes back to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Back {
    /// This is what it asks for.
    To(Route),
    /// To the first of them in that order.
    Among(Sort),
    /// To the one of them that the shop would choose.
    Choice,
    /// To what else there is by whoever made the first.
    ToMaker(Sort),
    /// To what was shown, and nothing was.
    ToNothing,
    /// To some of what was shown, and which is not clear: "los dos" of five.
    ToSome,
}

impl Shown {
    /// What a message goes back to that is routed so; nothing where it stands by itself.
    pub(crate) fn back(&self, message: &str, meant: Meant, route: &Route) -> Option<Back> {
        if asks_for_maker(message) {
            let sort = match route {
                Route::Filter { sort, .. } => *sort,
                _ => Sort::default(),
            };
            return match self.items[..] {
                // "Le encanta Isabel Allende. ¿Qué tenéis de ella?" names her itself.
                [] if !content(message).is_empty() => None,
                [] => Some(Back::ToNothing),
                _ => Some(Back::ToMaker(sort)),
            };
        }
        if let Some(several) = several_of(message, meant).filter(|_| *route == Route::Search) {
            return Some(match several.of(&self.compared(), self) {
                Some(items) => Back::To(Route::LookupIds(items)),
                None if self.items.is_empty() => Back::ToNothing,
                // "Los dos que hay", of one.
                None if self.items.len() == 1 && matches!(several, Several::Count(_)) => {
                    Back::To(Route::LookupId(self.items[0]))
                }
                None => Back::ToSome,
            });
        }
        match route {
            // What is like the one that they have had, or what else was looked for.
            Route::Search if has_had(message) => match self.items[..] {
                [_] | [] => Some(self.like_first()),
                _ => self.more(message, meant),
            },
            // "¿Y de teatro?" after the cheapest of the poems.
            Route::Search if !self.sort.is_relevance() && goes_on_with(message, meant) => {
                Some(Back::To(Route::Filter {
                    filters: Filters::default(),
                    text: message.to_owned(),
                    sort: self.sort,
                    warnings: Vec::new(),
                }))
            }
            Route::Search if asks_for_like(message) => Some(self.like_first()),
            Route::Search if chooses(message, meant) && self.in_order().len() > 1 => {
                Some(Back::Choice)
            }
            Route::Search => match place(message, meant) {
                // Of several, the nearest is meant.
                None if !Fact::alone(message).is_empty() => self.item(0).or(Some(Back::ToNothing)),
                None if asks_of_it(message) && self.items.len() == 1 => self.item(0),
                // "Quiero dos", of one.
                None if self.items.len() == 1 && counts(message) => self.item(0),
                None => self.more(message, meant),
                Some(_) if self.items.is_empty() => Some(Back::ToNothing),
                Some(Place::Nth(place)) => self.nth(place),
                Some(Place::Last) => self.nth(self.in_order().len().checked_sub(1)?),
                Some(Place::Other) => {
                    let compared = self.compared();
                    let shown = self.items.iter().chain(&compared);
                    let mut shown = shown.chain(&self.firsts).chain(&self.seen);
                    let other = shown.find(|item| Some(*item) != self.items.first())?;
                    Some(Back::To(Route::LookupId(*other)))
                }
                Some(Place::Any) => self.item(0),
            },
            Route::Filter { sort, .. }
                if !sort.is_relevance()
                    && compares(message, meant)
                    && self.compared().len() > 1 =>
            {
                Some(Back::Among(*sort))
            }
            Route::Filter { sort, .. } if !sort.is_relevance() && is_among(message) => {
                Some(match self.items[..] {
                    [] => Back::ToNothing,
                    _ => Back::Among(*sort),
                })
            }
            // "¿El más barato?", of what was looked for by no words: what is like an item.
            Route::Filter { filters, sort, .. }
                if !sort.is_relevance()
                    && filters.is_empty()
                    && !self.asks()
                    && self.compared().len() > 1
                    && narrows(message, meant, route) =>
            {
                Some(Back::Among(*sort))
            }
            Route::Filter {
                filters,
                text,
                sort,
                warnings,
                ..
            } if narrows(message, meant, route)
                && self.in_order().len() > 1
                && self.asks()
                && !self.is_asked_anew(text) =>
            {
                Some(Back::To(Route::Filter {
                    filters: Filters {
                        precio_min: filters.precio_min.or(self.filters.precio_min),
                        precio_max: filters.precio_max.or(self.filters.precio_max),
                        ..self.filters.clone()
                    },
                    text: self.question.clone(),
                    sort: if sort.is_relevance() {
                        self.sort
                    } else {
                        *sort
                    },
                    warnings: warnings.clone(),
                }))
            }
            _ => None,
        }
    }

    /// "Novelas por menos de 15 €" after "el más barato": what names a category asks anew, where nothing was named before.
    fn is_asked_anew(&self, text: &str) -> bool {
        words(&self.question).iter().all(says_nothing) && names_kind(text)
    }

    /// The question before, with what narrows it now: "pero en inglés"; or what else there is: "¿tienes más?".
    fn more(&self, message: &str, meant: Meant) -> Option<Back> {
        if !self.asks() {
            return asks_for_others(message).then(|| self.like_first());
        }
        // "Something with animals" after "a book for a 4 year old" is for them, too.
        let is_for_them = may_go_on(message, meant) && says_age(&self.question);
        let (text, sort, seen) = match asks_for_others(message) {
            false if !is_for_them && !is_more(message, meant) => return None,
            true => (self.question.clone(), self.sort, self.all_seen()),
            false => {
                let text = format!("{} {message}", self.question);
                // "Something shorter" than one is not that one, and "in English?" may be.
                let seen = match self.items[..] {
                    [one] if says_something(message) => vec![one],
                    _ => Vec::new(),
                };
                (text, Sort::Relevance, seen)
            }
        };
        Some(Back::To(Route::More {
            text: text.trim_start().to_owned(),
            filters: self.filters.clone(),
            sort,
            seen,
        }))
    }

    /// What else is like the first of what was shown.
    fn like_first(&self) -> Back {
        match self.items.first() {
            Some(first) => Back::To(Route::SimilarToId(*first)),
            None => Back::ToNothing,
        }
    }

    fn nth(&self, place: usize) -> Option<Back> {
        let item = self.in_order().get(place)?;
        Some(Back::To(Route::LookupId(*item)))
    }

    fn item(&self, place: usize) -> Option<Back> {
        let item = self.items.get(place)?;
        Some(Back::To(Route::LookupId(*item)))
    }
}

/// Whether a message may go back to something: only then is it worth waiting for.
pub(crate) fn may_go_back(message: &str, meant: Meant, route: &Route) -> bool {
    match route {
        Route::Search => {
            is_more(message, meant)
                || asks_for_others(message)
                || asks_for_maker(message)
                || place(message, meant).is_some()
                || several_of(message, meant).is_some()
                || !Fact::alone(message).is_empty()
                || counts(message)
                || asks_of_it(message)
                || may_go_on(message, meant)
                || asks_for_like(message)
                || chooses(message, meant)
                || goes_on_with(message, meant)
        }
        route => {
            narrows(message, meant, route)
                || asks_for_maker(message)
                || is_among(message)
                || compares(message, meant)
        }
    }
}

/// Which of what was shown a message is for, where it is for several. "How much is it all?" is not.
fn several_of(message: &str, meant: Meant) -> Option<Several> {
    let acts = matches!(meant.intent, Intent::CartAdd | Intent::Reserve);
    let is_sure = acts && meant.confidence >= SURE_OF_ONE;
    let of_these = several(message).filter(|several| acts || *several != Several::All);
    of_these.or_else(|| is_sure.then(|| several_done(message)).flatten())
}

/// "Otro de ella", "too dear, anything else by him?": whether a message asks for what else somebody made, and names nothing.
fn asks_for_maker(message: &str) -> bool {
    asks_of_maker(message) || clauses(message).any(asks_of_maker)
}

fn asks_of_maker(message: &str) -> bool {
    /// Most words that are none of those: "vaya, ¿y otro de ella que sí tengáis?"
    const OTHER_WORDS: usize = 2;
    let references = List::References.in_all();
    let said = words(message);
    let says = |key: &str| references.says(&said, key);
    let lists = [&[List::Orderings, List::References], &List::SMALL[..]].concat();
    let others = List::beside(&lists, &said).len();
    let names_nothing = sought(message).is_none();
    let is_alone = others == 0 || (says("others") && others <= OTHER_WORDS);
    says("maker") && names_nothing && is_alone
}

/// "Anything like it?", "¿y algo del estilo?": whether a message asks for what is like that, and names nothing.
fn asks_for_like(message: &str) -> bool {
    let said = words(message);
    let lists = [&[List::References, List::Similar], &List::SMALL[..]].concat();
    List::Similar.in_all().says(&said, "like-that") && List::beside(&lists, &said).is_empty()
}

/// "¿Cuál es más barato?", "add the cheaper one": whether a message compares, or wants one for its price, and names nothing.
fn compares(message: &str, meant: Meant) -> bool {
    let is_of_one = matches!(
        meant.intent,
        Intent::Compare | Intent::CartAdd | Intent::Reserve
    );
    is_of_one && naming(message).is_empty()
}

/// "¿Cuál me recomiendas?": whether a message asks the shop to choose one of what was shown.
fn chooses(message: &str, meant: Meant) -> bool {
    let is_of_several = matches!(meant.intent, Intent::Compare | Intent::Pick);
    recommends(message)
        && beside_recommending(message).is_empty()
        && (is_of_several || is_among(message))
}

/// "El más barato de esos": whether a message is for one of what was shown, by what sets it apart.
fn is_among(message: &str) -> bool {
    List::References.in_all().says(&words(message), "among")
}

/// Whether a message looks for something and does not say for whom, in few words and by no name: "something with animals".
fn may_go_on(message: &str, meant: Meant) -> bool {
    /// Who says more says whom it is for.
    const WORDS: usize = 6;
    let said = words(message);
    meant.intent == Intent::Find
        && said.len() <= WORDS
        && says_something(message)
        && !says_age(message)
        && sought(message).is_none()
}

/// Whether a message looks for something, whatever that is: "algo más corto".
fn says_something(message: &str) -> bool {
    List::Markers.in_all().says(&words(message), "something")
}

/// Whether a message asks whether that one is such and such: "is it scary?", "¿es de miedo?"
pub(crate) fn asks_of_it(message: &str) -> bool {
    let found = List::Facts.in_all().at(&words(message));
    message.contains('?') && found.is_some_and(|found| found.key == "whether")
}

/// Whether a message goes on with the question before.
fn is_more(message: &str, meant: Meant) -> bool {
    // "Anything by Dan Brown?" is a question of its own.
    let is_sure = meant.intent == Intent::More && meant.confidence >= SURE;
    // "Something similar about whales" says what it is to be.
    let similar = List::Similar.in_all();
    let said = words(message);
    let says_like = || similar.says(&said, "like") || similar.says(&said, "like-that");
    let is_own = sought(message).is_some() || (says_like() && !content(message).is_empty());
    (is_sure && !is_own) || Exclusion::is_alone(message)
}

/// "Otra novela de misterio": whether a message asks for another one than what was shown.
pub(crate) fn asks_for_another(message: &str) -> bool {
    let exclusions = List::Exclusions.in_all();
    let said = words(message);
    said.iter().any(|word| exclusions.stands(word, "another"))
}

/// "¿Tienes más?", "otros": whether a message asks for others and for nothing else.
pub(crate) fn asks_for_others(message: &str) -> bool {
    let references = List::References.in_all();
    let words = words(message);
    let mut others = words.iter();
    let says_others =
        others.any(|word| references.stands(word, "others")) && words.iter().all(says_nothing);
    says_others || has_had(message)
}

/// "Ya lo he leído", "ja tenho esse": whether a message says that somebody has had what was shown, and hardly anything else.
pub(crate) fn has_had(message: &str) -> bool {
    /// Most words of such a message.
    const WORDS: usize = 10;
    let references = List::References.in_all();
    let said = words(message);
    let found = (0..said.len()).find_map(|at| {
        let found = references
            .at(&said[at..])
            .filter(|found| found.key == "had")?;
        Some((at, found.words))
    });
    found.is_some_and(|(at, length)| {
        let rest = [&said[..at], &said[at + length..]].concat();
        said.len() <= WORDS
            && List::beside(&[List::References, List::Agreement], &rest)
                .iter()
                .all(says_nothing)
    })
}

/// "¿Y de teatro?": whether a message goes on with the question before, and says of what else that is asked.
fn goes_on_with(message: &str, meant: Meant) -> bool {
    goes_on(message)
        && place(message, meant).is_none()
        && Fact::in_words(&words(message)).is_empty()
        && !content(message).is_empty()
}

/// Whether a message says a number of copies and nothing else: "that one" counts none.
fn counts(message: &str) -> bool {
    only_copies(message).is_some_and(|copies| copies > 1 || says_one(message))
}

/// Whether a message says how something is to be and not what: "más barato", "menos de 15 €", "pero de menos de 15 €, que voy justa".
fn narrows(message: &str, meant: Meant, route: &Route) -> bool {
    let Route::Filter {
        filters,
        text,
        sort,
        ..
    } = route
    else {
        return false;
    };
    let only_prices = Filters {
        precio_min: filters.precio_min,
        precio_max: filters.precio_max,
        ..Filters::default()
    };
    let references = List::References.in_all();
    let looks_for_nothing = || {
        let lists = [List::Light, List::Agreement];
        let others = List::beside(&lists, &words(text));
        let is_rather = |word: &String| references.stands(word, "rather");
        others
            .iter()
            .all(|word| says_nothing(word) || is_rather(word))
    };
    let goes_on = meant.intent == Intent::More && meant.confidence >= SURE;
    // "El libro más caro", "novedades": of everything there is.
    let is_whole = words(message)
        .iter()
        .any(|word| references.stands(word, "whole"));
    // Who writes `precio_max: 20` says all that they want.
    let is_written_out = message.contains(':');
    *filters == only_prices
        && (!filters.is_empty() || !sort.is_relevance())
        && !is_written_out
        && !is_whole
        && (goes_on || looks_for_nothing())
}
