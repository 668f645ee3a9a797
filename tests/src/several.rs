//! Several items in one change, and the language of a conversation.

use serde_json::json;

use crate::harness::{Caller, local_only, shop};

/// Says one message after the other, in no language that the caller asks for; each answer begins so.
#[track_caller]
pub(crate) fn talk(caller: &Caller<'_>, messages: &[(&str, &str)]) {
    for (message, begins) in messages {
        let answer = caller.chat(message).is(200);
        let said = answer["message"].as_str().unwrap_or_default();
        assert!(said.starts_with(begins), "{message}: {said}");
    }
}

#[test]
fn several_that_are_named_are_put_into_the_cart_at_once() {
    local_only("a shop that speaks Portuguese");
    for (name, messages, lines) in [
        (
            "several-es",
            [
                (
                    "ponme Rayuela y Ficciones",
                    "¿Pongo todo esto en tu carrito?\n- «Rayuela»: 1 × 21,90 €\n- «Ficciones»: 1 × 9,95 €",
                ),
                ("sí, los dos", "Hecho: todo está en tu carrito."),
            ],
            [(5, 1), (131, 1)],
        ),
        (
            "several-en",
            [
                (
                    "add 2 of 1984 and Brave New World",
                    "Shall I add all of these to your cart?\n- “1984”: 2 × €9.95",
                ),
                ("yes, both", "Done: all of them are in your cart."),
            ],
            [(201, 2), (202, 1)],
        ),
        (
            "several-pt",
            [
                (
                    "quero dois de Rayuela e um de Ficciones",
                    "Coloco tudo isto no carrinho?\n- “Rayuela”: 2 × 21,90 €",
                ),
                ("sim", "Pronto: está tudo no carrinho."),
            ],
            [(5, 2), (131, 1)],
        ),
    ] {
        let customer = shop().customer(name);
        talk(&customer, &messages[..1]);
        assert_eq!(customer.cart(), [], "{name}");
        talk(&customer, &messages[1..]);
        assert_eq!(customer.cart(), lines, "{name}");
    }
}

#[test]
fn several_of_what_was_shown_are_those_that_were_meant() {
    let customer = shop().customer("several-shown");
    talk(
        &customer,
        &[
            ("¿tenéis Rayuela?", "Encontré 1 libro"),
            ("¿tenéis Ficciones?", "Encontré 1 libro"),
            ("ponme los dos", "¿Pongo todo esto en tu carrito?"),
            ("no, solo el primero", "¿Pongo en tu carrito 1 ejemplar de"),
            ("no", "De acuerdo"),
            ("novelas de Isabel Allende", "Los 3 que mejor encajan"),
            // Which two of them is not clear, and no two copies of one are meant.
            ("me llevo los dos", "¿A cuáles te refieres?"),
        ],
    );
    assert_eq!(customer.cart(), []);
}

#[test]
fn those_of_a_makers_that_can_be_had_are_those_that_come_first() {
    local_only("what the demo's profile calls its kinds");
    let customer = shop().customer("several-sold-out");
    talk(
        &customer,
        &[
            ("novelas de Isabel Allende", "Los 3 que mejor encajan"),
            ("me llevo los dos", "¿A cuáles te refieres?"),
            (
                "el primero y el tercero",
                "¿Pongo todo esto en tu carrito?\n- «Paula»: 1 × 20,50 €",
            ),
            ("no", "De acuerdo"),
            ("novelas de Isabel Allende", "Los 3 que mejor encajan"),
            // What is sold out comes last, and nobody can have it.
            (
                "ponme el primero y el cuarto",
                "¿Pongo en tu carrito 1 ejemplar de",
            ),
        ],
    );
    assert_eq!(customer.cart(), []);
}

#[test]
fn what_was_shown_is_put_into_the_cart_beside_what_is_named() {
    local_only("a shop that speaks Portuguese");
    for (name, messages) in [
        (
            "shown-and-named-es",
            [
                ("¿tenéis Ficciones?", "Encontré 1 libro"),
                (
                    "ponme dos de ese y una de Rayuela",
                    "¿Pongo todo esto en tu carrito?\n- «Ficciones»: 2 × 9,95 €\n- «Rayuela»: 1 × 21,90 €",
                ),
                ("sí", "Hecho: todo está en tu carrito."),
            ],
        ),
        (
            "shown-and-named-en",
            [
                ("do you have Ficciones?", "I found 1 book"),
                (
                    "add two of that one and one Rayuela",
                    "Shall I add all of these to your cart?\n- “Ficciones”: 2 × €9.95\n- “Rayuela”: 1 × €21.90",
                ),
                ("yes", "Done: all of them are in your cart."),
            ],
        ),
        (
            "shown-and-named-pt",
            [
                ("vocês têm Ficciones?", "Encontrei 1 livro"),
                (
                    "põe dois desse e um Rayuela",
                    "Coloco tudo isto no carrinho?\n- “Ficciones”: 2 × 9,95 €\n- “Rayuela”: 1 × 21,90 €",
                ),
                ("sim", "Pronto: está tudo no carrinho."),
            ],
        ),
    ] {
        let customer = shop().customer(name);
        talk(&customer, &messages);
        assert_eq!(customer.cart(), [(131, 2), (5, 1)], "{name}");
    }
}

