//! `shop_info`: what the shop says of itself, from its profile and its documents.

mod opening;
mod texts;

use schemars::JsonSchema;
use serde::Deserialize;
use time::OffsetDateTime;

use super::{Access, Tool, Wanted, arguments, parameters};
use crate::{
    files::Citation,
    language::List,
    shop::{Exception, Interval, Locale, Place, Weekday},
    text::words,
    understand::topic::{Topic, topics},
};

/// Most days with other hours, and most branches, that are listed: an answer has few lines.
const LISTED_MAX: usize = 3;

pub(crate) use texts::{Texts, says_all};

pub(crate) const NAME: &str = "shop_info";

pub(super) static TOOL: Tool = Tool {
    name: NAME,
    description: "Tells the shopper what the shop says of itself: opening hours on any day, where it is, how it is contacted, delivery, returns, payment, gift wrapping, discounts, guarantee, and whatever else its own texts say.",
    access: Access::Anyone,
    is_of_business: false,
    parameters: parameters::<Arguments>,
    read: |call| {
        let Arguments { question } = arguments(call)?;
        Ok(Wanted::ShopInfo { question })
    },
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// What the shopper asks, in their own words and language. Without it, the shop tells its hours, contact and places.
    question: Option<String>,
}

/// The shop's profile, a line for each of its parts that has any.
pub(crate) fn lines(locale: Locale<'_>, now: OffsetDateTime) -> Vec<String> {
    let parts = [
        Some(locale.text("shop-sells")),
        listed("shop-hours", weekdays(locale), locale),
        listed("shop-exceptions", exceptions(locale, now), locale),
        locale.contact(),
        listed("shop-places", places(locale), locale),
    ];
    parts.into_iter().flatten().collect()
}

/// A line of several parts; none where there are none.
fn listed(key: &str, parts: Vec<String>, locale: Locale<'_>) -> Option<String> {
    let list = parts.join("; ");
    (!list.is_empty()).then(|| locale.message(key, &[("list", (&list).into())]))
}

/// What the shop says of itself to a question.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct ShopAnswer {
    /// What was asked first.
    pub(crate) lines: Vec<String>,
    /// Where of its own texts that stands.
    pub(crate) sources: Vec<Citation>,
    /// Whether it says nothing of that.
    pub(crate) is_unknown: bool,
    /// Whether it is told for what the question sounds like, and has no word of it.
    pub(crate) is_guess: bool,
}

/// Likelier than this, a question is about its topic.
const SURE: f32 = 0.35;

/// Whether a message asks who it is that speaks: "¿eres un robot o una persona?"
pub(crate) fn asks_who_speaks(message: &str) -> bool {
    /// Within so many words it is said what that may be: "have you a book about a robot" is no such question.
    const APART: usize = 4;
    let markers = List::Markers.in_all();
    let said = words(message);
    let key = |at: usize| markers.at(&said[at..]);
    (0..said.len()).any(|at| {
        let asked = key(at).filter(|found| found.key == "are-you");
        let from = asked.map_or(said.len(), |found| at + found.words);
        (from..said.len().min(from + APART))
            .any(|at| key(at).is_some_and(|found| found.key == "speaker"))
    })
}

/// What a question to the shop is about.
pub(crate) fn topic_of(question: &str) -> Topic {
    if asks_who_speaks(question) {
        return Topic::About;
    }
    let [(topic, likelihood), ..] = topics(question);
    if likelihood < SURE {
        return Topic::Other;
    }
    topic
}

