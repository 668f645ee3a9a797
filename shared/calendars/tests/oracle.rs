//! Recurrences against an independent implementation, `recurring-ical-events`, which `infra/calendars/recurrences.py` runs.
//!
//! `MOSTRADOR_TEST_RADICALE` names the folder of its Python, as `infra/calendars/check` makes it. `MOSTRADOR_TEST_SEED` and
//! `MOSTRADOR_TEST_RECURRENCES` are the seed and how many are compared.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::{
    path::Path,
    process::Command,
    time::{SystemTime, UNIX_EPOCH},
};

use jiff::tz::TimeZone;
use mostrador_calendars::Reading;
use mostrador_core::booking::{Event, Span, When};
use serde::Deserialize;

/// How many are compared, unless it is said.
const COMPARED: u64 = 2_000;

/// A series, and each time that the oracle finds of it in a window.
#[derive(Deserialize)]
struct Case {
    number: u64,
    zone: String,
    from: String,
    to: String,
    calendar: String,
    times: Vec<[String; 2]>,
    ends_put_right: usize,
    left_out: Option<String>,
}

#[derive(Default)]
struct Figures {
    compared: usize,
    different: usize,
    left_out: usize,
    times: usize,
    ends_put_right: usize,
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// When an event is, as the oracle writes it.
fn written(event: &Event) -> [String; 2] {
    match event.when {
        When::Timed { start, end } => [start.to_string(), end.to_string()],
        When::Days { first, end } => [first.to_string(), end.to_string()],
    }
}

impl Case {
    fn found(&self) -> Vec<[String; 2]> {
        let reading = Reading {
            zone: TimeZone::get(&self.zone).unwrap(),
            owner: None,
        };
        let (from, to) = (self.from.parse().unwrap(), self.to.parse().unwrap());
        let window = Span::new(from, to).unwrap();
        let object = reading.object(&self.calendar, window).unwrap();
        let mut times: Vec<_> = object.events.iter().map(written).collect();
        times.sort();
        times.dedup();
        times
    }
}

#[test]
fn recurrences_are_those_of_another_implementation() {
    let Ok(folder) = std::env::var("MOSTRADOR_TEST_RADICALE") else {
        println!("skipped: recurrences are not compared (no MOSTRADOR_TEST_RADICALE)");
        return;
    };
    let seed = number("MOSTRADOR_TEST_SEED").unwrap_or_else(|| {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        now.as_secs()
    });
    let count = number("MOSTRADOR_TEST_RECURRENCES").unwrap_or(COMPARED);
    println!("recurrences: seed {seed}");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../infra/calendars/recurrences.py");
    let output = Command::new(Path::new(&folder).join("bin/python"))
        .arg(script)
        .args(["--seed", &seed.to_string(), "--count", &count.to_string()])
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let mut figures = Figures::default();
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        let case: Case = serde_json::from_str(line).unwrap();
        if case.left_out.is_some() {
            figures.left_out += 1;
            continue;
        }
        figures.compared += 1;
        figures.times += case.times.len();
        figures.ends_put_right += case.ends_put_right;
        let found = case.found();
        if found != case.times {
            figures.different += 1;
            let missing: Vec<_> = case.times.iter().filter(|it| !found.contains(it)).collect();
            let more: Vec<_> = found.iter().filter(|it| !case.times.contains(it)).collect();
            println!(
                "number {} in {} from {} to {}\nmissing {missing:?}\ntoo many {more:?}\n{}",
                case.number, case.zone, case.from, case.to, case.calendar
            );
        }
    }
    println!(
        "recurrences: {} compared, {} different ({} times, {} ends put right; {} left out)",
        figures.compared,
        figures.different,
        figures.times,
        figures.ends_put_right,
        figures.left_out
    );
    assert_eq!(figures.different, 0);
    assert!(
        figures.left_out * 100 <= figures.compared,
        "too many are left out"
    );
    assert!(
        figures.ends_put_right * 50 <= figures.times,
        "too many ends are put right"
    );
}
