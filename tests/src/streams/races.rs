//! Cancellations that come while the answer does: a turn is cancelled or answered, and everybody gets the same.

use std::{
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use super::{ask, resume, start};
use crate::harness::{Caller, check_laws, events, keys, of, stream_events};

/// Turns of each model that are cancelled.
const TURNS: usize = 20;
/// Nothing is closer to the answer than this.
const SHORTEST_STEP: Duration = Duration::from_millis(1);

/// A turn that is cancelled so long `after` its first event: whether that was answered to be in time, and the events of the
/// turn to whoever listened.
fn cancelled(customer: &Caller, body: &Value, after: Duration) -> (bool, Vec<Value>) {
    let (begun, first) = mpsc::channel();
    thread::scope(|scope| {
        let listening = scope.spawn(move || {
            let came = ask(customer, body).cut_off(|came| {
                if let Some(event) = events(came).first() {
                    let _ = begun.send(event["turn_id"].clone());
                }
                false
            });
            events(&came)
        });
        let turn_id = first.recv().expect("a turn that begins");
        thread::sleep(after);
        let path = format!("/api/agent/stream/{}", turn_id.as_str().expect("an id"));
        let answer = customer.call("DELETE", &path).send().is(200);
        assert_eq!(answer["turn_id"], turn_id);
        let in_time = answer["cancelled"].as_bool().expect("yes or no");
        (in_time, listening.join().expect("a stream"))
    })
}

#[test]
fn a_turn_is_cancelled_or_answered_and_never_both() {
    let (_peer, shop) = start("grounded,brisk");
    let (mut in_time, mut too_late) = (0, 0);
    for model in ["grounded", "brisk"] {
        let body = json!({"message": "libro 12", "model": model});
        let begun = Instant::now();
        stream_events(&ask(&shop.customer("unhurried"), &body).send());
        // Later after each that was in time, earlier after each that was not: soon both come at once.
        let (mut after, mut step) = (Duration::ZERO, begun.elapsed() / 3);
        for _ in 0..TURNS {
            let customer = shop.customer("hasty");
            let (is_cancelled, received) = cancelled(&customer, &body, after);
            check_laws(&received, true);
            let history = customer.history("").is(200);
            let messages = &history["messages"];
            let last = received.last().expect("events");
            if is_cancelled {
                assert_eq!(keys(messages, "role"), ["user"], "{history}");
                assert_eq!(last["reason"], "user_cancelled", "{received:?}");
                assert_eq!(of(&received, "error")[0]["code"], "user_cancelled");
                in_time += 1;
                after += step;
            } else {
                assert_eq!(keys(messages, "role"), ["user", "assistant"], "{history}");
                assert_eq!(last["reason"], "success", "{received:?}");
                let message = of(&received, "message")[0];
                assert_eq!(message["content"], messages[1]["content"]);
                too_late += 1;
                after = after.saturating_sub(step);
            }
            step = (step * 3 / 4).max(SHORTEST_STEP);
            // So it stays for whoever comes back.
            let turn_id = last["turn_id"].as_str().expect("an id");
            let repeated = stream_events(&resume(&customer, turn_id, None));
            let end = repeated.last().expect("events");
            assert_eq!(end["reason"], last["reason"], "{repeated:?}");
        }
    }
    println!("cancellations: {in_time} in time, {too_late} too late, 0 both, 0 neither");
    assert!(in_time > 0 && too_late > 0, "{in_time}, {too_late}");
}
