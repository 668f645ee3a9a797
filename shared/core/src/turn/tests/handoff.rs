//! A person of the shop is called, has the word, and hands it back.

use std::sync::Arc;

use super::{
    Does, TurnEngine, nothing, replies,
    shop::{Turn, ana, engine, kept, turn},
};
use crate::{
    answer::Action,
    desk::{Desk, Followed, Reply, follow},
    history::{History, HistoryError, PageRequest},
    ids::{ConversationNumber, Owner},
    language::Language,
    log::{EscalationReason, Event, Stored},
    shop::Profile,
    turn::What,
};

const FIRST: ConversationNumber = ConversationNumber::FIRST;

/// A shop whose staff answer in the chat.
fn with_staff(script: Vec<Does>) -> TurnEngine {
    let mut engine = engine(script);
    engine.shop = Arc::new(Arc::new(Profile {
        handoff: true,
        ..Profile::default()
    }));
    engine
}

fn desk(engine: &TurnEngine) -> Desk {
    Desk {
        history: History {
            log: engine.log.clone(),
            view: engine.view.clone(),
            clock: engine.clock.clone(),
        },
    }
}

fn eva() -> Owner {
    Owner::new("default", "eva").unwrap()
}

async fn say(engine: &TurnEngine, message: &str) -> Turn {
    turn(engine, Some(ana()), message, nothing).await.unwrap()
}

async fn reply(
    engine: &TurnEngine,
    message: Option<&str>,
    hands_back: bool,
) -> Result<(), HistoryError> {
    let reply = Reply {
        message: message.map(str::to_owned),
        hands_back,
    };
    let (desk, eva, ana) = (desk(engine), eva(), ana());
    let said = desk.reply(&eva, (&ana, FIRST), &reply, &|_, _| None);
    said.await.map(|_| ())
}

fn back() -> Action {
    Action::Person {
        back: Profile::default()
            .locale(Language::default())
            .text("person-back"),
    }
}

async fn reason(engine: &TurnEngine) -> Option<EscalationReason> {
    let commits = kept(&*engine.log).await;
    let state = &commits.last().unwrap().state;
    state
        .escalation
        .as_ref()
        .map(|escalation| escalation.reason)
}

#[tokio::test(start_paused = true)]
async fn who_asks_for_a_person_is_left_to_one_until_they_hand_back() {
    // It is never asked.
    let engine = with_staff(vec![replies("Soy yo quien contesta.")]);
    let called = say(&engine, "quiero hablar con una persona").await;
    assert!(called.answer.message.starts_with("Ya he avisado al equipo"));
    assert_eq!(called.answer.actions, [back()]);
    assert_eq!(reason(&engine).await, Some(EscalationReason::Person));
    for message in ["busco Rayuela", "sí", "quiero hablar con una persona"] {
        let left = say(&engine, message).await;
        assert_eq!(left.answer.message, "", "{message}");
        assert_eq!(left.answer.results, vec![], "{message}");
        assert_eq!(left.answer.actions, [back()], "{message}");
        assert!(left.ending != crate::turn::Ending::Unkept);
        // Told again as it was.
        let kept_turn = engine.kept_turn(&ana(), left.turn_id).await.unwrap();
        assert!(kept_turn.is_over());
        let again = engine.events_after(&kept_turn, None, Language::default());
        let again = again.await.unwrap();
        let whole = again.iter().find_map(|event| match &event.what {
            What::Message(message) => Some(message),
            _ => None,
        });
        let whole = whole.unwrap();
        assert_eq!(
            (whole.content.as_str(), &whole.actions[..]),
            ("", &[back()][..])
        );
    }
    reply(&engine, Some("Hola, soy Eva."), false).await.unwrap();
    assert_eq!(say(&engine, "gracias").await.answer.message, "");
    reply(&engine, None, true).await.unwrap();
    assert_eq!(reason(&engine).await, None);
    let history = desk(&engine).history;
    let page = PageRequest {
        conversation: None,
        before: None,
        skip: 0,
        limit: 100,
    };
    let messages = history.page(&ana(), page).await.unwrap().messages;
    let said: Vec<_> = messages
        .iter()
        .map(|message| (message.role.as_str(), message.content.as_str()))
        .collect();
    assert_eq!(said.len(), 7, "{said:?}");
    assert_eq!(said[5], ("assistant", "Hola, soy Eva."));
    let count = history
        .page(&ana(), page)
        .await
        .unwrap()
        .conversation
        .unwrap();
    assert_eq!((count.message_count, count.waits_for), (7, None));
}

