use super::*;
use crate::shop::clock;

fn shown(message: &str) -> String {
    let times = Times::of(message);
    let minutes = times.hour.map(Hour::minutes).unwrap_or_default();
    let minutes = minutes.iter().map(|minutes| clock(*minutes));
    let mut shown: Vec<String> = minutes.collect();
    shown.extend(times.part.map(|part| format!("{part:?}")));
    let bound = |name: &str, hour: Option<Hour>| {
        let minutes = hour.map(Hour::minutes)?.into_iter();
        let minutes = minutes.map(clock);
        Some(format!("{name} {}", minutes.collect::<Vec<_>>().join(" ")))
    };
    shown.extend(bound("after", times.after));
    shown.extend(bound("before", times.before));
    shown.extend(times.weeks.map(|weeks| format!("{weeks} weeks")));
    shown.extend(times.days.map(|days| format!("{days} days")));
    shown.extend(times.shift.map(|minutes| format!("{minutes:+} minutes")));
    for (is, name) in [
        (times.is_earliest, "earliest"),
        (times.is_anyone, "anyone"),
        (times.is_open, "open"),
        (times.is_same_time, "same time"),
        (times.is_same_day, "same day"),
        (times.is_this_week, "this week"),
        (times.is_next_week, "next week"),
        (times.is_first_thing, "first thing"),
        (times.is_last_thing, "last thing"),
        (times.is_another, "another"),
        (times.asks_length, "how long"),
    ] {
        shown.extend(is.then(|| name.to_owned()));
    }
    shown.join(" ")
}

#[test]
fn times_are_read_in_every_language() {
    for (message, expected) in [
        ("el viernes a las 10", "10:00 22:00"),
        ("a las seis", "18:00 06:00"),
        ("¿y a las seis y media?", "18:30 06:30"),
        ("a las 17:30", "17:30"),
        ("a las 9.15", "09:15 21:15"),
        ("a las 09:15", "09:15"),
        ("a las 5 de la tarde", "17:00 Afternoon"),
        ("a las nueve de la mañana", "09:00 Morning"),
        ("a las doce menos cuarto", "11:45 23:45"),
        ("a la una", "13:00 01:00"),
        ("sobre las once y veinte", "11:20 23:20"),
        ("mañana por la tarde a las 6", "18:00 Afternoon"),
        ("mañana por la mañana", "Morning"),
        ("mañana", ""),
        ("lo antes posible", "earliest"),
        ("con quien sea", "anyone"),
        ("mejor el jueves a la misma hora", "same time"),
        ("la semana que viene", "next week"),
        ("quiero 2 cortes", ""),
        ("el 8 de enero", ""),
        ("tengo 30 años", ""),
        ("friday at 10", "10:00 22:00"),
        ("at half past ten", "10:30 22:30"),
        ("at quarter to six", "17:45 05:45"),
        ("5pm", "17:00"),
        ("5:30 pm", "17:30"),
        ("10 am on Monday", "10:00"),
        ("tomorrow afternoon", "Afternoon"),
        ("as soon as possible with anyone", "earliest anyone"),
        ("às 15h", "15:00"),
        ("às dez e meia", "10:30 22:30"),
        ("às 10 da manhã", "10:00 Morning"),
        ("sexta à tarde", "Afternoon"),
        ("às 18h30", "18:30"),
        ("ao meio-dia", "12:00"),
        ("tanto faz", "open"),
        ("depois das 18", "after 18:00"),
        ("después de las seis", "after 18:00 06:00"),
        ("before noon", "before 12:00"),
        ("antes de las 12", "before 12:00"),
        ("el 9 a primera hora", "first thing"),
        ("a última hora", "last thing"),
        ("dentro de dos semanas", "2 weeks"),
        ("in 3 weeks", "3 weeks"),
        ("a week on tuesday", "2 weeks"),
        ("às 11 e 15", "11:15 23:15"),
        ("trabajo hasta las 5, después de las 6", "after 18:00 06:00"),
        ("um quarto para as sete", "18:45 06:45"),
        ("Buenas tardes, ¿el martes a las 11?", "11:00 23:00"),
        ("at 6 PM, no wait, make that noon", "12:00"),
        ("a las 5, digo, a las 6", "18:00 06:00"),
        ("mon 10am... no actually make it 12", "12:00"),
        ("entre las 5 y las 6", "17:00 05:00"),
        ("after work", "Evening"),
        ("la semana q viene x la mañana", "Morning next week"),
        ("en tres días", "3 days"),
        ("daqui a 10 dias", "10 days"),
        ("can u push it back an hour", "+60 minutes"),
        ("una hora y media más tarde", "+90 minutes"),
        ("media hora antes", "-30 minutes"),
        ("uma hora mais cedo, pode ser?", "-60 minutes"),
        ("antes, si puede ser a las 5", "17:00 05:00"),
        ("otra para su hermana", "another"),
        ("¿y cuánto dura?", "how long"),
        ("how long does it take?", "how long"),
        ("quanto tempo demora?", "how long"),
    ] {
        assert_eq!(shown(message), expected, "{message}");
    }
    for (message, expected) in [
        ("10", Some(vec![600, 1320])),
        ("las diez", Some(vec![600, 1320])),
        ("diez y media", Some(vec![630, 1350])),
        ("17:30", Some(vec![1050])),
        ("Rayuela", None),
        ("10 cortes", None),
    ] {
        let answer = Times::answer(message).map(Hour::minutes);
        assert_eq!(answer, expected, "{message}");
    }
}
