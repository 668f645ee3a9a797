//! What a turn needs before anything is emitted: the conversation so far and the items, read at once.

use std::pin::pin;

use futures_util::future::{OptionFuture, join4};

use super::{
    change::Said,
    types::{Caller, ChatRequest, Prepared, TurnEngine, TurnFailure},
};
use crate::{
    catalogue::ItemResult,
    chain::Chain,
    clock::elapsed_ms,
    dialogue::{Back, Shown, content, forbids, goes_on, may_go_back, plainly},
    files::{Citation, FoundInFiles, Wanted},
    ids::{ConversationNumber, Owner, Seq},
    limits::BegunTurn,
    log::Commit,
    text::{place_of, words},
    tools::shop_info,
    understand::{
        Change, Route, Step,
        intent::{Intent, Meant, meant},
        is_in, route, sought, step,
        wishes::Wishes,
    },
};

/// Commits without a model: the newest ones may be of an action, of thanks, or of a look at one item.
const NEWEST: usize = 3;

/// Whether a message is the whole title or the maker of one of the items.
fn names_whole(items: &[ItemResult], message: &str) -> bool {
    let message = words(message);
    let mut names = items.iter().flat_map(|item| [&item.titulo, &item.autor]);
    names.any(|name| words(name) == message)
}

/// Surer than this, a question is one to the shop, although it has a name in it: "¿abrís en Navidad?", and not "is there Dune?".
const SURE_OF_NO_NAME: f32 = 0.8;
/// Surer than this, a message is what its words say, although an item has them in its name.
const SURE_OF_WORDS: f32 = 0.9;

/// Whether all that a message says is in the name or the kind of one of the items: "abrigo".
fn is_of_an_item(items: &[ItemResult], message: &str) -> bool {
    let content = content(message).join(" ");
    let mut items = items.iter();
    !content.is_empty() && items.any(|item| is_in(&content, &[&item.titulo, &item.categoria]))
}

/// Whether a message has the whole title of an item in it.
fn is_titled(items: &[ItemResult], message: &str) -> bool {
    let said = words(message);
    let mut items = items.iter();
    items.any(|item| place_of(&words(&item.titulo), &said).is_some())
}

/// What is meant by a message that has the whole title of an item in it and is no search without it: a title looks like a search,
/// and says nothing of what is to be done with it.
fn meant_beside_title(items: &[ItemResult], message: &str) -> Option<Meant> {
    let said = words(message);
    let rests = items.iter().filter_map(|item| {
        let title = words(&item.titulo);
        let at = place_of(&title, &said)?;
        Some([&said[..at], &said[at + title.len()..]].concat())
    });
    // Of two titles, the longer one is meant.
    let rest = rests.min_by_key(Vec::len)?.join(" ");
    let meant = meant(&rest);
    let is_change = matches!(step(meant, &Route::Search), Step::Propose(_));
    (!rest.is_empty() && is_change).then_some(meant)
}

