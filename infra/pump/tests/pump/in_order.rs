//! Delivery when nothing fails: content, order, batches, filter, checkpoint, stop.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use async_trait::async_trait;
use aws_sdk_dynamodb::{
    primitives::Blob,
    types::{AttributeValue, StreamViewType},
};
use mostrador_pump::{BoxError, Consumer, Mapping};
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::shop::{Kept, Notes, Shop, TABLE, number, quick};

/// Every record of a stream after a put, an update and a delete.
async fn changes(view: StreamViewType) -> Vec<Value> {
    let shop = Shop::open(view).await;
    let id = || AttributeValue::S("a".to_owned());
    let put = shop.tables.put_item().table_name(TABLE);
    put.item("id", id())
        .item("bytes", AttributeValue::B(Blob::new(*b"\x00\xff")))
        .item("set", AttributeValue::Ss(vec!["x".to_owned()]))
        .item(
            "list",
            AttributeValue::L(vec![
                AttributeValue::Null(true),
                AttributeValue::Bool(false),
            ]),
        )
        .send()
        .await
        .unwrap();
    let update = shop.tables.update_item().table_name(TABLE);
    update
        .key("id", id())
        .update_expression("REMOVE bytes, #set, #list SET n = :n")
        .expression_attribute_names("#set", "set")
        .expression_attribute_names("#list", "list")
        .expression_attribute_values(":n", AttributeValue::N("1.5".to_owned()))
        .send()
        .await
        .unwrap();
    let delete = shop.tables.delete_item().table_name(TABLE);
    delete.key("id", id()).send().await.unwrap();

    struct Events(Mutex<Vec<Value>>);
    #[async_trait]
    impl Consumer for Events {
        async fn consume(&self, event: Value) -> Result<Value, BoxError> {
            self.0.lock().unwrap().push(event);
            Ok(json!({"batchItemFailures": []}))
        }
    }
    let events = Arc::new(Events(Mutex::default()));
    let running = quick().start(
        shop.streams.clone(),
        TABLE,
        Arc::clone(&events) as _,
        Arc::new(Kept::default()),
    );
    running.drained().await;
    running.stop().await;
    let events = events.0.lock().unwrap();
    let records = events.iter().map(|event| event["Records"].as_array());
    records
        .flat_map(|records| records.unwrap().clone())
        .collect()
}

/// Takes out of a record what differs from run to run, having looked at it.
fn same_every_time(mut record: Value) -> Value {
    assert!(record["eventID"].as_str().is_some_and(|id| !id.is_empty()));
    let arn = record["eventSourceARN"].as_str().unwrap();
    assert!(arn.contains(":table/things/stream/"), "{arn}");
    let change = &record["dynamodb"];
    assert!(change["ApproximateCreationDateTime"].as_i64().unwrap() > 1_700_000_000);
    assert!(change["SequenceNumber"].as_str().unwrap().len() >= 21);
    assert!(change["SizeBytes"].as_u64().unwrap() > 0);
    for varying in ["eventID", "eventSourceARN"] {
        record.as_object_mut().unwrap().remove(varying);
    }
    let change = record["dynamodb"].as_object_mut().unwrap();
    for varying in ["ApproximateCreationDateTime", "SequenceNumber", "SizeBytes"] {
        change.remove(varying);
    }
    record
}

fn expected(name: &str, view: &str, images: &Value) -> Value {
    let mut change = images.clone();
    change["Keys"] = json!({"id": {"S": "a"}});
    change["StreamViewType"] = json!(view);
    json!({
        "eventName": name, "eventVersion": "1.1", "eventSource": "aws:dynamodb", "awsRegion": "dynoxide", "dynamodb": change,
    })
}

