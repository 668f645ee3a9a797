//! What no result can state: discounts, days, deliveries, and things done that only a customer may do.

use std::sync::LazyLock;

use super::{
    Violation,
    facts::{Facts, Known, Mention},
    line::Line,
    words::{self, Words, words},
};
use crate::language::Language;

/// What may stand between a denial and its verb.
static UNSTRESSED: LazyLock<Words> =
    LazyLock::new(|| words("nos me te os se le lo la los las longer currently actually"));

/// After "no hay" and "no queda" it is not copies that are denied.
static DENY_NOTHING: LazyLock<Words> = LazyLock::new(|| {
    words(
        "nada nadie mejor que duda dudas solo claro lejos otra mas como forma nothing only just better",
    )
});

/// What says something of what stands before it.
static IS: LazyLock<Words> = LazyLock::new(|| {
    words(
        "es esta estan son sigue siguen queda quedan is are still todos todas ambos ambas all both",
    )
});

/// Before a title they say that it alone is otherwise.
static SAVE: LazyLock<Words> = LazyLock::new(|| words("salvo excepto menos except save"));

/// What a line claims beyond the results.
pub(super) fn violations(
    line: &Line<'_>,
    facts: &Facts,
    named: &[Mention<'_>],
    language: Option<Language>,
) -> Vec<Violation> {
    let spoken = line.spoken();
    [
        (is_discount(&spoken, language), Violation::Price),
        (
            misstates_stock(line, facts, named) || denies_stock(line, facts, named),
            Violation::Number,
        ),
        (has_date(line, &spoken), Violation::Date),
        (
            line.sentences()
                .iter()
                .any(|(sentence, asks)| is_action(sentence, *asks)),
            Violation::Action,
        ),
    ]
    .into_iter()
    .filter_map(|(claimed, violation)| claimed.then_some(violation))
    .collect()
}

fn is_discount(spoken: &str, language: Option<Language>) -> bool {
    // "Sale" is also Spanish for "comes out".
    let sale = language == Language::from_tag("en")
        && (spoken.contains(" sale ") || spoken.contains(" sales "))
        && !spoken.contains(" for sale ");
    let free = spoken.match_indices(" free ").any(|(at, _)| {
        !spoken[..at].ends_with(" feel") && !spoken[..at].ends_with(" are")
            || spoken[at..].starts_with(" free of ")
    });
    sale || free || words::DISCOUNTS.stand_in(spoken)
}

/// "agotado" of a book that is there, and "disponible" of one that is not, in so many words or denied.
fn misstates_stock(line: &Line<'_>, facts: &Facts, named: &[Mention<'_>]) -> bool {
    line.words.iter().enumerate().any(|(at, word)| {
        if word.named || is_open(line, at) {
            return false;
        }
        let denied = is_denied(line, at);
        let out = match word.folded.as_str() {
            "agotado" | "agotada" | "agotados" | "agotadas" | "unavailable" => true,
            "sold" | "out" => {
                matches!((line.word(at), line.word(at + 1)), ("sold", "out"))
                    || (line.word(at + 1) == "of"
                        && (line.word(at + 2) == "stock" || is_out_of_title(line, named, at)))
            }
            "stock" | "existencias" => line.word_before(at, 2) == "fuera",
            _ => false,
        };
        let there = !is_counted(line, at)
            && match word.folded.as_str() {
                "disponible" | "disponibles" | "available" => true,
                "stock" => matches!(line.word_before(at, 1), "en" | "in"),
                _ => false,
            };
        // "Aquí tienes los libros disponibles" says so of none in particular.
        let is_said = !named.is_empty() || IS.contains(line.word_before(at, 1));
        let is_gone = out != denied;
        (out || there)
            && is_said
            && !is_told(line, facts, named, at, |book| (book.stock == 0) == is_gone)
    })
}

