//! The answer without a model: what was found, in the same parts as a model's answer.

use super::{
    Action,
    part::{Field, Part},
    prose::Item,
    render::{Line, Renderer, name},
};
use crate::{
    catalogue::ItemResult,
    files::Citation,
    index::{Sort, Source},
    price::Total,
    retrieval::{NO_MORE, NOTHING_SAID, NOTHING_SOLD, Priced, Recommended, Retrieved},
    shop::Locale,
    text::truncate,
    understand::{Fact, MAYBE_DISTRESS, Step, intent::Intent},
};

/// Most `view_book` actions.
const VIEWED: usize = 5;
/// Most items in the message; the rest are in the results.
pub(crate) const LISTED: usize = 3;

/// What was read besides items.
pub(crate) struct Read<'a> {
    /// What the message is for, and why there is not what was asked for.
    pub(crate) record: Option<(&'a [String], Option<&'a str>)>,
    /// What else it asked for.
    pub(crate) beside: &'a [String],
}

/// The lines for what was found: an opening, and a list.
#[must_use]
pub(crate) fn lines(
    step: Step,
    Read { record, beside }: Read<'_>,
    found: &Retrieved,
    cited: &[Citation],
    locale: Locale<'_>,
) -> Vec<Line> {
    let most = usize::from(locale.shop.prompt.bullets_max).max(1);
    if let Some((lines, error)) = record {
        let unavailable = [locale.text("record-unavailable")];
        let lines = match error {
            Some("unavailable") => &unavailable,
            _ => lines,
        };
        return in_lines(lines, beside, most);
    }
    match step {
        Step::Say(intent) => return in_lines(&said(intent, locale), beside, most),
        Step::Ask(question) => {
            let helpline = helpline(locale).filter(|_| question == MAYBE_DISTRESS);
            let texts = std::iter::once(locale.text(question)).chain(helpline);
            return in_lines(&texts.collect::<Vec<_>>(), beside, most);
        }
        Step::Leave => return Vec::new(),
        Step::Find | Step::Read(_) | Step::Propose(_) => {}
    }
    let mut told = told(found, locale).into_iter();
    if let Some(first) = told.next() {
        let offer = Line::of_text(locale.text("offer-similar")).listed();
        let others = told.map(Line::listed);
        let own = std::iter::once(first)
            .chain(others)
            .chain((most > 0).then_some(offer));
        let beside = beside.iter().map(|text| Line::of_text(text).listed());
        return own.chain(beside).take(most + 1).collect();
    }
    let caution = caution(found, locale);
    let more = usize::from(caution.is_some()) + usize::from(!cited.is_empty()) + beside.len();
    // What was found comes first, where there is room for one line alone.
    let room = most.saturating_sub(more).max(1);
    let (opening, mut listed) = match found.results.len() {
        0 => nothing_found(found, locale),
        _ => found_some(found, room, locale),
    };
    if !beside.is_empty() && !found.results.is_empty() {
        // What was asked for beside comes in the place of an offer.
        listed.retain(|line| line.segments.iter().any(|segment| segment.item.is_some()));
    }
    listed.truncate(room);
    let room = most - listed.len();
    listed.extend(beside.iter().take(room).map(Line::of_text));
    let room = most.saturating_sub(listed.len());
    if let Some(nearest) = cited
        .first()
        .filter(|_| room > usize::from(caution.is_some()))
    {
        listed.push(Line::of_text(in_documents(nearest, locale)));
    }
    if let Some(caution) = caution.filter(|_| room > 0) {
        listed.push(Line::of_text(caution));
    }
    let listed = listed.into_iter().map(Line::listed);
    std::iter::once(Line::of_text(opening))
        .chain(listed)
        .collect()
}

/// What of the results is not as it was asked for.
fn caution(found: &Retrieved, locale: Locale<'_>) -> Option<String> {
    let is_filter_ignored = found.tool == "filter_catalog" && found.source != Source::Catalogue;
    if found.is_of_the_build() {
        Some(locale.text("caution-prices"))
    } else if found.degraded && found.error.is_none() && is_filter_ignored {
        Some(locale.text("caution-filter"))
    } else {
        None
    }
}

