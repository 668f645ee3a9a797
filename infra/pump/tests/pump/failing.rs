//! Batches that fail: what comes again, what is cut, what is given up, and that the rest goes on.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use mostrador_pump::{
    BoxError, Condition, Consumer, FailedRecord, FailureFile, FailureQueue, Mapping,
};
use serde_json::{Value, json};
use time::OffsetDateTime;

use crate::shop::{Batch, Kept, Notes, Shop, TABLE, failed_at, number, quick};

#[tokio::test]
async fn records_from_the_lowest_failure_on_are_redelivered() {
    let shop = Shop::with_images().await;
    shop.put_all(0..10).await;
    let first = AtomicBool::new(true);
    let notes = Notes::with(move |_, event| {
        if !first.swap(false, Ordering::Relaxed) {
            return Ok(json!({}));
        }
        let mut both = failed_at(event, 7);
        let lower = failed_at(event, 4)["batchItemFailures"][0].take();
        both["batchItemFailures"]
            .as_array_mut()
            .unwrap()
            .push(lower);
        Ok(both)
    });
    let kept = Arc::default();
    let running = shop.start(quick(), &notes, &kept);
    running.drained().await;
    running.stop().await;
    assert_eq!(
        notes.calls(),
        [(0..10).collect::<Batch>(), (4..10).collect()]
    );
    assert_eq!(kept.reported(), []);
}

/// A hundred records of which one fails its batch altogether: 100 is cut to 50 and 50, these to 25, 12 and 13, 6 and 7, ...
#[tokio::test]
async fn a_poison_record_is_found_by_halves_and_given_up_alone() {
    const POISON: usize = 37;
    let shop = Shop::with_images().await;
    shop.put_all(0..100).await;
    let notes = Notes::with(|batch, _| match batch.contains(&POISON) {
        true => Err("it is poison".into()),
        false => Ok(Value::Null),
    });
    let kept = Arc::default();
    let mapping = Mapping {
        retries: 2,
        ..quick()
    };
    let running = shop.start(mapping, &notes, &kept);
    running.drained().await;
    running.stop().await;
    let calls = notes.calls();
    let sizes: Vec<usize> = calls.iter().map(Vec::len).collect();
    // Down to the record by way of 100, 50, 25, 13, 6, 3, 1 with the good halves in their turn, and its two retries.
    assert_eq!(
        sizes,
        [100, 50, 25, 25, 12, 13, 6, 3, 1, 1, 1, 2, 3, 7, 50],
        "{calls:?}"
    );
    let mut done = calls;
    done.retain(|batch| !batch.contains(&POISON));
    let others: Batch = (0..100).filter(|number| *number != POISON).collect();
    assert_eq!(done.concat(), others, "in order, each once");
    assert_eq!(
        kept.reported(),
        [(POISON, "RetryAttemptsExhausted".to_owned(), 9)]
    );
}

#[tokio::test]
async fn a_named_poison_record_blocks_nothing() {
    let shop = Shop::with_images().await;
    shop.put_all(0..6).await;
    let notes = Notes::with(|batch, event| {
        let place = batch.iter().position(|number| *number == 2);
        Ok(place.map_or(Value::Null, |place| failed_at(event, place)))
    });
    let kept = Arc::default();
    let mapping = Mapping {
        retries: 3,
        ..quick()
    };
    let running = shop.start(mapping, &notes, &kept);
    running.drained().await;
    shop.put_all(6..8).await;
    running.drained().await;
    running.stop().await;
    let calls = [
        vec![0, 1, 2, 3, 4, 5],
        vec![2, 3, 4, 5],
        vec![2, 3],
        vec![2],
        vec![2],
        vec![2],
        vec![2],
        vec![3],
        vec![4, 5],
        vec![6, 7],
    ];
    assert_eq!(notes.calls(), calls);
    assert_eq!(
        kept.reported(),
        [(2, "RetryAttemptsExhausted".to_owned(), 7)]
    );
}

#[tokio::test]
async fn a_batch_that_is_not_cut_is_given_up_whole_as_lambda_does() {
    let shop = Shop::with_images().await;
    shop.put_all(0..5).await;
    let notes = Notes::with(|batch, _| match batch.contains(&1) {
        true => Err("it is poison".into()),
        false => Ok(Value::Null),
    });
    let kept = Arc::default();
    let mapping = Mapping {
        bisect: false,
        retries: 1,
        batch_size: 3,
        ..quick()
    };
    let running = shop.start(mapping, &notes, &kept);
    running.drained().await;
    running.stop().await;
    assert_eq!(notes.calls(), [vec![0, 1, 2], vec![0, 1, 2], vec![3, 4]]);
    let reported = kept.reported();
    assert_eq!(
        reported
            .iter()
            .map(|reported| reported.0)
            .collect::<Batch>(),
        [0, 1, 2]
    );
    assert!(
        reported.iter().all(|reported| reported.2 == 2),
        "{reported:?}"
    );
}

