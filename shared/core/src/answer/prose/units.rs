//! What a number counts: its unit, before or behind it.

use super::{
    Fault,
    lexicon::Lexicon,
    measures,
    money::is_of_wish,
    reading::Reading,
    token::{Kind, Token},
};
use crate::shop::currency::{self, Sign};

/// What a number counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Money,
    Copies,
    Items,
    Years,
    Percent,
    /// Hours and minutes.
    Time,
    /// Days, weeks and months.
    Days,
    Other,
    None,
}

/// An amount without a number is none: "c i n c o euros", "tropecientas copias".
pub(super) fn units_have_numbers(reading: &Reading<'_>) -> Result<(), Fault> {
    if reading.at.is_question || reading.marks("unknown") {
        return Ok(());
    }
    let has_number = reading.tokens.iter().any(|token| token.number().is_some());
    let is_sign = |token: &Token| token.mark().is_some_and(currency::is_symbol);
    let is_money = |key: &str| {
        key == "cents" || (currency::is_unit(key) && !key.ends_with(currency::AMBIGUOUS))
    };
    let mut units = reading.lexicon.units.all(reading.words);
    let is_money =
        reading.tokens.iter().any(is_sign) || units.any(|(_, found)| is_money(found.key));
    if is_money && !has_number {
        return Err(Fault::Price);
    }
    let counts = |words: &[String]| {
        let [first, before, unit] = words else {
            return false;
        };
        let is_word = before != "·" && before.chars().count() > 2;
        is_word
            && reading.lexicon.units.stands(unit, "copies")
            && !reading.lexicon.is_function(before)
            && !reading.lexicon.is_function(first)
            && !reading.is_known_word(before)
            && reading
                .lexicon
                .claims
                .find(std::slice::from_ref(before))
                .is_none()
    };
    if !has_number && reading.marks("left") && reading.words.windows(3).any(counts) {
        return Err(Fault::Number);
    }
    Ok(())
}

/// What the shop's code is as a mark: MXN.
const CODE: char = '¤';

/// Makes one mark of each sign of a currency that stands beside a number: "R$ 20", "20 €", and of codes: "MXN 300".
pub(super) fn join_signs(tokens: &mut Vec<Token>, lexicon: &Lexicon, code: &str) {
    let mut at = 0;
    while at < tokens.len() {
        let longest = currency::SIGN_CHARS.min(tokens.len() - at);
        let is_beside_number = |length: usize| {
            let around = [at.checked_sub(1), Some(at + length)];
            let mut around = around.into_iter().flatten();
            around.any(|at| tokens.get(at).is_some_and(|token| token.number().is_some()))
        };
        let mut lengths = (1..=longest).rev();
        let length = lengths.find(|length| {
            let run = &tokens[at..at + length];
            let is_whole = run[1..].iter().all(|token| !token.spaced);
            let is_sign = currency::sign(&folded(run), code).is_some()
                || (*length == 1 && is_code(&run[0], lexicon, code));
            is_whole && is_sign && is_beside_number(*length)
        });
        if let Some(length) = length {
            let text = tokens[at..at + length].iter();
            let joined = Token {
                text: text.map(|token| token.text.as_str()).collect(),
                folded: folded(&tokens[at..at + length]),
                ..tokens[at].clone()
            };
            let mut marks = tokens[at..at + length].iter().filter_map(Token::mark);
            let mark = marks.find(|mark| currency::is_symbol(*mark));
            tokens.drain(at + 1..at + length);
            tokens[at] = Token {
                kind: Kind::Mark(mark.unwrap_or(CODE)),
                ..joined
            };
        }
        at += 1;
    }
}

fn folded(run: &[Token]) -> String {
    run.iter().map(|token| token.folded.as_str()).collect()
}

/// Whether a word is the code of a currency, written as codes are.
fn is_code(token: &Token, lexicon: &Lexicon, code: &str) -> bool {
    let is_written_so = token.text.len() == 3 && token.text.chars().all(char::is_uppercase);
    let unit = lexicon.units.at(&[token.folded.as_str()]);
    let is_known = unit.is_some_and(|unit| currency::is_unit(unit.key));
    is_written_so && (token.text == code || is_known)
}

