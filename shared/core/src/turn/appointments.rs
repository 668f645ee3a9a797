//! Appointments by words: what is still to be known is asked for, in whatever order it is said, and then whether it is to be done.

mod about;
mod agreement;
mod answer;
mod book;
mod clauses;
mod details;
mod name;
mod names;
mod own;
mod time;

use std::sync::Arc;

use jiff::{Timestamp, civil::Date};
use serde_json::{Value, json};

use self::{
    clauses::first_wish,
    details::{Details, kind_of},
    time::Start,
};
use super::{
    change,
    types::{Caller, Prepared, Record, SIGNED_OUT, TurnEngine},
};
use crate::{
    actions::{Counter, Outcome, Payload, approvals::Decision, offered},
    booking::{Business, Reception, Service},
    chain::Chain,
    clock::timestamp,
    dialogue::{Awaited, ERRAND, Errand, Kind, Proposed, last_sentence, plainly},
    log::{Commit, Event},
    shop::Locale,
    tools::shop_info,
    understand::{
        Change, MAYBE_DISTRESS, Route, Step,
        hour::Times,
        intent::{Intent, meant_of_all},
        topic::Topic,
    },
};

/// Surer than this, a message is about appointments by what it is for.
const SURE: f32 = 0.5;
/// The same where items are found for it: "quiero reservar El Quijote".
const SURE_BESIDE_ITEMS: f32 = 0.8;
/// Most words that say nothing of an appointment in a message that goes on with one.
const OTHERS: usize = 3;
/// Most lines of a list with a question behind it.
const LINES: usize = 4;
/// The tool of the answers that ask for more.
const SLOTS: &str = "get_available_slots";

/// A turn about an appointment, with whose it is and with what is offered.
struct Desk<'a> {
    caller: &'a Caller,
    locale: Locale<'a>,
    counter: Counter,
    business: &'a Business,
    today: Date,
    now: Timestamp,
    details: Details<'a>,
    message: &'a str,
}

/// What is said in a turn, and what is open after it.
struct Reply {
    tool: &'static str,
    record: Record,
    errand: Option<Errand>,
    /// What the customer is asked to agree to.
    proposal: Option<(&'static str, Payload)>,
    /// When that is, for people.
    when: Option<String>,
}

impl Reply {
    fn new(tool: &'static str, record: Record, errand: Option<Errand>) -> Self {
        Self {
            tool,
            record,
            errand,
            proposal: None,
            when: None,
        }
    }
}

impl TurnEngine {
    /// Sees to what a message says of an appointment, or else to the change that is wanted.
    pub(super) async fn see_to_wish(
        &self,
        caller: &Caller,
        said: change::Said,
        prepared: &mut Prepared,
    ) {
        if !self.see_to_appointments(caller, prepared).await {
            self.see_to_changes(caller, said, prepared).await;
        }
    }

