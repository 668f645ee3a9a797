//! What a turn needs before anything is emitted: the conversation so far and the items, read at once.

mod back;
mod beside;
mod decide;
mod form;

use std::pin::pin;

use futures_util::future::{OptionFuture, join5};

use back::{Named, may_be_of_shown, shown_before, topic_of};
use beside::SURE_OF_SHOP;
use decide::{SURE_OF_WORDS, asks_attribute, decide, facts_asked, or_of_shop};
use form::{by_form, ends_talk};

use super::{
    change::Said,
    types::{Caller, ChatRequest, Prepared, TurnEngine, TurnFailure},
};
use crate::{
    catalogue::ItemResult,
    chain::Chain,
    clock::elapsed_ms,
    dialogue::{
        asks_for_another, content, denies, first_change, goes_on, has_had, may_go_back,
        only_change, place_behind_no, plainly,
    },
    files::{Citation, FoundInFiles, Wanted},
    ids::{ConversationNumber, Owner, Seq},
    language::Language,
    limits::BegunTurn,
    log::Commit,
    purchases::Note,
    retrieval::{NOTHING_SAID, Priced},
    text::words,
    tools::{shop_info, view_profile},
    understand::{
        Change, Exclusion, Fact, MAYBE_DISTRESS, Route, Step, asks_what_is_remembered,
        intent::{Intent, meant},
        step, wants_remembered,
        wishes::Wishes,
    },
};

/// Commits without a model: the newest ones may be of an action, of thanks, or of a look at one item.
const NEWEST: usize = 6;
/// Less sure than this, a message may be for one of what was shown: "add the one by Mary Shelley".
const SURE_OF_FINDING: f32 = 0.6;
/// Surer than this, a message goes on with nothing: "¿y mi pedido?".
const SURE_OF_ITS_OWN: f32 = 0.75;
/// The same of a search, which a few words that are not known look like: "¿y a Mallorca?"
const SURE_OF_LOOKING: f32 = 0.9;

