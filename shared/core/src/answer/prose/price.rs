//! Amounts that say what an item costs: each is that, whatever else it might be.

use std::collections::HashSet;

use super::{amounts::is_cents, money::nearly, numbers::bound, reading::Reading, token::Token};

/// The item whose price a number says that it is: the only one named since the last number, behind a price's verb or right behind the
/// item, and with nothing around it that compares, adds, bounds or counts.
pub(super) fn is_price_of(reading: &Reading<'_>, at: usize, has_sign: bool) -> Option<usize> {
    let [item] = bound(reading, at)[..] else {
        return None;
    };
    let before = &reading.tokens[..at];
    let said = before.iter().rposition(|token| token.number().is_some());
    let before = &before[said.map_or(0, |said| said + 1)..];
    let named: HashSet<usize> = before.iter().filter_map(Token::one_item).collect();
    let mut otherwise = [
        "more",
        "less",
        "sum",
        "difference",
        "budget",
        "group",
        "both",
        "under",
        "over",
        "between",
    ]
    .iter();
    let mut orders = ["beyond", "cheap", "cheaper", "dear", "dearer"].iter();
    let mut others = reading.tokens.iter().filter_map(Token::number);
    let is_of_more = named.len() > 1
        || is_cents(reading, at)
        || otherwise.any(|key| reading.marks(key))
        || orders.any(|key| reading.claims(key))
        || others.any(|other| (200..=1000).contains(&other));
    let says_it = || {
        let is_said = has_sign || reading.marks("costs");
        follows_verb(reading, before) || (is_said && follows_item(reading, before, at, item))
    };
    (!is_of_more && says_it()).then_some(item)
}

/// Whether a price's verb stands before a number: "cuesta ahora unos". "At" by itself says a measure, too.
fn follows_verb(reading: &Reading<'_>, before: &[Token]) -> bool {
    /// Words between the two.
    const BETWEEN: usize = 2;
    let markers = &reading.lexicon.markers;
    let words = before.iter().filter(|token| token.mark().is_none());
    let words: Vec<&str> = words.map(|token| token.folded.as_str()).collect();
    markers.all(&words).any(|(place, found)| {
        let says_it = found.words > 1 || !markers.stands(words[place], "at");
        found.key == "costs" && says_it && place + found.words + BETWEEN >= words.len()
    })
}

/// Whether a clause says an item and a number and nothing else: "{1} is €9", "{1} (9 €)", "The price of {1} is 9", and, of the item that
/// it goes on with, "it's €9".
fn follows_item(reading: &Reading<'_>, before: &[Token], at: usize, item: usize) -> bool {
    let lexicon = reading.lexicon;
    let markers = &lexicon.markers;
    let says = |token: &Token| {
        let is_unit = lexicon.units.at(&[token.folded.as_str()]).is_some();
        token.mark().is_none() && !is_unit && !lexicon.is_function(&token.folded)
    };
    let is_item = |token: &Token| token.one_item() == Some(item);
    let is_first = match before.iter().position(says) {
        Some(first) if is_item(&before[first]) => {
            let mut articles = before[..first].iter();
            articles.all(|token| lexicon.is_article(&token.folded))
        }
        Some(first) => markers.stands(&before[first].folded, "costs"),
        None => true,
    };
    let mut words = before.iter().rev().filter(|token| token.mark().is_none());
    let is = words
        .next()
        .is_some_and(|word| markers.stands(&word.folded, "is"));
    let mut last = before.iter().rev();
    let opens = last.find(|token| ["(", ":"].contains(&token.text.as_str()));
    let is_listed = opens.is_some() && last.next().is_some_and(is_item);
    is_first && (is || is_listed) && !reading.tokens[at + 1..].iter().any(says)
}

/// Whether an amount is the price of an item, or nearly so where it says so.
pub(super) fn is_price(reading: &Reading<'_>, item: usize, number: i64) -> bool {
    let exact = reading.known[item].item.price_minor;
    number == exact || (reading.marks("approximately") && nearly(number, exact))
}

