//! Several wishes in a message, and what is left out of one: nothing is lost, and nothing is done that was not meant.

use serde_json::json;

use crate::{
    harness::{local_only, shop},
    several::talk,
};

/// Titles stand in a sentence as they are, with what is in them, and are compared; those that came first of two lists are two.
#[test]
fn titles_in_a_sentence_are_shown_and_compared() {
    local_only("a shop that speaks Portuguese");
    talk(
        &shop().guest(),
        &[
            (
                "I'm comparing two novels, I, Claudius and Memoirs of Hadrian. Do you stock both?",
                "Here they are:\n- “Yo, Claudio” by Robert Graves",
            ),
            (
                "which is cheaper, Pride and Prejudice or Sense and Sensibility?",
                "Here they are:\n- “Orgullo y prejuicio” by Jane Austen: €10.95",
            ),
        ],
    );
    let customer = shop().customer("two-lists");
    talk(
        &customer,
        &[
            (
                "procuro aquele livro infantil da lagarta que come muita fruta",
                "",
            ),
            ("e aquele do menino que não quer crescer", ""),
            (
                "qual dos dois é mais barato e quanto custa?",
                "“La pequeña oruga glotona”",
            ),
            (
                "adiciona o outro",
                "Coloco no carrinho 1 exemplar de “Peter Pan”",
            ),
        ],
    );
}

/// A number that is part of a title counts no copies; and a yes may have another wish behind it.
#[test]
fn what_is_agreed_to_is_done_before_what_else_is_wanted() {
    local_only("a shop that speaks Portuguese");
    let customer = shop().customer("one-by-one");
    talk(
        &customer,
        &[(
            "adiciona o dos vinte poemas de amor",
            "Coloco no carrinho 1 exemplar de “Veinte poemas",
        )],
    );
    let answer = customer
        .chat("na verdade dois, e adiciona o Ficções")
        .is(200);
    // What is left is asked for once.
    let lines = [
        "Coloco no carrinho 2 exemplares de “Veinte poemas de amor y una canción desesperada”, por 12,50 € cada um?",
        "- Primeiro isto; diga-me o resto a seguir e eu trato.",
    ];
    assert_eq!(answer["message"], lines.join("\n"));
    talk(
        &customer,
        &[(
            "sure, and Mort as well",
            "Done: you now have 2 of “Veinte poemas de amor y una canción desesperada” in your cart.\n- First things first",
        )],
    );
    assert_eq!(customer.cart(), [(155, 2)]);
}

/// What is left out stays, what is named and is not there is not something else, and what is counted by its place has as many.
#[test]
fn what_is_not_meant_is_not_taken_instead() {
    local_only("the demo shop's own parking");
    let customer = shop().customer("left-out");
    talk(
        &customer,
        &[
            (
                "quiero Rayuela y Ficciones, 2 de la primera y 1 de la segunda",
                "¿Pongo todo esto en tu carrito?\n- «Rayuela»: 2 × 21,90 €",
            ),
            ("sí", "Hecho"),
            ("quita El Aleph", "¿Qué quito de tu carrito?"),
            // A title may have in it what joins two.
            (
                "quero o Don Juan Tenorio e o Romeu e Julieta, 3 do primeiro e 1 do segundo",
                "Coloco tudo isto no carrinho?\n- “Don Juan Tenorio”: 3 × 7,50 €\n- “Romeo y Julieta”: 1 × 7,95 €",
            ),
            (
                "quiero dos ejemplares de Guerra y paz y uno de Rayuela",
                "¿Pongo todo esto en tu carrito?\n- «Guerra y paz»: 2 × 32,95 €\n- «Rayuela»: 1 × 21,90 €",
            ),
            ("não, obrigado", "Está bem"),
            (
                "quítalo todo menos Ficciones",
                "¿Quito «Rayuela» de tu carrito?",
            ),
            ("sí", "Hecho"),
        ],
    );
    assert_eq!(customer.cart(), [(131, 1)]);
    talk(
        &customer,
        &[
            ("quiero hacer el pedido", "¿Hago el pedido?"),
            ("¿tenéis aparcamiento?", ""),
            ("sí", "¡Listo!"),
            ("cancela mi pedido", "¿Cancelo tu pedido"),
            ("no, no lo canceles, déjalo", "De acuerdo"),
            ("please cancel my order", "Shall I cancel your order"),
            ("no, dont cancel, leave it", "OK"),
            ("cancela mi pedido", "¿Cancelo tu pedido"),
            ("no, do not cancel it, leave it", "OK"),
        ],
    );
}

