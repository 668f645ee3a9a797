//! What a message does not want done.

use super::agreement::without_agreement;
use crate::{
    language::{Language, List, Phrases},
    text::words,
    understand::{Change, intent::turns_down},
};

/// Whether a message forbids what it speaks of: "no añadas Solaris", and not "no, añade Solaris"; what is not wanted any more is not to
/// be added, and may be taken out. Only its beginning tells: further on, the same word may deny nothing in another language, as in "no
/// carrinho".
pub(crate) fn forbids(message: &str, change: Change) -> bool {
    // "Bota um no carrinho" denies nothing in its own language.
    let own = Language::of_text(message).map(|language| language.phrases(List::Agreement));
    let of_all = forbids_by(List::Agreement.in_all(), message, change);
    of_all && own.is_none_or(|own| forbids_by(own, message, change))
}

fn forbids_by(agreement: &Phrases, message: &str, change: Change) -> bool {
    let said = words(message);
    let mut at = 0;
    while let Some(found) = agreement.at(&said[at..]) {
        // "Nah, changed my mind, take it out" wants that done.
        let mut no = said[at..].iter().take(found.words);
        let is_particle = no.any(|word| List::Markers.in_all().stands(word, "negation"));
        let forbids =
            (found.key == "no" && is_particle) || (found.key == "unwanted" && change.is_of_item());
        if turns_down(found.key) {
            // The clause with the no in it, where it has nothing else in it: "uf, no. Cancela el pedido".
            let mut clauses = message.split([',', '.', ';', ':', '!', '–', '—', '\n']);
            let with_no = clauses.find(|clause| {
                let said = words(clause);
                (0..said.len()).any(|at| {
                    let found = agreement.at(&said[at..]);
                    found.is_some_and(|found| turns_down(found.key))
                })
            });
            let is_set_off = clauses.next().is_some()
                && with_no.is_some_and(|clause| without_agreement(clause).0.is_empty());
            let is_said_again = || denies_change(&said[at + found.words..]);
            let has_more = at + found.words < said.len();
            return forbids && has_more && (!is_set_off || is_said_again());
        }
        at += found.words.max(1);
    }
    false
}

/// Whether some words deny a change: "pensando bem não cancela", and not "no carrinho".
fn denies_change(said: &[String]) -> bool {
    let agreement = List::Agreement.in_all();
    (0..said.len()).any(|at| {
        let no = agreement.at(&said[at..]).filter(|found| found.key == "no");
        let behind = no.and_then(|no| said.get(at + no.words));
        behind.is_some_and(|word| super::is_change(word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_forbids_wants_nothing_done() {
        use Change::{AddToCart, CancelOrder, ClearCart, RemoveFromCart};
        for (message, change, forbidden) in [
            ("no añadas Solaris al carrito", AddToCart, true),
            ("don't add Solaris", AddToCart, true),
            ("please don't add Solaris", AddToCart, true),
            ("não adicione Solaris ao carrinho", AddToCart, true),
            ("no quiero Solaris en el carrito", AddToCart, true),
            ("don't cancel my order", CancelOrder, true),
            ("dont cancel it", CancelOrder, true),
            ("no, do not cancel it, leave it", CancelOrder, true),
            ("no vacíes el carrito", ClearCart, true),
            ("ya no quiero Solaris, quítalo", RemoveFromCart, false),
            ("I don't want Solaris any more", RemoveFromCart, false),
            ("cancela mi pedido", CancelOrder, false),
            ("nah changed my mind take it out", RemoveFromCart, false),
            ("don't take it out", RemoveFromCart, true),
            ("no, añade Solaris", AddToCart, false),
            ("no. añade Solaris", AddToCart, false),
            ("uf, no. cancela el pedido", CancelOrder, false),
            ("ok no really, clear everything", ClearCart, false),
            ("No! Add Solaris", AddToCart, false),
            ("añade Solaris", AddToCart, false),
            ("põe Solaris no carrinho", AddToCart, false),
            ("bota um no carrinho", AddToCart, false),
            ("no", AddToCart, false),
            ("não, pensando bem não cancela", CancelOrder, true),
        ] {
            assert_eq!(forbids(message, change), forbidden, "{message}");
        }
    }
}
