//! A shop of clothes: its profile and 60 garments, from its folder to a conversation, without a word of books.

use serde_json::{Value, json};

use crate::harness::{ModelPeer, Setup, Shop, keys};

/// Words that no garment has.
const OF_BOOKS: [&str; 14] = [
    "libro",
    "autor",
    "editorial",
    "isbn",
    "ejemplar",
    "título",
    "novela",
    "lectura",
    "book",
    "author",
    "publisher",
    "copies",
    "copy",
    "novel",
];

fn clothes() -> Setup {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../infra/local/demo/clothes");
    Setup::new().option("--shop", folder)
}

#[track_caller]
fn is_of_no_book(text: &str) {
    let folded = text.to_lowercase();
    for word in OF_BOOKS {
        assert!(!folded.contains(word), "{word} in {text}");
    }
}

/// Every text in a value, whatever its name.
fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(values) => values.iter().flat_map(texts).collect(),
        Value::Object(members) => members.values().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}

fn answer_to(shop: &Shop, language: &str, message: &str) -> Value {
    let guest = shop.guest();
    let call = guest.call("POST", "/api/agent/");
    let call = call.header("accept-language", language);
    call.json(&json!({"message": message})).send().is(200)
}

#[test]
fn a_conversation_about_clothes_has_no_word_of_books() {
    let shop = clothes().start();
    for (language, message, first) in [
        ("es", "hola", None),
        ("es", "busco una camisa de lino", Some("camisa-lino-blanca")),
        (
            "es",
            "vestido para una boda de día",
            Some("vestido-midi-flores"),
        ),
        ("es", "categoria: Mujer/Camisas", None),
        ("es", "parecidas a Camisa de lino blanca", None),
        ("es", "disponible, precio_max: 20", None),
        ("es", "camisa de lino blanca", Some("camisa-lino-blanca")),
        ("es", "xyzzy qwrt", None),
        ("en", "hello", None),
        ("en", "a linen shirt", Some("camisa-lino-blanca")),
        ("en", "black jacket", None),
        ("en", "xyzzy qwrt", None),
    ] {
        let answer = answer_to(&shop, language, message);
        texts(&answer["message"])
            .into_iter()
            .for_each(is_of_no_book);
        for action in answer["actions"].as_array().expect("actions") {
            is_of_no_book(&action.to_string());
        }
        for result in answer["results"].as_array().expect("results") {
            let names: Vec<&String> = result.as_object().expect("an object").keys().collect();
            assert_eq!(
                names,
                [
                    "atributos",
                    "categoria",
                    "codigo",
                    "descripcion",
                    "id",
                    "imagen",
                    "moneda",
                    "precio",
                    "score",
                    "stock",
                    "titulo",
                    "url"
                ],
                "{message}"
            );
        }
        if let Some(first) = first {
            assert_eq!(answer["results"][0]["id"], first, "{message}");
        }
        let is_of_no_item = ["hola", "hello", "xyzzy qwrt"].contains(&message);
        assert_eq!(answer["results"] == json!([]), is_of_no_item, "{message}");
    }
    for (language, noun) in [("es", "prenda"), ("en", "garment")] {
        let page = shop
            .guest()
            .call("GET", &format!("/?lang={language}"))
            .send();
        let (_, strings) = page
            .text
            .split_once("type=\"application/json\">")
            .expect("strings");
        let (strings, _) = strings.split_once("</script>").expect("an end");
        let strings: Value = serde_json::from_str(strings).expect("JSON");
        texts(&strings).into_iter().for_each(is_of_no_book);
        assert!(
            strings["placeholder"].to_string().contains(noun),
            "{strings}"
        );
        let described = shop
            .guest()
            .call("GET", "/api/agent/shop/")
            .header("accept-language", language);
        let described = described.send().is(200);
        is_of_no_book(&described.to_string());
        assert_eq!(
            (&described["name"], &described["noun"]["one"]),
            (&json!("Hilo y Percha"), &json!(noun))
        );
    }
}

