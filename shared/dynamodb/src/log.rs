//! The `events` table: one item a commit, put only where none is.

mod codec;

use async_trait::async_trait;
use aws_sdk_dynamodb::{Client, types::ReturnValuesOnConditionCheckFailure};
use mostrador_core::{
    ids::{ConversationNumber, Owner, Seq},
    log::{Commit, Log, PutError, ReadError},
};

use crate::{
    attributes::{Item, s},
    error::{StoreError, WriteFailure, text_of},
};

/// [`Log`] on a table with partition key `owner` and sort key `commit` (`00000001#000000000042`).
#[derive(Debug, Clone)]
pub struct DynamoLog {
    client: Client,
    table: String,
}

impl DynamoLog {
    #[must_use]
    pub fn new(client: Client, table: impl Into<String>) -> Self {
        Self {
            client,
            table: table.into(),
        }
    }

    /// Items whose sort key lies from `from` to `to`, newest first, as many pages as it takes.
    async fn query(
        &self,
        owner: &Owner,
        from: &str,
        to: &str,
        limit: usize,
    ) -> Result<Vec<Commit>, ReadError> {
        let mut commits = Vec::new();
        let mut start_key = None;
        loop {
            let left = i32::try_from(limit - commits.len()).unwrap_or(i32::MAX);
            let page = self
                .client
                .query()
                .table_name(&self.table)
                .consistent_read(true)
                .scan_index_forward(false)
                .limit(left)
                .key_condition_expression("#o = :o AND #c BETWEEN :from AND :to")
                .expression_attribute_names("#o", "owner")
                .expression_attribute_names("#c", "commit")
                .expression_attribute_values(":o", s(owner.to_string()))
                .expression_attribute_values(":from", s(from))
                .expression_attribute_values(":to", s(to))
                .set_exclusive_start_key(start_key.take())
                .send()
                .await
                .map_err(|error| ReadError::Unavailable(StoreError::new(error).boxed()))?;
            for item in page.items() {
                commits.push(codec::decode(item)?);
            }
            start_key = page.last_evaluated_key;
            if start_key.is_none() || commits.len() >= limit {
                return Ok(commits);
            }
        }
    }

    /// After an answer that never came: is the commit there?
    async fn is_there(&self, owner: &Owner, commit: &Commit) -> Result<Presence, StoreError> {
        // A query and not a get: the functions' roles may do nothing else with this table.
        let found = self
            .client
            .query()
            .table_name(&self.table)
            .consistent_read(true)
            .key_condition_expression("#o = :o AND #c = :c")
            .expression_attribute_names("#o", "owner")
            .expression_attribute_names("#c", "commit")
            .expression_attribute_values(":o", s(owner.to_string()))
            .expression_attribute_values(
                ":c",
                s(codec::sort_key(commit.conversation, commit.first_seq)),
            )
            .send()
            .await
            .map_err(StoreError::new)?;
        Ok(match found.items().first() {
            None => Presence::Free,
            Some(item) if is_ours(item, commit) => Presence::Ours,
            Some(_) => Presence::Taken,
        })
    }
}

enum Presence {
    Free,
    Ours,
    Taken,
}

fn is_ours(item: &Item, commit: &Commit) -> bool {
    text_of(item.get("commit_id")) == Some(commit.commit_id.to_string().as_str())
}

#[async_trait]
impl Log for DynamoLog {
    async fn newest(
        &self,
        owner: &Owner,
        conversation: Option<ConversationNumber>,
        limit: usize,
    ) -> Result<Vec<Commit>, ReadError> {
        if let Some(conversation) = conversation {
            return self.before(owner, conversation, Seq(u64::MAX), limit).await;
        }
        let last = codec::sort_key(ConversationNumber::MAX, codec::SEQ_MAX);
        let mut commits = self
            .query(
                owner,
                &codec::sort_key(ConversationNumber::FIRST, Seq(0)),
                &last,
                limit,
            )
            .await?;
        // Where the newest conversation is shorter than the limit, older ones follow it.
        if let Some(newest) = commits.first().map(|commit| commit.conversation) {
            commits.retain(|commit| commit.conversation == newest);
        }
        Ok(commits)
    }

    async fn before(
        &self,
        owner: &Owner,
        conversation: ConversationNumber,
        before: Seq,
        limit: usize,
    ) -> Result<Vec<Commit>, ReadError> {
        let last = Seq(before.0.saturating_sub(1)).min(codec::SEQ_MAX);
        let (from, to) = (
            codec::sort_key(conversation, Seq(0)),
            codec::sort_key(conversation, last),
        );
        self.query(owner, &from, &to, limit).await
    }

    async fn put(&self, owner: &Owner, commit: &Commit) -> Result<(), PutError> {
        let put = self
            .client
            .put_item()
            .table_name(&self.table)
            .set_item(Some(codec::encode(owner, commit)))
            .condition_expression("attribute_not_exists(#o)")
            .expression_attribute_names("#o", "owner")
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
            .send()
            .await;
        match put.map_err(WriteFailure::from) {
            Ok(_) => Ok(()),
            // The client tries again by itself: the commit that stands in the way may be our own first try.
            Err(WriteFailure::Condition(Some(item))) if is_ours(&item, commit) => Ok(()),
            Err(WriteFailure::Condition(Some(_))) => Err(PutError::Conflict),
            Err(WriteFailure::Condition(None)) => match self.is_there(owner, commit).await {
                Ok(Presence::Ours) => Ok(()),
                Ok(Presence::Taken | Presence::Free) => Err(PutError::Conflict),
                Err(error) => Err(PutError::Unavailable(error.boxed())),
            },
            Err(WriteFailure::Busy(error) | WriteFailure::Other(error)) => {
                match self.is_there(owner, commit).await {
                    Ok(Presence::Ours) => Ok(()),
                    Ok(Presence::Taken) => Err(PutError::Conflict),
                    Ok(Presence::Free) | Err(_) => Err(PutError::Unavailable(error.boxed())),
                }
            }
        }
    }
}
