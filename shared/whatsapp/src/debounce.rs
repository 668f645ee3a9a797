//! Several messages that a customer sends in a row are one turn.

use time::{Duration, OffsetDateTime};

use crate::{ids::MessageId, private::Private};

/// When a row of messages is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// So long nothing more has come.
    pub silence: Duration,
    /// So long after the first message at the latest.
    pub most: Duration,
    /// Most characters of a turn: what goes beyond is a turn of its own.
    pub chars_max: usize,
}

impl Default for Rule {
    /// Two seconds of silence, eight in all, and the 4,000 characters of a turn.
    fn default() -> Self {
        Self {
            silence: Duration::seconds(2),
            most: Duration::seconds(8),
            chars_max: 4000,
        }
    }
}

/// A message as it has come in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrival {
    pub id: MessageId,
    /// By the clock of who received it.
    pub received_at: OffsetDateTime,
    /// By the platform's clock, in whole seconds.
    pub sent_at: OffsetDateTime,
    pub text: Private,
    /// A choice that was tapped: nothing is joined to it, and nobody waits for more.
    pub is_choice: bool,
}

/// A turn that is ready, or will be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Burst {
    /// The messages that it answers, first to last.
    pub ids: Vec<MessageId>,
    /// Their texts, each on a line of its own, without those that are empty.
    pub text: Private,
    /// Before that more may come.
    pub due_at: OffsetDateTime,
}

impl Burst {
    #[must_use]
    pub fn is_over(&self, now: OffsetDateTime) -> bool {
        now >= self.due_at
    }
}

/// The turns that arrivals make, in their order. Arrivals come in any order and more than once; which turn a message belongs
/// to does not depend on that.
#[must_use]
pub fn bursts(arrivals: &[Arrival], rule: Rule) -> Vec<Burst> {
    let mut bursts: Vec<Open> = Vec::new();
    for arrival in in_order(arrivals) {
        match bursts.last_mut() {
            Some(last) if last.takes(arrival, rule) => last.take(arrival, rule),
            Some(_) | None => bursts.push(Open::of(arrival, rule)),
        }
    }
    // What has a successor is over: whoever waits, waits for the last.
    let closed_at: Vec<OffsetDateTime> = bursts.iter().map(|burst| burst.first_at).collect();
    let next_at = closed_at.into_iter().skip(1).map(Some).chain([None]);
    let ready = bursts.into_iter().zip(next_at);
    ready.map(|(burst, next)| burst.close(next)).collect()
}

/// Each message once, by the time of its first arrival; those of the same instant by the platform's clock, then by id.
fn in_order(arrivals: &[Arrival]) -> Vec<&Arrival> {
    let mut sorted: Vec<&Arrival> = arrivals.iter().collect();
    sorted.sort_by_key(|arrival| (arrival.received_at, arrival.sent_at, &arrival.id));
    let mut seen = std::collections::BTreeSet::new();
    sorted.retain(|arrival| seen.insert(&arrival.id));
    sorted
}

struct Open<'a> {
    parts: Vec<&'a Arrival>,
    first_at: OffsetDateTime,
    due_at: OffsetDateTime,
    chars: usize,
}

impl<'a> Open<'a> {
    fn of(arrival: &'a Arrival, rule: Rule) -> Self {
        let mut burst = Self {
            parts: Vec::new(),
            first_at: arrival.received_at,
            due_at: arrival.received_at,
            chars: 0,
        };
        burst.take(arrival, rule);
        burst
    }

    fn takes(&self, arrival: &Arrival, rule: Rule) -> bool {
        let is_alone = arrival.is_choice || self.parts.iter().any(|part| part.is_choice);
        let chars = self.chars + 1 + arrival.text.expose().chars().count();
        !is_alone && arrival.received_at < self.due_at && chars <= rule.chars_max
    }

    fn take(&mut self, arrival: &'a Arrival, rule: Rule) {
        self.chars += 1 + arrival.text.expose().chars().count();
        self.parts.push(arrival);
        self.due_at = if arrival.is_choice {
            arrival.received_at
        } else {
            let silent_at = arrival.received_at.saturating_add(rule.silence);
            silent_at.min(self.first_at.saturating_add(rule.most))
        };
    }

