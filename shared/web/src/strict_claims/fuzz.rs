//! Claims of any kind, read strictly and as any JSON.

use super::*;

/// How many members the object in `json`, which is one, has itself: the colons outside of texts and of what lies deeper.
fn members(json: &[u8]) -> usize {
    let (mut depth, mut in_text, mut is_escaped, mut members) = (0, false, false, 0);
    for byte in json {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => in_text = !in_text,
            _ if in_text => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            b':' if depth == 1 => members += 1,
            _ => {}
        }
    }
    members
}

#[test]
fn claims_are_read_strictly_or_refused() {
    let target = bolero::check!().with_iterations(1_000);
    target.for_each(|input: &[u8]| {
        let strict = serde_json::from_slice::<StrictClaims>(input).ok();
        let lenient = serde_json::from_slice::<Value>(input).ok();
        let object = lenient.as_ref().and_then(Value::as_object);
        let expected = object.filter(|object| object.len() == members(input));
        let expected = expected.map(|object| object.clone().into_iter().collect());
        assert_eq!(strict.map(|StrictClaims(claims)| claims), expected);
    });
}
