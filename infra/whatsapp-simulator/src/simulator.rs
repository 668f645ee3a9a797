//! The simulator's state, and what can be done with it.

use std::{
    collections::{HashMap, VecDeque},
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::{net::TcpListener, sync::watch, task::JoinHandle};

use crate::{
    api,
    check::Refusal,
    clock::Clock,
    control,
    customers::Customer,
    deliver::{Delivered, Order, Webhook},
    inbound::{self, Inbound},
    limit::Pair,
    sent::SentMessage,
};

/// Which business is played, and how.
#[derive(Debug, Clone)]
pub struct Settings {
    pub phone_number_id: String,
    pub display_phone: String,
    pub account_id: String,
    /// What requests must carry.
    pub access_token: SecretString,
    /// What deliveries are signed with.
    pub app_secret: SecretString,
    /// Where deliveries go; without it they are only kept.
    pub webhook_url: Option<String>,
    /// Seconds of the simulator's clock in one of the machine's.
    pub speed: f64,
    pub has_pair_limit: bool,
    pub has_window: bool,
    /// Whether statuses of our messages are delivered.
    pub has_statuses: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            phone_number_id: "106540352242922".to_owned(),
            display_phone: "34910000111".to_owned(),
            account_id: "102290129340398".to_owned(),
            access_token: SecretString::from("simulated-token"),
            app_secret: SecretString::from("simulated-secret"),
            webhook_url: None,
            speed: 1.0,
            has_pair_limit: true,
            has_window: true,
            has_statuses: true,
        }
    }
}

/// What goes wrong with the next request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    pub behaviour: Behaviour,
    /// Whether the message is taken all the same, so that a client that tries once more sends it twice.
    #[serde(default)]
    pub is_taken: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Behaviour {
    /// An error with this code.
    Code(i64),
    /// No answer.
    Hang,
    /// Half an answer.
    Cut,
    /// The answer comes after so many milliseconds.
    Late(u64),
    /// Taken, and failed later by a status with this code.
    FailLater(i64),
}

/// A customer's message that was marked as read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Receipt {
    pub message_id: String,
    pub is_typing: bool,
}

#[derive(Default)]
pub(crate) struct State {
    pub(crate) customers: Vec<Customer>,
    pub(crate) pairs: HashMap<String, Pair>,
    pub(crate) sent: Vec<SentMessage>,
    pub(crate) received: Vec<String>,
    pub(crate) receipts: Vec<Receipt>,
    pub(crate) refusals: Vec<(i64, String)>,
    pub(crate) faults: VecDeque<Fault>,
    counter: u64,
    copies: u32,
    /// Deliveries that wait to be released.
    held: Option<Vec<Value>>,
    deliveries: Vec<Value>,
}

/// The platform, for one number of one business.
#[derive(Clone)]
pub struct Simulator {
    pub(crate) settings: Arc<Settings>,
    pub(crate) clock: Arc<Clock>,
    state: Arc<Mutex<State>>,
    /// How many messages were taken.
    taken: watch::Sender<usize>,
    webhook: Option<Arc<Webhook>>,
}

/// A simulator that listens.
pub struct Running {
    pub simulator: Simulator,
    pub address: SocketAddr,
    task: JoinHandle<()>,
}

impl Running {
    /// The base of the Graph API.
    #[must_use]
    pub fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Simulator {
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        let clock = Arc::new(Clock::new(settings.speed));
        let webhook = settings.webhook_url.clone().map(|url| {
            Arc::new(Webhook {
                url,
                app_secret: settings.app_secret.clone(),
                client: reqwest::Client::new(),
                clock: clock.clone(),
            })
        });
        Self {
            settings: Arc::new(settings),
            clock,
            state: Arc::default(),
            taken: watch::Sender::new(0),
            webhook,
        }
    }

