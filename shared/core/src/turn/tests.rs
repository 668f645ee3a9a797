//! Turns as they run, as the log keeps them, and as they are resumed from there.

mod agreed;
mod beside_model;
mod changes;
mod handoff;
mod notes;
mod requests;
mod shop;
mod tools;
mod understood;

use serde_json::{Value, json};
use uuid::Uuid;

use self::shop::{Does, Turn, ana, caller, engine, kept, question, turn, turn_of};
use super::{ChatRequest, Ending, TurnEngine, TurnEvent, TurnFailure, What};
use crate::{
    language::Language,
    log::{Commit, Event, Position, Stored},
    model::{ModelError, StopReason},
};

const QUESTION: &str = "novela de Cortázar";
const REPLY: &str =
    "- «Rayuela», de Julio Cortázar: 18,95 €, 4 ejemplares disponibles.\n- ¿Te la aparto?";

fn replies(words: &'static str) -> Does {
    Does::Replies(words, vec![], StopReason::EndTurn)
}

fn calls(tool: &'static str, arguments: Value) -> Does {
    Does::Replies("", vec![(tool, arguments)], StopReason::ToolUse)
}

fn searches(text: &str) -> Does {
    calls("search_catalog", json!({"text": text}))
}

/// An event in a line: its number, whether it is in the log, its place there, and its content.
fn line(event: &TurnEvent) -> String {
    let mut what = serde_json::to_value(&event.what).unwrap();
    let members = what.as_object_mut().unwrap();
    members.remove("type");
    members.remove("notice");
    if let Some(results) = members.get_mut("results").and_then(Value::as_array_mut) {
        for item in results {
            *item = item["libro_id"].take();
        }
    }
    let seq = event.sequence_number.map(|seq| format!(" at {}", seq.0));
    let state = serde_json::to_value(event.persistence_state).unwrap();
    format!(
        "{} {} ({}{}) {what}",
        event.event_index,
        event.name(),
        state.as_str().unwrap(),
        seq.unwrap_or_default()
    )
}

fn lines(events: &[TurnEvent]) -> String {
    let lines: Vec<String> = events.iter().map(line).collect();
    lines.join("\n")
}

fn log_lines(commits: &[Commit]) -> String {
    let mut lines = Vec::new();
    for commit in commits {
        for (seq, event) in commit.numbered() {
            lines.push(format!("{} {}", seq.0, event.encode()));
        }
        lines.push("--".to_owned());
    }
    lines.join("\n")
}

/// What was emitted, what is in the log, and what is resumed from there: what is in both is emitted alike.
async fn whole(engine: &TurnEngine, turn: &Turn) -> String {
    let commits = kept(&*engine.log).await;
    if commits.is_empty() {
        return lines(&turn.events);
    }
    let from_log = engine.kept_turn(&ana(), turn.turn_id).await.unwrap();
    let replayed = engine.events_after(&from_log, None, Language::default());
    let replayed = replayed.await.unwrap();
    for event in &replayed {
        let mut live = turn.events.iter();
        let live = live.find(|live| live.event_index == event.event_index);
        let live = live.unwrap_or_else(|| panic!("{} was never told", line(event)));
        assert_eq!(live.what, event.what, "{}", line(event));
    }
    format!(
        "{}\n\nin the log:\n{}\n\ntold again:\n{}",
        lines(&turn.events),
        log_lines(&commits),
        lines(&replayed)
    )
}

async fn nothing(_: Uuid) {}

#[tokio::test(start_paused = true)]
async fn a_guest_is_answered_and_nothing_is_kept() {
    let engine = engine(vec![]);
    let turn = turn(&engine, None, QUESTION, nothing).await.unwrap();
    assert_eq!(
        (turn.ending, turn.answer.conversation),
        (Ending::Unkept, None)
    );
    insta::assert_snapshot!(whole(&engine, &turn).await);
}

#[tokio::test(start_paused = true)]
async fn a_customer_is_answered_without_a_model() {
    let engine = engine(vec![]);
    let turn = turn(&engine, Some(ana()), QUESTION, nothing).await.unwrap();
    assert!(matches!(turn.ending, Ending::Kept(_)));
    insta::assert_snapshot!(whole(&engine, &turn).await);
}

