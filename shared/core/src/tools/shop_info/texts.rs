//! The shop's own texts: its policies and its documents, told word for word.

use std::{collections::BTreeMap, mem::replace};

use super::ShopAnswer;
use crate::{
    files::Citation,
    language::List,
    shop::Locale,
    text::words,
    understand::topic::{Topic, topics},
};

/// Most passages of an answer.
const PASSAGES_MAX: usize = 2;
/// Surer than this, something is about a topic by its name.
const SURE_OF_NAME: f32 = 0.8;
/// How much a passage of the question's topic is nearer to it, in words that it alone has; and how much a policy is, which is about
/// its topic and nothing else.
const TOPIC_WEIGHT: f32 = 2.0;
const POLICY_WEIGHT: f32 = 0.5;
/// What part of the question's words a passage has to have where nothing else speaks for it: of a question whose topic is known, and of
/// another.
const SHARE_MIN: [f32; 2] = [0.7, 0.3];

/// Something that the shop says, under a name, and what it is found by.
struct Candidate<'a> {
    name: String,
    topic: Topic,
    is_policy: bool,
    text: &'a str,
    roots: Vec<String>,
}

/// What the shop's texts say of a question about a topic: what is of that topic, and has most of its words.
pub(super) fn about(question: &str, topic: Topic, locale: Locale<'_>) -> ShopAnswer {
    let passages = passages(locale);
    let mut had: BTreeMap<&str, usize> = BTreeMap::new();
    for root in passages.iter().flat_map(|passage| &passage.roots) {
        *had.entry(root).or_default() += 1;
    }
    let asked = roots(question, locale);
    let near = passages.iter().filter_map(|passage| {
        let shared = asked.iter().filter(|root| passage.roots.contains(root));
        let share = shared.clone().count() as f32 / asked.len().max(1) as f32;
        // A word that many passages have tells little of one.
        let words: f32 = shared
            .filter_map(|root| had.get(root.as_str()))
            .map(|passages| 1.0 / *passages as f32)
            .sum();
        let is_of_topic = topic != Topic::Other && passage.topic == topic;
        let weight = match is_of_topic {
            true if passage.is_policy => words + TOPIC_WEIGHT + POLICY_WEIGHT,
            true => words + TOPIC_WEIGHT,
            false => words,
        };
        let [of_known, of_other] = SHARE_MIN;
        let least = if is_any(topic) { of_other } else { of_known };
        // What is asked of one topic is not answered by another.
        let is_near = is_of_topic || (share >= least && is_open(topic, passage.topic));
        is_near.then_some((weight, words, passage))
    });
    let mut near: Vec<(f32, f32, &Candidate<'_>)> = near.collect();
    near.sort_by(|(one, ..), (other, ..)| other.total_cmp(one));
    // What is much farther than the nearest is not told beside it.
    let least = near.first().map_or(0.0, |(weight, ..)| weight * 0.75);
    let mut is_first = true;
    near.retain(|(weight, words, _)| {
        // Beside the nearest, a passage has to have a word of the question's that no other has.
        replace(&mut is_first, false) || (*words >= 1.0 && *weight >= least)
    });
    near.truncate(PASSAGES_MAX);
    ShopAnswer {
        lines: near.iter().map(|(.., told)| told.text.to_owned()).collect(),
        sources: sources(near.iter().map(|(.., told)| told.name.as_str())),
    }
}

/// The names of what is told, each once.
fn sources<'a>(names: impl Iterator<Item = &'a str>) -> Vec<Citation> {
    let mut sources: Vec<Citation> = Vec::new();
    for name in names {
        if sources.iter().all(|source| source.name != name) {
            sources.push(source(name));
        }
    }
    sources
}

/// Whether a question about `asked` may be answered by what is about `said`, where their words are the same.
fn is_open(asked: Topic, said: Topic) -> bool {
    is_any(asked) || is_any(said) || asked == said
}

/// Whether a topic is no one in particular.
fn is_any(topic: Topic) -> bool {
    matches!(topic, Topic::Other | Topic::About)
}

fn source(name: &str) -> Citation {
    Citation {
        file_id: None,
        name: name.to_owned(),
        page: None,
        text: None,
    }
}

