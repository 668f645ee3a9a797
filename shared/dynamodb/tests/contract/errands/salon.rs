//! A salon that talks, without a model.

use std::sync::Arc;

use jiff::tz::TimeZone;
use mostrador_core::{
    booking::{Bookings, Business, BusinessId, Reception, State},
    ids::Owner,
    language::Language,
    log::Log,
    model::ModelPolicy,
    turn::{Caller, ChatRequest, TurnEngine},
};
use serde_json::{Value, json};

use crate::{
    bookings::scheduler_at,
    clock::StoppedClock,
    setup::{Stores, owner},
    turn::{Silent, caller, engine_of},
};

/// Two branches in Madrid, of which one has two people. It is noon there of Friday, 1 January 2100.
fn file() -> Value {
    let week = json!({"monday": ["10:00-14:00", "16:00-20:00"], "tuesday": ["10:00-14:00", "16:00-20:00"],
        "wednesday": ["10:00-14:00"], "thursday": ["10:00-14:00", "16:00-20:00"], "friday": ["10:00-20:00"]});
    let service = |id: &str, name: &str, minutes: u16, price: &str, also_called: &[&str]| json!({"id": id, "name": name, "category": "pelo", "price": price, "duration_minutes": minutes, "also_called": also_called});
    json!({
        "id": "brisa", "business_name": "Salón Brisa", "time_zone": "Europe/Madrid", "currency": "EUR",
        "branches": [{"id": "ruzafa", "name": "Ruzafa", "address": "Calle del Peine, 8", "hours": week},
            {"id": "benimaclet", "name": "Benimaclet", "address": "Plaza de las Tijeras, 3", "hours": week}],
        "categories": [{"id": "pelo", "name": "Pelo"}],
        "services": [
            service("corte-mujer", "Corte de mujer", 60, "29.00", &["women's haircut", "corte feminino", "corte de mulher", "corte de señora"]),
            service("corte-hombre", "Corte de hombre", 30, "17.00", &["men's haircut", "corte masculino", "corte de homem", "corte de caballero"]),
            service("tinte", "Tinte de raíz", 90, "38.00", &["root colour", "roots touch-up", "retoque de raiz", "coloração de raiz"]),
            service("manicura", "Manicura", 60, "16.00", &["manicure", "nails", "uñas", "unhas"])],
        "calendars": [
            {"id": "carmen", "name": "Carmen", "branch": "ruzafa", "offers": ["corte-mujer", "corte-hombre", "tinte"]},
            {"id": "marcos", "name": "Marcos", "branch": "ruzafa", "offers": ["corte-mujer", "corte-hombre"]},
            {"id": "irene", "name": "Irene", "branch": "benimaclet", "offers": ["corte-mujer", "corte-hombre"]},
            {"id": "noelia", "name": "Noelia", "branch": "ruzafa", "offers": ["manicura"]}]
    })
}

pub(super) struct Salon {
    stores: Stores,
    engine: TurnEngine,
}

impl Salon {
    pub(super) async fn open() -> Self {
        let stores = Stores::embedded().await;
        let business = Business::read(file().as_object().unwrap().clone()).unwrap();
        let put = stores.bookings();
        put.put_business(&business, &file().to_string())
            .await
            .unwrap();
        let clock = StoppedClock::at_noon();
        let mut engine = engine_of(
            &stores,
            Arc::new(Silent),
            ModelPolicy::none(),
            clock.clone(),
        );
        engine.approvals.counter.reception = Some(Reception {
            scheduler: scheduler_at(&stores, clock),
            business: BusinessId::read("brisa").unwrap(),
            known: None,
        });
        Self { stores, engine }
    }

    /// The answer to a message.
    pub(super) async fn say(&self, owner: &Owner, tag: &str, message: &str) -> String {
        let mut caller = Caller {
            language: Language::from_tag(tag).unwrap(),
            ..caller(owner)
        };
        let body = json!({"message": message});
        let request = ChatRequest::read(body.as_object().unwrap()).unwrap();
        let prepared = self.engine.prepare(&mut caller, request).await.unwrap();
        let begun = self.engine.begin(&caller, prepared).await.unwrap();
        self.engine.finish(&caller, begun, &|_| {}).await;
        let newest = self.stores.log().newest(owner, None, 1).await.unwrap();
        newest[0].answer().unwrap_or_default().to_owned()
    }

    /// A conversation from its beginning, one line a turn.
    pub(super) async fn talk(&self, name: &str, tag: &str, messages: &[&str]) -> String {
        let owner = owner(name);
        let mut lines = Vec::new();
        for message in messages {
            let answer = self.say(&owner, tag, message).await;
            lines.push(format!("> {message}\n{answer}"));
        }
        lines.join("\n")
    }

    /// What the customer has: service, with whom, when by the clocks there, for whom.
    pub(super) async fn has(&self, name: &str) -> Vec<String> {
        let kept = self.stores.bookings().everywhere(&owner(name)).await;
        let mut all: Vec<String> = kept
            .unwrap()
            .into_iter()
            .map(|(_, kept)| kept.appointment)
            .filter(|one| one.state == State::Confirmed)
            .map(|one| {
                let name = one.full_name.unwrap_or_default();
                let (booking, calendar) = (one.booking, one.calendar);
                let madrid = TimeZone::get("Europe/Madrid").unwrap();
                let start = madrid.to_datetime(booking.start_at);
                let start = start.strftime("%Y-%m-%dT%H:%M");
                format!("{} {calendar} {start} {name}", booking.service)
            })
            .collect();
        all.sort();
        all
    }
}