/// What says no name is of the one that was looked at, in whatever words.
#[test]
fn what_names_nothing_is_of_what_was_shown_alone() {
    local_only("a shop that speaks Portuguese");
    for (name, messages) in [
        (
            "alone-en",
            [
                ("do you have Aura?", "I found 1 book"),
                (
                    "put two of those aside for me",
                    "Shall I reserve 2 copies of “Aura”",
                ),
                ("no", ""),
                (
                    "reserve Ulysses for me",
                    "Shall I reserve 1 copy of “Ulises”",
                ),
            ],
        ),
        (
            "alone-pt",
            [
                ("vocês têm Ficciones?", "Encontrei 1 livro"),
                // "No" is no denial in Portuguese, and "um" no hesitation.
                (
                    "bota um no carrinho",
                    "Coloco no carrinho 1 exemplar de “Ficciones”",
                ),
                ("não", ""),
                ("separa dois pra mim", "Reservo 2 exemplares de “Ficciones”"),
            ],
        ),
    ] {
        talk(&shop().customer(name), &messages);
    }
}

#[test]
fn of_two_different_changes_the_first_is_asked_about() {
    let customer = shop().customer("several-changes");
    let items = json!([{"item_id": 5, "cantidad": 2}, {"item_id": 131}]);
    customer.act("add_to_cart", json!({"items": items})).is(200);
    talk(
        &customer,
        &[
            (
                "quítame una de Rayuela y haz el pedido",
                "¿Quito 1 de «Rayuela» de tu carrito? Te queda 1.\n- Primero esto",
            ),
            ("sí", "Hecho"),
            (
                "remove one Rayuela and place the order",
                "Shall I take “Rayuela” out of your cart?\n- First things first",
            ),
            ("no", ""),
        ],
    );
    assert_eq!(customer.cart(), [(5, 1), (131, 1)]);
}

#[test]
fn all_of_several_are_put_into_the_cart_or_none() {
    let customer = shop().customer("several-or-none");
    for (items, error) in [
        (
            json!([{"item_id": 5}, {"item_id": 99_999}]),
            "book_not_found",
        ),
        (
            json!([{"item_id": 5}, {"item_id": 204}]),
            "insufficient_stock",
        ),
        (json!([{"item_id": 5}, 7]), "book_not_found"),
        (json!([]), "book_not_found"),
        (json!("5"), "book_not_found"),
        (json!(vec![json!({"item_id": 5}); 60]), "cart_full"),
    ] {
        let refused = customer.act("add_to_cart", json!({"items": items}));
        assert_eq!(refused.json()["error"], error, "{items}");
        assert_eq!(customer.cart(), [], "{items}");
    }
    let items = json!([{"item_id": 5, "cantidad": 2}, {"item_id": 5}, {"item_id": 131}]);
    customer.act("add_to_cart", json!({"items": items})).is(200);
    assert_eq!(customer.cart(), [(5, 3), (131, 1)]);
}

/// Whoever asks for something else, or about what is asked, has agreed to nothing.
#[test]
fn what_is_no_yes_puts_nothing_into_the_cart() {
    let customer = shop().customer("several-no-yes");
    for message in [
        "enséñame los dos",
        "¿cuánto cuestan los dos?",
        "reserva los dos",
        "espera, quiero ver algo de Borges. vale",
        "prefiero El Aleph. sí",
        "demasiado caro. ok",
        "tell me about them",
        "not sure about both",
    ] {
        customer.chat("ponme Rayuela y Ficciones").is(200);
        customer.chat(message).is(200);
        assert_eq!(customer.cart(), [], "{message}");
    }
}

