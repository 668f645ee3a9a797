//! One answer as exactly one message, since each is charged: text, reply buttons, a list, or a button with a link.

mod choices;
mod template;
#[cfg(test)]
mod tests;
mod wire;

pub use choices::Choice;
pub use template::{Parameter, Template};
pub use wire::{Body, Receipt, Recipient, Request};

use crate::{
    markup::{self, Span},
    measure,
};
use choices::{Fitted, fitted};
use wire::{Action, Button, Interactive, Reply, Row, Section, Text, UrlParameters};

/// The platform's limits, as documented in May 2026.
pub mod limits {
    pub const TEXT: usize = 4096;
    /// Of reply buttons and of a button with a link.
    pub const BUTTONS_BODY: usize = 1024;
    pub const LIST_BODY: usize = 4096;
    pub const BUTTONS: usize = 3;
    pub const BUTTON_TITLE: usize = 20;
    /// In all sections together.
    pub const ROWS: usize = 10;
    pub const ROW_TITLE: usize = 24;
    pub const ROW_DESCRIPTION: usize = 72;
    /// Of a row; a button's may have 256.
    pub const CHOICE_ID: usize = 200;
    pub const LINK: usize = 2000;
    /// Of a link's words on a line of their own; ours.
    pub const TITLE_LINE: usize = 100;
}

/// What is to be sent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outgoing {
    pub text: Vec<Span>,
    pub choices: Vec<Choice>,
    pub link: Option<Link>,
}

/// A page to be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    pub title: String,
    pub url: String,
}

/// The words that a message needs beside its own, in the customer's language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wording {
    /// The button that opens a list.
    pub open_list: String,
    /// The last row of a list that has more choices than fit, and the id with which it comes back.
    pub more: Choice,
}

/// What cannot be sent, whatever is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidMessage {
    #[error("the text is empty")]
    Empty,
    #[error("an id of a choice is empty or longer than {}", limits::CHOICE_ID)]
    ChoiceId,
    #[error("two choices have the same id")]
    SameId,
    #[error("a link is no http or https address, or longer than {}", limits::LINK)]
    Link,
}

impl Outgoing {
    #[must_use]
    pub fn plain(text: impl Into<String>) -> Self {
        Self {
            text: vec![Span::plain(text)],
            ..Self::default()
        }
    }

    /// The message: without choices a text; up to three choices whose titles fit on buttons, and that have no descriptions, as
    /// buttons; otherwise a list, of the first nine and one for more where there are more than ten.
    ///
    /// A text that is too long beside buttons has its choices in a list, which takes four times as much; beyond that it is cut
    /// after a sentence: what can be chosen stays, since a customer can ask about what is missing, but not choose what is not
    /// there. A link without choices is a button; with choices, or where the text is too long beside a button, a line of the
    /// text.
    ///
    /// # Errors
    /// [`InvalidMessage`], each of them a defect of the caller.
    pub fn body(&self, wording: &Wording) -> Result<Body, InvalidMessage> {
        if measure::is_blank(&markup::plain(&self.text)) {
            return Err(InvalidMessage::Empty);
        }
        if let Some(link) = &self.link {
            check_link(link)?;
        }
        choices::check(self.choices.iter())?;
        match (&self.link, self.choices.as_slice()) {
            (None, []) => Ok(Body::Text(Text {
                body: within(&self.text, limits::TEXT),
                preview_url: false,
            })),
            (Some(link), []) => {
                let text = markup::render(&self.text);
                Ok(if measure::length(text.trim()) <= limits::BUTTONS_BODY {
                    Body::Interactive(with_link(text.trim().to_owned(), link))
                } else {
                    Body::Text(Text {
                        body: within(&ending_with(&self.text, link, limits::TEXT), limits::TEXT),
                        preview_url: true,
                    })
                })
            }
            (None, choices) => with_choices(&self.text, choices, wording),
            (Some(link), choices) => {
                let text = ending_with(&self.text, link, limits::LIST_BODY);
                with_choices(&text, choices, wording)
            }
        }
    }
}

fn check_link(link: &Link) -> Result<(), InvalidMessage> {
    let is_http = link.url.starts_with("https://") || link.url.starts_with("http://");
    let is_plain = !link
        .url
        .chars()
        .any(|c| c.is_whitespace() || c.is_control());
    // Signs that are written as numbers within a text take three characters.
    let longest = markup::render(&[Span::plain(&link.url)]);
    if is_http && is_plain && measure::length(&longest) <= limits::LINK {
        Ok(())
    } else {
        Err(InvalidMessage::Link)
    }
}

/// The text with its markers, cut where it is longer.
fn within(spans: &[Span], most: usize) -> String {
    let whole = markup::render(spans);
    let whole = whole.trim();
    if measure::length(whole) <= most {
        return whole.to_owned();
    }
    // Without its styles, whose markers could lose their ends.
    let plain = markup::render(&[Span::plain(markup::plain(spans))]);
    measure::cut_at_sentence(plain.trim(), most).into_owned()
}

/// The text with a link on lines of its own behind it, which is whole in whatever is cut.
fn ending_with(text: &[Span], link: &Link, most: usize) -> Vec<Span> {
    let title = choices::title(&link.title, limits::TITLE_LINE);
    let line = [title.as_str(), link.url.as_str()].map(str::trim);
    let line = line.join("\n");
    let line = markup::render(&[Span::plain(format!("\n\n{}", line.trim_start()))]);
    let most = most.saturating_sub(measure::length(&line));
    let is_short = measure::length(&markup::render(text)) <= most;
    let text = if is_short {
        text.to_vec()
    } else {
        vec![Span::plain(within(text, most))]
    };
    text.into_iter().chain([Span::plain(line)]).collect()
}

fn with_link(text: String, link: &Link) -> Interactive {
    let title = choices::title(&link.title, limits::BUTTON_TITLE);
    Interactive::link(
        text,
        UrlParameters {
            display_text: if title.is_empty() {
                "→".to_owned()
            } else {
                title
            },
            url: link.url.clone(),
        },
    )
}

fn with_choices(
    text: &[Span],
    choices: &[Choice],
    wording: &Wording,
) -> Result<Body, InvalidMessage> {
    let body = within(text, limits::LIST_BODY);
    let are_buttons = choices.len() <= limits::BUTTONS
        && choices.iter().all(Choice::fits_button)
        && measure::length(&body) <= limits::BUTTONS_BODY;
    if are_buttons {
        let buttons = fitted(choices.iter(), limits::BUTTON_TITLE);
        let buttons = buttons.map(|Fitted { id, title, .. }| Button::reply(Reply { id, title }));
        return Ok(Body::Interactive(Interactive::buttons(
            body,
            buttons.collect(),
        )));
    }
    let are_too_many = choices.len() > limits::ROWS;
    let offered = if are_too_many {
        limits::ROWS - 1
    } else {
        choices.len()
    };
    let offered = choices[..offered].iter();
    let more = Some(&wording.more).filter(|_| are_too_many);
    choices::check(offered.clone().chain(more))?;
    let rows = fitted(offered.chain(more), limits::ROW_TITLE).map(|row| Row {
        id: row.id,
        title: row.title,
        description: row.description,
    });
    let button = choices::title(&wording.open_list, limits::BUTTON_TITLE);
    Ok(Body::Interactive(Interactive::list(
        body,
        Action::List {
            button: if button.is_empty() {
                "…".to_owned()
            } else {
                button
            },
            sections: vec![Section {
                rows: rows.collect(),
            }],
        },
    )))
}
