//! From the members of a file to what they describe.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use serde_path_to_error::Segment;

use super::{Fault, Profile};

/// Most values of a file that are looked at after the first that cannot be read: each has the rest read once more.
const UNREADABLE_MOST: usize = 200;

impl Profile {
    /// Reads a profile, with everything that is wrong with it.
    ///
    /// # Errors
    /// Every [`Fault`] of what can be read, and one of each value that cannot; never none.
    pub fn read(members: Map<String, Value>) -> Result<Self, Vec<Fault>> {
        let (profile, mut faults) = read_members::<Self>(members);
        let Some(profile) = profile else {
            return Err(faults);
        };
        // What could not be read is not missing besides.
        let missing = without_unread(profile.check(), &faults);
        faults.extend(missing);
        if faults.is_empty() {
            Ok(profile)
        } else {
            Err(faults)
        }
    }
}

/// What members hold, but for the values that cannot be read, with a fault for each of these. Nothing where what is left is no `T`
/// either: its members have defaults, or they hide one another's faults.
pub(crate) fn read_members<T: DeserializeOwned>(
    members: Map<String, Value>,
) -> (Option<T>, Vec<Fault>) {
    let mut members = Value::Object(members);
    let mut faults: Vec<Fault> = Vec::new();
    let mut taken_out = None;
    loop {
        let error = match serde_path_to_error::deserialize::<_, T>(&members) {
            Ok(read) => return (Some(read), faults),
            Err(error) => error,
        };
        let path = error.path().to_string();
        let is_whole = error.path().iter().next().is_none();
        let steps: Vec<Step> = error.path().iter().map_while(Step::of).collect();
        let reason = error.into_inner().to_string();
        // In the place of what cannot be read may come what cannot either, or nothing where something has to be.
        let is_missing = faults.iter().any(|fault| {
            let name = fault.path.strip_prefix(&path);
            let name = name.and_then(|name| name.strip_prefix('.'));
            name.is_some_and(|name| reason == format!("missing field `{name}`"))
        });
        if !is_missing && taken_out.as_ref() != Some(&path) {
            let place = if is_whole { "" } else { &path };
            faults.push(Fault {
                path: place.to_owned(),
                reason,
            });
        }
        if faults.len() > UNREADABLE_MOST || !take_out(&mut members, &steps) {
            return (None, faults);
        }
        taken_out = Some(path);
    }
}

/// The faults that are about none of the values which could not be read, nor about what lies in them.
pub(crate) fn without_unread(found: Vec<Fault>, unread: &[Fault]) -> Vec<Fault> {
    let is_unread = |fault: &Fault| {
        unread.iter().any(|unread| {
            let rest = fault.path.strip_prefix(&unread.path);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        })
    };
    found
        .into_iter()
        .filter(|fault| !is_unread(fault))
        .collect()
}

/// A step on the way to a value.
enum Step {
    Name(String),
    Index(usize),
}

impl Step {
    fn of(segment: &Segment) -> Option<Self> {
        match segment {
            Segment::Seq { index } => Some(Self::Index(*index)),
            Segment::Map { key } => Some(Self::Name(key.clone())),
            Segment::Enum { .. } | Segment::Unknown => None,
        }
    }
}

/// Takes the value at `steps` out of `members`, so that the rest can be read; whether there was one. It leaves an empty one where that
/// can be read: elements behind it keep their numbers, and what it lies in is not empty for want of it.
fn take_out(members: &mut Value, steps: &[Step]) -> bool {
    let Some((last, before)) = steps.split_last() else {
        return false;
    };
    let mut inside = &mut *members;
    for step in before {
        let next = match step {
            Step::Name(name) => inside.get_mut(name),
            Step::Index(index) => inside.get_mut(*index),
        };
        let Some(next) = next else { return false };
        inside = next;
    }
    match last {
        Step::Name(name) => {
            let Some(inside) = inside.as_object_mut() else {
                return false;
            };
            let empty = Value::Array(Vec::new());
            match inside.get_mut(name) {
                Some(member) if *member != empty => *member = empty,
                Some(_) => drop(inside.remove(name)),
                None => return false,
            }
            true
        }
        Step::Index(index) => {
            let Some(element) = inside.get_mut(*index) else {
                return false;
            };
            let empty = Value::Object(Map::new());
            if *element == empty {
                *element = Value::from("");
            } else if element.as_str() == Some("") {
                return take_out(members, before);
            } else {
                *element = empty;
            }
            true
        }
    }
}
