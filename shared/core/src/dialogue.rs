//! What a message goes back to: what was shown last, and the question that it was shown for.

mod agreement;
mod back;
mod errand;
mod follow;
mod forbidding;
mod named;
mod place;
mod several;
mod task;
mod wanted;

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

pub(crate) use agreement::{
    agrees_then, agrees_to, begins_by_dropping, behind_agreement, calls_off, denies, last_sentence,
    outside_phrases, plainly, says_one_word, says_yes,
};
pub(crate) use back::{Back, asks_for_another, asks_for_others, asks_of_it, has_had, may_go_back};
pub(crate) use errand::{Awaited, ERRAND, Errand, Kind};
pub(crate) use follow::goes_on;
pub(crate) use forbidding::forbids;
pub(crate) use named::{Names, chosen, named_items, names_choice, names_one};
pub(crate) use place::{place_among, place_behind_no, says_place, says_that};
pub(crate) use several::{agrees_to_all, each_once, joined_parts, leaves_out};
pub(crate) use task::{
    Proposed, TASK, Task, content, copies, naming, number, only_copies, says_how_many, says_one,
    without_change, without_name,
};
pub(crate) use wanted::{begins_with_change, first_change, only_change};

use crate::{
    answer::{compose::LISTED, listed_in_order},
    index::{Filters, Sort},
    language::{Language, List},
    log::{Commit, Event},
    retrieval::TOP_K_MAX,
    text::{truncate, words},
    understand::{
        Change, Route,
        intent::{likely_change, meant},
        is_id,
        topic::Topic,
    },
};

/// Longest context that a guest sends back, in bytes.
const CONTEXT_BYTES: usize = 2_048;
/// Most items that are left out of what else there is.
const SEEN_MAX: usize = 40;
/// Longest question in it, in characters.
const QUESTION_CHARS: usize = 200;
/// Surer than this, a message goes on with the question before, or does something with what was shown.
const SURE: f32 = 0.6;
/// Surer than this, it is for one of what was shown although it says more: "¿el segundo está en tapa dura?", and not "second
/// foundation".
const SURE_OF_ONE: f32 = 0.8;

/// What was shown last. A guest has it as an opaque text, in which nothing is trusted: an item is looked up again.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Shown {
    /// What was looked for, in words and by conditions, and in which order; nothing where an item was asked for by its number or its
    /// place.
    #[serde(rename = "q", default, skip_serializing_if = "String::is_empty")]
    question: String,
    #[serde(rename = "f", default, skip_serializing_if = "Filters::is_empty")]
    filters: Filters,
    #[serde(rename = "o", default, skip_serializing_if = "Sort::is_relevance")]
    sort: Sort,
    /// The items, in the order in which they were shown.
    #[serde(rename = "i", default)]
    items: Vec<u64>,
    /// Those that were shown for the same question before.
    #[serde(rename = "s", default, skip_serializing_if = "Vec::is_empty")]
    seen: Vec<u64>,
    /// Those that were each shown by itself, one after another, the newest first. One alone is not written twice.
    #[serde(rename = "n", default, skip_serializing_if = "is_one")]
    alone: Vec<u64>,
    /// The first of each list that was shown, or the one of it that was looked at, the newest first. One alone is not written.
    #[serde(rename = "h", default, skip_serializing_if = "is_one")]
    firsts: Vec<u64>,
    /// The change that is wanted, of which more is to be said.
    #[serde(rename = "t", default, skip_serializing_if = "Option::is_none")]
    pub(crate) task: Option<Task>,
    /// The appointment that is wanted, of which more is to be said.
    #[serde(rename = "e", default, skip_serializing_if = "Option::is_none")]
    pub(crate) errand: Option<Errand>,
    /// What the customer has written in so far, where that is clear.
    #[serde(rename = "l", default, skip_serializing_if = "Option::is_none")]
    pub(crate) language: Option<Language>,
    /// What the shop was asked about itself right before.
    #[serde(rename = "a", default, skip_serializing_if = "Option::is_none")]
    pub(crate) topic: Option<Topic>,
}

/// The argument of a tool's use that keeps the topic in the log.
pub(crate) const TOPIC: &str = "topic";

impl Shown {
    /// What is shown after this, for a message that was routed so. A look at one item leaves the question what it was.
    pub(crate) fn then(
        &self,
        message: &str,
        route: &Route,
        items: impl Iterator<Item = u64>,
    ) -> Self {
        let shown = match route {
            Route::Search => Self {
                question: message.to_owned(),
                ..Self::default()
            },
            Route::Filter {
                filters,
                text,
                sort,
                ..
            } => Self {
                question: text.clone(),
                filters: filters.clone(),
                sort: *sort,
                ..Self::default()
            },
            Route::More {
                text,
                filters,
                sort,
                seen,
            } => Self {
                question: text.clone(),
                filters: filters.clone(),
                sort: *sort,
                seen: seen.clone(),
                ..Self::default()
            },
            // What is like an item was looked for by no words.
            Route::SimilarToId(_) | Route::SimilarToTitle(_) => Self::default(),
            _ => Self {
                seen: self.all_seen(),
                ..self.clone()
            },
        };
        let items: Vec<u64> = items.collect();
        Self {
            alone: one_more(&items, self.alone.iter().copied()),
            firsts: first_more(&items, &self.items, &self.firsts),
            items,
            ..shown
        }
        .bounded()
    }

