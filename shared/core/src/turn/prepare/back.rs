//! What a message goes back to, by what is in the catalogue.

use std::cmp::Reverse;

use super::decide::{SURE_OF_NO_NAME, SURE_OF_WORDS};
use crate::{
    catalogue::{ItemResult, StockedItem},
    dialogue::{
        Back, Names, Shown, asks_for_another, asks_for_others, content, copies, each_once,
        joined_parts, leaves_out, names_one, naming, only_copies, says_how_many, says_place,
        says_that, without_change,
    },
    index::{Filters, Sort},
    language::List,
    log::Commit,
    shop::Locale,
    text::{clauses, words},
    tools::shop_info,
    turn::types::{Caller, ChatRequest, TurnEngine},
    understand::{
        Fact, Route, Step,
        intent::{Intent, Meant, meant},
        recommends, route,
        topic::{Topic, speaks_of_terms, topics},
    },
};

/// Most clauses of a message in each of which a title is looked for.
const CLAUSES_MAX: usize = 8;

/// What a message names of what was shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Named {
    /// The item of that number.
    One(u64),
    Several,
}

/// What was shown before the question: as the log has it where the conversation is kept, and else as the caller has.
pub(super) fn shown_before(
    caller: &Caller,
    request: &ChatRequest,
    read: Option<&[Commit]>,
) -> Shown {
    let Some(commits) = read else {
        return request.shown.clone().unwrap_or_default();
    };
    let is_own = |commit: &Commit| {
        let begun = caller.begun;
        begun.is_some_and(|begun| begun.first_seq == commit.first_seq)
    };
    let shown = match commits.split_first() {
        Some((newest, before)) if is_own(newest) => Shown::of_log(before),
        _ => Shown::of_log(commits),
    };
    // Who has just signed in brings along what was shown before.
    match &request.shown {
        Some(brought) if shown == Shown::default() => brought.clone(),
        _ => shown,
    }
}

/// Whether what was shown may be meant by a message for which that would be done by its words alone; `says_plainly` where it says yes or
/// no and nothing else.
pub(super) fn may_be_of_shown(
    by_words: Step,
    says_plainly: bool,
    message: &str,
    asks_attribute: bool,
) -> bool {
    match by_words {
        Step::Find => true,
        // "Muda pra 2", "otro".
        Step::Say(_) | Step::Ask(_) | Step::Read(_)
            if asks_for_others(message)
                || (only_copies(message).is_some() && says_how_many(message).is_some()) =>
        {
            true
        }
        // "Who wrote it?", whatever else that may be.
        Step::Read(_) | Step::Ask(_) | Step::Say(Intent::OffTopic | Intent::Help)
            if !Fact::alone(message).is_empty() || asks_of_place(message) || asks_attribute =>
        {
            true
        }
        Step::Propose(change) => change.is_of_item(),
        // "Yes, the second one."
        Step::Say(Intent::Yes | Intent::No) => !says_plainly,
        Step::Say(_) | Step::Ask(_) | Step::Read(_) | Step::Leave => false,
    }
}

/// Whether a message asks for a fact of one by its place: "quantos vcs têm do segundo?"
fn asks_of_place(message: &str) -> bool {
    says_place(message) && !Fact::in_words(&words(message)).is_empty()
}

/// What a question to the shop is about: the same as the one that it goes on with, unless it is surely about something else: "¿y el
/// teléfono?"
pub(super) fn topic_of(question: &str, goes_on: Option<Topic>) -> Topic {
    const SURE: f32 = 0.75;
    let before = goes_on.filter(|_| topics(question)[0].1 < SURE);
    before.unwrap_or_else(|| shop_info::topic_of(question))
}

impl TurnEngine {
    /// What a message is routed to by itself. "The book 100 years of solitude" is no item of that number.
    pub(super) async fn routed(&self, message: &str, currency: &str) -> Route {
        match route(message, currency) {
            Route::LookupId(number) if self.retrieval.is_title_from(number, message).await => {
                Route::Search
            }
            route => route,
        }
    }

