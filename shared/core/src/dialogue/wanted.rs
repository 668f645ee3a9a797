//! What is to be done, without what is said around it.

use super::{
    SURE,
    agreement::without_agreement,
    several::joined_parts,
    task::{content, says_one},
};
use crate::{
    language::List,
    text::words,
    understand::{Change, intent::meant},
};

/// What a message wants done with an item, without the no before it and the reason behind it: "ponme 3 que es para un club de lectura",
/// "no espera, mejor ponme Carmilla". Nothing where it says neither.
pub(crate) fn only_change(message: &str) -> Option<String> {
    let behind = behind_no(message);
    let without = without_reason(behind.unwrap_or(message));
    without.or_else(|| behind.map(str::to_owned))
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
        change.filter(|_| meant.confidence >= SURE_OF_EACH)
    };
    let first = wanted(parts.first()?)?;
    let is_other = |part: &String| wanted(part).is_some_and(|other| other != first);
    let other = parts.iter().position(is_other)?;
    Some(parts[..other].join(", "))
}

/// What stands behind a no that is set off, where it names something: "no, keep it" is a no.
fn behind_no(message: &str) -> Option<&str> {
    /// So many words may stand beside the no: "no espera".
    const BESIDE: usize = 1;
    let (first, rest) = message.split_once([',', '.', ';', '!', '\n'])?;
    let (beside, denies) = without_agreement(first);
    let rest = rest.trim();
    let names = !content(rest).is_empty();
    (denies && beside.len() <= BESIDE && names && is_change(rest)).then_some(rest)
}

/// What stands before whom or what it is for.
fn without_reason(message: &str) -> Option<String> {
    let [amounts, light, markers] = [List::Amounts, List::Light, List::Markers].map(List::in_all);
    let said = words(message);
    let is_reason = |at: &usize| {
        let [is, whom] = &said[*at..*at + 2] else {
            return false;
        };
        markers.stands(is, "is") && amounts.stands(whom, "whom")
    };
    let reason = (1..said.len().saturating_sub(1)).find(is_reason)?;
    // "Que", "it", "é que".
    let joined = said[..reason].iter().rev();
    let joined = joined
        .take_while(|word| light.has(word) || markers.stands(word, "which"))
        .count();
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
            ("ponme dos y una para mi hermana", None),
        ] {
            assert_eq!(first_change(message).as_deref(), first, "{message}");
        }
    }

    #[test]
    fn what_is_wanted_is_said_among_other_words() {
        for (message, wanted) in [
            ("ponme 3 q es para un club de lectura", Some("ponme 3")),
            (
                "no espera, mejor ponme Carmilla",
                Some("mejor ponme Carmilla"),
            ),
            ("add two, it's for my sister", Some("add two")),
            (
                "põe dois no carrinho, é para a minha mãe",
                Some("poe dois no carrinho"),
            ),
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
