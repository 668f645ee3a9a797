//! What keyed requests leave, compared with what was answered to them.

use std::collections::{BTreeMap, BTreeSet};

use mostrador_core::{
    ids::Owner,
    log::{Commit, Event, Stored},
    purchases::Purchases,
};
use mostrador_dynamodb::DynamoPurchases;
use serde_json::Value;

use super::{Keyed, Wish, YES};

pub(super) fn check_answers(keyed: &Keyed) -> Result<(), String> {
    let answers = keyed.answers.borrow();
    let distinct: BTreeSet<_> = answers.iter().collect();
    if distinct.len() > 1 {
        return Err(format!(
            "{} was answered in {} ways",
            keyed.key,
            distinct.len()
        ));
    }
    Ok(())
}

/// How many effects a request may have: one if the response has it, none if the response denies it, and else one or none.
fn allowed(keyed: &Keyed) -> std::ops::RangeInclusive<usize> {
    match keyed.answers.borrow().first() {
        Some((200 | 201, _)) => 1..=1,
        Some(_) => 0..=0,
        None => 0..=1,
    }
}

/// Whether the answer to a message is said to be in the log.
fn is_kept(keyed: &Keyed) -> bool {
    keyed.answers.borrow().first().is_some_and(|(_, body)| {
        let body: Value = serde_json::from_slice(body).unwrap_or_default();
        body["persist_history_confirmation"] == true
    })
}

pub(super) fn check_log(requests: &[&Keyed], there: &[Vec<Commit>]) -> Result<(), String> {
    let mut times_by_content: BTreeMap<&str, usize> = BTreeMap::new();
    let mut answered: BTreeMap<&str, usize> = BTreeMap::new();
    let mut questions = BTreeMap::new();
    let commits = || there.iter().flatten();
    for commit in commits() {
        for event in commit.events.iter().filter_map(Stored::known) {
            match event {
                Event::UserMessageSent { content } => {
                    questions.insert(commit.turn_id, content.as_str());
                    *times_by_content.entry(content).or_default() += 1;
                }
                Event::MessageAdded { content, .. } => {
                    *times_by_content.entry(content).or_default() += 1
                }
                Event::AgentMessageSent { .. } => {
                    let question = questions.get(&commit.turn_id).copied();
                    let question = question.ok_or("an answer without its question")?;
                    *answered.entry(question).or_default() += 1;
                }
                _ => {}
            }
        }
    }
    // All say it in the same words.
    times_by_content.remove(YES);
    let of_log = |keyed: &&&Keyed| matches!(keyed.wish, Wish::Chat | Wish::Message | Wish::Ask);
    for keyed in requests.iter().filter(of_log) {
        let times = times_by_content
            .remove(keyed.text.as_str())
            .unwrap_or_default();
        let allowed = allowed(keyed);
        if !allowed.contains(&times) {
            return Err(format!(
                "{} is there {times} times, not {allowed:?}",
                keyed.key
            ));
        }
        let answers = answered.remove(keyed.text.as_str()).unwrap_or_default();
        if answers > 1 || (is_kept(keyed) && answers == 0) {
            return Err(format!("{} has {answers} answers in the log", keyed.key));
        }
    }
    match times_by_content.keys().next() {
        Some(stranger) => Err(format!("nobody asked {stranger}")),
        None => Ok(()),
    }
}

/// How many proposals were approved and done, each of those decided once.
pub(super) fn approved(there: &[Vec<Commit>]) -> Result<usize, String> {
    let (mut decided, mut done) = (BTreeSet::new(), 0);
    let events = there.iter().flatten().flat_map(|commit| &commit.events);
    for event in events.filter_map(Stored::known) {
        let Event::ApprovalResolved {
            approval_id,
            approved,
            error,
            ..
        } = event
        else {
            continue;
        };
        if !decided.insert(*approval_id) {
            return Err(format!("{approval_id} was decided twice"));
        }
        done += usize::from(*approved && error.is_none());
    }
    Ok(done)
}

pub(super) async fn check_purchases(
    requests: &[&Keyed],
    approved: usize,
    purchases: &DynamoPurchases,
    owner: &Owner,
) -> Result<(), String> {
    let failed = |error: mostrador_core::purchases::PurchaseError| error.to_string();
    let account = purchases.account(owner).await.map_err(failed)?;
    let in_cart: u32 = account.cart.iter().map(|line| line.cantidad).sum();
    let reserved = purchases
        .reservations(owner, None, 100)
        .await
        .map_err(failed)?;
    for (wish, there) in [
        (Wish::Cart, usize::try_from(in_cart).unwrap_or(usize::MAX)),
        (Wish::Reservation, reserved.len()),
    ] {
        let of_wish = requests.iter().filter(|keyed| keyed.wish == wish);
        let (mut least, mut most) = of_wish.fold((0, 0), |(least, most), keyed| {
            let allowed = allowed(keyed);
            (least + allowed.start(), most + allowed.end())
        });
        if wish == Wish::Cart {
            // A yes that nobody insisted on may have had its effect, and the log knows nothing of it.
            let unsettled = requests.iter().filter(|keyed| keyed.wish == Wish::Yes);
            let unsettled = unsettled.filter(|keyed| !is_kept(keyed));
            least += approved;
            most += approved + unsettled.count();
        }
        if !(least..=most).contains(&there) {
            return Err(format!(
                "{wish:?}: {there} there, and {least} to {most} were to be"
            ));
        }
    }
    Ok(())
}
