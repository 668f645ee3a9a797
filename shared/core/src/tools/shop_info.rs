//! `shop_info`: the shop's profile, in lines.

use time::OffsetDateTime;

use super::{Access, NoArguments, Tool, Wanted, arguments, parameters};
use crate::{
    language::List,
    shop::{Exception, Interval, Locale, Place, Weekday},
    text::words,
};

/// Most days with other hours, and most branches, that are listed: an answer has few lines.
const LISTED_MAX: usize = 3;

pub(crate) const NAME: &str = "shop_info";

pub(super) static TOOL: Tool = Tool {
    name: NAME,
    description: "Tells the shopper what the shop says of itself: what it sells, its opening hours, how it is contacted and where it is.",
    access: Access::Anyone,
    parameters: parameters::<NoArguments>,
    read: |call| {
        let NoArguments {} = arguments(call)?;
        Ok(Wanted::ShopInfo)
    },
};

/// The shop's profile, a line for each of its parts that has any.
pub(crate) fn lines(locale: Locale<'_>, now: OffsetDateTime) -> Vec<String> {
    let listed = |key: &str, parts: Vec<String>| {
        let list = parts.join("; ");
        (!list.is_empty()).then(|| locale.message(key, &[("list", (&list).into())]))
    };
    let parts = [
        Some(locale.text("shop-sells")),
        listed("shop-hours", weekdays(locale)),
        listed("shop-exceptions", exceptions(locale, now)),
        locale.contact(),
        listed("shop-places", places(locale)),
    ];
    parts.into_iter().flatten().collect()
}

/// Topics of what a shop does: what its policies do not say of them, nobody knows.
const SERVICES: [&str; 7] = [
    "delivery",
    "discount",
    "guarantee",
    "payment",
    "returns",
    "service",
    "wrapping",
];

/// What the shop says to a question: its policies where they say something of it, else its hours or whatever else the profile has. What
/// it says nothing of, it does not know.
pub(crate) fn told(question: &str, locale: Locale<'_>, now: OffsetDateTime) -> Vec<String> {
    let policies = policies(question, locale);
    let contact = locale.contact();
    if !policies.is_empty() {
        return policies.into_iter().chain(contact).collect();
    }
    let words = words(question);
    let topics = locale.language.phrases(List::Topics);
    let mut topics = topics.all(&words);
    if topics.any(|(_, found)| SERVICES.contains(&found.key)) {
        let unknown = locale.text("shop-unknown");
        return std::iter::once(unknown).chain(contact).collect();
    }
    lines(locale, now)
}

/// What the shop's policies say of a question: those that have most of its words.
fn policies(question: &str, locale: Locale<'_>) -> Vec<String> {
    /// Most that are told.
    const TOLD_MAX: usize = 2;
    /// Letters by which words are alike: "envío" and "envíos".
    const ROOT: usize = 5;
    let roots = |text: &str| -> Vec<String> {
        let function = locale.language.phrases(List::Function);
        let words = words(text).into_iter();
        let words = words.filter(|word| !function.has(word) && word.chars().count() >= ROOT);
        words
            .map(|word| word.chars().take(ROOT).collect())
            .collect()
    };
    let asked = roots(question);
    let policies = locale.shop.policies.iter().filter_map(|(topic, texts)| {
        let text = locale.shop.text(texts, locale.language)?;
        let said = roots(&format!("{topic} {text}"));
        let shared = asked.iter().filter(|root| said.contains(root)).count();
        (shared > 0).then_some((shared, text))
    });
    let mut policies: Vec<(usize, &str)> = policies.collect();
    policies.sort_by_key(|(shared, _)| std::cmp::Reverse(*shared));
    let told = policies.into_iter().take(TOLD_MAX);
    told.map(|(_, text)| text.to_owned()).collect()
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
    let name = |day: Weekday| locale.message("shop-day", &[("day", day.name().into())]);
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

    #[test]
    fn a_question_is_answered_by_the_policy_that_has_its_words_or_not_at_all() {
        let shop: Profile = serde_json::from_value(json!({
            "name": "Hilo", "time_zone": "Europe/Madrid",
            "contact": {"phone": "+34 976 000 000"},
            "policies": {
                "returns": {"es": "Puedes devolver una prenda en 30 días.", "en": "You can return a garment within 30 days."},
                "shipping": {"es": "Los envíos tardan 48 horas."},
            },
        }))
        .unwrap();
        let told = |question: &str| {
            let locale = shop.locale(shop.default_language());
            told(question, locale, datetime!(2026-12-26 20:00 UTC))
        };
        let contact = "Contacto: +34 976 000 000";
        assert_eq!(
            told("¿hacéis envíos a Canarias?"),
            ["Los envíos tardan 48 horas.", contact]
        );
        assert_eq!(
            told("¿y si la quiero devolver?"),
            ["Puedes devolver una prenda en 30 días.", contact]
        );
        assert_eq!(
            told("¿envolvéis para regalo?"),
            ["Eso no lo sé. En la tienda te lo pueden decir.", contact]
        );
        assert_eq!(
            told("¿dónde estáis?").last().map(String::as_str),
            Some(contact)
        );
    }
}
