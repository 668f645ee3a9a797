//! The one place where an answer's parts become words.

use super::{
    part::{Field, Part},
    prose::Item,
};
use crate::{price::Price, segment::Segment, shop::Locale, text::words};

pub(crate) use crate::text::{name, plain};

/// A line of an answer as every surface may show it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) segments: Vec<Segment>,
}

impl Line {
    /// A line of words alone.
    pub(crate) fn of_text(text: impl Into<String>) -> Self {
        let text = text.into();
        Self {
            segments: vec![Segment {
                text,
                item: None,
                fact: None,
            }],
        }
    }

    pub(crate) fn text(&self) -> String {
        let texts = self.segments.iter().map(|segment| segment.text.as_str());
        texts.collect()
    }

    /// Puts the mark of a list before it.
    pub(crate) fn listed(mut self) -> Self {
        match self.segments.first_mut() {
            Some(first) if first.item.is_none() => first.text.insert_str(0, "- "),
            _ => self
                .segments
                .insert(0, Line::of_text("- ").segments.remove(0)),
        }
        self
    }
}

/// The text of lines.
pub(crate) fn text(lines: &[Line]) -> String {
    let lines: Vec<String> = lines.iter().map(Line::text).collect();
    lines.join("\n")
}

/// Renders an answer line by line: an item's first mention says whose it is, what it costs and how many there are.
#[derive(Debug, Clone)]
pub(crate) struct Renderer<'a> {
    locale: Locale<'a>,
    introduced: Vec<u64>,
}

impl<'a> Renderer<'a> {
    pub(crate) fn new(locale: Locale<'a>) -> Self {
        Self {
            locale,
            introduced: Vec::new(),
        }
    }

    /// The line of `parts`, which speak of items by their places. `stated` is what its prose states of them by itself.
    pub(crate) fn line<'i>(
        &mut self,
        parts: &[Part],
        item: impl Fn(usize) -> Option<&'i Item>,
        stated: &[(usize, Field)],
    ) -> Line {
        let segments = parts.iter().filter_map(|part| match part {
            Part::Text(text) => Some(Segment {
                text: text.clone(),
                item: None,
                fact: None,
            }),
            Part::Item(at) => item(*at).map(|item| Segment {
                text: self.mention(item, parts, *at, stated),
                item: Some(item.id),
                fact: None,
            }),
            Part::Fact(at, field) => item(*at).map(|item| Segment {
                text: self.fact(item, field),
                item: Some(item.id),
                fact: Some(field.name().to_owned()),
            }),
        });
        Line {
            segments: segments.collect(),
        }
    }

    fn mention(
        &mut self,
        item: &Item,
        parts: &[Part],
        at: usize,
        stated: &[(usize, Field)],
    ) -> String {
        let is_first = !self.introduced.contains(&item.id);
        if is_first {
            self.introduced.push(item.id);
        }
        let title = name(&item.title);
        let titled = self
            .locale
            .message("item-title", &[("title", (&title).into())]);
        if !is_first {
            return titled;
        }
        let has = |field: &Field| {
            let mut facts = parts.iter();
            stated.iter().any(|(of, own)| *of == at && own == field)
                || facts
                    .any(|part| matches!(part, Part::Fact(of, own) if *of == at && own == field))
        };
        let maker = name(&item.maker);
        let mut mention = if maker.is_empty() || has(&Field::Maker) || names(parts, &maker) {
            titled
        } else {
            let arguments = [("title", (&titled).into()), ("maker", (&maker).into())];
            self.locale.message("item-of", &arguments)
        };
        let price = (!has(&Field::Price)).then(|| self.fact(item, &Field::Price));
        let is_counted = has(&Field::Stock) || has(&Field::Left);
        let stock = (!is_counted).then(|| self.fact(item, &Field::Left));
        let aside: Vec<String> = price.into_iter().chain(stock).collect();
        if !aside.is_empty() {
            mention.push_str(" (");
            mention.push_str(&aside.join(", "));
            mention.push(')');
        }
        mention
    }

    /// What there is of an item, in words.
    pub(crate) fn fact(&self, item: &Item, field: &Field) -> String {
        let count = [("count", item.stock.into())];
        match field {
            Field::Price => Price::from_minor(item.price_minor).display(self.locale.language),
            Field::Stock => self.locale.message("stock", &count),
            Field::Left => self.locale.message("stock-left", &count),
            field => name(&item.value(field).unwrap_or_default()),
        }
    }
}

/// Whether the prose of a line names a maker, by the last of its names.
fn names(parts: &[Part], maker: &str) -> bool {
    let Some(last) = words(maker).pop() else {
        return false;
    };
    let mut texts = parts.iter();
    texts.any(|part| matches!(part, Part::Text(text) if words(text).contains(&last)))
}