#[tokio::test(start_paused = true)]
async fn a_model_looks_for_more_and_answers() {
    let engine = engine(vec![searches("Rulfo"), replies(REPLY)]);
    let turn = turn(&engine, Some(ana()), QUESTION, nothing).await.unwrap();
    assert!(matches!(turn.ending, Ending::Kept(_)));
    insta::assert_snapshot!(whole(&engine, &turn).await);
}

#[tokio::test(start_paused = true)]
async fn a_refusal_is_reported() {
    let refuses = Does::Replies("", vec![], StopReason::Refused);
    let engine = engine(vec![refuses]);
    let turn = turn(&engine, Some(ana()), QUESTION, nothing).await.unwrap();
    insta::assert_snapshot!(whole(&engine, &turn).await);
}

#[tokio::test(start_paused = true)]
async fn a_model_that_is_gone_is_done_without() {
    let gone = ModelError::Unreachable("connection refused".into());
    let engine = engine(vec![Does::Fails(gone)]);
    let turn = turn(&engine, Some(ana()), QUESTION, nothing).await.unwrap();
    insta::assert_snapshot!(whole(&engine, &turn).await);
}

#[tokio::test(start_paused = true)]
async fn a_model_that_hangs_is_waited_for_so_long() {
    let engine = engine(vec![Does::Hangs]);
    let before = tokio::time::Instant::now();
    let turn = turn(&engine, Some(ana()), QUESTION, nothing).await.unwrap();
    assert_eq!(before.elapsed().as_secs(), 21);
    let names_title = turn.answer.message.contains("Rayuela");
    assert!(names_title && matches!(turn.ending, Ending::Kept(_)));
}

#[tokio::test(start_paused = true)]
async fn a_model_that_only_looks_for_more_is_out_of_steps() {
    let engine = engine(vec![
        searches("Rulfo"),
        searches("Borges"),
        searches("Rayuela"),
    ]);
    let turn = turn(&engine, Some(ana()), QUESTION, nothing).await.unwrap();
    insta::assert_snapshot!(whole(&engine, &turn).await);
}

