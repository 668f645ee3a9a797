//! Our client, our webhook and our rules against the simulator.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, StatusCode},
    routing::post,
};
use mostrador_whatsapp::{
    cause::{Cause, Recipient as Reason},
    graph::{Graph, Outcome, Patience, VERSION},
    identity::{Directory, Renaming, Sighting},
    ids::{MessageId, PhoneNumberId},
    message::{Body, Choice, Outgoing, Receipt, Recipient, Request, Template, Wording},
    pace::{Pace, Pair},
    signature,
    webhook::{self, Content, DeliveryState, Notice},
    window,
};
use mostrador_whatsapp_simulator::{
    Behaviour, Customer, Fault, Inbound, Order, Running, Settings, Simulator,
};
use secrecy::SecretString;

const ANA: &str = "34600111222";
const SOFIA: &str = "MX.88120437710021";

/// A webhook that reads what is signed, and refuses as many deliveries as are to be refused.
#[derive(Clone, Default)]
struct Shop {
    notices: Arc<Mutex<Vec<Notice>>>,
    refuses: Arc<AtomicU32>,
    attempts: Arc<AtomicU32>,
}

async fn receive(State(shop): State<Shop>, headers: HeaderMap, body: Bytes) -> StatusCode {
    shop.attempts.fetch_add(1, Ordering::SeqCst);
    let less = |left: u32| left.checked_sub(1);
    if shop
        .refuses
        .fetch_update(Ordering::SeqCst, Ordering::SeqCst, less)
        .is_ok()
    {
        return StatusCode::INTERNAL_SERVER_ERROR;
    }
    let secret = SecretString::from("simulated-secret");
    let header = headers
        .get(signature::HEADER)
        .map(|value| value.to_str().unwrap());
    let Ok(signed) = signature::verify(&secret, header, &body) else {
        return StatusCode::UNAUTHORIZED;
    };
    shop.notices
        .lock()
        .unwrap()
        .extend(webhook::read(signed).unwrap());
    StatusCode::OK
}

impl Shop {
    async fn url(&self) -> String {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/channel/whatsapp", listener.local_addr().unwrap());
        let router = Router::new()
            .route("/channel/whatsapp", post(receive))
            .with_state(self.clone());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        url
    }