#[tokio::test]
async fn events_are_what_lambda_sends() {
    let first = json!({
        "id": {"S": "a"}, "bytes": {"B": "AP8="}, "set": {"SS": ["x"]}, "list": {"L": [{"NULL": true}, {"BOOL": false}]},
    });
    let second = json!({"id": {"S": "a"}, "n": {"N": "1.5"}});
    let both = "NEW_AND_OLD_IMAGES";
    let records = changes(StreamViewType::NewAndOldImages).await;
    let records: Vec<Value> = records.into_iter().map(same_every_time).collect();
    assert_eq!(
        records,
        [
            expected("INSERT", both, &json!({"NewImage": first})),
            expected(
                "MODIFY",
                both,
                &json!({"OldImage": first, "NewImage": second})
            ),
            expected("REMOVE", both, &json!({"OldImage": second})),
        ]
    );
    let records = changes(StreamViewType::NewImage).await;
    let records: Vec<Value> = records.into_iter().map(same_every_time).collect();
    assert_eq!(
        records,
        [
            expected("INSERT", "NEW_IMAGE", &json!({"NewImage": first})),
            expected("MODIFY", "NEW_IMAGE", &json!({"NewImage": second})),
            expected("REMOVE", "NEW_IMAGE", &json!({})),
        ]
    );
}