#[test]
fn garments_are_found_by_what_they_have_and_bought_by_their_ids() {
    let shop = clothes().start();
    let found = shop.guest().search(&[
        ("atributo.talla", "m"),
        ("atributo.color", "negro"),
        ("k", "20"),
        ("facets", "true"),
    ]);
    let found = found.is(200);
    let results = found["results"].as_array().expect("results");
    assert!(results.len() > 3, "{found}");
    for result in results {
        let has = &result["atributos"];
        assert!(
            has["talla"]
                .as_array()
                .expect("a list")
                .contains(&json!("M")),
            "{result}"
        );
        assert!(has["color"].to_string().contains("negro"), "{result}");
    }
    let facets = &found["facets"];
    let counted: Vec<&String> = facets["atributos"]
        .as_object()
        .expect("facets")
        .keys()
        .collect();
    assert_eq!(counted, ["color", "marca", "talla", "temporada"]);
    assert_eq!(facets["autor"], Value::Null);
    let medium = json!({"value": "M", "count": results.len()});
    assert!(
        facets["atributos"]["talla"]
            .as_array()
            .expect("counts")
            .contains(&medium),
        "{facets}"
    );
    let warned = shop
        .guest()
        .search(&[("q", "camisa"), ("atributo.largo_cm", "100")])
        .is(200);
    assert_eq!(
        warned["warnings"],
        json!(["atributo.largo_cm: not understood, ignored"])
    );
    let near = shop
        .guest()
        .search(&[("similar_to", "camisa-lino-blanca")])
        .is(200);
    let near = keys(&near["results"], "id");
    assert!(
        !near.is_empty() && !near.contains(&json!("camisa-lino-blanca")),
        "{near:?}"
    );

    let customer = shop.customer("dresser");
    let cart = customer
        .act(
            "add_to_cart",
            json!({"item_id": "camisa-lino-blanca", "cantidad": 2}),
        )
        .is(200);
    is_of_no_book(&cart.to_string());
    let line = &cart["results"][0];
    assert_eq!(
        (&line["id"], &line["subtotal"]),
        (&json!("camisa-lino-blanca"), &json!("79.80"))
    );
    let gone = customer
        .act("remove_from_cart", json!({"item_id": "camisa-lino-blanca"}))
        .is(200);
    assert_eq!(gone["results"], json!([]));
    let reserved = customer
        .act("reserve_item", json!({"item_id": "camisa-lino-blanca"}))
        .is(200);
    is_of_no_book(&reserved["message"].to_string());
    let unknown = customer.act("reserve_item", json!({"item_id": "camisa-de-fuerza"}));
    is_of_no_book(&unknown.is(400)["message"].to_string());
}

#[test]
fn a_model_is_offered_tools_for_garments() {
    let peer = ModelPeer::start();
    let shop = clothes()
        .set("LLM_BASE_URL", &peer.url)
        .set("LLM_MODELS", "searcher")
        .start();
    let body = json!({"message": "una camisa de lino", "model": "searcher"});
    shop.customer("dresser").post("/api/agent/", &body).is(200);
    let answer_to = peer.requests_about("camisa de lino");
    let tools = answer_to[0].body["tools"].to_string();
    assert!(
        tools.contains("reserve_item") && tools.contains("temporada"),
        "{tools}"
    );
    is_of_no_book(&tools);
}

