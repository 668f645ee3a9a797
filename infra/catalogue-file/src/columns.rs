//! Which column of a shop's file means what.

use std::collections::BTreeSet;

use mostrador_core::{shop::Profile, text::words};

use crate::{
    SourceError,
    table::{Line, Members, Table},
};

/// What a book is made of. A file's names are compared without case, accents and what lies between words.
const OF_BOOKS: [&str; 12] = [
    "libro_id",
    "titulo",
    "autor",
    "isbn",
    "precio",
    "moneda",
    "categoria",
    "stock",
    "editorial",
    "año_publicacion",
    "descripcion",
    "otros_titulos",
];
/// What any other item is made of, beside the attributes of the profile.
const OF_ITEMS: [&str; 13] = [
    "id",
    "titulo",
    "precio",
    "moneda",
    "stock",
    "categoria",
    "descripcion",
    "url",
    "imagen",
    "otros_titulos",
    "codigo",
    "publicado_at",
    "atributos",
];
/// Other ways to write a name.
const ALIASES: [(&str, &str); 1] = [("anio_publicacion", "año_publicacion")];

/// A column of ours that a file calls by another name: `titulo=Nombre`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renamed {
    ours: String,
    theirs: String,
}

impl std::str::FromStr for Renamed {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (ours, theirs) = text
            .split_once('=')
            .ok_or("it is not like titulo=Nombre, our name first")?;
        Ok(Self {
            ours: ours.trim().to_owned(),
            theirs: theirs.trim().to_owned(),
        })
    }
}

/// What the columns of a file may mean.
pub(crate) struct Columns<'a> {
    /// It holds books, and no other items.
    pub(crate) of_books: bool,
    known: Vec<&'a str>,
    /// Our names with the file's.
    renamed: Vec<(&'a str, &'a str)>,
}

impl<'a> Columns<'a> {
    /// Those of a table of what `shop` sells. A file with a column `libro_id` holds books.
    ///
    /// # Errors
    /// [`SourceError::NoSuchColumn`]; of a table with a header [`SourceError::Columns`] and [`SourceError::Twice`].
    pub(crate) fn of(
        table: &Table,
        shop: &'a Profile,
        renamed: &'a [Renamed],
    ) -> Result<Self, SourceError> {
        let is_number = |name: &String| {
            let ours = renamed.iter().find(|renamed| same(&renamed.theirs, name));
            same(ours.map_or(name, |renamed| &renamed.ours), "libro_id")
        };
        let of_books = shop.sells_books() || table.names.iter().any(is_number);
        let mut known: Vec<&str> = if of_books {
            OF_BOOKS.to_vec()
        } else {
            let attributes = shop
                .attributes
                .iter()
                .map(|attribute| attribute.key.as_str());
            OF_ITEMS.into_iter().chain(attributes).collect()
        };
        known.dedup();
        let mut columns = Self {
            of_books,
            known,
            renamed: Vec::new(),
        };
        for Renamed { ours, theirs } in renamed {
            let ours = columns
                .named(ours)
                .ok_or_else(|| SourceError::NoSuchColumn {
                    ours: ours.clone(),
                    known: columns.known.join(", "),
                })?;
            columns.renamed.push((ours, theirs));
        }
        if table.has_header {
            columns.check(&table.names)?;
        }
        Ok(columns)
    }

