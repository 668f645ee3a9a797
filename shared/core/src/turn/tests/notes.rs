//! What a customer has remembered and forgotten by words, and what a model is given of it.

use serde_json::json;

use super::{
    calls,
    changes::talk,
    nothing, replies,
    shop::{Turn, ana, engine, turn, turn_of},
};
use crate::{
    answer::Action,
    ids::Owner,
    purchases::{Mutation, NOTES, Note},
    turn::{ChatRequest, TurnEngine},
};

/// What is remembered of Ana.
async fn notes(engine: &TurnEngine) -> Vec<String> {
    let purchases = &engine.approvals.counter.purchases;
    let account = purchases.account(&ana()).await.unwrap();
    let notes = account.notes.into_iter();
    notes.map(|note| note.text).collect()
}

/// Has these remembered of Ana, whatever was.
async fn remember(engine: &TurnEngine, texts: &[&str]) {
    let purchases = &engine.approvals.counter.purchases;
    let mut account = purchases.account(&ana()).await.unwrap();
    let numbered = (1..).zip(texts);
    account.notes = numbered
        .map(|(note_id, text)| Note {
            note_id,
            text: (*text).to_owned(),
            created_at: engine.clock.now(),
        })
        .collect();
    account.notes_made = account.notes.len().try_into().unwrap();
    let mutation = Mutation::of(engine.clock.new_id(), account);
    purchases.commit(&ana(), &mutation).await.unwrap();
}

