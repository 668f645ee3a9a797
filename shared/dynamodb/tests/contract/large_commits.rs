//! Commits that are too long for one row: whole, or known to be damaged; and nothing of them where they are not.

use aws_sdk_dynamodb::{primitives::Blob, types::AttributeValue};
use mostrador_core::{
    erasure::Eraser,
    ids::{ConversationNumber, Seq},
    limits::{Idempotency, IdempotentRequest, Kept, Settlement, StoredAnswer},
    log::{COMMIT_BYTES_MAX, Commit, Event, Log, Position, PutError, Stored},
};
use serde_json::Value;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::{
    log::commit,
    setup::{Row, Stores, noise, noon, owner},
};

/// What it takes three parts to hold.
const LARGE: usize = 1 << 20;

fn start() -> Position {
    Position::start_of(ConversationNumber::FIRST)
}

fn is_part(row: &Row) -> bool {
    row["commit"].as_s().unwrap().starts_with("part#")
}

/// The rows with content: the sort key, and whether it is a part.
fn with_content(rows: &[Row]) -> Vec<&str> {
    let filled = |row: &&Row| {
        ["bytes", "events", "parts"]
            .iter()
            .any(|name| row.contains_key(*name))
    };
    let filled = rows.iter().filter(filled);
    filled
        .map(|row| row["commit"].as_s().unwrap().as_str())
        .collect()
}

fn part_keys(commit: &Commit) -> Vec<String> {
    let (id, number, seq) = (commit.commit_id, commit.conversation, commit.first_seq);
    (0..3)
        .map(|part| format!("part#{id}#{number}#{seq}#{part:05}"))
        .collect()
}

#[tokio::test]
async fn large_ones_come_back_whole_amid_small_ones() {
    for stores in Stores::all().await {
        let (log, ana) = (stores.log(), owner("ana"));
        let mut put = Vec::new();
        let mut position = start();
        for turn in 0..9 {
            // The middling ones are in one row each, of which a page of 1 MB holds three.
            let length = [10, LARGE, 300_000][turn % 3];
            let next = commit(position, &noise(length));
            log.put(&ana, &next, None).await.unwrap();
            // Again, as after a lost answer.
            log.put(&ana, &next, None).await.unwrap();
            position = Position::after(&next);
            put.push(next);
        }
        let rows = stores.log_rows().await;
        assert_eq!(rows.iter().filter(|row| is_part(row)).count(), 9);
        assert_eq!(rows.len(), 18);
        let newest_first: Vec<Commit> = put.iter().rev().cloned().collect();
        for limit in [1, 2, 5, 9, 100] {
            let newest = log.newest(&ana, None, limit).await.unwrap();
            assert!(newest == newest_first[..limit.min(9)], "newest {limit}");
        }
        let first = ConversationNumber::FIRST;
        let before = log.before(&ana, first, Seq(6), 3).await.unwrap();
        assert!(before == newest_first[4..7]);
        let after = log.after(&ana, first, Seq(4), 100).await.unwrap();
        assert!(after == put[4..]);
        assert_eq!(log.newest(&owner("luis"), None, 9).await.unwrap(), vec![]);
    }
}

#[tokio::test]
async fn what_is_damaged_keeps_its_place_and_is_never_less() {
    for stores in Stores::all().await {
        let (log, ana) = (stores.log(), owner("ana"));
        let small = commit(start(), "hola");
        let large = commit(Position::after(&small), &noise(LARGE));
        for commit in [&small, &large] {
            log.put(&ana, commit, None).await.unwrap();
        }
        let rows = stores.log_rows().await;
        let parts: Vec<Row> = rows.into_iter().filter(is_part).collect();
        assert_eq!(parts.len(), 3);
        let left = Commit {
            events: vec![Stored::damaged(); large.events.len()],
            ..large.clone()
        };
        let damaged = |what: String| {
            let (log, ana, small, left) = (log.clone(), ana.clone(), small.clone(), left.clone());
            async move {
                let read = log.newest(&ana, None, 2).await.unwrap();
                assert_eq!(read, [left, small.clone()], "{what}");
                let before = log.before(&ana, ConversationNumber::FIRST, Seq(2), 2).await;
                assert_eq!(before.unwrap(), vec![small]);
            }
        };
        for (number, part) in parts.iter().enumerate() {
            stores.delete_log_row(part).await;
            damaged(format!("part {number} lost")).await;
            let mut flipped = part.clone();
            let mut bytes = part["bytes"].as_b().unwrap().as_ref().to_vec();
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
            flipped.insert("bytes".into(), AttributeValue::B(Blob::new(bytes)));
            stores.put_log_row(flipped).await;
            damaged(format!("a bit of part {number} flipped")).await;
            stores.put_log_row(part.clone()).await;
        }
        assert!(log.newest(&ana, None, 2).await.unwrap() == [large, small]);
    }
}

