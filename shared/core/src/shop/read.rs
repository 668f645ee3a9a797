//! From the members of a profile's file to a profile.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::{Fault, Profile};

impl Profile {
    /// Reads a profile, with everything that is wrong with it.
    ///
    /// # Errors
    /// Every [`Fault`] of what can be read, and the first of each member that cannot; never none.
    pub fn read(members: Map<String, Value>) -> Result<Self, Vec<Fault>> {
        let mut faults = Vec::new();
        let (mut readable, mut unread) = (Map::new(), BTreeSet::new());
        // One by one, so that a slip in the first does not hide the others'.
        for (name, value) in members {
            let alone = Map::from_iter([(name.clone(), value.clone())]);
            match serde_path_to_error::deserialize::<_, Self>(Value::Object(alone)) {
                Ok(_) => {
                    readable.insert(name, value);
                }
                Err(error) => {
                    let path = error.path().to_string();
                    faults.push(Fault {
                        path: if path == "." { name.clone() } else { path },
                        reason: error.into_inner().to_string(),
                    });
                    unread.insert(name);
                }
            }
        }
        let profile: Self = match serde_json::from_value(Value::Object(readable)) {
            Ok(profile) => profile,
            Err(error) => {
                faults.push(Fault {
                    path: String::new(),
                    reason: error.to_string(),
                });
                return Err(faults);
            }
        };
        // What could not be read is not missing besides.
        let is_unread = |fault: &Fault| unread.contains(fault.path.as_str());
        faults.extend(
            profile
                .check()
                .into_iter()
                .filter(|fault| !is_unread(fault)),
        );
        if faults.is_empty() {
            Ok(profile)
        } else {
            Err(faults)
        }
    }
}
