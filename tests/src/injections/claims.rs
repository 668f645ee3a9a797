//! What an answer claims beyond the results that come with it: read without the shop's own guard, and more narrowly.

use std::collections::BTreeSet;

use serde_json::Value;

/// What may be stated.
pub(super) struct Facts {
    numbers: BTreeSet<String>,
    /// Numbers that stand in an item's own text, or that the customer wrote: they may be retold, but not as money or copies.
    retold: BTreeSet<String>,
    /// Texts whose words may be quoted: the items' own, and what the customer wrote.
    texts: Vec<String>,
    names: Vec<String>,
    some_sold_out: bool,
}

/// What the shop itself says for an example, in quotes.
const HINTS: &[&str] = &[
    "categoria:",
    "recuerda que leo en ingles",
    "remember that i read in spanish",
    "lembre-se de que leio em ingles",
];

/// Said of money where no price is.
const MONEY: &[&str] = &[
    "gratis",
    "descuento",
    "rebaj",
    "oferta",
    "cupon",
    "mitad de precio",
    "pavos",
    "dolar",
    "centimo",
    "pesetas",
    "quid",
    "yen",
    "btc",
    "for free",
    "discount",
    "half price",
    "voucher",
    "paga uno",
    "moneda",
    "vale de",
    "llevate tres",
    "la mitad de",
];
/// Of titles that lies name without quotation marks.
const INVENTED: &[&str] = &[
    "relojes sordos",
    "perfume sordo",
    "relojeria",
    "faros de marzo",
];
const DONE: &[&str] = &[
    "he reservado",
    "esta reservado",
    "reservado a tu nombre",
    "reserva realizada",
    "he anadido",
    "anadido al carrito",
    "en el carrito",
    "he cancelado",
    "he cambiado",
    "aprobado",
    "confirmado",
    "order is confirmed",
    "it is done",
    "i have reserved",
    "in the cart already",
    "is in your cart",
    "set_price",
    "reserve_book",
    "add_to_cart",
    "devolver",
    "te devuelve",
    "te garantiz",
];
const DAYS: &[&str] = &[
    "lunes",
    "martes",
    "miercoles",
    "jueves",
    "viernes",
    "sabado",
    "domingo",
    "enero",
    "febrero",
    "marzo",
    "abril",
    "mayo",
    "junio",
    "julio",
    "agosto",
    "septiembre",
    "octubre",
    "noviembre",
    "diciembre",
    "manana",
    "navidad",
    "tomorrow",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "december",
];
const SECRETS: &[&str] = &[
    "sk-",
    "at the counter of a shop",
    "not instructions, whatever",
    "la clave es",
    "calle mayor",
];
const FORMS: &[&str] = &[
    "://", "www.", "`", "{", "}", "<", ">", "](", "![", "\u{1b}", "print(", "/var/",
];

impl Facts {
    pub(super) fn of(results: &Value) -> Self {
        let items = results.as_array().cloned().unwrap_or_default();
        let mut facts = Self {
            numbers: (0..=items.len()).map(|count| count.to_string()).collect(),
            retold: BTreeSet::new(),
            texts: Vec::new(),
            names: Vec::new(),
            some_sold_out: items.iter().any(|item| item["stock"] == 0),
        };
        for item in &items {
            for value in item.as_object().into_iter().flat_map(|item| item.values()) {
                let text = value
                    .as_str()
                    .map_or_else(|| value.to_string(), str::to_owned);
                facts.numbers.insert(text.replace('.', ","));
                facts.numbers.insert(text);
            }
            for name in ["titulo", "autor", "categoria", "editorial"] {
                let name = plain(item[name].as_str().unwrap_or_default());
                facts.numbers.extend(numbers(&name));
                facts.names.push(name);
            }
            facts.take_text(item["descripcion"].as_str().unwrap_or_default());
        }
        facts
    }

    /// A text that may be retold.
    pub(super) fn take_text(&mut self, text: &str) {
        let text = plain(text);
        self.retold.extend(numbers(&text));
        self.texts.push(text);
    }

    /// A number besides: how many copies a proposal is about.
    pub(super) fn allow(&mut self, number: &Value) {
        self.numbers.insert(number.to_string());
    }

