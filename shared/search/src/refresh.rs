//! Values that are kept in memory and refreshed from a store now and then: the index, and the shop's profile.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::time::Instant;

/// A value that one caller at a time refreshes.
#[derive(Default)]
pub(crate) struct Refreshed<T> {
    state: Mutex<State<T>>,
    /// Held by the one caller that talks to the store.
    loading: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct State<T> {
    value: T,
    checked_at: Option<Instant>,
}

/// How long a value is good, and who waits for a newer one.
pub(crate) struct Freshness {
    /// So long the store is not asked.
    pub(crate) interval: Duration,
    /// Whether callers wait for a refresh that another has begun, or go on with the value there is.
    pub(crate) waits: bool,
}

impl<T: Clone> Refreshed<T> {
    /// The value, refreshed by `load` where it is time and nobody else is at it. `freshness` judges a value, and when the store was
    /// asked last.
    pub(crate) async fn current<F: Future<Output = T>>(
        &self,
        freshness: impl Fn(&T, Option<Instant>) -> Freshness,
        load: impl FnOnce(T) -> F,
    ) -> T {
        let look = || {
            let state = self.lock();
            let Freshness { interval, waits } = freshness(&state.value, state.checked_at);
            let is_fresh = |checked_at: Instant| checked_at.elapsed() < interval;
            let is_due = !state.checked_at.is_some_and(is_fresh);
            (state.value.clone(), is_due, waits)
        };
        let (value, is_due, waits) = look();
        if !is_due {
            return value;
        }
        let _turn = match self.loading.try_lock() {
            Ok(turn) => turn,
            Err(_) if waits => self.loading.lock().await,
            Err(_) => return value,
        };
        let (value, is_due, _) = look();
        if !is_due {
            return value;
        }
        let value = load(value).await;
        let mut state = self.lock();
        state.checked_at = Some(Instant::now());
        state.value = value.clone();
        value
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
