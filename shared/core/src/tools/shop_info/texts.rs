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
/// How near a question is at least to the text that answers it, and how much farther from any other one; and how near where that is not
/// what its words sound like. Of the demo shop's questions in three languages, those that a text answers are at 0.30 to 0.83 to it and 0.13
/// and more apart, and those that none answers at 0.23 at most, or less apart.
const LIKENESS_MIN: f32 = 0.3;
const LIKENESS_APART: f32 = 0.1;
const LIKENESS_SURE: f32 = 0.5;
/// How much nearer such a text is: more than one of the question's topic.
const NEAREST_WEIGHT: f32 = 4.0;
/// What part of the question's words a passage has to have where nothing else speaks for it: of a question whose topic is known, and of
/// another.
const SHARE_MIN: [f32; 2] = [0.7, 0.3];

/// Something that the shop says, under a name.
struct Told<'a> {
    name: String,
    /// What stands above it, or a policy's key.
    heading: &'a str,
    is_policy: bool,
    text: &'a str,
}

impl Told<'_> {
    /// What it is about, by its heading, or else by its name.
    fn topic(&self) -> Topic {
        topic_of(match self.heading {
            "" => &self.name,
            heading => heading,
        })
    }

    /// What it is found by.
    fn roots(&self, locale: Locale<'_>) -> Vec<String> {
        let name = if self.is_policy { "" } else { &self.name };
        let text = format!("{name} {} {}", self.heading, self.text);
        roots(&text, locale)
    }
}

/// All that the shop says in a language.
fn all_told(locale: Locale<'_>) -> impl Iterator<Item = Told<'_>> {
    let shop = locale.shop;
    let policies = shop.policies.iter().filter_map(move |(key, texts)| {
        let name = match message_of(topic_of(key)) {
            Some(message) => locale.text(message),
            // A key is for programs.
            None => shop.name.clone(),
        };
        Some(Told {
            name,
            heading: key,
            is_policy: true,
            text: shop.text(texts, locale.language)?,
        })
    });
    let documents = shop.documents_in(locale.language).flat_map(|document| {
        document.passages.iter().map(|passage| Told {
            name: document.title.clone(),
            heading: &passage.heading,
            is_policy: false,
            text: &passage.text,
        })
    });
    policies.chain(documents)
}

/// What the shop's texts are found by.
pub(crate) struct Texts<'a>(Vec<Candidate<'a>>);

struct Candidate<'a> {
    told: Told<'a>,
    topic: Topic,
    roots: Vec<String>,
}

impl<'a> Texts<'a> {
    /// Those in a language.
    pub(crate) fn of(locale: Locale<'a>) -> Self {
        let candidates = all_told(locale).map(|told| Candidate {
            topic: told.topic(),
            roots: told.roots(locale),
            told,
        });
        Self(candidates.collect())
    }

    /// What a question is compared with in meaning, in their order.
    pub(crate) fn in_full(&self) -> Vec<String> {
        let texts = self.0.iter().map(|Candidate { told, .. }| {
            let heading = match (told.is_policy, told.heading) {
                (true, _) | (false, "") => &told.name,
                (false, heading) => heading,
            };
            format!("{heading}: {}", told.text)
        });
        texts.collect()
    }

    /// Whether a question that sounds like one which the profile answers is surely nearest to a text about something else.
    pub(super) fn has_nearer(&self, topic: Topic, likeness: &[f32]) -> bool {
        let nearest = nearest(likeness, LIKENESS_SURE);
        let nearest = nearest.and_then(|place| self.0.get(place));
        nearest.is_some_and(|nearest| nearest.topic != topic)
    }