#[test]
fn so_many_of_each_are_those_that_were_said_of_it() {
    let customer = shop().customer("several-counts");
    let question = "¿Pongo todo esto en tu carrito?";
    talk(
        &customer,
        &[
            (
                "por favor, ponme dos de Rayuela y tres de Ficciones",
                question,
            ),
            ("sí", "Hecho"),
        ],
    );
    assert_eq!(customer.cart(), [(5, 2), (131, 3)]);
    talk(
        &customer,
        &[
            ("vacía el carrito", "¿Vacío"),
            ("sí", "Tu carrito está vacío"),
            // Sold out is said of it, and the other one is asked about as often as it was wanted.
            (
                "quiero dos de Rayuela y una de La casa de los espíritus",
                "¿Pongo en tu carrito 2 ejemplares de «Rayuela»",
            ),
            ("sí, La casa de los espíritus", ""),
        ],
    );
    assert_eq!(customer.cart(), []);
    let left_out = customer.chat("ponme Rayuela, pero no Ficciones").is(200);
    let asked = left_out["message"].as_str().unwrap_or_default();
    assert!(!asked.starts_with(question), "{asked}");
}

#[test]
fn a_guests_several_wait_until_they_have_signed_in() {
    let guest = shop().guest();
    let asked = json!({"message": "ponme dos de Rayuela y Ficciones"});
    let answer = guest.post("/api/agent/", &asked).is(200);
    let customer = shop().customer("several-guest");
    let said = json!({"message": "sí", "context": answer["context"]});
    let answer = customer.post("/api/agent/", &said).is(200);
    let question = answer["message"].as_str().unwrap_or_default();
    assert!(
        question.starts_with("¿Pongo todo esto en tu carrito?"),
        "{question}"
    );
    talk(&customer, &[("sí", "Hecho: todo está en tu carrito.")]);
    assert_eq!(customer.cart(), [(5, 2), (131, 1)]);
}

#[test]
fn a_clear_message_is_answered_in_its_own_language() {
    let customer = shop().customer("language-changed");
    talk(
        &customer,
        &[
            ("busco algo de Borges", "Encontré"),
            ("add the second one please", "Shall I add 1 copy of"),
            ("no, el primero", "¿Pongo en tu carrito 1 ejemplar de"),
        ],
    );
}

#[test]
fn what_may_be_of_any_language_is_answered_in_that_of_the_conversation() {
    local_only("a shop that speaks Portuguese");
    for (name, before, ok) in [
        (
            "language-en",
            "do you have any novels by Isabel Allende?",
            "There's nothing",
        ),
        (
            "language-pt",
            "vocês têm romances da Isabel Allende?",
            "Não há nada",
        ),
        (
            "language-es",
            "¿tenéis novelas de Isabel Allende?",
            "Ahora mismo no hay nada",
        ),
    ] {
        let customer = shop().customer(name);
        customer.chat(before).is(200);
        talk(&customer, &[("ok", ok)]);
        let guest = shop().guest();
        let answer = guest
            .post("/api/agent/", &json!({"message": before}))
            .is(200);
        let ok = json!({"message": "1984", "trace": true, "context": answer["context"]});
        let answer = guest.post("/api/agent/", &ok).is(200);
        let tag = &name[name.len() - 2..];
        assert_eq!(answer["trace"]["intent"]["language"], tag);
    }
}

/// It is of the cart where there is something in it, and else of those that were shown.
#[test]
fn what_all_of_it_comes_to_is_of_the_cart_or_of_what_was_shown() {
    let customer = shop().customer("several-total");
    talk(
        &customer,
        &[
            ("libros de Agatha Christie", "Encontré 2 libros"),
            (
                "¿cuánto es todo junto?",
                "En total son 21,45 €:\n- «Asesinato en el Orient Express»",
            ),
            ("pon Rayuela en el carrito", "¿Pongo en tu carrito 1"),
            ("sí", "Hecho"),
            (
                "¿cuánto es todo junto?",
                "En tu carrito hay 1 título: 21,90 €",
            ),
        ],
    );
    let fresh = shop().customer("several-total-nothing");
    talk(
        &fresh,
        &[
            ("¿cuánto es todo junto?", "Tu carrito está vacío"),
            ("el más barato", "Por precio"),
            ("¿cuánto es todo junto?", "Tu carrito está vacío"),
        ],
    );
}

#[test]
fn several_facts_of_one_are_told_in_a_line_each() {
    let answer = shop()
        .guest()
        .chat("¿De qué año es Rayuela y cuánto vale?")
        .is(200);
    let said = answer["message"].as_str().expect("a message");
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[0].ends_with("se publicó en 1963."), "{said}");
    assert!(lines[1].starts_with("- «Rayuela» cuesta 21,90"), "{said}");
}
