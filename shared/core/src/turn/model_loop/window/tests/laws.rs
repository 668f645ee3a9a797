//! What holds for every conversation and all limits.

use proptest::{prelude::*, sample::Index};

use super::super::cut::{MARK, cut_arguments};
use super::*;

fn content() -> impl Strategy<Value = String> {
    prop_oneof![
        1 => Just(" \n\t".to_owned()),
        4 => "[a-zñé€«» ]{1,40}",
        2 => "\\PC{0,60}",
        2 => ("[a-zñ日🦀,.]{1,9} ?", 1..200usize).prop_map(|(word, times)| word.repeat(times)),
    ]
}

fn event() -> impl Strategy<Value = Stored> {
    let role = prop::sample::select(vec!["user", "assistant", "system", "tool"]);
    let name = prop::sample::select(vec!["search_catalog", "x", "", "no es un nombre", "ñ"]);
    let long = "n".repeat(64);
    prop_oneof![
        4 => content().prop_map(|content| user(&content)),
        4 => content().prop_map(|content| assistant(&content)),
        2 => (role, content()).prop_map(|(role, content)| added(role, &content)),
        3 => (0..5u128, content()).prop_map(|(id, text)| call(id, json!({"query": text}))),
        1 => (0..5u128, name).prop_map(|(id, name)| named_call(id, name, Value::Null)),
        1 => (0..5u128, content()).prop_map(move |(id, text)| named_call(id, &long, json!([text]))),
        3 => (0..5u128, 0..30u64).prop_map(|(id, items)| result(id, None, items)),
        1 => (0..5u128, content(), 0..9u64).prop_map(|(id, error, items)| result(id, Some(&error), items)),
        1 => Just(Stored::Known(Event::ConversationStarted {})),
        1 => Just(Stored::Known(Event::TurnFailed { code: "timeout".into() })),
        1 => Just(Stored::Unknown(json!({"type": "from_the_future", "content": "x"}))),
    ]
}

#[derive(Debug, Clone)]
struct Given {
    /// Oldest first.
    events: Vec<Stored>,
    /// How many of them make a commit.
    sizes: Vec<usize>,
    /// Newest commits that were read, if not all.
    read: Option<usize>,
    summary: Option<Summary>,
    limits: WindowLimits,
}

prop_compose! {
    fn given()(
        events in prop::collection::vec(event(), 0..50),
        sizes in prop::collection::vec(1..6usize, 50),
        read in prop::option::of(1..30usize),
        text in prop_oneof![content(), Just("- Cliente: busca terror\n".repeat(99))],
        through in prop::option::of(prop_oneof![0..4u64, 0..60u64]),
        messages in 0..30usize,
        chars in prop_oneof![0..900usize, 0..9_000usize],
        tokens in prop::option::of(prop_oneof![0..900usize, 0..9_000usize]),
    ) -> Given {
        let limits = WindowLimits { messages, chars, tokens, tool_use: true };
        Given { events, sizes, read, summary: through.map(|through| summary(&text, through)), limits }
    }
}

fn tokens(text: &str) -> usize {
    text.len().div_ceil(3)
}

/// What may be included, oldest first: the sequence number, and one message or two.
fn showable(commits: &[Commit], limits: WindowLimits) -> Vec<(Seq, Vec<ModelMessage>)> {
    let events: Vec<(Seq, &Event)> = commits
        .iter()
        .rev()
        .flat_map(Commit::numbered)
        .filter_map(|(seq, event)| Some((seq, event.known()?)))
        .collect();
    let result_of = |id: &Uuid, from: usize| {
        events[from..].iter().find_map(|(_, event)| match event {
            Event::ToolUseCompleted {
                tool_use_id,
                error,
                results,
                ..
            } if tool_use_id == id => {
                let mut written = json!(results);
                if error.is_some() {
                    written = json!({"error": error, "results": results});
                    if results.is_empty() {
                        written = json!({"error": error});
                    }
                }
                Some(written.to_string())
            }
            _ => None,
        })
    };
    let usable =
        |name: &str| (1..=64).contains(&name.len()) && name.is_ascii() && !name.contains(' ');
    let use_of = |from: usize| match events[from].1 {
        Event::ToolUseRequested {
            tool_use_id,
            tool_name,
            args,
            ..
        } if usable(tool_name) => {
            let content = result_of(tool_use_id, from)?;
            Some((*tool_use_id, tool_name.clone(), args.clone(), content))
        }
        _ => None,
    };
    let mut uses: Vec<_> = (0..events.len()).map(use_of).collect();
    let mut units = Vec::new();
    for (index, (seq, event)) in events.iter().enumerate() {
        let (role, content) = match event {
            Event::UserMessageSent { content } => ("user", content),
            Event::AgentMessageSent { content, .. } => ("assistant", content),
            Event::MessageAdded { role, content, .. } => (role.as_str(), content),
            _ => {
                let Some((id, name, arguments, content)) = uses[index].take() else {
                    continue;
                };
                let is_repeated = uses[index..].iter().flatten().any(|later| later.0 == id);
                if limits.messages >= 2 && !is_repeated {
                    let id = id.to_string();
                    let call = ToolCall {
                        id: id.clone(),
                        name,
                        arguments,
                        provider_data: None,
                    };
                    let call = ModelMessage::Assistant {
                        content: String::new(),
                        tool_calls: vec![call],
                    };
                    units.push((
                        *seq,
                        vec![
                            call,
                            ModelMessage::Tool {
                                tool_use_id: id,
                                content,
                            },
                        ],
                    ));
                }
                continue;
            }
        };
        let content = content.clone();
        match role {
            _ if content.trim().is_empty() => {}
            "user" => units.push((*seq, vec![ModelMessage::User { content }])),
            "assistant" => units.push((
                *seq,
                vec![ModelMessage::Assistant {
                    content,
                    tool_calls: vec![],
                }],
            )),
            _ => {}
        }
    }
    units
}