    /// What they say of a question about a topic: what is of that topic, and has most of its words, or what is surely nearest to it.
    pub(super) fn about(
        &self,
        (question, likeness): (&str, &[f32]),
        topic: Topic,
        locale: Locale<'_>,
    ) -> ShopAnswer {
        // What is surely of a topic is answered by what is about that, unless another text is as surely nearer; beside what the profile
        // itself says of hours, places and contact, a text may be told that is no farther than others have to be.
        let [(_, sure), ..] = topics(question);
        let has_own = self.0.iter().any(|passage| passage.topic == topic);
        let is_known = !is_any(topic) && (has_own || !topic.is_of_reaching());
        let is_sure = is_known && sure >= SURE_OF_NAME;
        let mut had: BTreeMap<&str, usize> = BTreeMap::new();
        for root in self.0.iter().flat_map(|passage| &passage.roots) {
            *had.entry(root).or_default() += 1;
        }
        let asked = roots(question, locale);
        let shares = |passage: &Candidate<'_>, most: usize| {
            let mut shared = asked.iter().filter(|root| passage.roots.contains(root));
            shared.any(|root| had.get(root.as_str()).is_some_and(|had| *had <= most))
        };
        // "Need an invoice": what pays is asked by none of its words, and a text that is near has one that no other has.
        let speaks_of_topic = || {
            let mut own = self.0.iter().filter(|passage| passage.topic == topic);
            own.any(|passage| shares(passage, self.0.len()))
        };
        // "Where are you?" has no word that a text could be near to.
        let says_more = !asked.is_empty() || !topic.is_of_reaching();
        let [nearest, surely] = [LIKENESS_MIN, LIKENESS_SURE]
            .map(|least| nearest(likeness, least).filter(|_| says_more));
        let nearest = nearest.filter(|place| {
            let speaks = || shares(&self.0[*place], 1) && !speaks_of_topic();
            !is_sure || likeness[*place] >= LIKENESS_SURE || speaks()
        });
        let near = self.0.iter().enumerate().filter_map(|(place, passage)| {
            let is_nearest = nearest == Some(place);
            let shared = asked.iter().filter(|root| passage.roots.contains(root));
            let share = shared.clone().count() as f32 / asked.len().max(1) as f32;
            // A word that many passages have tells little of one.
            let words: f32 = shared
                .filter_map(|root| had.get(root.as_str()))
                .map(|passages| 1.0 / *passages as f32)
                .sum();
            let is_of_topic = topic != Topic::Other && passage.topic == topic;
            let weight = match is_of_topic {
                _ if is_nearest => words + NEAREST_WEIGHT,
                true if passage.told.is_policy => words + TOPIC_WEIGHT + POLICY_WEIGHT,
                true => words + TOPIC_WEIGHT,
                false => words,
            };
            let [of_known, of_other] = SHARE_MIN;
            let least = if is_known { of_known } else { of_other };
            // What is asked of one topic is not answered by another.
            let is_near =
                is_nearest || is_of_topic || (share >= least && is_open(topic, passage.topic));
            is_near.then_some((weight, words, &passage.told))
        });
        let mut near: Vec<(f32, f32, &Told<'_>)> = near.collect();
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
            is_guess: !near.is_empty()
                && sure < SURE_OF_NAME
                && surely.is_none()
                && near.iter().all(|(_, words, _)| *words <= 0.0),
            lines: near.iter().map(|(.., told)| told.text.to_owned()).collect(),
            sources: sources(near.iter().map(|(.., told)| told.name.as_str())),
            ..ShopAnswer::default()
        }
    }
}

/// Whether all that a message says, and that is at least so many words, is in one passage of the shop's texts: "vendem livros em segunda
/// mão?"
pub(crate) fn says_all(message: &str, least: usize, locale: Locale<'_>) -> bool {
    let asked = roots(message, locale);
    let has_all = |told: Told<'_>| {
        let roots = told.roots(locale);
        asked.iter().all(|root| roots.contains(root))
    };
    asked.len() >= least && all_told(locale).any(has_all)
}

