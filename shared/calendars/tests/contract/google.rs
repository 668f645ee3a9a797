//! A calendar on our Google Calendar server.

use std::sync::Arc;

use async_trait::async_trait;
use jiff::{Timestamp, civil::DateTime, tz::TimeZone};
use mostrador_calendars::{Google, GoogleAccount};
use mostrador_core::booking::{AppointmentId, Remote, Span};
use mostrador_google_calendar::GoogleCalendar;
use reqwest::{Client, Method, Url};
use secrecy::SecretString;
use serde_json::{Value, json};

use crate::{
    draft::Draft,
    setup::{Desk, OWNER, patience, zone},
};

pub(crate) struct GoogleDesk {
    pub(crate) server: GoogleCalendar,
    account: Arc<GoogleAccount>,
    client: Client,
    token: String,
}

impl GoogleDesk {
    pub(crate) async fn start() -> Self {
        let server = GoogleCalendar::start(&[OWNER]).await.unwrap();
        server.limit_pages(7);
        Self {
            account: Arc::new(account(&server, &server.key_file())),
            client: Client::new(),
            token: server.token(),
            server,
        }
    }

    async fn send(&self, method: Method, event: Option<&str>, body: Value) -> (u16, Value) {
        let mut url = Url::parse(&self.server.base_url()).unwrap();
        let mut path = url.path_segments_mut().unwrap();
        path.extend(["calendars", OWNER, "events"]).extend(event);
        drop(path);
        let request = self.client.request(method, url).bearer_auth(&self.token);
        let answer = request.json(&body).send().await.unwrap();
        let status = answer.status().as_u16();
        (status, answer.json().await.unwrap_or_default())
    }

    async fn sent(&self, method: Method, event: Option<&str>, body: Value) -> Value {
        let (status, answer) = self.send(method, event, body).await;
        assert!(status < 300, "{answer}");
        answer
    }

    /// The id of an appointment's event.
    async fn id_of(&self, appointment: &AppointmentId) -> String {
        let list = self.sent(Method::GET, None, json!(null)).await;
        let mut items = list["items"].as_array().unwrap().iter();
        let own = items.find(|item| {
            let known = &item["extendedProperties"]["private"]["mostradorAppointment"];
            known == appointment.as_str()
        });
        own.unwrap()["id"].as_str().unwrap().to_owned()
    }
}

pub(crate) fn account(server: &GoogleCalendar, key_file: &str) -> GoogleAccount {
    let key_file = SecretString::from(key_file);
    let (base, tokens) = (server.base_url(), server.token_url());
    GoogleAccount::new(&key_file, &base, &tokens, patience()).unwrap()
}

#[async_trait]
impl Desk for GoogleDesk {
    fn remote(&self) -> Arc<dyn Remote> {
        Arc::new(Google::new(self.account.clone(), OWNER, zone()).unwrap())
    }

    fn stranger(&self) -> Arc<dyn Remote> {
        let mut file: Value = serde_json::from_str(&self.server.key_file()).unwrap();
        file["client_email"] = json!("otra@salon.iam.gserviceaccount.com");
        let account = Arc::new(account(&self.server, &file.to_string()));
        Arc::new(Google::new(account, OWNER, zone()).unwrap())
    }

    fn nowhere(&self) -> Arc<dyn Remote> {
        let nowhere = Google::new(self.account.clone(), "nada@salon.example", zone());
        Arc::new(nowhere.unwrap())
    }

    async fn write(&self, name: &str, draft: &Draft) {
        let id = event_id(name);
        let mut body = event(draft);
        let (status, _) = self.send(Method::GET, Some(&id), json!(null)).await;
        if status == 404 {
            body["id"] = json!(id);
            self.sent(Method::POST, None, body).await;
        } else {
            self.sent(Method::PUT, Some(&id), body).await;
        }
        for other in &draft.others {
            let instance = format!("{id}_{}", stamp(other.instead_of, draft.zone));
            let body = event(&other.draft);
            self.sent(Method::PATCH, Some(&instance), body).await;
        }
    }

    async fn delete(&self, name: &str) {
        self.sent(Method::DELETE, Some(&event_id(name)), json!(null))
            .await;
    }

    async fn move_appointment(&self, appointment: &AppointmentId, time: Span) {
        let id = self.id_of(appointment).await;
        let at = |at: Timestamp| json!({"dateTime": at.to_string()});
        let body = json!({"start": at(time.start()), "end": at(time.end())});
        self.sent(Method::PATCH, Some(&id), body).await;
    }

    async fn delete_appointment(&self, appointment: &AppointmentId) {
        let id = self.id_of(appointment).await;
        self.sent(Method::DELETE, Some(&id), json!(null)).await;
    }

    async fn expired(&self, token: &str) -> String {
        self.server.expire_sync_tokens();
        token.to_owned()
    }
}

/// Of letters and digits that ids may have.
fn event_id(name: &str) -> String {
    let digits = name.bytes().map(|byte| format!("{byte:02x}"));
    format!("theirs{}", digits.collect::<String>())
}

fn event(draft: &Draft) -> Value {
    let at = |text: &str| {
        if text.len() == 8 {
            return json!({"date": dashed(text)});
        }
        let (date, time) = text.split_once('T').unwrap();
        let time = format!("{}:{}:{}", &time[..2], &time[2..4], &time[4..]);
        json!({"dateTime": format!("{}T{time}", dashed(date)), "timeZone": draft.zone})
    };
    let mut event = json!({
        "summary": draft.title,
        "start": at(draft.start),
        "end": at(draft.end),
    });
    if !draft.recurrence.is_empty() {
        event["recurrence"] = json!(draft.recurrence);
    }
    if draft.is_cancelled {
        event["status"] = json!("cancelled");
    }
    if draft.is_transparent {
        event["transparency"] = json!("transparent");
    }
    if draft.is_declined {
        event["attendees"] = json!([
            {"email": "eva@salon.example", "responseStatus": "accepted"},
            {"email": OWNER, "responseStatus": "declined"},
        ]);
    }
    event
}

fn dashed(date: &str) -> String {
    format!("{}-{}-{}", &date[..4], &date[4..6], &date[6..])
}

/// A time of a series, as its id has it.
fn stamp(local: &str, zone: &str) -> String {
    let local = DateTime::strptime("%Y%m%dT%H%M%S", local).unwrap();
    let zone = TimeZone::get(zone).unwrap();
    let at = zone.to_ambiguous_timestamp(local).compatible().unwrap();
    at.strftime("%Y%m%dT%H%M%SZ").to_string()
}
