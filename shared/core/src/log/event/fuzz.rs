//! Documents of any kind, read as events.

use serde_json::Value;

use super::{STEPS, Step, Stored, tests::RATINGS};

/// What is known is written as it was read, and what is not stays as it is.
fn check(steps: &[Step], document: &Value) {
    let stored = Stored::decode_by(steps, document.clone());
    match &stored {
        Stored::Unknown(kept) => assert_eq!((kept, &stored.encode()), (document, document)),
        Stored::Known(event) => {
            // As text, as it lies in the log.
            let written = event.encode_by(steps).to_string();
            let read = serde_json::from_str(&written).expect("JSON");
            assert_eq!(Stored::decode_by(steps, read), stored, "{written}");
        }
    }
}

#[test]
fn a_document_is_read_and_written_back() {
    let target = bolero::check!().with_iterations(1_000);
    target.for_each(|input: &[u8]| {
        let Ok(document) = serde_json::from_slice(input) else {
            return;
        };
        check(STEPS, &document);
        check(RATINGS, &document);
    });
}