#[tokio::test]
async fn batches_come_in_order_and_within_their_size() {
    let shop = Shop::with_images().await;
    shop.put_all(0..250).await;
    let notes = Notes::content();
    let running = shop.start(quick(), &notes, &Arc::default());
    running.drained().await;
    let whole: Vec<Vec<usize>> = vec![
        (0..100).collect(),
        (100..200).collect(),
        (200..250).collect(),
    ];
    assert_eq!(notes.calls(), whole);
    shop.put_all(250..253).await;
    running.drained().await;
    running.stop().await;
    assert_eq!(notes.all(), (0..253).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_window_gathers_what_comes_one_by_one() {
    let shop = Shop::with_images().await;
    let notes = Notes::content();
    let mapping = Mapping {
        window: Duration::from_millis(500),
        ..quick()
    };
    let running = shop.start(mapping, &notes, &Arc::default());
    for item in 0..3 {
        shop.put_all(item..item + 1).await;
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
    running.drained().await;
    running.stop().await;
    assert_eq!(notes.calls(), [vec![0, 1, 2]]);
}

#[tokio::test]
async fn what_the_filter_leaves_out_is_done() {
    let shop = Shop::with_images().await;
    shop.put_all(0..20).await;
    let folder = tempfile::tempdir().unwrap();
    let mapping = Mapping {
        filter: Some(Arc::new(|record| {
            number(record) % 5 == 3 && number(record) < 15
        })),
        batch_size: 2,
        folder: Some(folder.path().to_owned()),
        ..quick()
    };
    let notes = Notes::content();
    let running = shop.start(mapping.clone(), &notes, &Arc::default());
    running.drained().await;
    running.stop().await;
    assert_eq!(notes.calls(), [vec![3, 8], vec![13]]);
    // The same without a filter shows how far the checkpoint got.
    shop.put_all(20..21).await;
    let all = Notes::content();
    let mapping = Mapping {
        filter: None,
        ..mapping
    };
    let running = shop.start(mapping.clone(), &all, &Arc::default());
    running.drained().await;
    running.stop().await;
    assert_eq!(all.calls(), [vec![20]]);
    // Nor does what is left out wait for a record that is not.
    let mut other = Mapping {
        consumer: "other".to_owned(),
        filter: Some(Arc::new(|_| false)),
        ..mapping
    };
    for _ in 0..2 {
        let none = Notes::content();
        let running = shop.start(other.clone(), &none, &Arc::default());
        running.drained().await;
        running.stop().await;
        assert_eq!(none.calls(), Vec::<Vec<usize>>::new());
        other.filter = None;
    }
}

#[tokio::test]
async fn a_restart_goes_on_at_the_checkpoint() {
    let shop = Shop::with_images().await;
    shop.put_all(0..5).await;
    let folder = tempfile::tempdir().unwrap();
    let mapping = Mapping {
        folder: Some(folder.path().to_owned()),
        ..quick()
    };
    let run = async |mapping: &Mapping| {
        let notes = Notes::content();
        let running = shop.start(mapping.clone(), &notes, &Arc::default());
        running.drained().await;
        running.stop().await;
        notes.calls()
    };
    assert_eq!(run(&mapping).await, [vec![0, 1, 2, 3, 4]]);
    assert_eq!(run(&mapping).await, Vec::<Vec<usize>>::new());
    shop.put_all(5..7).await;
    assert_eq!(run(&mapping).await, [vec![5, 6]]);
    // Another mapping of the same folder has its own, and one without a folder begins at the beginning.
    let other = Mapping {
        consumer: "other".to_owned(),
        ..mapping.clone()
    };
    assert_eq!(run(&other).await.concat().len(), 7);
    assert_eq!(run(&quick()).await.concat().len(), 7);
    // A checkpoint that is empty, or has a number that no shard had, counts as none.
    let file = folder.path().join("stream-notes.json");
    let good = std::fs::read_to_string(&file).unwrap();
    let mut unknown: Value = serde_json::from_str(&good).unwrap();
    for place in unknown["shards"].as_object_mut().unwrap().values_mut() {
        *place = json!({"through": "000000000000000000007"});
    }
    for bad in ["", "{\"stream\": 1", &unknown.to_string()] {
        std::fs::write(&file, bad).unwrap();
        assert_eq!(run(&mapping).await.concat().len(), 7, "{bad}");
    }
    let elsewhere = good.replace("stream/", "stream/another");
    std::fs::write(&file, elsewhere).unwrap();
    assert_eq!(run(&mapping).await.concat().len(), 7, "another stream's");
}

/// The calls of a consumer whose mapping is stopped during the first one.
async fn stopped_amid(shop: &Shop, mapping: &Mapping, notes: Arc<Notes>) -> Vec<Vec<usize>> {
    struct Slow {
        notes: Arc<Notes>,
        begun: Notify,
        go_on: Notify,
    }
    #[async_trait]
    impl Consumer for Slow {
        async fn consume(&self, event: Value) -> Result<Value, BoxError> {
            self.begun.notify_one();
            self.go_on.notified().await;
            self.notes.consume(event).await
        }
    }
    let slow = Arc::new(Slow {
        notes,
        begun: Notify::new(),
        go_on: Notify::new(),
    });
    let running = mapping.clone().start(
        shop.streams.clone(),
        TABLE,
        Arc::clone(&slow) as _,
        Arc::new(Kept::default()),
    );
    slow.begun.notified().await;
    let mut stopping = tokio::spawn(running.stop());
    let early = tokio::time::timeout(Duration::from_millis(50), &mut stopping).await;
    assert!(early.is_err(), "it did not wait for the batch");
    slow.go_on.notify_one();
    stopping.await.unwrap();
    slow.notes.calls()
}

#[tokio::test]
async fn a_stop_lets_the_batch_in_hand_be_finished_and_begins_no_other() {
    let shop = Shop::with_images().await;
    shop.put_all(0..6).await;
    let folder = tempfile::tempdir().unwrap();
    let mapping = Mapping {
        batch_size: 3,
        folder: Some(folder.path().to_owned()),
        ..quick()
    };
    let fails = Notes::with(|_, _| Err("not now".into()));
    assert_eq!(stopped_amid(&shop, &mapping, fails).await, [vec![0, 1, 2]]);
    let works = Notes::content();
    assert_eq!(stopped_amid(&shop, &mapping, works).await, [vec![0, 1, 2]]);
    let notes = Notes::content();
    let running = shop.start(mapping, &notes, &Arc::default());
    running.drained().await;
    running.stop().await;
    assert_eq!(notes.calls(), [vec![3, 4, 5]]);
}