    /// Whether the item of that number is among what was shown.
    pub(crate) fn has(&self, item: u64) -> bool {
        self.items.contains(&item)
    }

    /// What was shown.
    pub(crate) fn items(&self) -> &[u64] {
        &self.items
    }

    /// The first of what was shown.
    pub(crate) fn first(&self) -> Option<u64> {
        self.items.first().copied()
    }

    /// The one alone that was shown.
    pub(crate) fn only(&self) -> Option<u64> {
        match self.items[..] {
            [one] => Some(one),
            _ => None,
        }
    }

    /// Whether anything was looked for.
    fn asks(&self) -> bool {
        !self.question.is_empty() || !self.filters.is_empty() || !self.sort.is_relevance()
    }

    /// No more of each than is kept.
    fn bounded(mut self) -> Self {
        self.question = truncate(&self.question, QUESTION_CHARS - 1);
        self.items.truncate(TOP_K_MAX);
        self.seen.truncate(SEEN_MAX);
        self.alone.truncate(TOP_K_MAX);
        self.firsts.truncate(TOP_K_MAX);
        self
    }

    /// All that was shown for the question.
    pub(crate) fn all_seen(&self) -> Vec<u64> {
        let mut all = self.seen.clone();
        all.extend(self.items.iter().filter(|item| !self.seen.contains(item)));
        all.truncate(SEEN_MAX);
        all
    }

    /// As a guest sends it back; nothing where it is not what was given.
    pub(crate) fn read(context: &str) -> Option<Self> {
        let mut shown: Self = (context.len() <= CONTEXT_BYTES)
            .then(|| serde_json::from_str(context).ok())
            .flatten()?;
        let Self {
            items,
            seen,
            alone,
            firsts,
            ..
        } = &mut shown;
        for ids in [&mut *items, seen, &mut *alone, &mut *firsts] {
            ids.retain(|id| is_id(*id));
        }
        if let (true, [one]) = (alone.is_empty(), &items[..]) {
            *alone = vec![*one];
        }
        if firsts.is_empty() {
            firsts.extend(items.first());
        }
        Some(shown.bounded())
    }

    /// As a guest is given it.
    pub(crate) fn context(&self) -> Option<String> {
        let context = serde_json::to_string(self).ok();
        let is_any = !self.items.is_empty()
            || self.task.is_some()
            || self.errand.is_some()
            || self.topic.is_some();
        context.filter(|context| is_any && context.len() <= CONTEXT_BYTES)
    }

    /// What the newest commits of a conversation have of it, newest first.
    pub(crate) fn of_log(commits: &[Commit]) -> Self {
        let newest = commits.first().filter(|newest| !newest.state.archived);
        let topic = newest.and_then(|newest| {
            events(newest).find_map(|event| match event {
                Event::ToolUseRequested { args, .. } => {
                    serde_json::from_value(args.get(TOPIC)?.clone()).ok()
                }
                _ => None,
            })
        });
        let messages = commits.iter().flat_map(events);
        let mut languages = messages.filter_map(|event| match event {
            Event::UserMessageSent { content } => Language::of_text(content),
            _ => None,
        });
        Self {
            topic,
            language: languages.next().filter(|_| newest.is_some()),
            ..Self::items_of_log(commits)
        }
    }

    fn items_of_log(commits: &[Commit]) -> Self {
        let is_over = commits.first().is_some_and(|newest| newest.state.archived);
        let of_commit = |commit: &Commit| {
            let listed = events(commit).filter_map(|event| match event {
                Event::ToolUseCompleted { results, .. } => Some(results.clone()),
                _ => None,
            });
            let listed: Vec<_> = listed.collect();
            let answer = events(commit).find_map(|event| match event {
                Event::AgentMessageSent { segments, .. } => Some(&segments[..]),
                _ => None,
            });
            let items = listed_in_order(answer.unwrap_or_default(), &listed).into_iter();
            let items: Vec<u64> = items.map(|item| item.libro_id).collect();
            let (tool, args) = events(commit).find_map(|event| match event {
                Event::ToolUseRequested {
                    tool_name, args, ..
                } => Some((tool_name, args)),
                _ => None,
            })?;
            let asked = || {
                let mut asked = commits.iter().filter(|of| of.turn_id == commit.turn_id);
                asked.find_map(|of| {
                    events(of).find_map(|event| match event {
                        Event::UserMessageSent { content } => Some(content.clone()),
                        _ => None,
                    })
                })
            };
            let question = match args.get("q").and_then(|text| text.as_str()) {
                Some(text) => Some(text.to_owned()),
                None if tool == "search_catalog" => asked(),
                None => None,
            };
            let shown = Self {
                question: question.unwrap_or_default(),
                filters: argument(args, "filters"),
                sort: argument(args, "sort"),
                items,
                seen: argument(args, "without"),
                ..Self::default()
            };
            (!shown.items.is_empty()).then(|| shown.bounded())
        };
        let shown = commits.iter().filter(|_| !is_over).filter_map(of_commit);
        let shown: Vec<Self> = shown.collect();
        let Some((newest, before)) = shown.split_first() else {
            return Self::default();
        };
        let alone = shown.iter().rev().fold(Vec::new(), |alone, shown| {
            one_more(&shown.items, alone.into_iter())
        });
        let oldest: &[u64] = &[];
        let (firsts, _) = shown
            .iter()
            .rev()
            .fold((Vec::new(), oldest), |(firsts, before), shown| {
                (first_more(&shown.items, before, &firsts), &shown.items)
            });
        if newest.asks() {
            return Self {
                alone,
                firsts,
                ..newest.clone()
            };
        }
        // A look at one item leaves the question what it was, and those of which it is one.
        let is_list = |shown: &&Self| shown.asks() || shown.items.len() > 1;
        let before = before.iter().find(is_list);
        let before = before.cloned().unwrap_or_default();
        Self {
            seen: before.all_seen(),
            items: newest.items.clone(),
            alone,
            firsts,
            ..before
        }
    }

