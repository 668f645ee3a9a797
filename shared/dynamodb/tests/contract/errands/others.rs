//! Dialogues that were written by people who had seen nothing of the program, by what the customer has in the end.

use serde::Deserialize;

use super::salon::Salon;

/// A conversation that somebody has written who knew the salon, and nothing of how it is understood.
#[derive(Deserialize)]
struct Dialogue {
    lang: String,
    say: Vec<String>,
    has: Vec<String>,
}

/// Of the dialogues of a file, by what the customer has in the end: how many there are, and those that do not come to what was wanted.
async fn misses(file: &str) -> (usize, Vec<String>) {
    let folder = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/contract/errands/dialogues"
    );
    let dialogues = std::fs::read_to_string(format!("{folder}/{file}.jsonl")).unwrap();
    let mut misses = Vec::new();
    for line in dialogues.lines() {
        let Dialogue { lang, say, has } = serde_json::from_str(line).unwrap();
        let salon = Salon::open().await;
        let messages: Vec<&str> = say.iter().map(String::as_str).collect();
        let said = salon.talk("ana", &lang, &messages).await;
        let had = salon.has("ana").await;
        if had != has {
            misses.push(format!("{said}\n{had:?}, and not {has:?}"));
        }
    }
    (dialogues.lines().count(), misses)
}

/// Those that were looked at: each has shown what was to be mended.
#[tokio::test]
async fn most_dialogues_of_others_come_to_what_was_wanted() {
    for file in ["first", "second", "third", "fourth", "fifth"] {
        let (all, misses) = misses(file).await;
        let count = misses.len();
        println!("{file}: {} of {all}", all - count);
        assert!(
            count * 8 <= all,
            "{file}: {count} of {all}:\n{}",
            misses.join("\n\n")
        );
    }
}

/// The same of some that nothing was fitted to, of which nothing is shown for that reason.
#[tokio::test]
async fn most_dialogues_that_are_kept_apart_come_to_what_was_wanted() {
    let (all, misses) = misses("kept_apart").await;
    let count = misses.len();
    println!("kept apart: {} of {all}", all - count);
    assert!(count * 12 <= all, "{count} of {all}");
}