    /// The notices, once there are so many.
    async fn after(&self, count: usize) -> Vec<Notice> {
        for _ in 0..500 {
            let notices = self.notices.lock().unwrap().clone();
            if notices.len() >= count {
                return notices;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("{:#?}", self.notices.lock().unwrap());
    }
}

async fn start(settings: Settings) -> Running {
    let simulator = Simulator::new(settings);
    simulator.add_customer(Customer::new(ANA, "Ana"));
    let mut sofia = Customer::new("525512345678", "Sofía").hidden_as("sofi");
    sofia.user_id = SOFIA.to_owned();
    simulator.add_customer(sofia);
    simulator.start(0).await.unwrap()
}

fn graph(running: &Running) -> Graph {
    let patience = Patience {
        connect: Duration::from_millis(300),
        answer: Duration::from_millis(300),
        pause: Duration::from_millis(5),
        ..Patience::default()
    };
    Graph::new(
        &running.base_url(),
        VERSION,
        SecretString::from("simulated-token"),
        patience,
    )
    .unwrap()
}

fn number() -> PhoneNumberId {
    PhoneNumberId::new("106540352242922").unwrap()
}

fn choice(id: &str) -> Choice {
    Choice {
        id: id.to_owned(),
        title: format!("Opción {id}"),
        description: None,
    }
}

fn request(recipient: &Recipient, text: &str, choices: usize) -> Request {
    let wording = Wording {
        open_list: "Ver".to_owned(),
        more: choice("more"),
    };
    let outgoing = Outgoing {
        choices: (0..choices).map(|n| choice(&n.to_string())).collect(),
        ..Outgoing::plain(text)
    };
    Request::new(recipient, outgoing.body(&wording).unwrap())
}

fn ana() -> Recipient {
    Recipient::Phone(mostrador_whatsapp::ids::Phone::new(ANA).unwrap())
}

fn writes(simulator: &Simulator, address: &str, body: &str) -> MessageId {
    let id = simulator.act(
        address,
        Inbound::Text {
            body: body.to_owned(),
        },
    );
    MessageId::new(&id.unwrap()).unwrap()
}

fn id(outcome: Outcome) -> MessageId {
    match outcome {
        Outcome::Sent(id) => id,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_conversation_goes_both_ways() {
    let shop = Shop::default();
    let settings = Settings {
        webhook_url: Some(shop.url().await),
        ..Settings::default()
    };
    let running = start(settings).await;
    let (simulator, graph) = (&running.simulator, graph(&running));
    // Somebody whose number is hidden.
    let written = writes(simulator, SOFIA, "¿Tienen cita el martes?");
    let notices = shop.after(1).await;
    let Notice::Message(message) = &notices[0] else {
        panic!("{notices:?}")
    };
    assert_eq!(
        (&message.id, message.sender.phone.as_ref()),
        (&written, None)
    );
    assert!(graph.mark_read(&number(), &Receipt::typing(&written)).await);
    let recipient = Recipient::of(&message.sender).unwrap();
    let list = id(graph
        .send(&number(), &request(&recipient, "Elige:", 12))
        .await);
    assert_eq!(simulator.receipts().len(), 1);
    let sent = simulator.sent_after(0).await;
    let offered = sent[0].offered();
    assert_eq!(
        (sent[0].text(), offered.len(), offered[9].id),
        ("Elige:", 10, "more")
    );
    let tap = Inbound::Tap {
        message: list.as_str().to_owned(),
        choice: "more".to_owned(),
    };
    assert!(simulator.act(SOFIA, tap).is_some());
    let nothing = Inbound::Tap {
        message: list.as_str().to_owned(),
        choice: "11".to_owned(),
    };
    assert_eq!(simulator.act(SOFIA, nothing), None, "it was not shown");
    let notices = shop.after(4).await;
    let replies = notices.iter().filter_map(|notice| match notice {
        Notice::Message(message) => match &message.content {
            Content::ListReply { id, .. } => {
                Some((id.as_str(), message.context.as_ref()?.replies_to.as_ref()?))
            }
            _ => None,
        },
        _ => None,
    });
    assert_eq!(Vec::from_iter(replies), [("more", &list)]);
    let states = notices.iter().filter_map(|notice| match notice {
        Notice::Status(status) => Some((
            &status.id,
            status.recipient.as_ref()?.user_id.as_ref()?.as_str(),
        )),
        _ => None,
    });
    assert_eq!(
        Vec::from_iter(states),
        [(&list, SOFIA); 2],
        "sent and delivered"
    );
}

#[tokio::test]
async fn what_is_not_taken_is_delivered_once_more_twice_and_in_any_order() {
    let shop = Shop::default();
    shop.refuses.store(4, Ordering::SeqCst);
    let settings = Settings {
        webhook_url: Some(shop.url().await),
        speed: 10_000.0,
        ..Settings::default()
    };
    let running = start(settings).await;
    let simulator = &running.simulator;
    let first = writes(simulator, ANA, "uno");
    assert_eq!(shop.after(1).await.len(), 1);
    assert_eq!(
        shop.attempts.load(Ordering::SeqCst),
        5,
        "refused four times"
    );
    simulator.deliver_copies(2);
    simulator.hold();
    let second = writes(simulator, ANA, "dos");
    let third = writes(simulator, ANA, "tres");
    let delivered = simulator.release(Order::Reversed).await;
    assert!(
        delivered.iter().all(|delivered| delivered.is_taken),
        "{delivered:?}"
    );
    let ids = shop.after(5).await.into_iter().map(|notice| match notice {
        Notice::Message(message) => message.id,
        other => panic!("{other:?}"),
    });
    assert_eq!(
        Vec::from_iter(ids),
        [first, third.clone(), third, second.clone(), second]
    );
}

#[tokio::test]
async fn who_keeps_our_pace_is_never_limited() {
    let running = start(Settings {
        has_statuses: false,
        ..Settings::default()
    })
    .await;
    let (simulator, graph) = (&running.simulator, graph(&running));
    writes(simulator, ANA, "hola");
    let pace = Pace::bursts_of(3);
    let mut pair: Option<Pair> = None;
    for _ in 0..20 {
        let now = simulator.clock().now();
        let next = pace.next_at(pair.as_ref(), now);
        simulator.clock().advance((next - now).unsigned_abs());
        let sent = graph.send(&number(), &request(&ana(), "sí", 0)).await;
        assert!(matches!(sent, Outcome::Sent(_)), "{sent:?}");
        pair = Some(Pair::with(pair, simulator.clock().now()));
    }
    // Without it there is an end.
    simulator.clock().advance(Duration::from_secs(600));
    let mut outcomes = Vec::new();
    for _ in 0..46 {
        outcomes.push(graph.send(&number(), &request(&ana(), "sí", 0)).await);
    }
    assert!(
        outcomes[..45]
            .iter()
            .all(|outcome| matches!(outcome, Outcome::Sent(_)))
    );
    assert_eq!(
        outcomes[45],
        Outcome::PairLimited {
            wait: Duration::from_secs(6)
        }
    );
    simulator.clock().advance(Duration::from_secs(60));
    let other = Recipient::UserId(mostrador_whatsapp::ids::UserId::new(SOFIA).unwrap());
    writes(simulator, SOFIA, "hola");
    id(graph.send(&number(), &request(&other, "sí", 0)).await);
    let sent = graph.send(&number(), &request(&ana(), "sí", 0)).await;
    assert!(
        matches!(sent, Outcome::PairLimited { .. }),
        "two minutes are not over: {sent:?}"
    );
    simulator.clock().advance(Duration::from_secs(210));
    id(graph.send(&number(), &request(&ana(), "sí", 0)).await);
}

#[tokio::test]
async fn after_a_day_only_templates_go() {
    let running = start(Settings::default()).await;
    let (simulator, graph) = (&running.simulator, graph(&running));
    assert_eq!(
        graph.send(&number(), &request(&ana(), "hola", 0)).await,
        Outcome::OutsideWindow
    );
    writes(simulator, ANA, "hola");
    let last = simulator.clock().now();
    for minutes in [23 * 60 + 59, 2] {
        simulator.clock().advance(Duration::from_secs(minutes * 60));
        let now = simulator.clock().now();
        let is_open = window::is_open(Some(last), now, time::Duration::ZERO);
        let sent = graph.send(&number(), &request(&ana(), "hola", 0)).await;
        assert_eq!(matches!(sent, Outcome::Sent(_)), is_open, "{sent:?}");
        assert_eq!(sent == Outcome::OutsideWindow, !is_open);
    }
    let template = Template {
        name: "reminder".to_owned(),
        language: "es".to_owned(),
        parameters: Vec::new(),
        payloads: Vec::new(),
    };
    id(graph
        .send(&number(), &Request::new(&ana(), Body::Template(template)))
        .await);
}

#[tokio::test]
async fn nothing_is_sent_twice() {
    let settings = Settings {
        has_pair_limit: false,
        has_statuses: false,
        ..Settings::default()
    };
    let running = start(settings).await;
    let (simulator, graph) = (&running.simulator, graph(&running));
    writes(simulator, ANA, "hola");
    let mut taken = 0;
    for (behaviour, is_taken, is_sent) in [
        (Behaviour::Hang, true, false),
        (Behaviour::Hang, false, false),
        (Behaviour::Cut, true, false),
        (Behaviour::Late(5000), true, false),
        (Behaviour::Late(50), true, true),
        (Behaviour::Code(131_000), true, false),
    ] {
        simulator.fail_next(Fault {
            behaviour,
            is_taken,
        });
        let outcome = graph.send(&number(), &request(&ana(), "hola", 0)).await;
        taken += usize::from(is_taken);
        assert_eq!(simulator.sent().len(), taken, "{behaviour:?}");
        match outcome {
            Outcome::Sent(_) => assert!(is_sent, "{behaviour:?}"),
            Outcome::Unknown { .. } => assert!(!is_sent, "{behaviour:?}"),
            other => panic!("{behaviour:?}: {other:?}"),
        }
    }
    // Certainly not sent, so it is tried further.
    for _ in 0..2 {
        simulator.fail_next(Fault {
            behaviour: Behaviour::Code(131_016),
            is_taken: false,
        });
    }
    id(graph.send(&number(), &request(&ana(), "hola", 0)).await);
    assert_eq!(simulator.sent().len(), taken + 1);
}

#[tokio::test]
async fn what_fails_later_comes_as_a_status() {
    let shop = Shop::default();
    let settings = Settings {
        webhook_url: Some(shop.url().await),
        ..Settings::default()
    };
    let running = start(settings).await;
    let (simulator, graph) = (&running.simulator, graph(&running));
    writes(simulator, ANA, "hola");
    simulator.fail_next(Fault {
        behaviour: Behaviour::FailLater(131_049),
        is_taken: true,
    });
    let sent = id(graph
        .send(
            &number(),
            &request(&ana(), "hola", 0).with_tracker("turn-7"),
        )
        .await);
    let notices = shop.after(2).await;
    let Notice::Status(status) = &notices[1] else {
        panic!("{notices:?}")
    };
    assert_eq!(
        (&status.id, &status.state, status.tracker.as_deref()),
        (&sent, &DeliveryState::Failed, Some("turn-7"))
    );
    assert_eq!(status.failures[0].cause, Cause::Recipient(Reason::Spared));
}

#[tokio::test]
async fn a_wrong_token_number_or_shape_is_refused() {
    let running = start(Settings::default()).await;
    let wrong = Graph::new(
        &running.base_url(),
        VERSION,
        SecretString::from("x"),
        Patience::default(),
    )
    .unwrap();
    let outcome = wrong.send(&number(), &request(&ana(), "hola", 0)).await;
    assert_eq!(outcome, Outcome::Credentials { code: Some(190) });
    let other = PhoneNumberId::new("1").unwrap();
    let outcome = graph(&running)
        .send(&other, &request(&ana(), "hola", 0))
        .await;
    assert_eq!(outcome, Outcome::Invalid { code: Some(100) });
    let unknown = Receipt::read(&MessageId::new("wamid.0").unwrap());
    assert!(!graph(&running).mark_read(&number(), &unknown).await);
    assert_eq!(running.simulator.refusals().len(), 3);
}

#[tokio::test]
async fn a_customer_with_a_new_number_is_the_same() {
    let shop = Shop::default();
    let settings = Settings {
        webhook_url: Some(shop.url().await),
        speed: 100.0,
        ..Settings::default()
    };
    let running = start(settings).await;
    let simulator = &running.simulator;
    simulator.hold();
    writes(simulator, ANA, "hola");
    simulator.clock().advance(Duration::from_secs(5));
    assert!(
        simulator
            .change_number(ANA, "34600999888", "ES.999")
            .is_some()
    );
    simulator.clock().advance(Duration::from_secs(5));
    writes(simulator, "ES.999", "soy yo");
    // The news come last.
    simulator.release(Order::Reversed).await;
    let mut directory = Directory::default();
    let mut customers = Vec::new();
    for (fresh, notice) in (0_u32..).zip(shop.after(3).await) {
        customers.push(match notice {
            Notice::Message(message) => {
                directory.see(&Sighting::of(&message.sender, message.sent_at), fresh)
            }
            Notice::Change(change) => directory.rename(&Renaming::of(&change), fresh),
            other => panic!("{other:?}"),
        });
    }
    let current: Vec<u32> = customers.iter().map(|id| directory.current(id)).collect();
    assert_eq!(current, [current[0]; 3], "{customers:?}");
}
