//! Calls as models make them, and who is offered what.

use super::*;
use crate::{
    actions::ACTIONS,
    language::{Language, PageText},
    shop::Profile,
};

const ALL: May = May {
    look_up: true,
    propose: true,
    book: true,
};
const NOTHING: May = May {
    look_up: false,
    propose: false,
    book: false,
};

/// What changes something, in the order in which a model is offered it.
const CHANGES: [&str; 11] = [
    "add_to_cart",
    "set_quantity",
    "remove_from_cart",
    "clear_cart",
    "checkout",
    "reserve_book",
    "cancel_reservation",
    "cancel_order",
    "return_order",
    "remember",
    "forget",
];

fn call(name: &str, arguments: Value) -> Result<Wanted, String> {
    let call = ToolCall {
        id: "1".into(),
        name: name.into(),
        arguments,
        provider_data: None,
    };
    wanted(&call, ALL)
}

#[test]
fn calls_are_read_strictly() {
    let read = |route, text: &str, top_k| {
        Ok(Wanted::Find {
            route,
            text: text.into(),
            top_k,
        })
    };
    let payload = |payload: Value| Payload(payload.as_object().cloned().unwrap());
    let look_up = |action, of: Value| {
        let payload = payload(of);
        Ok(Wanted::LookUp { action, payload })
    };
    let propose = |action, of: Value| {
        Ok(Wanted::Propose(Proposal {
            action,
            payload: payload(of),
            shown: None,
        }))
    };
    for (name, arguments, expected) in [
        (
            "search_catalog",
            json!({"text": "mar"}),
            read(Route::Search, "mar", 5),
        ),
        (
            "search_catalog",
            json!({"text": "mar", "k": 900}),
            read(Route::Search, "mar", 20),
        ),
        (
            "lookup_book",
            json!({"libro_id": 12}),
            read(Route::LookupId(12), "", 5),
        ),
        (
            "recommend_similar",
            json!({"titulo": "Rayuela", "k": 0}),
            read(Route::SimilarToTitle("Rayuela".into()), "", 1),
        ),
        (
            "reserve_book",
            json!({"book_id": 12}),
            Ok(Wanted::Propose(Proposal {
                action: "reserve_book",
                payload: payload(json!({"book_id": 12, "cantidad": 1})),
                shown: Some(12.into()),
            })),
        ),
        (
            "remove_from_cart",
            json!({"item_id": 12}),
            Ok(Wanted::Propose(Proposal {
                action: "remove_from_cart",
                payload: payload(json!({"book_id": 12})),
                shown: None,
            })),
        ),
        (
            "remember",
            json!({"text": " leo en «inglés»\u{a0}"}),
            propose("remember", json!({"text": "leo en inglés"})),
        ),
        (
            "forget",
            json!({"note_id": 3}),
            propose("forget", json!({"note_id": 3})),
        ),
        ("forget", json!({}), propose("forget", json!({}))),
        ("view_cart", json!({}), look_up("view_cart", json!({}))),
        (
            "order_status",
            json!({"order_id": 3}),
            look_up("order_status", json!({"order_id": 3})),
        ),
    ] {
        assert_eq!(
            call(name, arguments.clone()),
            expected,
            "{name} {arguments}"
        );
    }
    for (name, arguments) in [
        ("search_catalog", json!({})),
        ("search_catalog", json!({"text": " "})),
        ("search_catalog", json!({"text": "x".repeat(201)})),
        ("search_catalog", json!({"text": "mar", "price": 1})),
        ("search_catalog", json!("{\"text\": \"mar\"}")),
        ("search_catalog", json!(null)),
        ("lookup_book", json!({})),
        ("filter_catalog", json!({})),
        ("filter_catalog", json!({"precio_max": -1})),
        ("recommend_similar", json!({"k": 3})),
        ("reserve_book", json!({"book_id": 12, "cantidad": 11})),
        ("reserve_book", json!({"book_id": 12, "cantidad": -1})),
        ("reserve_book", json!({"book_id": "0"})),
        ("reserve_item", json!({"item_id": "a b"})),
        (
            "filter_catalog",
            json!({"atributos": {"talla": "x".repeat(201)}}),
        ),
        ("reserve_book", json!({"book_id": 12, "precio": "0.01"})),
        ("shop_info", json!({"topic": "hours"})),
        ("view_cart", json!({"user": "ana"})),
        ("view_cart", json!(null)),
        ("list_orders", json!({"limit": 3})),
        ("list_reservations", json!([])),
        ("order_status", json!({})),
        ("order_status", json!({"order_id": -1})),
        ("order_status", json!({"order_id": "3"})),
        ("order_status", json!({"order_id": 3, "user": "ana"})),
        ("remove_from_cart", json!({})),
        ("remove_from_cart", json!({"item_id": 3, "cantidad": 0})),
        ("clear_cart", json!({"user": "ana"})),
        ("checkout", json!({"total": "0.01"})),
        ("cancel_order", json!({"order_id": -1})),
        ("cancel_reservation", json!({"order_id": 1})),
        ("remember", json!({})),
        ("remember", json!({"text": "«…»"})),
        ("remember", json!({"text": "x".repeat(201)})),
        ("remember", json!({"text": ["leo"]})),
        ("forget", json!({"note_id": "3"})),
        ("forget", json!({"text": "leo"})),
        ("set_profile", json!({"notes": []})),
        ("view_profile", json!({"user": "ana"})),
        ("delete_everything", json!({})),
    ] {
        call(name, arguments.clone()).expect_err(&format!("{name} {arguments}"));
    }
}

