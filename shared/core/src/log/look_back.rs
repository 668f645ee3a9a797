//! Finding what is known by its identifier alone, which tells when it was made.

use time::Duration;
use uuid::Uuid;

use crate::{
    ids::Owner,
    log::{Commit, Log, Order, ReadError, Stretch},
};

/// Commits read at once; most of what is looked for is among the newest.
const READ_AT_ONCE: usize = 10;
/// By how much the clocks of those who write may differ.
const CLOCKS_DIFFER: Duration = Duration::minutes(2);

/// Shows `look` an owner's commits, the newest first, until it finds what it looks for, or they are older than that can be: `id` is
/// its `UUIDv7`.
///
/// # Errors
/// [`ReadError`].
pub async fn look_back<T>(
    log: &dyn Log,
    owner: &Owner,
    id: Uuid,
    mut look: impl FnMut(Commit) -> Option<T> + Send,
) -> Result<Option<T>, ReadError> {
    let Some(made_at) = id.get_timestamp() else {
        return Ok(None);
    };
    let (made_at, _) = made_at.to_unix();
    let mut stretch = Some(Stretch::ALL);
    while let Some(wanted) = stretch {
        let commits = log
            .read(owner, wanted, Order::NewestFirst, READ_AT_ONCE)
            .await?;
        stretch = commits
            .last()
            .and_then(|oldest| wanted.before((oldest.conversation, oldest.first_seq)));
        for commit in commits {
            let at = (commit.at + CLOCKS_DIFFER).unix_timestamp();
            if u64::try_from(at).is_ok_and(|at| at < made_at) {
                return Ok(None);
            }
            if let Some(found) = look(commit) {
                return Ok(Some(found));
            }
        }
    }
    Ok(None)
}
