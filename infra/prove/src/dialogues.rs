//! `prove dialogues`: whole dialogues at the demo shop's counter, without a model or beside a scripted one, judged by what came of each
//! turn.

mod scripted;

use std::{
    collections::BTreeMap,
    fmt::Debug,
    fs,
    io::{Write, stdout},
    sync::Arc,
};

use anyhow::Context;
use mostrador_core::{
    actions::{Payload, perform},
    answer::{Action, Answer, Approval},
    catalogue::ItemResult,
    ids::Owner,
    language::Language,
    purchases::{Purchases, ReservationStatus},
    segment::Segment,
    turn::{Caller, ChatRequest, KeptAs, TurnEngine},
};
use mostrador_local::{
    StoreOptions,
    import::{self, bring_in},
    index::publish_if_needed,
    profile,
    stores::Stores,
};
use serde::{Deserialize, Deserializer};
use serde_json::json;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::cli::DialogueOptions;
use scripted::Scripted;

/// A story that a customer has with the shop.
#[derive(Debug, Deserialize)]
struct Dialogue {
    name: String,
    turns: Vec<Turn>,
}

#[derive(Debug, Clone, Default, Deserialize)]
struct Turn {
    say: String,
    expect: Expected,
}

/// What is to come of a turn; what is left out may be as it likes.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Expected {
    /// Each is among the results.
    shows: Vec<u64>,
    first: Option<u64>,
    /// None is among the results.
    hides: Vec<u64>,
    shows_none: bool,
    sorted: Option<Order>,
    /// Of every result.
    max_price: Option<f64>,
    min_price: Option<f64>,
    category: Option<String>,
    author: Option<String>,
    /// The action that is proposed; null where none is to be.
    #[serde(deserialize_with = "said")]
    proposes: Option<Option<String>>,
    item: Option<u64>,
    count: Option<u64>,
    /// Copies by number, of the whole cart.
    cart: Option<BTreeMap<u64, u32>>,
    orders: Option<usize>,
    /// Newest first.
    order_states: Option<Vec<String>>,
    reservations: Option<BTreeMap<u64, u32>>,
    /// Figures and names that are in the message, and that are not.
    has: Vec<String>,
    lacks: Vec<String>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Order {
    PriceAsc,
    PriceDesc,
}

/// A member that is there, be it null.
fn said<'de, D: Deserializer<'de>>(given: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(given).map(Some)
}

/// What a turn has come to.
struct Outcome {
    answer: Answer,
    shown: Vec<ItemResult>,
    cart: BTreeMap<u64, u32>,
    /// Newest first.
    orders: Vec<String>,
    reservations: BTreeMap<u64, u32>,
    /// The item of each, by its number.
    held: BTreeMap<u32, u64>,
}

/// The demo shop, and who remembers what in it.
struct Counter {
    engine: TurnEngine,
    purchases: Arc<dyn Purchases>,
    /// Knows what is to come of the turn.
    model: Arc<Scripted>,
}

/// Goes through the dialogues of a folder and prints how many go as a good clerk's would; fails where fewer do than are to.
pub(crate) async fn dialogues(options: &DialogueOptions) -> anyhow::Result<()> {
    let stores = Stores::open(&StoreOptions {
        ephemeral: true,
        ..StoreOptions::default()
    })
    .await?;
    let items = import::demo()?;
    bring_in(&stores, &items).await?;
    profile::publish_demo(&stores).await?;
    publish_if_needed(&stores).await?;
    // Of no settings: without a model.
    let wiring = stores.wiring(Box::new(|_| None));
    let mut engine = wiring.turn_engine_of_function().await?;
    let model = Arc::new(Scripted::of(items.iter().map(|(item, _)| item.clone())));
    if options.model {
        engine.model = model.clone();
        engine.settings.policy.provider = "scripted";
        engine.settings.policy.timeout_seconds = 60;
    }
    let counter = Counter {
        engine,
        purchases: wiring.purchases(),
        model,
    };
    let (mut right, mut whole, mut turns, mut all) = (0, 0, 0, 0);
    for language in Language::all() {
        let tag = language.tag();
        let file = options.folder.join(format!("{tag}.jsonl"));
        let read = fs::read_to_string(&file).with_context(|| format!("{}", file.display()))?;
        let (mut its, mut its_whole, mut its_turns, mut its_right) = (0, 0, 0, 0);
        for line in read.lines() {
            let dialogue: Dialogue =
                serde_json::from_str(line).with_context(|| format!("{}", file.display()))?;
            // Whoever came before has left the shelves as they were.
            bring_in(&stores, &items).await?;
            let wrong = counter.hold(&dialogue, language).await?;
            its += 1;
            its_turns += dialogue.turns.len();
            its_right += wrong.iter().filter(|wrong| wrong.is_empty()).count();
            its_whole += usize::from(wrong.iter().all(Vec::is_empty));
            if options.misses {
                print_misses(&dialogue, &wrong)?;
            }
        }
        writeln!(
            stdout(),
            "{tag}  {its_whole} of {its} dialogues whole, {its_right} of {its_turns} turns right"
        )?;
        whole += its_whole;
        all += its;
        right += its_right;
        turns += its_turns;
    }
    writeln!(
        stdout(),
        "all {whole} of {all} dialogues whole, {right} of {turns} turns right"
    )?;
    anyhow::ensure!(
        whole >= options.whole,
        "{whole} dialogues are whole, and {} are to be",
        options.whole
    );
    Ok(())
}

