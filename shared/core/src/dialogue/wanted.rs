//! What is to be done, without what is said around it.

use super::{
    SURE, SURE_OF_ONE,
    agreement::without_agreement,
    place::{Place, place},
    several::joined_parts,
    task::{content, only_copies, says_how_many, says_one},
};
use crate::{
    language::List,
    text::{CLOSING, words},
    understand::{
        Change,
        intent::{Intent, Meant, likely_change, meant},
    },
};

/// What a message wants done, without the no before it and the reason behind it: "ponme 3 que es para un club de lectura",
/// "no espera, mejor ponme Carmilla". Nothing where it says neither.
pub(crate) fn only_change(message: &str) -> Option<String> {
    let behind = behind_no(message);
    let without = without_reason(behind.unwrap_or(message));
    without
        .or_else(|| behind.map(str::to_owned))
        .or_else(|| of_spoken(message))
        .or_else(|| of_own(message))
}

/// The clause that surely wants something of the customer's own changed, or says how many there are to be, where no other one wants or looks
/// for anything: "cancel it" of "cancel it please, found it cheaper elsewhere", "change it to 18" of "the class shrank, change it to 18".
fn of_own(message: &str) -> Option<String> {
    let is_wanted = |clause: &str| {
        let meant = meant(clause);
        let change = Change::of(meant.intent);
        let is_own = change.is_some_and(|change| !change.is_of_item() && !change.is_of_notes());
        let counts = only_copies(clause).is_some() && says_how_many(clause).is_some();
        (is_own && likely_change(clause) >= SURE_OF_ONE) || counts
    };
    let is_beside = |clause: &str| {
        let meant = meant(clause);
        let may_be_change = Change::of(meant.intent).is_some() && meant.confidence >= SURE_OF_EACH;
        let is_search = meant.intent == Intent::Find && meant.confidence >= SURE_OF_ONE;
        is_polite(clause) || !(may_be_change || is_search)
    };
    only_clause(message, is_wanted, is_beside)
}

/// The clause that surely wants something done with what is spoken of, where each other one says for whom, or nothing: "add 5" of "it's
/// for a reading group, add 5". Whether another one has a title in it, the caller sees.
fn of_spoken(message: &str) -> Option<String> {
    let is_wanted = |clause: &str| {
        let meant = meant(clause);
        let change = Change::of(meant.intent);
        let is_sure = change.is_some_and(Change::is_of_item) && meant.confidence >= SURE_OF_ONE;
        is_sure && place(clause, meant) == Some(Place::Any)
    };
    let is_beside = |clause: &str| {
        let said = words(clause);
        let says_for_whom = (0..said.len().saturating_sub(1)).any(|at| is_reason(&said, at));
        says_for_whom || is_polite(clause)
    };
    only_clause(message, is_wanted, is_beside)
}

/// The one clause of several that is wanted, where every other one stands beside it and asks nothing.
fn only_clause(
    message: &str,
    is_wanted: impl Fn(&str) -> bool,
    is_beside: impl Fn(&str) -> bool,
) -> Option<String> {
    /// Most clauses of such a message.
    const MOST: usize = 8;
    let clauses = message.split_inclusive(CLOSING);
    let clauses = clauses.filter(|clause| clause.contains(char::is_alphanumeric));
    let clauses: Vec<&str> = clauses.take(MOST + 1).collect();
    if !(2..=MOST).contains(&clauses.len()) {
        return None;
    }
    let wanted = clauses.iter().position(|clause| is_wanted(clause))?;
    let mut others = clauses.iter().enumerate().filter(|(at, _)| *at != wanted);
    let is_all = others.all(|(_, clause)| is_beside(clause) && !clause.ends_with('?'));
    let wanted = clauses[wanted]
        .trim()
        .trim_end_matches([',', '.', ';', '!']);
    is_all.then(|| wanted.to_owned())
}

/// Whether a clause says nothing but what agrees, thanks or begs pardon.
fn is_polite(clause: &str) -> bool {
    without_agreement(clause) == (Vec::new(), false)
}