#[tokio::test(start_paused = true)]
async fn who_goes_on_without_a_person_says_so_in_the_words_that_are_offered() {
    let engine = with_staff(vec![]);
    for words in ["seguir con el asistente", "Go on with the assistant."] {
        say(&engine, "quiero hablar con una persona").await;
        let answer = say(&engine, words).await.answer;
        assert_eq!(answer.message, "Aquí estoy otra vez. ¿En qué te ayudo?");
        assert_eq!((answer.actions, reason(&engine).await), (vec![], None));
        assert!(
            say(&engine, "gracias")
                .await
                .answer
                .message
                .starts_with("¡De nada!")
        );
    }
}

#[tokio::test(start_paused = true)]
async fn to_a_complaint_and_to_distress_the_assistant_answers_until_a_person_does() {
    for (message, reason_of, begins) in [
        (
            "sois unos inútiles, llevo días esperando",
            EscalationReason::Complaint,
            "Siento que algo",
        ),
        (
            "me quiero morir",
            EscalationReason::Distress,
            "Siento mucho",
        ),
    ] {
        let engine = with_staff(vec![]);
        let answer = say(&engine, message).await.answer;
        assert!(answer.message.starts_with(begins), "{}", answer.message);
        assert_eq!(
            (answer.actions, reason(&engine).await),
            (vec![], Some(reason_of))
        );
        assert!(!say(&engine, "gracias").await.answer.message.is_empty());
        reply(&engine, Some("Hola, soy Eva."), false).await.unwrap();
        assert_eq!(say(&engine, "gracias").await.answer.message, "");
        // Whoever is in distress hears something at once.
        let answer = say(&engine, "me quiero morir").await.answer;
        assert!(
            answer.message.starts_with("Siento mucho"),
            "{}",
            answer.message
        );
    }
}

#[tokio::test(start_paused = true)]
async fn who_is_not_understood_twice_is_offered_a_person() {
    let engine = with_staff(vec![]);
    let offer = "¿Quieres que te conteste aquí alguien de la tienda?";
    assert!(!say(&engine, "¿¿??").await.answer.message.contains(offer));
    assert!(say(&engine, "???").await.answer.message.contains(offer));
    assert_eq!(reason(&engine).await, None, "it is only offered");
    let called = say(&engine, "sí").await.answer;
    assert!(
        called.message.starts_with("Ya he avisado"),
        "{}",
        called.message
    );
    assert_eq!(reason(&engine).await, Some(EscalationReason::Person));
    // What was understood in between begins anew.
    let engine = with_staff(vec![]);
    for message in ["¿¿??", "gracias", "¿¿??"] {
        let answer = say(&engine, message).await.answer;
        assert!(
            !answer.message.contains(offer),
            "{message}: {}",
            answer.message
        );
    }
    let yes = say(&engine, "sí").await.answer;
    assert!(!yes.message.starts_with("Ya he avisado"), "{}", yes.message);
}

/// What a page offers to go on with the assistant is what is understood so.
#[test]
fn a_page_offers_the_words_that_are_understood() {
    let shop = Profile::default();
    for language in Language::all() {
        let locale = shop.locale(language);
        let page = serde_json::to_value(&locale.page()["back"]).unwrap();
        assert_eq!(page, locale.text("person-back"));
    }
}

