//! Bodies that are no JSON objects, or are packed, or cut.

use std::io::Write;

use flate2::{Compression, write::GzEncoder};
use serde_json::json;

use super::{NEEDED, POSTS, without_a_trace};
use crate::harness::{behind_a_gateway, shop};

fn nested(open: &str, close: &str, inside: &str) -> Vec<u8> {
    let depth = 10_000;
    format!("{}{inside}{}", open.repeat(depth), close.repeat(depth)).into_bytes()
}

#[test]
fn bodies_that_are_no_json_objects() {
    let good =
        json!({"message": "hola", "action": "clear_cart", "role": "user", "content": "hola"})
            .to_string();
    let mut bodies: Vec<Vec<u8>> = vec![
        b"null".into(),
        b"[]".into(),
        b"7".into(),
        b"\"hola\"".into(),
        b"true".into(),
        b"{".into(),
        good[..good.len() - 1].into(),
        format!("{good} x").into(),
        format!("{good}{good}").into(),
        format!("\u{feff}{good}").into(),
        good.replace('"', "'").into(),
        good.replace("hola", "\u{0}").into(),
        good.replace("hola", "\n").into(),
        good.replace("hola", "\\ud800").into(),
        good.replace("hola", "\\udc00\\ud800").into(),
        good.replace("hola", "\\x41").into(),
        good.replace("\"hola\"", "1e400").into(),
        good.replace("\"hola\"", "01").into(),
        good.replace("\"hola\"", "NaN").into(),
        good.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        nested("[", "]", ""),
        nested("{\"a\":", "}", "1"),
        good.replace("\"hola\"", &"[".repeat(10_000)).into(),
        b"message=hola&action=clear_cart".into(),
    ];
    // A gateway makes good text of what is none.
    if !behind_a_gateway() {
        let broken = |byte| if byte == b'h' { 0xff } else { byte };
        bodies.push(good.bytes().map(broken).collect());
    }
    without_a_trace("bodies", 180, |customer| {
        for path in POSTS {
            for body in &bodies {
                let answer = customer.call("POST", path).body(body.clone()).send();
                answer.problem(400, "invalid_request");
            }
        }
        for path in NEEDED {
            for empty in [&b""[..], b" ", b"\n"] {
                customer
                    .call("POST", path)
                    .body(empty)
                    .send()
                    .problem(400, "invalid_request");
            }
        }
        POSTS.len() * bodies.len() + 3 * NEEDED.len()
    });
}

#[test]
fn bodies_that_are_packed_or_cut() {
    let mut bomb = GzEncoder::new(Vec::new(), Compression::best());
    for _ in 0..32 {
        bomb.write_all(&vec![b' '; 1 << 20]).expect("packed");
    }
    let bomb = bomb.finish().expect("packed");
    without_a_trace("packed bodies", 191, |customer| {
        let mut tried = 0;
        for path in POSTS {
            for coding in ["gzip", "deflate", "br", "zstd", "gzip, gzip"] {
                let call = customer
                    .call("POST", path)
                    .header("content-encoding", coding);
                let answer = call.body(bomb.clone()).send();
                answer.problem(415, "unsupported_media_type");
                tried += 1;
            }
            // Undeclared, it is simply no JSON.
            customer
                .call("POST", path)
                .body(bomb.clone())
                .send()
                .problem(400, "invalid_request");
            // A client that hangs up in the middle of its body, or never sends it whole.
            let token = customer.token.as_ref().expect("a token");
            let cut = format!(
                "POST {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\ncontent-type: application/json\r\n\
                 content-length: 60\r\n\r\n{{\"message\":\"hola\",\"action\":\"clear_cart\""
            );
            shop().hang_up(&cut);
            tried += 2;
        }
        tried
    });
}
