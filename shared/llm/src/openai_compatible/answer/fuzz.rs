//! Bytes of any kind, in pieces of any size, as a provider may send them.

use std::sync::LazyLock;

use mostrador_core::chain::Chain;
use tokio::runtime::{Builder, Runtime};

use super::*;

/// Stands for a key, or a customer's words.
const SECRET: &[u8] = b"sk-secret-marker";

/// Whose clock goes on by itself, so that nobody waits for what does not come.
static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    let mut builder = Builder::new_current_thread();
    let runtime = builder.enable_time().start_paused(true).build();
    runtime.expect("a runtime")
});

type Outcome = (Vec<ModelEvent>, Option<String>);

fn rendered(error: &ModelError) -> String {
    format!("{error} {error:?} {}", Chain(error))
}

/// What comes of `bytes` as a stream, in pieces of the sizes `sizes` by turns.
fn streamed(bytes: &[u8], sizes: &[usize]) -> Outcome {
    let mut rest = bytes;
    let mut pieces = Vec::new();
    for size in sizes.iter().cycle() {
        if rest.is_empty() {
            break;
        }
        let (piece, after) = rest.split_at((*size).clamp(1, rest.len()));
        pieces.push(Ok(Bytes::copy_from_slice(piece)));
        rest = after;
    }
    let pieces = stream::iter(pieces).boxed();
    let mut answer = std::pin::pin!(decoded(SseByteStream::new(pieces)));
    let (mut events, mut error) = (Vec::new(), None);
    RUNTIME.block_on(async {
        while let Some(event) = answer.next().await {
            assert_eq!(error, None, "nothing follows an error");
            match event {
                Ok(event) => events.push(event),
                Err(failed) => error = Some(rendered(&failed)),
            }
        }
    });
    (events, error)
}

/// What comes of `bytes` as one whole completion.
fn whole(bytes: &[u8]) -> Outcome {
    let mut answer = Assembly::default();
    match answer.take(bytes) {
        Ok(()) => {
            answer.stop_reason.get_or_insert(StopReason::EndTurn);
            let error = answer.finish().err();
            (answer.ready.into(), error.as_ref().map(rendered))
        }
        Err(error) => (answer.ready.into(), Some(rendered(&error))),
    }
}

fn check((events, error): &Outcome) {
    let is_end = |event: &ModelEvent| matches!(event, ModelEvent::End { .. });
    let ends = events.iter().filter(|event| is_end(event)).count();
    let is_over = ends == 1 && events.last().is_some_and(is_end);
    assert!(is_over ^ error.is_some(), "it ends once, well or not");
    assert!(ends <= 1);
    let is_call = |event: &&ModelEvent| matches!(event, ModelEvent::ToolCall(_));
    assert!(events.iter().filter(is_call).count() <= TOOL_CALLS_MAX);
    for event in events {
        if let ModelEvent::Usage(usage) = event {
            let most = u64::from(u32::MAX);
            assert!(usage.input_tokens <= most && usage.output_tokens <= most);
        }
    }
    let secret = str::from_utf8(SECRET).expect("letters");
    if let Some(error) = error {
        assert!(!error.contains(secret), "{error}");
    }
}

/// The first byte tells the size of pieces, and the two after it where a secret is put.
#[test]
fn an_answer_reads_alike_however_it_is_cut() {
    let target = bolero::check!().with_iterations(500);
    target.for_each(|input: &[u8]| {
        let Some(([size, high, low], bytes)) = input.split_first_chunk() else {
            return;
        };
        let at = usize::from(u16::from_be_bytes([*high, *low])) % (bytes.len() + 1);
        let with_secret = [&bytes[..at], SECRET, &bytes[at..]].concat();
        for bytes in [bytes, &with_secret] {
            let at_once = streamed(bytes, &[bytes.len()]);
            check(&at_once);
            assert_eq!(streamed(bytes, &[1]), at_once);
            let size = usize::from(*size);
            assert_eq!(streamed(bytes, &[size, 1, size / 3]), at_once);
            check(&whole(bytes));
        }
    });
}