    /// Whether a message is about an appointment; then it is seen to.
    async fn see_to_appointments(&self, caller: &Caller, prepared: &mut Prepared) -> bool {
        let Some(reception) = &self.approvals.counter.reception else {
            return false;
        };
        let is_urgent = matches!(
            prepared.step,
            Step::Leave | Step::Say(Intent::Distress) | Step::Ask(MAYBE_DISTRESS)
        );
        if is_urgent || prepared.request.files.is_some() {
            return false;
        }
        let (message, shop) = (prepared.request.message.clone(), Arc::clone(&prepared.shop));
        let commits = prepared.context.as_deref().unwrap_or_default();
        let proposed = Proposed::of_log(commits, self.clock.now());
        let asked = proposed.filter(|proposed| proposed.is_asked);
        let answer = last_sentence(&message).unwrap_or(&message);
        if asked.is_some() && plainly(answer).is_some() {
            return false;
        }
        let brought = || prepared.request.shown.as_ref()?.errand.clone();
        let open = Errand::of_log(commits).or_else(brought);
        let meant = meant_of_all(&message);
        let is_found = !prepared.found.results.is_empty();
        // Who names an item wants that.
        let is_of_item = is_found && prepared.route != Route::Search;
        let sure = if is_found { SURE_BESIDE_ITEMS } else { SURE };
        let is_sure = meant.confidence >= sure && !is_of_item;
        let kind = kind_of(meant.intent).filter(|_| is_sure);
        // What the shop would else say that it cannot do.
        let is_wanted = prepared.step == Step::Say(Intent::BookAppointment);
        let kind = kind.or(is_wanted.then_some(Kind::Book));
        if kind.is_none() && open.is_none() && is_of_item {
            return false;
        }
        let Some(business) = business(reception).await else {
            return false;
        };
        let now = timestamp(self.clock.now());
        let today = business.date_of(now);
        // Of two wishes the first comes first.
        let first = first_wish(&message, &business);
        // What the turn looks up is of the business as it was read for it.
        let reception = Reception {
            known: Some(Arc::clone(&business)),
            ..reception.clone()
        };
        let own = name::without_name(first.unwrap_or(&message), &business);
        let mut details = Details::read(&own, &business, today);
        // "One for Beth" says so with the name.
        details.times.is_another |= Times::of(&message).is_another;
        let desk = Desk {
            caller,
            locale: shop.locale(caller.language),
            counter: Counter {
                reception: Some(reception),
                ..self.counter(&shop)
            },
            business: &business,
            today,
            now,
            details,
            message: &message,
        };
        let asked = asked.filter(|asked| is_of_appointment(&asked.action));
        if let Some(asked) = &asked
            && let Some(says_more) = desk.agrees(asked)
        {
            prepared.says_more |= says_more;
            change::decide(asked, Decision::Approve, prepared);
            return true;
        }
        // "Cancela, por favor", to whether it is to be booked.
        if let Some(asked) = asked.filter(|asked| asked.action != "cancel_appointment")
            && desk.turns_down()
            && !desk.details.says_any()
            // "A nombre de Paco, no de Elena."
            && name::given(&message, &business).is_none()
        {
            change::decide(&asked, Decision::Reject, prepared);
            return true;
        }
        // "Cancel it" behind an appointment is of that.
        let is_last = matches!(
            prepared.step,
            Step::Propose(Change::CancelOrder | Change::CancelReservation)
        );
        let is_of_last = is_last && !is_of_item && was_of_appointment(commits);
        let kind = kind.or(is_of_last.then_some(Kind::Cancel));
        // "Mejor en Benimaclet, el mismo día", "¿me la corres para las 19?"
        let times = &desk.details.times;
        let is_same = times.is_same_day || times.is_same_time;
        let is_of_shop =
            prepared.step == Step::Read(shop_info::NAME) && prepared.topic == Some(Topic::Opening);
        let is_short = desk.details.others <= OTHERS && !is_found && !is_of_shop;
        let is_change = (is_same || is_short)
            && !times.is_another
            && open.is_none()
            && desk.details.services.is_empty()
            && desk.details.says_where_or_when()
            && was_of_appointment(commits);
        let kind = kind.or(is_change.then_some(Kind::Move));
        // "Now one for Beth, same day at five."
        let says_when = is_same || desk.details.says_where_or_when();
        let is_more = times.is_another && says_when && is_short && open.is_none();
        let kind = kind.or((is_more && was_of_appointment(commits)).then_some(Kind::Book));
        // "O que tenho marcado?", behind one.
        let is_of_basket = prepared.step == Step::Read("view_cart")
            && open.is_none()
            && !desk.details.says_any()
            && was_of_appointment(commits);
        let kind = kind.or(is_of_basket.then_some(Kind::View));
        if let Some(reply) = desk.tell_length(open.as_ref(), commits).await {
            self.apply(caller, reply, prepared).await;
            return true;
        }
        // "Necesito otra" is no change of the one that there is, and "y una manicura, el mismo día" none of a haircut.
        let kind = match kind {
            Some(Kind::Move)
                if desk.details.times.is_another || desk.names_another(commits).await =>
            {
                Some(Kind::Book)
            }
            kind => kind,
        };
        let Some(reply) = desk.answer(kind, open.clone(), prepared).await else {
            // Who asks what can be done hears that, too.
            if matches!(prepared.step, Step::Say(Intent::Greeting | Intent::Help)) {
                prepared.beside.lines.push(desk.offer());
            }
            // A question to the shop in between leaves it open.
            if prepared.step == Step::Read(shop_info::NAME) {
                prepared.errand = open;
            }
            return false;
        };
        let has_more = first.is_some();
        self.apply(caller, reply, prepared).await;
        // "Una manicura y un corte": the other one comes afterwards.
        prepared.says_more |= has_more;
        true
    }

