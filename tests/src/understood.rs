//! What is asked at a counter and is no search, in each language.

use serde_json::{Value, json};

use crate::harness::{cents, local_only, shop, shown};

#[test]
fn what_is_said_at_a_counter_is_answered_and_shows_no_items() {
    for (message, intent, begins) in [
        ("muchas gracias, muy amable", "thanks", "¡De nada!"),
        ("¿qué vendéis aquí?", "shop_info", "Soy "),
        (
            "quiero hablar con una persona",
            "person",
            "Para hablar con una persona, escribe o llama a la tienda.",
        ),
        (
            "me quiero morir",
            "distress",
            "Siento mucho que estés pasando por esto.",
        ),
        ("thanks a lot!", "thanks", "You're welcome!"),
        ("what do you sell?", "shop_info", "I'm "),
        ("what can you do?", "help", "I'm "),
    ] {
        let answer = shop().guest().chat(message).is(200);
        let said = answer["message"].as_str().expect("a message");
        assert_eq!(answer["trace"]["intent"]["name"], intent, "{message}");
        assert!(said.starts_with(begins), "{message}: {said}");
        // A person answers customers in their own conversation.
        let offered = match intent {
            "person" => json!([{"type": "sign_in"}]),
            _ => json!([]),
        };
        assert_eq!(
            (&answer["results"], &answer["actions"]),
            (&json!([]), &offered),
            "{message}"
        );
    }
}

#[test]
fn what_is_the_customers_own_is_shown_to_them_alone() {
    let customer = shop().customer("understood");
    for (message, begins) in [
        ("¿qué llevo en el carrito?", "Tu carrito está vacío"),
        (
            "what have you put aside for me?",
            "You have no active reservations",
        ),
        ("where is my order?", "You have no orders yet"),
    ] {
        let answer = customer.chat(message).is(200);
        let said = answer["message"].as_str().expect("a message");
        assert!(said.starts_with(begins), "{message}: {said}");
        let guest = shop().guest().chat(message).is(200);
        assert_eq!(guest["actions"], json!([{"type": "sign_in"}]), "{message}");
        assert_eq!(guest["trace"]["tool"]["error"], "signed_out", "{message}");
    }
}

/// A title is a title, and a number is a number, whatever the words around them.
#[test]
fn titles_and_commands_are_looked_for() {
    for message in [
        "Esperando a Godot",
        "libro 12",
        "gracias, ¿y el libro 12?",
        "parecidos a Rayuela",
    ] {
        let answer = shop().guest().chat(message).is(200);
        let results = answer["results"].as_array().expect("results");
        assert!(!results.is_empty(), "{message}: {answer}");
    }
}

/// A maker's name by itself is like a street's; whoever asks for it wants what the shop has of them.
#[test]
fn what_there_is_by_a_maker_is_no_question_to_the_shop() {
    let answer = shop().guest().chat("¿Qué tiene de García Lorca?").is(200);
    let results = answer["results"].as_array().cloned().unwrap_or_default();
    assert!(results.len() > 1, "{answer}");
    for item in results {
        assert_eq!(item["autor"], "Federico García Lorca", "{answer}");
    }
}

/// Some of the shop's titles sound like a kind, and a slip in a title like a question to the shop.
#[test]
fn a_kind_within_a_price_or_in_an_order_is_all_of_that_kind() {
    local_only("what the demo's profile calls its kinds");
    for (message, kind) in [
        ("essays under 13 euros, cheapest first", "Ensayo"),
        ("poesía de más barata a más cara", "Poesía"),
        (
            "Marvellous. Could you show me fantasy under 18 euros?",
            "Fantasía",
        ),
    ] {
        let answer = shop().guest().chat(message).is(200);
        let results = answer["results"].as_array().cloned().unwrap_or_default();
        assert!(results.len() > 1, "{message}: {answer}");
        for item in results {
            assert_eq!(item["categoria"], kind, "{message}: {answer}");
        }
    }
    let answer = shop()
        .guest()
        .chat("do you have one hundred years of solitud")
        .is(200);
    assert_eq!(answer["results"][0]["libro_id"], 1, "{answer}");
}

#[test]
fn what_is_left_out_is_not_shown_alone() {
    let customer = shop().customer("understood-without");
    customer
        .chat("ciencia ficción por menos de 11 euros")
        .is(200);
    let answer = customer.chat("que no sea de Orwell").is(200);
    let results = answer["results"].as_array().cloned().unwrap_or_default();
    assert!(!results.is_empty(), "{answer}");
    for item in results {
        assert_ne!(item["autor"], "George Orwell", "{answer}");
    }
}

/// What is left out of the shop's own choice, and what is only to be less so.
#[test]
fn a_choice_may_leave_a_kind_out() {
    local_only("what the demo's profile calls its kinds");
    let guest = shop().guest();
    let without = "no me gusta la novela negra, recomiéndame otra cosa";
    let answer = guest.chat(without).is(200);
    let results = answer["results"].as_array().cloned().unwrap_or_default();
    assert!(!results.is_empty(), "{answer}");
    for item in results {
        assert_ne!(item["categoria"], "Novela negra", "{answer}");
    }
    let answer = guest.chat("algo de terror que no dé mucho miedo").is(200);
    assert_eq!(answer["results"][0]["categoria"], "Terror", "{answer}");
}

