//! A token's claims, read so that no claim stands twice.

use std::{collections::BTreeMap, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{self, MapAccess, Visitor},
};
use serde_json::Value;

/// Claims by name; a repeated member is an error, since two readers could take different ones.
#[derive(Debug, Clone, Default)]
pub(crate) struct StrictClaims(pub(crate) BTreeMap<String, Value>);

impl<'de> Deserialize<'de> for StrictClaims {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;

        impl<'de> Visitor<'de> for Members {
            type Value = StrictClaims;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object without repeated members")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<StrictClaims, A::Error> {
                let mut claims = BTreeMap::new();
                while let Some((name, value)) = map.next_entry::<String, Value>()? {
                    if claims.insert(name, value).is_some() {
                        return Err(de::Error::custom("a repeated member"));
                    }
                }
                Ok(StrictClaims(claims))
            }
        }

        deserializer.deserialize_map(Members)
    }
}

#[cfg(test)]
mod fuzz;
