//! The view: forward only, newest first, nothing of another owner.

use aws_sdk_dynamodb::types::AttributeValue;
use mostrador_core::{
    erasure::Eraser,
    ids::{ConversationNumber, Owner, Seq},
    log::{
        Commit, ConversationState, Escalation, EscalationReason, Event, Log, Position, Stored,
        Summary,
    },
    projection::{Damage, Found, catch_up, rebuild},
    view::{Projected, View, WaitingPlace},
};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::{
    log::commit,
    setup::{Stores, noon, owner},
};

fn projected(conversation: u32, through: u64) -> Projected {
    Projected {
        conversation: ConversationNumber(conversation),
        through: Seq(through),
        updated_at: noon(),
        state: ConversationState {
            message_count: through,
            ..ConversationState::new(noon())
        },
    }
}

fn summary(through: u64) -> Summary {
    Summary {
        text: format!("- Cliente: hasta {through}"),
        through: Seq(through),
        messages: through,
        made_by: "extractive".into(),
    }
}

#[tokio::test]
async fn the_view_only_goes_forward() {
    for stores in Stores::all().await {
        let (view, ana) = (stores.view(), owner("ana"));
        let one = ConversationNumber(1);
        for (through, expected) in [(5, 5), (3, 5), (5, 5), (9, 9), (8, 9)] {
            view.advance(&ana, &projected(1, through)).await.unwrap();
            let there = view.conversation(&ana, one).await.unwrap();
            assert_eq!(there, Some(projected(1, expected)));
        }
        for (through, kept, expected) in [(4, true, 4), (2, false, 4), (4, false, 4), (7, true, 7)]
        {
            let summarised = view.summarise(&ana, one, &summary(through), noon()).await;
            assert_eq!(summarised.unwrap(), kept);
            let there = view.summary(&ana, one).await.unwrap();
            assert_eq!(there, Some(summary(expected)));
        }
        for number in [2, 3, 12] {
            view.advance(&ana, &projected(number, 1)).await.unwrap();
        }
        view.call_for_summary(&ana, &projected(12, 1))
            .await
            .unwrap();
        view.advance(&owner("ana#"), &projected(99, 1))
            .await
            .unwrap();
        let listed = |before: Option<u32>, limit| {
            let (view, ana) = (&view, &ana);
            async move {
                let before = before.map(ConversationNumber);
                let found = view.conversations(ana, before, limit).await.unwrap();
                found
                    .iter()
                    .map(|known| known.conversation.0)
                    .collect::<Vec<_>>()
            }
        };
        assert_eq!(listed(None, 10).await, [12, 3, 2, 1]);
        assert_eq!(listed(None, 2).await, [12, 3]);
        assert_eq!(listed(Some(3), 10).await, [2, 1]);
        assert_eq!(listed(Some(1), 10).await, [] as [u32; 0]);
        let summaries = view.summaries(&ana, None, 10).await.unwrap();
        assert_eq!(
            summaries.into_iter().collect::<Vec<_>>(),
            [(one, summary(7))]
        );
        assert_eq!(view.conversation(&owner("luis"), one).await.unwrap(), None);
    }
}

/// A conversation that waits for a person since so many minutes after noon.
fn waits(conversation: u32, minutes: i64) -> Projected {
    let since = noon() + Duration::minutes(minutes);
    let mut waits = projected(conversation, 5);
    waits.state.escalation = Some(Escalation {
        reason: EscalationReason::Person,
        since,
        at: since,
        answered_by: None,
        read: None,
    });
    waits
}

#[tokio::test]
async fn what_waits_for_a_person_is_listed_for_its_tenant_until_it_does_not() {
    for stores in Stores::all().await {
        let view = stores.view();
        let of = |tenant: &str, user: &str| Owner::new(tenant, user).unwrap();
        let (ana, luis) = (of("macondo", "ana"), of("macondo", "luis"));
        view.advance(&ana, &projected(1, 9)).await.unwrap();
        view.advance(&ana, &waits(2, 2)).await.unwrap();
        view.advance(&luis, &waits(1, 1)).await.unwrap();
        view.advance(&luis, &waits(3, 3)).await.unwrap();
        view.advance(&of("other", "ana"), &waits(1, 0))
            .await
            .unwrap();
        let listed = async |after: Option<&WaitingPlace>, limit| {
            let found = view.waiting("macondo", after, limit).await.unwrap();
            let listed = found.into_iter();
            let listed =
                listed.map(|each| (each.owner.user().to_owned(), each.found.conversation.0));
            listed.collect::<Vec<_>>()
        };
        let (first, second, third) = (("luis".into(), 1), ("ana".into(), 2), ("luis".into(), 3));
        assert_eq!(
            listed(None, 9).await,
            [first.clone(), second.clone(), third.clone()]
        );
        assert_eq!(listed(None, 1).await, [first]);
        let noon_millis = noon().unix_timestamp() * 1_000;
        let behind_first = WaitingPlace {
            since: noon_millis + 60_000,
            user: "luis".to_owned(),
            conversation: ConversationNumber(1),
        };
        assert_eq!(
            listed(Some(&behind_first), 9).await,
            [second, third.clone()]
        );
        let all = view.all_waiting().await.unwrap();
        assert_eq!((all.conversations, all.since), (4, Some(noon())));
        // Handed back; and erased.
        view.advance(&luis, &projected(1, 6)).await.unwrap();
        stores
            .eraser()
            .view(&ana, ConversationNumber(2), OffsetDateTime::now_utc())
            .await
            .unwrap();
        assert_eq!(listed(None, 9).await, [third]);
        assert_eq!(view.all_waiting().await.unwrap().conversations, 2);
    }
}

