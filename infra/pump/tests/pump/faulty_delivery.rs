//! Faulty delivery: everything at least once, each item's records in order within a batch, and every trick seen.

use std::{collections::BTreeSet, sync::Arc};

use mostrador_pump::{Delivery, Mapping};

use crate::shop::{Batch, Notes, Shop, quick};

const ITEMS: usize = 7;
const RECORDS: usize = 300;

/// What a consumer was called with in a world of few items with many changes.
async fn calls(seed: u64, share: f64) -> Vec<Batch> {
    let shop = Shop::with_images().await;
    for number in 0..RECORDS {
        shop.put(&format!("item-{}", number % ITEMS), number).await;
    }
    let notes = Notes::content();
    let mapping = Mapping {
        batch_size: 20,
        delivery: Delivery::Faulty { seed, share },
        ..quick()
    };
    let running = shop.start(mapping, &notes, &Arc::default());
    running.drained().await;
    running.stop().await;
    notes.calls()
}

#[tokio::test(start_paused = true)]
async fn everything_comes_at_least_once_and_badly() {
    let mut repeated = 0;
    let mut older_after_newer = 0;
    let mut ahead_of_others = 0;
    for seed in 0..10 {
        let calls = calls(seed, 0.5).await;
        let seen: BTreeSet<usize> = calls.concat().into_iter().collect();
        assert_eq!(seen, (0..RECORDS).collect(), "seed {seed}");
        let mut newest = None;
        let mut before = BTreeSet::<usize>::new();
        for batch in &calls {
            assert!(batch.is_sorted(), "seed {seed}: {batch:?}");
            repeated += usize::from(batch.iter().any(|number| before.contains(number)));
            older_after_newer += usize::from(batch.first().copied() < newest);
            before.extend(batch);
            newest = newest.max(batch.last().copied());
            ahead_of_others += usize::from(newest.is_some_and(|newest| before.len() <= newest));
        }
    }
    assert!(repeated > 50, "{repeated} batches had old records");
    assert!(older_after_newer > 50, "{older_after_newer} came late");
    assert!(ahead_of_others > 5, "{ahead_of_others} times ahead");
}

#[tokio::test(start_paused = true)]
async fn a_seed_reproduces_its_faults_and_a_share_of_zero_has_none() {
    assert_eq!(calls(7, 0.5).await, calls(7, 0.5).await);
    assert_ne!(calls(7, 0.5).await, calls(8, 0.5).await);
    assert_eq!(
        calls(7, 0.0).await.concat(),
        (0..RECORDS).collect::<Batch>()
    );
}