#[tokio::test(start_paused = true)]
async fn a_proposal_waits_for_the_customer() {
    let reserves = calls("reserve_book", json!({"book_id": 1}));
    let engine = engine(vec![reserves]);
    let turn = turn(&engine, Some(ana()), QUESTION, nothing).await.unwrap();
    insta::assert_snapshot!(whole(&engine, &turn).await);
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_turn_has_no_answer() {
    let engine = engine(vec![Does::Hangs]);
    let cancel = async |turn_id| assert!(engine.cancel(&ana(), turn_id).await.unwrap());
    let turn = turn(&engine, Some(ana()), QUESTION, cancel).await.unwrap();
    assert_eq!(turn.ending, Ending::GivenUp);
    insta::assert_snapshot!(lines(&turn.events));
    insta::assert_snapshot!(log_lines(&kept(&*engine.log).await));
}

#[tokio::test(start_paused = true)]
async fn one_turn_at_a_time() {
    let engine = engine(vec![replies(REPLY), replies(REPLY)]);
    let busy = async |_| {
        let second = turn(&engine, Some(ana()), QUESTION, nothing).await;
        assert!(matches!(second, Err(TurnFailure::Busy { .. })));
    };
    turn(&engine, Some(ana()), QUESTION, busy).await.unwrap();
    turn(&engine, Some(ana()), QUESTION, nothing).await.unwrap();
    assert_eq!(kept(&*engine.log).await.len(), 4);
}

/// Somebody else writes between what a turn has read and what it writes: it goes behind that.
#[tokio::test(start_paused = true)]
async fn a_lost_race_is_retried() {
    let engine = engine(vec![]);
    let mut caller = caller(Some(ana()));
    let prepared = engine
        .prepare(&mut caller, question(QUESTION))
        .await
        .unwrap();
    turn(&engine, Some(ana()), "libro 3", nothing)
        .await
        .unwrap();
    let begun = engine.begin(&caller, prepared).await.unwrap();
    let (answer, ending) = engine.finish(&caller, begun, &|_| {}).await;
    assert_eq!(answer.persist_history_confirmation, Some(true));
    let commits = kept(&*engine.log).await;
    let first: Vec<u64> = commits.iter().map(|commit| commit.first_seq.0).collect();
    assert_eq!(first, [1, 6]);
    assert_eq!(ending, Ending::Kept(commits[1].last_seq()));
}

/// What comes while a turn is open does not keep its answer from its place.
#[tokio::test(start_paused = true)]
async fn an_answer_goes_behind_whatever_came_meanwhile() {
    let engine = engine(vec![replies(REPLY)]);
    let rate = async |_| {
        let newest = engine.log.newest(&ana(), None, 1).await.unwrap();
        let rated = vec![Stored::Known(Event::RatingGiven { rating: 5 })];
        let position = Position::after(&newest[0]);
        let id = engine.clock.new_id();
        let rated = Commit::at(position, rated, id, id, engine.clock.now());
        engine.log.put(&ana(), &rated, None).await.unwrap();
    };
    let turn = turn(&engine, Some(ana()), QUESTION, rate).await.unwrap();
    let commits = kept(&*engine.log).await;
    assert_eq!(turn.ending, Ending::Kept(commits[2].last_seq()));
}

/// A turn whose model thinks, with these hints of the caller's.
async fn thinking(hints: &Value) -> (TurnEngine, Turn) {
    const WORDS: &str = "<think>Miro qué hay de Cortázar.\nCuesta 1,00 €.</think>\
        - «Rayuela», de Julio Cortázar: 18,95 €.";
    let engine = engine(vec![replies(WORDS)]);
    let mut body = json!({"message": QUESTION, "enable_thinking": true});
    let hints = hints.as_object().unwrap().clone();
    body.as_object_mut().unwrap().extend(hints);
    let question = ChatRequest::read(body.as_object().unwrap()).unwrap();
    let turn = turn_of(&engine, Some(ana()), question, nothing)
        .await
        .unwrap();
    (engine, turn)
}

/// What is thought after a tool was used comes as well, as long as nothing of the answer has.
#[tokio::test(start_paused = true)]
async fn thoughts_go_on_after_a_tool() {
    let search = ("search_catalog", json!({"text": "Cortázar"}));
    let engine = engine(vec![
        Does::Replies(
            "<think>Miro qué hay de Cortázar.</think>",
            vec![search],
            StopReason::ToolUse,
        ),
        replies("<think>Hay una novela suya.</think>- «Rayuela», de Julio Cortázar: 18,95 €."),
    ]);
    let body = json!({"message": QUESTION, "enable_thinking": true, "persist_thinking": true});
    let question = ChatRequest::read(body.as_object().unwrap()).unwrap();
    let turn = turn_of(&engine, Some(ana()), question, nothing)
        .await
        .unwrap();
    let thoughts = turn.events.iter().filter_map(|event| match &event.what {
        What::ThinkingComplete { content, .. } => Some(content.as_str()),
        _ => None,
    });
    let thoughts: Vec<&str> = thoughts.collect();
    assert_eq!(
        thoughts,
        ["Miro qué hay de Cortázar.\n- Hay una novela suya."]
    );
    let log = log_lines(&kept(&*engine.log).await);
    assert!(log.contains("Hay una novela suya."), "{log}");
}

#[tokio::test(start_paused = true)]
async fn thoughts_are_emitted_as_far_as_they_may_be_and_kept_where_that_is_wanted() {
    let thought = "Miro qué hay de Cortázar.";
    for (hints, is_kept) in [
        (json!({}), false),
        (json!({"persist_thinking": true}), true),
    ] {
        let (engine, turn) = thinking(&hints).await;
        let emitted = lines(&turn.events);
        assert!(
            emitted.contains("thinking_complete") && emitted.contains(thought),
            "{emitted}"
        );
        assert!(!emitted.contains("1,00"), "{emitted}");
        let log = log_lines(&kept(&*engine.log).await);
        assert_eq!(log.contains(thought), is_kept, "{log}");
        let from_log = engine.kept_turn(&ana(), turn.turn_id).await.unwrap();
        let resumed = engine.events_after(&from_log, None, Language::default());
        let resumed = resumed.await.unwrap();
        let numbers: Vec<u32> = resumed.iter().map(|event| event.event_index).collect();
        assert!(numbers.is_sorted(), "{numbers:?}");
        assert_eq!(lines(&resumed).contains(thought), is_kept);
    }
}
