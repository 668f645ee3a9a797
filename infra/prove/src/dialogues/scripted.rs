//! A model that knows what is to come of each turn, and has nothing but the tools to bring it about.

use std::{
    cmp::Reverse,
    sync::{Mutex, PoisonError},
};

use async_trait::async_trait;
use futures_util::{StreamExt, stream};
use mostrador_core::{
    catalogue::Item,
    model::{
        Completion, Model, ModelError, ModelEvent, ModelMessage, ModelRequest, StopReason, ToolCall,
    },
};
use serde_json::{Map, Value, json};

use super::{Expected, Order, Turn};

/// Most calls at once, and most items that an answer speaks of.
const AT_ONCE: usize = 4;

/// The clerk of a turn, who knows what the shop has.
pub(super) struct Scripted {
    turn: Mutex<Turn>,
    items: Vec<Item>,
}

/// Items as a request has them: the number by which an answer refers to one, and its id.
type Numbered = Vec<(u64, u64)>;

#[async_trait]
impl Model for Scripted {
    async fn ask(&self, request: ModelRequest) -> Result<Completion, ModelError> {
        let turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let is_question = |message: &ModelMessage| matches!(message, ModelMessage::User { .. });
        let question = request.messages.iter().rposition(is_question);
        let seen = &request.messages[question.unwrap_or_default()..];
        let texts: Vec<&str> = seen.iter().map(text).collect();
        let items = self.fitting(&turn.expect, numbered(&texts));
        let is_step = |message: &&ModelMessage| matches!(message, ModelMessage::Assistant { .. });
        let calls = match seen.iter().filter(is_step).count() {
            0 => turn.first_calls(&texts, &items),
            1 => turn.then(&texts, &items),
            _ => Vec::new(),
        };
        let is_offered = |name: &str| request.tools.iter().any(|tool| tool.name == name);
        let calls: Vec<_> = calls
            .into_iter()
            .filter(|(name, _)| is_offered(name))
            .collect();
        let (said, stop_reason) = match calls.is_empty() {
            true => (turn.answer(&texts, &items), StopReason::EndTurn),
            false => (String::new(), StopReason::ToolUse),
        };
        let calls = calls
            .into_iter()
            .enumerate()
            .map(|(at, (name, arguments))| {
                ModelEvent::ToolCall(ToolCall {
                    id: format!("{name}-{at}-{}", seen.len()),
                    name: name.to_owned(),
                    arguments,
                    provider_data: None,
                })
            });
        let events: Vec<_> = [ModelEvent::ContentDelta(said)]
            .into_iter()
            .chain(calls)
            .chain([ModelEvent::End { stop_reason }])
            .map(Ok)
            .collect();
        Ok(Completion {
            model: None,
            events: stream::iter(events).boxed(),
        })
    }
}

impl Scripted {
    pub(super) fn of(items: impl Iterator<Item = Item>) -> Self {
        Self {
            turn: Mutex::default(),
            items: items.collect(),
        }
    }

    /// What it is to do now.
    pub(super) fn take(&self, turn: &Turn) {
        *self.turn.lock().unwrap_or_else(PoisonError::into_inner) = turn.clone();
    }

    /// Those of some items that are to be shown, in their order.
    fn fitting(&self, expected: &Expected, mut numbered: Numbered) -> Numbered {
        let known = |id: u64| self.items.iter().find(|item| item.libro_id == id);
        let wanted = expected.items();
        numbered.retain(|(_, id)| match wanted.is_empty() {
            true => known(*id).is_some_and(|item| expected.allows(item)),
            false => wanted.contains(id),
        });
        let price = |id: u64| known(id).map(|item| item.precio);
        match expected.sorted {
            Some(Order::PriceAsc) => numbered.sort_by_key(|(_, id)| price(*id)),
            Some(Order::PriceDesc) => numbered.sort_by_key(|(_, id)| Reverse(price(*id))),
            None => {}
        }
        if let Some(first) = expected.first {
            numbered.sort_by_key(|(_, id)| *id != first);
        }
        numbered
    }
}

fn text(message: &ModelMessage) -> &str {
    match message {
        ModelMessage::System { content }
        | ModelMessage::User { content }
        | ModelMessage::Assistant { content, .. }
        | ModelMessage::Tool { content, .. } => content,
    }
}

/// The items of some texts: "{1} «Dune», …. id 40, …".
fn numbered(texts: &[&str]) -> Numbered {
    let lines = texts.iter().flat_map(|text| text.lines());
    let mut items = Numbered::new();
    for item in lines.filter_map(numbered_line) {
        if !items.contains(&item) {
            items.push(item);
        }
    }
    items
}

fn numbered_line(line: &str) -> Option<(u64, u64)> {
    let (number, rest) = line.strip_prefix('{')?.split_once('}')?;
    let (_, id) = rest.split_once(" id ")?;
    let id = id.split([',', '.']).next()?;
    Some((number.parse().ok()?, id.parse().ok()?))
}

/// The line of a text that has a fact.
fn line_with<'a>(text: &'a str, fact: &str) -> Option<&'a str> {
    let mut lines = text.lines();
    lines.find(|line| line.replace('\u{a0}', " ").contains(fact))
}