/// Where in the customer's documents the nearest is; its words stand beside the message.
fn in_documents(nearest: &Citation, locale: Locale<'_>) -> String {
    let name = name(&nearest.name);
    match nearest.page {
        Some(page) => {
            let page = page.to_string();
            let arguments = [("name", (&name).into()), ("page", (&page).into())];
            locale.message("in-documents-page", &arguments)
        }
        None => locale.message("in-documents", &[("name", (&name).into())]),
    }
}

/// What is said to what looks for nothing.
fn said(intent: Intent, locale: Locale<'_>) -> Vec<String> {
    let keys: &[&str] = match intent {
        Intent::Greeting => &["greeting", "greeting-how"],
        Intent::Thanks => &["thanks"],
        Intent::Goodbye => &["goodbye"],
        Intent::Yes => &["nothing-asked", "greeting-how"],
        Intent::No => &["nothing-wanted"],
        Intent::Distress => &["distress"],
        Intent::Help => &["help", "help-find", "help-own", "help-shop"],
        Intent::OffTopic => &["off-topic", "greeting-how"],
        Intent::Person => &["person"],
        Intent::Complaint => &["complaint"],
        // What is not done by words.
        _ => &["cannot"],
    };
    let is_for_people = !matches!(
        intent,
        Intent::Greeting
            | Intent::Thanks
            | Intent::Goodbye
            | Intent::Yes
            | Intent::No
            | Intent::Distress
            | Intent::Help
            | Intent::OffTopic
    );
    let contact = is_for_people.then(|| locale.contact()).flatten();
    let helpline = helpline(locale).filter(|_| intent == Intent::Distress);
    let who = (intent == Intent::Help).then(|| locale.who());
    let mut lines: Vec<String> = keys.iter().map(|key| locale.text(key)).collect();
    if let (Some(who), Some(first)) = (who, lines.first_mut()) {
        *first = format!("{who} {first}");
    }
    lines.extend(helpline.into_iter().chain(contact));
    lines
}

/// Whom somebody in distress can call.
fn helpline(locale: Locale<'_>) -> Option<String> {
    let line = locale.shop.helpline.as_ref()?;
    let arguments = [
        ("name", (&line.name).into()),
        ("phone", (&line.phone).into()),
    ];
    Some(locale.message("distress-helpline", &arguments))
}

/// An opening, and a list of `most` lines at most; what was asked for beside has its place in it.
fn in_lines(texts: &[String], beside: &[String], most: usize) -> Vec<Line> {
    let beside = beside.iter().filter(|text| !texts.contains(text));
    let beside: Vec<&String> = beside.take(most).collect();
    let own = (most + 1).saturating_sub(beside.len());
    let texts = texts.iter().take(own).chain(beside);
    let lines = texts.enumerate().map(|(place, text)| match place {
        0 => Line::of_text(text),
        _ => Line::of_text(text).listed(),
    });
    lines.collect()
}

fn nothing_found(found: &Retrieved, locale: Locale<'_>) -> (String, Vec<Line>) {
    let opening = match (found.error, &found.absent) {
        (Some("unavailable"), _) => locale.text("catalogue-unavailable"),
        (Some(NO_MORE), _) => locale.text("nothing-more"),
        (Some(NOTHING_SAID), _) => locale.text("nothing-said"),
        (_, Some(absent)) => not_there("absent", absent, locale),
        _ => locale.text("nothing-found"),
    };
    // A question needs no advice.
    let how = (found.error != Some(NOTHING_SAID)).then(|| locale.text("nothing-found-how"));
    (opening, how.into_iter().map(Line::of_text).collect())
}

/// That a name which was asked for is not there.
fn not_there(message: &str, absent: &str, locale: Locale<'_>) -> String {
    locale.message(message, &[("name", (&name(absent)).into())])
}

