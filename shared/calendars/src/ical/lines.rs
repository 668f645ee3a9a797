//! Content lines, and the components that they make.

use super::Unreadable;

/// How deep components lie within one another at most; an alarm of an event of a calendar is three.
const DEPTH_MAX: usize = 8;

/// A component: a calendar, an event, a time zone.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Component {
    pub(super) name: String,
    pub(super) properties: Vec<Property>,
    pub(super) components: Vec<Component>,
}

/// A line with a name and a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Property {
    /// In capital letters, as its parameters' names are.
    pub(super) name: String,
    parameters: Vec<Parameter>,
    /// As it is written.
    pub(super) value: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Parameter {
    name: String,
    value: String,
}

impl Component {
    pub(super) fn property(&self, name: &str) -> Option<&Property> {
        self.each(name).next()
    }

    pub(super) fn each(&self, name: &str) -> impl Iterator<Item = &Property> {
        let properties = self.properties.iter();
        properties.filter(move |property| property.name == name)
    }
}

impl Property {
    pub(super) fn parameter(&self, name: &str) -> Option<&str> {
        let mut parameters = self.parameters.iter();
        let parameter = parameters.find(|parameter| parameter.name == name);
        parameter.map(|parameter| parameter.value.as_str())
    }

    /// Its value as a text for people.
    pub(super) fn text(&self) -> String {
        let mut text = String::with_capacity(self.value.len());
        let mut chars = self.value.chars();
        while let Some(c) = chars.next() {
            match c {
                '\\' => match chars.next() {
                    Some('n' | 'N') => text.push('\n'),
                    Some(escaped) => text.push(escaped),
                    None => {}
                },
                c => text.push(c),
            }
        }
        text
    }
}

/// A text for people as a property has it.
pub(crate) fn escaped(text: &str) -> String {
    let mut value = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | ';' | ',' => value.extend(['\\', c]),
            '\n' => value.push_str("\\n"),
            c if c.is_control() => {}
            c => value.push(c),
        }
    }
    value
}

/// The outermost components of a text. Lines that are no properties are passed over: some writers break lines within texts.
pub(super) fn components(text: &str) -> Result<Vec<Component>, Unreadable> {
    let mut outermost = Vec::new();
    let mut open: Vec<Component> = Vec::new();
    for line in unfolded(text) {
        let Some(property) = property(&line) else {
            continue;
        };
        match (property.name.as_str(), open.last_mut()) {
            ("BEGIN", _) => {
                if open.len() >= DEPTH_MAX {
                    return Err(Unreadable("its parts lie too deep"));
                }
                open.push(Component {
                    name: property.value.trim().to_ascii_uppercase(),
                    ..Component::default()
                });
            }
            ("END", _) => {
                let ended = open.pop();
                let name = property.value.trim();
                let ended = ended.filter(|ended| ended.name.eq_ignore_ascii_case(name));
                let ended = ended.ok_or(Unreadable("a part ends that has not begun"))?;
                match open.last_mut() {
                    Some(around) => around.components.push(ended),
                    None => outermost.push(ended),
                }
            }
            (_, Some(component)) => component.properties.push(property),
            (_, None) => return Err(Unreadable("a property stands outside of all parts")),
        }
    }
    if !open.is_empty() {
        return Err(Unreadable("it was cut off"));
    }
    Ok(outermost)
}

/// Lines, each whole: one that begins with white space goes on with what was before it.
fn unfolded(text: &str) -> Vec<String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines: Vec<String> = Vec::new();
    for line in text.split('\n') {
        let line = line.strip_suffix('\r').unwrap_or(line);
        match (line.strip_prefix([' ', '\t']), lines.last_mut()) {
            (Some(rest), Some(last)) => last.push_str(rest),
            _ => lines.push(line.to_owned()),
        }
    }
    lines
}

/// A line as a property, where it is one.
fn property(line: &str) -> Option<Property> {
    let name_end = line.find([';', ':'])?;
    let name = line[..name_end].trim().to_ascii_uppercase();
    let is_name = |name: &str| {
        let mut chars = name.chars();
        !name.is_empty() && chars.all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '.')
    };
    if !is_name(&name) {
        return None;
    }
    // A group before a name is vCard's, which some writers put here as well.
    let name = match name.rsplit_once('.') {
        Some((_, name)) => name.to_owned(),
        None => name,
    };
    let mut parameters = Vec::new();
    let mut rest = &line[name_end..];
    while let Some(parameter) = rest.strip_prefix(';') {
        let end = unquoted(parameter, &[';', ':'])?;
        let (name, value) = parameter[..end].split_once('=')?;
        parameters.push(Parameter {
            name: name.trim().to_ascii_uppercase(),
            value: value.replace('"', ""),
        });
        rest = &parameter[end..];
    }
    let value = rest.strip_prefix(':')?.to_owned();
    Some(Property {
        name,
        parameters,
        value,
    })
}

/// Where one of these stands that is not between quotes.
fn unquoted(text: &str, ends: &[char]) -> Option<usize> {
    let mut is_quoted = false;
    let mut chars = text.char_indices();
    chars.find_map(|(at, c)| {
        is_quoted ^= c == '"';
        (!is_quoted && ends.contains(&c)).then_some(at)
    })
}
