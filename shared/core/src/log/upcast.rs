//! Older versions of events, brought to the current one step by step.

use serde_json::{Map, Value};

/// How a kind's documents of one version become those of the next; their mark is seen to apart.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub(super) kind: &'static str,
    pub(super) from: u64,
    pub(super) apply: fn(Map<String, Value>) -> Map<String, Value>,
}

/// Every step. A change of a kind's members adds one here, and with it the kind's next version.
pub(super) const STEPS: &[Step] = &[];

/// The version in which `kind` is written: one more than its steps.
pub(super) fn current(steps: &[Step], kind: &str) -> u64 {
    let last = steps.iter().filter(|step| step.kind == kind);
    last.map(|step| step.from).max().unwrap_or(0) + 1
}

/// The document in the current version of its kind, without its mark; `None` where it has no mark, or one that is not ours to
/// interpret.
pub(super) fn upcast(steps: &[Step], document: &Value) -> Option<Value> {
    let mut members = document.as_object()?.clone();
    let mut version = members.remove("v")?.as_u64()?;
    let kind = document.get("type")?.as_str()?;
    let current = current(steps, kind);
    if version > current {
        return None;
    }
    while version < current {
        let mut of_kind = steps.iter().filter(|step| step.kind == kind);
        let step = of_kind.find(|step| step.from == version)?;
        members = (step.apply)(members);
        version += 1;
    }
    Some(Value::Object(members))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Whether each version of each kind leads to the next one by exactly one step.
    fn is_gapless(steps: &[Step]) -> bool {
        steps.iter().all(|step| {
            let of_kind = steps.iter().filter(|other| other.kind == step.kind);
            let mut from: Vec<u64> = of_kind.map(|step| step.from).collect();
            from.sort_unstable();
            from.into_iter().eq(1..current(steps, step.kind))
        })
    }

    #[test]
    fn every_version_leads_to_the_current_one() {
        assert!(is_gapless(STEPS));
        let step = |kind, from| Step {
            kind,
            from,
            apply: |members| members,
        };
        assert!(is_gapless(&[step("a", 2), step("b", 1), step("a", 1)]));
        assert!(!is_gapless(&[step("a", 2), step("b", 1)]));
        assert!(!is_gapless(&[step("a", 1), step("a", 1)]));
    }

    #[test]
    fn a_kind_without_its_step_is_not_guessed() {
        let gap = [Step {
            kind: "rating_given",
            from: 2,
            apply: |members| members,
        }];
        let document = |v: Value| json!({"type": "rating_given", "v": v, "rating": 5});
        let unmarked = json!({"type": "rating_given", "rating": 5});
        assert_eq!(upcast(&gap, &document(json!(3))), Some(unmarked.clone()));
        assert_eq!(upcast(&gap, &document(json!(2))), Some(unmarked.clone()));
        for given in [
            document(json!(0)),
            document(json!(1)),
            document(json!(4)),
            document(json!(-1)),
            document(json!("2")),
            unmarked,
        ] {
            assert_eq!(upcast(&gap, &given), None, "{given}");
        }
    }
}
