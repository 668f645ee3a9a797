//! The shopper's own amount: whether it reaches to what is said to fit it.

use super::{
    Fault,
    reading::Reading,
    token::{Token, of_count},
};

/// "Los cuatro caben en tus 20 €", "{1} and {2} together fit your budget": each costs no more, and together they do not where they are
/// added up. What is denied, asked, or said of one alone is left to other rules.
pub(super) fn check(reading: &Reading<'_>) -> Result<(), Fault> {
    let mut otherwise = ["if", "negation", "one-of", "only", "over"].iter();
    // "Stays under" says no difference.
    let differs = reading.marks("difference") && !reading.marks("under");
    if !reading.marks("fits")
        || reading.subject.is_empty()
        || reading.count.is_some()
        || reading.at.is_question
        || differs
        || otherwise.any(|key| reading.marks(key))
    {
        return Ok(());
    }
    let budgets = &reading.wish.budgets;
    let numbers = reading.tokens.iter().filter_map(Token::number);
    let numbers: Vec<i64> = numbers.collect();
    let amount = match numbers[..] {
        [amount] if budgets.contains(&amount) => Some(amount),
        // "Los cuatro".
        [several, amount] if budgets.contains(&amount) => {
            Some(amount).filter(|_| of_count(reading.subject.len()) == several)
        }
        [] => reading.wish.budget.filter(|_| reading.marks("budget")),
        _ => None,
    };
    let Some(amount) = amount else { return Ok(()) };
    let prices = reading
        .subject
        .iter()
        .map(|item| reading.known[*item].item.price_minor);
    let needed = if is_sum(reading) {
        prices.sum()
    } else {
        prices.max().unwrap_or_default()
    };
    if needed <= amount {
        Ok(())
    } else {
        Err(Fault::Claim)
    }
}

/// "{1} con {2}", "{1} and {2} together".
fn is_sum(reading: &Reading<'_>) -> bool {
    let is_name = |token: &Token| token.one_item().is_some();
    let mut runs = reading.tokens.windows(3);
    let joins = |word: &Token| reading.lexicon.markers.stands(&word.folded, "with");
    (reading.marks("sum") && !reading.marks("both"))
        || runs.any(|run| is_name(&run[0]) && joins(&run[1]) && is_name(&run[2]))
}

#[cfg(test)]
mod tests {
    use crate::answer::prose::trial::{novels, tells_apart};

    #[test]
    fn what_is_supposed_is_what_is_wished_in_that_line() {
        let pairs = [(
            "Si no quieres pasar de 15 euros, {1} y {2} entran.",
            "Si no quieres pasar de 15 euros, {3} entra.",
        )];
        tells_apart("es", &novels(), "una novela", &pairs);
    }

    #[test]
    fn what_is_said_to_fit_an_amount_costs_no_more() {
        let pairs = [
            ("{2} fits your €26.", "{3} fits your €26."),
            (
                "{1} and {2} together fit your €26.",
                "{1} and {3} together fit your €26.",
            ),
        ];
        tells_apart("en", &novels(), "something for 26 euros", &pairs);
        let pairs = [(
            "{1} con {2} cabe en tus 26 €.",
            "{1} con {3} cabe en tus 26 €.",
        )];
        tells_apart("es", &novels(), "algo por 26 euros", &pairs);
        let wrong = [("{1} cabe nos seus 26 €.", "Os três cabem nos seus 26 €.")];
        tells_apart("pt", &novels(), "algo por 26 euros", &wrong);
    }
}