#[tokio::test(start_paused = true)]
async fn where_nobody_can_answer_nobody_is_called() {
    let asks = "quiero hablar con una persona";
    let guest = turn(&with_staff(vec![]), None, asks, nothing)
        .await
        .unwrap();
    assert!(
        guest.answer.message.contains("Si inicias sesión"),
        "{}",
        guest.answer.message
    );
    assert_eq!(guest.answer.actions, [Action::SignIn]);
    let without = engine(vec![]);
    let answer = say(&without, asks).await.answer;
    assert!(answer.message.starts_with("Para hablar con una persona"));
    assert_eq!((answer.actions, reason(&without).await), (vec![], None));
}

/// Who has read a conversation is in its log, once in a while; one that nobody is needed for is not read at all.
#[tokio::test(start_paused = true)]
async fn staff_read_what_waits_for_them_and_that_is_written_down() {
    let engine = with_staff(vec![]);
    say(&engine, "hola").await;
    let desk = desk(&engine);
    let page = PageRequest {
        conversation: Some(FIRST),
        before: None,
        skip: 0,
        limit: 10,
    };
    let refused = desk.read(&eva(), &ana(), page).await;
    assert!(matches!(refused, Err(HistoryError::NotWaiting)));
    assert!(matches!(
        reply(&engine, Some("Hola."), false).await,
        Err(HistoryError::NotWaiting)
    ));
    say(&engine, "quiero hablar con una persona").await;
    let reads = async || {
        let commits = kept(&*engine.log).await;
        let events = commits.iter().flat_map(|commit| &commit.events);
        let reads = events
            .filter_map(Stored::known)
            .filter_map(|event| match event {
                Event::ConversationRead { by } => Some(by.clone()),
                _ => None,
            });
        reads.collect::<Vec<_>>()
    };
    for _ in 0..3 {
        let read = desk.read(&eva(), &ana(), page).await.unwrap();
        assert_eq!(read.messages.len(), 4);
    }
    assert_eq!(reads().await, ["eva"]);
    let luis = Owner::new("default", "luis").unwrap();
    desk.read(&luis, &ana(), page).await.unwrap();
    tokio::time::advance(std::time::Duration::from_secs(3_600)).await;
    desk.read(&luis, &ana(), page).await.unwrap();
    assert_eq!(reads().await, ["eva", "luis", "luis"]);
}

/// A client that was away is told what staff have said, in order and once.
#[tokio::test(start_paused = true)]
async fn what_staff_say_is_followed_from_the_log() {
    let engine = with_staff(vec![]);
    say(&engine, "quiero hablar con una persona").await;
    let log = &*engine.log;
    let begun = follow(log, &ana(), FIRST, None).await.unwrap();
    assert!(begun.messages.is_empty() && begun.is_waiting);
    for message in ["Hola.", "¿Qué ha pasado?"] {
        reply(&engine, Some(message), false).await.unwrap();
    }
    say(&engine, "que no llega").await;
    let mut followed = follow(log, &ana(), FIRST, Some(begun.through))
        .await
        .unwrap();
    let said = followed
        .messages
        .iter()
        .map(|message| message.content.as_str());
    assert_eq!(said.collect::<Vec<_>>(), ["Hola.", "¿Qué ha pasado?"]);
    let Followed { through, .. } = followed;
    followed = follow(log, &ana(), FIRST, Some(through)).await.unwrap();
    assert!(followed.messages.is_empty() && followed.is_waiting && followed.through == through);
    reply(&engine, Some("Sale hoy."), true).await.unwrap();
    followed = follow(log, &ana(), FIRST, Some(through)).await.unwrap();
    assert_eq!((followed.messages.len(), followed.is_waiting), (1, false));
    let stranger = Owner::new("default", "luis").unwrap();
    assert!(follow(log, &stranger, FIRST, None).await.is_err());
    assert_ne!(through.0, 0);
}
