//! Appointments by action: with the salon beside the demo bookshop, and with a business of one's own.

use std::fs;

use serde_json::{Value, json};

use crate::harness::{
    Answer, Caller, ModelPeer, Setup, all_at_once, local_only, shop, until_admitted,
};

/// What is free for a service with somebody, by when it begins.
fn free(caller: &Caller<'_>, service: &str, calendar: &str) -> Vec<String> {
    let asked = json!({"service_name": service, "calendar_name": calendar});
    let slots = caller.act("get_available_slots", asked).is(200);
    let slots = slots["results"].as_array().expect("slots");
    let starts = slots.iter().map(|slot| slot["starts_at"].as_str());
    starts
        .map(|start| start.expect("a time").to_owned())
        .collect()
}

fn booked(answer: &Value) -> &Value {
    &answer["results"][0]
}

fn data(answer: &Answer) -> Value {
    answer.json()["actions"][0]["data"].clone()
}

/// On a stack this is what misses the permissions of the bookings table.
#[test]
fn an_appointment_from_first_to_last() {
    let customer = shop().customer("first-to-last");
    let services = customer.act("get_services", json!({})).is(200);
    assert_eq!(services["actions"][0]["data"]["count"], 14);
    let starts = free(&customer, "manicura", "yasmin");
    let wanted = json!({"service": "manicura", "calendar": "yasmin", "starts_at": starts[0]});
    let answer = customer.act("create_appointment", wanted.clone()).is(200);
    let one = booked(&answer).clone();
    assert_eq!(
        (&one["state"], &one["service"], &one["price"]),
        (&json!("confirmed"), &json!("Manicura"), &json!("16.00"))
    );
    let refused = shop()
        .customer("too-late")
        .act("create_appointment", wanted);
    assert_eq!(
        (refused.status, refused.code().as_str()),
        (400, "slot_taken")
    );
    assert!(!data(&refused)["alternatives"][0]["starts_at"].is_null());
    assert!(!free(&customer, "manicura", "yasmin").contains(&starts[0]));
    let id = &one["appointment_id"];
    let later = free(&customer, "manicura", "yasmin");
    let to = later.last().expect("another time");
    let members = json!({"appointment_id": id, "new_starts_at": to});
    let moved = customer.act("reschedule_appointment", members).is(200);
    assert_eq!(booked(&moved)["starts_at"].as_str(), Some(to.as_str()));
    assert!(free(&customer, "manicura", "yasmin").contains(&starts[0]));
    let listed = customer.act("get_user_appointments", json!({})).is(200);
    assert_eq!(booked(&listed)["appointment_id"], *id);
    let stranger = shop().customer("stranger");
    let foreign = stranger.act("cancel_appointment", json!({"appointment_id": id}));
    assert_eq!(
        (foreign.status, foreign.code().as_str()),
        (400, "appointment_not_found")
    );
    let cancelled = customer.act("cancel_appointment", json!({"appointment_id": id}));
    assert_eq!(booked(&cancelled.is(200))["state"], "cancelled");
    assert!(free(&customer, "manicura", "yasmin").contains(to));
}

#[test]
fn a_key_books_once() {
    let customer = shop().customer("impatient");
    let start = free(&customer, "limpieza-facial", "noelia").swap_remove(0);
    let body = json!({"action": "create_appointment", "payload": {"service": "limpieza-facial", "starts_at": start}});
    let answers = all_at_once(4, |_| {
        until_admitted(|| {
            customer
                .call("POST", "/api/agent/actions/")
                .header("idempotency-key", "once")
                .json(&body)
                .send()
        })
    });
    let first = answers[0].is(200);
    for answer in &answers {
        assert_eq!(answer.is(200), first);
    }
    let listed = customer.act("get_user_appointments", json!({})).is(200);
    assert_eq!(listed["results"].as_array().expect("a list").len(), 1);
}

#[test]
fn a_guest_books_nothing() {
    let guest = shop().guest();
    let answer = guest.act(
        "get_available_slots",
        json!({"service_name": "corte-mujer"}),
    );
    answer.problem(401, "auth_required");
}