#[test]
fn search_texts_are_emitted_unless_they_promise_something() {
    for (text, expected) in [
        ("novelas de Cortázar", true),
        ("novelas por menos de 20 €", false),
        ("todo al 50 % de descuento", false),
        ("pedido confirmado", false),
    ] {
        let arguments = json!({"text": text});
        call("search_catalog", arguments.clone()).unwrap();
        assert_eq!(
            may_be_emitted(arguments.as_object().unwrap()),
            expected,
            "{text}"
        );
    }
}

/// Every item is named by its number, however the number is called.
#[test]
fn an_item_is_named_by_any_of_its_names() {
    let named = |tool: &Tool| (tool.parameters)()["properties"]["item_id"].is_object();
    let tools: Vec<&str> = tools()
        .filter(|tool| named(tool))
        .map(|tool| tool.name)
        .collect();
    assert_eq!(
        tools,
        [
            "lookup_book",
            "recommend_similar",
            "add_to_cart",
            "set_quantity",
            "remove_from_cart",
            "reserve_book"
        ]
    );
    for tool in tools {
        let by = |name: &str| {
            let mut arguments = json!({name: 12});
            if tool == "set_quantity" {
                arguments["cantidad"] = json!(0);
            }
            call(tool, arguments)
        };
        let expected = by("item_id");
        expected.as_ref().unwrap();
        assert_eq!(
            [by("book_id"), by("libro_id")],
            [expected.clone(), expected],
            "{tool}"
        );
    }
}

/// Nobody waits without a description of what for, in any language.
#[test]
fn the_page_has_a_word_for_each_tool_that_is_waited_for() {
    for language in Language::all() {
        let PageText::Forms(tools) = &Profile::default().locale(language).page()["tools"] else {
            panic!("{}", language.tag())
        };
        let named: Vec<&str> = read_only()
            .filter(|name| tools.contains_key(name))
            .collect();
        assert_eq!(named, read_only().collect::<Vec<_>>(), "{}", language.tag());
    }
}

/// What a call has done by an action is an action's, and those that are read change nothing.
#[test]
fn what_is_looked_up_or_proposed_is_an_action() {
    for tool in tools().filter(|tool| tool.access != Access::Anyone) {
        assert!(ACTIONS.contains(&tool.name), "{}", tool.name);
    }
    assert!(read_only().all(|name| !CHANGES.contains(&name)));
}

#[test]
fn guests_are_offered_what_finds_items_and_customers_what_is_their_own() {
    let names = |may| -> Vec<String> {
        let offered = offered(may, &Profile::default()).into_iter();
        offered.map(|tool| tool.name).collect()
    };
    let finding = [
        "search_catalog",
        "lookup_book",
        "filter_catalog",
        "recommend_similar",
        "shop_info",
    ];
    let own = [
        "view_cart",
        "list_orders",
        "order_status",
        "list_reservations",
        "view_profile",
    ];
    assert_eq!(names(NOTHING), finding);
    let shop = May { book: false, ..ALL };
    let unkept = May {
        propose: false,
        ..shop
    };
    assert_eq!(names(unkept), [&finding[..], &own].concat());
    assert_eq!(names(shop), [&finding[..], &own, &CHANGES].concat());
    // Where there is a business, what it offers, what is the customer's, and what is proposed.
    let of_business = [
        "get_services",
        "get_categories",
        "get_service_details",
        "get_available_slots",
    ];
    let booked = ["get_user_info", "get_user_appointments"];
    let booking = [
        "find_or_create_user",
        "create_appointment",
        "reschedule_appointment",
        "cancel_appointment",
    ];
    let guest = May {
        book: true,
        ..NOTHING
    };
    assert_eq!(names(guest), [&finding[..], &of_business].concat());
    let all = [
        &finding[..],
        &own,
        &CHANGES,
        &of_business,
        &booked,
        &booking,
    ]
    .concat();
    assert_eq!(names(ALL), all);
    assert_eq!(
        read_only().collect::<Vec<_>>(),
        [&finding[..], &own, &of_business, &booked].concat()
    );
    for name in [&of_business[..], &booked, &booking].concat() {
        let call = ToolCall {
            id: "1".into(),
            name: name.into(),
            arguments: json!({}),
            provider_data: None,
        };
        assert_eq!(wanted(&call, shop), Err("there is no such tool".into()));
    }
    for name in own {
        let call = ToolCall {
            id: "1".into(),
            name: name.into(),
            arguments: json!({"order_id": 1}),
            provider_data: None,
        };
        assert_eq!(
            wanted(&call, NOTHING),
            Err("the customer is not signed in".into())
        );
    }
    for name in [
        "view_cart",
        "list_orders",
        "list_reservations",
        "view_profile",
    ] {
        let spec = offered(ALL, &Profile::default())
            .into_iter()
            .find(|spec| spec.name == name)
            .unwrap();
        assert_eq!(
            spec.parameters,
            json!({"type": "object", "properties": {}, "additionalProperties": false})
        );
    }
    let search = &offered(NOTHING, &Profile::default())[0].parameters;
    assert_eq!(
        search,
        &json!({
            "type": "object",
            "properties": {
                "text": {"type": "string", "description": "What is looked for, in words: a title, an author, a subject."},
                "k": {"type": ["integer", "null"], "format": "uint", "minimum": 0, "description": "How many items: 1 to 20, 5 if left out."},
            },
            "required": ["text"],
            "additionalProperties": false,
        })
    );
}