/// Whether it is said there for whom something is: "es para".
fn is_reason(said: &[String], at: usize) -> bool {
    let [amounts, markers] = [List::Amounts, List::Markers].map(List::in_all);
    let [is, whom] = &said[at..at + 2] else {
        return false;
    };
    markers.stands(is, "is") && amounts.stands(whom, "whom")
}

/// Surer than this, a part of a message wants a change of its own.
const SURE_OF_EACH: f32 = 0.5;

/// The first of several different changes that a message wants: "quítame una de Rayuela" of "quítame una de Rayuela y haz el pedido".
pub(crate) fn first_change(message: &str) -> Option<String> {
    let parts: Vec<String> = joined_parts(message)
        .iter()
        .map(|part| part.join(" "))
        .collect();
    let wanted = |part: &String| {
        let meant = meant(part);
        let change = Change::of(meant.intent).filter(|change| !change.is_of_notes());
        let change = change.filter(|_| meant.confidence >= SURE_OF_EACH && !only_turns(part));
        // "Reserva Aura", whatever that sounds like as a whole.
        let said = words(part);
        let begun = begins_with_change(&said).filter(|(at, _)| at + 1 < said.len());
        let begun = begun.and_then(|(_, begun)| Change::of(begun.intent));
        let begun = begun.filter(|_| change.is_none_or(Change::is_of_item));
        begun.or(change)
    };
    let first = wanted(parts.first()?)?;
    // "Reserva Patria, dos ejemplares."
    let counts = |part: &String| only_copies(part).is_some();
    // "Al final no lo quiero, anula la reserva" gives its reason first.
    let is_sure = meant(parts.first()?).confidence >= SURE_OF_ONE;
    let is_said_why = |other: Change| !is_sure && first.takes_away() && other.takes_away();
    let markers = List::Markers.in_all();
    let is_other = |part: &String| {
        let other = wanted(part).filter(|other| *other != first && !is_said_why(*other));
        // "Resérvame ese y también el Romancero gitano" says once what is to be done.
        let is_added = markers
            .at(&words(part))
            .is_some_and(|found| found.key == "also");
        // "Então fico com o da Pizarnik, pode reservar?"
        let is_same = other.is_some_and(Change::is_of_item) && content(part).is_empty();
        other.is_some() && !is_added && !is_same && !counts(part)
    };
    let other = parts.iter().position(is_other)?;
    // "Finaliza mas tira o Neuromante": an order comes after what changes it.
    if first == Change::Checkout
        && wanted(&parts[other]).is_some_and(|other| other.reads() == first.reads())
    {
        return Some(parts[other..].join(", "));
    }
    Some(parts[..other].join(", "))
}

/// The word that some begin with, but for small ones, where it says by itself what is to be done with an item: its place, and what it is
/// for. "Añade" of "ahora añade un libro".
pub(crate) fn begins_with_change(said: &[String]) -> Option<(usize, Meant)> {
    /// Surer than this, a word by itself says what is to be done.
    const SURE_OF_WORD: f32 = 0.85;
    let markers = List::Markers.in_all();
    let is_before = |word: &String| {
        List::is_small(word) || markers.stands(word, "meanwhile") || markers.stands(word, "also")
    };
    let at = said.iter().position(|word| !is_before(word))?;
    let meant = meant(&said[at]);
    let is_change = Change::of(meant.intent).is_some_and(Change::is_of_item);
    (is_change && meant.confidence >= SURE_OF_WORD).then_some((at, meant))
}

/// Whether a clause says nothing but that what follows is wanted instead: "pensándolo bien".
fn only_turns(clause: &str) -> bool {
    let (rest, _) = without_agreement(clause);
    let rather = List::References.in_all().at(&rest);
    let rather = rather.filter(|found| found.key == "rather");
    rest.is_empty() || rather.is_some_and(|found| found.words == rest.len())
}

/// What stands behind a no that is set off, where it names something: "no, keep it" is a no.
fn behind_no(message: &str) -> Option<&str> {
    /// So many words may stand beside the no: "no espera".
    const BESIDE: usize = 2;
    let (first, rest) = message.split_once([',', '.', ';', '!', '\n'])?;
    let (beside, denies) = without_agreement(first);
    let rest = rest.trim();
    let names = !content(rest).is_empty();
    // "No, scratch that, just reserve it instead."
    let is_other = || List::References.in_all().says(&words(rest), "rather");
    let is_wish = (names || is_other()) && is_change(rest);
    (denies && beside.len() <= BESIDE && is_wish).then_some(rest)
}

