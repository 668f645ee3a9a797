//! What a number counts: its unit, before or behind it.

use super::{
    Fault, MONEY, is_currency_key,
    reading::Reading,
    token::{Kind, Token},
};

/// What a number counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Money,
    Copies,
    Items,
    Years,
    Percent,
    Time,
    Other,
    None,
}

/// An amount without a number is none: "c i n c o euros", "tropecientas copias".
pub(super) fn units_have_numbers(reading: &Reading<'_>) -> Result<(), Fault> {
    if reading.at.is_question || reading.marks("unknown") {
        return Ok(());
    }
    let has_number = reading.tokens.iter().any(|token| token.number().is_some());
    let is_sign = |token: &Token| token.mark().is_some_and(|mark| MONEY.contains(mark));
    let mut units = reading.lexicon.units.all(reading.words);
    let is_money = reading.tokens.iter().any(is_sign)
        || units.any(|(_, found)| found.key == "cents" || is_currency_key(found.key));
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

/// What stands before or behind a number as its unit. A currency that the items are not in fails at once.
pub(super) fn unit(reading: &Reading<'_>, at: usize) -> Result<Unit, Fault> {
    let tokens = reading.tokens;
    let before = at.checked_sub(1).and_then(|before| tokens[before].mark());
    let behind = tokens.get(at + 1).and_then(Token::mark);
    let sign = [before, behind]
        .into_iter()
        .flatten()
        .find(|mark| MONEY.contains(*mark));
    if let Some(sign) = sign {
        return if reading.is_currency_sign(sign) {
            Ok(Unit::Money)
        } else {
            Err(Fault::Price)
        };
    }
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
    if names_item
        && (reading.marks("left") || reading.claims("available"))
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
            "time" | "months" => Ok(Unit::Time),
            "pages" => Ok(Unit::Other),
            currency if reading.is_currency(currency) => Ok(Unit::Money),
            _ => Err(Fault::Price),
        };
    }
    Ok(Unit::None)
}