    fn close(mut self, next_at: Option<OffsetDateTime>) -> Burst {
        // As they were written, where they came in otherwise.
        self.parts.sort_by_key(|part| part.sent_at);
        let texts = self.parts.iter().map(|part| part.text.expose().trim());
        let texts: Vec<&str> = texts.filter(|text| !text.is_empty()).collect();
        Burst {
            ids: self.parts.iter().map(|part| part.id.clone()).collect(),
            text: Private::new(texts.join("\n")),
            due_at: next_at.map_or(self.due_at, |next| self.due_at.min(next)),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(seconds: f64) -> OffsetDateTime {
        OffsetDateTime::UNIX_EPOCH + Duration::days(20_000) + Duration::seconds_f64(seconds)
    }

    fn arrival(id: usize, seconds: f64, text: &str) -> Arrival {
        let sent_at = at(seconds).replace_nanosecond(0).unwrap();
        Arrival {
            id: MessageId::new(&format!("wamid.{id:03}")).unwrap(),
            received_at: at(seconds),
            sent_at,
            text: Private::new(text),
            is_choice: text.starts_with('['),
        }
    }

    fn check(given: &[(f64, &str)], expected: &[(f64, &str)]) {
        let given = given.iter().enumerate();
        let given: Vec<Arrival> = given
            .map(|(id, (time, text))| arrival(id, *time, text))
            .collect();
        let bursts = bursts(&given, Rule::default());
        let found: Vec<(OffsetDateTime, &str)> = bursts
            .iter()
            .map(|burst| (burst.due_at, burst.text.expose()))
            .collect();
        let expected: Vec<_> = expected
            .iter()
            .map(|(time, text)| (at(*time), *text))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn messages_in_a_row_are_one_turn() {
        check(&[], &[]);
        check(&[(0.0, "hola")], &[(2.0, "hola")]);
        check(
            &[(0.0, "hola"), (1.0, "¿tienen"), (2.5, " el Quijote?")],
            &[(4.5, "hola\n¿tienen\nel Quijote?")],
        );
        check(
            &[(0.0, "hola"), (2.0, "otra cosa")],
            &[(2.0, "hola"), (4.0, "otra cosa")],
        );
        // Whoever writes on and on is answered after eight seconds.
        let on_and_on = [
            (0.0, "a"),
            (1.5, "b"),
            (3.0, "c"),
            (4.5, "d"),
            (6.0, "e"),
            (7.5, "f"),
            (8.5, "g"),
        ];
        check(&on_and_on, &[(8.0, "a\nb\nc\nd\ne\nf"), (10.5, "g")]);
        check(
            &[(0.0, "a"), (1.0, "[sí]"), (1.5, "b")],
            &[(1.0, "a"), (1.0, "[sí]"), (3.5, "b")],
        );
        check(&[(0.0, ""), (1.0, "  "), (1.5, "b")], &[(3.5, "b")]);
        let long = "x".repeat(3000);
        check(&[(0.0, &long), (1.0, &long)], &[(1.0, &long), (3.0, &long)]);
    }

    #[test]
    fn messages_that_overtook_each_other_are_joined_as_they_were_written() {
        let mut second = arrival(1, 0.0, "el Quijote?");
        second.sent_at = at(5.0);
        let mut first = arrival(2, 0.5, "¿tienen");
        first.sent_at = at(4.0);
        let bursts = bursts(&[second, first], Rule::default());
        assert_eq!(bursts[0].text.expose(), "¿tienen\nel Quijote?");
    }

    fn some_arrivals() -> impl Strategy<Value = Vec<Arrival>> {
        let one = (0.0_f64..30.0, "[a-c\\[ ]{0,5}");
        prop::collection::vec(one, 0..20).prop_map(|all| {
            let all = all.iter().enumerate();
            all.map(|(id, (time, text))| arrival(id, *time, text))
                .collect()
        })
    }

    proptest! {
        #[test]
        fn each_message_is_in_one_turn(arrivals in some_arrivals()) {
            let rule = Rule::default();
            let bursts = bursts(&arrivals, rule);
            let mut ids: Vec<_> = bursts.iter().flat_map(|burst| burst.ids.clone()).collect();
            ids.sort();
            let mut expected: Vec<_> = arrivals.iter().map(|arrival| arrival.id.clone()).collect();
            expected.sort();
            prop_assert_eq!(ids, expected);
            for burst in &bursts {
                let of = arrivals.iter().filter(|arrival| burst.ids.contains(&arrival.id));
                let first = of.map(|arrival| arrival.received_at).min().unwrap();
                prop_assert!(first <= burst.due_at && burst.due_at <= first + rule.most);
            }
            prop_assert!(bursts.is_sorted_by_key(|burst| burst.due_at));
        }

        #[test]
        fn order_and_redelivery_change_nothing(arrivals in some_arrivals(), seed in any::<u64>()) {
            let expected = bursts(&arrivals, Rule::default());
            let mut shuffled = arrivals.clone();
            let late = arrivals.iter().cloned().map(|mut arrival| {
                arrival.received_at += Duration::days(1);
                arrival
            });
            shuffled.extend(late);
            fastrand::Rng::with_seed(seed).shuffle(&mut shuffled);
            prop_assert_eq!(bursts(&shuffled, Rule::default()), expected);
        }

        /// A turn that was over stays as it was, whatever comes after it.
        #[test]
        fn what_is_over_does_not_change(arrivals in some_arrivals(), now in 0.0_f64..30.0) {
            let now = at(now);
            let (before, _): (Vec<_>, Vec<_>) = arrivals.iter().cloned().partition(|arrival| arrival.received_at <= now);
            let over: Vec<_> = bursts(&before, Rule::default()).into_iter().filter(|burst| burst.is_over(now)).collect();
            let whole = bursts(&arrivals, Rule::default());
            prop_assert_eq!(&whole[..over.len()], &over[..]);
        }
    }
}
