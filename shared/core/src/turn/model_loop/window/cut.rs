//! Shortening: what is cut is marked at the place of the cut.

use serde_json::{Value, json};

use super::size::{Size, largest};

/// Stands where something was cut.
pub(super) const MARK: &str = "[…]";
const MARK_CHARS: usize = 3;
/// A tool's result of which no item is left.
pub(super) const NO_ITEM_LEFT: &str = "[\"[…]\"]";

/// A text that was perhaps cut.
pub(super) struct Cut {
    pub(super) content: String,
    pub(super) is_cut: bool,
}

/// The arguments of a tool call that had no room.
pub(super) fn cut_arguments() -> Value {
    json!({MARK: MARK})
}

/// `text`, which is `size` large, within `room`: whole, or its beginning and the mark. `None` where not even the mark fits.
pub(super) fn cut_text(text: impl Into<String>, size: Size, room: Size) -> Option<Cut> {
    let text = text.into();
    if size.fits(room) {
        return Some(Cut {
            content: text,
            is_cut: false,
        });
    }
    let fits = |kept| Size::of(&beginning(&text, kept)).fits(room);
    let most = room
        .chars
        .checked_sub(MARK_CHARS)?
        .min(size.chars.saturating_sub(1));
    let kept = largest(most, fits);
    (kept > 0 || fits(0)).then(|| Cut {
        content: beginning(&text, kept),
        is_cut: true,
    })
}

/// The first `kept` characters or a little less, so that no word is cut if one ends nearby, and the mark.
fn beginning(text: &str, kept: usize) -> String {
    let end = text.char_indices().nth(kept).map_or(text.len(), |at| at.0);
    let head = &text[..end];
    match head.rfind(char::is_whitespace) {
        Some(space) if space > end / 2 => format!("{} {MARK}", head[..space].trim_end()),
        _ => format!("{head}{MARK}"),
    }
}

/// A tool's result, which is `size` large, within `room`: only whole items, since half a price is another price.
pub(super) fn cut_result(result: &str, size: Size, room: Size) -> Option<Cut> {
    let Some(list) = result.find("[{").filter(|_| !size.fits(room)) else {
        return cut_text(result, size, room);
    };
    let end = if result.ends_with('}') { "]}" } else { "]" };
    let ends: Vec<usize> = result[list..]
        .match_indices("},{")
        .map(|(at, _)| list + at + 1)
        .collect();
    let first = |items: usize| match items.checked_sub(1) {
        None => format!("{}\"{MARK}\"{end}", &result[..=list]),
        Some(last) => format!("{},\"{MARK}\"{end}", &result[..ends[last]]),
    };
    let fits = |items| Size::of(&first(items)).fits(room);
    let items = largest(ends.len(), fits);
    if items > 0 || fits(0) {
        return Some(Cut {
            content: first(items),
            is_cut: true,
        });
    }
    cut_text(result, size, room)
}