/// A part that cannot be written: nobody finds a commit of which something is missing, and the same commit may be put again.
#[tokio::test]
async fn no_commit_is_there_before_its_parts() {
    for stores in Stores::all().await {
        let (log, ana) = (stores.log(), owner("ana"));
        let refusing_the_last_part = |_: &str, request: &mut Value, answer: Option<&mut Value>| {
            let key = request["Item"]["commit"]["S"].as_str();
            if answer.is_none() && key.is_some_and(|key| key.ends_with("#00002")) {
                request["TableName"] = "none".into();
            }
        };
        let Some(refusing) = stores.log_through(refusing_the_last_part).await else {
            continue;
        };
        let large = commit(start(), &noise(LARGE));
        let failed = refusing.put(&ana, &large, None).await;
        assert!(
            matches!(failed, Err(PutError::Unavailable(_))),
            "{failed:?}"
        );
        assert_eq!(log.newest(&ana, None, 9).await.unwrap(), vec![]);
        log.put(&ana, &large, None).await.unwrap();
        assert!(log.newest(&ana, None, 9).await.unwrap() == [large]);
    }
}

/// The functions' roles may do nothing else, and what is not consistent may be old.
#[tokio::test]
async fn the_log_only_puts_and_makes_consistent_queries() {
    for stores in Stores::all().await {
        let ana = owner("ana");
        let strict = |operation: &str, request: &mut Value, answer: Option<&mut Value>| {
            let consistent = request["ConsistentRead"] == true;
            let allowed = operation == "PutItem" || operation == "Query" && consistent;
            if answer.is_none() && !allowed {
                request["TableName"] = "none".into();
            }
        };
        let Some(log) = stores.log_through(strict).await else {
            continue;
        };
        let large = commit(start(), &noise(LARGE));
        log.put(&ana, &large, None).await.unwrap();
        let lost = log.put(&ana, &commit(start(), &noise(LARGE)), None).await;
        assert!(matches!(lost, Err(PutError::Conflict)), "{lost:?}");
        assert!(log.newest(&ana, None, 9).await.unwrap() == [large]);
    }
}

#[tokio::test]
async fn who_loses_the_place_leaves_no_trace() {
    for stores in Stores::all().await {
        let (log, ana) = (stores.log(), owner("ana"));
        let winner = commit(start(), &noise(LARGE));
        let loser = commit(start(), &noise(LARGE));
        log.put(&ana, &winner, None).await.unwrap();
        let lost = log.put(&ana, &loser, None).await;
        assert!(matches!(lost, Err(PutError::Conflict)), "{lost:?}");
        assert!(log.newest(&ana, None, 9).await.unwrap() == [winner.clone()]);
        let mut there = vec!["00000001#000000000001".to_owned()];
        there.extend(part_keys(&winner));
        assert_eq!(with_content(&stores.log_rows().await), there);
        // What is left of it ends by itself.
        for row in stores.log_rows().await {
            let emptied = !there.contains(row["commit"].as_s().unwrap());
            assert_eq!(
                row.contains_key("expires_at"),
                emptied,
                "{:?}",
                row["commit"]
            );
        }
        // Under the same id, in another place, with less to say.
        let next = Commit {
            commit_id: loser.commit_id,
            ..commit(Position::after(&winner), &noise(LARGE - 9))
        };
        log.put(&ana, &next, None).await.unwrap();
        assert!(log.newest(&ana, None, 9).await.unwrap() == [next, winner]);
    }
}

#[tokio::test]
async fn large_ones_settle_their_request_or_leave_no_trace() {
    for stores in Stores::all().await {
        let (store, log, ana) = (stores.idempotency(), stores.log(), owner("ana"));
        let request = IdempotentRequest {
            owner: ana.to_string(),
            operation: "/api/agent/chat/".into(),
            key: "k".into(),
            body_hash: "a".into(),
            lease: Uuid::now_v7(),
        };
        store.acquire(&request, noon()).await.unwrap();
        let settlement = Settlement {
            request,
            kept: Kept::Answered(StoredAnswer::json(200, &"hecho")),
        };
        let large = commit(start(), &noise(LARGE));
        log.put(&ana, &large, Some(&settlement)).await.unwrap();
        log.put(&ana, &large, Some(&settlement)).await.unwrap();
        let late = commit(Position::after(&large), &noise(LARGE));
        let overtaken = log.put(&ana, &late, Some(&settlement)).await;
        assert!(
            matches!(overtaken, Err(PutError::Overtaken)),
            "{overtaken:?}"
        );
        assert_eq!(with_content(&stores.log_rows().await).len(), 4);
        assert!(log.newest(&ana, None, 9).await.unwrap() == [large]);
    }
}