#[tokio::test]
async fn a_record_past_its_age_is_given_up_before_its_retries_are() {
    let shop = Shop::with_images().await;
    shop.put_all(0..1).await;
    let notes = Notes::with(|batch, _| match batch.contains(&0) {
        true => Err("it is poison".into()),
        false => Ok(Value::Null),
    });
    let kept = Arc::default();
    // The engine has whole seconds, so a record may look one older than it is.
    let mapping = Mapping {
        retries: u32::MAX,
        max_age: Duration::from_secs(3),
        ..quick()
    };
    let running = shop.start(mapping, &notes, &kept);
    running.drained().await;
    shop.put_all(1..3).await;
    running.drained().await;
    running.stop().await;
    let reported = kept.reported();
    assert_eq!(reported.len(), 1);
    assert_eq!(
        (reported[0].0, reported[0].1.as_str()),
        (0, "MaximumRecordAgeExceeded")
    );
    assert!(reported[0].2 > 10, "{} attempts", reported[0].2);
    assert_eq!(notes.calls().last(), Some(&vec![1, 2]));
}

#[tokio::test]
async fn a_panic_fails_its_batch_and_nothing_else() {
    let shop = Shop::with_images().await;
    shop.put_all(0..3).await;
    let first = AtomicBool::new(true);
    let notes = Notes::with(move |batch, _| {
        let panics = batch.contains(&1) && first.swap(false, Ordering::Relaxed);
        assert!(!panics, "on purpose");
        Ok(Value::Null)
    });
    let kept = Arc::default();
    let running = shop.start(quick(), &notes, &kept);
    running.drained().await;
    running.stop().await;
    assert_eq!(notes.calls(), [vec![0, 1, 2], vec![0], vec![1, 2]]);
    assert_eq!(kept.reported(), []);
}

#[tokio::test(start_paused = true)]
async fn a_consumer_that_hangs_has_failed() {
    struct Hangs(Arc<Notes>);
    #[async_trait]
    impl Consumer for Hangs {
        async fn consume(&self, event: Value) -> Result<Value, BoxError> {
            let hangs = number(&event["Records"][0]) == 0;
            self.0.consume(event).await?;
            if hangs {
                std::future::pending::<()>().await;
            }
            Ok(Value::Null)
        }
    }
    let shop = Shop::with_images().await;
    shop.put_all(0..2).await;
    let notes = Notes::content();
    let kept: Arc<Kept> = Arc::default();
    let mapping = Mapping {
        retries: 1,
        ..quick()
    };
    let consumer = Arc::new(Hangs(Arc::clone(&notes)));
    let running = mapping.start(
        shop.streams.clone(),
        TABLE,
        consumer,
        Arc::clone(&kept) as _,
    );
    running.drained().await;
    running.stop().await;
    assert_eq!(notes.calls(), [vec![0, 1], vec![0], vec![0], vec![1]]);
    assert_eq!(
        kept.reported(),
        [(0, "RetryAttemptsExhausted".to_owned(), 3)]
    );
}

/// Refuses some times before it keeps.
struct Refusing {
    refusals: Mutex<u32>,
    kept: Kept,
}

#[async_trait]
impl FailureQueue for Refusing {
    async fn keep(&self, failed: FailedRecord) -> Result<(), BoxError> {
        {
            let mut refusals = self.refusals.lock().unwrap();
            if *refusals > 0 {
                *refusals -= 1;
                return Err("the disk is full".into());
            }
        }
        self.kept.keep(failed).await
    }
}

#[tokio::test]
async fn a_queue_that_refuses_is_retried_until_it_accepts() {
    let shop = Shop::with_images().await;
    shop.put_all(0..2).await;
    let notes = Notes::with(|batch, _| match batch.contains(&0) {
        true => Err("it is poison".into()),
        false => Ok(Value::Null),
    });
    let queue = Arc::new(Refusing {
        refusals: Mutex::new(4),
        kept: Kept::default(),
    });
    let mapping = Mapping {
        retries: 0,
        ..quick()
    };
    let running = mapping.start(
        shop.streams.clone(),
        TABLE,
        Arc::clone(&notes) as _,
        Arc::clone(&queue) as _,
    );
    running.drained().await;
    running.stop().await;
    assert_eq!(notes.calls(), [vec![0, 1], vec![0], vec![1]]);
    assert_eq!(queue.kept.reported().len(), 1);
}

#[tokio::test]
async fn the_file_has_a_line_for_each_record_even_after_one_that_was_cut() {
    let folder = tempfile::tempdir().unwrap();
    let file = FailureFile::in_folder(folder.path());
    let failed = |attempts| FailedRecord {
        at: OffsetDateTime::UNIX_EPOCH,
        stream: "arn".to_owned(),
        consumer: "notes".to_owned(),
        condition: Condition::RetryAttemptsExhausted,
        attempts,
        record: json!({"eventName": "INSERT", "text": "de Ana\n"}),
    };
    file.keep(failed(1)).await.unwrap();
    let whole = std::fs::read(file.path()).unwrap();
    std::fs::write(file.path(), [&whole[..], b"{\"at\": \"19"].concat()).unwrap();
    file.keep(failed(2)).await.unwrap();
    file.keep(failed(3)).await.unwrap();
    let text = std::fs::read_to_string(folder.path().join("failed-records.jsonl")).unwrap();
    let lines: Vec<Option<Value>> = text.lines().map(|l| serde_json::from_str(l).ok()).collect();
    let line = |attempts: u32| {
        Some(json!({
            "at": "1970-01-01T00:00:00Z", "stream": "arn", "consumer": "notes", "condition": "RetryAttemptsExhausted",
            "attempts": attempts, "record": {"eventName": "INSERT", "text": "de Ana\n"},
        }))
    };
    assert_eq!(lines, [line(1), None, line(2), line(3)]);
    assert!(!format!("{:?}", failed(1)).contains("Ana"));
}