fn print_misses(dialogue: &Dialogue, wrong: &[Vec<String>]) -> anyhow::Result<()> {
    for (turn, wrong) in dialogue.turns.iter().zip(wrong) {
        for wrong in wrong {
            writeln!(stdout(), "{}: {:?}: {wrong}", dialogue.name, turn.say)?;
        }
    }
    Ok(())
}

impl Counter {
    /// What is wrong with each turn of a dialogue.
    async fn hold(
        &self,
        dialogue: &Dialogue,
        language: Language,
    ) -> anyhow::Result<Vec<Vec<String>>> {
        let owner = Owner::new("default", &dialogue.name)?;
        let mut wrong = Vec::new();
        for turn in &dialogue.turns {
            self.model.take(turn);
            let outcome = self.turn(&owner, &turn.say, language).await?;
            wrong.push(turn.expect.judge(&outcome));
        }
        self.give_back(&owner).await?;
        Ok(wrong)
    }

    /// What is still put aside is there for whoever comes next.
    async fn give_back(&self, owner: &Owner) -> anyhow::Result<()> {
        let counter = &self.engine.approvals.counter;
        for held in self.purchases.reservations(owner, None, 20).await? {
            let payload = json!({"reservation_id": held.reservation_id});
            let payload = Payload(payload.as_object().cloned().unwrap_or_default());
            let language = Language::default();
            let action = "cancel_reservation";
            perform(counter, owner, language, action, &payload, &|_| None).await?;
        }
        Ok(())
    }

    async fn turn(
        &self,
        owner: &Owner,
        message: &str,
        language: Language,
    ) -> anyhow::Result<Outcome> {
        let shop = self.engine.shop.current().await;
        let caller = Caller {
            owner: Some(owner.clone()),
            language,
            request_id: Uuid::nil(),
            byo_key: None,
            keyed: None,
            begun: None,
            kept_as: KeptAs::Answer,
        };
        let mut caller = caller.writing(message, &shop);
        let body = json!({"message": message, "trace": true});
        let request = ChatRequest::read(body.as_object().context("an object")?)?;
        let prepared = self.engine.prepare(&mut caller, request).await?;
        let begun = self.engine.begin(&caller, prepared).await?;
        let (answer, _) = Box::pin(self.engine.finish(&caller, begun, &|_| ())).await;
        let account = self.purchases.account(owner).await?;
        let cart = account.cart.iter();
        let orders = self.purchases.orders(owner, None, 20).await?;
        let now = OffsetDateTime::now_utc();
        let held = self.purchases.reservations(owner, None, 20).await?;
        let mut reservations = BTreeMap::new();
        let by_number = held.iter().map(|held| (held.reservation_id, held.libro_id));
        let by_number = by_number.collect();
        for held in held {
            if held.status(now) == ReservationStatus::Activa {
                *reservations.entry(held.libro_id).or_default() += held.cantidad;
            }
        }
        let mut shown = answer.results.clone();
        let llm = answer.trace.as_ref().map(|trace| &trace.llm);
        let by_model = self.engine.settings.policy.is_configured()
            && llm.is_some_and(|llm| llm.error.is_none());
        // What it names comes first; it may leave out what was found.
        if by_model && let Some(last) = last_named(&answer.segments) {
            shown.truncate(last + 1);
        }
        Ok(Outcome {
            answer,
            shown,
            cart: cart.map(|line| (line.libro_id, line.cantidad)).collect(),
            orders: orders
                .iter()
                .map(|order| order.estado.name().to_owned())
                .collect(),
            reservations,
            held: by_number,
        })
    }
}

/// The place of the last of the results that an answer names.
fn last_named(lines: &[Vec<Segment>]) -> Option<usize> {
    let last = lines.iter().flatten().filter_map(|piece| piece.item).max();
    last.and_then(|last| usize::try_from(last).ok())
}

