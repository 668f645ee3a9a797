//! What an item costs, in the shop's own currency.

use mostrador_core::{
    price::Price,
    shop::{Profile, currency},
};

use crate::table::{Members, written};

/// What prices are in where an item says nothing.
const EURO: &str = "EUR";

/// The price of a line, by the decimals of the shop's currency.
pub(crate) fn price(members: &Members, shop: &Profile) -> Result<Price, String> {
    let text = written(members.get("precio"));
    if text.is_empty() {
        return Err("precio is missing".to_owned());
    }
    // Amounts are kept in hundredths.
    let digits = currency::minor_digits(&shop.currency).unwrap_or(2).min(2);
    let has_few = text
        .split_once(['.', ','])
        .is_none_or(|(_, decimals)| decimals.len() <= usize::from(digits));
    let read = Price::parse(&text).ok().filter(|_| has_few);
    let price = read.ok_or_else(|| {
        let decimals = match digits {
            0 => "without decimals",
            _ => "with at most two decimals",
        };
        format!("precio {text:?} is not an amount {decimals}, up to 10000000")
    })?;
    if price == Price::default() && !shop.zero_prices {
        return Err(format!(
            "precio {text:?} is a price for nothing; zero_prices = true in the profile takes it, or --allow-free"
        ));
    }
    Ok(price)
}

/// What the line's price is in, where that is not what goes without saying; it has to be the shop's currency.
pub(crate) fn currency(members: &Members, shop: &Profile) -> Result<Option<String>, String> {
    let text = written(members.get("moneda"));
    let code = &shop.currency;
    if !text.is_empty() && text != *code {
        return Err(format!(
            "moneda {text:?} is not {code}, which the shop's prices are in"
        ));
    }
    Ok(Some(code.clone()).filter(|code| code != EURO))
}
