//! Changes by words: asked about, and done once the customer has said yes.

use serde_json::json;

use super::{
    nothing,
    shop::{Turn, ana, engine, kept, question, turn, turn_of},
    whole,
};
use crate::{
    answer::Action,
    ids::Owner,
    log::Event,
    turn::{ChatRequest, TurnEngine, TurnFailure, What},
};

pub(super) async fn say(engine: &TurnEngine, message: &str) -> Turn {
    turn(engine, Some(ana()), message, nothing).await.unwrap()
}

/// How many copies of each item are in Ana's cart.
pub(super) async fn cart(engine: &TurnEngine) -> Vec<(u64, u32)> {
    let purchases = &engine.approvals.counter.purchases;
    let account = purchases.account(&ana()).await.unwrap();
    let lines = account.cart.iter();
    lines.map(|line| (line.libro_id, line.cantidad)).collect()
}

/// Says one message after the other, each answered so.
pub(super) async fn talk(engine: &TurnEngine, messages: &[(&str, &str)]) {
    for (message, begins) in messages {
        let turn = say(engine, message).await;
        let answer = &turn.answer.message;
        assert!(answer.starts_with(begins), "{message}: {answer}");
        let asks = turn.answer.actions.iter();
        let asks = asks.filter(|action| matches!(action, Action::Approval(_)));
        assert!(asks.count() <= 1, "{message}");
    }
}

const CART: [(u64, u32); 2] = [(1, 2), (3, 1)];

#[tokio::test(start_paused = true)]
async fn nothing_is_changed_before_a_yes_and_once_after_it() {
    let engine = engine(vec![]);
    talk(
        &engine,
        &[(
            "pon Rayuela en el carrito",
            "Ya llevas 2 de «Rayuela». ¿Pongo 1 más en tu carrito, a 18,95 € la unidad?",
        )],
    )
    .await;
    assert_eq!(cart(&engine).await, CART);
    talk(
        &engine,
        &[("sí", "Hecho: ya llevas 3 de «Rayuela» en el carrito.")],
    )
    .await;
    assert_eq!(cart(&engine).await, [(1, 3), (3, 1)]);
    talk(&engine, &[("sí", "Ahora mismo no hay nada pendiente")]).await;
    assert_eq!(cart(&engine).await, [(1, 3), (3, 1)]);
}

/// What was decided is in the log once, is told as the turn's message, and is told again so.
#[tokio::test(start_paused = true)]
async fn what_came_of_a_yes_is_told_as_its_answer() {
    let engine = engine(vec![]);
    let proposed = say(&engine, "reserva Rayuela").await;
    let decided = say(&engine, "sí, por favor").await;
    let told = |turn: &Turn| {
        let mut events = turn.events.iter();
        let resolved = events.find(|event| matches!(event.what, What::ApprovalResolved { .. }));
        resolved.map(|event| (event.event_index, event.sequence_number, event.what.clone()))
    };
    assert_eq!(told(&proposed), None, "{}", decided.answer.message);
    let asks = &proposed.answer.message;
    assert!(asks.starts_with("¿Te reservo"), "{asks}");
    let (_, _, what) = told(&decided).unwrap();
    let What::ApprovalResolved {
        approved, content, ..
    } = &what
    else {
        panic!("{what:?}")
    };
    assert!(*approved && *content == decided.answer.message);
    whole(&engine, &decided).await;

    let commits = kept(&*engine.log).await;
    assert_eq!(commits.len(), 3);
    assert_eq!(commits[2].state.message_count, 4);
    // Who comes back to the turn that asked is told what came of it.
    let asked = engine.kept_turn(&ana(), proposed.turn_id).await.unwrap();
    let again = engine.events_after(&asked, None, Default::default()).await;
    let again = again.unwrap();
    assert!(again.iter().any(|event| event.what == what), "{again:?}");
}

#[tokio::test(start_paused = true)]
async fn a_no_leaves_it_and_says_so() {
    let engine = engine(vec![]);
    talk(
        &engine,
        &[
            ("vacía el carrito", "¿Vacío tu carrito entero?"),
            ("no", "De acuerdo, lo dejo."),
            ("sí", "Ahora mismo no hay nada pendiente"),
        ],
    )
    .await;
    assert_eq!(cart(&engine).await, CART);
}

