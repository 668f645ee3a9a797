//! Turns with texts of any kind, written in both dialects and read as clients read them.

use bolero::TypeGenerator;
use futures_util::{FutureExt, StreamExt, TryStreamExt, stream};
use mostrador_core::{
    ids::{ConversationNumber, Seq},
    turn::{CompleteReason, Message, Persistence, ToolOutcome, What},
};
use serde_json::json;
use sse_stream::{Sse, SseByteStream};
use time::OffsetDateTime;
use uuid::Uuid;

use super::*;

/// What could end a line, or an event, or begin another.
const PIECES: [&str; 12] = [
    "\n",
    "\r",
    "\r\n",
    "\n\n",
    "\0",
    "\u{2028}",
    "\u{2029}",
    "\u{feff}",
    "data: {}",
    "\n\nid: 9\nevent: complete\ndata: {\"type\":\"complete\"}\n\n",
    "[DONE]",
    "\"}",
];

#[derive(Debug, TypeGenerator)]
struct Text(Vec<Piece>);

#[derive(Debug, TypeGenerator)]
enum Piece {
    Nasty(u8),
    Any(String),
}

#[derive(Debug, TypeGenerator)]
enum Happened {
    Start(Text, Option<u32>),
    Question(Text),
    Thought(Text, Text),
    Thoughts(Text, Text),
    Chunk(Text, Text),
    Use(Text, Text),
    Result(Text, Option<Text>),
    Message(Text, Text),
    Resolved(Text, Option<Text>, bool),
    Paused(Text),
    Refused(Text),
    Error(Text, Text),
    End(u32),
    Complete(u8, Option<Text>),
}

impl Text {
    fn get(&self) -> String {
        let pieces = self.0.iter().map(|piece| match piece {
            Piece::Nasty(number) => PIECES[usize::from(*number) % PIECES.len()],
            Piece::Any(text) => text,
        });
        pieces.collect()
    }
}

impl Happened {
    fn what(&self) -> What {
        let id = Uuid::from_u128(7);
        match self {
            Self::Start(notice, conversation) => What::SessionStart {
                conversation: conversation.map(ConversationNumber),
                notice: Some(notice.get()),
            },
            Self::Question(content) => What::UserMessageConfirmed {
                message_id: Some(Seq(3)),
                event_id: None,
                content: content.get(),
            },
            Self::Thought(content, block_id) => What::ThinkingChunk {
                content: content.get(),
                block_id: block_id.get(),
            },
            Self::Thoughts(content, block_id) => What::ThinkingComplete {
                content: content.get(),
                block_id: block_id.get(),
            },
            Self::Chunk(content, block_id) => What::MessageChunk {
                content: content.get(),
                block_id: block_id.get(),
            },
            Self::Use(name, text) => What::ToolUse {
                tool_use_id: id,
                tool_name: name.get(),
                args: json!({text.get(): text.get()}),
            },
            Self::Result(name, error) => What::ToolResult {
                tool_use_id: id,
                tool_name: name.get(),
                result: ToolOutcome {
                    results: vec![],
                    lines: vec![],
                },
                success: error.is_none(),
                error: error.as_ref().map(Text::get),
                duration_ms: None,
            },
            Self::Message(content, model) => What::Message(Box::new(Message {
                message_id: None,
                content: content.get(),
                segments: vec![],
                results: vec![],
                actions: vec![],
                citations: vec![],
                stop_reason: "end_turn".into(),
                context: None,
                usage: None,
                model: Some(model.get()),
                trace: None,
            })),
            Self::Resolved(content, error, approved) => What::ApprovalResolved {
                approval: id,
                approved: *approved,
                content: content.get(),
                error: error.as_ref().map(Text::get),
            },
            Self::Paused(why) => What::TurnPaused { why: why.get() },
            Self::Refused(why) => What::ContentRefused { why: why.get() },
            Self::Error(code, message) => What::Error {
                code: code.get(),
                message: message.get(),
            },
            Self::End(conversation) => What::SessionEnd {
                conversation: ConversationNumber(*conversation),
            },
            Self::Complete(reason, stop_reason) => What::Complete {
                reason: match reason % 4 {
                    0 => CompleteReason::Success,
                    1 => CompleteReason::Error,
                    2 => CompleteReason::MaxTurns,
                    _ => CompleteReason::UserCancelled,
                },
                stop_reason: stop_reason.as_ref().map(Text::get),
            },
        }
    }
}

/// What a client reads; each event in `written` by itself, so that none takes from another.
fn read(written: &[u8]) -> Vec<Sse> {
    let bytes = stream::iter([Ok::<_, std::io::Error>(Bytes::copy_from_slice(written))]);
    let events = SseByteStream::new(bytes.boxed())
        .try_collect()
        .now_or_never();
    events.expect("all is there").expect("server-sent events")
}

fn json_of(sse: &Sse) -> Value {
    let data = sse.data.as_deref().expect("data");
    serde_json::from_str(data).expect("JSON")
}

#[test]
fn a_turn_reads_alike_in_both_dialects() {
    let target = bolero::check!().with_iterations(300);
    target
        .with_type::<Vec<Happened>>()
        .for_each(|turn: &Vec<Happened>| {
            let (mut own, mut ai_sdk) = (Dialect::Own.writer(), Dialect::AiSdk.writer());
            for (event_index, happened) in (0..).zip(turn) {
                let event = TurnEvent {
                    event_index,
                    turn_id: Uuid::from_u128(1),
                    timestamp: OffsetDateTime::UNIX_EPOCH,
                    persistence_state: Persistence::Pending,
                    sequence_number: Some(Seq(event_index.into())),
                    what: happened.what(),
                };
                let events = read(&own.write(&event));
                let [sse] = &events[..] else {
                    panic!("not one event: {events:?}");
                };
                assert_eq!(sse.id, Some(event_index.to_string()));
                assert_eq!(sse.event.as_deref(), Some(event.name()));
                let expected = serde_json::to_value(&event).expect("JSON");
                assert_eq!((json_of(sse), sse.retry), (expected, None));

                let written = ai_sdk.write(&event);
                let frames = written.windows(2).filter(|two| *two == b"\n\n").count();
                let lines = written.iter().filter(|byte| **byte == b'\n').count();
                assert_eq!((lines, written.contains(&b'\r')), (2 * frames, false));
                let mut parts = read(&written);
                assert_eq!(parts.len(), frames);
                if matches!(event.what, What::Complete { .. }) {
                    let done = parts.pop().and_then(|done| done.data);
                    assert_eq!(done.as_deref(), Some("[DONE]"));
                }
                for part in parts {
                    assert_eq!((&part.id, &part.event, part.retry), (&None, &None, None));
                    assert!(json_of(&part)["type"].is_string());
                }
            }
        });
}