/// "Con tus 20 € te llevas {3}": whether a clause begins with the shopper's own amount and has it reach to what is dearer. One that says
/// that it does not, or by how much, does not.
pub(super) fn is_out_of_reach(reading: &Reading<'_>, at: usize, number: i64) -> bool {
    let begins = reading.tokens[..at]
        .iter()
        .all(|token| token.mark().is_some() || reading.lexicon.is_function(&token.folded));
    let is_dearer = |item: &usize| reading.known[*item].item.price_minor > number;
    let mut otherwise = [
        "negation",
        "difference",
        "more",
        "less",
        "over",
        "under",
        "if",
        "between",
        "sum",
    ]
    .iter();
    let mut orders = ["beyond", "cheap", "cheaper", "dear", "dearer"].iter();
    begins
        && reading.wish.budgets.contains(&number)
        && !reading.named.is_empty()
        && !reading.at.is_question
        && reading.named.iter().all(is_dearer)
        && !otherwise.any(|key| reading.marks_near(key))
        && !orders.any(|key| reading.claims_near(key))
}

#[cfg(test)]
mod tests {
    use crate::answer::prose::trial::{novels, tells_apart, told_with};

    #[test]
    fn whose_an_item_is_bounds_no_price() {
        let pairs = [(
            "The Northern Harbour from Peter Quill is €14.50, and fine.",
            "The Northern Harbour from Peter Quill is €12.50, and fine.",
        )];
        tells_apart("en", &novels(), "a novel", &pairs);
    }

    #[test]
    fn an_amount_reaches_to_what_costs_no_more() {
        let pairs = [
            ("Con tus 20 € te llevas {2}.", "Con tus 20 € te llevas {3}."),
            ("Con tus 20 te llevas {2}.", "Con tus 20 te llevas {3}."),
            ("Con 20 € tienes {2}.", "Con 20 € tienes {3}."),
        ];
        tells_apart("es", &novels(), "algo por 20 €", &pairs);
        let pairs = [("Your €20 buys {2}.", "Your €20 buys {3}.")];
        tells_apart("en", &novels(), "something for €20", &pairs);
        let pairs = [("Com os seus 20 € leva {2}.", "Com os seus 20 € leva {3}.")];
        tells_apart("pt", &novels(), "algo por 20 €", &pairs);
    }

    /// Whatever else it is: another's price, a sum, a difference, what is left, the shopper's own amount, so many times a price.
    #[test]
    fn what_an_item_is_said_to_cost_is_its_price() {
        let mut items = novels();
        for (item, price) in items.iter_mut().zip([20_000, 35_000, 90_000]) {
            item.price_minor = price;
        }
        let es = [
            "{1} cuesta X.",
            "{1} vale X €.",
            "El precio de {1} es X.",
            "{1} tiene un precio de X €.",
            "{1} sale a X €.",
            "{1} te sale hoy por X €.",
            "{1} cuesta ahora X €.",
            "{1} por X €.",
            "{1}, por X €, te gustará.",
            "{1} (X €).",
            "{1}: X €.",
            "Te llevas {1} por X €.",
            "Por X € tienes {1}.",
            "Por solo X € te llevas {1}.",
            "{1} está disponible y cuesta X €.",
            "{1} es una historia del mar. Cuesta X €.",
            "{1} es una historia del mar y cuesta X €.",
            "{1}, que cuesta X €, es una historia del mar.",
            "{1} cuesta X, menos que {3}.",
            "{2} te gustará, y {1} cuesta X €.",
            "{1} cuesta X € y {2} está disponible.",
        ];
        let en = [
            "{1} costs X.",
            "{1} costs €X.",
            "{1} is €X.",
            "The price of {1} is X.",
            "{1} at €X.",
            "{1} for €X.",
            "{1} (€X).",
            "{1} sells for €X.",
            "{1} is priced at €X.",
            "For €X you get {1}.",
            "You can have {1} for only €X.",
            "{1}, at €X, is a story of the sea.",
            "{1} is a story of the sea. It costs €X.",
            "{1} is a story of the sea and it's €X.",
            "{2} is a story of the sea, and {1} costs €X.",
        ];
        let pt = [
            "{1} custa X.",
            "{1} custa X €.",
            "{1} fica por X €.",
            "{1} está por X €.",
            "{1} por X €.",
            "O preço de {1} é X.",
            "Por X € leva {1}.",
            "{1} é uma história do mar. Custa X €.",
        ];
        let asked = [
            (
                "es",
                &es[..],
                "algo del mar, tengo 500 €, o entre 100 y 600 €",
            ),
            ("en", &en, "the sea, I have €500, or between 100 and 600"),
            ("pt", &pt, "algo do mar, tenho 500 €, ou entre 100 e 600 €"),
        ];
        let amounts = [
            100, 150, 300, 350, 400, 500, 550, 600, 700, 900, 1_100, 1_250, 2_000,
        ];
        for (language, lines, message) in asked {
            let told = told_with(language, &items, message, lines, &amounts);
            assert!(told.is_empty(), "{told:#?}");
        }
    }
}
