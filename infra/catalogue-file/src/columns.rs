//! Which column of a shop's file means what.

use mostrador_core::text::words;

use crate::SourceError;

/// What a book is made of. A file's names are compared without case, accents and what lies between words.
const KNOWN: [(&str, &[&str]); 10] = [
    ("libro_id", &[]),
    ("titulo", &[]),
    ("autor", &[]),
    ("isbn", &[]),
    ("precio", &[]),
    ("categoria", &[]),
    ("stock", &[]),
    ("editorial", &[]),
    ("año_publicacion", &["anio_publicacion"]),
    ("descripcion", &[]),
];
/// What every book has.
const REQUIRED: [&str; 3] = ["libro_id", "titulo", "precio"];

/// A column of ours that a file calls by another name: `titulo=Nombre`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renamed {
    ours: &'static str,
    theirs: String,
}

impl std::str::FromStr for Renamed {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (ours, theirs) = text
            .split_once('=')
            .ok_or("it is not like titulo=Nombre, our name first")?;
        let ours = known(ours).ok_or_else(|| {
            let names: Vec<&str> = KNOWN.iter().map(|(name, _)| *name).collect();
            format!(
                "{ours} is none of our columns, which are {}",
                names.join(", ")
            )
        })?;
        Ok(Self {
            ours,
            theirs: theirs.trim().to_owned(),
        })
    }
}

fn same(one: &str, other: &str) -> bool {
    one == other || words(&one.replace('_', " ")) == words(&other.replace('_', " "))
}

fn known(name: &str) -> Option<&'static str> {
    let found = KNOWN
        .iter()
        .find(|(ours, others)| same(ours, name) || others.iter().any(|other| same(other, name)));
    found.map(|(ours, _)| *ours)
}

/// What a file's column means; nothing, where it is none of ours, or where `renamed` says that another one is meant by its name.
pub(crate) fn meaning(name: &str, renamed: &[Renamed]) -> Option<&'static str> {
    let by_rename = renamed.iter().find(|renamed| same(&renamed.theirs, name));
    by_rename
        .map(|renamed| renamed.ours)
        .or_else(|| known(name).filter(|ours| !renamed.iter().any(|renamed| renamed.ours == *ours)))
}

/// What each column of a header means, before any line is looked at: without the right columns each of them would be wrong.
pub(crate) fn header(
    names: &[String],
    renamed: &[Renamed],
) -> Result<Vec<Option<&'static str>>, SourceError> {
    let meanings: Vec<_> = names.iter().map(|name| meaning(name, renamed)).collect();
    let absent = |ours: &str| !meanings.contains(&known(ours));
    let missing: Vec<String> = renamed
        .iter()
        .filter(|renamed| absent(renamed.ours))
        .map(|renamed| format!("{} (for {})", renamed.theirs, renamed.ours))
        .chain(
            REQUIRED
                .into_iter()
                .filter(|ours| absent(ours) && !renamed.iter().any(|r| r.ours == *ours))
                .map(str::to_owned),
        )
        .collect();
    if !missing.is_empty() {
        let named: Vec<&str> = names.iter().map(|name| name.trim()).collect();
        let named = named.join(", ");
        let named = if named.is_empty() { "nothing" } else { &named };
        return Err(SourceError::Columns {
            missing: missing.join(", "),
            named: named.to_owned(),
        });
    }
    for (place, ours) in meanings.iter().enumerate() {
        let first = meanings.iter().position(|other| other == ours);
        if let (Some(ours), Some(first)) = (ours, first.filter(|first| *first < place)) {
            return Err(SourceError::Twice {
                ours,
                names: [first, place].map(|place| names[place].trim().to_owned()),
            });
        }
    }
    Ok(meanings)
}