/// "no tenemos «Rayuela»", "no nos queda ninguno", "sin existencias" of a book that is there.
fn denies_stock(line: &Line<'_>, facts: &Facts, named: &[Mention<'_>]) -> bool {
    let is_gone = |at| is_told(line, facts, named, at, |book| book.stock == 0);
    let are_copies = |at| {
        let word = line.word(at);
        words::COPIES.contains(word) || matches!(word, "existencias" | "stock")
    };
    (0..line.words.len()).any(|at| {
        let word = line.word(at);
        if is_open(line, at) {
            return false;
        }
        if are_copies(at) && matches!(line.word_before(at, 1), "sin" | "no" | "zero" | "cero") {
            return !is_gone(at);
        }
        let is_left = matches!(word, "queda" | "quedan" | "left");
        if !(is_left || words::HAS.contains(word)) {
            return false;
        }
        // "Quedan ejemplares de «Rayuela»"; a count is judged by itself.
        let copies = (at + 1..=at + 2).find(|&at| are_copies(at));
        let is_some = copies.is_some_and(|copies| !is_counted(line, copies));
        if is_some && !named.is_empty() && !is_denied(line, at) {
            return !is_told(line, facts, named, at, |book| book.stock > 0);
        }
        let none = (1..=2)
            .any(|back| matches!(line.word_before(at, back), "none" | "ninguno" | "ninguna"));
        if is_left && none {
            return !is_gone(at);
        }
        // "No nos la queda", "no longer have".
        let between = (1..=2).take_while(|&back| UNSTRESSED.contains(line.word_before(at, back)));
        let between = between.count();
        let denial = line.word_before(at, between + 1);
        if !matches!(denial, "no" | "not" | "t") || DENY_NOTHING.contains(line.word(at + 1)) {
            return false;
        }
        let plainly = (at + 1..=at + 3).take_while(|&to| !line.gap(to).contains([',', ';', ':']));
        let next = plainly.last().unwrap_or(at) + 1;
        let title = named
            .iter()
            .find(|mention| mention.begins_within(&(at + 1..next)));
        if let Some(title) = title {
            return !facts.is_any(title, |book| book.stock == 0);
        }
        // "«Rayuela» no la tenemos".
        let is_it = matches!(line.word_before(at, 1), "lo" | "la" | "los" | "las");
        (is_left || (between > 0 && is_it) || (1..=2).any(|on| are_copies(at + on))) && !is_gone(at)
    })
}

/// Whether `states` holds of the book that word `at` speaks of, and of those that are named with it; of all where none is named.
fn is_told(
    line: &Line<'_>,
    facts: &Facts,
    named: &[Mention<'_>],
    at: usize,
    states: impl Fn(&Known) -> bool,
) -> bool {
    if named.is_empty() {
        return facts.are_all(states);
    }
    let before = named.partition_point(|mention| mention.is_before(at));
    let of_all = |word: usize| words::SEVERAL.contains(line.word(word));
    let together = if before == 0 && SAVE.contains(line.word_before(named[0].range().start, 1)) {
        return !facts.is_any(&named[0], &states) && facts.are_others(&named[0], &states);
    } else if (sentence_begin(line, at)..at).any(of_all) {
        named
    } else if before == 0 {
        let joined = named
            .windows(2)
            .take_while(|pair| are_joined(line, pair, false));
        &named[..=joined.count()]
    } else {
        joined_before(line, named, at)
    };
    let mut together = together.iter();
    together.all(|mention| facts.is_any(mention, &states)) && facts.state(named, at, &states)
}

/// The titles named together right before word `at`: "«Rayuela», de Julio Cortázar, y «Ficciones»".
pub(super) fn joined_before<'n, 'a>(
    line: &Line<'_>,
    named: &'n [Mention<'a>],
    at: usize,
) -> &'n [Mention<'a>] {
    let before = named.partition_point(|mention| mention.is_before(at));
    let mut pairs = named[..before].windows(2).rev();
    // A comma alone joins only what goes before: "«Uno», «dos» y «tres»".
    let first = pairs.next().filter(|pair| are_joined(line, pair, true));
    let more = pairs.take_while(|pair| are_joined(line, pair, false));
    let joined = first.map_or(0, |_| 1 + more.count());
    &named[before.saturating_sub(joined + 1)..before]
}

/// Whether nothing stands between two titles but who wrote the first, what it costs, and what joins them.
fn are_joined(line: &Line<'_>, pair: &[Mention<'_>], by_a_word: bool) -> bool {
    let between = pair[0].end()..pair[1].range().start;
    let joins = |at: usize| matches!(line.word(at), "y" | "e" | "and" | "como");
    let is_beside = |at: usize| {
        let word = &line.words[at];
        word.named
            || word.is_capitalised()
            || word.has_number()
            || words::EUROS.contains(word.folded.as_str())
            || matches!(word.folded.as_str(), "de" | "by")
    };
    between.end > 0
        && (!by_a_word || between.clone().any(joins))
        && between.clone().all(|at| joins(at) || is_beside(at))
}

/// "We're out of «Rayuela»", and not "Out of «Rayuela» and «Dune», …".
fn is_out_of_title(line: &Line<'_>, named: &[Mention<'_>], at: usize) -> bool {
    let mut named = named.iter();
    matches!(
        line.word_before(at, 1),
        "is" | "are" | "re" | "m" | "am" | "run"
    ) && named.any(|mention| mention.begins_within(&(at + 2..at + 3)))
}

/// Whether a number right before word `at` counts what it says: "15 ejemplares disponibles", and not "20 €, disponible".
fn is_counted(line: &Line<'_>, at: usize) -> bool {
    let near = (1..=3).take_while(|back| {
        at >= *back
            && line.gap(at + 1 - back).trim().is_empty()
            && !words::EUROS.contains(line.word_before(at, *back))
            && !matches!(line.word_before(at, *back), "y" | "and")
    });
    near.map(|back| &line.words[at - back])
        .any(|word| word.has_number() && !word.titled)
}

