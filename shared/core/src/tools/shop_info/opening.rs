//! When the shop is open: what was asked first, and then what follows from it.

use jiff::civil::Date;
use time::OffsetDateTime;

use super::{exceptions, listed, weekdays};
use crate::{
    shop::{Exception, Interval, Locale, Opening, Weekday, date, in_words},
    text::{capitalised, place_of, words},
    understand::day::{Day, days},
};

/// What is told of opening hours; nothing where the shop has none.
pub(super) fn lines(question: &str, locale: Locale<'_>, now: OffsetDateTime) -> Vec<String> {
    let Some(opening) = locale.shop.opening(now) else {
        return Vec::new();
    };
    let today = locale.shop.date_at(now);
    let mut asked = days(question, today);
    if asked.is_empty() {
        let named = named_exception(question, locale, now);
        asked.extend(named.map(Day::On));
    }
    match asked.as_slice() {
        [] => in_general(&opening, locale, now),
        [Day::Now] => vec![state(&opening, today, locale)],
        asked => {
            let told = asked.iter().map(|day| match day {
                Day::Now | Day::Next => next(&opening, today, locale),
                Day::On(date) => on(*date, today, locale),
                Day::Every(weekday) => every(*weekday, locale),
            });
            let mut lines: Vec<String> = told.collect();
            // "¿A qué hora cerráis hoy?", after closing.
            let is_over = !opening.is_open && changes_on(&opening) != Some(today);
            if let [Day::On(date)] = asked
                && *date == today
                && is_over
                && !locale.shop.hours_on(today).0.is_empty()
            {
                lines.push(state(&opening, today, locale));
            }
            // Who asks for a day on which it is closed wants to know when to come.
            if let [Day::On(date)] = asked
                && locale.shop.hours_on(*date).0.is_empty()
                && let Some(open) = next_open(*date, locale)
            {
                lines.push(on(open, today, locale));
            }
            lines
        }
    }
}

/// The hours of the week, whether it is open now, and other hours to come.
fn in_general(opening: &Opening, locale: Locale<'_>, now: OffsetDateTime) -> Vec<String> {
    let today = locale.shop.date_at(now);
    let lines = [
        listed("shop-hours", weekdays(locale), locale),
        Some(state(opening, today, locale)),
        listed("shop-exceptions", exceptions(locale, now), locale),
    ];
    lines.into_iter().flatten().collect()
}

/// The date on which it opens or closes next.
fn changes_on(opening: &Opening) -> Option<Date> {
    date(&opening.changes_at?.date().to_string())
}

/// Whether it is open now, and until when.
fn state(opening: &Opening, today: Date, locale: Locale<'_>) -> String {
    let Some(changes_at) = opening.changes_at else {
        return locale.text(if opening.is_open {
            "open-now"
        } else {
            "closed-now"
        });
    };
    if opening.is_open && changes_on(opening) != Some(today) {
        // Of what is open past midnight, nobody asks when it closes.
        return locale.text("open-now");
    }
    if opening.is_open {
        let at = time(changes_at);
        return locale.message("open-now-until", &[("time", (&at).into())]);
    }
    let closed = locale.text("closed-now");
    format!("{closed} {}", next(opening, today, locale))
}

/// When it opens next, or that it is open.
fn next(opening: &Opening, today: Date, locale: Locale<'_>) -> String {
    match opening.changes_at {
        Some(opens_at) if !opening.is_open => {
            let date = changes_on(opening);
            let day = date.map(|date| day_name((date, None), today, locale));
            let at = time(opens_at);
            let arguments = [
                ("day", day.as_deref().unwrap_or_default().into()),
                ("time", at.as_str().into()),
            ];
            locale.message("opens-next", &arguments)
        }
        _ => state(opening, today, locale),
    }
}

/// The hours on a date, and why they are not as usual.
fn on(date: Date, today: Date, locale: Locale<'_>) -> String {
    let (open, exception) = locale.shop.hours_on(date);
    let reason = exception.and_then(|Exception { reason, .. }| {
        let reason = locale.shop.text(reason, locale.language)?;
        Some(format!(" ({reason})"))
    });
    let day = day_name((date, reason.as_deref()), today, locale);
    line_of(&day, open, locale)
}

/// The hours on a day of every week.
fn every(weekday: Weekday, locale: Locale<'_>) -> String {
    let open = locale.shop.hours.get(weekday.name());
    let day = locale.message("day-every", &[("weekday", weekday.name().into())]);
    line_of(&day, open.map(Vec::as_slice).unwrap_or_default(), locale)
}

fn line_of(day: &str, open: &[Interval], locale: Locale<'_>) -> String {
    let hours: Vec<String> = open.iter().map(|open| interval(open, locale)).collect();
    let hours = hours.join(&locale.text("hours-and"));
    let arguments = [("day", day.into()), ("hours", (&hours).into())];
    let told = match open {
        [] => locale.message("closed-on", &[("day", day.into())]),
        _ => locale.message("open-on", &arguments),
    };
    capitalised(&told)
}

/// "de 10:00 a 14:00"
fn interval(open: &Interval, locale: Locale<'_>) -> String {
    let (from, to) = open.0.split_once(['-', '–']).unwrap_or((&open.0, ""));
    let ends = [("from", from.trim().into()), ("to", to.trim().into())];
    locale.message("hours-between", &ends)
}

/// A date as people say it, with what is special about it: "mañana, sábado 28 de noviembre,".
fn day_name((date, reason): (Date, Option<&str>), today: Date, locale: Locale<'_>) -> String {
    let near = match date {
        date if date == today => "today",
        date if Some(date) == today.tomorrow().ok() => "tomorrow",
        _ => "other",
    };
    let more = [
        ("near", near.into()),
        ("reason", reason.unwrap_or_default().into()),
    ];
    locale.message("day-on", &[in_words(date).as_slice(), &more].concat())
}

