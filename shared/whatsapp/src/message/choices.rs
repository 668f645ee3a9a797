//! What a customer can choose from, within the platform's lengths.

use std::collections::BTreeSet;

use super::{InvalidMessage, limits};
use crate::measure;

/// Something to choose. Its id comes back as it was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    pub id: String,
    pub title: String,
    pub description: Option<String>,
}

/// A choice as it is sent.
pub(super) struct Fitted {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) description: Option<String>,
}

impl Choice {
    /// Whether a button shows all of it.
    pub(super) fn fits_button(&self) -> bool {
        let is_short = measure::length(&line(&self.title)) <= limits::BUTTON_TITLE;
        is_short
            && self
                .description
                .as_deref()
                .is_none_or(|text| line(text).is_empty())
    }
}

/// Ids cannot be cut, so they are refused.
pub(super) fn check<'a>(choices: impl Iterator<Item = &'a Choice>) -> Result<(), InvalidMessage> {
    let mut ids = BTreeSet::new();
    for choice in choices {
        if choice.id.trim().is_empty() || measure::length(&choice.id) > limits::CHOICE_ID {
            return Err(InvalidMessage::ChoiceId);
        }
        if !ids.insert(&choice.id) {
            return Err(InvalidMessage::SameId);
        }
    }
    Ok(())
}

/// A title on one line, cut.
pub(super) fn title(text: &str, most: usize) -> String {
    measure::cut(&line(text), most).into_owned()
}

/// Choices with titles that fit and that nobody takes for one another; a title that was cut stands whole in the description.
pub(super) fn fitted<'a>(
    choices: impl Iterator<Item = &'a Choice>,
    title_most: usize,
) -> impl Iterator<Item = Fitted> {
    let mut taken = BTreeSet::new();
    choices.map(move |choice| {
        let whole = line(&choice.title);
        let title = distinct(&whole, title_most, &mut taken);
        let described = choice.description.as_deref().map(line);
        let mut parts = Vec::new();
        if title != whole && !whole.is_empty() {
            parts.push(whole);
        }
        parts.extend(described.filter(|text| !text.is_empty()));
        let description = parts.join(" · ");
        let description = measure::cut(&description, limits::ROW_DESCRIPTION).into_owned();
        Fitted {
            id: choice.id.clone(),
            title,
            description: Some(description).filter(|text| !text.is_empty()),
        }
    })
}

/// The title cut, with a number behind it where another is the same to the eye.
fn distinct(whole: &str, most: usize, taken: &mut BTreeSet<String>) -> String {
    let numbers = std::iter::once(None).chain((2_u32..).map(Some));
    for number in numbers {
        let title = match number {
            None if whole.is_empty() => continue,
            None => measure::cut(whole, most).into_owned(),
            Some(number) => {
                let mark = format!(" ({number})");
                let most = most.saturating_sub(mark.len());
                format!("{}{mark}", measure::cut(whole, most))
                    .trim_start()
                    .to_owned()
            }
        };
        if taken.insert(title.to_lowercase()) {
            return title;
        }
    }
    String::new()
}

/// Titles have no lines and no control characters.
fn line(text: &str) -> String {
    let plain = text.replace(|c: char| c.is_control(), " ");
    if measure::is_blank(&plain) {
        return String::new();
    }
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}