/// So many more are said to be more, one of two is asked for, a number that is corrected is so many in all, and what is not there is not
/// taken for what is.
#[test]
fn what_there_is_already_is_said_and_nothing_else_is_taken_for_it() {
    let customer = shop().customer("already");
    talk(
        &customer,
        &[
            ("añade Rayuela, 2 ejemplares", "¿Pongo en tu carrito 2"),
            ("sí", "Hecho"),
            (
                "ponme otro ejemplar de Rayuela",
                "Ya llevas 2 de «Rayuela». ¿Pongo 1 más en tu carrito, a 21,90 € la unidad?",
            ),
            ("no", "De acuerdo"),
            (
                "perdona, quería decir 1",
                "¿Dejo en tu carrito 1 de «Rayuela»",
            ),
            ("sí", "Hecho"),
            ("mejor 2 de Rayuela", "¿Dejo en tu carrito 2 de «Rayuela»"),
            ("sí", "Hecho"),
            (
                "quita El código Da Vinci",
                "¿Qué quito de tu carrito?\n- «Rayuela»: 2 × 21,90 €",
            ),
            ("Rayuela", "¿Quito «Rayuela» de tu carrito?"),
            ("no", "De acuerdo"),
        ],
    );
    assert_eq!(customer.cart(), [(5, 2)]);
    let other = shop().customer("already-held");
    talk(
        &other,
        &[
            (
                "reserva Ficciones y Rayuela",
                "¿Te reservo 1 ejemplar de «Ficciones», a 9,95 €?\n- Primero esto; lo demás dímelo después y lo hago.",
            ),
            ("sí", "Reservado"),
            (
                "reserva Ficciones",
                "Ya tienes 1 de «Ficciones» en reserva. ¿Te reservo 1 más, a 9,95 € la unidad?",
            ),
            ("no", "De acuerdo"),
            // One of them, and not both.
            (
                "reserva Drácula o Frankenstein",
                "¿Cuál de estos quieres?\n- «Drácula»",
            ),
            (
                "añade Drácula o Frankenstein",
                "¿Cuál de estos quieres?\n- «Drácula»",
            ),
            (
                "Frankenstein",
                "¿Pongo en tu carrito 1 ejemplar de «Frankenstein»",
            ),
            ("no", "De acuerdo"),
            ("añade Ficciones", "¿Pongo en tu carrito 1 ejemplar"),
            ("sí", "Hecho"),
        ],
    );
    let asked = other.chat("¿tengo que pagar ahora?").is(200);
    assert_eq!(asked["actions"], json!([]), "{asked:?}");
}

/// What is an "or" in Spanish is an article in Portuguese.
#[test]
fn an_article_leaves_no_choice() {
    local_only("a shop that speaks Portuguese");
    talk(
        &shop().customer("article"),
        &[(
            "reserva o Drácula e o Frankenstein",
            "Reservo 1 exemplar de “Drácula”",
        )],
    );
}

/// What the shop has nothing of is not answered with what is nearest, nor in the order of prices; a rare subject is.
#[test]
fn what_there_is_nothing_of_is_not_replaced() {
    local_only("the demo shop's own profile");
    let guest = shop().guest();
    for (message, begins) in [
        ("lavadora de 9 kilos", "No encontré"),
        ("taladro percutor inalámbrico de 18 voltios", "No encontré"),
        ("vuelos baratos de Madrid a Roma", "No encontré"),
        ("¿qué tiempo va a hacer mañana en Sevilla?", "De eso no sé"),
        (
            "caza de ballenas",
            "Los 3 que mejor encajan:\n- «Moby Dick»",
        ),
    ] {
        talk(&guest, &[(message, begins)]);
    }
}

/// Who thanks wants no more, and what is ordered before it is in the cart goes there first.
#[test]
fn thanks_want_no_more_and_it_is_what_was_shown() {
    let customer = shop().customer("orders-it");
    talk(
        &customer,
        &[
            ("¿cuánto cuesta Rayuela?", "«Rayuela»"),
            ("vale, gracias", "¡De nada!"),
            ("do you have Matilda?", "I found 1 "),
            ("order it", "Shall I add 1 copy of “Matilda” to your cart"),
            ("yes", "Done"),
            ("order it", "Shall I place the order?"),
        ],
    );
    assert_eq!(customer.cart(), [(353, 1)]);
}

/// "The first one" behind a name is of what has that name, and not of what was shown.
#[test]
fn a_place_behind_a_name_is_of_what_is_named() {
    let customer = shop().customer("names-another");
    talk(
        &customer,
        &[
            ("¿tenéis Rayuela?", "Encontré 1 "),
            ("añádelo", "¿Pongo en tu carrito 1 ejemplar de «Rayuela»"),
            ("sí", "Hecho"),
            (
                "y tb harry potter el primero",
                "¿Cuál de estos quieres?\n- «Harry Potter y el prisionero",
            ),
            (
                "el segundo de harry potter, añádelo",
                "¿Pongo en tu carrito 1 ejemplar de «Harry Potter y la piedra",
            ),
        ],
    );
    assert_eq!(customer.cart().len(), 1);
}