fn time(at: OffsetDateTime) -> String {
    format!("{}:{:02}", at.hour(), at.minute())
}

/// The first day of an exception that a question calls by its reason: "¿abrís por Navidad?".
fn named_exception(question: &str, locale: Locale<'_>, now: OffsetDateTime) -> Option<Date> {
    let said = words(question);
    let mut coming = locale.shop.exceptions_from(now);
    let named = coming.find(|exception| {
        let mut reasons = exception.reason.values();
        reasons.any(|reason| {
            let reason = words(reason);
            !reason.is_empty() && place_of(&reason, &said).is_some()
        })
    })?;
    let today = locale.shop.date_at(now);
    date(&named.date).map(|first| first.max(today))
}

/// The first day after a date on which it is open.
fn next_open(after: Date, locale: Locale<'_>) -> Option<Date> {
    /// So far it is looked for.
    const DAYS: usize = 60;
    let days = std::iter::successors(after.tomorrow().ok(), |date| date.tomorrow().ok());
    let mut days = days.take(DAYS);
    days.find(|date| !locale.shop.hours_on(*date).0.is_empty())
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use time::macros::datetime;

    use super::*;
    use crate::{language::Language, shop::Profile};

    fn shop() -> Profile {
        serde_json::from_value(json!({
            "name": "Hilo", "time_zone": "Europe/Madrid",
            "hours": {
                "monday": ["10:00-14:00", "17:00-20:30"], "tuesday": ["10:00-14:00"],
                "wednesday": ["10:00-14:00", "17:00-20:30"], "thursday": ["10:00-14:00"],
                "friday": ["10:00-14:00"], "saturday": ["10:00-14:30"],
            },
            "exceptions": [
                {"date": "2026-12-24", "hours": ["10:00-13:00"], "reason": {"es": "Nochebuena", "en": "Christmas Eve"}},
                {"date": "2026-12-25", "until": "2026-12-26", "reason": {"es": "Navidad", "en": "Christmas"}},
            ],
        }))
        .unwrap()
    }

    #[test]
    fn what_was_asked_comes_first() {
        let shop = shop();
        // A Wednesday, half past four in the afternoon.
        let now = datetime!(2026-12-02 15:30 UTC);
        let cases = [
            (
                "es",
                "¿abrís hoy?",
                "Hoy, miércoles 2 de diciembre, abrimos de 10:00 a 14:00 y de 17:00 a 20:30.",
            ),
            (
                "es",
                "¿a qué hora abrís el sábado?",
                "El sábado 5 de diciembre abrimos de 10:00 a 14:30.",
            ),
            (
                "es",
                "¿abrís los sábados?",
                "Los sábados abrimos de 10:00 a 14:30.",
            ),
            ("es", "¿abrís los domingos?", "Los domingos cerramos."),
            (
                "es",
                "¿abrís el domingo?",
                "El domingo 6 de diciembre cerramos. El lunes 7 de diciembre abrimos de 10:00 a 14:00 y de 17:00 a 20:30.",
            ),
            (
                "es",
                "¿estáis abiertos ahora?",
                "Ahora está cerrado. Volvemos a abrir hoy, miércoles 2 de diciembre, a las 17:00.",
            ),
            (
                "es",
                "¿cuándo volvéis a abrir?",
                "Volvemos a abrir hoy, miércoles 2 de diciembre, a las 17:00.",
            ),
            (
                "es",
                "¿y en Nochebuena?",
                "El jueves 24 de diciembre (Nochebuena) abrimos de 10:00 a 13:00.",
            ),
            (
                "es",
                "¿abrís mañana?",
                "Mañana, jueves 3 de diciembre, abrimos de 10:00 a 14:00.",
            ),
            (
                "en",
                "are you open on Saturday?",
                "On Saturday, 5 December, we are open from 10:00 to 14:30.",
            ),
            (
                "en",
                "are you open on Sundays?",
                "On Sundays, we are closed.",
            ),
            (
                "en",
                "are you open tomorrow?",
                "Tomorrow, Thursday, 3 December, we are open from 10:00 to 14:00.",
            ),
            (
                "en",
                "are you open now?",
                "We are closed now. We open again today, Wednesday, 2 December, at 17:00.",
            ),
            (
                "pt",
                "abrem no sábado?",
                "No sábado, 5 de dezembro, abrimos das 10:00 às 14:30.",
            ),
            (
                "pt",
                "abrem às segundas?",
                "Às segundas-feiras, abrimos das 10:00 às 14:00 e das 17:00 às 20:30.",
            ),
            (
                "pt",
                "estão abertos agora?",
                "Agora está fechado. Voltamos a abrir hoje, quarta-feira, 2 de dezembro, às 17:00.",
            ),
        ];
        for (tag, question, told) in cases {
            let locale = shop.locale(Language::from_tag(tag).unwrap());
            assert_eq!(lines(question, locale, now).join(" "), told, "{question}");
        }
        let locale = shop.locale(Language::from_tag("es").unwrap());
        let noon = datetime!(2026-12-02 11:00 UTC);
        assert_eq!(
            lines("¿estáis abiertos?", locale, noon)[1],
            "Ahora estamos abiertos, hasta las 14:00."
        );
        let night = datetime!(2026-12-02 21:00 UTC);
        assert_eq!(
            lines("¿abrís hoy?", locale, night)[1],
            "Ahora está cerrado. Volvemos a abrir mañana, jueves 3 de diciembre, a las 10:00."
        );
        let none = Profile::named("Hilo");
        let locale = none.locale(none.default_language());
        assert_eq!(lines("¿abrís hoy?", locale, now), Vec::<String>::new());
    }
}
