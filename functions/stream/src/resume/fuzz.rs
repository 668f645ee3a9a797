//! Any value of `after`.

use super::*;

#[test]
fn a_last_event_id_is_a_number_or_nothing() {
    let target = bolero::check!().with_iterations(2_000);
    target.for_each(|input: &[u8]| {
        let given = String::from_utf8_lossy(input);
        match event_index::<u32>(Some(&given)) {
            Ok(Some(index)) => {
                let reread = event_index(Some(&index.to_string()));
                assert_eq!(reread.ok().flatten(), Some(index));
                assert!(given.trim().ends_with(&index.to_string()));
            }
            Ok(None) => assert_eq!(given.trim(), ""),
            Err(problem) => assert_eq!(problem.status(), http::StatusCode::BAD_REQUEST),
        }
    });
}
