use proptest::prelude::*;

use super::*;
use crate::{catalogue::Details, language::Language, price::Price, shop::Profile};

fn item(libro_id: u64, titulo: &str, autor: &str, minor: i64, stock: u32) -> ItemResult {
    ItemResult {
        libro_id,
        titulo: titulo.to_owned(),
        autor: autor.to_owned(),
        isbn: String::new(),
        precio: Price::from_minor(minor),
        categoria: "Novela".to_owned(),
        stock,
        editorial: String::new(),
        publicado: Some(1963),
        descripcion: "Una novela breve.".to_owned(),
        details: Details::default(),
        score: None,
    }
}

fn items() -> [ItemResult; 2] {
    [
        item(1, "Rayuela", "Julio Cortázar", 2190, 7),
        item(2, "Misery", "Stephen King", 950, 0),
    ]
}

fn judge<'a>(shop: &'a Profile, tag: &str, form: Form) -> Lines<'a> {
    let language = Language::all().find(|language| language.tag() == tag);
    let mut lines = Lines::new(shop.locale(language.unwrap()), form);
    lines.show(&items());
    lines
}

/// What is emitted of an answer that comes whole, and what is rejected.
fn check(tag: &str, answer: &str, expected: &[&str], rejected: &[&str]) {
    let shop = Profile::default();
    let mut lines = judge(&shop, tag, Form::of(&shop.prompt));
    lines.push(answer);
    lines.finish();
    lines.close();
    let passed: Vec<String> = lines.passed().iter().map(Line::text).collect();
    assert_eq!(passed, expected, "{answer}");
    let codes: Vec<&str> = lines.verdict().rejected.keys().copied().collect();
    assert_eq!(codes, rejected, "{answer}");
}

#[test]
fn nothing_comes_twice_however_it_is_introduced() {
    check(
        "es",
        "- {1} es breve.\n- {1} es breve.",
        &["- «Rayuela», de Julio Cortázar (21,90 €, quedan 7) es breve."],
        &["repeated"],
    );
    // What is left of the second is a name that has been said.
    check(
        "es",
        "- {1} es breve.\n- {1} ganó el premio Planeta.",
        &["- «Rayuela», de Julio Cortázar (21,90 €, quedan 7) es breve."],
        &["repeated", "topic"],
    );
}

#[test]
fn an_item_is_introduced_by_the_first_line_that_is_emitted() {
    check("es", "Con {1} aciertas:", &[], &["hollow"]);
    check(
        "es",
        "Mira:\n- {1} te gustará.\n- Y {1} es breve.",
        &[
            "Mira:",
            "- «Rayuela», de Julio Cortázar (21,90 €, quedan 7) te gustará.",
            "- Y «Rayuela» es breve.",
        ],
        &[],
    );
}

#[test]
fn a_price_that_is_written_out_is_of_its_own_item_alone() {
    check(
        "es",
        "{1} cuesta 21,90 €, y {2} es una buena lectura.",
        &[
            "«Rayuela», de Julio Cortázar (quedan 7) cuesta 21,90 €, y «Misery», de Stephen King (9,50 €, agotado) es una buena lectura.",
        ],
        &[],
    );
}

#[test]
fn a_maker_is_named_by_a_whole_word() {
    check(
        "en",
        "{2} is what you are looking for.",
        &["“Misery” by Stephen King (€9.50, sold out) is what you are looking for."],
        &[],
    );
}

#[test]
fn a_word_of_the_language_is_no_promise_in_another() {
    check(
        "es",
        "{1} vale {1.precio}.",
        &["«Rayuela», de Julio Cortázar (quedan 7) vale 21,90 €."],
        &[],
    );
    check(
        "es",
        "Vale, te enseño dos novelas.",
        &["Vale, te enseño dos novelas."],
        &[],
    );
}

#[test]
fn a_range_is_no_amount() {
    let shop = Profile::default();
    let mut lines = judge(&shop, "es", Form::of(&shop.prompt));
    lines.take_message("algo entre 10 y 20 €");
    lines.push("Entre 10 y 20 € no tengo nada.");
    lines.finish();
    assert_eq!(lines.passed().len(), 1, "{:?}", lines.verdict());
}