#[test]
fn appointments_are_exported_and_erased() {
    let customer = shop().customer("exported");
    let contact = json!({"full_name": "Nora Canario", "phone_number": "600 700 800"});
    customer.act("find_or_create_user", contact).is(200);
    let start = free(&customer, "cejas", "irene").swap_remove(0);
    let wanted = json!({"service": "cejas", "calendar": "irene", "starts_at": start});
    customer.act("create_appointment", wanted).is(200);
    let exported = customer.get("/api/agent/history/export/");
    let lines: Vec<Value> = exported
        .text
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line"))
        .collect();
    let of = |kind: &str| lines.iter().find(|line| line["type"] == kind).cloned();
    assert_eq!(
        of("contact").expect("a contact")["contact"],
        json!({"full_name": "Nora Canario", "phone_number": "600 700 800", "identification_number": null})
    );
    let appointment = of("appointment").expect("an appointment");
    assert_eq!(appointment["business_id"], "salon-brisa");
    assert_eq!(appointment["appointment"]["full_name"], "Nora Canario");
    let erased = customer.call("DELETE", "/api/agent/history/all/").send();
    assert_eq!(erased.is(200)["appointments"], 1);
    assert!(free(&customer, "cejas", "irene").contains(&start));
    let listed = customer.act("get_user_appointments", json!({})).is(200);
    assert_eq!(listed["results"], json!([]));
    let who = customer.act("get_user_info", json!({})).is(200);
    assert_eq!(booked(&who)["full_name"], Value::Null);
}

/// The clinic stands beside the salon, and is asked by its name.
#[test]
fn a_business_is_asked_by_its_name() {
    local_only("the demo's second business");
    let customer = shop().customer("patient");
    let clinic = json!({"business_id": "clinica-dos-rios"});
    let own = customer.act("get_services", clinic).is(200);
    let salons = customer.act("get_services", json!({})).is(200);
    assert_ne!(own["results"], salons["results"]);
}

#[test]
fn a_business_of_ones_own_is_served() {
    local_only("a server with settings of its own");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("business.toml");
    let week = [
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
    ];
    let hours: String = week
        .iter()
        .map(|day| format!("hours.{day} = [\"00:00-24:00\"]\n"))
        .collect();
    let text = format!(
        "id = \"bici\"\nbusiness_name = \"Taller Bici\"\ntime_zone = \"America/Bogota\"\ncurrency = \"COP\"\nmin_notice_minutes = 0\n\
         [[branches]]\nid = \"b\"\nname = \"Taller\"\naddress = \"Calle 1\"\n{hours}\
         [[categories]]\nid = \"c\"\nname = \"Arreglos\"\n\
         [[services]]\nid = \"revision\"\nname = \"Revisión\"\ncategory = \"c\"\nprice = \"40000\"\nduration_minutes = 60\n\
         [[calendars]]\nid = \"pepe\"\nname = \"Pepe\"\nbranch = \"b\"\noffers = [\"revision\"]\n"
    );
    fs::write(&file, text).expect("a file");
    let path = file.to_str().expect("a path");
    let shop = Setup::new().option("--business", path).start();
    let customer = shop.customer("cyclist");
    let services = customer.act("get_services", json!({})).is(200);
    assert_eq!(
        services["message"],
        "Con cita previa, Taller Bici tiene 1 servicio:"
    );
    let start = free(&customer, "revisión", "Pepe").swap_remove(3);
    assert!(start.ends_with("-05:00"), "{start}");
    let wanted = json!({"service": "REVISION", "starts_at": start});
    let answer = customer.act("create_appointment", wanted).is(200);
    let message = answer["message"].as_str().expect("a message");
    assert!(
        message.ends_with("con Pepe, en Taller. Son $ 40.000,00."),
        "{message}"
    );
}