async fn say(engine: &TurnEngine, message: &str) -> Turn {
    turn(engine, Some(ana()), message, nothing).await.unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_sentence_is_remembered_after_a_yes_and_seen() {
    let engine = engine(vec![]);
    talk(
        &engine,
        &[
            ("¿qué sabes de mí?", "No recuerdo nada de ti."),
            (
                "recuerda que leo en inglés",
                "¿Quieres que recuerde «leo en inglés»?",
            ),
        ],
    )
    .await;
    assert_eq!(notes(&engine).await, [""; 0]);
    talk(&engine, &[("sí", "Hecho: lo recordaré.")]).await;
    assert_eq!(notes(&engine).await, ["leo en inglés"]);
    talk(
        &engine,
        &[
            (
                "¿qué sabes de mí?",
                "Esto es lo que recuerdo de ti:\n- leo en inglés",
            ),
            // What is remembered already is not asked about.
            (
                "recuerda que leo en ingles",
                "Esto es lo que recuerdo de ti:\n- leo en inglés",
            ),
            (
                "anota que soy alérgica a las nueces",
                "¿Quieres que recuerde «soy alérgica a las nueces»?",
            ),
            ("no", "De acuerdo, lo dejo."),
        ],
    )
    .await;
    assert_eq!(notes(&engine).await, ["leo en inglés"]);
}

#[tokio::test(start_paused = true)]
async fn each_language_has_its_way_of_saying_it() {
    for (message, note) in [
        ("no olvides que leo en inglés", "leo en inglés"),
        ("por favor, no te olvides de que soy vegana", "soy vegana"),
        ("recordá que prefiero tapa blanda", "prefiero tapa blanda"),
        (
            "recuerda que nunca gasto más de 20 euros",
            "nunca gasto más de 20 euros",
        ),
        (
            "recuerda que me gustan los libros parecidos a Rayuela",
            "me gustan los libros parecidos a Rayuela",
        ),
        (
            "remember that I only read paperbacks",
            "I only read paperbacks",
        ),
        ("please don't forget that I'm vegan", "I'm vegan"),
        (
            "I'm allergic to nuts, keep that in mind",
            "I'm allergic to nuts",
        ),
        (
            "lembra que eu só leio em português",
            "eu só leio em português",
        ),
        (
            "não te esqueças de que sou alérgica a nozes",
            "sou alérgica a nozes",
        ),
        ("anota que meu tamanho é M", "meu tamanho é M"),
    ] {
        let engine = engine(vec![]);
        say(&engine, message).await;
        say(&engine, "sí").await;
        assert_eq!(notes(&engine).await, [note], "{message}");
    }
}

#[tokio::test(start_paused = true)]
async fn one_that_is_named_is_forgotten() {
    let engine = engine(vec![]);
    remember(
        &engine,
        &["leo en inglés", "soy alérgica a las nueces", "calzo un 38"],
    )
    .await;
    talk(
        &engine,
        &[
            ("olvida que leo en inglés", "¿Olvido «leo en inglés»?"),
            ("sí", "Hecho: ya lo he olvidado."),
            (
                "olvida lo de mi alergia",
                "¿Olvido «soy alérgica a las nueces»?",
            ),
            ("no", "De acuerdo, lo dejo."),
            (
                "olvida que soy vegano",
                "¿Qué quieres que olvide?\n- soy alérgica a las nueces\n- calzo un 38",
            ),
            ("la segunda", "¿Olvido «calzo un 38»?"),
            ("sí", "Hecho: ya lo he olvidado."),
            // One alone is not meant by what names another.
            (
                "olvida que soy vegano",
                "¿Qué quieres que olvide?\n- soy alérgica a las nueces",
            ),
            (
                "olvida eso que te dije",
                "¿Olvido «soy alérgica a las nueces»?",
            ),
            ("sí", "Hecho: ya no recuerdo nada de ti."),
            ("olvida que leo en inglés", "No recuerdo nada de ti."),
        ],
    )
    .await;
    assert_eq!(notes(&engine).await, [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn all_of_it_is_forgotten() {
    for message in [
        "olvida todo lo que sabes de mí",
        "borra mis datos",
        "forget everything you know about me",
        "apaga tudo o que sabe de mim",
    ] {
        let engine = engine(vec![]);
        remember(&engine, &["leo en inglés", "calzo un 38"]).await;
        let asked = say(&engine, message).await.answer.message;
        assert!(
            asked.contains('2') && asked.ends_with("\n- leo en inglés\n- calzo un 38"),
            "{message}: {asked}"
        );
        assert_eq!(notes(&engine).await.len(), 2, "{message}");
        say(&engine, "sí").await;
        assert_eq!(notes(&engine).await, [""; 0], "{message}");
    }
}

/// "Olvídalo" by itself leaves what was asked, and has nothing forgotten.
#[tokio::test(start_paused = true)]
async fn leaving_it_is_not_forgetting() {
    let engine = engine(vec![]);
    remember(&engine, &["leo en inglés"]).await;
    talk(
        &engine,
        &[
            (
                "recuerda que calzo un 38",
                "¿Quieres que recuerde «calzo un 38»?",
            ),
            ("olvídalo", "De acuerdo, lo dejo."),
            ("olvídalo", "De acuerdo."),
        ],
    )
    .await;
    assert_eq!(notes(&engine).await, ["leo en inglés"]);
}

/// Who says nothing to remember is asked what, and the next message is that.
#[tokio::test(start_paused = true)]
async fn what_is_to_be_remembered_is_asked_where_it_is_not_said() {
    for sentence in [
        "leo en inglés",
        "soy alérgica a las nueces",
        "mi hijo tiene 8 años",
    ] {
        let engine = engine(vec![]);
        let asked = format!("¿Quieres que recuerde «{sentence}»?");
        talk(
            &engine,
            &[
                ("recuérdalo", "¿Qué quieres que recuerde?"),
                (sentence, &asked),
                ("sí", "Hecho: lo recordaré."),
            ],
        )
        .await;
        assert_eq!(notes(&engine).await, [sentence]);
    }
    let engine = engine(vec![]);
    talk(
        &engine,
        &[
            ("recuérdalo", "¿Qué quieres que recuerde?"),
            ("¿qué hay en mi carrito?", "En tu carrito hay 2 títulos"),
            ("recuérdalo", "¿Qué quieres que recuerde?"),
            ("libro 1", "Aquí lo tienes:"),
        ],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_sentence_is_no_letter_and_there_are_so_many() {
    let engine = engine(vec![]);
    let long = format!("recuerda que leo {}", "mucho ".repeat(40));
    talk(
        &engine,
        &[
            (&long, "Es demasiado largo para recordarlo"),
            ("sí", "Ahora mismo no hay nada pendiente"),
        ],
    )
    .await;
    let texts: Vec<String> = (1..=NOTES).map(|n| format!("leo el tomo {n}")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    remember(&engine, &texts).await;
    talk(
        &engine,
        &[(
            "recuerda que leo en inglés",
            "Ya recuerdo 20 cosas de ti, y no me caben más",
        )],
    )
    .await;
    assert_eq!(notes(&engine).await, texts);
}

/// What a guest wants remembered is asked about once they have signed in.
#[tokio::test(start_paused = true)]
async fn a_guests_sentence_waits_until_they_have_signed_in() {
    let guest = async |message: &str| {
        let guest = turn(&engine(vec![]), None, message, nothing).await;
        guest.unwrap().answer
    };
    let asked = guest("¿qué sabes de mí?").await;
    assert_eq!(asked.message, "Para verlo, primero inicia sesión.");
    for (message, question) in [
        (
            "recuerda que leo en inglés",
            "¿Quieres que recuerde «leo en inglés»?",
        ),
        ("olvida que calzo un 38", "¿Olvido «calzo un 38»?"),
    ] {
        let engine = engine(vec![]);
        remember(&engine, &["odio el terror", "calzo un 38"]).await;
        let answer = guest(message).await;
        assert_eq!(
            answer.message,
            "Para eso, primero inicia sesión. Después dime «sí» y continúo."
        );
        assert!(answer.actions.contains(&Action::SignIn));
        let body = json!({"message": "sí", "context": answer.context.unwrap()});
        let body = ChatRequest::read(body.as_object().unwrap()).unwrap();
        let signed_in = turn_of(&engine, Some(ana()), body, nothing).await.unwrap();
        assert_eq!(signed_in.answer.message, question);
    }
}

/// What is remembered of somebody is nobody else's.
#[tokio::test(start_paused = true)]
async fn nobody_sees_what_is_remembered_of_another() {
    let engine = engine(vec![]);
    remember(&engine, &["leo en inglés"]).await;
    for (tenant, user) in [("default", "eva"), ("other", "ana")] {
        let other = Owner::new(tenant, user).unwrap();
        let seen = turn(&engine, Some(other), "¿qué sabes de mí?", nothing).await;
        let seen = seen.unwrap().answer.message;
        assert!(seen.starts_with("No recuerdo nada"), "{seen}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_model_proposes_to_remember_and_to_forget() {
    for (message, tool, arguments, question) in [
        (
            "me cuesta la letra pequeña",
            "remember",
            json!({"text": "me cuesta leer la letra pequeña"}),
            Some("¿Quieres que recuerde «me cuesta leer la letra pequeña»?"),
        ),
        (
            "gasto como mucho 20 € en un libro",
            "remember",
            json!({"text": "gasto 20 € como mucho"}),
            Some("¿Quieres que recuerde «gasto 20 € como mucho»?"),
        ),
        // A price that the customer has not said is none of theirs.
        (
            "quiero Rayuela",
            "remember",
            json!({"text": "Rayuela cuesta 1 €"}),
            None,
        ),
        (
            "ya calzo otra talla",
            "forget",
            json!({"note_id": 2}),
            Some("¿Olvido «calzo un 38»?"),
        ),
        ("ya calzo otra talla", "forget", json!({"note_id": 9}), None),
    ] {
        let mut engine = engine(vec![calls(tool, arguments), replies("¿Busco algo más?")]);
        engine.settings.max_steps = 3;
        remember(&engine, &["leo en inglés", "calzo un 38"]).await;
        let answer = say(&engine, message).await.answer.message;
        match question {
            Some(question) => assert!(answer.ends_with(question), "{answer}"),
            None => assert!(
                !answer.contains("recuerde") && !answer.contains("Olvido"),
                "{answer}"
            ),
        }
        assert_eq!(notes(&engine).await.len(), 2);
    }
}