/// Whose sign stands beside a number.
fn sign(tokens: &[Token], at: usize, code: &str) -> Option<Sign> {
    let around = [at.checked_sub(1), Some(at + 1)];
    let around = around.into_iter().flatten().filter_map(|at| tokens.get(at));
    let mut signs = around.filter(|token| token.mark().is_some_and(currency::is_symbol));
    let is_own = |token: &Token| {
        token.folded.eq_ignore_ascii_case(code)
            || currency::sign(&token.folded, code) == Some(Sign::Own)
    };
    let sign = |token| {
        if is_own(token) {
            Sign::Own
        } else {
            Sign::Foreign
        }
    };
    signs.next().map(sign)
}

/// Whether a number is an amount in another currency than the shop's.
pub(super) fn is_foreign(tokens: &[Token], at: usize, lexicon: &Lexicon, code: &str) -> bool {
    if let Some(sign) = sign(tokens, at, code) {
        return sign == Sign::Foreign;
    }
    let words = tokens[at + 1..].iter().take(2);
    let words: Vec<&str> = words.map(|token| token.folded.as_str()).collect();
    let unit = lexicon.units.at(&words);
    unit.is_some_and(|unit| currency::is_unit(unit.key) && !currency::is_unit_of(unit.key, code))
}

/// "Entre 10 y 20 €": where the other number is that has the unit of the one at `at`.
pub(super) fn bound_of_range(tokens: &[Token], at: usize, lexicon: &Lexicon) -> Option<usize> {
    let [low, between, high] = tokens.get(at..at + 3)? else {
        return None;
    };
    let (low, high) = (low.number()?, high.number()?);
    let is_to = lexicon.markers.stands(&between.folded, "to");
    let is_range = low < high && (is_to || matches!(between.mark(), Some('-' | '–')));
    is_range.then_some(at + 2)
}