fn found_some(found: &Retrieved, most: usize, locale: Locale<'_>) -> (String, Vec<Line>) {
    let count = found.results.len();
    // The last line is an offer, if there is room for it.
    let listed = LISTED.min(most.saturating_sub(1)).max(1);
    let opening = match (found.tool, found.error) {
        (_, Some(NOTHING_SOLD)) => locale.text("nothing-sold"),
        (_, Some(_)) => locale.text("found-near"),
        _ if found.priced == Some(Priced::InAll) => {
            let prices = found.results.iter().map(|item| item.precio.times(1));
            let total = prices.sum::<Total>().display(locale);
            locale.message("found-sum", &[("total", (&total).into())])
        }
        _ if found.recommended == Some(Recommended::Picks) => {
            let count = count.min(listed);
            locale.message("recommended-picks", &[("count", count.into())])
        }
        _ if found.recommended == Some(Recommended::Varied) => locale.text("recommended-varied"),
        ("lookup_book", _) => locale.message("found-it", &[("count", count.into())]),
        _ if found.sort == Sort::MostSold => locale.text("found-most-sold"),
        _ if count > 1 && !found.sort.is_relevance() => locale.text(match found.sort {
            Sort::PriceAsc => "found-by-price",
            Sort::PriceDesc => "found-by-price-down",
            Sort::Oldest => "found-oldest",
            Sort::Newest | Sort::MostSold | Sort::Relevance => "found-newest",
        }),
        _ if count > listed => {
            // How many there are, nobody has counted.
            locale.message("found-many", &[("listed", listed.into())])
        }
        _ => locale.message("found", &[("count", count.into())]),
    };
    let opening = match &found.absent {
        Some(absent) if found.error.is_none() => not_there("absent-near", absent, locale),
        _ => opening,
    };
    let mut renderer = Renderer::new(locale);
    let results = found.results.iter().take(listed);
    let mut lines: Vec<Line> = results.map(|item| item_line(item, &mut renderer)).collect();
    // Where there is one alone, there is nothing to narrow down.
    let offer = if found.recommended.is_some() {
        "offer-taste"
    } else if count == 1 || found.tool == "lookup_book" {
        "offer-similar"
    } else {
        "offer-refining"
    };
    lines.push(Line::of_text(locale.text(offer)));
    (opening, lines)
}

/// The facts that were asked for, of the first result, each in a line.
fn told(found: &Retrieved, locale: Locale<'_>) -> Vec<Line> {
    let is_told = found.error.is_none() && found.priced.is_none();
    let Some(first) = found.results.first().filter(|_| is_told) else {
        return Vec::new();
    };
    let mut renderer = Renderer::new(locale);
    let asked = found.asked.iter();
    asked
        .map(|fact| fact_line(*fact, first, &mut renderer, locale))
        .collect()
}

fn fact_line(
    fact: Fact,
    first: &ItemResult,
    renderer: &mut Renderer<'_>,
    locale: Locale<'_>,
) -> Line {
    /// Where the item stands in a sentence, and where what is told of it.
    const ITEM: char = '\u{1}';
    const FACT: char = '\u{2}';
    /// Longest text of what an item is about, in characters.
    const ABOUT_CHARS: usize = 400;
    let (key, told) = match fact {
        Fact::Price => ("fact-price", Part::Fact(0, Field::Price)),
        Fact::Copies => ("fact-copies", Part::Fact(0, Field::Left)),
        Fact::Maker if !first.autor.is_empty() => ("fact-maker", Part::Fact(0, Field::Maker)),
        Fact::Year if first.publicado.is_some() => ("fact-year", Part::Fact(0, Field::Year)),
        Fact::Publisher if !first.editorial.is_empty() => {
            ("fact-publisher", Part::Fact(0, Field::Publisher))
        }
        Fact::About if !first.descripcion.is_empty() => {
            let words: Vec<&str> = first.descripcion.split_whitespace().collect();
            let about = truncate(&words.join(" "), ABOUT_CHARS);
            ("fact-about", Part::Text(about))
        }
        Fact::Attribute(place) => match attribute(place, first, locale) {
            Some(told) => ("fact-attribute", Part::Text(told)),
            None => ("fact-unknown", Part::Text(String::new())),
        },
        Fact::Maker | Fact::Year | Fact::Publisher | Fact::About | Fact::Unknown => {
            ("fact-unknown", Part::Text(String::new()))
        }
    };
    let [title, fact] = [ITEM, FACT].map(String::from);
    let sentence = locale.message(key, &[("title", (&title).into()), ("fact", (&fact).into())]);
    let pieces = sentence.split_inclusive([ITEM, FACT]);
    let parts: Vec<Part> = pieces
        .flat_map(|piece| {
            let filled = match piece.chars().next_back() {
                Some(ITEM) => Some(Part::Item(0)),
                Some(FACT) => Some(told.clone()),
                _ => None,
            };
            let text = piece.trim_end_matches([ITEM, FACT]).to_owned();
            let text = (!text.is_empty()).then_some(Part::Text(text));
            text.into_iter().chain(filled)
        })
        .collect();
    let item = Item::from(first);
    renderer.line(&parts, |_| Some(&item), &[])
}

