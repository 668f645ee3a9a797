//! Calls of any kind, as a model may make them.

use super::{proposal::COPIES_MAX, *};
use crate::{price::Price, understand::is_id};

/// Of each promise that a line may not make, one.
const PROMISES: [&str; 3] = [
    "novelas por menos de 20 €",
    "todo al 50 % de descuento",
    "pedido confirmado",
];

/// A call, from its name, a line feed and its arguments; what is no JSON is a text, as adapters have it.
pub(crate) fn call(input: &[u8]) -> ToolCall {
    let input = String::from_utf8_lossy(input);
    let (name, arguments) = input.split_once('\n').unwrap_or((&input, ""));
    ToolCall {
        id: "1".into(),
        name: name.into(),
        arguments: serde_json::from_str(arguments).unwrap_or_else(|_| arguments.into()),
        provider_data: None,
    }
}

fn is_line(text: &str) -> bool {
    text.chars().count() <= TEXT_CHARS && !text.chars().any(char::is_control)
}

fn is_price(price: Option<Price>) -> bool {
    price.is_none_or(|price| (0..=Price::MAX.minor()).contains(&price.minor()))
}

fn check_route(route: &Route) {
    match route {
        Route::LookupId(id) | Route::SimilarToId(id) => assert!(is_id(*id), "{id}"),
        Route::LookupIds(ids) => assert!(ids.iter().all(|id| is_id(*id)), "{ids:?}"),
        Route::LookupIsbn(text) | Route::SimilarToTitle(text) => assert!(is_line(text)),
        Route::Filter { filters, text, .. } => {
            let texts = [&filters.categoria, &filters.autor, &filters.editorial];
            let attributes = filters.atributos.iter().flat_map(|(key, text)| [key, text]);
            let texts = texts.into_iter().flatten().chain([text]).chain(attributes);
            assert!(texts.into_iter().all(|text| is_line(text)));
            assert!(is_price(filters.precio_min) && is_price(filters.precio_max));
        }
        Route::More { .. } | Route::Search => {}
    }
}

/// What is proposed is what its payload does, to the endpoint and to whoever reads the call again.
fn check_proposal(proposal: &Proposal) {
    let payload = &proposal.payload;
    let may = May {
        look_up: true,
        propose: true,
        book: true,
    };
    if let Some(item) = &proposal.shown {
        assert!(is_id(item.number()), "{item}");
        assert_eq!(payload.item(), Some(item.number()));
    }
    if let Some((copies, warning)) = payload.quantity() {
        assert!((1..=COPIES_MAX).contains(&copies) && warning.is_none());
    }
    let again = ToolCall {
        id: "1".into(),
        name: proposal.action.into(),
        arguments: payload.0.clone().into(),
        provider_data: None,
    };
    assert_eq!(wanted(&again, may), Ok(Wanted::Propose(proposal.clone())));
}

/// Arguments may be emitted if each text may, and no promise is beside them.
fn check_emitted(arguments: &Map<String, Value>) {
    let alone = |(name, value): (&String, &Value)| {
        may_be_emitted(&Map::from_iter([(name.clone(), value.clone())]))
    };
    assert_eq!(may_be_emitted(arguments), arguments.iter().all(alone));
    for promise in PROMISES {
        let mut with_promise = arguments.clone();
        with_promise.insert("text".into(), promise.into());
        assert!(!may_be_emitted(&with_promise), "{with_promise:?}");
    }
}

#[test]
fn a_call_is_read_strictly_or_refused() {
    let target = bolero::check!().with_iterations(500);
    target.for_each(|input: &[u8]| {
        let call = call(input);
        for may in [false, true].map(|may| May {
            look_up: may,
            propose: may,
            book: may,
        }) {
            match wanted(&call, may) {
                Err(error) => {
                    assert!(!error.is_empty() && error.chars().count() <= ERROR_CHARS);
                }
                Ok(Wanted::Propose(proposal)) => {
                    assert!(may.propose && proposal.action == known_name(&call.name));
                    check_proposal(&proposal);
                }
                Ok(Wanted::ShopInfo { .. }) => assert_eq!(call.name, "shop_info"),
                Ok(Wanted::LookUp { action, payload }) => {
                    assert!(may.look_up && action == known_name(&call.name));
                    assert!(
                        payload
                            .0
                            .iter()
                            .all(|(name, id)| name == "order_id" && id.is_u64())
                    );
                }
                Ok(Wanted::Find { route, text, top_k }) => {
                    assert_eq!(route.tool(), known_name(&call.name));
                    assert!((1..=TOP_K_MAX).contains(&top_k));
                    assert!(is_line(&text));
                    check_route(&route);
                }
            }
        }
        if let Some(arguments) = call.arguments.as_object() {
            check_emitted(arguments);
        }
    });
}