/// Whether something before word `at` denies it, in its clause.
fn is_denied(line: &Line<'_>, at: usize) -> bool {
    (clause_begin(line, at)..at).any(|from| {
        words::DENIES.contains(line.word(from))
            && !matches!(
                line.word(from + 1),
                "solo" | "solamente" | "only" | "just" | "duda" | "dudas"
            )
    })
}

/// Whether the sentence of word `at` asks, or its clause supposes before it.
fn is_open(line: &Line<'_>, at: usize) -> bool {
    let begun = sentence_begin(line, at);
    let ends = |to: &usize| {
        let gap = line.gap(*to);
        gap.contains(['!', '?', ';', '…', '¿', '¡']) || gap.contains(". ")
    };
    let end = (at + 1..=line.words.len()).find(ends);
    let asks = end.is_some_and(|to| {
        let gap = line.gap(to);
        gap.split('¿').next().is_some_and(|gap| gap.contains('?'))
    });
    // "Sí" supposes nothing.
    let supposes = |from: usize| {
        let word = line.words[from].text.to_lowercase();
        matches!(word.as_str(), "if" | "si" | "when" | "cuando")
    };
    let comma = |from: &usize| line.gap(*from).contains([',', ';', ':']);
    let clause = (begun + 1..=at).rev().find(comma).unwrap_or(begun);
    line.gap(begun).contains('¿') || asks || (clause..at).any(supposes)
}

fn clause_begin(line: &Line<'_>, at: usize) -> usize {
    let begun = sentence_begin(line, at);
    let begins = |&from: &usize| {
        line.gap(from).contains([',', ';', ':', '('])
            || matches!(
                line.word(from),
                "y" | "e" | "pero" | "aunque" | "sino" | "and" | "but" | "though"
            )
    };
    (begun + 1..=at).rev().find(begins).unwrap_or(begun)
}

fn sentence_begin(line: &Line<'_>, at: usize) -> usize {
    (0..at)
        .rev()
        .find(|&from| line.begins(from) && !line.words[from].quoted)
        .unwrap_or(0)
}

fn has_date(line: &Line<'_>, spoken: &str) -> bool {
    words::TERMS.stand_in(spoken)
        || line.words.iter().enumerate().any(|(at, word)| {
            let folded = word.folded.as_str();
            let figure = |at: Option<usize>| {
                at.and_then(|at| line.words.get(at))
                    .is_some_and(super::line::Word::has_number)
            };
            let month = words::MONTHS_WITH_CAPITAL.contains(folded)
                && ((word.is_capitalised() && !line.begins(at))
                    || figure(at.checked_sub(1))
                    || figure(Some(at + 1)));
            let tomorrow = folded == "manana" && !words::MORNING.contains(line.word_before(at, 1));
            !word.named && (month || tomorrow || words::DAYS.contains(folded))
        })
}

/// Whether a sentence says that something is done, or will be, that only a customer may do.
fn is_action(sentence: &str, asks: bool) -> bool {
    let spoken: Vec<&str> = sentence.split_whitespace().collect();
    let near = |at: usize, most: usize, of: &words::Words| {
        spoken
            .iter()
            .skip(at + 1)
            .take(most)
            .any(|word| of.contains(word))
    };
    let done = spoken.iter().enumerate().any(|(at, &word)| {
        (words::FIRST_PERSON.contains(word) && near(at, 4, &words::DONE))
            || (words::BECOMES.contains(word) && near(at, 2, &words::DONE_TO))
            || (words::DEALS.contains(word) && near(at, 4, &words::DONE_TO))
            || (words::DONE_TO.contains(word) && near(at, 3, &words::DEALS))
            || (words::ME.contains(word) && near(at, 1, &words::DONE_BY_ME))
    });
    // "Reservado." says it all.
    let short = spoken.len() <= 3 && spoken.iter().any(|word| words::DONE_TO.contains(word));
    let doing = spoken.windows(3).any(|three| {
        let acts = |verb: &str| words::STEMS.iter().any(|stem| verb.starts_with(stem));
        matches!(three, ["acabo" | "acabamos", "de", verb] | ["voy" | "vamos" | "procedo", "a", verb] if acts(verb))
    });
    let offers = asks || words::OFFERS.stand_in(sentence);
    let promised = || {
        let will = spoken.windows(3).any(|three| {
            matches!(three, ["i" | "we", "ll" | "will" | "shall", verb] if words::WILL_DO_ENGLISH.contains(verb))
        });
        will || words::WILL_DO.stand_in(sentence)
    };
    done || doing
        || (short && !asks)
        || words::DONE_DEALS.stand_in(sentence)
        || (!offers && promised())
}
