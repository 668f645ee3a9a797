//! The items that a change is of.

use super::proposal::shown;
use crate::{
    actions::{Payload, of_item},
    answer::compose,
    catalogue::{ItemResult, title_in},
    dialogue::{
        Task, behind_agreement, content, copies, joined_parts, named_items, place_among,
        says_place, says_that,
    },
    language::{Language, List},
    retrieval::Retrieved,
    text::{place_of, words},
    turn::types::{Caller, Prepared, Record, TurnEngine},
    understand::{Change, Route, Step},
};

/// Most items among which the customer is asked to choose.
const ASKED_AMONG: usize = 3;

impl TurnEngine {
    /// The item that a message says and nothing else: by its place or number, its whole title, or as one of those shown.
    pub(super) fn item_said(&self, prepared: &Prepared) -> Option<u64> {
        let (message, found) = (&prepared.wish, &prepared.found.results);
        let number = |item: &ItemResult| item.libro_id;
        if let Route::LookupId(_) | Route::LookupIsbn(_) = prepared.route {
            return found.first().map(number);
        }
        let said = behind_agreement(message);
        let title = words(&said);
        let mut whole = found
            .iter()
            .filter(|item| item.titles().any(|own| words(own) == title));
        if let Some(item) = whole.next() {
            return whole.next().is_none().then(|| number(item));
        }
        let shown = shown(prepared)?;
        let among: Vec<_> = found
            .iter()
            .filter(|item| shown.has(number(item)))
            .cloned()
            .collect();
        match named_items(&said, &among)[..] {
            [one] => among.get(one).map(number),
            _ => None,
        }
    }

    /// The items that a change is of; or those among which they are.
    pub(super) async fn items_of(
        &self,
        task: &Task,
        prepared: &mut Prepared,
    ) -> Result<Vec<ItemResult>, Vec<ItemResult>> {
        if !task.items.is_empty() {
            self.look_at(&task.items, prepared).await;
        }
        // "Put it aside for me": what finds nothing names nothing; "put two of those aside" of one is of that.
        let finds_nothing = prepared.found.results.is_empty() && prepared.found.absent.is_none();
        let (says_that, names_nothing) = (says_that(&prepared.wish), names_nothing(&prepared.wish));
        if finds_nothing && (says_that || names_nothing) {
            let shown = shown(prepared).and_then(|shown| match says_that {
                true => shown.first(),
                false => shown.only(),
            });
            if let Some(number) = shown {
                self.look_at(&[number], prepared).await;
            }
        }
        let Retrieved { results, .. } = &prepared.found;
        if let Route::LookupIds(ids) = &prepared.route {
            // What was found in the place of what is gone is none of them.
            let mut named = results.clone();
            named.retain(|item| ids.contains(&item.libro_id));
            if leaves_choice(&prepared.wish, &named) {
                return Err(named);
            }
            // One is put aside after another.
            return match (task.change, &named[..]) {
                (Change::AddToCart, [_, ..]) => Ok(named),
                (Change::Reserve, [first, _, ..]) => {
                    prepared.says_more = true;
                    Ok(vec![first.clone()])
                }
                _ => Err(named),
            };
        }
        let is_said = match &prepared.route {
            Route::LookupId(_) | Route::LookupIsbn(_) => true,
            Route::Filter { sort, .. } => !sort.is_relevance(),
            _ => false,
        };
        if let Some(first) = results.first().filter(|_| is_said) {
            return Ok(vec![first.clone()]);
        }
        let named = named_items(&prepared.wish, results).into_iter();
        let mut named: Vec<ItemResult> = named.map(|place| results[place].clone()).collect();
        if let [one] = &named[..] {
            return Ok(vec![one.clone()]);
        }
        // "El segundo de Harry Potter", of those that were shown.
        let shown = shown(prepared).unwrap_or_default();
        let place = |item: &ItemResult| shown.items().iter().position(|id| *id == item.libro_id);
        if named.iter().all(|item| place(item).is_some()) {
            named.sort_by_key(place);
            let said = place_among(&prepared.wish, named.len());
            if let Some(one) = said.and_then(|at| named.get(at)) {
                return Ok(vec![one.clone()]);
            }
        }
        Err(named)
    }
}

/// Whether one of these is wanted and no other: "Drácula o Frankenstein".
fn leaves_choice(message: &str, items: &[ItemResult]) -> bool {
    let said = words(message);
    // "Drácula, o Frankenstein" are two in Portuguese.
    let own = Language::of_text(message).map(|own| own.phrases(List::Markers));
    let joints = own.unwrap_or(List::Markers.in_all());
    let titles = items
        .iter()
        .filter_map(|item| Some(title_in(item.titles(), &said)?.1));
    let mut titles: Vec<_> = titles.collect();
    titles.sort_by_key(|title| title.start);
    titles.windows(2).any(|pair| {
        let between = said.get(pair[0].end..pair[1].start).unwrap_or_default();
        between.iter().any(|word| joints.stands(word, "either"))
    })
}