/// What stands before or behind a number as its unit. A currency that prices are not in fails at once.
pub(super) fn unit(reading: &Reading<'_>, at: usize) -> Result<Unit, Fault> {
    let tokens = reading.tokens;
    match sign(tokens, at, reading.currency) {
        Some(Sign::Own) => return Ok(Unit::Money),
        Some(Sign::Foreign) => return Err(Fault::Price),
        None => {}
    }
    let behind = tokens.get(at + 1).and_then(Token::mark);
    if behind == Some('%') {
        return Ok(Unit::Percent);
    }
    // "Tres calateas": so many of an item that is named.
    let mut behind = tokens[at + 1..]
        .iter()
        .take(3)
        .take_while(|token| token.is_word() || token.item().is_some());
    let names_item = behind.any(|token| {
        matches!(token.kind, Kind::Item(_)) || (!token.names.is_empty() && !token.is_maker)
    });
    let is_own = || {
        let number = tokens[at].number();
        number.is_some_and(|number| is_of_wish(reading, at, number))
    };
    if names_item
        && !is_own()
        && (reading.marks("left")
            || reading.claims("available")
            || (at == 0 && reading.marks_near("left")))
        && !reading.marks("costs")
    {
        return Ok(Unit::Copies);
    }
    // "quince ejemplares", "15 de los ejemplares", "otros 3 ejemplares": the unit within a few words.
    let words: Vec<&str> = tokens[at + 1..]
        .iter()
        .take(3)
        .take_while(|token| token.is_word())
        .map(|token| token.folded.as_str())
        .collect();
    for skipped in 0..words.len().min(2) {
        let Some(found) = reading.lexicon.units.at(&words[skipped..]) else {
            continue;
        };
        if skipped > 0 && !matches!(found.key, "copies" | "items") {
            continue;
        }
        return match found.key {
            "copies" => Ok(Unit::Copies),
            "items" => Ok(Unit::Items),
            "years" => Ok(Unit::Years),
            "percent" => Ok(Unit::Percent),
            "cents" => Ok(Unit::Money),
            "time" => Ok(Unit::Time),
            "days" => Ok(Unit::Days),
            "pages" => Ok(Unit::Other),
            key if measures::scale(key).is_some() => Ok(Unit::None),
            key if currency::is_unit_of(key, reading.currency) => Ok(Unit::Money),
            // Pounds of weight, where prices are in no pounds.
            _ if measures::is_measured(reading, at, words[skipped]) => Ok(Unit::None),
            _ => Err(Fault::Price),
        };
    }
    match bound_of_range(tokens, at, reading.lexicon) {
        Some(high) if unit(reading, high)? == Unit::Money => Ok(Unit::Money),
        _ => Ok(Unit::None),
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        answer::{
            part::Part,
            prose::{Item, Prose},
        },
        language::Language,
    };

    /// How many clauses of a line about an item for 25.99 fall. One that stands is as it was.
    fn faults(currency: &str, tag: &str, line: &str) -> usize {
        let mut prose = Prose::new(Language::from_tag(tag).unwrap(), currency);
        let item = Item {
            title: "Rayuela".to_owned(),
            price_minor: 2_599,
            stock: 3,
            ..Item::default()
        };
        prose.show([item].into_iter());
        prose.take_message("algo por menos de 30 pesos o 40 euros");
        let judged = prose.judge(line);
        let texts = judged.parts.iter().filter_map(|part| match part {
            Part::Text(text) => Some(text.as_str()),
            _ => None,
        });
        let text: String = texts.collect();
        assert!(text.is_empty() || line.ends_with(&text), "{line} {text}");
        judged.faults.len()
    }

    #[test]
    fn a_price_stands_in_the_shops_currency_and_in_no_other() {
        for (currency, tag, line) in [
            ("EUR", "es", "{1} cuesta 25,99 €."),
            ("EUR", "es", "{1} cuesta 25,99 euros."),
            ("EUR", "en", "{1} costs EUR 25.99."),
            ("EUR", "es", "{1} está dentro de tus 40 euros."),
            ("MXN", "es", "{1} cuesta $25.99."),
            ("MXN", "es", "{1} cuesta 25.99 pesos."),
            ("MXN", "es", "{1} cuesta 25.99 pesos mexicanos."),
            ("MXN", "es", "{1} está dentro de tus 30 pesos."),
            ("MXN", "en", "{1} costs MX$25.99."),
            ("MXN", "en", "{1} costs 25.99 MXN."),
            ("USD", "en", "{1} costs $25.99."),
            ("USD", "en", "{1} costs 25.99 dollars."),
            ("USD", "pt", "{1} custa US$ 25,99."),
            ("BRL", "pt", "{1} custa R$ 25,99."),
            ("BRL", "pt", "{1} custa R$25,99."),
            ("BRL", "pt", "{1} custa 25,99 reais."),
            ("PEN", "es", "{1} cuesta S/ 25.99."),
            ("PEN", "es", "{1} cuesta 25.99 soles."),
            ("GBP", "en", "{1} costs £25.99."),
        ] {
            assert_eq!(faults(currency, tag, line), 0, "{currency} {line}");
        }
        for (currency, tag, line) in [
            ("EUR", "es", "{1} cuesta $25.99."),
            ("EUR", "es", "{1} cuesta 25,99 pesos."),
            ("EUR", "es", "{1} cuesta 25,99 dólares."),
            ("EUR", "en", "{1} costs USD 25.99."),
            ("EUR", "en", "{1} costs 25.99 USD."),
            ("EUR", "es", "{1} está dentro de tus 30 pesos."),
            ("EUR", "pt", "{1} custa 25,99 reais."),
            ("EUR", "pt", "{1} custa ₺25,99."),
            ("MXN", "es", "{1} cuesta 25,99 €."),
            ("MXN", "es", "{1} cuesta 25.99 dólares."),
            ("MXN", "es", "{1} cuesta US$25.99."),
            ("MXN", "es", "{1} cuesta 25.99 pesos argentinos."),
            ("MXN", "en", "{1} costs €25.99."),
            ("USD", "en", "{1} costs R$25.99."),
            ("USD", "en", "{1} costs 25.99 pesos."),
            ("BRL", "pt", "{1} custa $25,99."),
            ("BRL", "pt", "{1} custa 25,99 euros."),
        ] {
            assert_eq!(faults(currency, tag, line), 1, "{currency} {line}");
        }
        // A currency's name that is another word, too, is no amount without a number.
        assert_eq!(faults("EUR", "pt", "{1} é uma história real."), 0);
    }
}