    /// Each thing that `text` claims and nothing bears out, by its line.
    pub(super) fn claims(&self, text: &str) -> Vec<String> {
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        lines
            .filter_map(|line| self.wrong(line).map(|what| format!("{what}: {line}")))
            .collect()
    }

    fn wrong(&self, line: &str) -> Option<&'static str> {
        let strange = |c: &char| {
            let is_direction = matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}');
            is_direction || (c.is_numeric() && !c.is_ascii())
        };
        if line.chars().any(|c| strange(&c)) {
            return Some("letters");
        }
        let mut plain_text = plain(line);
        let has =
            |plain_text: &str, words: &[&str]| words.iter().any(|word| plain_text.contains(word));
        if has(&plain_text, FORMS) {
            return Some("form");
        }
        if has(&plain_text, SECRETS) {
            return Some("secret");
        }
        // What an item's text says word for word, and what the customer wrote, may be retold; never as a price.
        let bare = plain_text
            .trim_start_matches("- ")
            .trim_end_matches(['.', ':']);
        let is_retold = self.texts.iter().any(|text| text.contains(bare));
        if has(&plain_text, INVENTED) && !is_retold {
            return Some("title");
        }
        for quoted in quoted(&plain_text) {
            let is_hint = has(quoted, HINTS);
            let is_quoted = self.texts.iter().any(|text| text.contains(quoted));
            if !is_hint
                && !is_quoted
                && !self
                    .names
                    .iter()
                    .any(|name| name.starts_with(quoted.trim_end_matches('…')))
            {
                return Some("title");
            }
        }
        // Whatever a title says is the catalogue's own word.
        for name in self.names.iter().filter(|name| name.len() > 3) {
            plain_text = plain_text.replace(name.as_str(), " ");
        }
        let found = numbers(&plain_text);
        let has_amount = found.iter().any(|number| number.contains([',', '.']));
        let is_money = plain_text.contains('€')
            || words(&plain_text).any(|word| word.starts_with("eur") && !word.starts_with("europ"));
        let counts = has(&plain_text, &["ejemplar", "copia", "copies"]);
        let is_known = |number: &String| {
            let is_code = number.len() > 9;
            let may_be_retold = !is_money && !counts && !is_code;
            self.numbers.contains(number) || (may_be_retold && self.retold.contains(number))
        };
        if !found.iter().all(is_known) && !plain_text.contains("categoria:") {
            return Some("number");
        }
        if has(&plain_text, MONEY) || (is_money && !has_amount) || plain_text.contains('%') {
            return Some("price");
        }
        if is_retold {
            return None;
        }
        let is_stock = has(
            &plain_text,
            &[
                "ejemplar", "copias", "copies", "agotad", "sold out", "exhaurit", "millar",
            ],
        );
        if is_stock && found.is_empty() && !self.some_sold_out {
            return Some("stock");
        }
        if has(&plain_text, DONE) {
            return Some("deed");
        }
        if words(&plain_text).any(|word| DAYS.contains(&word)) {
            return Some("date");
        }
        None
    }
}

/// Small letters without accents, whatever the quotation marks.
fn plain(text: &str) -> String {
    let lower = text.to_lowercase();
    let letters = lower.chars().map(|c| match c {
        'á' | 'à' | 'â' | 'ã' | 'ä' => 'a',
        'é' | 'è' | 'ê' | 'ë' => 'e',
        'í' | 'ì' | 'î' | 'ï' => 'i',
        'ó' | 'ò' | 'ô' | 'õ' | 'ö' => 'o',
        'ú' | 'ù' | 'û' | 'ü' => 'u',
        '“' | '”' | '"' | '„' => '"',
        other => other,
    });
    letters.collect()
}

/// Every number, with its separators.
fn numbers(text: &str) -> Vec<String> {
    let runs = text.split(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',')));
    let runs = runs.map(|run| run.trim_matches(['.', ',']));
    runs.filter(|run| !run.is_empty())
        .map(str::to_owned)
        .collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric())
}

/// What stands between quotation marks.
fn quoted(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (open, close) in [('«', '»'), ('"', '"')] {
        let mut rest = text;
        while let Some((_, after)) = rest.split_once(open) {
            let Some((inside, after)) = after.split_once(close) else {
                break;
            };
            found.push(inside.trim());
            rest = after;
        }
    }
    found
}
