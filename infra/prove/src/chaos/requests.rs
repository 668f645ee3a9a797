//! Keyed requests to the real endpoints, sent again until they are answered, from more than one place at once and after a function
//! has died over them: each has its effect once, and one answer.

mod check;

use std::{cell::RefCell, sync::Arc, time::Duration};

use anyhow::Context;
use async_trait::async_trait;
use bytes::Bytes;
use futures_util::{
    future::{LocalBoxFuture, join_all},
    stream::{self, StreamExt},
};
use mostrador_core::{
    actions::{Counter, approvals::Approvals},
    clock::Clock,
    files::NoFiles,
    history::{Exporter, History},
    ids::Owner,
    index::{Index, IndexSource},
    model::{Completion, Model, ModelError, ModelEvent, ModelPolicy, ModelRequest, StopReason},
    retrieval::Retrieval,
    shop::Profile,
    turn::{TurnEngine, TurnSettings},
};
use mostrador_dynamodb::{
    Client, DynamoBookings, DynamoCatalogue, DynamoIdempotency, DynamoLog, DynamoPurchases,
    DynamoView, connect, import,
};
use mostrador_local::secret;
use mostrador_web::{Authenticator, Gate, Request, Response, TokenSettings, Traces};
use rand::{Rng, SeedableRng, rngs::StdRng};
use serde_json::json;
use tokio::time::timeout;

use check::{approved, check_answers, check_log, check_purchases};

use super::{LATE_IS_DONE, World, clock::SeededClock, log, purchases};

/// The one item, of which there is plenty.
const ITEM: u64 = 1;
/// What is said to a question.
const YES: &str = "sí";
/// How often a request is sent before its client gives up.
const SENT_AT_MOST: usize = 8;

/// What a client wants done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wish {
    Chat,
    Message,
    Cart,
    Reservation,
    /// By words: the item in the cart, which is asked about first.
    Ask,
    /// Whatever was asked about last.
    Yes,
}

/// One request with a key of its own, and the terminal answers that were given to it.
struct Keyed {
    owner: usize,
    wish: Wish,
    key: String,
    /// What is said; of its own, but for a yes.
    text: String,
    answers: RefCell<Vec<(u16, Bytes)>>,
}

/// A model that takes its time.
struct Slow(Arc<dyn Clock>);

#[async_trait]
impl Model for Slow {
    async fn ask(&self, _: ModelRequest) -> Result<Completion, ModelError> {
        self.0.pause_up_to(Duration::from_secs(8)).await;
        let words = "- No lo tengo.\n- ¿Buscas otra cosa?".to_owned();
        let stop_reason = StopReason::EndTurn;
        let events = [
            ModelEvent::ContentDelta(words),
            ModelEvent::End { stop_reason },
        ];
        Ok(Completion {
            model: None,
            events: stream::iter(events.map(Ok)).boxed(),
        })
    }
}

/// No index, so that questions are answered from the catalogue.
struct NoIndex;

#[async_trait]
impl IndexSource for NoIndex {
    async fn current(&self) -> Option<Arc<dyn Index>> {
        None
    }
}

/// The endpoints, as their functions have them.
struct Endpoints {
    chat: Arc<mostrador_chat::Deps>,
    history: Arc<mostrador_history::Deps>,
    actions: Arc<mostrador_actions::Deps>,
    tokens: Vec<String>,
}

