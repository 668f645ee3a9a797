//! `shop_info`: the shop's profile, in lines.

use time::OffsetDateTime;

use super::{Access, NoArguments, Tool, Wanted, arguments, parameters};
use crate::shop::{Exception, Interval, Locale, Place, Weekday};

/// Most days with other hours, and most branches, that are listed: an answer has few lines.
const LISTED_MAX: usize = 3;

pub(super) static TOOL: Tool = Tool {
    name: "shop_info",
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
    let parts = [
        ("shop-hours", weekdays(locale)),
        ("shop-exceptions", exceptions(locale, now)),
        ("shop-contact", contact(locale)),
        ("shop-places", places(locale)),
    ];
    let parts = parts.into_iter().filter(|(_, parts)| !parts.is_empty());
    let parts =
        parts.map(|(key, parts)| locale.message(key, &[("list", (&parts.join("; ")).into())]));
    std::iter::once(locale.text("shop-sells"))
        .chain(parts)
        .collect()
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

fn contact(locale: Locale<'_>) -> Vec<String> {
    let contact = &locale.shop.contact;
    let whatsapp = contact.whatsapp.as_ref();
    let whatsapp = whatsapp.map(|number| format!("WhatsApp {number}"));
    let parts = [
        contact.phone.clone(),
        whatsapp,
        contact.email.clone(),
        contact.url.clone(),
    ];
    parts.into_iter().flatten().collect()
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
}