/// What was asked comes first, word for word as the shop has written it, and says where it stands.
#[test]
fn the_shop_answers_for_itself() {
    let shop = clothes().start();
    for (language, message, begins, source) in [
        (
            "es",
            "¿abrís los sábados?",
            "Los sábados abrimos de 10:00 a 14:30.",
            None,
        ),
        (
            "en",
            "are you open on Sundays?",
            "On Sundays, we are closed.",
            None,
        ),
        (
            "pt",
            "abrem aos domingos?",
            "Aos domingos, estamos fechados.",
            None,
        ),
        ("es", "¿dónde estáis?", "Tenemos 2 tiendas:", None),
        (
            "es",
            "¿me das vuestro teléfono?",
            "Contacto: +34 976 000 000;",
            None,
        ),
        (
            "es",
            "¿hacéis envíos a Canarias?",
            "Enviamos a la península",
            Some("Envíos"),
        ),
        (
            "en",
            "how long does delivery take?",
            "We ship to mainland Spain",
            Some("Delivery"),
        ),
        (
            "pt",
            "posso devolver?",
            "Trinta dias para trocar",
            Some("Devoluções"),
        ),
        (
            "es",
            "¿tenéis probadores?",
            "Hay cuatro probadores",
            Some("La tienda"),
        ),
        (
            "en",
            "is there parking?",
            "Arrabal has free parking",
            Some("The shop"),
        ),
        (
            "es",
            "¿hacéis descuento a estudiantes?",
            "Eso no lo sé.",
            None,
        ),
    ] {
        let answer = answer_to(&shop, language, message);
        let said = answer["message"].as_str().expect("a message");
        assert!(said.starts_with(begins), "{message}: {said}");
        assert_eq!(answer["results"], json!([]), "{message}");
        let expected = source.map_or(Value::Null, |name| json!([{"name": name}]));
        assert_eq!(answer["citations"], expected, "{message}");
    }
}

#[test]
fn several_wishes_are_each_seen_to() {
    let shop = clothes().start();
    let shipping = "- Enviamos a la península en 48 horas";
    for (message, found, beside) in [
        (
            "hola, ¿tenéis camisas de lino y hacéis envíos a Mallorca?",
            Some("camisa-lino-blanca"),
            shipping,
        ),
        ("¿abrís los sábados? ¿y hacéis envíos?", None, shipping),
    ] {
        let answer = answer_to(&shop, "es", message);
        let said = answer["message"].as_str().expect("a message");
        assert!(said.contains(beside), "{message}: {said}");
        let found_ids = keys(&answer["results"], "id");
        let is_found = found.is_none_or(|id| found_ids.iter().any(|found| found == id));
        assert!(is_found, "{message}: {answer}");
        let lines = said.lines().skip(1);
        assert!(lines.clone().count() <= 5, "{said}");
        assert!(
            lines.into_iter().all(|line| line.starts_with("- ")),
            "{said}"
        );
    }
    // One of them is for who is signed in.
    let answer = answer_to(&shop, "es", "¿hacéis envíos? ¿y dónde está mi pedido?");
    let said = answer["message"].as_str().expect("a message");
    assert!(said.contains("primero inicia sesión"), "{said}");
    assert_eq!(answer["actions"], json!([{"type": "sign_in"}]));
}

#[test]
fn what_is_told_beside_is_in_the_history_too() {
    let shop = clothes().start();
    let customer = shop.customer("several");
    let answer = customer
        .chat("¿tenéis vestidos? ¿y hacéis envíos a Canarias?")
        .is(200);
    let history = customer.get("/api/agent/history/").is(200);
    let last = history["messages"].as_array().and_then(|all| all.last());
    let content = last.map(|message| message["content"].clone());
    assert_eq!(content.as_ref(), Some(&answer["message"]));
}

#[test]
fn an_attribute_is_asked_of_what_was_shown_by_what_people_call_it() {
    let shop = clothes().start();
    let customer = shop.customer("attributes");
    for (message, line) in [
        ("¿de qué tallas hay?", Some("Todavía no te he")),
        ("la Camisa de lino blanca", None),
        ("¿de qué tallas hay?", Some("Talla: XS, S, M, L, XL.")),
        ("what colour is it?", Some("Colour: blanco.")),
        ("que tamanhos tem?", Some("Tamanho: XS, S, M, L, XL.")),
        (
            "¿en qué tallas viene la Gabardina clásica beige?",
            Some("Talla: "),
        ),
    ] {
        let answer = customer.chat(message).is(200);
        let told = answer["message"].as_str().unwrap_or_default();
        let is_told = line.is_none_or(|line| {
            told.lines()
                .next()
                .is_some_and(|first| first.contains(line))
        });
        assert!(is_told, "{message}: {answer}");
    }
}