    /// What a message is routed to that goes back to what was shown; and what it is to be asked for first.
    pub(super) async fn go_back(
        &self,
        shown: &Shown,
        message: &str,
        meant: Meant,
        by_itself: Route,
    ) -> (Route, Option<Step>) {
        let back = shown.back(message, meant, &by_itself);
        // "Fundación, agrégame esa."
        let has_clauses = clauses(message).nth(1).is_some();
        if back.is_none()
            || (has_clauses && self.titled(message).await.is_some())
            || self
                .retrieval
                .names_title(message, &without_change(message))
                .await
        {
            return (by_itself, None);
        }
        match back {
            Some(Back::To(Route::LookupId(item)))
                if says_place(message)
                    && self.retrieval.names_another(&content(message), item).await =>
            {
                (by_itself, None)
            }
            // "¿Y Ficciones?"
            Some(Back::To(Route::More { .. }))
                if self.retrieval.is_title(&content(message).join(" ")).await =>
            {
                (by_itself, None)
            }
            // "Los dos" behind a list of one maker's may be any of them.
            Some(Back::To(Route::LookupIds(_)))
                if shown.is_counted(message) && self.are_alike(shown).await =>
            {
                (by_itself, Some(Step::Ask("which-of-these")))
            }
            Some(Back::To(route)) => (route, None),
            Some(Back::Among(sort)) => match self.first_of(shown, sort, message).await {
                Some(first) => (Route::LookupId(first), None),
                None => (by_itself, None),
            },
            Some(Back::Choice) => match self.choice_of(shown).await {
                Some(choice) => (Route::LookupId(choice), None),
                None => (by_itself, None),
            },
            Some(Back::ToMaker(sort)) => match self.more_of_maker(shown, sort, message).await {
                Some(more) => (more, None),
                None => (by_itself, None),
            },
            Some(Back::ToNothing) => (by_itself, Some(Step::Ask("nothing-shown"))),
            Some(Back::ToSome) => (by_itself, Some(Step::Ask("which-of-these"))),
            None => (by_itself, None),
        }
    }

    /// The one of what was shown, or is there beside it, that a message names by a word; or that it names several.
    pub(super) async fn named_among(&self, shown: &Shown, message: &str) -> Option<Named> {
        let all = shown.all_seen();
        if all.is_empty() || self.retrieval.is_title(&content(message).join(" ")).await {
            return None;
        }
        let now = self.clock.now();
        let items = self.retrieval.catalogue.get(&all, false).await.ok()?;
        let results = |numbers: &[u64]| -> Vec<ItemResult> {
            let of_these = items.iter();
            let of_these = of_these.filter(|stocked| numbers.contains(&stocked.item.libro_id));
            let results = of_these
                .map(|stocked| ItemResult::new(stocked.item.clone(), stocked.available(now), None));
            results.collect()
        };
        // What was shown last is nearer than what was before.
        let named = |message: &str| {
            [shown.items(), &all].into_iter().find_map(|numbers| {
                let results = results(numbers);
                Some(match names_one(message, &results)? {
                    Names::One(place) => Named::One(results.get(place)?.libro_id),
                    Names::Several => Named::Several,
                })
            })
        };
        // "El de la cáscara de nuez, que va ilustrado. Añádelo."
        let of_clause = || {
            let markers = List::Markers.in_all();
            let mut clauses = clauses(message).filter(|clause| {
                let said = words(clause);
                said.first()
                    .is_some_and(|first| markers.stands(first, "article"))
            });
            let one = clauses.find_map(named);
            one.filter(|one| matches!(one, Named::One(_)))
        };
        named(message).or_else(of_clause)
    }

    /// The item whose whole title is in a clause of a message: "ponme dos de Mujercitas, que somos varias".
    pub(super) async fn titled(&self, message: &str) -> Option<u64> {
        for clause in clauses(message).take(CLAUSES_MAX) {
            let named = content(clause).join(" ");
            if !named.is_empty()
                && let Some(number) = self.retrieval.titled(clause, &named, 1).await
            {
                return Some(number);
            }
        }
        None
    }