#[tokio::test(start_paused = true)]
async fn another_number_is_asked_about_anew() {
    let engine = engine(vec![]);
    talk(
        &engine,
        &[
            (
                "añade Rayuela al carrito",
                "Ya llevas 2 de «Rayuela». ¿Pongo 1 más",
            ),
            ("no, dos", "Ya llevas 2 de «Rayuela». ¿Pongo 2 más"),
            ("sí", "Hecho: ya llevas 4 de «Rayuela» en el carrito."),
        ],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn what_comes_between_is_answered_and_it_is_asked_about_again() {
    let engine = engine(vec![]);
    talk(
        &engine,
        &[
            (
                "añade Rayuela al carrito",
                "Ya llevas 2 de «Rayuela». ¿Pongo 1 más",
            ),
            ("¿qué llevo en el carrito?", "En tu carrito hay"),
            ("sí", "Ya llevas 2 de «Rayuela». ¿Pongo 1 más"),
            // The shop's answer asks nothing, so a yes is to nothing else.
            ("¿hacéis envíos?", "Eso no lo sé."),
        ],
    )
    .await;
    assert_eq!(cart(&engine).await, CART);
    talk(&engine, &[("sí", "Hecho: ya llevas 3 de «Rayuela»")]).await;
    assert_eq!(cart(&engine).await, [(1, 3), (3, 1)]);
}

#[tokio::test(start_paused = true)]
async fn what_a_change_is_of_is_asked_where_there_are_several() {
    let engine = engine(vec![]);
    talk(
        &engine,
        &[
            ("quita algo del carrito", "¿Qué quito de tu carrito?"),
            ("el segundo", "¿Quito «Pedro Páramo» de tu carrito?"),
            ("sí", "Hecho: lo quité del carrito."),
            (
                "quita Rayuela del carrito",
                "¿Quito «Rayuela» de tu carrito?",
            ),
            (
                "no, mejor uno",
                "¿Quito 1 de «Rayuela» de tu carrito? Te queda 1.",
            ),
        ],
    )
    .await;
    assert_eq!(cart(&engine).await, [(1, 2)]);
}

#[tokio::test(start_paused = true)]
async fn an_order_is_placed_cancelled_and_sent_back_by_words() {
    let engine = engine(vec![]);
    talk(
        &engine,
        &[
            (
                "quiero hacer el pedido",
                "¿Hago el pedido? Son 3 ejemplares, 47,40 € en total:\n- «Rayuela»: 2 × 18,95 €",
            ),
            ("sí", "¡Listo! Tu pedido 3 está hecho: 47,40 € en total."),
            ("cancela mi pedido", "¿Qué pedido cancelo?"),
            ("el 3", "¿Cancelo tu pedido 3, de 47,40 €?"),
            ("sí", "Cancelé tu pedido 3."),
            (
                "devuelve el pedido 1",
                "¿Pido la devolución de tu pedido 1,",
            ),
            ("sí", "Pedí la devolución de tu pedido 1."),
            ("tramita mi pedido, quiero pagar", "Tu carrito está vacío"),
        ],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_reservation_is_given_up_by_words() {
    let engine = engine(vec![]);
    talk(
        &engine,
        &[
            (
                "cancela mi reserva",
                "¿Cancelo tu reserva de «Pedro Páramo»?",
            ),
            ("sí", "Cancelé tu reserva de «Pedro Páramo»."),
            ("anula la reserva", "No tienes reservas activas."),
        ],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn what_is_sold_out_is_not_proposed() {
    let engine = engine(vec![]);
    talk(
        &engine,
        &[
            ("añade Ficciones al carrito", "«Ficciones» está agotado."),
            ("sí", "Ahora mismo no hay nada pendiente"),
        ],
    )
    .await;
}

/// What a guest wants is proposed once they have signed in.
#[tokio::test(start_paused = true)]
async fn a_guests_wish_waits_until_they_have_signed_in() {
    let engine = engine(vec![]);
    let guest = turn(&engine, None, "añade dos de Rayuela al carrito", nothing).await;
    let answer = guest.unwrap().answer;
    assert!(
        answer
            .message
            .starts_with("Para seguir con «Rayuela», primero inicia sesión."),
        "{}",
        answer.message
    );
    assert!(answer.actions.contains(&Action::SignIn));
    let said = json!({"message": "sí", "context": answer.context.unwrap()});
    let said = ChatRequest::read(said.as_object().unwrap()).unwrap();
    let proposed = turn_of(&engine, Some(ana()), said, nothing).await.unwrap();
    assert!(
        proposed
            .answer
            .message
            .starts_with("Ya llevas 2 de «Rayuela». ¿Pongo 2 más"),
        "{}",
        proposed.answer.message
    );
}

/// A proposal that is not found again is not made.
#[tokio::test(start_paused = true)]
async fn nothing_is_proposed_where_nothing_is_kept() {
    let engine = engine(vec![]);
    let unkept = ChatRequest {
        save_history: false,
        ..question("añade Rayuela al carrito")
    };
    let answer = turn_of(&engine, Some(ana()), unkept, nothing)
        .await
        .unwrap()
        .answer;
    assert!(
        answer.message.starts_with("Eso todavía no puedo"),
        "{}",
        answer.message
    );
    let is_approval = |action: &Action| matches!(action, Action::Approval(_));
    assert!(!answer.actions.iter().any(is_approval));
}

/// Two say yes at once: one of them decides.
#[tokio::test(start_paused = true)]
async fn a_yes_that_comes_twice_is_made_once() {
    let engine = engine(vec![]);
    say(&engine, "añade Rayuela al carrito").await;
    let mut caller = super::caller(Some(ana()));
    let prepared = engine.prepare(&mut caller, question("sí")).await.unwrap();
    let other = engine.prepare(&mut caller, question("sí")).await.unwrap();
    let begun = engine.begin(&caller, prepared).await.unwrap();
    let late = engine.begin(&caller, other).await;
    assert!(matches!(late, Err(TurnFailure::Busy { .. })));
    engine.finish(&caller, begun, &|_| {}).await;
    assert_eq!(cart(&engine).await, [(1, 3), (3, 1)]);
    talk(&engine, &[("sí", "Ahora mismo no hay nada pendiente")]).await;
    assert_eq!(cart(&engine).await, [(1, 3), (3, 1)]);
}

/// The turn dies between its effect and its answer: what was done is not asked about again, and not done again.
#[tokio::test(start_paused = true)]
async fn what_was_done_and_never_told_is_told() {
    let engine = engine(vec![]);
    say(&engine, "añade Rayuela al carrito").await;
    let mut caller = super::caller(Some(ana()));
    let prepared = engine.prepare(&mut caller, question("sí")).await.unwrap();
    let mut begun = engine.begin(&caller, prepared).await.unwrap();
    engine.settle(&caller, begun.prepared()).await;
    assert_eq!(cart(&engine).await, [(1, 3), (3, 1)]);
    tokio::time::sleep(std::time::Duration::from_secs(60)).await;
    talk(
        &engine,
        &[("sí", "Hecho: ya llevas 3 de «Rayuela» en el carrito.")],
    )
    .await;
    assert_eq!(cart(&engine).await, [(1, 3), (3, 1)]);
    let commits = kept(&*engine.log).await;
    let events = commits.iter().flat_map(|commit| &commit.events);
    let resolved =
        events.filter(|event| matches!(event.known(), Some(Event::ApprovalResolved { .. })));
    assert_eq!(resolved.count(), 1);
}

/// Somebody else's word came between the question and the yes: it is asked once more.
#[tokio::test(start_paused = true)]
async fn a_yes_is_one_to_what_is_right_before_it() {
    let engine = engine(vec![]);
    say(&engine, "añade Rayuela al carrito").await;
    let mut caller = super::caller(Some(ana()));
    let prepared = engine.prepare(&mut caller, question("sí")).await.unwrap();
    say(&engine, "pon dos de Rayuela en el carrito").await;
    let begun = engine.begin(&caller, prepared).await.unwrap();
    let (answer, _) = engine.finish(&caller, begun, &|_| {}).await;
    assert!(
        answer
            .message
            .starts_with("Ya llevas 2 de «Rayuela». ¿Pongo 1 más"),
        "{}",
        answer.message
    );
    assert_eq!(cart(&engine).await, CART);
}

#[tokio::test(start_paused = true)]
async fn nobody_else_says_yes_to_it() {
    let engine = engine(vec![]);
    say(&engine, "añade Rayuela al carrito").await;
    let other = Owner::new("default", "bea").unwrap();
    let answer = turn(&engine, Some(other), "sí", nothing)
        .await
        .unwrap()
        .answer;
    assert!(
        answer
            .message
            .starts_with("Ahora mismo no hay nada pendiente")
    );
    assert_eq!(cart(&engine).await, CART);
}

/// What may be a yes is none, and what comes after a no does not come back.
#[tokio::test(start_paused = true)]
async fn only_a_plain_yes_is_one() {
    for message in [
        "sí, cancela",
        "¿seguro?",
        "sí, mañana",
        "meh",
        "vale, luego",
        "claro, si llega mañana",
        "vale, ¿y si luego lo quiero devolver?",
        "ok, pero ¿hacéis envíos a Canarias?",
        "yes, but can I return it later?",
        "sí, ¿y a qué hora cerráis?",
        "sí. ¿aceptáis tarjeta?",
    ] {
        let engine = engine(vec![]);
        say(&engine, "quiero hacer el pedido").await;
        say(&engine, message).await;
        assert_eq!(cart(&engine).await, CART, "{message}");
    }
    let engine = engine(vec![]);
    talk(
        &engine,
        &[
            (
                "añade Rayuela al carrito",
                "Ya llevas 2 de «Rayuela». ¿Pongo 1 más",
            ),
            ("no, Pedro Páramo", "De «Pedro Páramo» solo queda 1"),
            ("sí, gracias", ""),
        ],
    )
    .await;
    assert_eq!(cart(&engine).await[0], (1, 2));
}

#[tokio::test(start_paused = true)]
async fn a_no_in_more_words_is_a_no() {
    let engine = engine(vec![]);
    talk(
        &engine,
        &[
            (
                "añade Rayuela al carrito",
                "Ya llevas 2 de «Rayuela». ¿Pongo 1 más",
            ),
            ("no, ponme 2", "Ya llevas 2 de «Rayuela». ¿Pongo 2 más"),
            ("no, ese no", "De acuerdo, lo dejo."),
            ("sí", "Ahora mismo no hay nada pendiente"),
        ],
    )
    .await;
    assert_eq!(cart(&engine).await, CART);
}

#[tokio::test(start_paused = true)]
async fn so_many_there_are_to_be() {
    let engine = engine(vec![]);
    talk(
        &engine,
        &[
            (
                "quita uno de Rayuela del carrito",
                "¿Quito 1 de «Rayuela» de tu carrito? Te queda 1.",
            ),
            ("sí", "Hecho: te queda 1 en el carrito."),
            ("deja solo uno de Rayuela en el carrito", "«Rayuela»: 1 ×"),
            ("no añadas Rayuela al carrito", "Encontré"),
            ("sí", "Encontré"),
            (
                "pon Rayuela en el carrito",
                "Ya llevas 1 de «Rayuela». ¿Pongo 1 más",
            ),
            ("sí", "Hecho: ya llevas 2 de «Rayuela» en el carrito."),
            ("que sean tres", "¿Dejo en tu carrito 3 de «Rayuela»"),
            ("sí", "Hecho: en tu carrito hay 3 de «Rayuela»."),
            ("cancela el pedido 1", "¿Pido la devolución de tu pedido 1"),
            ("no, cancela el pedido 77", "No encuentro ese pedido."),
        ],
    )
    .await;
    assert_eq!(cart(&engine).await, [(1, 3), (3, 1)]);
}

/// Several were shown, and the next message says which.
#[tokio::test(start_paused = true)]
async fn what_is_wanted_stays_in_mind_until_it_is_said_which() {
    let engine = engine(vec![]);
    say(&engine, "novela").await;
    talk(
        &engine,
        &[
            (
                "ponme dos en el carrito",
                "Ya llevas 2 de «Rayuela». ¿Pongo 2 más",
            ),
            ("no, el segundo", "«Ficciones» está agotado."),
            ("sí", "Ahora mismo no hay nada pendiente"),
        ],
    )
    .await;
}

/// An order is not cancelled by who says that it is not to be.
#[tokio::test(start_paused = true)]
async fn what_is_forbidden_is_not_asked_about() {
    for message in ["no canceles mi pedido", "no vacíes el carrito"] {
        let engine = engine(vec![]);
        let answer = say(&engine, message).await.answer;
        let is_approval = |action: &Action| matches!(action, Action::Approval(_));
        assert!(
            !answer.actions.iter().any(is_approval),
            "{message}: {}",
            answer.message
        );
    }
}

/// "Shall I show others like it?" is asked of one item alone, and so a yes is an answer.
#[tokio::test(start_paused = true)]
async fn a_yes_to_what_the_shop_offers_is_taken_up() {
    let engine = engine(vec![]);
    say(&engine, "libro 1").await;
    let answer = say(&engine, "sí").await.answer;
    let shown = answer.results.iter().map(|item| item.libro_id);
    assert_eq!(shown.collect::<Vec<_>>(), [2, 3], "{}", answer.message);
}

#[tokio::test(start_paused = true)]
async fn what_was_listed_last_is_what_is_cancelled() {
    let engine = engine(vec![]);
    talk(
        &engine,
        &[
            ("quiero ver mis pedidos", "Tienes 2 pedidos."),
            ("cancela eso", "¿Cancelo tu pedido 2"),
        ],
    )
    .await;
}
