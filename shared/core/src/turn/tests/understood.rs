//! What is asked at a counter and is no search: answered at once, with a model or without.

use std::sync::Arc;

use serde_json::json;

use super::{
    Does, nothing, replies,
    shop::{Turn, ana, engine, kept, turn, turn_of},
};
use crate::{
    answer::Action,
    ids::Owner,
    log::{Event, Stored},
    model::ModelError,
    shop::{Interval, Profile},
    turn::ChatRequest,
};

/// A turn of a model that cannot be reached: the answer is made without it.
async fn alone(owner: Option<Owner>, message: &str) -> Turn {
    let engine = engine(vec![Does::Fails(ModelError::Timeout)]);
    turn(&engine, owner, message, nothing).await.unwrap()
}

#[tokio::test(start_paused = true)]
async fn courtesies_are_returned_and_no_items_are_shown() {
    for (message, said) in [
        ("muchas gracias, muy amable", "¡De nada!"),
        ("buenas tardes", "¡Hola!"),
        ("hasta luego, que tengas buen día", "¡Hasta pronto!"),
        ("no, gracias, eso es todo", "De acuerdo."),
        ("gracias, ¡adiós!", "¡"),
        (
            "quiero hablar con una persona",
            "Para hablar con una persona",
        ),
        (
            "sois unos inútiles, llevo días esperando",
            "Siento que algo",
        ),
        (
            "apúntame una cita para el martes",
            "Eso todavía no puedo hacerlo por el chat.",
        ),
        ("¿quién ganó el partido de ayer?", "De eso no sé;"),
        (
            "¿qué puedes hacer por mí?",
            "Soy el asistente automático de",
        ),
    ] {
        let turn = alone(None, message).await;
        let (answer, trace) = (&turn.answer, turn.answer.trace.as_ref());
        let intent = trace.map(|trace| trace.intent.name);
        assert!(
            answer.message.starts_with(said),
            "{message} {intent:?}: {}",
            answer.message
        );
        assert!(
            answer.results.is_empty() && answer.actions.is_empty(),
            "{message}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_the_customers_own_is_read_at_once() {
    for (message, begins) in [
        (
            "¿qué llevo en el carrito?",
            "En tu carrito hay 2 títulos: 47,40 € en total.",
        ),
        ("¿qué tengo reservado?", "Tienes 1 reserva activa."),
        ("quiero ver mis pedidos", "Tienes 2 pedidos."),
    ] {
        let turn = alone(Some(ana()), message).await;
        assert!(
            turn.answer.message.starts_with(begins),
            "{message}: {}",
            turn.answer.message
        );
        let guest = alone(None, message).await.answer;
        assert_eq!(guest.message, "Para verlo, primero inicia sesión.");
        assert_eq!(guest.actions, [Action::SignIn]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_model_goes_on_beside_what_the_shop_has_read() {
    let engine = engine(vec![replies(
        "Tu carrito suma 12,00 €.\n- ¿Busco algo más?",
    )]);
    let turn = turn(&engine, Some(ana()), "¿qué llevo en el carrito?", nothing)
        .await
        .unwrap();
    let message = turn.answer.message;
    assert!(
        message.starts_with("En tu carrito hay 2 títulos: 47,40 € en total."),
        "{message}"
    );
    assert!(
        !message.contains("12,00") && message.ends_with("¿Busco algo más?"),
        "{message}"
    );
}

#[tokio::test(start_paused = true)]
async fn what_is_asked_of_what_was_shown_comes_first() {
    let engine = engine(vec![]);
    let say = async |message: &str| {
        let turn = turn(&engine, Some(ana()), message, nothing).await.unwrap();
        turn.answer
    };
    let nothing_shown = say("¿cuánto cuesta?").await.message;
    assert!(
        nothing_shown.starts_with("Todavía no te he enseñado nada."),
        "{nothing_shown}"
    );
    say("libro 3").await;
    for (message, begins) in [
        (
            "¿cuánto cuesta?",
            "«Pedro Páramo», de Juan Rulfo (queda 1) cuesta 9,50 €.",
        ),
        (
            "¿y quién lo escribió?",
            "«Pedro Páramo» (9,50 €, queda 1) es de Juan Rulfo.",
        ),
        (
            "¿de qué año es?",
            "«Pedro Páramo», de Juan Rulfo (9,50 €, queda 1) se publicó en 1963.",
        ),
        (
            "¿cuántos quedan?",
            "De «Pedro Páramo», de Juan Rulfo (9,50 €): queda 1.",
        ),
        (
            "¿de qué va?",
            "No tengo ese dato de «Pedro Páramo», de Juan Rulfo (9,50 €, queda 1).",
        ),
    ] {
        let answer = say(message).await;
        assert!(
            answer.message.starts_with(begins),
            "{message}: {}",
            answer.message
        );
        assert_eq!(answer.results[0].libro_id, 3, "{message}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_cheapest_of_those_is_one_of_what_was_shown() {
    let engine = engine(vec![]);
    turn(&engine, Some(ana()), "novela", nothing).await.unwrap();
    let message = "¿cuál es el más barato de esos?";
    let answer = turn(&engine, Some(ana()), message, nothing)
        .await
        .unwrap()
        .answer;
    let shown: Vec<_> = answer.results.iter().map(|item| item.libro_id).collect();
    assert_eq!(shown, [3], "{}", answer.message);
}

/// A shop that says something of itself.
fn telling() -> Arc<Profile> {
    let text = |text: &str| [("es".to_owned(), text.to_owned())].into();
    let policies = [("shipping".to_owned(), text("Enviamos en dos días."))];
    let hours = |text: &str| vec![Interval(text.to_owned())];
    let open = [
        ("saturday".to_owned(), hours("10:00-14:00")),
        ("monday".to_owned(), hours("9:00-20:00")),
    ];
    Arc::new(Profile {
        policies: policies.into(),
        hours: open.into(),
        time_zone: Some("Europe/Madrid".to_owned()),
        ..Profile::default()
    })
}

#[tokio::test(start_paused = true)]
async fn a_question_to_the_shop_is_gone_on_with() {
    let shipping = "Enviamos en dos días.";
    let talk = [
        ("¿hacéis envíos a Canarias?", shipping),
        ("¿y a Mallorca?", shipping),
        (
            "¿abrís los sábados?",
            "Los sábados abrimos de 10:00 a 14:00.",
        ),
        ("¿y los lunes?", "Los lunes abrimos de 9:00 a 20:00."),
    ];
    let mut engine = engine(vec![]);
    engine.shop = Arc::new(telling());
    for (message, said) in talk {
        let kept = turn(&engine, Some(ana()), message, nothing).await.unwrap();
        assert_eq!(kept.answer.message, said, "{message}");
    }
    // A guest's client brings what was asked.
    let mut context = None;
    for (message, said) in talk {
        let body = json!({"message": message, "context": context});
        let question = ChatRequest::read(body.as_object().unwrap()).unwrap();
        let answer = turn_of(&engine, None, question, nothing)
            .await
            .unwrap()
            .answer;
        assert_eq!(answer.message, said, "{message}");
        context = answer.context;
    }
    // Nothing else is taken for more of the same, and somebody in distress for nothing but that.
    for (message, begins) in [
        ("¿y mi pedido?", "Tienes 2 pedidos."),
        (
            "y me quiero morir",
            "Siento mucho que estés pasando por esto.",
        ),
    ] {
        let shop = "¿hacéis envíos a Canarias?";
        turn(&engine, Some(ana()), shop, nothing).await.unwrap();
        let other = turn(&engine, Some(ana()), message, nothing).await.unwrap();
        let said = other.answer.message;
        assert!(said.starts_with(begins), "{message}: {said}");
    }
    // What was asked before that is not gone on with.
    turn(&engine, Some(ana()), "gracias", nothing)
        .await
        .unwrap();
    let later = turn(&engine, Some(ana()), "¿y a Mallorca?", nothing)
        .await
        .unwrap();
    assert_ne!(later.answer.message, shipping);
}

/// The shop tells its part word for word, and the model the rest.
#[tokio::test(start_paused = true)]
async fn a_model_answers_what_is_left() {
    let mut engine = engine(vec![replies("Tengo {1}.")]);
    engine.shop = Arc::new(telling());
    let message = "¿tenéis Rayuela? ¿y hacéis envíos a Canarias?";
    let turn = turn(&engine, Some(ana()), message, nothing).await.unwrap();
    let said = turn.answer.message;
    assert!(said.starts_with("Enviamos en dos días."), "{said}");
    assert!(said.contains("«Rayuela», de Julio Cortázar"), "{said}");
    let sources = turn.answer.citations.iter().map(|source| &source.name);
    assert_eq!(sources.collect::<Vec<_>>(), ["Envíos"]);
    let kept = kept(&*engine.log).await;
    let told = kept.iter().flat_map(|commit| &commit.events);
    let told = told.filter_map(Stored::known).any(|event| {
        matches!(event, Event::ToolUseCompleted { lines, results, .. }
            if lines == &["Enviamos en dos días."] && !results.is_empty())
    });
    assert!(told);
}

#[tokio::test(start_paused = true)]
async fn the_shop_says_what_it_is_asked_of_itself() {
    let turn = alone(None, "¿qué vendéis?").await;
    assert!(
        turn.answer.message.ends_with("Aquí vendemos libros."),
        "{}",
        turn.answer.message
    );
    assert!(turn.answer.results.is_empty());
}

#[tokio::test(start_paused = true)]
async fn what_the_shop_does_not_say_of_itself_is_not_known() {
    for message in ["¿hacéis envíos a Canarias?", "¿aceptáis devoluciones?"] {
        let turn = alone(None, message).await;
        assert!(
            turn.answer.message.starts_with("Eso no lo sé."),
            "{message}: {}",
            turn.answer.message
        );
    }
}

/// Nobody's despair is answered with books, and no model is asked.
#[tokio::test(start_paused = true)]
async fn distress_is_answered_by_the_shops_own_words() {
    let engine = engine(Vec::new());
    let turn = turn(&engine, None, "no puedo más, me quiero morir", nothing)
        .await
        .unwrap();
    assert!(
        turn.answer.message.starts_with("Siento mucho"),
        "{}",
        turn.answer.message
    );
    assert!(turn.answer.results.is_empty());
}

/// What may be distress is no search: it is answered for that, and for what else it may be.
#[tokio::test(start_paused = true)]
async fn what_may_be_distress_is_not_overlooked() {
    for (message, said) in [
        ("todo se acabó", "Siento mucho que estés pasando por esto."),
        ("choro todos os dias", "No sé si te he entendido bien."),
        (
            "nothing matters anymore",
            "Siento mucho que estés pasando por esto.",
        ),
        (
            "n aguento mais qeru morre",
            "Siento mucho que estés pasando por esto.",
        ),
        (
            "tomei uma caixa inteira d comprimidos pra acabar c isto",
            "Siento mucho que estés pasando por esto.",
        ),
    ] {
        let engine = engine(vec![replies("Toma un libro.")]);
        let turn = turn(&engine, Some(ana()), message, nothing).await.unwrap();
        let answer = turn.answer;
        assert!(
            answer.message.starts_with(said),
            "{message}: {}",
            answer.message
        );
        assert_eq!(answer.results, []);
    }
}
