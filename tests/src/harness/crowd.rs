//! Many callers at the same moment.

use std::{
    sync::Barrier,
    thread,
    time::{Duration, Instant},
};

use super::Answer;

/// Runs `act` for 0 to `count - 1` in threads that start together; the outcomes in that order.
pub(crate) fn all_at_once<T: Send>(count: usize, act: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let start = Barrier::new(count);
    let (start, act) = (&start, &act);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..count)
            .map(|index| {
                scope.spawn(move || {
                    start.wait();
                    act(index)
                })
            })
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().expect("a thread that does not panic"))
            .collect()
    })
}

/// Sends again while the answer is 409, as a patient client does.
pub(crate) fn until_admitted(send: impl Fn() -> Answer) -> Answer {
    until_not(&[409], send)
}

/// Sends again while the answer is 409, or 503 as where a machine stands still for longer than a store is waited for. Only what has an
/// idempotency key may be sent so.
pub(crate) fn until_answered(send: impl Fn() -> Answer) -> Answer {
    until_not(&[409, 503], send)
}

fn until_not(passing: &[u16], send: impl Fn() -> Answer) -> Answer {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let answer = send();
        if !passing.contains(&answer.status) {
            return answer;
        }
        assert!(Instant::now() < deadline, "for a minute: {answer:?}");
        thread::sleep(Duration::from_millis(15));
    }
}