impl Expected {
    /// What of an outcome is not as it is to be.
    fn judge(&self, outcome: &Outcome) -> Vec<String> {
        let mut wrong = Vec::new();
        let mut must = |holds: bool, what: String| {
            if !holds {
                wrong.push(what);
            }
        };
        let results = &outcome.shown;
        let shown: Vec<u64> = results.iter().map(|item| item.libro_id).collect();
        let message = outcome.answer.message.replace('\u{a0}', " ");
        for id in &self.shows {
            must(shown.contains(id), format!("{id} is not among {shown:?}"));
        }
        for id in &self.hides {
            must(!shown.contains(id), format!("{id} is among {shown:?}"));
        }
        if let Some(first) = self.first {
            let is_first = shown.first() == Some(&first);
            must(is_first, format!("{first} is not the first of {shown:?}"));
        }
        must(
            !self.shows_none || shown.is_empty(),
            format!("shows {shown:?}"),
        );
        let prices: Vec<f64> = results
            .iter()
            .filter_map(|item| item.precio.to_string().parse().ok())
            .collect();
        if let Some(sorted) = self.sorted {
            // What is sold out comes last in any order.
            let (there, gone): (Vec<_>, Vec<_>) = results.iter().partition(|item| item.stock > 0);
            let is_last = results.iter().is_sorted_by_key(|item| item.stock == 0);
            let is_sorted = [there, gone].iter().all(|part| {
                part.iter().is_sorted_by(|one, other| match sorted {
                    Order::PriceAsc => one.precio <= other.precio,
                    Order::PriceDesc => one.precio >= other.precio,
                })
            });
            let is_sorted = is_sorted && is_last;
            must(
                is_sorted && !prices.is_empty(),
                format!("{prices:?} are not {sorted:?}"),
            );
        }
        let (least, most) = (self.min_price, self.max_price);
        if least.is_some() || most.is_some() {
            let is_within = |price: &f64| {
                least.is_none_or(|least| *price >= least) && most.is_none_or(|most| *price <= most)
            };
            must(
                !prices.is_empty() && prices.iter().all(is_within),
                format!("{prices:?} are not within {least:?} and {most:?}"),
            );
        }
        for (wanted, of) in [
            (
                &self.category,
                results.iter().map(|item| &item.categoria).collect(),
            ),
            (
                &self.author,
                results.iter().map(|item| &item.autor).collect::<Vec<_>>(),
            ),
        ] {
            if let Some(wanted) = wanted {
                must(
                    !of.is_empty() && of.iter().all(|of| *of == wanted),
                    format!("{of:?} are not all {wanted:?}"),
                );
            }
        }
        let actions = outcome.answer.actions.iter();
        let approval = actions.clone().find_map(|action| match action {
            Action::Approval(approval) => Some(approval),
            _ => None,
        });
        self.judge_proposal(approval, (&message, &outcome.held), &mut must);
        same(&self.cart, &outcome.cart, "the cart", &mut must);
        same(
            &self.orders,
            &outcome.orders.len(),
            "the number of orders",
            &mut must,
        );
        same(&self.order_states, &outcome.orders, "the orders", &mut must);
        same(
            &self.reservations,
            &outcome.reservations,
            "what is put aside",
            &mut must,
        );
        for fact in &self.has {
            must(
                message.contains(fact.as_str()),
                format!("{fact:?} is not in {message:?}"),
            );
        }
        for fact in &self.lacks {
            must(
                !message.contains(fact.as_str()),
                format!("{fact:?} is in {message:?}"),
            );
        }
        wrong
    }

    fn judge_proposal(
        &self,
        approval: Option<&Approval>,
        (message, held): (&str, &BTreeMap<u32, u64>),
        must: &mut impl FnMut(bool, String),
    ) {
        let action = approval.map(|approval| approval.action.as_str());
        let Some(wanted) = &self.proposes else {
            return;
        };
        must(
            action == wanted.as_deref(),
            format!("proposes {action:?}, and not {wanted:?}: {message:?}"),
        );
        let Some(approval) = approval.filter(|_| action == wanted.as_deref()) else {
            return;
        };
        let payload = &approval.payload;
        let item = ["item_id", "book_id", "libro_id"]
            .iter()
            .find_map(|name| payload.get(name)?.as_u64());
        // What is put aside has a number of its own.
        let of_held = || {
            let number = payload.get("reservation_id")?.as_u64()?;
            held.get(&u32::try_from(number).ok()?).copied()
        };
        let item = item.or_else(of_held);
        if let Some(wanted) = self.item {
            let is_it = item == Some(wanted);
            must(is_it, format!("proposes {item:?}, and not {wanted}"));
        }
        if let Some(wanted) = self.count {
            let count = payload
                .get("cantidad")
                .map_or(Some(1), |count| count.as_u64());
            must(
                count == Some(wanted),
                format!("proposes {count:?} of it, and not {wanted}"),
            );
        }
    }
}

fn same<T: PartialEq + Debug>(
    wanted: &Option<T>,
    there: &T,
    what: &str,
    must: &mut impl FnMut(bool, String),
) {
    if let Some(wanted) = wanted {
        must(
            wanted == there,
            format!("{what}: {there:?}, and not {wanted:?}"),
        );
    }
}