#[tokio::test]
async fn what_was_lost_or_damaged_is_rebuilt_from_the_log() {
    for stores in Stores::all().await {
        let (log, view, ana) = (stores.log(), stores.view(), owner("ana"));
        let one = ConversationNumber(1);
        let mut position = Position::start_of(one);
        for text in ["uno", "dos", "tres"] {
            let next = commit(position, text);
            log.put(&ana, &next, None).await.unwrap();
            position = Position::after(&next);
        }
        let looked = rebuild(&log, &view, &ana, one, true).await.unwrap();
        assert_eq!(looked.view, Found::Missing);
        catch_up(&log, &view, &ana, one, 6).await.unwrap();
        assert_eq!(
            rebuild(&log, &view, &ana, one, true).await.unwrap().view,
            Found::Same
        );
        let right = view.conversation(&ana, one).await.unwrap().unwrap();
        let mut wrong = right.clone();
        wrong.state.title = Some("otro".into());
        view.restore(&ana, &wrong).await.unwrap();
        assert_eq!(
            rebuild(&log, &view, &ana, one, true).await.unwrap().view,
            Found::Different
        );
        assert_eq!(
            rebuild(&log, &view, &ana, one, false).await.unwrap().view,
            Found::Different
        );
        assert_eq!(view.conversation(&ana, one).await.unwrap(), Some(right));
    }
}

/// A damaged commit, one whose state is lost too, and one that is missing: each is named, and the conversation is folded on from what
/// the next whole commit carries.
#[tokio::test]
async fn what_the_log_has_lost_costs_itself() {
    for stores in Stores::all().await {
        let (log, view, ana) = (stores.log(), stores.view(), owner("ana"));
        let one = ConversationNumber(1);
        let mut position = Position::start_of(one);
        for text in ["uno", "dos", "tres", "cuatro", "cinco", "seis"] {
            let next = commit(position, text);
            log.put(&ana, &next, None).await.unwrap();
            position = Position::after(&next);
        }
        catch_up(&log, &view, &ana, one, 60).await.unwrap();
        let whole = view.conversation(&ana, one).await.unwrap().unwrap();
        let rows = stores.log_rows().await;
        let text = |text: &str| AttributeValue::S(text.into());
        let mut second = rows[1].clone();
        second.insert("events".into(), text("{"));
        let mut third = rows[2].clone();
        third.insert("events".into(), text(""));
        third.insert("state".into(), text("damaged"));
        stores.put_log_row(second).await;
        stores.put_log_row(third).await;
        stores.delete_log_row(&rows[4]).await;
        let rebuilt = rebuild(&log, &view, &ana, one, true).await.unwrap();
        let damage: Vec<String> = rebuilt.damage.iter().map(Damage::to_string).collect();
        let expected = [
            "the commit at event 2 cannot be read",
            "the commit at event 3 cannot be read",
            "events 5 to 5 are missing",
        ];
        assert_eq!(
            (rebuilt.view, damage.as_slice()),
            (Found::Same, &expected.map(String::from)[..])
        );

        // Damaged at its end, so that the next commit goes behind it: nothing is written twice, and the count is what is known.
        let last = rows[5]["commit"].as_s().unwrap();
        let mut sixth = rows[5].clone();
        sixth.insert("events".into(), text("{"));
        sixth.insert("state".into(), text("{"));
        stores.put_log_row(sixth).await;
        let newest = log.newest(&ana, None, 1).await.unwrap().remove(0);
        assert_eq!(
            (newest.first_seq, newest.last_seq(), last.as_str()),
            (Seq(6), Seq(6), "00000001#000000000006")
        );
        assert_eq!(
            (newest.state.message_count, newest.state.open_turn),
            (4, None)
        );
        let next = commit(Position::after(&newest), "siete");
        log.put(&ana, &next, None).await.unwrap();
        let read = log.whole(&ana, one).await.unwrap();
        let places: Vec<u64> = read.iter().map(|commit| commit.first_seq.0).collect();
        assert_eq!(places, [1, 2, 3, 4, 6, 7]);
        assert_eq!(whole.state.message_count, 6);
    }
}