    /// What is done about a message that sounds like something else by its words alone: what the shop's own texts say whole, or what is
    /// nearly a title, as in "do you have one hundred years of solitud".
    pub(super) async fn asks_otherwise(
        &self,
        (by_words, meant): (Step, Meant),
        message: &str,
        locale: Locale<'_>,
    ) -> Option<Step> {
        match by_words {
            Step::Read(shop_info::NAME) if meant.confidence < SURE_OF_NO_NAME => {
                let is_title = self.retrieval.is_nearly_title(&content(message)).await;
                is_title.then_some(Step::Find)
            }
            Step::Find | Step::Read(_) if meant.confidence < SURE_OF_WORDS => {
                let is_terms = speaks_of_terms(message);
                let says = || by_words == Step::Find && shop_info::says_all(message, 2, locale);
                let is_of_shop = (is_terms || says()) && self.titled(message).await.is_none();
                is_of_shop.then_some(Step::Read(shop_info::NAME))
            }
            _ => None,
        }
    }

    /// The item whose whole title is all that one of several clauses of a message says, or all beside a number of copies: "y 12 de Bodas de
    /// sangre".
    pub(super) async fn titled_alone(&self, message: &str) -> Option<u64> {
        if copies(message, "", None).is_some() {
            let named = content(message);
            return self.retrieval.titled_alone(message, &named).await;
        }
        let clauses: Vec<&str> = clauses(message).collect();
        if !(2..=CLAUSES_MAX).contains(&clauses.len()) || leaves_out(message) {
            return None;
        }
        // "Me late El resplandor, ¿en cuánto sale?"
        let asks = |clause: &&str| !Fact::alone(clause).is_empty();
        let is_asked = clauses.iter().any(asks);
        for clause in clauses.into_iter().filter(|clause| !asks(clause)) {
            let named = List::beside(&[List::Agreement], &content(clause)).join(" ");
            let is_title = self.retrieval.is_title(&named).await;
            let titled = match is_asked || is_title {
                true => self.retrieval.titled(clause, &named, 1).await,
                false => None,
            };
            if !named.is_empty() && titled.is_some() {
                return titled;
            }
        }
        None
    }

    /// The item whose whole title is all that a message names beside the facts that it asks for: "quanto custa o principezinho e quem é o
    /// autor?"
    pub(super) async fn titled_and_asked(&self, message: &str) -> Option<u64> {
        let named = naming(message).join(" ");
        let asks = !named.is_empty() && !Fact::in_words(&words(message)).is_empty();
        match asks {
            true => self.retrieval.titled(message, &named, 1).await,
            false => None,
        }
    }

    /// The items of several titles that a message names and nothing else, and of what was shown beside them: "ponme Dune y 1984", "dos de
    /// esa y una de Rayuela". A look at one says "un segundo" for itself, so what was shown is of a change alone.
    pub(super) async fn several_titled(
        &self,
        message: &str,
        shown: Option<&Shown>,
        is_change: bool,
    ) -> Option<Vec<u64>> {
        if leaves_out(message) {
            return None;
        }
        let says_like = List::Similar.in_all().says(&words(message), "like");
        let is_open = says_like || recommends(message);
        let titles = each_once(self.retrieval.titles_joined(message).await);
        if titles.len() > 1 && !is_open {
            return Some(titles);
        }
        let parts: Vec<String> = joined_parts(message)
            .iter()
            .map(|part| part.join(" "))
            .collect();
        if parts.len() < 2 {
            return None;
        }
        // "Guerra y paz" is one, and of "dos de esa y una de Rayuela" the one part is all that has a name.
        let whole = content(message).join(" ");
        let is_of_one = parts.iter().any(|part| content(part).join(" ") == whole);
        if !is_of_one && self.retrieval.is_title(&whole).await {
            return None;
        }
        // "Bodas de sangre, añádelo" is one.
        let is_one_clause = !message.contains([',', ';', '\n']);
        let (mut items, mut has_title) = (Vec::new(), false);
        for part in parts {
            let named = content(&part).join(" ");
            if !named.is_empty() {
                has_title = true;
                items.push(self.retrieval.titled(&part, &named, 1).await?);
            } else if says_place(&part) || (says_that(&part) && is_one_clause) {
                let back = shown
                    .filter(|_| is_change)?
                    .back(&part, meant(&part), &Route::Search);
                let Some(Back::To(Route::LookupId(number))) = back else {
                    return None;
                };
                items.push(number);
            }
        }
        // Of what was shown alone, that itself tells.
        has_title.then_some(())?;
        let items = each_once(items);
        (items.len() > 1).then_some(items)
    }