/// All that the shop says in a language.
fn passages(locale: Locale<'_>) -> Vec<Candidate<'_>> {
    let shop = locale.shop;
    let policies = shop.policies.iter().filter_map(|(key, texts)| {
        let text = shop.text(texts, locale.language)?;
        let topic = topic_of(key);
        let name = match message_of(topic) {
            Some(message) => locale.text(message),
            // A key is for programs.
            None => shop.name.clone(),
        };
        Some(Candidate {
            name,
            topic,
            is_policy: true,
            text,
            roots: roots(&format!("{key} {text}"), locale),
        })
    });
    let documents = shop.documents_in(locale.language).flat_map(|document| {
        let name = &document.title;
        document.passages.iter().map(move |passage| Candidate {
            name: name.clone(),
            topic: topic_of(match passage.heading.as_str() {
                "" => name,
                heading => heading,
            }),
            is_policy: false,
            text: &passage.text,
            roots: roots(
                &format!("{name} {} {}", passage.heading, passage.text),
                locale,
            ),
        })
    });
    policies.chain(documents).collect()
}

/// The message that names a topic.
fn message_of(topic: Topic) -> Option<&'static str> {
    match topic {
        Topic::Opening => Some("topic-opening"),
        Topic::Place => Some("topic-place"),
        Topic::Contact => Some("topic-contact"),
        Topic::Delivery => Some("topic-delivery"),
        Topic::Returns => Some("topic-returns"),
        Topic::Payment => Some("topic-payment"),
        Topic::Wrapping => Some("topic-wrapping"),
        Topic::Discount => Some("topic-discount"),
        Topic::Guarantee => Some("topic-guarantee"),
        Topic::About | Topic::Other => None,
    }
}

/// What something is about, by its name.
fn topic_of(name: &str) -> Topic {
    let [(topic, likelihood), ..] = topics(&name.replace('_', " "));
    if likelihood < SURE_OF_NAME {
        return Topic::Other;
    }
    topic
}

/// The beginnings of the words that say something: "envío" and "envíos" begin alike, and "dog" and "dogs" are one.
fn roots(text: &str, locale: Locale<'_>) -> Vec<String> {
    const LETTERS: std::ops::RangeInclusive<usize> = 3..=5;
    let small = [List::Function, List::Light].map(|list| locale.language.phrases(list));
    let markers = locale.language.phrases(List::Markers);
    let words = words(text).into_iter().filter(|word| {
        word.chars().count() >= *LETTERS.start()
            && !small.iter().any(|list| list.has(word))
            && !markers.stands(word, "shop")
    });
    let roots = words.map(|word| {
        let one = word.strip_suffix('s').unwrap_or(&word);
        one.chars().take(*LETTERS.end()).collect()
    });
    let mut roots: Vec<String> = roots.collect();
    roots.sort_unstable();
    roots.dedup();
    roots
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use time::macros::datetime;

    use super::super::{answer, topic_of};
    use crate::shop::Profile;

    fn shop() -> Profile {
        serde_json::from_value(json!({
            "name": "Hilo", "time_zone": "Europe/Madrid",
            "contact": {"phone": "+34 976 000 000"},
            "policies": {
                "returns": {"es": "Treinta días para devolver una prenda sin abrir, en la tienda o por mensajero.", "en": "Thirty days to return a garment."},
                "shipping": {"es": "Enviamos a la península en 48 horas por 3,95 €."},
                "alterations": {"es": "Subimos bajos y arreglamos mangas en la tienda."},
            },
            "documents": [
                {"title": "Niños y mascotas", "language": "es", "passages": [
                    {"heading": "Mascotas", "text": "Los perros son bienvenidos si van atados."},
                    {"heading": "Carritos", "text": "Hay rampa para carritos en la puerta de atrás."},
                ]},
                {"title": "Dogs", "language": "en", "passages": [{"text": "Dogs are welcome on a lead."}]},
            ],
        }))
        .unwrap()
    }

    #[test]
    fn a_question_is_answered_by_what_the_shop_says_of_it_or_not_at_all() {
        let shop = shop();
        let [unknown, contact] = [
            "Eso no lo sé. En la tienda te lo pueden decir.",
            "Contacto: +34 976 000 000",
        ];
        for (question, lines, source) in [
            (
                "¿hacéis envíos a Canarias?",
                &["Enviamos a la península en 48 horas por 3,95 €."][..],
                Some("Envíos"),
            ),
            // None of its words is in the text.
            (
                "¿cuánto tarda en llegarme a casa?",
                &["Enviamos a la península en 48 horas por 3,95 €."],
                Some("Envíos"),
            ),
            (
                "¿y si la quiero devolver?",
                &["Treinta días para devolver una prenda sin abrir, en la tienda o por mensajero."],
                Some("Devoluciones"),
            ),
            (
                "¿arregláis los bajos?",
                &["Subimos bajos y arreglamos mangas en la tienda."],
                Some("Hilo"),
            ),
            (
                "¿puedo entrar con mi perro?",
                &["Los perros son bienvenidos si van atados."],
                Some("Niños y mascotas"),
            ),
            ("¿envolvéis para regalo?", &[unknown, contact], None),
            (
                "¿qué vendéis?",
                &["Soy el asistente automático de Hilo. Aquí vendemos artículos."],
                None,
            ),
            ("¿tenéis parking?", &[unknown, contact], None),
            ("¿hay wifi en la tienda?", &[unknown, contact], None),
        ] {
            let locale = shop.locale(shop.default_language());
            let now = datetime!(2026-12-26 20:00 UTC);
            let answer = answer(question, topic_of(question), locale, now);
            assert_eq!(answer.lines, lines, "{question}");
            let sources = answer.sources.iter().map(|source| source.name.as_str());
            assert_eq!(sources.collect::<Vec<_>>(), source.as_slice(), "{question}");
        }
    }
}
