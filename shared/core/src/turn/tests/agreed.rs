//! A yes that says what it is to, and a number of what there were too few of.

use super::{changes::talk, shop::engine};

/// Who says again what is to be done, beside a yes, has said yes, also where a question came between.
#[tokio::test(start_paused = true)]
async fn a_yes_may_say_what_it_is_to() {
    let engine = engine(vec![]);
    talk(
        &engine,
        &[
            (
                "pon Rayuela en el carrito",
                "Ya llevas 2 de «Rayuela». ¿Pongo 1 más",
            ),
            ("¿qué tengo reservado?", "Tienes 1 reserva activa."),
            ("vale, sí, añádelo", "Hecho: ya llevas 3 de «Rayuela»"),
        ],
    )
    .await;
}

/// A yes to all of it is one, and a yes to something else is none.
#[tokio::test(start_paused = true)]
async fn a_yes_to_all_of_it_is_a_yes_and_one_to_something_else_is_none() {
    let engine = engine(vec![]);
    talk(
        &engine,
        &[
            ("resérvame Rayuela", "¿Te reservo 1 ejemplar de «Rayuela»"),
            ("sí, vacía el carrito", "¿Vacío tu carrito"),
            ("sí, todo", "Tu carrito está vacío."),
        ],
    )
    .await;
}

/// Of what there are not so many of, fewer are taken.
#[tokio::test(start_paused = true)]
async fn a_number_goes_on_with_what_there_were_too_few_of() {
    let engine = engine(vec![]);
    talk(
        &engine,
        &[
            ("resérvame cinco de Rayuela", "Puedes tener reservados"),
            ("pues tres", "¿Te reservo 3 ejemplares de «Rayuela»"),
            ("no", "De acuerdo"),
        ],
    )
    .await;
}

/// "Mejor dos", "make it two": so many in all, of what was last.
#[tokio::test(start_paused = true)]
async fn a_number_after_the_yes_is_how_many_there_are_to_be() {
    let engine = engine(vec![]);
    talk(
        &engine,
        &[
            ("libro 1", "Aquí lo tienes:"),
            (
                "ponlo en el carrito",
                "Ya llevas 2 de «Rayuela». ¿Pongo 1 más",
            ),
            ("sí", "Hecho: ya llevas 3 de «Rayuela» en el carrito."),
            ("mejor dos", "¿Dejo en tu carrito 2 de «Rayuela»"),
            ("sí", "Hecho: en tu carrito hay 2 de «Rayuela»."),
        ],
    )
    .await;
}

/// What finds nothing names nothing: it is said of what was shown.
#[tokio::test(start_paused = true)]
async fn what_is_to_be_done_with_that_is_done_with_what_was_shown() {
    let engine = engine(vec![]);
    talk(
        &engine,
        &[
            ("libro 1", "Aquí lo tienes:"),
            ("apártame ese luego", "¿Te reservo 1 ejemplar de «Rayuela»"),
        ],
    )
    .await;
}

/// Words that hold a sentence together name nothing.
#[tokio::test(start_paused = true)]
async fn one_for_me_is_one_of_what_was_shown() {
    let engine = engine(vec![]);
    talk(
        &engine,
        &[
            ("livro 1", "Aquí lo tienes:"),
            ("reserve um para mim", "¿Te reservo 1 ejemplar de «Rayuela»"),
        ],
    )
    .await;
}

/// "No, el otro", "the one by …": of what was shown, and not what was asked about.
#[tokio::test(start_paused = true)]
async fn the_other_one_is_asked_about_instead() {
    let engine = engine(vec![]);
    talk(
        &engine,
        &[
            ("libros de Rulfo o de Cortázar", ""),
            (
                "resérvame el de Rulfo",
                "Ya tienes 1 de «Pedro Páramo» en reserva. ¿Te reservo 1 más",
            ),
            ("no, el otro", "¿Te reservo 1 ejemplar de «Rayuela»"),
            ("¿hacéis envíos?", ""),
            ("entonces sí", "Reservado: te guardo «Rayuela»"),
        ],
    )
    .await;
}

/// What is to be called off is of what was listed last only where it says nothing of what.
#[tokio::test(start_paused = true)]
async fn what_is_called_off_is_what_is_named() {
    let engine = engine(vec![]);
    talk(
        &engine,
        &[
            ("¿dónde está mi pedido?", ""),
            ("cancela mi reserva", "¿Cancelo tu reserva"),
            ("no", ""),
            ("¿qué tengo reservado?", "Tienes 1 reserva activa."),
            ("cancélala, por favor", "¿Cancelo tu reserva"),
        ],
    )
    .await;
}