    /// Whether what was shown last is several of one maker, or of one kind.
    async fn are_alike(&self, shown: &Shown) -> bool {
        let items = self.retrieval.catalogue.get(shown.items(), false).await;
        let items = items.unwrap_or_default();
        let Some((first, others)) = items.split_first() else {
            return false;
        };
        let is_alike =
            |of: fn(&StockedItem) -> &str| others.iter().all(|other| of(other) == of(first));
        !others.is_empty()
            && (is_alike(|stocked| &stocked.item.autor)
                || is_alike(|stocked| &stocked.item.categoria))
    }

    /// The items of several titles that a message compares, in the order by which it does: "which is cheaper, Hamlet or Macbeth?"
    pub(super) async fn titles_compared(&self, message: &str, route: &Route) -> Option<Vec<u64>> {
        let Route::Filter { filters, sort, .. } = route else {
            return None;
        };
        if !filters.is_empty() || sort.is_relevance() {
            return None;
        }
        let titles = each_once(self.retrieval.titles_joined(message).await);
        if titles.len() < 2 {
            return None;
        }
        let now = self.clock.now();
        let mut items = self.retrieval.catalogue.get(&titles, false).await.ok()?;
        items.sort_by_key(|stocked| {
            let item = &stocked.item;
            sort.place(item.precio, stocked.available(now), item.publicado)
        });
        let items = items.iter().map(|stocked| stocked.item.libro_id);
        Some(items.collect())
    }

    /// The first in that order of what was shown.
    async fn first_of(&self, shown: &Shown, sort: Sort, message: &str) -> Option<u64> {
        let now = self.clock.now();
        let compared = shown.compared_in(message);
        let items = self.retrieval.catalogue.get(&compared, false).await;
        let mut items = items.ok()?;
        if sort == Sort::MostSold {
            items.retain(|stocked| stocked.sold > 0);
            items.sort_by_key(|stocked| Reverse(stocked.sold));
        }
        // "¿Cuál de los dos es más caro?" asks for what is so, be it sold out or not.
        let is_question = message.contains('?');
        let first = items.into_iter().min_by_key(|stocked| {
            let item = &stocked.item;
            let (is_sold_out, place) =
                sort.place(item.precio, stocked.available(now), item.publicado);
            (is_sold_out && !is_question, place)
        });
        Some(first?.item.libro_id)
    }

    /// The one of what was shown that the shop would choose: of those in stock one that it recommends anyway, or that has sold most, or
    /// that came first.
    async fn choice_of(&self, shown: &Shown) -> Option<u64> {
        let now = self.clock.now();
        let items = self.retrieval.catalogue.get(shown.in_order(), false).await;
        let picks = &self.shop.current().await.picks;
        let choice = items.ok()?.into_iter().min_by_key(|stocked| {
            let number = stocked.item.libro_id;
            let is_pick = picks.iter().any(|pick| pick.number() == number);
            let place = shown.in_order().iter().position(|shown| *shown == number);
            let is_sold_out = stocked.available(now) == 0;
            (is_sold_out, !is_pick, Reverse(stocked.sold), place)
        });
        Some(choice?.item.libro_id)
    }

    /// What else there is by whoever made the first of what was shown.
    async fn more_of_maker(&self, shown: &Shown, sort: Sort, message: &str) -> Option<Route> {
        let first = shown.first()?;
        let found = self.retrieval.catalogue.get(&[first], false).await;
        let maker = found.ok()?.pop()?.item.autor;
        (!maker.is_empty()).then(|| Route::More {
            text: String::new(),
            filters: Filters {
                autor: Some(maker),
                ..Filters::default()
            },
            sort,
            // "El más caro de ella" may be the same.
            seen: match sort.is_relevance() || asks_for_another(message) {
                true => vec![first],
                false => Vec::new(),
            },
        })
    }
}