#[tokio::test]
async fn a_damaged_row_of_the_view_counts_as_none_and_is_rebuilt() {
    for stores in Stores::all().await {
        let (log, view, ana) = (stores.log(), stores.view(), owner("ana"));
        for number in 1..=3 {
            let next = commit(Position::start_of(ConversationNumber(number)), "hola");
            log.put(&ana, &next, None).await.unwrap();
            catch_up(&log, &view, &ana, ConversationNumber(number), 6)
                .await
                .unwrap();
        }
        let two = ConversationNumber(2);
        let right = view.conversation(&ana, two).await.unwrap();
        let seen = async || {
            let conversations = view.conversations(&ana, None, 2).await.unwrap();
            let numbers = conversations.iter().map(|entry| entry.conversation.0);
            numbers.collect::<Vec<_>>()
        };
        for attribute in ["state", "at", "through"] {
            let key = (&ana, "conversation#00000002");
            stores.damage_view(key, attribute, Some("damaged")).await;
            assert_eq!(view.conversation(&ana, two).await.unwrap(), None);
            assert_eq!(seen().await, [3, 1], "{attribute}");
            let rebuilt = rebuild(&log, &view, &ana, two, false).await.unwrap();
            assert_eq!(rebuilt.view, Found::Missing, "{attribute}");
            assert_eq!(view.conversation(&ana, two).await.unwrap(), right);
            assert_eq!(seen().await, [3, 2]);
        }
        let summed = view.summarise(&ana, two, &summary(1), noon()).await;
        assert!(summed.unwrap());
        let damage = stores.damage_view((&ana, "summary#00000002"), "messages", None);
        damage.await;
        assert_eq!(view.summary(&ana, two).await.unwrap(), None);
        assert!(view.summaries(&ana, None, 9).await.unwrap().is_empty());
    }
}

/// Some of it was written before more than one turn that was given up was remembered, and some follows from that.
#[tokio::test]
async fn what_remembers_fewer_turns_given_up_is_as_it_should_be() {
    for stores in Stores::all().await {
        let (log, view, ana) = (stores.log(), stores.view(), owner("ana"));
        let one = ConversationNumber(1);
        let mut position = Position::start_of(one);
        for text in ["uno", "dos", "tres"] {
            let question = commit(position, text);
            let code = "user_cancelled".into();
            let given_up = vec![Stored::Known(Event::TurnFailed { code })];
            let place = Position::after(&question);
            let given_up = Commit::at(place, given_up, Uuid::now_v7(), question.turn_id, noon());
            log.put(&ana, &question, None).await.unwrap();
            log.put(&ana, &given_up, None).await.unwrap();
            position = Position::after(&given_up);
        }
        catch_up(&log, &view, &ana, one, 6).await.unwrap();
        let right = view.conversation(&ana, one).await.unwrap().unwrap();
        assert_eq!(right.state.failed_before.len(), 2);
        for remembered in [2, 1, 0] {
            let mut fewer = right.clone();
            fewer.state.failed_before.truncate(remembered);
            view.restore(&ana, &fewer).await.unwrap();
            assert_eq!(
                rebuild(&log, &view, &ana, one, true).await.unwrap().view,
                Found::Same,
                "{remembered}"
            );
        }
        let mut others = right.clone();
        others.state.failed_before.reverse();
        view.restore(&ana, &others).await.unwrap();
        assert_eq!(
            rebuild(&log, &view, &ana, one, false).await.unwrap().view,
            Found::Different
        );
        assert_eq!(view.conversation(&ana, one).await.unwrap(), Some(right));
    }
}

/// TTL deletes late: what has lapsed is neither listed nor in the way of a conversation that begins under its number.
#[tokio::test]
async fn what_has_lapsed_is_as_if_it_were_deleted() {
    for stores in Stores::all().await {
        let (view, ana) = (stores.view_keeping(Duration::days(1)), owner("ana"));
        let one = ConversationNumber(1);
        let now = OffsetDateTime::now_utc().replace_nanosecond(0).unwrap();
        let long_ago = now - Duration::days(3);
        let old = Projected {
            updated_at: long_ago,
            ..projected(1, 40)
        };
        view.advance(&ana, &old).await.unwrap();
        assert!(
            view.summarise(&ana, one, &summary(40), long_ago)
                .await
                .unwrap()
        );
        assert_eq!(view.conversations(&ana, None, 10).await.unwrap(), vec![]);
        assert_eq!(view.summary(&ana, one).await.unwrap(), None);
        let new = Projected {
            updated_at: now,
            ..projected(1, 2)
        };
        view.advance(&ana, &new).await.unwrap();
        assert!(view.summarise(&ana, one, &summary(2), now).await.unwrap());
        assert_eq!(view.conversation(&ana, one).await.unwrap(), Some(new));
        assert_eq!(view.summary(&ana, one).await.unwrap(), Some(summary(2)));
    }
}
