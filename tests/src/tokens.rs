//! Tokens that must not be believed, each on an endpoint that needs one and on two that do not.

mod corpus;

use serde_json::{Value, json};

use self::corpus::{bad_claims, bad_signatures, brought_keys, headers};
use crate::harness::{
    Answer, Caller, Setup, Shop, behind_a_gateway, in_seconds, shop, signed, token,
};

/// Presents the tokens everywhere, and gives how many were believed.
#[track_caller]
fn believed(shop: &Shop, tokens: &[String]) -> usize {
    let hello = json!({"message": "libro 12"});
    let accepted = tokens.iter().filter(|token| {
        let mallory = shop.bearer("mallory", token);
        let answers = [
            mallory.get("/api/agent/status/"),
            mallory.post("/api/agent/", &hello),
            mallory.search(&[("q", "tolkien")]),
        ];
        // A gateway takes no headers as long as these.
        let too_long = |answer: &Answer| behind_a_gateway() && answer.status == 431;
        let refused = answers
            .iter()
            .all(|answer| answer.status == 401 || too_long(answer));
        if refused {
            for answer in answers.iter().filter(|answer| !too_long(answer)) {
                answer.problem(401, "invalid_token");
            }
        } else {
            println!(
                "accepted: {:.300} {:?}",
                token,
                answers.map(|answer| answer.status)
            );
        }
        !refused
    });
    accepted.count()
}

/// Whether the token is taken, and for whom.
fn user_of(caller: &Caller<'_>) -> Option<Value> {
    let answer = caller.post("/api/agent/history/", &json!({}));
    (answer.status == 201).then(|| answer.json()["conversation"]["user"].clone())
}

#[test]
fn good_tokens_are_taken_for_whom_they_name() {
    let user = |token: &str| user_of(&shop().bearer("", token));
    let name = shop().customer("believed").name;
    let exp = in_seconds(600);
    for claims in [
        json!({"sub": name, "exp": exp}),
        json!({"sub": name, "exp": exp, "tenant": "otra", "iss": "x", "aud": ["y"], "more": [1]}),
        json!({"sub": name, "exp": exp, "nbf": in_seconds(-5), "iat": 1.5}),
        // Clocks may differ by half a minute.
        json!({"sub": name, "exp": in_seconds(-10)}),
        json!({"sub": name, "exp": exp, "nbf": in_seconds(10)}),
    ] {
        assert_eq!(user(&signed(&claims)), Some(json!(name)), "{claims}");
    }
    assert_eq!(
        user(&signed(&json!({"sub": 7_001, "exp": exp}))),
        Some(json!("7001"))
    );
    let lower = format!("bearer {}", token(&name));
    let call = shop().guest().call("GET", "/api/agent/status/");
    call.header("authorization", lower).send().is(200);
}

#[test]
fn tenants_are_apart() {
    let name = shop().customer("twin").name;
    let of = |tenant: &str| signed(&json!({"sub": name, "tenant": tenant, "exp": in_seconds(600)}));
    let (north, south) = (
        shop().bearer(&name, &of("norte")),
        shop().bearer(&name, &of("sur")),
    );
    north.chat("libro 12").is(200);
    assert_eq!(south.history("").is(200)["conversation"], json!(null));
    assert_eq!(
        shop().signed_in_as(&name).history("").is(200)["conversation"],
        json!(null)
    );
}

#[test]
fn no_bad_token_is_believed() {
    let fetched = crate::published_keys::Counted::start();
    let tokens = [
        headers(),
        brought_keys(&fetched.url),
        bad_claims(),
        bad_signatures(),
    ]
    .concat();
    let accepted = believed(shop(), &tokens);
    println!("tokens: accepted {accepted}/{}", tokens.len());
    assert_eq!(
        (accepted, fetched.count()),
        (0, 0),
        "and nothing a token points at is fetched"
    );
}

#[test]
fn the_header_is_one_bearer_token() {
    let good = token("mallory");
    let call = || shop().guest().call("GET", "/api/agent/status/");
    for value in [
        "",
        "Bearer",
        "Bearer ",
        "Bearer  ",
        good.as_str(),
        &format!("Basic {good}"),
        &format!("Token {good}"),
        &format!("Bearer{good}"),
        &format!("Bearer: {good}"),
        &format!("Bearer \"{good}\""),
        &format!("Bearer {good}, Basic x"),
    ] {
        call()
            .header("authorization", value)
            .send()
            .problem(401, "invalid_token");
    }
    let values = [
        format!("Bearer {good}"),
        "Bearer x.y.z".to_owned(),
        "Basic YTpi".to_owned(),
    ];
    for first in &values {
        for second in &values {
            let twice = call()
                .header("authorization", first)
                .header("authorization", second);
            twice.send().problem(401, "invalid_token");
        }
    }
}

#[test]
fn issuer_audience_and_subject_claim_are_as_configured() {
    let shop = Setup::new()
        .set("JWT_ISSUER", "https://tienda.example")
        .set("JWT_AUDIENCE", "mostrador")
        .set("JWT_SUBJECT_CLAIM", "user_id")
        .start();
    let with = |changes: Value| {
        let mut claims = json!({
            "user_id": "berta", "sub": "mallory", "exp": in_seconds(600), "iss": "https://tienda.example", "aud": "mostrador",
        });
        for (name, value) in changes.as_object().expect("members") {
            match value {
                Value::Null => claims.as_object_mut().expect("members").remove(name),
                value => claims
                    .as_object_mut()
                    .expect("members")
                    .insert(name.clone(), value.clone()),
            };
        }
        signed(&claims)
    };
    for good in [
        json!({}),
        json!({"aud": ["otra", "mostrador"]}),
        json!({"sub": null}),
    ] {
        let caller = shop.bearer("berta", &with(good));
        assert_eq!(user_of(&caller), Some(json!("berta")));
    }
    let tokens = [
        json!({"iss": null}),
        json!({"iss": "https://otra.example"}),
        json!({"iss": ["https://tienda.example"], "aud": "otra"}),
        json!({"iss": "HTTPS://TIENDA.EXAMPLE"}),
        json!({"aud": null}),
        json!({"aud": "otra"}),
        json!({"aud": []}),
        json!({"aud": 7}),
        json!({"user_id": null}),
    ]
    .map(with);
    let accepted = believed(&shop, &tokens);
    println!("issuer and audience: accepted {accepted}/{}", tokens.len());
    assert_eq!(accepted, 0);
}