impl Expected {
    /// The items that an answer is to show.
    fn items(&self) -> Vec<u64> {
        let shown = self.shows.iter().filter(|id| self.first != Some(**id));
        self.first.iter().chain(shown).copied().collect()
    }

    /// Whether an answer may show an item.
    fn allows(&self, item: &Item) -> bool {
        let price: Option<f64> = item.precio.to_string().parse().ok();
        !self.shows_none
            && !self.hides.contains(&item.libro_id)
            && self
                .author
                .as_ref()
                .is_none_or(|author| *author == item.autor)
            && self
                .category
                .as_ref()
                .is_none_or(|kind| *kind == item.categoria)
            && self.min_price.is_none_or(|least| price >= Some(least))
            && self.max_price.is_none_or(|most| price <= Some(most))
    }

    /// What the items of an answer have in common.
    fn filters(&self) -> Map<String, Value> {
        let sort = self.sorted.map(|sorted| match sorted {
            Order::PriceAsc => "price_asc",
            Order::PriceDesc => "price_desc",
        });
        let filters = [
            ("autor", self.author.as_deref().map(Value::from)),
            ("categoria", self.category.as_deref().map(Value::from)),
            ("precio_min", self.min_price.map(Value::from)),
            ("precio_max", self.max_price.map(Value::from)),
            ("sort", sort.map(Value::from)),
        ];
        let filters = filters.into_iter();
        filters
            .filter_map(|(name, value)| Some((name.to_owned(), value?)))
            .collect()
    }
}

impl Turn {
    /// What it looks up, or proposes at once.
    fn first_calls(&self, texts: &[&str], there: &[(u64, u64)]) -> Vec<(&str, Value)> {
        let expected = &self.expect;
        let look_up = |id: &u64| ("lookup_book", json!({"item_id": id}));
        if let Some(Some(action)) = &expected.proposes {
            return match (action.as_str(), expected.item) {
                ("add_to_cart" | "reserve_book", Some(item)) => vec![look_up(&item)],
                ("add_to_cart" | "reserve_book", None) => {
                    vec![("search_catalog", json!({"text": self.say}))]
                }
                ("cancel_order", _) => vec![("list_orders", json!({}))],
                // By a number that only the customer can say.
                ("cancel_reservation", _) => Vec::new(),
                ("remember", _) => vec![("remember", json!({"text": self.say}))],
                (action, item) => vec![(action, self.of(item))],
            };
        }
        let (mut items, filters) = (expected.items(), expected.filters());
        let is_there = |id: &u64| there.iter().any(|(_, known)| known == id);
        items.retain(|id| !is_there(id));
        let is_known = |fact: &String| texts.iter().any(|text| line_with(text, fact).is_some());
        if !items.is_empty() {
            items.iter().take(AT_ONCE).map(look_up).collect()
        } else if !filters.is_empty() && there.is_empty() {
            vec![("filter_catalog", filters.into())]
        } else if !expected.has.iter().all(is_known) {
            vec![
                ("shop_info", json!({"question": self.say})),
                ("view_cart", json!({})),
                ("list_orders", json!({})),
                ("list_reservations", json!({})),
            ]
        } else {
            Vec::new()
        }
    }

    /// What it proposes of what it has looked up.
    fn then(&self, texts: &[&str], items: &[(u64, u64)]) -> Vec<(&str, Value)> {
        let Some(Some(action)) = &self.expect.proposes else {
            return Vec::new();
        };
        let lines = texts.iter().rev().flat_map(|text| text.lines());
        let listed = lines.filter_map(|line| line.strip_prefix("- ")).next();
        let listed = listed.and_then(number_of);
        match action.as_str() {
            "add_to_cart" | "reserve_book" => {
                let item = self.expect.item.or(items.first().map(|(_, id)| *id));
                vec![(action, self.of(item))]
            }
            "cancel_order" => vec![(action, json!({"order_id": listed}))],
            _ => Vec::new(),
        }
    }

    /// So many copies of an item.
    fn of(&self, item: Option<u64>) -> Value {
        let item = item.map(|item| ("item_id".to_owned(), item.into()));
        let count = self
            .expect
            .count
            .map(|count| ("cantidad".to_owned(), count.into()));
        item.into_iter().chain(count).collect::<Map<_, _>>().into()
    }

    /// The items that are to be shown, by reference, and the lines that have what is to be said.
    fn answer(&self, texts: &[&str], items: &[(u64, u64)]) -> String {
        let shown = items.iter().take(AT_ONCE);
        let shown = shown.map(|(number, _)| format!("- {{{number}}}: {{{number}.precio}}."));
        let mut lines: Vec<String> = shown.collect();
        for fact in &self.expect.has {
            let line = texts.iter().find_map(|text| line_with(text, fact));
            let number = line.and_then(numbered_line);
            let said = number.map(|(number, _)| format!("- {{{number}}}: {fact}."));
            lines.extend(said.or(line.map(str::to_owned)));
        }
        lines.dedup();
        lines.join("\n")
    }
}

/// The first number that stands in a line: of an order.
fn number_of(line: &str) -> Option<u32> {
    let mut digits = line.split(|c: char| !c.is_ascii_digit());
    digits.find_map(|number| number.parse().ok())
}
