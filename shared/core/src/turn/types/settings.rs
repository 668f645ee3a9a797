//! What can be set of a turn, and what follows from it.

use time::{Duration, OffsetDateTime};

use crate::{
    log::{CLOCKS_DIFFER, ContextLimits},
    model::ModelPolicy,
};

/// An open turn has failed after so long, unless its models may take longer.
const DEADLINE: Duration = Duration::seconds(30);
/// What a turn takes at most beside its models: its commits, tried again and again where others are at work.
const BESIDE_MODELS: Duration = Duration::seconds(10);
/// What a request takes at most before its turn begins and after its end.
const AROUND_TURN: Duration = Duration::seconds(30);

/// What can be set of a turn.
#[derive(Debug, Clone)]
pub struct TurnSettings {
    /// The part of the conversation that a prompt has at most.
    pub context_limits: ContextLimits,
    pub policy: ModelPolicy,
    /// How often a model is asked in a turn; the last time it is offered no tools.
    pub max_steps: u32,
    /// Where this process alone serves the stores, since when: a turn that had begun before has died with its process.
    pub alone_since: Option<OffsetDateTime>,
}

impl Default for TurnSettings {
    fn default() -> Self {
        Self {
            context_limits: ContextLimits {
                messages: 20,
                chars: 8_000,
                tokens: None,
                // What was found earlier may be dear or gone by now.
                tools: false,
            },
            policy: ModelPolicy::none(),
            max_steps: 3,
            alone_since: None,
        }
    }
}

impl TurnSettings {
    /// An open turn older than this has failed, and the conversation goes on.
    #[must_use]
    pub fn deadline(&self) -> Duration {
        let models = i64::try_from(self.policy.timeout_seconds).unwrap_or(i64::MAX);
        let with_models = Duration::seconds(models).saturating_add(BESIDE_MODELS);
        with_models.max(DEADLINE)
    }

    /// How long a turn that has begun `since` may still go on at `now`; nothing where it cannot be going on.
    #[must_use]
    pub fn time_left(&self, since: OffsetDateTime, now: OffsetDateTime) -> Duration {
        let has_died = self.alone_since.is_some_and(|start| since < start);
        // Otherwise the clock was put back, and would keep the conversation busy until it has caught up.
        let has_begun = since <= now + CLOCKS_DIFFER;
        if has_died || !has_begun {
            return Duration::ZERO;
        }
        (since + self.deadline() - now).max(Duration::ZERO)
    }

    /// How long a request that is a turn may be at it before another attempt takes over.
    #[must_use]
    pub fn lease(&self) -> Duration {
        self.deadline().saturating_add(AROUND_TURN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_goes_on_no_longer_than_it_can() {
        let (start, second) = (OffsetDateTime::UNIX_EPOCH, Duration::seconds(1));
        let anywhere = TurnSettings::default();
        let alone = TurnSettings {
            alone_since: Some(start),
            ..TurnSettings::default()
        };
        for (since, now, expected) in [
            (0, 0, 30),
            (0, 29, 1),
            (0, 31, 0),
            // Another's clock is ahead, or this one was put back.
            (100, 0, 130),
            (3_600, 0, 0),
        ] {
            let [since, now] = [since, now].map(|seconds| start + second * seconds);
            for settings in [&anywhere, &alone] {
                let left = settings.time_left(since, now).whole_seconds();
                assert_eq!(left, expected, "{since} {now}");
            }
        }
        let before = start - second;
        assert_eq!(anywhere.time_left(before, start), Duration::seconds(29));
        assert_eq!(alone.time_left(before, start), Duration::ZERO);
    }

    #[test]
    fn a_turn_has_more_time_than_its_models_and_its_request_more_than_the_turn() {
        for (timeout_seconds, deadline, lease) in [
            (0, 30, 60),
            (1, 30, 60),
            (20, 30, 60),
            (21, 31, 61),
            (120, 130, 160),
            (600, 610, 640),
        ] {
            let settings = TurnSettings {
                policy: ModelPolicy {
                    timeout_seconds,
                    ..ModelPolicy::none()
                },
                ..TurnSettings::default()
            };
            let found = [settings.deadline(), settings.lease()].map(Duration::whole_seconds);
            assert_eq!(found, [deadline, lease], "{timeout_seconds}");
        }
    }
}