/// Of a word that the shop's texts have and no item, the shop is asked.
#[test]
fn a_word_of_the_shops_own_texts_alone_is_asked_of_the_shop() {
    for (message, tool) in [
        ("¿tenéis aparcamiento?", "shop_info"),
        ("¿tenéis perros?", "search_catalog"),
    ] {
        let answer = shop().guest().chat(message).is(200);
        assert_eq!(answer["trace"]["tool"]["name"], tool, "{message}: {answer}");
    }
}

#[test]
fn facts_are_asked_of_a_title_whatever_it_is_called() {
    let message = "quanto custa O Principezinho e quem é o autor?";
    let answer = shop().guest().chat(message).is(200);
    let said = answer["message"].as_str().expect("a message");
    assert!(said.contains("Saint-Exupéry"), "{said}");
    assert_eq!(answer["results"].as_array().map(Vec::len), Some(1));
}

/// What is like one is no other edition of it, nor itself, whomever it is for.
#[test]
fn what_is_like_a_title_is_found_whomever_it_is_for() {
    for message in [
        "something like Dune for my brother",
        "algo al estilo de Dune para mi hermano",
    ] {
        let answer = shop().guest().chat(message).is(200);
        assert_eq!(
            answer["trace"]["tool"]["name"], "recommend_similar",
            "{answer}"
        );
        let results = answer["results"].as_array().cloned().unwrap_or_default();
        assert!(results.len() > 1, "{answer}");
        assert!(
            results.iter().all(|item| item["titulo"] != "Dune"),
            "{answer}"
        );
    }
}

/// Where all of a kind is asked for, what can be had comes first, and there is enough of it.
#[test]
fn of_a_kind_what_is_sold_out_comes_last() {
    local_only("what the demo's profile calls its kinds");
    let answer = shop().guest().chat("novelas por menos de 12 euros").is(200);
    let results = answer["results"].as_array().cloned().unwrap_or_default();
    let is_there = |item: &Value| item["stock"] != 0;
    assert!(
        results.len() == 5 && results.iter().all(is_there),
        "{answer}"
    );
}

/// "Otro" is one that was not shown, whatever else one word may be.
#[test]
fn another_is_none_of_those_that_were_shown() {
    for (name, wanted, others) in [
        ("another-es", "un libro para una niña de 6 años", "otro"),
        ("another-en", "a book for a 6 year old girl", "another"),
        ("another-pt", "um livro para uma menina de 6 anos", "outro"),
    ] {
        let customer = shop().customer(name);
        let first = shown(&customer.chat(wanted).is(200));
        let then = customer.chat(others).is(200);
        let second = shown(&then);
        assert!(
            !second.is_empty() && second.iter().all(|item| !first.contains(item)),
            "{others}: {first:?}, {then}"
        );
    }
}

/// What is like an item was looked for by no words: the cheapest is one of those.
#[test]
fn the_cheapest_of_what_is_like_an_item_is_one_of_those() {
    for (name, wanted, cheapest) in [
        (
            "like-cheapest-es",
            "algo al estilo de Dune para mi hermano",
            "¿el más barato?",
        ),
        (
            "like-cheapest-en",
            "something like Dune",
            "the cheapest one?",
        ),
        ("like-cheapest-pt", "parecidos a Dune", "e o mais barato?"),
    ] {
        let customer = shop().customer(name);
        let like = customer.chat(wanted).is(200);
        let answer = customer.chat(cheapest).is(200);
        let price = |item: &Value| cents(&item["precio"]);
        let of_these = like["results"].as_array().cloned().unwrap_or_default();
        let least = of_these.iter().map(price).min();
        let found = answer["results"].as_array().cloned().unwrap_or_default();
        assert_eq!(found.len(), 1, "{cheapest}: {answer}");
        assert_eq!(Some(price(&found[0])), least, "{cheapest}: {answer}");
        assert!(
            of_these
                .iter()
                .any(|item| item["libro_id"] == found[0]["libro_id"])
        );
    }
}

/// "Another" of one that was shown alone is like it.
#[test]
fn another_of_one_is_like_it() {
    let customer = shop().customer("another-of-one");
    let like = shown(&customer.chat("something like The Hobbit").is(200));
    let one = shown(&customer.chat("the cheapest one?").is(200));
    let answer = customer.chat("another").is(200);
    let others = shown(&answer);
    let is_new = |item: &u64| !like.contains(item) && !one.contains(item);
    assert!(!others.is_empty() && others.iter().all(is_new), "{answer}");
    assert_eq!(
        answer["trace"]["tool"]["name"], "recommend_similar",
        "{answer}"
    );
}