impl Endpoints {
    fn open(
        world: &World,
        client: &Client,
        owners: &[Owner],
        models: bool,
    ) -> anyhow::Result<Self> {
        let secret = secret::secret(None)?;
        let tokens = TokenSettings {
            secret: Some(secret.clone()),
            jwks_url: None,
            issuer: None,
            audience: None,
            subject_claim: "sub".to_owned(),
            staff_claim: "role".to_owned(),
        };
        let clock: Arc<dyn Clock> = Arc::new(SeededClock::new(world.seed));
        let idempotency = Arc::new(DynamoIdempotency::new(client.clone(), &world.tables.limits));
        let gate = || Gate {
            authenticator: Some(Authenticator::new(tokens.clone())),
            throttle: None,
            idempotency: Some(idempotency.clone()),
            clock: clock.clone(),
            shop: None,
            traces: Traces::Nobodys,
        };
        let catalogue = DynamoCatalogue::new(client.clone(), &world.tables.catalogue);
        let catalogue = Arc::new(catalogue);
        let log = Arc::new(DynamoLog::new(client.clone(), &world.tables));
        let view = Arc::new(DynamoView::new(client.clone(), &world.tables));
        let policy = ModelPolicy {
            provider: if models { "scripted" } else { "none" },
            // More than it ever takes, and so little that a turn whose function has died does not stay open for long.
            timeout_seconds: 20,
            ..ModelPolicy::none()
        };
        let purchases = Arc::new(DynamoPurchases::new(client.clone(), &world.tables));
        let approvals = Approvals {
            log: log.clone(),
            idempotency: idempotency.clone(),
            counter: Counter {
                catalogue: catalogue.clone(),
                purchases: purchases.clone(),
                clock: clock.clone(),
                order_total_max: None,
                shop: Arc::new(Arc::<Profile>::default()),
                reception: None,
            },
        };
        let chat = mostrador_chat::Deps {
            gate: gate(),
            engine: TurnEngine {
                log: log.clone(),
                view: view.clone(),
                retrieval: Retrieval {
                    index: Arc::new(NoIndex),
                    catalogue: catalogue.clone(),
                    shop: Arc::new(Arc::<Profile>::default()),
                },
                approvals: approvals.clone(),
                files: Arc::new(NoFiles),
                model: Arc::new(Slow(clock.clone())),
                clock: clock.clone(),
                shop: Arc::new(Arc::<Profile>::default()),
                settings: TurnSettings {
                    policy,
                    ..TurnSettings::default()
                },
            },
        };
        let history = mostrador_history::Deps {
            gate: gate(),
            history: History {
                log: log.clone(),
                view: view.clone(),
                clock: clock.clone(),
            },
            exporter: Exporter {
                shelves: Arc::new(NoFiles),
                bookings: Arc::new(DynamoBookings::new(client.clone(), &world.tables)),
                log,
                view,
                purchases,
            },
        };
        let actions = mostrador_actions::Deps {
            gate: gate(),
            approvals,
        };
        let tokens = owners.iter();
        let tokens = tokens.map(|owner| secret::token(&secret, owner.user(), 1));
        Ok(Self {
            chat: Arc::new(chat),
            history: Arc::new(history),
            actions: Arc::new(actions),
            tokens: tokens.collect::<Result<_, _>>()?,
        })
    }

    async fn send(&self, keyed: &Keyed) -> anyhow::Result<Response> {
        let (path, body) = match keyed.wish {
            Wish::Chat | Wish::Ask | Wish::Yes => ("/api/agent/", json!({"message": keyed.text})),
            Wish::Message => (
                "/api/agent/history/messages/",
                json!({"role": "user", "content": keyed.text}),
            ),
            Wish::Cart => (
                "/api/agent/actions/",
                json!({"action": "add_to_cart", "payload": {"book_id": ITEM}}),
            ),
            Wish::Reservation => (
                "/api/agent/actions/",
                json!({"action": "reserve_book", "payload": {"book_id": ITEM}}),
            ),
        };
        let token = self.tokens.get(keyed.owner).context("the token")?;
        let request: Request = http::Request::post(path)
            .header("content-type", "application/json")
            .header("authorization", format!("Bearer {token}"))
            .header("idempotency-key", &keyed.key)
            .body(body.to_string().into())?;
        Ok(match keyed.wish {
            Wish::Chat | Wish::Ask | Wish::Yes => {
                mostrador_chat::handle(self.chat.clone(), request).await
            }
            Wish::Message => mostrador_history::handle(self.history.clone(), request).await,
            Wish::Cart | Wish::Reservation => {
                mostrador_actions::handle(self.actions.clone(), request).await
            }
        })
    }

    /// One place from which a request is sent until its answer is final.
    async fn insist(&self, keyed: &Keyed, mut rng: StdRng) -> Result<(), String> {
        for _ in 0..SENT_AT_MOST {
            // The function may die over it at any moment; the client then knows nothing.
            let life = if rng.random_bool(0.3) {
                Duration::from_millis(rng.random_range(0..6_000))
            } else {
                Duration::from_secs(3_600)
            };
            if let Ok(response) = timeout(life, self.send(keyed)).await {
                let response = response.map_err(|error| error.to_string())?;
                let status = response.status().as_u16();
                let may_retry = [409, 429, 503].contains(&status);
                let is_terminal = !may_retry || replays(&response);
                if is_terminal {
                    let body = Bytes::copy_from_slice(response.body().whole());
                    let answer = (status, body);
                    keyed.answers.borrow_mut().push(answer);
                    return Ok(());
                }
            }
            // Now and then so long that a lease runs out.
            let pause = if rng.random_bool(0.5) {
                Duration::from_secs(rng.random_range(30..90))
            } else {
                Duration::from_millis(rng.random_range(0..3_000))
            };
            tokio::time::sleep(pause).await;
        }
        Ok(())
    }
}