/// Whether a message has no word that may name something.
fn names_nothing(message: &str) -> bool {
    let common = List::Recognised.in_all();
    let content = content(message);
    let mut content = content.iter();
    content.all(|word| List::is_small(word) || common.has(word))
}

/// What an item is called in a message: one of its titles that stands there, or the most words of one that do, or else its own: the
/// twenty of "o dos vinte poemas" are no copies.
pub(super) fn called_in(item: &ItemResult, message: &str) -> String {
    let said = words(message);
    if let Some((title, _)) = title_in(item.titles(), &said) {
        return title.to_owned();
    }
    let runs = item.titles().filter_map(|title| {
        let title = words(title);
        let mut lengths = (2..=title.len()).rev();
        lengths.find_map(|length| {
            let mut runs = title.windows(length);
            let run = runs.find(|run| place_of(run, &said).is_some())?;
            run.iter()
                .any(|word| !List::is_small(word))
                .then(|| run.to_vec())
        })
    });
    let longest = runs.max_by_key(Vec::len);
    longest.map_or_else(|| item.titulo.clone(), |run| run.join(" "))
}

/// What is put into the cart: so many copies of each item as the part of what was said tells that has its name, or its place.
pub(super) fn lines(items: &[ItemResult], said: &str) -> Vec<Payload> {
    let (parts, whole) = (joined_parts(said), words(said));
    let names = |part: &[String], item: &ItemResult| title_in(item.titles(), part).is_some();
    let is_named = |item: &&ItemResult| names(&whole, item);
    let by_place: Vec<&ItemResult> = items.iter().filter(|item| !is_named(item)).collect();
    let refers = |part: &str| says_place(part) || says_that(part);
    let places = parts.iter().filter(|part| refers(&part.join(" ")));
    let places = Some(places.collect::<Vec<_>>()).filter(|places| places.len() == by_place.len());
    let line = |item: &ItemResult| {
        let named = parts.iter().find(|part| names(part, item));
        let placed = || {
            let mut unnamed = by_place.iter();
            let place = unnamed.position(|other| other.libro_id == item.libro_id)?;
            places.as_ref()?.get(place).copied()
        };
        let part = named.or_else(placed);
        let said = part.and_then(|part| {
            let part = part.join(" ");
            copies(&part, &called_in(item, &part), None)
        });
        // "Dos ejemplares de Guerra y paz": a title may have in it what joins parts, and is counted right before it.
        let before = || {
            const WORDS: usize = 3;
            let (_, at) = title_in(item.titles(), &whole).filter(|_| part.is_none())?;
            let others = items.iter();
            let ends = others.filter_map(|other| Some(title_in(other.titles(), &whole)?.1.end));
            let from = ends.filter(|end| *end <= at.start).max().unwrap_or(0);
            let from = from.max(at.start.saturating_sub(WORDS));
            copies(&whole[from..at.start].join(" "), "", None)
        };
        // "O Tenório e o Hamlet, 3 do primeiro e 1 do segundo."
        let own = items
            .iter()
            .position(|other| other.libro_id == item.libro_id);
        let by_order = || {
            by_place.is_empty().then_some(())?;
            let mut parts = parts.iter().map(|part| part.join(" "));
            let part = parts.find(|part| place_among(part, items.len()) == own)?;
            copies(&part, "", None)
        };
        let copies = said.or_else(before).or_else(by_order).unwrap_or(1);
        let mut line = of_item(&item.id());
        line.0.insert("cantidad".to_owned(), copies.into());
        line
    };
    items.iter().map(line).collect()
}

pub(super) fn with_copies(mut payload: Payload, task: &Task) -> Payload {
    // A line is taken out whole where no number is said.
    let copies = match task.change {
        Change::RemoveFromCart => task.copies,
        change => task.copies.or(change.has_copies().then_some(1)),
    };
    if let Some(copies) = copies {
        payload.0.insert("cantidad".to_owned(), copies.into());
    }
    payload
}

/// Shows the items among which a change is of one, and asks which one. Where there are none, what was found is shown as ever.
pub(super) fn ask_which_item(caller: &Caller, among: &[ItemResult], prepared: &mut Prepared) {
    prepared.step = Step::Find;
    if among.is_empty() {
        return;
    }
    let locale = prepared.locale(caller.language);
    let lines = among.iter().take(ASKED_AMONG);
    let lines = lines.map(|item| compose::described(item, locale));
    let record = Record {
        lines: std::iter::once(locale.text("which-item"))
            .chain(lines)
            .collect(),
        asks: true,
        ..Record::default()
    };
    prepared.record = Some(record);
    prepared.found.results = among.to_vec();
}