/// What stands before whom or what it is for.
fn without_reason(message: &str) -> Option<String> {
    let [light, markers] = [List::Light, List::Markers].map(List::in_all);
    let said = words(message);
    let reason = (1..said.len().saturating_sub(1)).find(|at| is_reason(&said, *at))?;
    // "Que", "it".
    let joins = |word: &String| light.has(word) || markers.stands(word, "which");
    let joined = usize::from(said[..reason].last().is_some_and(joins));
    let wanted = said[..reason - joined].join(" ");
    // "Ponme uno que sea para niños" says which one.
    let is_of_any = says_one(&said[..reason].join(" "));
    (!wanted.is_empty() && !is_of_any && is_change(&wanted)).then_some(wanted)
}

/// Whether a text wants something done with an item.
fn is_change(text: &str) -> bool {
    let meant = meant(text);
    let change = Change::of(meant.intent);
    change.is_some_and(Change::is_of_item) && meant.confidence >= SURE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_change_is_made_after_another() {
        for (message, first) in [
            (
                "quítame una de Rayuela y haz el pedido",
                Some("quitame una de rayuela"),
            ),
            ("add Dune, then place my order", Some("add dune")),
            (
                "remove one Rayuela and place the order",
                Some("remove one rayuela"),
            ),
            ("tira um Rayuela e fecha o pedido", Some("tira um rayuela")),
            ("ponme Rayuela y Ficciones", None),
            ("haz el pedido", None),
            ("quiero reservar Patria, 2 ejemplares", None),
            ("ponme dos y una para mi hermana", None),
            (
                "pon cien años de soledad y reserva aura de carlos fuentes",
                Some("pon cien anos de soledad"),
            ),
            (
                "finaliza mas tira o Neuromante do carrinho",
                Some("tira o neuromante do carrinho"),
            ),
            ("resérvame ese y también el Romancero gitano", None),
            ("al final no lo quiero, anula la reserva", None),
            ("ay me arrepentí, anulen la reserva", None),
            (
                "quita Rayuela del carrito y anula mi reserva",
                Some("quita rayuela del carrito"),
            ),
        ] {
            assert_eq!(first_change(message).as_deref(), first, "{message}");
        }
    }

    #[test]
    fn what_is_wanted_is_said_among_other_words() {
        for (message, wanted) in [
            ("ponme 3 q es para un club de lectura", Some("ponme 3")),
            (
                "ponme dos de esa, que es para un regalo",
                Some("ponme dos de esa"),
            ),
            (
                "no espera, mejor ponme Carmilla",
                Some("mejor ponme Carmilla"),
            ),
            ("add two, it's for my sister", Some("add two")),
            (
                "põe dois no carrinho, é para a minha mãe",
                Some("poe dois no carrinho"),
            ),
            ("it's for a reading group, add 5", Some("add 5")),
            (
                "¿Me reserva 3 ejemplares? Son para mi círculo de lectura",
                Some("me reserva 3"),
            ),
            ("10 copies, it's for my class", Some("10 copies")),
            (
                "cancel it pls, found it cheaper on ebay",
                Some("cancel it pls"),
            ),
            (
                "sorry the class shrank, change it to 18 copies",
                Some("change it to 18 copies"),
            ),
            (
                "no scratch that, just reserve it for me instead",
                Some("just reserve it for me instead"),
            ),
            ("the last one please, add it to the cart", None),
            ("solo quiero uno, de terror", None),
            ("vacía el carrito, busco una novela de terror", None),
            ("o segundo, põe no carrinho", None),
            ("el de la oruga, añádelo", None),
            ("yes that one! how many left", None),
            ("ponme dos, ¿y hacéis envíos?", None),
            ("no, gracias", None),
            ("busco un libro que es para mi hijo", None),
            ("ponme tres", None),
            ("ponme uno que sea para niños", None),
            ("no lo pongas", None),
            ("no, keep it", None),
        ] {
            assert_eq!(only_change(message).as_deref(), wanted, "{message}");
        }
    }
}
