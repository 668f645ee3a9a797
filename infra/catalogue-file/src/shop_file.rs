//! From a shop's file to its profile, and from a business's to the business: TOML or JSON, with the line and column of whatever is wrong.

mod business;
mod json;
mod toml;

use std::{fmt, path::Path};

use mostrador_core::shop::{Fault, Profile};
use serde_json::{Map, Value};

use crate::{decoded, documents};

pub use business::{business_from_toml, read_business};

/// A fault with its place in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedFault {
    /// Of a document beside the profile; nothing where it is the profile's own.
    pub document: Option<String>,
    /// From 1 on, as editors count; columns in characters.
    pub line: usize,
    pub column: usize,
    pub fault: Fault,
}

impl fmt::Display for PlacedFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.document {
            // Its passages have lost their places.
            Some(_) => write!(f, "{}", self.fault),
            None => write!(f, "{}:{}: {}", self.line, self.column, self.fault),
        }
    }
}

/// Why a file was not taken.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    #[error("{0} cannot be read")]
    Unreadable(String, #[source] std::io::Error),
    #[error("{0} is {1}")]
    UnknownKind(String, &'static str),
    #[error("the documents beside it cannot be read")]
    Documents(#[source] std::io::Error),
    /// In the order of their places; never none.
    #[error("{} places in it make no sense", .0.len())]
    Faults(Vec<PlacedFault>),
}

/// A file's members, and where each of them is.
trait Members {
    fn read(&self) -> Map<String, Value>;
    /// How many bytes lie before the value of a path, or before the nearest thing around it that there is.
    fn offset(&self, path: &[Step<'_>]) -> usize;
}

/// A step on the way to a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step<'a> {
    Name(&'a str),
    Index(usize),
}

/// Why a text is not of a form, and after how many bytes.
struct SyntaxError {
    offset: usize,
    message: String,
}

/// Reads a shop's profile, with the documents beside it.
///
/// # Errors
/// [`FileError`]; with `Faults`, everything that is wrong is named.
pub fn read_profile(path: &Path) -> Result<Profile, FileError> {
    let name = path.display().to_string();
    let read = match path.extension().and_then(|extension| extension.to_str()) {
        Some("toml") => profile_from_toml,
        Some("json") => profile_from_json,
        _ => return Err(FileError::UnknownKind(name, "neither .toml nor .json")),
    };
    let unreadable = |error| FileError::Unreadable(name.clone(), error);
    let bytes = std::fs::read(path).map_err(unreadable)?;
    let mut profile = read(&decoded(&bytes).0).map_err(FileError::Faults)?;
    let own = profile.documents.len();
    let documents = documents::beside(path).map_err(FileError::Documents)?;
    let (names, documents): (Vec<_>, Vec<_>) = documents.into_iter().unzip();
    profile.documents.extend(documents);
    // What is wrong with a document stands in its own file.
    let faults = profile.check().into_iter().map(|mut fault| {
        let mut document = None;
        for (index, name) in (own..).zip(&names) {
            let member = format!("documents[{index}]");
            if let Some(rest) = fault.path.strip_prefix(&member) {
                fault.path = rest.trim_start_matches('.').to_owned();
                document = Some(name.clone());
                break;
            }
        }
        PlacedFault {
            document,
            line: 1,
            column: 1,
            fault,
        }
    });
    let faults: Vec<PlacedFault> = faults.collect();
    if faults.is_empty() {
        Ok(profile)
    } else {
        Err(FileError::Faults(faults))
    }
}

/// Reads a profile that is written in TOML.
///
/// # Errors
/// Every fault, in the order of their places.
pub fn profile_from_toml(text: &str) -> Result<Profile, Vec<PlacedFault>> {
    from_text(text, toml::parse(text), Profile::read)
}

/// Reads a profile that is written in JSON.
///
/// # Errors
/// Every fault, in the order of their places.
pub fn profile_from_json(text: &str) -> Result<Profile, Vec<PlacedFault>> {
    from_text(text, json::parse(text), Profile::read)
}

/// What `make` makes of a file's members, or what is wrong with it, in the order of the places.
fn from_text<M: Members, T>(
    text: &str,
    parsed: Result<M, Vec<SyntaxError>>,
    make: fn(Map<String, Value>) -> Result<T, Vec<Fault>>,
) -> Result<T, Vec<PlacedFault>> {
    let place = |offset: usize, fault: Fault| {
        let before = &text[..text.floor_char_boundary(offset)];
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        PlacedFault {
            document: None,
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            fault,
        }
    };
    let faults: Vec<(usize, Fault)> = match parsed {
        Err(errors) => {
            let faults = errors.into_iter().map(|error| {
                let fault = Fault {
                    path: String::new(),
                    reason: error.message,
                };
                (error.offset, fault)
            });
            faults.collect()
        }
        Ok(members) => match make(members.read()) {
            Ok(made) => return Ok(made),
            Err(faults) => {
                let offset = |fault: &Fault| members.offset(&steps(&fault.path));
                let faults = faults.into_iter();
                faults.map(|fault| (offset(&fault), fault)).collect()
            }
        },
    };
    let faults = faults
        .into_iter()
        .map(|(offset, fault)| place(offset, fault));
    let mut faults: Vec<PlacedFault> = faults.collect();
    faults.sort_by_key(|placed| (placed.line, placed.column));
    Err(faults)
}

/// `hours.monday[1]`, step by step.
fn steps(path: &str) -> Vec<Step<'_>> {
    let named = path.split('.').filter(|part| !part.is_empty());
    named
        .flat_map(|part| {
            let mut parts = part.split('[');
            let name = parts.next().filter(|name| !name.is_empty());
            let indices = parts.filter_map(|index| index.strip_suffix(']')?.parse().ok());
            let name = name.map(Step::Name).into_iter();
            name.chain(indices.map(Step::Index)).collect::<Vec<_>>()
        })
        .collect()
}

#[cfg(test)]
mod tests;