/// What was shown before the question: as the log has it where the conversation is kept, and else as the caller has.
fn shown_before(caller: &Caller, request: &ChatRequest, read: Option<&[Commit]>) -> Shown {
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

impl TurnEngine {
    /// Reads what the turn needs: the conversation so far and the items, at once. Nothing is written.
    ///
    /// # Errors
    /// [`TurnFailure::Unavailable`] where the conversation cannot be read, [`TurnFailure::SignedOut`] where a guest names documents.
    pub async fn prepare(
        &self,
        caller: &Caller,
        mut request: ChatRequest,
    ) -> Result<Prepared, TurnFailure> {
        let started_at = self.clock.now();
        request.keep_to_models(&self.settings.policy, caller.byo_key.as_ref());
        if caller.owner.is_none() && matches!(request.files, Some(Wanted::Attached(_))) {
            return Err(TurnFailure::SignedOut);
        }
        let needs_model = self.settings.policy.is_configured() && request.use_llm;
        // At most one commit a message; without a model the newest ones are enough to place the next, and to see what was shown.
        let wanted = if needs_model {
            self.settings.context_limits.messages.max(NEWEST)
        } else {
            NEWEST
        };
        let owner = caller.owner.as_ref().filter(|_| request.save_history);
        let conversation = request.conversation;
        let context = OptionFuture::from(owner.map(async |owner| match caller.begun {
            None => self.log.newest(owner, conversation, wanted).await,
            Some(BegunTurn {
                conversation,
                first_seq,
            }) => {
                let after = first_seq.plus(1);
                let log = &self.log;
                log.before(owner, conversation, after, wanted + 1).await
            }
        }));
        // Which conversation it is, the log has; the newest summary is its own or none is.
        let newest_summary = OptionFuture::from(owner.filter(|_| needs_model).map(async |owner| {
            let conversation = request
                .conversation
                .or(caller.begun.map(|begun| begun.conversation));
            let below = conversation.map(ConversationNumber::next);
            self.view.summaries(owner, below, 1).await
        }));
        let shop = self.shop.current().await;
        let Wishes { main: wish, beside } = self.wishes(&request.message).await;
        let meant = meant(&wish);
        let by_itself = route(&wish, &shop.currency);
        let by_words = step(meant, &by_itself);
        let may_be_of_shown = match by_words {
            Step::Find => true,
            Step::Propose(change) => change.is_of_item(),
            // "Yes, the second one."
            Step::Say(Intent::Yes | Intent::No) => plainly(&wish).is_none(),
            Step::Say(_) | Step::Ask(_) | Step::Read(_) => false,
        };
        let said = Said {
            number: match by_itself {
                Route::LookupId(number) => Some(number),
                _ => None,
            },
            change: match by_words {
                Step::Propose(change) => Some(change),
                _ => None,
            },
        };
        let goes_back =
            may_be_of_shown && request.files.is_none() && may_go_back(&wish, meant, &by_itself);
        let goes_on = request.files.is_none() && goes_on(&wish);
        // Only what goes back to something has to wait for it.
        let mut context = pin!(context);
        let read_before = match goes_back || goes_on {
            true => Some((&mut context).await),
            false => None,
        };
        let shown = read_before.as_ref().map(|read| {
            let read = read
                .as_ref()
                .map(|read| read.as_deref().unwrap_or_default());
            shown_before(caller, &request, read)
        });
        let topic_before = shown.as_ref().and_then(|shown| shown.topic);
        let (route, asks) = match &shown {
            Some(_) if goes_on && topic_before.is_some() => {
                (by_itself, Some(Step::Read(shop_info::NAME)))
            }
            Some(shown) if goes_back => self.go_back(shown, &wish, meant, by_itself).await,
            _ => (by_itself, None),
        };
        let context = async {
            match read_before {
                Some(read) => read,
                None => context.await,
            }
        };
        // What is to be done with an item is not looked for.
        let content = match step(meant, &route) {
            Step::Propose(_) => content(&wish).join(" "),
            _ => String::new(),
        };
        let retrieve = async {
            let mut found = self
                .retrieval
                .run(
                    &route,
                    match content.as_str() {
                        "" => &wish,
                        content => content,
                    },
                    request.top_k,
                    request.prefer_vector,
                    request.trace,
                    started_at,
                )
                .await;
            let meant = match step(meant, &route) {
                Step::Find => meant_beside_title(&found.results, &wish),
                _ => None,
            }
            .unwrap_or(meant);
            let step = match step(meant, &route) {
                // "Gracias por el fuego" is thanks by its words, and a book by the catalogue.
                _ if names_whole(&found.results, &wish) => Step::Find,
                step if asks.is_some() => asks.unwrap_or(step),
                Step::Propose(change) if forbids(&wish, change) => Step::Find,
                // "Buy Ficciones" is one for the cart, and not all that is in it.
                Step::Propose(Change::Checkout) if is_titled(&found.results, &wish) => {
                    Step::Propose(Change::AddToCart)
                }
                // A word that is not known for sure, and that an item has.
                Step::Say(intent)
                    if intent != Intent::Distress
                        && meant.confidence < SURE_OF_WORDS
                        && is_of_an_item(&found.results, &wish) =>
                {
                    Step::Find
                }
                // What is asked of the customer's own documents is looked for there.
                _ if request.files.is_some() => Step::Find,
                // "Do you have The Shining?" names an item, and asks nothing of the shop itself.
                Step::Read(shop_info::NAME)
                    if meant.confidence < SURE_OF_NO_NAME && sought(&wish).is_some() =>
                {
                    Step::Find
                }
                step => step,
            };
            if !matches!(step, Step::Find | Step::Propose(_)) {
                found.results.clear();
            }
            let topic = (step == Step::Read(shop_info::NAME)).then(|| {
                let before = topic_before.filter(|_| asks == Some(step));
                before.unwrap_or_else(|| shop_info::topic_of(&wish))
            });
            let record = match step {
                Step::Read(tool) => Some(self.read(caller, &shop, tool, (&wish, topic)).await),
                Step::Find | Step::Say(_) | Step::Ask(_) | Step::Propose(_) => None,
            };
            let beside = self.read_beside(caller, &shop, &beside).await;
            let retrieval_ms = elapsed_ms(started_at, self.clock.now());
            ((meant, step, topic, record, beside), found, retrieval_ms)
        };
        let look_up = self.look_into_files(caller, &request);
        let (context, summaries, (understood, found, retrieval_ms), (cited, warnings)) =
            join4(context, newest_summary, retrieve, look_up).await;
        let mut context = context.transpose()?;
        let question = context.as_mut().and_then(|commits| {
            let begun = caller.begun?;
            let newest = commits.first()?.first_seq;
            (newest == begun.first_seq).then(|| commits.remove(0))
        });
        let summary = match summaries {
            Some(Ok(mut summaries)) => question
                .as_ref()
                .or(context.as_ref().and_then(|commits| commits.first()))
                .and_then(|newest| summaries.remove(&newest.conversation)),
            Some(Err(error)) => {
                // The prompt has the newest messages all the same.
                tracing::warn!(error = %Chain(&error), "the summary cannot be read");
                None
            }
            None => None,
        };
        request.warnings.extend(warnings);
        let (meant, step, topic, record, beside) = understood;
        let mut prepared = Prepared {
            request,
            wish,
            shop,
            meant,
            step,
            topic,
            route,
            found,
            record,
            beside,
            context,
            question,
            summary,
            started_at,
            retrieval_ms,
            cited,
            tool_use_id: self.clock.new_id(),
            // To somebody in distress, the shop's own words are said, and no model's.
            without_model: (step == Step::Say(Intent::Distress)).then_some("distress"),
            task: None,
            approval: None,
            decision: None,
            resolved: None,
        };
        self.see_to_changes(caller, said, &mut prepared).await;
        Ok(prepared)
    }

    /// The wishes of a message; the whole title of an item is one.
    async fn wishes(&self, message: &str) -> Wishes {
        let wishes = Wishes::of(message);
        if !wishes.beside.is_empty() && self.retrieval.is_title(message).await {
            return Wishes::one(message);
        }
        wishes
    }

    /// What a message is routed to that goes back to what was shown; and what it is to be asked for first.
    async fn go_back(
        &self,
        shown: &Shown,
        message: &str,
        meant: Meant,
        by_itself: Route,
    ) -> (Route, Option<Step>) {
        let back = shown.back(message, meant, &by_itself);
        if back.is_none() || self.retrieval.is_title(message).await {
            return (by_itself, None);
        }
        match back {
            Some(Back::To(route)) => (route, None),
            Some(Back::ToOneOfSeveral) => match self.named_before(shown).await {
                Some(number) => (Route::LookupId(number), None),
                None => (by_itself, Some(Step::Ask("which-one"))),
            },
            Some(Back::ToNothing) => (by_itself, Some(Step::Ask("nothing-shown"))),
            None => (by_itself, None),
        }
    }

    /// The item that the question before named by its whole title: "how much is 1984?", and then "add it".
    async fn named_before(&self, shown: &Shown) -> Option<u64> {
        let (first, question) = shown.first()?;
        let route = Route::LookupId(first);
        let now = self.clock.now();
        let found = self.retrieval.run(&route, "", 1, false, false, now).await;
        is_titled(&found.results, question).then_some(first)
    }

    /// What the caller's documents say of the question, where they are to be looked into; and what could not be had.
    async fn look_into_files(
        &self,
        caller: &Caller,
        request: &ChatRequest,
    ) -> (Vec<Citation>, Vec<String>) {
        let Some((owner, wanted)) = caller.owner.as_ref().zip(request.files.as_ref()) else {
            return Default::default();
        };
        match self.files.find(owner, wanted, &request.message).await {
            Ok(FoundInFiles { citations, missing }) => {
                let missing = missing.iter();
                let missing = missing.map(|id| format!("attachments: there is no document {id}"));
                (citations, missing.collect())
            }
            Err(error) => {
                tracing::warn!(error = %Chain(&error), "documents cannot be read");
                let warning = "attachments: documents cannot be read right now";
                (Vec::new(), vec![warning.to_owned()])
            }
        }
    }

    /// Rereads the conversation where others wrote between reading it and the question: the prompt has all that comes
    /// before the question, and a replay finds the same. Whether nobody did.
    pub(super) async fn see_what_came_before(
        &self,
        owner: &Owner,
        question: &Commit,
        prepared: &mut Prepared,
    ) -> bool {
        let mut is_as_read = true;
        let context = prepared.context.get_or_insert_default();
        let newest = context.first();
        if newest.is_some_and(|newest| newest.conversation != question.conversation) {
            // Archived before or meanwhile: nothing of that belongs into another conversation.
            is_as_read = newest.is_some_and(|newest| newest.state.archived);
            context.clear();
            prepared.summary = None;
        }
        let newest = context.first();
        let follows = newest.map_or(Seq::FIRST, |newest| newest.last_seq().plus(1));
        if question.first_seq != follows {
            is_as_read = false;
            let wanted = self.settings.context_limits.messages.max(1);
            let before = (question.conversation, question.first_seq);
            match self.log.before(owner, before.0, before.1, wanted).await {
                Ok(read) => *context = read,
                // The question is in the log, so it is answered, from what was read before.
                Err(error) => {
                    tracing::warn!(error = %Chain(&error), "the conversation cannot be read again");
                }
            }
        }
        is_as_read
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Details;

    fn item() -> ItemResult {
        ItemResult {
            libro_id: 1,
            titulo: "¡Gracias por el fuego!".to_owned(),
            autor: "Mario Benedetti".to_owned(),
            isbn: String::new(),
            precio: crate::price::Price::from_minor(900),
            categoria: String::new(),
            stock: 1,
            editorial: String::new(),
            publicado: None,
            descripcion: String::new(),
            details: Details::default(),
            score: None,
        }
    }

    /// "Gracias por el fuego" is thanks by its words alone.
    #[test]
    fn a_title_is_a_title_whatever_it_says() {
        let items = [item()];
        assert!(names_whole(&items, "gracias por el fuego"));
        assert!(names_whole(&items, "mario benedetti"));
        assert!(!names_whole(&items, "gracias"));
    }

    #[test]
    fn a_title_says_nothing_of_what_is_to_be_done_with_it() {
        let item = |titulo: &str| ItemResult {
            titulo: titulo.to_owned(),
            ..item()
        };
        let items = [item("Rayuela"), item("La reserva")];
        for (message, change) in [
            ("reserva Rayuela", true),
            ("pon Rayuela en la cesta", true),
            ("Rayuela", false),
            ("la reserva", false),
            ("¿cuánto cuesta Rayuela?", false),
            ("reserva", false),
        ] {
            let meant = meant_beside_title(&items, message);
            assert_eq!(meant.is_some(), change, "{message} {meant:?}");
        }
    }

    #[test]
    fn a_message_is_a_search_where_its_form_says_so_or_nothing_is_sure() {
        let thanks = |confidence| Meant {
            intent: Intent::Thanks,
            confidence,
        };
        assert_eq!(step(thanks(0.9), &Route::Search), Step::Say(Intent::Thanks));
        assert_eq!(step(thanks(0.1), &Route::Search), Step::Find);
        assert_eq!(step(thanks(0.9), &Route::LookupId(3)), Step::Find);
    }
}
