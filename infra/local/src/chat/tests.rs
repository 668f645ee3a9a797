//! The loop, with a shop that answers and with what else may be at an address.

mod shops;
mod talk;

use serde_json::json;

use shops::Stub;
pub(super) use talk::paper;
use talk::{Talk, begin, options};

#[tokio::test(flavor = "multi_thread")]
async fn a_customer_does_everything_by_words() {
    let shop = shops::start(0).await;
    let mut marta = Talk::begin(options(&shop.url, "es", Some("marta"))).await;
    let url = &shop.url;
    let printed = marta.printed().replace(url, "URL");
    insta::assert_snapshot!(printed, @r"
    Librería Macondo, en URL. /help muestra los comandos.
    Has entrado como marta.
    ");
    insta::assert_snapshot!(marta.say("novela de Cortázar").await, @r"
    Te responde un asistente automático; los precios y las existencias son los del catálogo.
    Los 3 que mejor encajan:
      1. «Final del juego», de Julio Cortázar: 9,50 €, quedan 28.
      2. «Rayuela», de Julio Cortázar: 21,90 €, quedan 7.
      3. «Las armas secretas», de Julio Cortázar: 12,70 €, quedan 9.
    También:
      4. «Todos los fuegos el fuego», de Julio Cortázar: 17,50 €, quedan 2.
      5. «Bestiario», de Julio Cortázar: 16,90 €, agotado.
    Si quieres afinar, dime un autor, una categoría o un precio.
    ");
    insta::assert_snapshot!(marta.say("el segundo").await, @r"
    Aquí lo tienes:
      1. «Rayuela», de Julio Cortázar: 21,90 €, quedan 7.
    ¿Quieres ver libros parecidos?
    ");
    insta::assert_snapshot!(marta.say("añádelo").await, @r"
    ¿Pongo en tu carrito 1 ejemplar de «Rayuela», a 21,90 €?
    Responde «sí» o «no».
    ");
    insta::assert_snapshot!(marta.say("sí").await, @"Hecho: «Rayuela» está en tu carrito.");
    insta::assert_snapshot!(marta.say("resérvame Ficciones").await, @r"
    ¿Te reservo 1 ejemplar de «Ficciones», a 9,95 €?
    Responde «sí» o «no».
    ");
    insta::assert_snapshot!(marta.say("sí").await, @"Reservado: te guardo «Ficciones» durante 24 horas.");
    insta::assert_snapshot!(marta.say("recuerda que leo en inglés").await, @r"
    ¿Quieres que recuerde «leo en inglés»?
    Responde «sí» o «no».
    ");
    insta::assert_snapshot!(marta.say("sí").await, @"Hecho: lo recordaré. Para ver todo lo que recuerdo, pregúntame «¿qué sabes de mí?».");
    insta::assert_snapshot!(marta.say("quiero hacer el pedido").await, @r"
    ¿Hago el pedido? Son 21,90 €:
      1. «Rayuela»: 1 × 21,90 €
    Responde «sí» o «no».
    ");
    insta::assert_snapshot!(marta.say("no").await, @"De acuerdo, lo dejo.");
    insta::assert_snapshot!(marta.say("añade un libro de Isabel Allende").await, @r"
    ¿Cuál de estos quieres?
      1. «Paula», de Isabel Allende: 20,50 €, quedan 6.
      2. «Inés del alma mía», de Isabel Allende: 19,90 €, quedan 2.
      3. «Cuentos de Eva Luna», de Isabel Allende: 9,95 €, quedan 2.
    También:
      4. «La casa de los espíritus», de Isabel Allende: 11,95 €, agotado.
    ");
    insta::assert_snapshot!(marta.say("/db").await, @r"
    Conversación 1: 22 mensajes.
      tú: novela de Cortázar
      Mostrador: Los 3 que mejor encajan:
        - «Final del juego», de Julio Cortázar: 9,50 €, quedan 28.
        - «Rayuela», de Julio Cortázar: 21,90 €, quedan 7.
        - «Las armas secretas», de Julio Cortázar: 12,70 €, quedan 9.
        - Si quieres afinar, dime un autor, una categoría o un precio.
      tú: el segundo
      Mostrador: Aquí lo tienes:
        - «Rayuela», de Julio Cortázar: 21,90 €, quedan 7.
        - ¿Quieres ver libros parecidos?
      tú: añádelo
      Mostrador: ¿Pongo en tu carrito 1 ejemplar de «Rayuela», a 21,90 €?
      tú: sí
      Mostrador: Hecho: «Rayuela» está en tu carrito.
      tú: resérvame Ficciones
      Mostrador: ¿Te reservo 1 ejemplar de «Ficciones», a 9,95 €?
      tú: sí
      Mostrador: Reservado: te guardo «Ficciones» durante 24 horas.
      tú: recuerda que leo en inglés
      Mostrador: ¿Quieres que recuerde «leo en inglés»?
      tú: sí
      Mostrador: Hecho: lo recordaré. Para ver todo lo que recuerdo, pregúntame «¿qué sabes de mí?».
      tú: quiero hacer el pedido
      Mostrador: ¿Hago el pedido? Son 21,90 €:
        - «Rayuela»: 1 × 21,90 €
      tú: no
      Mostrador: De acuerdo, lo dejo.
      tú: añade un libro de Isabel Allende
      Mostrador: ¿Cuál de estos quieres?
        - «Paula», de Isabel Allende: 20,50 €, quedan 6.
        - «Inés del alma mía», de Isabel Allende: 19,90 €, quedan 2.
        - «Cuentos de Eva Luna», de Isabel Allende: 9,95 €, quedan 2.
    En tu carrito hay 1 título: 21,90 € en total.
      1. «Rayuela»: 1 × 21,90 €
    Tienes 1 reserva activa.
      1. «Ficciones» (1), durante 23 horas más
    Tienes 1 pedido.
      - Pedido 1: pendiente, 12,95 €
    Esto es lo que recuerdo de ti:
      1. leo en inglés
    ");
    insta::assert_snapshot!(marta.say("/yes").await, @"No hay tal comando; /help los muestra.");
    marta.leave("/q").await;
    shop.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_signs_in_and_goes_on() {
    let shop = shops::start(0).await;
    let mut guest = Talk::begin(options(&shop.url, "en", None)).await;
    guest.printed();
    insta::assert_snapshot!(guest.say("reserve Ficciones, please").await, @r"
    You're chatting with an automated assistant; prices and stock come from the catalogue.
    To go on with “Ficciones”, please sign in first. Then say “yes” and I'll carry on.
    ");
    insta::assert_snapshot!(guest.say("/db").await, @"Nothing is kept of guests: /login NAME first.");
    insta::assert_snapshot!(guest.say("/login luis").await, @"Signed in as luis.");
    insta::assert_snapshot!(guest.say("yes").await, @r"
    You're chatting with an automated assistant; prices and stock come from the catalogue.
    Shall I reserve 1 copy of “Ficciones” for you, at €9.95?
    Say yes or no.
    ");
    insta::assert_snapshot!(guest.say("no").await, @"OK, I'll leave it.");
    let state = guest.say("/state").await.replace(&shop.build_id, "BUILD");
    insta::assert_snapshot!(state, @r"
    No model: the shop answers by itself.
    Index BUILD: 374 items.
    ");
    insta::assert_snapshot!(guest.say("/clear").await, @"A new conversation.");
    insta::assert_snapshot!(guest.say("/login").await, @"Signed out.");
    insta::assert_snapshot!(guest.say("/clear").await, @"A new conversation.");
    guest.leave("/quit").await;
    shop.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_of_the_shop_answers_in_the_terminal() {
    let shop = shops::start(0).await;
    let mut luis = Talk::begin(options(&shop.url, "es", Some("luis"))).await;
    luis.printed();
    insta::assert_snapshot!(luis.say("quiero hablar con una persona").await, @r"
    Te responde un asistente automático; los precios y las existencias son los del catálogo.
    Ya he avisado al equipo: te contestará una persona aquí mismo en cuanto pueda.
    - Contacto: +34 910 000 000; hola@libreriamacondo.example; https://libreriamacondo.example
    Te contesta una persona de la tienda: lo que diga aparecerá aquí. «Seguir con el asistente» trae de vuelta al asistente.
    ");
    insta::assert_snapshot!(luis.say("mi pedido llegó roto").await, @"Lo leerá la persona de la tienda.");
    let hello = json!({"message": "Hola, soy Eva. ¿Qué ha pasado?"});
    shops::answer_as_staff(&shop.url, &hello).await;
    luis.hears("Persona de la tienda: Hola, soy Eva. ¿Qué ha pasado?")
        .await;
    let goodbye = json!({"message": "Mañana sale otro.", "hand_back": true});
    shops::answer_as_staff(&shop.url, &goodbye).await;
    luis.hears("Persona de la tienda: Mañana sale otro.\nVuelve a contestarte el asistente.")
        .await;
    luis.say("quiero hablar con una persona").await;
    insta::assert_snapshot!(luis.say("Seguir con el asistente").await, @"Aquí estoy otra vez. ¿En qué te ayudo?");
    luis.leave("/exit").await;
    shop.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_dies_is_told_of_and_talked_to_when_it_is_back() {
    let shop = shops::start(0).await;
    let (url, port) = (shop.url.clone(), shops::port(&shop));
    let mut ana = Talk::begin(options(&url, "es", Some("ana"))).await;
    ana.printed();
    ana.say("hola").await;
    shop.stop().await;
    for line in ["hola", "/db", "/files", "/login luis"] {
        let printed = ana.say(line).await.replace(&url, "URL");
        assert!(printed.ends_with("Ahora no contesta nadie en URL. Cuando vuelva el servidor, escribe el mensaje otra vez."), "{printed}");
    }
    let shop = shops::start(port).await;
    insta::assert_snapshot!(ana.say("gracias").await, @"¡De nada! Aquí estoy para lo que necesites.");
    ana.leave("/q").await;
    shop.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn where_nobody_answers_it_is_said_what_to_do() {
    let url = "http://127.0.0.1:9";
    let check = async |language: &str, url: &str, expected: &str| {
        let error = begin(options(url, language, None)).await;
        assert_eq!(error.expect_err("nobody is there").to_string(), expected);
    };
    check("es", url, "En http://127.0.0.1:9 no contesta nadie. Arranca el servidor con «mostrador serve», o di con --url dónde está.").await;
    check("en", url, "Nobody answers at http://127.0.0.1:9. Start the server with “mostrador serve”, or say where it is with --url.").await;
    check("pt", url, "Em http://127.0.0.1:9 não responde ninguém. Inicie o servidor com “mostrador serve”, ou diga com --url onde está.").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_answer_is_said_in_words() {
    let check = async |answer: &'static str, expected: &str| {
        let stub = Stub::start(answer).await;
        let mut guest = Talk::begin(options(&stub.url, "en", None)).await;
        guest.printed();
        let printed = guest.say("hello").await;
        assert_eq!(printed.replace(&stub.url, "URL"), expected);
        guest.leave("/q").await;
    };
    let foreign =
        "What answers at URL is no Mostrador. See whether the address of --url is the right one.";
    check(
        "200 OK\r\ncontent-type: text/html\r\n\r\n<p>Hello</p>",
        foreign,
    )
    .await;
    check(
        "200 OK\r\ncontent-type: text/event-stream\r\n\r\ndata: hello\n\n",
        foreign,
    )
    .await;
    check("404 Not Found\r\n\r\nnothing here", foreign).await;
    check(
        "502 Bad Gateway\r\nretry-after: soon\r\n\r\n<p>Bad gateway</p>",
        "The server cannot answer right now (502). Try again in a moment.",
    )
    .await;
    check(
        "429 Too Many Requests\r\nretry-after: 12\r\n\r\n{\"error\":\"rate_limited\",\"message\":\"Not so fast.\"}",
        "Not so fast. You can go on in 12 s.",
    )
    .await;
    check(
        "200 OK\r\ncontent-type: text/event-stream\r\n\r\ndata: {\"type\":\"message_chunk\",\"content\":\"One:\"}\n\ndata: {\"type\":\"message_chunk\",\"content\":\"\\n- two\"}\n\n",
        "One:\n- two\nThe answer was cut off. Ask again.",
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_can_be_stopped() {
    let stub = Stub::start(Stub::SILENT).await;
    let mut guest = Talk::begin(options(&stub.url, "en", None)).await;
    guest.printed();
    assert_eq!(guest.stop("hello").await, "Stopped.");
    guest.leave("/q").await;
}