#[test]
fn another_of_nothing_that_was_shown_is_asked_about() {
    local_only("a shop that speaks Portuguese");
    for (message, said) in [
        ("otro", "Todavía no te he enseñado nada."),
        ("another", "I haven't shown you anything yet."),
        ("outro", "Ainda não lhe mostrei nada."),
    ] {
        let answer = shop().guest().chat(message).is(200);
        let text = answer["message"].as_str().expect("a message");
        assert!(text.starts_with(said), "{message}: {answer}");
    }
}

/// What does not say what is to be done goes on with what was done last; and what is put aside is found by any of its names.
#[test]
fn what_is_put_aside_goes_on_and_is_named_in_any_language() {
    let customer = shop().customer("and-three-more");
    let proposed = |message: &str| customer.chat(message).is(200)["actions"][0].clone();
    let first = proposed("reserve two copies of the stranger");
    assert_eq!(first["action"], "reserve_book", "{first}");
    customer.chat("yes").is(200);
    let more = proposed("and 2 of cosmos");
    assert_eq!(
        (&more["action"], &more["payload"]["cantidad"]),
        (&json!("reserve_book"), &json!(2)),
        "{more}"
    );
    customer.chat("yes").is(200);
    let held = customer.act("list_reservations", json!({})).is(200);
    let titles = held["results"].as_array().into_iter().flatten();
    let titles: Vec<&str> = titles.filter_map(|held| held["titulo"].as_str()).collect();
    assert!(titles.contains(&"El extranjero"), "{held}");
    let cancelled = proposed("cancel the reservation of the stranger");
    assert_eq!(cancelled["action"], "cancel_reservation", "{cancelled}");
}

/// What the shop was hardly asked, and knows nothing of, is looked for; and no text of its own stands beside an answer that has all of it.
#[test]
fn what_the_shop_was_not_asked_is_not_said() {
    local_only("the demo shop's own profile");
    for (message, said, never) in [
        ("where are you?", "Calle del Almendro", "order it"),
        (
            "le encanta Isabel Allende, ¿qué tenéis de ella?",
            "«Paula»",
            "no lo sé",
        ),
        ("anything else by Tolstoy?", "“Anna Karénina”", "don't know"),
        ("asdf qwer", "No encontré", "no lo sé"),
        ("¿eres un robot?", "asistente automático", "«Yo, robot»"),
        ("are u a robot", "automated assistant", "“Yo, robot”"),
    ] {
        let answer = shop().guest().chat(message).is(200);
        let text = answer["message"].as_str().expect("a message");
        assert!(text.contains(said), "{message}: {text}");
        assert!(!text.contains(never), "{message}: {text}");
    }
}

/// Until when one is to be held says nothing of which.
#[test]
fn one_is_held_until_a_day() {
    let customer = shop().customer("until-monday");
    customer.chat("do you have The Hobbit?").is(200);
    let answer = customer.chat("can you hold one for me until Monday?");
    let answer = answer.is(200);
    assert_eq!(answer["actions"][0]["action"], "reserve_book", "{answer}");
}

/// Who has read one is shown others, and nothing is put into the cart for it.
#[test]
fn who_has_read_one_is_shown_others() {
    for (asked, had) in [
        ("tienes La sombra del viento?", "ya lo he leído"),
        (
            "do you have The Shadow of the Wind?",
            "already read that one",
        ),
        ("tem A Sombra do Vento?", "já li esse"),
    ] {
        let customer = shop().customer("has-had");
        let one = shown(&customer.chat(asked).is(200));
        let answer = customer.chat(had).is(200);
        let others = shown(&answer);
        assert!(!others.is_empty(), "{had}: {answer}");
        assert!(
            others.iter().all(|item| !one.contains(item)),
            "{had}: {answer}"
        );
        assert_ne!(answer["actions"][0]["type"], "approval", "{had}: {answer}");
    }
}

/// What was shown one after another is priced together, each or in all.
#[test]
fn the_price_of_several_is_told_of_each_and_of_all() {
    let customer = shop().customer("priced-together");
    let said = |message: &str| {
        let answer = customer.chat(message).is(200);
        answer["message"].as_str().expect("a message").to_owned()
    };
    said("¿tenéis Rayuela?");
    said("¿y Ficciones?");
    let each = said("¿cuánto cuestan?");
    assert!(
        each.contains("21,90 €") && each.contains("9,95 €"),
        "{each}"
    );
    let all = said("¿cuánto son los dos?");
    assert!(all.contains("31,85 €"), "{all}");
}

/// A number may be of a title.
#[test]
fn a_number_behind_book_may_begin_a_title() {
    let answer = shop()
        .guest()
        .chat("do u have the book 100 years of solitude");
    let answer = answer.is(200);
    assert_eq!(
        answer["results"][0]["titulo"], "Cien años de soledad",
        "{answer}"
    );
}

/// Who made something is found whatever else is told.
#[test]
fn a_maker_is_found_in_a_story() {
    let message = "my nephew's turning eight and he's mad about roald dahl, what've you got";
    let answer = shop().guest().chat(message).is(200);
    assert_eq!(answer["results"][0]["autor"], "Roald Dahl", "{answer}");
}
