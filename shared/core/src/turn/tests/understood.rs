//! What is asked at a counter and is no search: answered at once, with a model or without.

use super::{
    Does, nothing, replies,
    shop::{Turn, ana, engine, turn},
};
use crate::{answer::Action, ids::Owner, model::ModelError};

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
            "Eso todavía no puedo hacerlo desde el chat.",
        ),
        ("¿quién ganó el partido de ayer?", "De eso no sé;"),
        (
            "¿qué puedes hacer por mí?",
            "Esto es lo que puedo hacer por ti:",
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
            "Tu carrito tiene 2 títulos; total 47,40 €.",
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
        message.starts_with("Tu carrito tiene 2 títulos; total 47,40 €."),
        "{message}"
    );
    assert!(
        !message.contains("12,00") && message.ends_with("¿Busco algo más?"),
        "{message}"
    );
}

#[tokio::test(start_paused = true)]
async fn the_shop_says_what_it_is_asked_of_itself() {
    let turn = alone(None, "¿a qué hora abrís los sábados?").await;
    assert!(
        turn.answer.message.starts_with("Aquí vendemos libros."),
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
