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
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let answer = send();
        if answer.status != 409 {
            return answer;
        }
        assert!(Instant::now() < deadline, "409 for a minute: {answer:?}");
        thread::sleep(Duration::from_millis(15));
    }
}
