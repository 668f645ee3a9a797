//! What a socket is sent besides good requests: nothing, too slowly, or under another's name.

use std::{
    io::{ErrorKind, Read, Write},
    net::TcpStream,
    time::{Duration, Instant},
};

use serde_json::json;

use crate::harness::{Setup, Shop, all_at_once, local_only, shop};

fn connect(shop: &Shop) -> TcpStream {
    local_only("a connection straight to the server");
    let address = shop.url.trim_start_matches("http://");
    let socket = TcpStream::connect(address).expect("a connection");
    let wait = Some(Duration::from_secs(60));
    socket.set_read_timeout(wait).expect("a timeout");
    socket
}

/// All that comes until the server hangs up, and how long that took.
fn read_all(socket: &mut TcpStream) -> (String, Duration) {
    let began = Instant::now();
    let mut received = Vec::new();
    match socket.read_to_end(&mut received) {
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::ConnectionReset => {}
        Err(error) => panic!("{error}"),
    }
    (
        String::from_utf8_lossy(&received).into_owned(),
        began.elapsed(),
    )
}

/// More connections than are served at once, each held by half a head, by a head without its body, or by nothing at all.
#[test]
fn connections_that_send_nothing_stop_nobody() {
    let shop = Setup::new().start();
    let halves = [
        "",
        "GET /healthz HTT",
        "GET /healthz HTTP/1.1\r\nhost: localhost\r\n",
        "GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n",
    ];
    let mut held: Vec<TcpStream> = (0..600)
        .map(|number| {
            let mut socket = connect(&shop);
            let half = halves[number % halves.len()];
            socket.write_all(half.as_bytes()).expect("sent");
            socket
        })
        .collect();
    let began = Instant::now();
    shop.guest().chat("libro 12").is(200);
    let waited = began.elapsed();
    // They are done with within the time a head may take.
    assert!(waited < Duration::from_secs(20), "{waited:?}");
    for socket in &mut held[..8] {
        let (_, lasted) = read_all(socket);
        assert!(lasted < Duration::from_secs(20), "{lasted:?}");
    }
    println!("sockets: 600 that send nothing, answered after {waited:?}");
}

#[test]
fn a_body_that_comes_too_slowly_is_not_waited_for() {
    let shop = Setup::new().start();
    let answers = all_at_once(16, |number| {
        let mut socket = connect(&shop);
        let head =
            "POST /api/agent/ HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
        let length = match number % 2 {
            0 => "content-length: 60\r\n\r\n{",
            _ => "transfer-encoding: chunked\r\n\r\n1\r\n{\r\n",
        };
        let began = Instant::now();
        socket
            .write_all(format!("{head}{length}").as_bytes())
            .expect("sent");
        while began.elapsed() < Duration::from_secs(15) {
            std::thread::sleep(Duration::from_secs(3));
            let drip = if number % 2 == 0 { " " } else { "1\r\n \r\n" };
            socket.write_all(drip.as_bytes()).expect("sent");
        }
        shop.guest().chat("libro 12").is(200);
        let (answer, _) = read_all(&mut socket);
        assert!(answer.contains("request_timeout"), "{answer}");
        assert!(began.elapsed() < Duration::from_secs(40), "{answer}");
        answer[..12].to_owned()
    });
    assert_eq!(answers, vec!["HTTP/1.1 408"; 16]);
}

#[test]
fn an_answer_that_nobody_reads_is_not_kept_for_ever() {
    let shop = Setup::new().start();
    let mut socket = connect(&shop);
    let repeats = 2_000;
    let request = "GET /openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(repeats);
    socket.write_all(request.as_bytes()).expect("sent");
    std::thread::sleep(Duration::from_secs(40));
    let (received, _) = read_all(&mut socket);
    let answered = received.matches("HTTP/1.1 200").count();
    assert!((1..repeats / 2).contains(&answered), "{answered}");
}

/// A body that is cut off, or is no HTTP, is not too large: it is not readable.
#[test]
fn a_malformed_request_is_reported_as_malformed() {
    let shop = shop();
    let head = "POST /api/agent/ HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
    let cut = {
        let mut socket = connect(shop);
        let body = "content-length: 60\r\n\r\n{\"message\": \"hola\"}";
        socket
            .write_all(format!("{head}{body}").as_bytes())
            .expect("sent");
        socket.shutdown(std::net::Shutdown::Write).expect("shut");
        read_all(&mut socket).0
    };
    let chunks = "transfer-encoding: chunked\r\n\r\n13\r\n{\"message\": \"hola\"}\r\nzz\r\n";
    let broken = shop.raw(&format!("{head}{chunks}"));
    for (what, answer) in [("cut off", cut), ("no chunk", broken)] {
        assert!(answer.starts_with("HTTP/1.1 400"), "{what}: {answer}");
        assert!(
            answer.contains("\"error\":\"invalid_request\""),
            "{what}: {answer}"
        );
    }
}

/// A page elsewhere whose own name points to this machine was given tokens.
#[test]
fn a_foreign_host_name_is_refused() {
    local_only("what only the local product answers");
    let shop = shop();
    let guest = shop.guest();
    let body = json!({"sub": "ana"});
    let foreign = [
        ("host", "evil.example"),
        ("host", "localhost.evil.example:3000"),
        ("origin", "http://evil.example"),
        ("origin", "null"),
    ];
    for (name, value) in foreign {
        for (method, path) in [
            ("POST", "/dev/token"),
            ("POST", "/api/agent/"),
            ("GET", "/"),
            ("GET", "/healthz"),
        ] {
            let call = guest.call(method, path).json(&body).header(name, value);
            let answer = call.send();
            answer.problem(421, "misdirected_request");
        }
    }
    for (name, value) in [
        ("host", "localhost:3000"),
        ("origin", "http://127.0.0.1:3000"),
    ] {
        let call = guest.call("POST", "/dev/token").json(&body);
        call.header(name, value).send().is(200);
    }
    // Who serves a network answers by whatever name it has there, and hands out no tokens.
    let open = Setup::new().option("--host", "0.0.0.0").start();
    let named = open
        .guest()
        .call("GET", "/healthz")
        .header("host", "shop.lan");
    named.send().is(200);
}