    /// Puts what is said into the turn, and asks what there is to agree to.
    async fn apply(&self, caller: &Caller, reply: Reply, prepared: &mut Prepared) {
        let Reply {
            tool,
            record,
            errand,
            proposal,
            when,
        } = reply;
        prepared.found.results.clear();
        prepared.found.error = None;
        prepared.topic = None;
        prepared.beside = Record::default();
        prepared.without_model = Some(ERRAND);
        prepared.step = Step::Read(tool);
        prepared.record = Some(record);
        prepared.errand = errand;
        let owner = caller.owner.as_ref().filter(|_| prepared.context.is_some());
        let Some((action, payload)) = proposal else {
            return;
        };
        let Some(owner) = owner else {
            let locale = prepared.locale(caller.language);
            let text = match &when {
                Some(when) => locale.message("sign-in-to-book", &[("when", when.into())]),
                None => locale.text("sign-in-to-do"),
            };
            prepared.record = Some(Record {
                lines: vec![text],
                error: Some(SIGNED_OUT),
                ..Record::default()
            });
            return;
        };
        match self
            .ask_about(caller, owner, action, payload, prepared)
            .await
        {
            Ok((record, approval)) => {
                // What cannot be had is not asked for once more.
                if approval.is_none() {
                    prepared.errand = prepared.errand.take().map(Errand::at_another_time);
                }
                prepared.record = Some(record);
                prepared.approval = approval;
            }
            Err(error) => {
                tracing::warn!(error = %Chain(&error), "an appointment cannot be asked about");
                prepared.record = Some(Record::unavailable());
            }
        }
    }
}

/// Whether an appointment was asked about, or asked for, in the newest commits.
fn was_of_appointment(commits: &[Commit]) -> bool {
    /// A yes, which is two commits, and its question.
    const NEWEST: usize = 3;
    let events = commits
        .iter()
        .take(NEWEST)
        .flat_map(|commit| &commit.events);
    let mut events = events.filter_map(|event| event.known());
    events.any(|event| match event {
        Event::ApprovalRequested { tool_name, .. } => is_of_appointment(tool_name),
        Event::ToolUseRequested {
            tool_name, args, ..
        } => args.get(ERRAND).is_some() || tool_name == own::OWN,
        _ => false,
    })
}

fn is_of_appointment(action: &str) -> bool {
    [
        "create_appointment",
        "reschedule_appointment",
        "cancel_appointment",
    ]
    .contains(&action)
}

async fn business(reception: &Reception) -> Option<Arc<Business>> {
    match reception.business(None).await {
        Ok(business) => business,
        Err(error) => {
            tracing::warn!(error = %Chain(&error), "the business cannot be read");
            None
        }
    }
}

impl Desk<'_> {
    async fn go_on(&self, mut errand: Errand) -> Reply {
        // A name says nothing else: "Domingo Reyes", "Carmen".
        if errand.awaited == Some(Awaited::Name)
            && let Some(name) = self.name()
        {
            errand.full_name = Some(name);
            return self.book(errand).await;
        }
        if let Some(name) = name::given(self.message, self.business) {
            errand.full_name = Some(name);
        }
        if self.details.times.is_open {
            match errand.awaited {
                Some(Awaited::Branch) => errand.is_anywhere = true,
                Some(Awaited::Time) => errand.is_earliest = true,
                _ => {}
            }
        }
        if self.details.times.is_anyone && errand.awaited == Some(Awaited::Branch) {
            errand.is_anywhere = true;
        }
        match errand.kind {
            Kind::View => self.view().await,
            Kind::Cancel => self.cancel(errand).await,
            Kind::Move => self.reschedule(errand).await,
            Kind::Book => {
                self.details.add_to(&mut errand, self.today);
                if let Some(service) = names::for_whom(self.message, &errand.among, self.business) {
                    errand.service = Some(service.id.to_string());
                    errand.among.clear();
                }
                self.add_last(&mut errand).await;
                if let Some(hour) = self.answered_hour(&errand) {
                    errand.hour = Some(hour);
                }
                self.book(errand).await
            }
        }
    }

    fn text(&self, key: &str) -> String {
        self.locale.text(key)
    }

    /// The name that a message gives in answer to whose it is: "Ana Ruiz", "a nombre de Ana Ruiz".
    fn name(&self) -> Option<String> {
        let is_plain = plainly(self.message).is_none() && !self.message.contains('?');
        let of_clause = || name::of_clause(self.message, self.business);
        is_plain.then(|| name::name(self.message).or_else(of_clause))?
    }

    /// What a service is and costs, in a line.
    async fn details(&self, service: &Service) -> Option<String> {
        let payload = json!({"service_name": service.id});
        let outcome = self.look("get_service_details", &payload).await.ok()?;
        Some(outcome.message)
    }

    /// What anybody may look up.
    async fn look(&self, action: &'static str, payload: &Value) -> Result<Outcome, Reply> {
        let language = self.caller.language;
        let payload = members(payload);
        let looked = offered(&self.counter, language, action, &payload).await;
        looked.map_err(|error| {
            tracing::warn!(error = %Chain(&error), "appointments cannot be read");
            Reply::new(action, Record::unavailable(), None)
        })
    }
}

fn record_of(lines: Vec<String>) -> Record {
    Record {
        lines,
        ..Record::default()
    }
}

fn members(payload: &Value) -> Payload {
    Payload(payload.as_object().cloned().unwrap_or_default())
}
