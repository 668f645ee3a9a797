//! What a wish is by its form, whatever its words look like.

use crate::{
    dialogue::{begins_with_change, forbids, has_had, says_change},
    language::List,
    text::{clauses, words},
    understand::{
        Change, Exclusion, Fact,
        intent::{self, Intent, Meant},
    },
};

/// What is meant by a wish that may look like a change, and by its form or by the whole message is none: "sem Asimov" leaves something out,
/// "cuántos quedan de ese" asks for a fact, and who has read it already wants another one.
pub(super) fn by_form(meant: Meant, wish: &str, message: &str) -> Meant {
    /// Surer than this, it is the change that it looks like.
    const SURE: f32 = 0.7;
    let meant = surer(meant, without_also(wish));
    let meant = begun(meant, wish);
    let may_be_none = Change::of(meant.intent).is_some() && meant.confidence < SURE;
    if meant.intent == Intent::Checkout && ends_talk(message) {
        return intent::meant(message);
    }
    let intent = if has_had(wish) || (may_be_none && Exclusion::is_alone(wish)) {
        Intent::More
    } else if may_be_none && !Fact::alone(wish).is_empty() && !says_change(&beside_facts(wish)) {
        Intent::Pick
    } else {
        meant.intent
    };
    Meant { intent, ..meant }
}

/// The change that is meant without a word that says nothing of what is to be done, where that is surer: "fecha esse pedido também".
fn surer(meant: Meant, rest: Option<String>) -> Meant {
    let other = rest.map(|rest| intent::meant(&rest));
    let other = other.filter(|other| Change::of(other.intent).is_some());
    other
        .filter(|other| other.confidence > meant.confidence)
        .unwrap_or(meant)
}

/// The change that a wish begins with, where the whole is not surely looked for: "añade un libro de Isabel Allende", "agora coloca o
/// estrangeiro do Camus". What is to be done stands before an article or a number: "bota negra" is a boot.
fn begun(meant: Meant, wish: &str) -> Meant {
    /// Surer than this, something is looked for, or anything else wanted, however that begins.
    const SURE_OF_SEARCH: f32 = 0.85;
    const SURE_OF_OTHER: f32 = 0.6;
    let said = words(wish);
    let Some((at, of_word)) = begins_with_change(&said) else {
        return meant;
    };
    let is_object = |word: &String| {
        List::Markers.in_all().stands(word, "article")
            || List::Numerals.in_all().has(word)
            || word.parse::<u32>().is_ok()
    };
    let may_be = match meant.intent {
        Intent::Find => meant.confidence < SURE_OF_SEARCH,
        Intent::Distress => false,
        other => other == of_word.intent || meant.confidence < SURE_OF_OTHER,
    };
    let is_forbidden = Change::of(of_word.intent).is_none_or(|change| forbids(wish, change));
    let is_begun = may_be && said.get(at + 1).is_some_and(is_object) && !is_forbidden;
    match is_begun && of_word.confidence > meant.confidence {
        true => of_word,
        false => meant,
    }
}

/// A wish without "also"; nothing where it does not say so.
fn without_also(wish: &str) -> Option<String> {
    let markers = List::Markers.in_all();
    let said = words(wish);
    let (mut kept, mut at) = (Vec::new(), 0);
    while at < said.len() {
        let also = markers.at(&said[at..]).filter(|found| found.key == "also");
        match also {
            Some(found) => at += found.words,
            None => {
                kept.push(said[at].as_str());
                at += 1;
            }
        }
    }
    (kept.len() < said.len() && !kept.is_empty()).then(|| kept.join(" "))
}

/// The words of a wish that ask for no fact.
fn beside_facts(wish: &str) -> String {
    List::beside(&[List::Facts], &words(wish)).join(" ")
}

/// Whether a message turns something down, thanks or takes leave, and says beside that nothing but that there is no more: "no thanks, that's
/// all" orders nothing.
pub(super) fn ends_talk(message: &str) -> bool {
    let is_end = |intent| matches!(intent, Intent::No | Intent::Thanks | Intent::Goodbye);
    let of_clauses = || clauses(message).map(|clause| intent::meant(clause).intent);
    let is_all = || of_clauses().all(|intent| is_end(intent) || intent == Intent::Checkout);
    clauses(message).nth(1).is_some()
        && is_end(intent::meant(message).intent)
        && of_clauses().any(|intent| intent == Intent::Checkout)
        && is_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_like_a_change_may_be_none_by_its_form() {
        let add = |confidence| Meant {
            intent: Intent::CartAdd,
            confidence,
        };
        for (message, confidence, intent) in [
            ("sem Asimov", 0.5, Intent::More),
            ("cuántos quedan de ese", 0.5, Intent::Pick),
            ("ya lo he leído", 0.9, Intent::More),
            ("cuántos quedan de ese", 0.8, Intent::CartAdd),
            ("añade los que quedan", 0.5, Intent::CartAdd),
            ("¿cuántos ejemplares quedan de ese?", 0.5, Intent::Pick),
            ("Quantos exemplares há desse?", 0.5, Intent::Pick),
        ] {
            let meant = by_form(add(confidence), message, message);
            assert_eq!(meant.intent, intent, "{message}");
        }
    }

    #[test]
    fn what_a_wish_begins_with_is_to_be_done() {
        let find = |confidence| Meant {
            intent: Intent::Find,
            confidence,
        };
        for (message, confidence, intent) in [
            ("añade un libro de Isabel Allende", 0.7, Intent::CartAdd),
            ("agora coloca o estrangeiro do Camus", 0.7, Intent::CartAdd),
            ("adiciona 2 do Saramago", 0.7, Intent::CartAdd),
            ("añade un libro de Isabel Allende", 0.9, Intent::Find),
            ("no añadas el de Isabel Allende", 0.7, Intent::Find),
            ("bota negra", 0.7, Intent::Find),
            ("un libro de Isabel Allende", 0.7, Intent::Find),
            ("busca el de Isabel Allende", 0.7, Intent::Find),
        ] {
            let meant = by_form(find(confidence), message, message);
            assert_eq!(meant.intent, intent, "{message}");
        }
    }

    #[test]
    fn what_is_also_to_be_done_is_what_it_would_be_alone() {
        for message in ["fecha esse pedido também", "place that order as well"] {
            let meant = by_form(intent::meant(message), message, message);
            assert_eq!(meant.intent, Intent::Checkout, "{message}");
        }
    }

    #[test]
    fn who_ends_the_talk_orders_nothing() {
        let order = Meant {
            intent: Intent::Checkout,
            confidence: 0.7,
        };
        let meant = |whole| by_form(order, "é tudo", whole).intent;
        assert_eq!(meant("é tudo, obrigada"), Intent::Thanks);
        assert_eq!(meant("no thanks, that's all"), Intent::No);
        assert_eq!(meant("é tudo"), Intent::Checkout);
    }
}
