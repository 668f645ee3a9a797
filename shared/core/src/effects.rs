//! What made the newest versions of something, by which a change is known again after a lost answer.

use uuid::Uuid;

/// Effects that are remembered. One that so many others have followed while its outcome was looked for stays unknown.
const EFFECTS: usize = 8;

/// Whether a change has happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Happened {
    Yes,
    /// Not so far. It never will where something else has taken its place.
    No,
    Unknown,
}

/// The effects to be remembered once `next` has made the next version.
#[must_use]
pub fn effects_with(effects: &[Uuid], next: Uuid) -> Vec<Uuid> {
    let kept = effects.len().saturating_sub(EFFECTS - 1);
    effects.iter().skip(kept).copied().chain([next]).collect()
}

/// Whether `effect` is what made version `made` of something that is now of `version`, the newest of which `effects` have made.
#[must_use]
pub fn happened(effects: &[Uuid], version: u64, made: u64, effect: Uuid) -> Happened {
    let Some(later) = version.checked_sub(made) else {
        return Happened::No;
    };
    let later = usize::try_from(later).unwrap_or(usize::MAX);
    match effects.iter().rev().nth(later) {
        Some(one) if *one == effect => Happened::Yes,
        Some(_) => Happened::No,
        None => Happened::Unknown,
    }
}
