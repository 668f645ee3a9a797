//! Appointments as customers ask for them: in words of three languages, once, their own and nobody else's.

use std::sync::Arc;

use futures_util::future::join_all;
use mostrador_core::{
    actions::{
        ActionFailure, Counter, Outcome, Payload,
        approvals::{Approvals, Decision},
        perform,
    },
    booking::{Bookings, BusinessId, Dates, Reception},
    ids::Owner,
    language::Language,
    log::{Commit, Event, Log, Position, Stored},
};
use serde_json::{Value, json};
use time::Duration;
use uuid::Uuid;

use crate::{
    bookings::{calendar, file_of, salon, scheduler_at},
    clock::{StoppedClock, id_at},
    erasure::erasure,
    setup::{Stores, noon, owner},
};

/// A salon in a shop, at noon of the Friday before its first Monday.
async fn counter(stores: &Stores) -> Counter {
    let file = file_of("Etc/UTC", 60, &["corte", "color"]);
    let business = salon();
    let bookings = stores.bookings();
    bookings
        .put_business(&business, &file.to_string())
        .await
        .unwrap();
    let clock = StoppedClock::at_noon();
    Counter {
        reception: Some(Reception {
            scheduler: scheduler_at(stores, clock.clone()),
            business: BusinessId::read("alba").unwrap(),
            known: None,
        }),
        ..stores.counter(clock)
    }
}

fn payload(members: &Value) -> Payload {
    Payload(members.as_object().cloned().unwrap())
}

async fn act_in(
    counter: &Counter,
    (owner, tag): (&Owner, &str),
    action: &str,
    members: Value,
) -> Outcome {
    let language = Language::from_tag(tag).unwrap();
    let payload = payload(&members);
    let done = perform(counter, owner, language, action, &payload, &|_| None);
    done.await.unwrap()
}

async fn act(counter: &Counter, owner: &Owner, action: &str, members: Value) -> Outcome {
    act_in(counter, (owner, "es"), action, members).await
}

/// Its message, and the lines below it.
fn said(outcome: &Outcome) -> String {
    let lines = [std::slice::from_ref(&outcome.message), &outcome.details].concat();
    lines.join("\n")
}

fn appointment_id(outcome: &Outcome) -> String {
    outcome.data["appointment_id"].as_str().unwrap().to_owned()
}

const MONDAY_AT_NINE: &str = "2100-01-04T09:00:00Z";