/// The place of the text that a question is surely nearest to in meaning.
fn nearest(likeness: &[f32], least: f32) -> Option<usize> {
    let mut by_likeness: Vec<usize> = (0..likeness.len()).collect();
    by_likeness.sort_by(|one, other| likeness[*other].total_cmp(&likeness[*one]));
    let first = *by_likeness.first()?;
    let second = by_likeness.get(1).map_or(0.0, |second| likeness[*second]);
    (likeness[first] >= least && likeness[first] - second >= LIKENESS_APART).then_some(first)
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
    // "Quince euros" asks nothing of fifteen days.
    let small = [List::Function, List::Light, List::Numerals];
    let small = small.map(|list| locale.language.phrases(list));
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

    use super::{
        super::{answer, topic_of},
        Texts,
    };
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
            let texts = Texts::of(locale);
            let answer = answer((question, &[]), topic_of(question), &texts, (locale, now));
            assert_eq!(answer.lines, lines, "{question}");
            let sources = answer.sources.iter().map(|source| source.name.as_str());
            assert_eq!(sources.collect::<Vec<_>>(), source.as_slice(), "{question}");
        }
    }

    /// The cosines are those of the texts in their order: alterations, returns, shipping, pets, prams.
    #[test]
    fn what_is_surely_nearest_in_meaning_is_told() {
        let shop = shop();
        let [pets, prams] = [
            "Los perros son bienvenidos si van atados.",
            "Hay rampa para carritos en la puerta de atrás.",
        ];
        let shipping = "Enviamos a la península en 48 horas por 3,95 €.";
        let returns =
            "Treinta días para devolver una prenda sin abrir, en la tienda o por mensajero.";
        let unknown = "Eso no lo sé. En la tienda te lo pueden decir.";
        let locale = shop.locale(shop.default_language());
        let texts = Texts::of(locale);
        let full = texts.in_full();
        assert_eq!(full.len(), 5);
        assert_eq!(full[2], format!("Envíos: {shipping}"));
        assert_eq!(full[3], format!("Mascotas: {pets}"));
        for (question, likeness, told) in [
            ("¿hay wifi?", [0.1, 0.1, 0.1, 0.2, 0.45], prams),
            // Too far, or as near to another.
            ("¿hay wifi?", [0.1, 0.1, 0.1, 0.1, 0.25], unknown),
            ("¿hay wifi?", [0.1, 0.1, 0.1, 0.4, 0.45], unknown),
            // What is surely of a topic is told of that, unless something else is as surely nearer.
            (
                "¿hacéis envíos a Canarias?",
                [0.1, 0.1, 0.2, 0.4, 0.1],
                shipping,
            ),
            (
                "¿hacéis envíos a Canarias?",
                [0.1, 0.1, 0.2, 0.6, 0.1],
                pets,
            ),
            ("¿dónde estáis?", [0.1, 0.1, 0.1, 0.6, 0.1], pets),
            // A word that one text alone has, and none of the topic's: pets, in a question that sounds like a return.
            (
                "¿puedo devolver algo y venir con perros atados?",
                [0.1, 0.1, 0.1, 0.4, 0.1],
                returns,
            ),
            // Nothing is said of discounts, whatever is near.
            (
                "¿me hacéis un descuento?",
                [0.1, 0.45, 0.1, 0.1, 0.1],
                unknown,
            ),
        ] {
            let now = datetime!(2026-12-26 20:00 UTC);
            let topic = topic_of(question);
            let answer = answer((question, &likeness), topic, &texts, (locale, now));
            assert_eq!(answer.lines[0], told, "{question} {likeness:?}");
        }
    }

    #[test]
    fn what_a_text_says_whole_is_asked_of_the_shop() {
        let shop = shop();
        let locale = shop.locale(shop.default_language());
        for (message, is_said) in [
            ("¿perros atados?", true),
            ("¿arreglamos mangas?", true),
            ("un libro de perros", false),
            ("perros", false),
            ("", false),
        ] {
            assert_eq!(super::says_all(message, 2, locale), is_said, "{message}");
        }
    }
}