/// What the shop says to a question about a topic, given its texts, and how near the question is in meaning to each of them. What it says
/// nothing of, it does not know.
pub(crate) fn answer(
    (question, likeness): (&str, &[f32]),
    topic: Topic,
    texts: &Texts<'_>,
    (locale, now): (Locale<'_>, OffsetDateTime),
) -> ShopAnswer {
    // "What time does the reading group meet?" is no question for the hours.
    let own = match topic {
        _ if texts.has_nearer(topic, likeness) => Vec::new(),
        Topic::Opening => opening::lines(question, locale, now),
        Topic::Place => place(locale),
        Topic::Contact => locale.contact().into_iter().collect(),
        // Who speaks is said before what they say of what they sell.
        Topic::About => vec![format!("{} {}", locale.who(), locale.text("shop-sells"))],
        _ => Vec::new(),
    };
    let mut answer = match topic {
        // What the hours are, the profile says alone.
        Topic::Opening if !own.is_empty() => ShopAnswer::default(),
        _ => texts.about((question, likeness), topic, locale),
    };
    answer.is_guess &= own.is_empty();
    // "Is there parking?" asks for no address.
    let at = match topic == Topic::Place && says_all(question, 1, locale) {
        true => answer.lines.len(),
        false => 0,
    };
    answer.lines.splice(at..at, own);
    if answer.lines.is_empty() {
        let unknown = locale.text("shop-unknown");
        answer
            .lines
            .extend(std::iter::once(unknown).chain(locale.contact()));
        answer.is_unknown = true;
    }
    answer
}

/// Where the shop is.
fn place(locale: Locale<'_>) -> Vec<String> {
    match locale.shop.places.as_slice() {
        [] => Vec::new(),
        [Place { address, .. }] => vec![locale.message("shop-at", &[("place", address.into())])],
        several => {
            let count = locale.message("shop-branches", &[("count", several.len().into())]);
            std::iter::once(count).chain(places(locale)).collect()
        }
    }
}

/// Days of the week that follow each other and have the same hours are one.
fn weekdays(locale: Locale<'_>) -> Vec<String> {
    if locale.shop.hours.is_empty() {
        return Vec::new();
    }
    let of = |day: &Weekday| {
        locale
            .shop
            .hours
            .get(day.name())
            .map_or(&[][..], |hours| hours)
    };
    let name = |day: Weekday| locale.message("weekday", &[("weekday", day.name().into())]);
    let runs = Weekday::ALL.chunk_by(|one, next| of(one) == of(next));
    let described = runs.filter_map(|run| {
        let (first, last) = (run.first()?, run.last()?);
        let days = match run.len() {
            1 => name(*first),
            _ => {
                let ends = [first, last].map(|day| name(*day));
                locale.message(
                    "shop-days",
                    &[("first", (&ends[0]).into()), ("last", (&ends[1]).into())],
                )
            }
        };
        Some(format!("{days}, {}", hours(of(first), locale)))
    });
    described.collect()
}

fn exceptions(locale: Locale<'_>, now: OffsetDateTime) -> Vec<String> {
    let coming = locale.shop.exceptions_from(now).take(LISTED_MAX);
    let described = coming.map(|exception| {
        let Exception {
            date,
            until,
            hours: open,
            reason,
        } = exception;
        let first = day(date, locale);
        let days = match until.as_ref().map(|until| day(until, locale)) {
            Some(last) => locale.message(
                "shop-dates",
                &[("first", (&first).into()), ("last", (&last).into())],
            ),
            None => first,
        };
        let reason = locale.shop.text(reason, locale.language);
        let reason = reason.map(|reason| format!(" ({reason})"));
        format!(
            "{days}{}, {}",
            reason.unwrap_or_default(),
            hours(open, locale)
        )
    });
    described.collect()
}

/// A date as it is written in the language, from `2026-12-25`.
fn day(date: &str, locale: Locale<'_>) -> String {
    let mut parts = date.splitn(3, '-');
    let mut part = || parts.next().unwrap_or_default();
    let parts = [
        ("year", part().into()),
        ("month", part().into()),
        ("day", part().into()),
    ];
    locale.message("shop-date", &parts)
}

fn hours(open: &[Interval], locale: Locale<'_>) -> String {
    let open: Vec<&str> = open.iter().map(|interval| interval.0.as_str()).collect();
    match open.as_slice() {
        [] => locale.text("shop-closed"),
        open => open.join(", "),
    }
}

fn places(locale: Locale<'_>) -> Vec<String> {
    let places = locale.shop.places.as_slice();
    let listed = places.iter().take(LISTED_MAX);
    let mut described: Vec<String> = listed
        .map(|Place { name, address }| format!("{name}, {address}"))
        .collect();
    if places.len() > LISTED_MAX {
        let more = places.len() - LISTED_MAX;
        described.push(locale.message("and-more", &[("count", more.into())]));
    }
    described
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use time::macros::datetime;

    use super::*;
    use crate::{language::Language, shop::Profile};

    #[test]
    fn it_is_asked_who_speaks() {
        for (message, asks) in [
            ("¿eres un robot o una persona?", true),
            ("are u a robot", true),
            ("am I talking to a real person?", true),
            ("ahah ok. és um robô ou uma pessoa?", true),
            ("vocês são um bot?", true),
            ("have you a book about a robot?", false),
            ("¿el protagonista es un robot?", false),
            ("quiero hablar con una persona", false),
            ("are you open today? it is for a book with a robot", false),
        ] {
            assert_eq!(asks_who_speaks(message), asks, "{message}");
        }
    }

    #[test]
    fn a_shops_hours_and_address_are_rendered() {
        let places = [1, 2, 3, 4].map(|number| Place {
            name: format!("Hilo {number}"),
            address: "Calle Mayor".to_owned(),
        });
        let shop: Profile = serde_json::from_value(json!({
            "name": "Hilo", "time_zone": "Europe/Madrid",
            "noun": {"es": {"one": "prenda", "many": "prendas", "gender": "f"}, "en": {"one": "garment", "many": "garments"}},
            "contact": {"phone": "+34 976 000 000", "whatsapp": "+34 600 000 000"},
            "hours": {"monday": ["10:00-14:00", "17:00-20:30"], "tuesday": ["10:00-14:00", "17:00-20:30"], "saturday": ["10:00-14:30"]},
            "exceptions": [
                {"date": "2026-11-01", "reason": {"es": "Todos los Santos"}},
                {"date": "2026-12-25", "until": "2026-12-26", "reason": {"es": "Navidad", "en": "Christmas"}},
                {"date": "2026-12-27", "hours": ["10:00-14:00"]},
            ],
            "places": places,
        }))
        .unwrap();
        let lines = |tag: &str| {
            let language = Language::all()
                .find(|language| language.tag() == tag)
                .unwrap();
            lines(shop.locale(language), datetime!(2026-12-26 20:00 UTC))
        };
        assert_eq!(
            lines("es"),
            [
                "Aquí vendemos prendas.",
                "Horario: de lunes a martes, 10:00-14:00, 17:00-20:30; de miércoles a viernes, cerrado; sábado, 10:00-14:30; domingo, cerrado",
                "Otros días: del 25/12/2026 al 26/12/2026 (Navidad), cerrado; 27/12/2026, 10:00-14:00",
                "Contacto: +34 976 000 000; WhatsApp +34 600 000 000",
                "Dónde estamos: Hilo 1, Calle Mayor; Hilo 2, Calle Mayor; Hilo 3, Calle Mayor; y 1 más",
            ]
        );
        assert_eq!(
            lines("en")[2],
            "Other days: 2026-12-25 to 2026-12-26 (Christmas), closed; 2026-12-27, 10:00-14:00"
        );
        let midnight = datetime!(2026-12-26 23:00 UTC);
        let later = super::lines(shop.locale(shop.default_language()), midnight);
        assert!(!later[2].contains("Navidad"), "{}", later[2]);
    }
}