#[tokio::test]
async fn what_is_too_large_is_refused_before_anything_is_written() {
    for stores in Stores::all().await {
        let (log, ana) = (stores.log(), owner("ana"));
        let enormous = commit(start(), &"a".repeat(COMMIT_BYTES_MAX));
        assert!(log.put(&ana, &enormous, None).await.is_err());
        assert_eq!(stores.log_rows().await, vec![]);
    }
}

#[tokio::test]
async fn nothing_is_left_of_what_is_erased() {
    for stores in Stores::all().await {
        let (log, ana, luis) = (stores.log(), owner("ana"), owner("luis"));
        let small = commit(start(), "hola");
        let large = commit(Position::after(&small), &noise(LARGE));
        let erased = vec![Stored::Known(Event::HistoryErased {})];
        let erased = Commit::at(
            Position::after(&large),
            erased,
            Uuid::now_v7(),
            Uuid::now_v7(),
            noon(),
        );
        for commit in [&small, &large, &erased] {
            log.put(&ana, commit, None).await.unwrap();
        }
        // Of a writer that went down before its commit; of a commit after the erasure; and of somebody else.
        for row in stores.log_rows().await.iter().filter(|row| is_part(row)) {
            let mut orphan = row.clone();
            let key = format!("part#{}#00000001#000000000003#00000", Uuid::now_v7());
            orphan.insert("commit".into(), AttributeValue::S(key));
            stores.put_log_row(orphan).await;
        }
        let later = commit(Position::start_of(ConversationNumber(2)), &noise(LARGE));
        log.put(&ana, &later, None).await.unwrap();
        log.put(&luis, &large, None).await.unwrap();

        for _ in 0..2 {
            let eraser = stores.eraser();
            eraser.commits(&ana, &erased, noon()).await.unwrap();
            let rows = stores.log_rows().await;
            let of_ana = AttributeValue::S(ana.to_string());
            let (of_ana, others): (Vec<_>, Vec<_>) =
                rows.into_iter().partition(|row| row["owner"] == of_ana);
            let parts: Vec<_> = of_ana.iter().filter(|row| is_part(row)).collect();
            let parts: Vec<_> = parts
                .iter()
                .map(|row| row["commit"].as_s().unwrap())
                .collect();
            assert_eq!(parts, part_keys(&later).iter().collect::<Vec<_>>());
            let mut filled = vec!["00000001#000000000003", "00000002#000000000001"];
            filled.extend(parts.iter().map(|key| key.as_str()));
            assert_eq!(with_content(&of_ana), filled);
            assert_eq!(of_ana.len(), 4 + 3);
            assert_eq!(with_content(&others).len(), 4);
        }
        assert!(log.newest(&ana, None, 9).await.unwrap() == [later]);
        let first = Some(ConversationNumber::FIRST);
        assert_eq!(log.newest(&ana, first, 9).await.unwrap(), vec![erased]);
        assert!(log.newest(&luis, None, 9).await.unwrap() == [large]);
    }
}

/// Parts end when their commit does, and may go before it: then it has gone too, and is not damaged.
#[tokio::test]
async fn parts_end_with_their_commit() {
    for stores in Stores::all().await {
        let (log, ana) = (stores.log_keeping(Duration::days(1)), owner("ana"));
        let large = commit(start(), &noise(LARGE));
        log.put(&ana, &large, None).await.unwrap();
        let end = (noon() + Duration::days(1)).unix_timestamp().to_string();
        for row in stores.log_rows().await {
            assert_eq!(row["expires_at"].as_n().unwrap(), &end);
        }
        let luis = owner("luis");
        let over = OffsetDateTime::from_unix_timestamp(1_700_000_000).unwrap();
        let gone = Commit {
            at: over,
            ..commit(start(), &noise(LARGE))
        };
        log.put(&luis, &gone, None).await.unwrap();
        let rows = stores.log_rows().await;
        let lost = rows
            .iter()
            .find(|row| row["commit"].as_s().unwrap() == &part_keys(&gone)[1]);
        if let Some(lost) = lost {
            stores.delete_log_row(lost).await;
        }
        assert_eq!(log.newest(&luis, None, 9).await.unwrap(), vec![]);
        assert!(log.newest(&ana, None, 9).await.unwrap() == [large]);
    }
}