#[test]
fn a_record_without_lines_leaves_the_model_its_words() {
    let shop = Profile::default();
    let mut lines = judge(&shop, "es", Form::of(&shop.prompt));
    assert!(lines.take_record(&[]).is_empty());
    lines.push("Ahora mismo no lo puedo ver.");
    lines.finish();
    assert_eq!(lines.passed().len(), 1, "{:?}", lines.verdict());

    let mut lines = judge(&shop, "es", Form::of(&shop.prompt));
    lines.take_record(&["Tu carrito está vacío.".to_owned()]);
    lines.push("No veo nada más por ahora.");
    lines.finish();
    assert_eq!(lines.passed().len(), 1);
    assert_eq!(lines.verdict().rejected.get("record"), Some(&1));
}

#[test]
fn references_are_read_with_and_without_accents() {
    check(
        "pt",
        "{1.Título} é de {1.año}.",
        &["“Rayuela”, de Julio Cortázar (21,90 €, restam 7) é de 1963."],
        &[],
    );
}

#[test]
fn a_letter_and_its_accent_may_be_written_apart() {
    check(
        "es",
        "{1} es de Julio Corta\u{301}zar.",
        &["«Rayuela» (21,90 €, quedan 7) es de Julio Cortázar."],
        &[],
    );
}

#[test]
fn an_answer_is_as_long_as_the_shop_wants_it() {
    let mut shop = Profile::default();
    let passed = |shop: &Profile| {
        let form = Form::of(&shop.prompt);
        let mut lines = Lines::new(shop.locale(shop.default_language()), form);
        for question in ["uno", "otro", "algo", "nada", "todo", "ese", "este"] {
            lines.push(&format!("- ¿Prefieres {question}?\n"));
        }
        lines.finish();
        lines.passed().len()
    };
    assert_eq!(passed(&shop), 6);
    shop.prompt.bullets_max = 2;
    assert_eq!(passed(&shop), 3);
    shop.prompt.max_chars = 45;
    assert_eq!(passed(&shop), 2);
}

/// Pieces of answers, as models write them and as they should not.
const PIECES: &[&str] = &[
    "{1}",
    "{2}",
    "{9}",
    "{1.precio}",
    "{2.stock}",
    "- ",
    "\n",
    ". ",
    ", ",
    ": ",
    "Te propongo",
    "cuesta",
    "21,90 €",
    "quedan 7",
    "es breve",
    "agotado",
    "**",
    "«",
    "»",
    "Rayuela",
    "y",
    "el más barato",
    "envío gratis",
    "¿",
    "?",
    "(",
    ")",
    "300",
    "<b>",
    "ya lo añadí al carrito",
    " ",
    "Stephen King",
    "…",
];

fn pieces() -> impl Strategy<Value = String> {
    proptest::collection::vec(proptest::sample::select(PIECES), 0..60)
        .prop_map(|pieces| pieces.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// However an answer is cut into deltas, the same comes of it; it keeps its form; and nothing comes twice.
    #[test]
    fn deltas_change_nothing_and_the_form_is_kept(text in pieces(), cuts in proptest::collection::vec(1_usize..9, 1..40)) {
        let shop = Profile::default();
        for form in [Form::of(&shop.prompt), Form::THOUGHT] {
            let mut whole = judge(&shop, "es", form);
            whole.push(&text);
            whole.finish();
            whole.close();

            let mut cut = judge(&shop, "es", form);
            let mut emitted = Vec::new();
            let chars: Vec<char> = text.chars().collect();
            let mut rest = &chars[..];
            for length in cuts.iter().cycle() {
                if rest.is_empty() {
                    break;
                }
                let (delta, after) = rest.split_at((*length).min(rest.len()));
                emitted.extend(cut.push(&delta.iter().collect::<String>()));
                rest = after;
            }
            emitted.extend(cut.finish());
            cut.close();

            prop_assert_eq!(cut.passed(), whole.passed());
            prop_assert_eq!(&emitted[..], cut.passed());
            prop_assert_eq!(cut.verdict(), whole.verdict());
            prop_assert!(whole.passed().len() <= form.lines);
            let chars: usize = whole.passed().iter().map(|line| line.text().chars().count() + 1).sum();
            prop_assert!(chars <= form.chars);
            for (place, line) in whole.passed().iter().enumerate() {
                let text = line.text();
                prop_assert!(!text.contains('{') && !text.contains('<'), "{}", text);
                prop_assert!(!whole.passed()[..place].contains(line), "{}", text);
            }
        }
    }
}