impl TurnEngine {
    /// Reads what the turn needs: the conversation so far and the items, at once. Nothing of the turn is written. Who writes what may
    /// be of any language is answered in that of the conversation.
    ///
    /// # Errors
    /// [`TurnFailure::Unavailable`] where the conversation cannot be read, [`TurnFailure::SignedOut`] where a guest names documents.
    pub async fn prepare(
        &self,
        asked_by: &mut Caller,
        mut request: ChatRequest,
    ) -> Result<Prepared, TurnFailure> {
        let started_at = self.clock.now();
        let caller = &asked_by.clone();
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
        let notes = OptionFuture::from(
            caller
                .owner
                .as_ref()
                .filter(|_| needs_model)
                .map(|owner| self.notes(owner)),
        );
        let shop = self.shop.current().await;
        let Wishes { main: wish, beside } = match request.files {
            // What is asked of the customer's own documents is asked of them as a whole.
            Some(_) => Wishes::one(&request.message),
            None => self.wishes(&request.message).await,
        };
        let first = first_change(&wish).filter(|_| request.files.is_none());
        let has_more = first.is_some();
        let wish = match request.files {
            Some(_) => wish,
            None => {
                let wish = first.unwrap_or(wish);
                match only_change(&wish) {
                    // "Quiero Rayuela. Ponme dos."
                    Some(only) if self.titled(&only).await == self.titled(&wish).await => only,
                    _ => wish,
                }
            }
        };
        // "No, el segundo" takes nothing out.
        let meant = meant(&place_behind_no(&wish).unwrap_or_else(|| wish.clone()));
        let meant = by_form(meant, &wish, &request.message);
        let by_itself = self.routed(&wish, &shop.currency).await;
        let by_words = step(meant, &by_itself);
        let asks_attribute = by_itself == Route::Search && asks_attribute(&wish, &shop);
        let says_plainly = plainly(&request.message).is_some() || ends_talk(&request.message);
        let may_be_of_shown = may_be_of_shown(by_words, says_plainly, &wish, asks_attribute);
        let said = Said::of(&by_itself, by_words);
        let has_files = request.files.is_some();
        let goes_back = may_be_of_shown
            && !has_files
            && (asks_attribute || may_go_back(&wish, meant, &by_itself));
        let is_another =
            !has_files && by_itself == Route::Search && (asks_for_another(&wish) || has_had(&wish));
        // "La del tren", of what was shown: what is to be done with one, or asked of it, or said to what was asked of another.
        let may_name_shown = !has_files
            && by_itself == Route::Search
            && !is_another
            && !Exclusion::is_alone(&wish)
            && match by_words {
                Step::Propose(change) => change.is_of_item(),
                Step::Say(Intent::Yes | Intent::No) => plainly(&request.message).is_none(),
                Step::Say(Intent::Distress) | Step::Leave => false,
                // "No, the Huxley."
                Step::Find if meant.confidence < SURE_OF_FINDING || denies(&wish) => true,
                _ => meant.intent == Intent::Pick || !Fact::in_words(&words(&wish)).is_empty(),
            };
        let is_sure = match meant.intent {
            Intent::ShopInfo | Intent::More => false,
            Intent::Distress => true,
            Intent::Find => meant.confidence >= SURE_OF_LOOKING,
            _ => meant.confidence >= SURE_OF_ITS_OWN,
        };
        let goes_on = !has_files && !is_sure && goes_on(&wish);
        let is_of_any_language = Language::of_text(&request.message).is_none();
        let has_to_wait = goes_back || goes_on || may_name_shown || is_another;
        // Only what goes back to something has to wait for it, and what may be of any language.
        let mut context = pin!(context);
        let read_before = match has_to_wait || is_of_any_language {
            true => Some((&mut context).await),
            false => None,
        };
        let before = read_before.as_ref().map(|read| {
            let read = read
                .as_ref()
                .map(|read| read.as_deref().unwrap_or_default());
            shown_before(caller, &request, read)
        });
        let spoken = before.as_ref().and_then(|before| before.language);
        let spoken = spoken.filter(|_| is_of_any_language);
        if let Some(language) = spoken.filter(|language| shop.languages().contains(language)) {
            asked_by.language = language;
        }
        let caller = &*asked_by;
        let shown = before.filter(|_| has_to_wait);
        let topic_before = shown.as_ref().and_then(|shown| shown.topic);
        // What is to be done with an item by its title.
        let is_of_item = matches!(by_words, Step::Propose(change) if change.is_of_item());
        let may_be_titled =
            is_of_item || matches!(by_words, Step::Find | Step::Propose(Change::Checkout));
        let may_be_several = !has_files && may_be_titled;
        let several = match may_be_several {
            true if by_itself == Route::Search => {
                let of_shown = shown.as_ref();
                self.several_titled(&wish, of_shown, is_of_item).await
            }
            true => self.titles_compared(&wish, &by_itself).await,
            false => None,
        };
        let mut names_shown = false;
        // "¿Cuánto es todo?" is of the cart, or else of what was shown.
        let is_total = !has_files && Fact::is_total(&wish);
        let is_of_cart = is_total && self.is_of_cart(caller, shown.as_ref()).await;
        let priced = shown.as_ref().and_then(|shown| shown.priced(&wish));
        let (of_each, priced) = priced.unzip();
        let is_priced = priced.is_some();
        let priced = priced.or(is_total.then_some(Priced::InAll));
        let several = several.or(of_each);
        let (route, asks) = match &shown {
            _ if several.is_some() => (by_itself, is_priced.then_some(Step::Find)),
            Some(shown) if is_total && !is_of_cart && shown.are_few() => {
                (Route::LookupIds(shown.compared()), None)
            }
            Some(_) if goes_on && topic_before.is_some() => {
                (by_itself, Some(Step::Read(shop_info::NAME)))
            }
            Some(shown) => {
                let named = match may_name_shown {
                    true => self.named_among(shown, &wish).await,
                    false => None,
                };
                let (route, asks) = match named {
                    Some(Named::One(number)) => (Route::LookupId(number), None),
                    // Which of them, is asked.
                    Some(Named::Several) => (by_itself, None),
                    None if goes_back => match self.go_back(shown, &wish, meant, by_itself).await {
                        // Of several, the nearest is meant: "¿de qué tallas hay?"
                        (Route::Search, None) if asks_attribute => match shown.first() {
                            Some(nearest) => (Route::LookupId(nearest), None),
                            None => (Route::Search, Some(Step::Ask("nothing-shown"))),
                        },
                        back => back,
                    },
                    None => (by_itself, None),
                };
                names_shown = matches!(route, Route::LookupId(_)) && said.number.is_none();
                (route, asks)
            }
            None => (by_itself, None),
        };
        let asks = if asks_what_is_remembered(&wish) {
            Some(Step::Read(view_profile::NAME))
        } else if wants_remembered(&wish) {
            Some(Step::Propose(Change::Remember))
        } else if !is_priced && (is_of_cart || (is_total && asks.is_some())) {
            Some(Step::Read(Change::Checkout.reads()))
        } else if route == Route::Search && asks.is_none() {
            let locale = shop.locale(caller.language);
            self.asks_otherwise((by_words, meant), &wish, locale).await
        } else {
            asks
        };
        let titled = match !has_files && route == Route::Search && several.is_none() {
            true if is_of_item => self.titled(&wish).await,
            // "Fine, Foundation then. How many do you have?"
            true if matches!(by_words, Step::Find | Step::Read(shop_info::NAME)) => {
                match self.titled_alone(&wish).await {
                    None => self.titled_and_asked(&wish).await,
                    titled => titled,
                }
            }
            _ => None,
        };
        let route = several.map_or(route, Route::LookupIds);
        let route = titled.map_or(route, Route::LookupId);
        let context = async {
            match read_before {
                Some(read) => read,
                None => context.await,
            }
        };
        let is_open = matches!(route, Route::Search | Route::SimilarToId(_));
        let others = shown.filter(|_| is_another && is_open);
        // What is to be done with an item is not looked for.
        let content = match step(meant, &route) {
            Step::Propose(_) => content(&wish).join(" "),
            _ => String::new(),
        };
        let retrieve = async {
            let text = match content.as_str() {
                "" => &wish,
                content => content,
            };
            let (top_k, prefers_vector) = (request.top_k, request.prefer_vector);
            let found = self.retrieval.run(
                &route,
                text,
                top_k,
                prefers_vector,
                request.trace,
                started_at,
            );
            let found = found.await;
            let mut found = found.near((&route, text), &wish, &shop);
            // "Otra de Agatha Christie" is none of those that were shown.
            if let Some(shown) = others.as_ref() {
                let seen = shown.all_seen();
                let is_other = |item: &ItemResult| !seen.contains(&item.libro_id);
                if found.results.iter().any(is_other) {
                    found.results.retain(is_other);
                }
            }
            // What was asked of one comes first.
            found.asked = facts_asked(&found.results, &wish, names_shown, &shop);
            found.priced = priced.filter(|_| matches!(route, Route::LookupIds(_)));
            let (meant, step) = decide((meant, &route, asks), &found.results, &wish, &request);
            let locale = shop.locale(caller.language);
            let step = or_of_shop((step, &route), &found.results, (meant, &wish), locale);
            // What nothing is found for, and what is not surely looked for, is part of the question beside it.
            let is_found = !found.results.is_empty() || found.absent.is_some();
            let is_wish = step != Step::Find || is_found || found.error.is_some();
            let (step, question, beside) = match beside.split_first() {
                Some(((tool, question), rest)) if !is_wish && meant.confidence < SURE_OF_WORDS => {
                    (Step::Read(tool), question, rest)
                }
                _ => (step, &wish, &beside[..]),
            };
            let goes_on = topic_before.filter(|_| asks == Some(step));
            let topic = (step == Step::Read(shop_info::NAME)).then(|| topic_of(question, goes_on));
            let record = match step {
                Step::Read(tool) => Some(self.read(caller, &shop, tool, (question, topic)).await),
                Step::Find | Step::Say(_) | Step::Ask(_) | Step::Propose(_) | Step::Leave => None,
            };
            // "Anything else by Tolstoy?": what the shop says nothing of, and was hardly asked, is looked for.
            let is_none = matches!(&record, Some(told) if told.is_unknown || told.is_guess);
            let is_unknown = is_none && asks.is_none() && meant.confidence < SURE_OF_SHOP;
            let (step, topic, record) = match is_unknown {
                true => (Step::Find, None, None),
                false => (step, topic, record),
            };
            if !matches!(step, Step::Find | Step::Propose(_)) {
                found.results.clear();
                // Nothing was looked for.
                found.error = found.error.filter(|error| *error != NOTHING_SAID);
            }
            let of_shop = beside
                .iter()
                .rev()
                .find(|(tool, _)| *tool == shop_info::NAME);
            let topic_beside = of_shop.map(|(_, question)| shop_info::topic_of(question));
            let beside = self.read_beside(caller, &shop, beside).await;
            let retrieval_ms = elapsed_ms(started_at, self.clock.now());
            (
                (meant, step, topic_beside.or(topic), record, beside),
                found,
                retrieval_ms,
            )
        };
        let look_up = self.look_into_files(caller, &request);
        let (context, summaries, (understood, found, retrieval_ms), (cited, warnings), notes) =
            join5(context, newest_summary, retrieve, look_up, notes).await;
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
            notes: notes.unwrap_or_default(),
            started_at,
            retrieval_ms,
            cited,
            tool_use_id: self.clock.new_id(),
            // To somebody in distress, the shop's own words are said, and no model's.
            without_model: matches!(
                step,
                Step::Say(Intent::Distress) | Step::Ask(MAYBE_DISTRESS)
            )
            .then_some("distress"),
            task: None,
            errand: None,
            approval: None,
            decision: None,
            resolved: None,
            handoff: None,
            back: None,
            says_more: has_more,
        };
        if !self.leave_to_person(caller, &mut prepared) {
            self.see_to_wish(caller, said, &mut prepared).await;
            self.call_person(caller, &mut prepared);
        }
        prepared.ask_for_more(caller);
        Ok(prepared)
    }

    /// What is remembered of the customer. The turn goes on without it where it cannot be read.
    async fn notes(&self, owner: &Owner) -> Vec<Note> {
        let account = self.approvals.counter.purchases.account(owner).await;
        match account {
            Ok(account) => account.notes,
            Err(error) => {
                tracing::warn!(error = %Chain(&error), "what is remembered cannot be read");
                Vec::new()
            }
        }
    }

    /// The wishes of a message; the whole title of an item is one.
    async fn wishes(&self, message: &str) -> Wishes {
        let wishes = Wishes::of(message);
        if wishes.main == message && wishes.beside.is_empty() {
            return wishes;
        }
        let mut is_one = self.retrieval.is_title(message).await;
        // "¿Tienen El grúfalo? Es para mi nieta" asks the shop nothing of itself.
        for (_, asked) in &wishes.beside {
            is_one |= self.retrieval.names_title(asked, asked).await;
        }
        match is_one {
            true => Wishes::one(message),
            false => wishes,
        }
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
        // What was erased meanwhile is remembered no more.
        if !is_as_read && !prepared.notes.is_empty() {
            prepared.notes = self.notes(owner).await;
        }
        is_as_read
    }
}