/// The texts of a message that count.
fn texts(message: &ModelMessage) -> Vec<String> {
    match message {
        ModelMessage::System { content }
        | ModelMessage::User { content }
        | ModelMessage::Tool { content, .. } => {
            vec![content.clone()]
        }
        ModelMessage::Assistant {
            content,
            tool_calls,
        } => {
            let calls = tool_calls.iter();
            let calls = calls.flat_map(|call| [call.name.clone(), call.arguments.to_string()]);
            calls.chain([content.clone()]).collect()
        }
    }
}

fn sum(messages: &[ModelMessage], count: fn(&str) -> usize) -> usize {
    messages
        .iter()
        .flat_map(texts)
        .map(|text| count(&text))
        .sum()
}

fn chars(text: &str) -> usize {
    text.chars().count()
}

/// Whether `included` is `whole`, or a beginning of it up to the mark.
fn stems_from(included: &ModelMessage, whole: &ModelMessage) -> bool {
    let text_stems = |included: &str, whole: &str| {
        let Some((head, tail)) = included.rsplit_once(MARK).filter(|_| included != whole) else {
            return included == whole;
        };
        let head = head.trim_end_matches('"').trim_end_matches(',');
        whole.starts_with(head.trim_end()) && ["", "\"]", "\"]}"].contains(&tail)
    };
    match (included, whole) {
        (ModelMessage::User { content: a }, ModelMessage::User { content: b }) => text_stems(a, b),
        (
            ModelMessage::Tool {
                tool_use_id,
                content,
            },
            ModelMessage::Tool {
                tool_use_id: id,
                content: whole,
            },
        ) => tool_use_id == id && text_stems(content, whole),
        (
            ModelMessage::Assistant {
                content: a,
                tool_calls,
            },
            ModelMessage::Assistant {
                content: b,
                tool_calls: calls,
            },
        ) => {
            let call_stems = |(a, b): (&ToolCall, &ToolCall)| {
                (&a.id, &a.name) == (&b.id, &b.name)
                    && (a.arguments == b.arguments || a.arguments == cut_arguments())
            };
            text_stems(a, b)
                && tool_calls.len() == calls.len()
                && tool_calls.iter().zip(calls).all(call_stems)
        }
        _ => false,
    }
}