fn replays(response: &Response) -> bool {
    response.headers().contains_key("idempotent-replayed")
}

/// One world: its requests' time, and the check of what they leave.
pub(super) async fn world(world: &mut World) -> Result<(), String> {
    let text_of = |error: anyhow::Error| error.to_string();
    let mut rng = StdRng::seed_from_u64(world.seed);
    let owners: Vec<Owner> = (0..rng.random_range(1..3u32))
        .filter_map(|number| Owner::new("default", &format!("customer-{number}")).ok())
        .collect();
    let clean = connect(&world.engine.configuration().await);
    let catalogue = DynamoCatalogue::new(clean.clone(), &world.tables.catalogue);
    import(&catalogue, &[(purchases::item(ITEM), 1_000)], |_| {})
        .await
        .map_err(|error| error.to_string())?;
    let faulty = connect(&world.faulty.configuration().await);
    let models = rng.random_bool(0.5);
    let endpoints = Endpoints::open(world, &faulty, &owners, models).map_err(text_of)?;
    let wishes = [
        Wish::Chat,
        Wish::Chat,
        Wish::Message,
        Wish::Cart,
        Wish::Reservation,
        Wish::Ask,
        Wish::Yes,
        Wish::Yes,
    ];
    let requests: Vec<Keyed> = (0..rng.random_range(3..12usize))
        .map(|number| {
            let key = format!("request-{number}");
            let wish = wishes[rng.random_range(0..wishes.len())];
            Keyed {
                owner: rng.random_range(0..owners.len()),
                wish,
                text: match wish {
                    // A number would be one of copies.
                    Wish::Ask => {
                        format!("añade el libro {ITEM} al carrito{}", "!".repeat(number + 1))
                    }
                    Wish::Yes => YES.to_owned(),
                    _ => key.clone(),
                },
                key,
                answers: RefCell::default(),
            }
        })
        .collect();
    let mut places: Vec<LocalBoxFuture<'_, Result<(), String>>> = Vec::new();
    for keyed in &requests {
        for _ in 0..rng.random_range(1..4u32) {
            let later = Duration::from_millis(rng.random_range(0..4_000));
            let rng = StdRng::seed_from_u64(rng.random());
            let endpoints = &endpoints;
            places.push(Box::pin(async move {
                tokio::time::sleep(later).await;
                endpoints.insist(keyed, rng).await
            }));
        }
    }
    join_all(places)
        .await
        .into_iter()
        .collect::<Result<Vec<_>, _>>()?;
    tokio::time::sleep(LATE_IS_DONE).await;

    let log = DynamoLog::new(clean.clone(), &world.tables);
    let purchases = DynamoPurchases::new(clean, &world.tables);
    for (place, owner) in owners.iter().enumerate() {
        let of_owner: Vec<&Keyed> = requests
            .iter()
            .filter(|keyed| keyed.owner == place)
            .collect();
        let there = log::conversations(&log, owner).await?;
        check_log(&of_owner, &there)?;
        let approved = approved(&there)?;
        world.tried.count("approved by words", approved);
        check_purchases(&of_owner, approved, &purchases, owner).await?;
        for keyed in of_owner {
            check_answers(keyed)?;
            let answered = !keyed.answers.borrow().is_empty();
            world
                .tried
                .count(if answered { "answered" } else { "given up" }, 1);
        }
    }
    Ok(())
}

/// What keyed requests rest on, and what becomes of them without.
pub(super) const GUARDS: &[(&str, mostrador_engine::Tamper)] = &[
    (
        "an effect is settled with its request",
        |operation, request, answer| {
            let writes = request["TransactItems"].as_array_mut();
            let writes = writes.filter(|_| answer.is_none() && operation == "TransactWriteItems");
            if let Some(writes) = writes {
                writes.retain(|write| {
                    let table = write["Update"]["TableName"].as_str().unwrap_or_default();
                    !table.ends_with("limits")
                });
            }
        },
    ),
    (
        "a request is one attempt's at a time",
        |_, request, answer| {
            if answer.is_none() {
                super::without_condition(request, "limits");
            }
        },
    ),
];