    fn named(&self, name: &str) -> Option<&'a str> {
        let alias = ALIASES.iter().find(|(alias, _)| same(alias, name));
        let name = alias.map_or(name, |(_, ours)| ours);
        self.known.iter().copied().find(|ours| same(ours, name))
    }

    /// What a column means; nothing where it is none of ours, or where `--columns` has another one by that name.
    fn meaning(&self, name: &str) -> Option<&'a str> {
        let mut renamed = self.renamed.iter();
        if let Some((ours, _)) = renamed.find(|(_, theirs)| same(theirs, name)) {
            return Some(ours);
        }
        let ours = self.named(name)?;
        let is_elsewhere = self.renamed.iter().any(|(renamed, _)| *renamed == ours);
        (!is_elsewhere).then_some(ours)
    }

    /// A header, before any line is looked at: without the right columns each of them would be wrong.
    fn check(&self, names: &[String]) -> Result<(), SourceError> {
        let meanings: Vec<_> = names.iter().map(|name| self.meaning(name)).collect();
        let is_absent = |ours: &&str| !meanings.contains(&Some(*ours));
        let mut missing: Vec<String> = Vec::new();
        for (ours, theirs) in &self.renamed {
            if is_absent(ours) {
                missing.push(format!("{theirs} (for {ours})"));
            }
        }
        let is_renamed = |ours: &&str| self.renamed.iter().any(|(renamed, _)| renamed == ours);
        let required = self.required().into_iter();
        let required = required.filter(|ours| is_absent(ours) && !is_renamed(ours));
        missing.extend(required.map(str::to_owned));
        if !missing.is_empty() {
            let written = names.iter().zip(&meanings);
            let named: Vec<String> = written
                .map(|(name, meaning)| match meaning {
                    Some(_) => name.clone(),
                    None => self.suggested(name, names),
                })
                .collect();
            let named = named.join(", ");
            return Err(SourceError::Columns {
                missing: missing.join(", "),
                named: if named.is_empty() {
                    "nothing".to_owned()
                } else {
                    named
                },
            });
        }
        for (place, ours) in meanings.iter().enumerate() {
            let first = meanings.iter().position(|other| other == ours);
            if let (Some(ours), Some(first)) = (ours, first.filter(|first| *first < place)) {
                return Err(SourceError::Twice {
                    ours: (*ours).to_owned(),
                    names: [first, place].map(|place| names[place].clone()),
                });
            }
        }
        Ok(())
    }

    fn required(&self) -> [&'static str; 3] {
        let id = if self.of_books { "libro_id" } else { "id" };
        [id, "titulo", "precio"]
    }

    /// The lines by our names, and the columns that are none of ours.
    pub(crate) fn translate(&self, table: Table) -> (Vec<Line>, BTreeSet<String>) {
        let Table { names, lines, .. } = table;
        let mut left_out = BTreeSet::new();
        let lines = lines.into_iter().map(|line| Line {
            members: line.members.and_then(|members| {
                let mut ours = Members::new();
                for (name, value) in members {
                    match self.meaning(&name) {
                        Some(meaning) if value.is_null() => {
                            ours.entry(meaning).or_insert(value);
                        }
                        Some(meaning) => {
                            let before = ours.insert(meaning.to_owned(), value);
                            if before.is_some_and(|before| !before.is_null()) {
                                return Err(format!("{meaning} is there twice"));
                            }
                        }
                        None if value.is_null() || name.is_empty() => {}
                        None => {
                            left_out.insert(self.suggested(&name, &names));
                        }
                    }
                }
                Ok(ours)
            }),
            ..line
        });
        (lines.collect(), left_out)
    }

    /// A name that is none of ours, with the nearest that is and that no other column has: `Colour (color?)`.
    fn suggested(&self, name: &str, names: &[String]) -> String {
        let folded = words(&name.replace('_', " ")).concat();
        let is_free = |ours: &&&str| !names.iter().any(|name| self.meaning(name) == Some(**ours));
        let free = self.known.iter().filter(is_free);
        let near = free.filter_map(|ours| {
            let distance = strsim::levenshtein(&folded, &words(&ours.replace('_', " ")).concat());
            (distance > 0 && distance * 3 <= folded.chars().count()).then_some((distance, *ours))
        });
        match near.min_by_key(|(distance, _)| *distance) {
            Some((_, ours)) => format!("{name} ({ours}?)"),
            None => name.to_owned(),
        }
    }
}

fn same(one: &str, other: &str) -> bool {
    one == other || words(&one.replace('_', " ")) == words(&other.replace('_', " "))
}