/// All the laws for one window.
fn obeys(summary: Option<&Summary>, commits: &[Commit], limits_given: WindowLimits) {
    let made = window(summary, commits, limits_given);
    let limits = limits_given.raised();
    let messages = made.messages.as_slice();

    assert!(
        messages.len() <= limits.messages,
        "{} messages",
        messages.len()
    );
    assert!(
        sum(messages, chars) <= limits.chars,
        "{} characters",
        sum(messages, chars)
    );
    assert_eq!(made.chars, sum(messages, chars));
    if let Some(most) = limits.tokens {
        assert!(
            sum(messages, tokens) <= most,
            "{} tokens",
            sum(messages, tokens)
        );
    }

    // What is included of the log is its newest end, in its order, tool uses whole.
    let (system, dialogue): (Vec<_>, Vec<_>) = messages
        .iter()
        .cloned()
        .partition(|message| matches!(message, ModelMessage::System { .. }));
    let showable = showable(commits, limits);
    let mut units = 0;
    let mut left = dialogue.len();
    while left > 0 {
        let (_, whole) = &showable[showable.len() - 1 - units];
        assert!(whole.len() <= left, "half a tool use");
        let included = &dialogue[left - whole.len()..left];
        for (included, whole) in included.iter().zip(whole) {
            assert!(
                stems_from(included, whole),
                "{included:?} is not of {whole:?}"
            );
        }
        let is_old = dialogue.len() - left >= NEWEST_KEPT;
        assert!(!is_old || included == whole, "an old message was shortened");
        left -= whole.len();
        units += 1;
    }
    let hidden = &showable[..showable.len() - units];
    let available: usize = showable.iter().map(|(_, unit)| unit.len()).sum();
    assert_eq!(
        (made.kept, made.dropped),
        (dialogue.len(), available - dialogue.len())
    );

    // The newest are there; a tool use that would be one message too many is not.
    assert!(
        showable.is_empty() || !dialogue.is_empty(),
        "the newest is missing"
    );
    let overflows = |messages: &[ModelMessage]| {
        let is_over = |most| sum(messages, tokens) > most;
        messages.len() > limits.messages
            || sum(messages, chars) > limits.chars
            || limits.tokens.is_some_and(is_over)
    };
    if let Some((_, next)) = hidden.last() {
        let is_one_too_many = dialogue.len() + next.len() > limits.messages;
        let has_enough = dialogue.len() >= NEWEST_KEPT || is_one_too_many;
        assert!(
            has_enough,
            "only {} of {available} messages",
            dialogue.len()
        );
    }
    let whole = showable[hidden.len()..].iter().flat_map(|(_, unit)| unit);
    let whole: Vec<ModelMessage> = system.iter().chain(whole).cloned().collect();
    if let Some((_, next)) = hidden.last() {
        let with_next = [whole.as_slice(), next].concat();
        assert!(overflows(&with_next), "there was room");
    }
    let was_cut = messages != whole;
    assert!(!was_cut || overflows(&whole), "cut without need");

    let is_hidden = |summary: &Summary| {
        let covered =
            |(seq, unit): &(Seq, Vec<ModelMessage>)| unit.len() == 1 && *seq <= summary.through;
        let read_from = commits.last().map(|oldest| oldest.first_seq);
        hidden.iter().any(covered) || read_from.is_none_or(|seq| seq > Seq::FIRST)
    };
    assert!(
        system.len() <= 1
            && messages
                .iter()
                .skip(1)
                .all(|message| !system.contains(message))
    );
    if !system.is_empty() {
        let summary = summary.expect("a summary that was given");
        assert!(is_hidden(summary), "a summary of what is shown");
        assert!(sum(&system, chars) * SUMMARY_PART <= limits.chars);
        if let Some(most) = limits.tokens {
            assert!(sum(&system, tokens) * SUMMARY_PART <= most);
        }
        let text = texts(&system[0]).concat();
        let text = text
            .strip_prefix(SUMMARY_HEAD)
            .and_then(|text| text.strip_suffix(SUMMARY_TAIL));
        let text = text.expect("the frame").trim_end_matches(MARK).trim_end();
        assert!(inert(&summary.text).contains(text));
    } else if let Some(summary) = summary
        && is_hidden(summary)
        && !summary.text.trim().is_empty()
    {
        let has_room =
            limits.messages > NEWEST_KEPT + 1 && limits.chars >= 2_000 && limits.tokens.is_none();
        assert!(!has_room, "no summary of what is hidden");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn every_window_obeys(given in given()) {
        let mut commits = commits(1, given.events, given.sizes);
        commits.truncate(given.read.unwrap_or(usize::MAX));
        obeys(given.summary.as_ref(), &commits, given.limits);
    }

    #[test]
    fn a_window_obeys_as_the_conversation_grows(given in given(), at in any::<Index>()) {
        let all = commits(1, given.events, given.sizes);
        let before = &all[at.index(all.len() + 1)..];
        for commits in [before, &all] {
            obeys(given.summary.as_ref(), commits, given.limits);
        }
    }

    #[test]
    fn how_commits_were_split_does_not_matter(given in given()) {
        let window_of = |sizes: Vec<usize>| {
            let commits = commits(1, given.events.clone(), sizes);
            window(given.summary.as_ref(), &commits, given.limits)
        };
        prop_assert_eq!(window_of(given.sizes.clone()), window_of(vec![]));
    }
}
