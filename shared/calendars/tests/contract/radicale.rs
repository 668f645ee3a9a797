//! Radicale, the `CalDAV` server, with one calendar.

use std::{
    net::TcpListener,
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::Arc,
    time::Duration,
};

use async_trait::async_trait;
use mostrador_calendars::{CalDav, CalDavSettings};
use mostrador_core::booking::{AppointmentId, Remote, Span};
use reqwest::{Client, Method, Response};
use secrecy::SecretString;

use crate::{
    draft::Draft,
    setup::{Desk, OWNER, patience, zone},
};

const USER: &str = "ana";
const PASSWORD: &str = "una contraseña";

pub(crate) struct Radicale {
    process: Child,
    folder: PathBuf,
    base: String,
    client: Client,
}

impl Drop for Radicale {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Radicale {
    /// Nothing where there is no Radicale at hand.
    pub(crate) async fn start() -> Option<Self> {
        let python =
            PathBuf::from(std::env::var("MOSTRADOR_TEST_RADICALE").ok()?).join("bin/python");
        let folder = std::env::temp_dir().join(format!("radicale-{}", uuid::Uuid::now_v7()));
        std::fs::create_dir_all(&folder).unwrap();
        let users = folder.join("users");
        std::fs::write(&users, format!("{USER}:{PASSWORD}\n")).unwrap();
        let port = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        let process = Command::new(python)
            .args(["-m", "radicale", "--config", "", "--auth-type", "htpasswd"])
            .args(["--auth-htpasswd-encryption", "plain", "--auth-delay", "0"])
            .arg(format!("--auth-htpasswd-filename={}", users.display()))
            .arg(format!(
                "--storage-filesystem-folder={}",
                folder.join("data").display()
            ))
            .arg(format!("--server-hosts=127.0.0.1:{port}"))
            .stdout(Stdio::null())
            .stderr(std::fs::File::create(folder.join("log")).unwrap())
            .spawn()
            .unwrap();
        let radicale = Self {
            process,
            folder,
            base: format!("http://127.0.0.1:{port}/{USER}/salon/"),
            client: Client::new(),
        };
        radicale.make_calendar().await;
        Some(radicale)
    }

    async fn make_calendar(&self) {
        for _ in 0..200 {
            let made = self.send("MKCALENDAR", "", None).await;
            if let Ok(made) = made {
                assert_eq!(made.status(), 201, "{}", self.log());
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("Radicale does not start: {}", self.log());
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.folder.join("log")).unwrap()
    }

    async fn send(
        &self,
        method: &str,
        name: &str,
        body: Option<String>,
    ) -> reqwest::Result<Response> {
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        let request = self.client.request(method, format!("{}{name}", self.base));
        let request = request.basic_auth(USER, Some(PASSWORD));
        let request = request.header("content-type", "text/calendar; charset=utf-8");
        request.body(body.unwrap_or_default()).send().await
    }

    async fn sent(&self, method: &str, name: &str, body: Option<String>) -> String {
        let answer = self.send(method, name, body).await.unwrap();
        assert!(
            answer.status().is_success(),
            "{method} {name}: {}",
            self.log()
        );
        answer.text().await.unwrap()
    }

    fn remote_at(&self, collection: &str, password: &str) -> Arc<dyn Remote> {
        let remote = CalDav::new(CalDavSettings {
            collection: collection.to_owned(),
            user: USER.to_owned(),
            password: SecretString::from(password),
            zone: zone(),
            owner: Some(OWNER.to_owned()),
            patience: patience(),
        });
        Arc::new(remote.unwrap())
    }
}

#[async_trait]
impl Desk for Radicale {
    fn remote(&self) -> Arc<dyn Remote> {
        self.remote_at(&self.base, PASSWORD)
    }

    fn stranger(&self) -> Arc<dyn Remote> {
        self.remote_at(&self.base, "otra")
    }

    fn nowhere(&self) -> Arc<dyn Remote> {
        self.remote_at(&self.base.replace("salon", "nada"), PASSWORD)
    }

    async fn write(&self, name: &str, draft: &Draft) {
        self.sent("PUT", &format!("{name}.ics"), Some(calendar(name, draft)))
            .await;
    }

    async fn delete(&self, name: &str) {
        self.sent("DELETE", &format!("{name}.ics"), None).await;
    }

    async fn move_appointment(&self, appointment: &AppointmentId, time: Span) {
        let name = format!("{appointment}.ics");
        let text = self.sent("GET", &name, None).await;
        let moved = text.lines().map(|line| {
            let at = |at: jiff::Timestamp| at.strftime("%Y%m%dT%H%M%SZ").to_string();
            match line.split(':').next().unwrap() {
                "DTSTART" => format!("DTSTART:{}\r\n", at(time.start())),
                "DTEND" => format!("DTEND:{}\r\n", at(time.end())),
                _ => format!("{line}\r\n"),
            }
        });
        self.sent("PUT", &name, Some(moved.collect())).await;
    }

    async fn delete_appointment(&self, appointment: &AppointmentId) {
        self.delete(appointment.as_str()).await;
    }

    async fn expired(&self, token: &str) -> String {
        // Its last part is a hash of what there was.
        let (start, _) = token.rsplit_once('/').unwrap();
        format!("{start}/{}", "0".repeat(64))
    }
}

fn calendar(name: &str, draft: &Draft) -> String {
    let mut lines = vec!["BEGIN:VCALENDAR".to_owned(), "VERSION:2.0".to_owned()];
    lines.push("PRODID:-//Ana//EN".to_owned());
    event(name, draft, None, &mut lines);
    for other in &draft.others {
        event(name, &other.draft, Some(other.instead_of), &mut lines);
    }
    lines.push("END:VCALENDAR\r\n".to_owned());
    lines.join("\r\n")
}

fn event(name: &str, draft: &Draft, instead_of: Option<&str>, lines: &mut Vec<String>) {
    let stamp = |property: &str, at: &str| match at.len() {
        8 => format!("{property};VALUE=DATE:{at}"),
        _ => format!("{property};TZID={}:{at}", draft.zone),
    };
    lines.extend(["BEGIN:VEVENT".to_owned(), format!("UID:{name}")]);
    lines.push("DTSTAMP:20261101T000000Z".to_owned());
    lines.push(format!("SUMMARY:{}", draft.title));
    lines.extend([stamp("DTSTART", draft.start), stamp("DTEND", draft.end)]);
    lines.extend(instead_of.map(|at| stamp("RECURRENCE-ID", at)));
    lines.extend(draft.recurrence.iter().map(|line| (*line).to_owned()));
    if draft.is_cancelled {
        lines.push("STATUS:CANCELLED".to_owned());
    }
    if draft.is_transparent {
        lines.push("TRANSP:TRANSPARENT".to_owned());
    }
    if draft.is_declined {
        lines.push("ORGANIZER:mailto:eva@salon.example".to_owned());
        lines.push(format!("ATTENDEE;PARTSTAT=DECLINED:mailto:{OWNER}"));
    }
    lines.push("END:VEVENT".to_owned());
}
