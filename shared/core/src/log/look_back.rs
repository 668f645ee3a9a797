//! Finding what is known by its identifier alone, which contains when it was made.

use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::{
    ids::Owner,
    log::{Commit, Log, Order, ReadError, Stretch},
};

/// Commits read at once: few at first, since most of what is looked for is among the newest.
const READ_FIRST: usize = 10;
const READ_AT_ONCE: usize = 100;
/// Most reads for one identifier: what lies behind ten thousand commits is not found.
const READS_AT_MOST: usize = 100;
/// So many commits in a row may be older than what lies behind them: a clock was put back. Nobody writes more in the time that this goes
/// unnoticed.
const TOO_OLD_AT_MOST: usize = 50;
/// By how much the clocks of those who write may differ.
pub const CLOCKS_DIFFER: Duration = Duration::minutes(2);

/// When an identifier was made, to the second; `None` of one that is no `UUIDv7`.
#[must_use]
pub fn made_at(id: Uuid) -> Option<OffsetDateTime> {
    let made_at = id.get_timestamp().filter(|_| id.get_version_num() == 7)?;
    let (seconds, _) = made_at.to_unix();
    OffsetDateTime::from_unix_timestamp(i64::try_from(seconds).ok()?).ok()
}

/// Shows `look` an owner's commits, the newest first, until it finds what it looks for, or so many in a row are older than that can be
/// that no clock which was put back in between explains it: `id` is its `UUIDv7`.
///
/// # Errors
/// [`ReadError`].
pub async fn look_back<T>(
    log: &dyn Log,
    owner: &Owner,
    id: Uuid,
    mut look: impl FnMut(Commit) -> Option<T> + Send,
) -> Result<Option<T>, ReadError> {
    let Some(made_at) = made_at(id) else {
        return Ok(None);
    };
    let mut stretch = Some(Stretch::ALL);
    let mut too_old = 0;
    for read in 0..READS_AT_MOST {
        let Some(wanted) = stretch else { break };
        let limit = if read == 0 { READ_FIRST } else { READ_AT_ONCE };
        let commits = log.read(owner, wanted, Order::NewestFirst, limit).await?;
        stretch = commits
            .last()
            .and_then(|oldest| wanted.before((oldest.conversation, oldest.first_seq)));
        for commit in commits {
            let is_too_old = commit.at + CLOCKS_DIFFER < made_at;
            too_old = if is_too_old { too_old + 1 } else { 0 };
            if too_old > TOO_OLD_AT_MOST {
                return Ok(None);
            }
            if let Some(found) = look(commit) {
                return Ok(Some(found));
            }
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use async_trait::async_trait;
    use time::macros::datetime;
    use uuid::{NoContext, Timestamp};

    use super::*;
    use crate::{
        ids::{ConversationNumber, Seq},
        limits::Settlement,
        log::{Event, Position, PutError, Stored},
    };

    const NOW: OffsetDateTime = datetime!(2026-05-01 12:00 UTC);
    const LENGTH: u64 = 1_000_000;

    /// A log with a commit a minute up to now, and how many of them each read was to give.
    #[derive(Default)]
    struct Endless(Mutex<Vec<usize>>);

    #[async_trait]
    impl Log for Endless {
        async fn read(
            &self,
            _: &Owner,
            stretch: Stretch,
            _: Order,
            limit: usize,
        ) -> Result<Vec<Commit>, ReadError> {
            self.0.lock().unwrap().push(limit);
            let newest = stretch.to.1.0.min(LENGTH);
            let there = (0..limit as u64).map(|back| commit(newest - back));
            Ok(there.collect())
        }

        async fn put(
            &self,
            _owner: &Owner,
            _commit: &Commit,
            _settlement: Option<&Settlement>,
        ) -> Result<(), PutError> {
            Ok(())
        }
    }

    fn commit(seq: u64) -> Commit {
        let minutes = i64::try_from(LENGTH - seq).unwrap();
        let event = Stored::Known(Event::ConversationArchived {});
        let position = Position::start_of(ConversationNumber::FIRST);
        let at = NOW - Duration::minutes(minutes);
        Commit {
            first_seq: Seq(seq),
            ..Commit::at(position, vec![event], Uuid::nil(), Uuid::nil(), at)
        }
    }

    fn id_at(at: OffsetDateTime) -> Uuid {
        let seconds = u64::try_from(at.unix_timestamp()).unwrap();
        Uuid::new_v7(Timestamp::from_unix(NoContext, seconds, 0))
    }

    /// How many commits are looked at, and how many are read at once.
    async fn looked_at(id: Uuid) -> (usize, Vec<usize>) {
        let (log, ana) = (Endless::default(), Owner::new("default", "ana").unwrap());
        let mut seen = 0;
        let look = |_: Commit| {
            seen += 1;
            None::<()>
        };
        let found = look_back(&log, &ana, id, look).await;
        assert_eq!(found.unwrap(), None);
        (seen, log.0.into_inner().unwrap())
    }

    #[tokio::test]
    async fn no_more_is_read_than_may_hold_it() {
        let ago = |minutes| id_at(NOW - Duration::minutes(minutes));
        let first_two = vec![10, 100];
        // Clocks may differ by two minutes, and fifty behind that may be of a clock that was put back.
        assert_eq!(looked_at(ago(0)).await, (3 + 50, first_two.clone()));
        assert_eq!(looked_at(ago(30)).await, (33 + 50, first_two.clone()));
        assert_eq!(looked_at(ago(-60)).await, (50, first_two));
        // Of no time at all.
        assert_eq!(looked_at(Uuid::nil()).await, (0, vec![]));
        assert_eq!(looked_at(Uuid::max()).await, (0, vec![]));
    }

    /// What was made before the clock was put back by an hour is found behind what has come since.
    #[tokio::test]
    async fn a_clock_that_is_put_back_hides_nothing() {
        let (log, ana) = (Endless::default(), Owner::new("default", "ana").unwrap());
        let wanted = Seq(LENGTH - 40);
        let id = id_at(commit(wanted.0).at + Duration::hours(1));
        let look = |commit: Commit| (commit.first_seq == wanted).then_some(());
        let found = look_back(&log, &ana, id, look).await;
        assert_eq!(found.unwrap(), Some(()));
    }

    #[tokio::test]
    async fn what_lies_far_back_is_not_looked_for_for_ever() {
        let (seen, reads) = looked_at(id_at(NOW - Duration::days(365))).await;
        assert_eq!((seen, reads.len()), (9_910, 100));
        assert_eq!(reads[..3], [10, 100, 100]);
    }
}