    /// What is spoken of as several: what was listed last, or those that were each shown by itself, or the one and what else there was of
    /// it: "y de esos dos, ¿cuál es más barato?"
    pub(crate) fn compared(&self) -> Vec<u64> {
        match (self.in_order(), &self.alone[..], &self.seen[..]) {
            ([one], [newest, before, ..], _) if one == newest => vec![*before, *newest],
            ([one], _, [before]) => vec![*before, *one],
            (in_order, ..) => in_order.to_vec(),
        }
    }

    /// Whether they are more than are listed.
    pub(crate) fn are_many(&self) -> bool {
        self.compared().len() > LISTED
    }

    /// Whether they are several, and no more than are listed.
    pub(crate) fn are_few(&self) -> bool {
        (2..=LISTED).contains(&self.compared().len())
    }

    /// What was listed last; after a look at one of them, the others are still there.
    pub(crate) fn in_order(&self) -> &[u64] {
        match (&self.items[..], &self.seen[..]) {
            ([one], seen) if seen.len() > 1 && seen.contains(one) => seen,
            (items, _) => items,
        }
    }
}

fn is_one(alone: &[u64]) -> bool {
    alone.len() < 2
}

/// Those that were each shown by itself, after `items` were shown.
fn one_more(items: &[u64], alone: impl Iterator<Item = u64>) -> Vec<u64> {
    let [one] = items else { return Vec::new() };
    let before = alone.filter(|item| item != one);
    std::iter::once(*one).chain(before).collect()
}

/// The first of each list, with one more: one of those listed right before stands for that list.
fn first_more(items: &[u64], listed: &[u64], firsts: &[u64]) -> Vec<u64> {
    let Some(first) = items.first() else {
        return firsts.to_vec();
    };
    let is_of_list = items.len() == 1 && listed.contains(first);
    let before = firsts.iter().skip(usize::from(is_of_list));
    let before = before.filter(|item| *item != first);
    std::iter::once(first).chain(before).copied().collect()
}

/// An argument of a tool's use, as the log keeps it.
fn argument<T: Default + DeserializeOwned>(args: &Value, name: &str) -> T {
    let argument = args.get(name).cloned();
    let argument = argument.and_then(|argument| serde_json::from_value(argument).ok());
    argument.unwrap_or_default()
}

fn events(commit: &Commit) -> impl Iterator<Item = &Event> {
    commit.events.iter().filter_map(|event| event.known())
}

/// Surer than this, a word by itself says what is to be done: "apártame", "adicione".
const SURE_OF_DOING: f32 = 0.5;

/// Whether a word says that something is to be done with an item, and nothing of which: then it does so by itself.
fn is_of_change(word: &str) -> bool {
    let meant = meant(word);
    let change = Change::of(meant.intent).filter(|change| change.is_of_item());
    change.is_some() && meant.confidence >= SURE_OF_DOING
}

/// Whether a message says that something is to be done with an item: "apártame dos", and not "dos de Cosmos".
pub(crate) fn says_change(message: &str) -> bool {
    let words = words(message);
    let references = List::References.in_all();
    let tells = |word: &&String| number(word).is_none() && !references.stands(word, "that");
    words.iter().filter(tells).any(|word| is_of_change(word))
}

/// Whether what is said beside a yes is that something is to be done, or called off.
fn is_change(text: &str) -> bool {
    /// It says no more than that. "Anúlala" may be of an order and of what is put aside.
    const SURE_BESIDE_YES: f32 = 0.5;
    let meant = meant(text);
    let likely = meant.confidence.max(likely_change(text));
    Change::of(meant.intent).is_some() && likely >= SURE_BESIDE_YES
}

/// Whether a word looks for nothing.
fn says_nothing(word: &String) -> bool {
    let [light, references] = [List::Light, List::References].map(List::in_all);
    let mut beside = ["beside", "others"].iter();
    light.at(&[word]).is_some() || beside.any(|key| references.stands(word, key))
}

#[cfg(test)]
mod tests;
