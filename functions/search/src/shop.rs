//! `GET shop/`: the shop's profile, for everybody.

use mostrador_core::{
    limits::Scope,
    shop::{Attribute, Exception, Interval, Profile, Texts, Weekday, currency},
};
use mostrador_web::{Call, Rated, Reply};
use time::format_description::well_known::Rfc3339;

use crate::{
    Deps,
    describe::{
        ShopAnswer, ShopAttribute, ShopContact, ShopCurrency, ShopDay, ShopException, ShopHelpline,
        ShopNoun, ShopOpening, ShopPlace,
    },
};

pub(crate) async fn get(deps: &Deps, call: &Call) -> Rated<Reply> {
    let counted = deps.gate.rate(call, Scope::Search).await;
    let public = async |()| {
        let shop = deps.shop.current().await;
        Ok(Reply::ok(&public(&shop, call)))
    };
    counted.and_then(public).await
}

fn public(shop: &Profile, call: &Call) -> ShopAnswer {
    let languages = shop.languages();
    let locale = shop.locale(call.language);
    let language = locale.language;
    let text = |texts: &Texts| shop.text(texts, language).map(str::to_owned);
    let attribute = |attribute: &Attribute| ShopAttribute {
        key: attribute.key.clone(),
        label: text(&attribute.label).unwrap_or_else(|| attribute.key.clone()),
        holds: attribute.holds.name().to_owned(),
        names: attribute.names,
        filter: attribute.filter,
        facet: attribute.facet,
    };
    let exception = |exception: &Exception| ShopException {
        date: exception.date.clone(),
        until: exception.until.clone(),
        hours: written(&exception.hours),
        reason: text(&exception.reason),
    };
    let days = Weekday::ALL.map(|day| ShopDay {
        day: day.name().to_owned(),
        hours: shop
            .hours
            .get(day.name())
            .map_or_else(Vec::new, |h| written(h)),
    });
    let noun = locale.noun().into_owned();
    let contact = shop.contact.clone();
    ShopAnswer {
        name: shop.name.clone(),
        assistant: shop.assistant().to_owned(),
        language: language.tag().to_owned(),
        languages: languages.iter().map(|l| l.tag().to_owned()).collect(),
        noun: ShopNoun {
            one: noun.one,
            many: noun.many,
            gender: noun.gender,
        },
        currency: ShopCurrency {
            code: shop.currency.clone(),
            decimals: currency::minor_digits(&shop.currency).unwrap_or(2),
        },
        time_zone: shop.time_zone.clone(),
        hours: (!shop.hours.is_empty()).then(|| days.into()),
        exceptions: shop.exceptions.iter().map(exception).collect(),
        opening: shop.opening(call.now).map(|opening| ShopOpening {
            is_open: opening.is_open,
            changes_at: opening.changes_at.and_then(|at| at.format(&Rfc3339).ok()),
        }),
        contact: ShopContact {
            phone: contact.phone,
            whatsapp: contact.whatsapp,
            email: contact.email,
            url: contact.url,
        },
        places: shop
            .places
            .iter()
            .map(|place| ShopPlace {
                name: place.name.clone(),
                address: place.address.clone(),
            })
            .collect(),
        attributes: shop.attributes.iter().map(attribute).collect(),
        starters: locale.starters().to_vec(),
        policies: shop
            .policies
            .iter()
            .filter_map(|(topic, texts)| Some((topic.clone(), text(texts)?)))
            .collect(),
        helpline: shop.helpline.clone().map(|helpline| ShopHelpline {
            name: helpline.name,
            phone: helpline.phone,
            url: helpline.url,
        }),
    }
}

fn written(intervals: &[Interval]) -> Vec<String> {
    let intervals = intervals.iter();
    intervals.map(|interval| interval.0.clone()).collect()
}
