//! What is emitted and sent back of calls of any kind.

use uuid::Uuid;

use super::*;
use crate::{
    index::Source,
    log::Event,
    retrieval::Retrieved,
    tools::{fuzz::call, known_name, may_be_emitted},
};
use crate::{language::Language, shop::Profile};

/// A use that found nothing, or was refused.
fn used(call: ToolCall, found: Result<(), String>) -> ToolUse {
    let found = found.map(|()| Found::Items(Retrieved::nothing("search_catalog", Source::Keyword)));
    ToolUse {
        id: Uuid::nil(),
        call,
        found,
        duration_ms: 0,
        use_index: 0,
        result_index: 1,
    }
}

#[test]
fn only_what_may_be_of_a_call_is_emitted() {
    let target = bolero::check!().with_iterations(500);
    target.for_each(|input: &[u8]| {
        let call = call(input);
        let found = wanted(
            &call,
            May {
                look_up: true,
                propose: true,
                book: true,
            },
        )
        .map(|_| ());
        let is_read = found.is_ok();
        let used = used(call.clone(), found);
        let emitted = used.args();
        if emitted != json!({}) {
            let arguments = call.arguments.as_object().expect("an object");
            assert!(is_read && may_be_emitted(arguments));
            assert_eq!(emitted, call.arguments);
        }
        assert_eq!(used.name(), known_name(&call.name));
        let replayed = used.as_replayed();
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        assert!((1..=64).contains(&replayed.name.len()) && replayed.name.chars().all(is_name));
        assert!(replayed.arguments.is_object());
        assert!(replayed.arguments.to_string().len() <= ARGUMENTS_BYTES);
        let result = used.result(&|_| 1, Profile::default().locale(Language::default()));
        assert!(result.chars().count() <= RESULT_CHARS, "{}", result.len());
        for event in used.events() {
            let text = serde_json::to_string(&event).expect("JSON");
            assert_eq!(
                serde_json::from_str::<Event>(&text).expect("an event"),
                event
            );
        }
    });
}
