//! Models that run out of tokens: the line that is cut off is not emitted.

use serde_json::{Value, json};

use super::{ask, start};
use crate::harness::{check_laws, of, stream_events};

#[test]
fn a_line_that_is_cut_off_is_not_emitted() {
    let (_peer, shop) = start("grounded,torn-first,torn-second,torn-third");
    let customer = shop.customer("attentive");
    let message = |body: &Value| {
        let answer = customer.post("/api/agent/", body).is(200);
        answer["message"].as_str().unwrap_or_default().to_owned()
    };
    let whole = message(&json!({"message": "libro 12"}));
    let plain = message(&json!({"message": "libro 12", "use_llm": false}));
    let (first, _) = whole.split_once('\n').expect("two lines");
    for (model, expected) in [
        // Without a whole line, the answer without a model.
        ("torn-first", plain.clone()),
        ("torn-second", first.to_owned()),
        ("torn-third", whole.clone()),
    ] {
        let body = json!({"message": "libro 12", "model": model});
        let events = stream_events(&ask(&customer, &body).send());
        check_laws(&events, true);
        assert_eq!(of(&events, "message")[0]["content"], expected, "{model}");
        let end = events.last().expect("events");
        assert_eq!(
            (&end["reason"], &end["stop_reason"]),
            (&json!("success"), &json!("max_tokens"))
        );
        let history = customer.history("?limit=1").is(200);
        assert_eq!(history["messages"][0]["content"], expected, "{model}");
        assert_eq!(message(&body), expected, "{model}");
    }
}
