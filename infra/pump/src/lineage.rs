//! The shards of a stream, each followed by a task of its own, none before its parent is done.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
    time::Duration,
};

use tokio::task::{Id, JoinSet};

use crate::{
    checkpoint::Place,
    mapping::Context,
    progress::Stop,
    shard::{self, End},
    source::ReadError,
};

/// How often shards are looked for while there are some at work. A shard's end makes for a look at once.
const LOOK_EVERY: Duration = Duration::from_secs(10);
/// How long to wait for a shard when all known ones are done.
const NEXT_SHARD: Duration = Duration::from_secs(1);

/// Follows a stream until it is time to stop.
pub(crate) async fn run(context: Arc<Context>, mut stop: Stop) {
    let mut tasks = Tasks::default();
    let mut failures = 0;
    while !stop.requested() {
        let pause = match look(&context, &mut tasks, &stop).await {
            Ok(()) => {
                failures = 0;
                if tasks.shards.is_empty() {
                    NEXT_SHARD
                } else {
                    LOOK_EVERY
                }
            }
            Err(error) => {
                failures += 1;
                if failures == 1 {
                    tracing::warn!(
                        consumer = context.mapping.consumer,
                        table = context.source.table,
                        error = &error as &dyn std::error::Error,
                        "the stream's shards are not known; trying on"
                    );
                }
                context.mapping.pause_after(failures)
            }
        };
        let ended = tokio::select! {
            () = stop.wait() => break,
            Some(ended) = tasks.running.join_next_with_id() => ended,
            () = tokio::time::sleep(pause) => continue,
        };
        let (task, end) = match ended {
            Ok((task, end)) => (task, Some(end)),
            Err(error) => {
                tracing::error!(consumer = context.mapping.consumer, %error, "a shard is followed anew");
                (error.id(), None)
            }
        };
        tasks.shards.remove(&task);
        if end != Some(End::Closed) {
            stop.pause(context.mapping.pause_max).await;
        }
    }
    while tasks.running.join_next().await.is_some() {}
    context.progress.over();
}

#[derive(Default)]
struct Tasks {
    running: JoinSet<End>,
    shards: HashMap<Id, String>,
}

/// Has every shard followed whose turn it is.
async fn look(context: &Arc<Context>, tasks: &mut Tasks, stop: &Stop) -> Result<(), ReadError> {
    let stream = context.source.stream().await?;
    let ids: BTreeSet<&str> = stream.shards.iter().map(|s| s.id.as_str()).collect();
    context.checkpoint.keep_only(&stream.arn, &ids).await;
    let mut unfinished = Vec::new();
    let mut next = Vec::new();
    for shard in &stream.shards {
        if context.checkpoint.of(&shard.id).await == Some(Place::Closed) {
            continue;
        }
        unfinished.push(shard.id.as_str());
        let waits = match &shard.parent {
            Some(parent) => context.checkpoint.of(parent).await != Some(Place::Closed),
            None => false,
        };
        if !waits && !tasks.shards.values().any(|id| *id == shard.id) {
            next.push(shard.id.clone());
        }
    }
    context.progress.know(&unfinished);
    for shard in next {
        let follow = shard::follow(
            Arc::clone(context),
            stream.arn.clone(),
            shard.clone(),
            stop.clone(),
        );
        let task = tasks.running.spawn(follow);
        tasks.shards.insert(task.id(), shard);
    }
    Ok(())
}
