//! Dialogue where a model answers: what it names counts, what it proposes is asked, and where it does neither the shop asks.

use serde_json::json;

use super::{
    Does, calls,
    changes::{cart, say, talk},
    replies,
    shop::engine,
};

/// "El segundo" is the second that the answer names, whatever the search had second.
#[tokio::test(start_paused = true)]
async fn the_second_one_is_the_second_that_the_model_names() {
    let engine = engine(vec![replies("- {3}: {3.precio}.\n- {1}: {1.precio}.")]);
    let turn = say(&engine, "busco una novela").await;
    let shown: Vec<u64> = turn
        .answer
        .results
        .iter()
        .map(|item| item.libro_id)
        .collect();
    assert_eq!(shown, [3, 1, 2], "{}", turn.answer.message);
    talk(
        &engine,
        &[
            ("ponme el segundo", "Ya llevas 2 de «Rayuela». ¿Pongo 1 más"),
            ("no", ""),
        ],
    )
    .await;
}

/// A turn with a model is two commits, and one turn.
#[tokio::test(start_paused = true)]
async fn one_question_may_come_before_the_yes() {
    let engine = engine(vec![replies("")]);
    talk(
        &engine,
        &[
            (
                "añade Rayuela al carrito",
                "Ya llevas 2 de «Rayuela». ¿Pongo 1 más",
            ),
            ("¿hacéis envíos?", "Eso no lo sé."),
            ("vale, entonces sí", "Hecho: ya llevas 3 de «Rayuela»"),
        ],
    )
    .await;
    assert_eq!(cart(&engine).await, [(1, 3), (3, 1)]);
}

#[tokio::test(start_paused = true)]
async fn a_model_that_knows_which_is_meant_proposes_it() {
    let which = "¿Qué quito de tu carrito?\n- «Rayuela»";
    let remove = || calls("remove_from_cart", json!({"item_id": 3}));
    for (does, begins, ends) in [
        (remove(), "¿Quito «Pedro Páramo» de tu carrito?", "?"),
        (replies(""), which, ""),
        (Does::Fails(crate::model::ModelError::Timeout), which, ""),
        (
            replies("Un momento, por favor."),
            "Un momento, por favor.\n- ¿Qué quito",
            "",
        ),
        (
            replies("¿Cuál prefieres?"),
            "¿Cuál prefieres?",
            "prefieres?",
        ),
    ] {
        let engine = engine(vec![does]);
        let turn = say(&engine, "quita el del llano").await;
        let said = &turn.answer.message;
        assert!(
            said.starts_with(begins) && said.ends_with(ends),
            "{begins}: {said}"
        );
    }
}