    /// Listens on a port of this machine; 0 is any that is free. The Graph API is at the root, the control under `/simulator`.
    ///
    /// # Errors
    /// Where the port is taken.
    pub async fn start(self, port: u16) -> std::io::Result<Running> {
        let listener = TcpListener::bind(("127.0.0.1", port)).await?;
        let address = listener.local_addr()?;
        let router = api::router(self.clone()).merge(control::router(self.clone()));
        let task = tokio::spawn(async move {
            if let Err(error) = axum::serve(listener, router).await {
                tracing::error!(%error, "the simulator has stopped");
            }
        });
        Ok(Running {
            simulator: self,
            address,
            task,
        })
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Somebody who can write and be written to from now on.
    pub fn add_customer(&self, customer: Customer) {
        self.state().customers.push(customer);
    }

    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// What goes wrong, one request after another.
    pub fn fail_next(&self, fault: Fault) {
        self.state().faults.push_back(fault);
    }

    /// How often each following delivery is made in all, at least once.
    pub fn deliver_copies(&self, copies: u32) {
        self.state().copies = copies.saturating_sub(1);
    }

    /// Keeps deliveries back until they are released.
    pub fn hold(&self) {
        self.state().held.get_or_insert_default();
    }

    /// Delivers what was held back, one after another, and whatever comes then at once.
    pub async fn release(&self, order: Order) -> Vec<Delivered> {
        let mut held = self.state().held.take().unwrap_or_default();
        match order {
            Order::AsTheyCame => {}
            Order::Reversed => held.reverse(),
            Order::Shuffled { seed } => fastrand::Rng::with_seed(seed).shuffle(&mut held),
        }
        let mut delivered = Vec::new();
        for delivery in held {
            if let Some(webhook) = &self.webhook {
                delivered.push(webhook.deliver(&delivery).await);
            }
        }
        delivered
    }

    /// The messages that were taken, oldest first.
    #[must_use]
    pub fn sent(&self) -> Vec<SentMessage> {
        self.state().sent.clone()
    }

    /// The messages that were taken after the first so many, once there is one.
    pub async fn sent_after(&self, count: usize) -> Vec<SentMessage> {
        let mut taken = self.taken.subscribe();
        // The sender lives as long as the simulator.
        let _ = taken.wait_for(|taken| *taken > count).await;
        self.state().sent.iter().skip(count).cloned().collect()
    }

    #[must_use]
    pub fn receipts(&self) -> Vec<Receipt> {
        self.state().receipts.clone()
    }

    /// Codes and fields of what was refused.
    #[must_use]
    pub fn refusals(&self) -> Vec<(i64, String)> {
        self.state().refusals.clone()
    }

    /// Everything that was delivered, or would have been.
    #[must_use]
    pub fn deliveries(&self) -> Vec<Value> {
        self.state().deliveries.clone()
    }

    /// A customer, by number or user id, does something; the id of their message. Nothing where there is no such customer, or
    /// nothing that they could tap.
    #[must_use]
    pub fn act(&self, address: &str, inbound: Inbound) -> Option<String> {
        let customer = self.customer(address)?;
        let fields = match inbound {
            Inbound::Text { body } => json!({ "type": "text", "text": { "body": body } }),
            Inbound::Tap { message, choice } => self.tap(&message, &choice)?,
            Inbound::Other { fields } => fields,
        };
        let id = self.fresh_id();
        let at = self.clock.now();
        {
            let mut state = self.state();
            let pair = state.pairs.entry(customer.user_id.clone()).or_default();
            pair.last_inbound_at = Some(at);
            state.received.push(id.clone());
        }
        self.deliver(inbound::message(&self.settings, &customer, &id, at, fields));
        Some(id)
    }

    /// A customer has another number, and with it another user id. Nothing where there is no such customer.
    #[must_use]
    pub fn change_number(&self, address: &str, phone: &str, user_id: &str) -> Option<String> {
        let before = self.customer(address)?;
        let after = Customer {
            phone: phone.to_owned(),
            user_id: user_id.to_owned(),
            ..before.clone()
        };
        let id = self.fresh_id();
        {
            let mut state = self.state();
            for customer in &mut state.customers {
                if customer.user_id == before.user_id {
                    *customer = after.clone();
                }
            }
            if let Some(pair) = state.pairs.remove(&before.user_id) {
                state.pairs.insert(after.user_id.clone(), pair);
            }
        }
        let at = self.clock.now();
        self.deliver(inbound::renaming(&self.settings, &before, &after, &id, at));
        Some(id)
    }

    pub(crate) fn customer(&self, address: &str) -> Option<Customer> {
        let state = self.state();
        let mut customers = state.customers.iter();
        customers.find(|customer| customer.is_at(address)).cloned()
    }

    /// The reply that a tap on one of our messages makes.
    fn tap(&self, message: &str, choice: &str) -> Option<Value> {
        let state = self.state();
        let sent = state.sent.iter().find(|sent| sent.id == message)?;
        let (name, reply) = sent.reply(choice)?;
        Some(json!({
            "type": "interactive",
            "context": { "from": self.settings.display_phone, "id": message },
            "interactive": { "type": name, name: reply },
        }))
    }

    /// Takes a message, or says why not.
    pub(crate) fn take(
        &self,
        address: &str,
        is_template: bool,
        payload: Value,
    ) -> Result<String, Refusal> {
        let now = self.clock.now();
        let customer = self.customer(address);
        let key = customer
            .as_ref()
            .map_or(address, |customer| &customer.user_id);
        let id = self.fresh_id();
        let mut state = self.state();
        let pair = state.pairs.entry(key.to_owned()).or_default();
        if self.settings.has_window && !is_template && !pair.is_window_open(now) {
            return Err(Refusal::new(131_047, "more than 24 hours have passed"));
        }
        if self.settings.has_pair_limit && !pair.may_send(now) {
            return Err(Refusal::new(131_056, "too many messages to this customer"));
        }
        pair.sent(now);
        state.sent.push(SentMessage {
            id: id.clone(),
            address: address.to_owned(),
            at: now,
            payload,
        });
        self.taken.send_replace(state.sent.len());
        Ok(id)
    }

    /// Tells the webhook what became of a message.
    pub(crate) fn report(
        &self,
        address: &str,
        id: &str,
        tracker: Option<&str>,
        fails: Option<i64>,
    ) {
        let customer = self.customer(address);
        let fails = fails.or(customer.is_none().then_some(131_026));
        let steps: &[&str] = match fails {
            Some(_) => &["failed"],
            None => &["sent", "delivered"],
        };
        for step in steps
            .iter()
            .filter(|_| self.settings.has_statuses || fails.is_some())
        {
            let mut fields = json!({ "status": step });
            if let Some(tracker) = tracker {
                fields["biz_opaque_callback_data"] = json!(tracker);
            }
            match fails {
                Some(code) => {
                    fields["errors"] = json!([{
                        "code": code,
                        "title": "failed",
                        "message": "failed",
                        "error_data": { "details": "failed" },
                    }]);
                }
                None => {
                    fields["pricing"] = json!({
                        "billable": true,
                        "pricing_model": "PMP",
                        "type": "regular",
                        "category": "service",
                    });
                }
            }
            let at = self.clock.now();
            let customer = customer.as_ref();
            self.deliver(inbound::status(
                &self.settings,
                customer,
                address,
                id,
                at,
                fields,
            ));
        }
    }

    /// Any delivery, signed.
    pub fn deliver(&self, delivery: Value) {
        let mut state = self.state();
        let copies = state.copies + 1;
        for _ in 0..copies {
            state.deliveries.push(delivery.clone());
            if let Some(held) = &mut state.held {
                held.push(delivery.clone());
                continue;
            }
            if let Some(webhook) = self.webhook.clone() {
                let delivery = delivery.clone();
                tokio::spawn(async move {
                    let Delivered { attempts, is_taken } = webhook.deliver(&delivery).await;
                    tracing::debug!(attempts, is_taken, "delivered");
                });
            }
        }
    }

    /// An id that nobody has had; the simulator's say nothing of the customer.
    fn fresh_id(&self) -> String {
        let mut state = self.state();
        state.counter += 1;
        format!(
            "wamid.U0lN{:08}{:06}",
            fastrand::u32(..100_000_000),
            state.counter
        )
    }

    /// Longest that a request hangs.
    pub(crate) const HANG: Duration = Duration::from_secs(3600);
}