/// By words, with the product as a guest has it first: what was wanted outlives signing in.
#[test]
fn a_wish_outlives_signing_in() {
    let guest = shop().guest();
    let asked = guest
        .chat("quiero cita para un recogido de fiesta con Carmen lo antes posible")
        .is(200);
    let message = asked["message"].as_str().expect("a message");
    assert!(message.starts_with("Hay hueco "), "{message}");
    assert!(
        message.ends_with("primero inicia sesión. Después dime «sí» y continúo."),
        "{message}"
    );
    let customer = shop().customer("signed-in-later");
    let body = json!({"message": "sí", "context": asked["context"]});
    let named = customer.post("/api/agent/", &body).is(200);
    let question = named["message"].as_str().expect("a question");
    assert!(
        question.ends_with("¿A nombre de quién pongo la cita?"),
        "{question}"
    );
    let asked = customer.chat("Nora").is(200);
    let question = asked["message"].as_str().expect("a message");
    assert!(
        question.starts_with("¿Te reservo «Recogido de fiesta»"),
        "{question}"
    );
    let done = customer.chat("sí").is(200);
    let message = done["message"].as_str().expect("a message");
    assert!(
        message.starts_with("Reservado: «Recogido de fiesta»"),
        "{message}"
    );
    let listed = customer.act("get_user_appointments", json!({})).is(200);
    assert_eq!(booked(&listed)["full_name"], "Nora");
}

/// A model proposes; the customer's word books, at the price and with whom they were told.
#[test]
fn a_model_proposes_and_a_yes_books() {
    local_only("a server with settings of its own");
    let peer = ModelPeer::start();
    let shop = Setup::new()
        .set("LLM_BASE_URL", &peer.url)
        .set("LLM_MODELS", "booker")
        .start();
    let customer = shop.customer("advised");
    let slots = customer.act(
        "get_available_slots",
        json!({"service_name": "limpieza facial"}),
    );
    let slot = slots.is(200)["results"][2].clone();
    let [date, time] = ["date", "time"].map(|name| slot[name].as_str().expect(name));
    let message = format!("hazme lo de la otra vez {date} {time}");
    let body = json!({"message": message, "model": "booker"});
    let asked = customer.post("/api/agent/", &body).is(200);
    let approval = &asked["actions"][0];
    assert_eq!(approval["action"], "create_appointment", "{asked}");
    assert_eq!(
        (
            &approval["payload"]["price"],
            &approval["payload"]["calendar"]
        ),
        (&json!("42.00"), &json!("noelia"))
    );
    let question = asked["message"].as_str().expect("a question");
    assert!(
        question.contains("¿Te reservo «Limpieza facial»"),
        "{question}"
    );
    let own = customer.act("get_user_appointments", json!({})).is(200);
    assert_eq!(own["results"], json!([]));
    let done = customer.chat("sí").is(200);
    let message = done["message"].as_str().expect("a message");
    assert!(
        message.starts_with("Reservado: «Limpieza facial»"),
        "{message}"
    );
    let own = customer.act("get_user_appointments", json!({})).is(200);
    assert_eq!(booked(&own)["starts_at"], slot["starts_at"]);
}

/// In a shop that has books of nearly everything, what is a service's whole name is a service, and what only begins like one is not.
#[test]
fn a_service_is_told_from_a_book() {
    local_only("the demo's salon");
    let guest = shop().guest();
    for (message, line) in [
        ("how much is a men's haircut?", "Corte de hombre: 30 min"),
        ("quanto custa a limpeza de pele?", "Limpieza facial: 75 min"),
        ("¿cuánto cuesta la manicura?", "Manicura: 40 min"),
    ] {
        let answer = guest.chat(message).is(200);
        let told = answer["message"].as_str().expect("a message");
        assert!(told.starts_with(line), "{message}: {told}");
    }
    for message in [
        "Mujercitas",
        "novelas de mujeres",
        "libros de manicura",
        "Hombres sin mujeres",
    ] {
        let answer = guest.chat(message).is(200);
        let told = answer["message"].as_str().expect("a message");
        assert!(!told.contains(" min, "), "{message}: {told}");
    }
    let hello = guest.chat("hola").is(200);
    let told = hello["message"].as_str().expect("a message");
    assert!(told.contains("cita en Salón Brisa"), "{told}");
}