/// What an item has of an attribute, behind what the shop calls that: "Talla: S, M, L".
fn attribute(place: usize, item: &ItemResult, locale: Locale<'_>) -> Option<String> {
    let Locale { language, shop } = locale;
    let attribute = shop.attributes.get(place)?;
    let values = item
        .details
        .atributos
        .get(&attribute.key)?
        .texts()
        .join(", ");
    let label = attribute
        .label
        .get(language.tag())
        .or_else(|| attribute.label.values().next())?;
    Some(format!("{label}: {values}"))
}

/// An item in one line: "«Rayuela», de Julio Cortázar: 21,90 €, quedan 7."
fn item_line(result: &ItemResult, renderer: &mut Renderer<'_>) -> Line {
    let item = Item::from(result);
    let parts = [
        Part::Item(0),
        Part::Text(": ".to_owned()),
        Part::Fact(0, Field::Price),
        Part::Text(", ".to_owned()),
        Part::Fact(0, Field::Left),
        Part::Text(".".to_owned()),
    ];
    renderer.line(&parts, |_| Some(&item), &[])
}

/// An item's line, as an answer and a prompt list it.
#[must_use]
pub fn described(item: &ItemResult, locale: Locale<'_>) -> String {
    item_line(item, &mut Renderer::new(locale)).text()
}

/// What a page can offer next.
#[must_use]
pub(crate) fn actions(results: &[ItemResult], signed_in: bool, locale: Locale<'_>) -> Vec<Action> {
    let mut actions: Vec<Action> = results
        .iter()
        .take(VIEWED)
        .map(|item| match item.details.id.clone() {
            None => Action::ViewBook {
                libro_id: item.libro_id,
            },
            Some(item_id) => Action::ViewItem { item_id },
        })
        .collect();
    if !results.is_empty() {
        actions.push(Action::RefineSearch {
            hint: locale.text("hint-refine"),
        });
    }
    if signed_in {
        for item in results.iter().take(VIEWED).filter(|item| item.stock > 0) {
            let item_id = item.details.id.clone();
            let libro_id = item.libro_id;
            actions.push(Action::AddToCart {
                libro_id: item_id.is_none().then_some(libro_id),
                item_id: item_id.clone(),
            });
            actions.push(match item_id {
                None => Action::ReserveBook { libro_id },
                Some(item_id) => Action::ReserveItem { item_id },
            });
        }
    }
    actions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shop::Profile;

    #[test]
    fn it_has_as_many_lines_as_the_shop_wants() {
        let item = |libro_id| ItemResult {
            libro_id,
            ..ItemResult::named("Aura", "Carlos Fuentes")
        };
        let found = Retrieved {
            results: (1..=5).map(item).collect(),
            degraded: true,
            build_id: Some("b".to_owned()),
            ..Retrieved::nothing("search_catalog", Source::Vector)
        };
        let texts = ["uno", "dos", "tres"].map(str::to_owned);
        for most in 1..=5 {
            for beside in 0..=texts.len() {
                let mut shop = Profile::default();
                shop.prompt.bullets_max = most;
                for record in [None, Some((&texts[..1], None)), Some((&texts[..], None))] {
                    let read = Read {
                        record,
                        beside: &texts[..beside],
                    };
                    let locale = shop.locale(shop.default_language());
                    let lines = lines(Step::Find, read, &found, &[], locale);
                    assert!(lines.len() <= 1 + usize::from(most), "{most} {lines:?}");
                }
            }
        }
        for (most, items) in [(1, 1), (2, 1), (3, 2), (4, 3), (5, 3), (10, 3)] {
            let mut shop = Profile::default();
            shop.prompt.bullets_max = most;
            let lines = lines(
                Step::Find,
                Read {
                    record: None,
                    beside: &[],
                },
                &found,
                &[],
                shop.locale(shop.default_language()),
            );
            let listed = lines.iter().filter(|line| line.text().contains("9,00 €"));
            assert!(lines.len() <= 1 + usize::from(most), "{most} {lines:?}");
            assert_eq!(listed.count(), items, "{most} {lines:?}");
        }
    }
}
