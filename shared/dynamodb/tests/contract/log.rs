//! The log: dense numbers, one winner for each place, nothing of another owner.

use std::sync::Arc;

use mostrador_core::{
    ids::{ConversationNumber, Seq},
    log::{COMMIT_BYTES_MAX, Commit, Event, Order, Position, PutError, Stored, Stretch, TooLarge},
};
use tokio::{sync::Barrier, task::JoinSet};
use uuid::Uuid;

use crate::setup::{Logs, noon, owner};

pub(crate) fn commit(position: Position, content: &str) -> Commit {
    let events = vec![Stored::Known(Event::UserMessageSent {
        content: content.into(),
    })];
    Commit::at(position, events, Uuid::now_v7(), Uuid::now_v7(), noon())
}

#[tokio::test]
async fn a_place_is_taken_once() {
    for logs in Logs::all().await {
        let (log, ana) = (&logs.log, owner("ana"));
        let first = commit(Position::start_of(ConversationNumber::FIRST), "hola");
        log.put(&ana, &first, None).await.unwrap();
        // The same commit again, as after a lost answer, is success; another in its place is not.
        log.put(&ana, &first, None).await.unwrap();
        let rival = commit(Position::start_of(ConversationNumber::FIRST), "¿hola?");
        assert!(matches!(
            log.put(&ana, &rival, None).await,
            Err(PutError::Conflict)
        ));
        assert_eq!(log.newest(&ana, None, 10).await.unwrap(), vec![first]);
    }
}

#[tokio::test]
async fn the_newest_conversation_comes_first_and_alone() {
    for logs in Logs::all().await {
        let (log, ana) = (&logs.log, owner("ana"));
        let mut put = Vec::new();
        for number in 1..=2 {
            let mut position = Position::start_of(ConversationNumber(number));
            for turn in 0..3 {
                let next = commit(position, &format!("{number}.{turn}"));
                log.put(&ana, &next, None).await.unwrap();
                position = Position::after(&next);
                put.push(next);
            }
        }
        let newest_first = |commits: &[Commit]| commits.iter().rev().cloned().collect::<Vec<_>>();
        let of = |number: u32| Some(ConversationNumber(number));
        assert_eq!(
            log.newest(&ana, None, 10).await.unwrap(),
            newest_first(&put[3..])
        );
        assert_eq!(
            log.newest(&ana, None, 2).await.unwrap(),
            newest_first(&put[4..])
        );
        assert_eq!(
            log.newest(&ana, of(1), 10).await.unwrap(),
            newest_first(&put[..3])
        );
        assert_eq!(log.newest(&ana, of(3), 10).await.unwrap(), vec![]);
        assert_eq!(
            log.before(&ana, ConversationNumber(1), Seq(3), 10)
                .await
                .unwrap(),
            newest_first(&put[..2])
        );
        assert_eq!(
            log.before(&ana, ConversationNumber(1), Seq(1), 10)
                .await
                .unwrap(),
            vec![]
        );
        // Another owner sees nothing, even one whose name begins alike.
        for stranger in ["luis", "an", "ana#", "ana#00000001"] {
            assert_eq!(
                log.newest(&owner(stranger), None, 10).await.unwrap(),
                vec![],
                "{stranger}"
            );
        }
    }
}

#[tokio::test]
async fn pages_are_followed_to_the_limit() {
    for logs in Logs::all().await {
        let (log, ana) = (&logs.log, owner("ana"));
        // Items of about 150 KB: a page of 1 MB holds six.
        let noise: String = (0..37_500)
            .map(|_| Uuid::now_v7().simple().to_string()[20..24].to_owned())
            .collect();
        let mut position = Position::start_of(ConversationNumber::FIRST);
        let mut put = Vec::new();
        for _ in 0..16 {
            let next = commit(position, &noise);
            log.put(&ana, &next, None).await.unwrap();
            position = Position::after(&next);
            put.push(next);
        }
        put.reverse();
        assert!(log.newest(&ana, None, 100).await.unwrap() == put);
        assert!(log.newest(&ana, None, 9).await.unwrap() == put[..9]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_64_wins_each_place() {
    for logs in Logs::all().await {
        let (log, ana) = (&logs.log, owner("ana"));
        let mut position = Position::start_of(ConversationNumber::FIRST);
        for round in 0..4 {
            let barrier = Arc::new(Barrier::new(64));
            let mut writers = JoinSet::new();
            for writer in 0..64 {
                let (log, ana, barrier) = (Arc::clone(log), ana.clone(), Arc::clone(&barrier));
                let mine = commit(position.clone(), &format!("{round}.{writer}"));
                writers.spawn(async move {
                    barrier.wait().await;
                    let put = log.put(&ana, &mine, None).await;
                    assert!(matches!(put, Ok(()) | Err(PutError::Conflict)), "{put:?}");
                    put.is_ok().then_some(mine)
                });
            }
            let winners: Vec<Commit> = writers.join_all().await.into_iter().flatten().collect();
            let there = log.newest(&ana, None, 1).await.unwrap();
            assert_eq!(winners, there);
            position = Position::after(&there[0]);
        }
        let numbers: Vec<u64> = log
            .newest(&ana, None, 100)
            .await
            .unwrap()
            .iter()
            .map(|c| c.first_seq.0)
            .collect();
        assert_eq!(numbers, [4, 3, 2, 1]);
    }
}

#[tokio::test]
async fn what_is_too_large_is_refused_whole() {
    for logs in Logs::all().await {
        let (log, ana) = (&logs.log, owner("ana"));
        let start = Position::start_of(ConversationNumber::FIRST);
        let enormous = commit(start, &"a".repeat(COMMIT_BYTES_MAX));
        let refused = log.put(&ana, &enormous, None).await;
        let most = COMMIT_BYTES_MAX;
        assert!(
            matches!(refused, Err(PutError::TooLarge(TooLarge { bytes, most: of })) if bytes > most && of == most),
            "{refused:?}"
        );
        let whole = log.read(&ana, Stretch::ALL, Order::OldestFirst, 9);
        assert_eq!(whole.await.unwrap(), vec![]);
    }
}