#[tokio::test]
async fn what_is_offered_is_told_in_three_languages() {
    let stores = Stores::embedded().await;
    let (counter, ana) = (counter(&stores).await, owner("ana"));
    let mut told = Vec::new();
    for tag in ["es", "en", "pt"] {
        for (action, members) in [
            ("get_services", json!({})),
            ("get_categories", json!({})),
            ("get_service_details", json!({"service_name": "CORTE"})),
            ("get_service_details", json!({"service_name": "masaje"})),
            (
                "get_available_slots",
                json!({"service_name": "corte", "date": "2100-01-04", "branch_id": "centro"}),
            ),
            (
                "get_available_slots",
                json!({"service_name": "color", "from": "2100-01-03", "to": "2100-01-09", "calendar_name": "ana"}),
            ),
            (
                "get_available_slots",
                json!({"service_name": "color", "date": "2100-01-09"}),
            ),
            (
                "get_available_slots",
                json!({"service_name": "color", "calendar_name": "eva"}),
            ),
            (
                "get_available_slots",
                json!({"service_name": "color", "branch_id": "norte"}),
            ),
            (
                "get_available_slots",
                json!({"service_name": "color", "date": "mañana"}),
            ),
            ("get_services", json!({"business_id": "otra"})),
            ("get_user_info", json!({})),
            ("get_user_appointments", json!({})),
        ] {
            let outcome = act_in(&counter, (&ana, tag), action, members).await;
            let code = outcome.error.map(|code| format!("[{code}] "));
            told.push(format!("{}{}", code.unwrap_or_default(), said(&outcome)));
        }
    }
    insta::assert_snapshot!(told.join("\n"), @"
    Con cita previa, Peluquería Alba tiene 2 servicios:
    Corte: 60 min, 25,00 €
    Color: 90 min, 60,00 €
    Servicios con cita previa: Pelo.
    Corte: 60 min, 25,00 €
    [service_not_found] No encuentro ese servicio. Hay: Corte, Color.
    Hay hueco el lunes 4 de enero para «Corte»:
    Ana: 09:00, 10:00, 11:00, 12:00, 13:00
    Luis: 09:00, 10:00, 11:00, 12:00, 13:00
    Hay hueco para «Color»:
    lunes 4 de enero: 09:00, 10:30, 12:00
    martes 5 de enero: 09:00, 10:30, 12:00
    No queda ningún hueco libre el sábado 9 de enero para «Color». El primer hueco libre es el lunes 11 de enero a las 09:00 con Ana.
    [calendar_not_found] Con esa persona no hay citas para eso. Se puede con: Ana, Luis.
    [branch_not_found] No tenemos ese local. Hay: Centro.
    [invalid_date] ¿Para qué día? Escríbelo como 2026-11-27.
    [business_not_found] Aquí no se dan citas.
    Aún no sé a nombre de quién van tus citas.
    No tienes ninguna cita pendiente.
    Peluquería Alba has 2 services that you can book:
    Corte: 60 min, €25.00
    Color: 90 min, €60.00
    What you can book: Pelo.
    Corte: 60 min, €25.00
    [service_not_found] I cannot find that service. There are: Corte, Color.
    Free on Monday, 4 January for “Corte”:
    Ana: 09:00, 10:00, 11:00, 12:00, 13:00
    Luis: 09:00, 10:00, 11:00, 12:00, 13:00
    Free for “Color”:
    Monday, 4 January: 09:00, 10:30, 12:00
    Tuesday, 5 January: 09:00, 10:30, 12:00
    There is nothing free on Saturday, 9 January for “Color”. The first one free is on Monday, 11 January at 09:00 with Ana.
    [calendar_not_found] They take no appointments for that. You can have: Ana, Luis.
    [branch_not_found] We have no such branch. There are: Centro.
    [invalid_date] For which day? Write it as 2026-11-27.
    [business_not_found] There are no appointments to book here.
    I do not know yet whose name your appointments are in.
    You have no appointment coming up.
    Peluquería Alba tem 2 serviços com marcação:
    Corte: 60 min, 25,00 €
    Color: 90 min, 60,00 €
    Serviços com marcação: Pelo.
    Corte: 60 min, 25,00 €
    [service_not_found] Não encontro esse serviço. Há: Corte, Color.
    Há horários livres na segunda-feira, 4 de janeiro para “Corte”:
    Ana: 09:00, 10:00, 11:00, 12:00, 13:00
    Luis: 09:00, 10:00, 11:00, 12:00, 13:00
    Há horários livres para “Color”:
    segunda-feira, 4 de janeiro: 09:00, 10:30, 12:00
    terça-feira, 5 de janeiro: 09:00, 10:30, 12:00
    Não há nenhum horário livre no sábado, 9 de janeiro para “Color”. O primeiro livre é na segunda-feira, 11 de janeiro, às 09:00, com Ana.
    [calendar_not_found] Com essa pessoa não há marcações para isso. Pode ser com: Ana, Luis.
    [branch_not_found] Não temos esse local. Há: Centro.
    [invalid_date] Para que dia? Escreva-o como 2026-11-27.
    [business_not_found] Aqui não se fazem marcações.
    Ainda não sei em nome de quem ficam as suas marcações.
    Não tem nenhuma marcação por vir.
    ");
}

#[tokio::test]
async fn an_appointment_is_made_moved_and_cancelled() {
    for stores in Stores::all().await {
        let (counter, ana) = (counter(&stores).await, owner("ana"));
        let name = json!({"full_name": " Ana  Ruiz ", "phone_number": "+34 600 123 123"});
        let contact = act(&counter, &ana, "find_or_create_user", name).await;
        assert_eq!(
            said(&contact),
            "Apuntado: tus citas van a nombre de Ana Ruiz, +34 600 123 123."
        );
        let booked = act(
            &counter,
            &ana,
            "create_appointment",
            json!({"user_id": "ana", "branch_id": "centro", "service": "corte", "calendar": "Ana", "date": "2100-01-04", "time": "09:00"}),
        );
        let booked = booked.await;
        assert_eq!(
            said(&booked),
            "Reservado: «Corte» el lunes 4 de enero a las 09:00 con Ana, en Centro. Son 25,00 €."
        );
        let id = appointment_id(&booked);
        let expected = json!([{
            "appointment_id": id, "state": "confirmed", "service_id": "corte", "service": "Corte", "branch_id": "centro",
            "branch": "Centro", "calendar_id": "ana", "calendar": "Ana", "starts_at": "2100-01-04T09:00:00+00:00",
            "ends_at": "2100-01-04T10:00:00+00:00", "date": "2100-01-04", "time": "09:00", "duration_minutes": 60,
            "price": "25.00", "currency": "EUR", "full_name": "Ana Ruiz", "reason": null,
        }]);
        assert_eq!(Value::from(booked.results), expected);
        let moved = act(
            &counter,
            &ana,
            "reschedule_appointment",
            json!({"appointment_id": id, "new_date": "2100-01-05", "new_time": "11:00", "calendar": "luis"}),
        );
        assert_eq!(
            said(&moved.await),
            "Cambiada: tu cita de «Corte» es ahora el martes 5 de enero a las 11:00 con Luis, en Centro."
        );
        let listed = act(&counter, &ana, "get_user_appointments", json!({})).await;
        assert_eq!(
            said(&listed),
            "Tienes 1 cita:\n«Corte» el martes 5 de enero a las 11:00 con Luis, en Centro"
        );
        let members = json!({"appointment_id": id, "reason": "me voy\nde viaje"});
        let cancelled = act(&counter, &ana, "cancel_appointment", members.clone()).await;
        assert_eq!(
            said(&cancelled),
            "Cancelada: ya no tienes la cita de «Corte», el martes 5 de enero a las 11:00."
        );
        assert_eq!(cancelled.results[0]["reason"], "me voy de viaje");
        let again = act(&counter, &ana, "cancel_appointment", members).await;
        assert_eq!(again.error, Some("appointment_closed"));
        let listed = act(&counter, &ana, "get_user_appointments", json!({})).await;
        assert_eq!(said(&listed), "No tienes ninguna cita pendiente.");
        assert_eq!(listed.results.len(), 1);
        let free = act(
            &counter,
            &ana,
            "get_available_slots",
            json!({"service_name": "corte", "date": "2100-01-05"}),
        );
        assert_eq!(free.await.results.len(), 10);
    }
}

/// Of many at once one has the place; the others are told what is free, and can have that.
#[tokio::test]
async fn a_time_is_had_by_one_and_the_others_are_told_alternatives() {
    for stores in Stores::all().await {
        let counter = counter(&stores).await;
        let owners: Vec<Owner> = (0..6).map(|n| owner(&format!("c{n}"))).collect();
        let wanted = json!({"service": "corte", "calendar": "ana", "starts_at": MONDAY_AT_NINE});
        let asked = owners.iter().map(|owner| {
            let payload = payload(&wanted);
            let counter = &counter;
            async move {
                let language = Language::default();
                perform(
                    counter,
                    owner,
                    language,
                    "create_appointment",
                    &payload,
                    &|_| None,
                )
                .await
            }
        });
        let (mut had, mut told) = (0, 0);
        for outcome in join_all(asked).await {
            match outcome {
                Ok(outcome) if outcome.error.is_none() => had += 1,
                Ok(outcome) => {
                    assert_eq!(outcome.error, Some("slot_taken"), "{outcome:?}");
                    let alternatives = outcome.data["alternatives"].as_array().unwrap();
                    assert_eq!(alternatives[0]["calendar"], "Luis");
                    assert_eq!(alternatives[0]["time"], "09:00");
                    told += 1;
                }
                // It may be asked for again.
                Err(ActionFailure::Conflict) => {}
                Err(failure) => panic!("{failure:?}"),
            }
        }
        assert_eq!(had, 1);
        assert!(told >= 1);
        let late = act(&counter, &owner("late"), "create_appointment", wanted).await;
        assert_eq!(
            late.message,
            "Esa hora acaba de ocuparse o ya no está libre. Sí está libre: el lunes 4 de enero a las 09:00 con Luis; el lunes 4 de \
             enero a las 10:00 con Ana; el lunes 4 de enero a las 11:00 con Ana."
        );
        // With whoever has time.
        let whoever = json!({"service": "corte", "starts_at": MONDAY_AT_NINE});
        let booked = act(
            &counter,
            &owner("late"),
            "create_appointment",
            whoever.clone(),
        )
        .await;
        assert_eq!(booked.results[0]["calendar"], "Luis");
        let full = act(&counter, &owner("last"), "create_appointment", whoever).await;
        assert_eq!(full.error, Some("slot_taken"));
    }
}

#[tokio::test]
async fn what_cannot_be_had_says_why() {
    let stores = Stores::embedded().await;
    let (counter, ana, eva) = (counter(&stores).await, owner("ana"), owner("eva"));
    let book = |more: Value| {
        let mut members = json!({"service": "corte", "date": "2100-01-04", "time": "09:00"});
        let of = members.as_object_mut().unwrap();
        of.extend(more.as_object().cloned().unwrap());
        members
    };
    for (more, code) in [
        (json!({"date": "2100-01-10"}), "slot_unavailable"),
        (json!({"time": "09:07"}), "slot_unavailable"),
        (json!({"time": "13:30"}), "slot_unavailable"),
        (json!({"date": "2099-12-28"}), "slot_unavailable"),
        (json!({"date": "2100-06-07"}), "outside_window"),
        (json!({"date": "2100-02-30"}), "invalid_date"),
        (json!({"date": 5}), "invalid_date"),
        (json!({"time": "25:00"}), "invalid_time"),
        (json!({"starts_at": "2100-01-04T09:00"}), "invalid_time"),
        (json!({"service": "nada"}), "service_not_found"),
        (json!({"service": null}), "service_not_found"),
        (json!({"calendar": "eva"}), "calendar_not_found"),
        (json!({"branch_id": "norte"}), "branch_not_found"),
        (json!({"business_id": "otra"}), "business_not_found"),
        (json!({"business_id": "a#b"}), "business_not_found"),
        (json!({"user_id": "eva"}), "user_not_found"),
        (json!({"price": "20.00"}), "price_changed"),
        (json!({"full_name": "12"}), "invalid_contact"),
    ] {
        let outcome = act(&counter, &ana, "create_appointment", book(more.clone())).await;
        assert_eq!(outcome.error, Some(code), "{more}: {outcome:?}");
    }
    let booked = act(&counter, &ana, "create_appointment", book(json!({}))).await;
    let id = appointment_id(&booked);
    for (action, members, code) in [
        (
            "cancel_appointment",
            json!({"appointment_id": id}),
            "appointment_not_found",
        ),
        (
            "reschedule_appointment",
            json!({"appointment_id": id, "new_date": "2100-01-04", "new_time": "10:00"}),
            "appointment_not_found",
        ),
        (
            "cancel_appointment",
            json!({"appointment_id": "a b"}),
            "appointment_not_found",
        ),
        ("cancel_appointment", json!({}), "appointment_not_found"),
        (
            "find_or_create_user",
            json!({"full_name": "12"}),
            "invalid_contact",
        ),
        (
            "find_or_create_user",
            json!({"phone_number": "12"}),
            "invalid_contact",
        ),
        (
            "find_or_create_user",
            json!({"identification_number": "nadie"}),
            "invalid_contact",
        ),
        ("get_user_info", json!({"user_id": "ana"}), "user_not_found"),
        (
            "get_user_appointments",
            json!({"user_id": "ana"}),
            "user_not_found",
        ),
    ] {
        let outcome = act(&counter, &eva, action, members.clone()).await;
        assert_eq!(outcome.error, Some(code), "{action} {members}: {outcome:?}");
    }
    let own = act(&counter, &ana, "get_user_appointments", json!({})).await;
    assert_eq!(own.data["to_come"], 1);
    let without = Counter {
        reception: None,
        ..counter
    };
    let none = act(&without, &ana, "get_services", json!({})).await;
    assert_eq!(none.error, Some("business_not_found"));
}

/// What a model has proposed is done once, by who it was proposed to, and says the date in full.
#[tokio::test]
async fn a_proposal_is_done_once() {
    for stores in Stores::all().await {
        let (counter, ana) = (counter(&stores).await, owner("ana"));
        let approval_id = id_at(noon());
        let args = json!({"service": "corte", "starts_at": MONDAY_AT_NINE, "calendar": "ana"});
        let requested = Event::ApprovalRequested {
            approval_id,
            tool_name: "create_appointment".into(),
            args,
            expires_at: noon() + Duration::minutes(15),
        };
        let commit = Commit::at(
            Position::start_of(mostrador_core::ids::ConversationNumber::FIRST),
            [Event::ConversationStarted {}, requested]
                .map(Stored::Known)
                .to_vec(),
            Uuid::now_v7(),
            Uuid::now_v7(),
            noon(),
        );
        stores.log().put(&ana, &commit, None).await.unwrap();
        let approvals = Approvals {
            log: Arc::new(stores.log()),
            idempotency: Arc::new(stores.idempotency()),
            counter: counter.clone(),
        };
        let approval = payload(&json!({"approval": approval_id}));
        let decide = |owner: Owner| {
            let (approvals, approval) = (approvals.clone(), approval.clone());
            async move {
                let language = Language::default();
                let decided = approvals.decide(&owner, language, Decision::Approve, &approval);
                let outcome = decided.await.unwrap();
                (outcome.error, outcome.message)
            }
        };
        assert_eq!(decide(owner("eva")).await.0, Some("approval_not_found"));
        let done =
            "Reservado: «Corte» el lunes 4 de enero a las 09:00 con Ana, en Centro. Son 25,00 €.";
        assert_eq!(decide(ana.clone()).await, (None, done.to_owned()));
        assert_eq!(
            decide(ana.clone()).await,
            (Some("approval_closed"), done.to_owned())
        );
        let own = act(&counter, &ana, "get_user_appointments", json!({})).await;
        assert_eq!(own.data["to_come"], 1);
    }
}

/// Who is erased leaves no trace in any calendar, and what was theirs is free again; others keep theirs.
#[tokio::test]
async fn who_is_erased_leaves_calendars() {
    for stores in Stores::all().await {
        let counter = counter(&stores).await;
        let [ana, eva] = ["ana", "eva"].map(owner);
        let name = json!({"full_name": "Ana Ruiz"});
        act(&counter, &ana, "find_or_create_user", name).await;
        for (owner, calendar, hour) in [(&ana, "ana", 9), (&ana, "luis", 10), (&eva, "ana", 11)] {
            let members = json!({"service": "corte", "calendar": calendar, "date": "2100-01-04", "time": format!("{hour:02}:00")});
            let booked = act(&counter, owner, "create_appointment", members).await;
            assert_eq!(booked.error, None);
        }
        let of_ana = stores.everything_of(&ana).await;
        assert!(of_ana.contains("Ana Ruiz"));
        // One that cannot be read goes, too.
        let kept = stores.bookings().everywhere(&ana).await.unwrap();
        let damaged = &kept[0].1.appointment.booking.id;
        stores
            .damage_booking(&ana.to_string(), &format!("appointment#alba#{damaged}"))
            .await;
        let erased = erasure(&stores).erase(&ana).await.unwrap();
        assert_eq!(erased.appointments, 2);
        assert_eq!(stores.bookings().everywhere(&ana).await.unwrap(), vec![]);
        let monday = Dates::on(jiff::civil::date(2100, 1, 4));
        let now = jiff::Timestamp::UNIX_EPOCH;
        let mut left = Vec::new();
        for who in ["ana", "luis"] {
            let days = stores
                .bookings()
                .days(&salon().id, &calendar(who), monday)
                .await
                .unwrap();
            let entries = days.days.iter().flat_map(|day| day.entries(now));
            left.extend(entries.map(|entry| (who, entry.booking.customer.clone())));
        }
        // Nobody knows where the damaged one was.
        let of_eva = left.iter().filter(|(_, owner)| *owner == eva).count();
        assert_eq!((of_eva, left.len()), (1, 2));
        let of_ana = stores.everything_of(&ana).await;
        assert!(!of_ana.contains("Ana Ruiz"), "{of_ana}");
    }
}
