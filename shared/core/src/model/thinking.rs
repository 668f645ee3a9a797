//! Models that write their thoughts into the answer: `<think>…</think>` before it.

/// What begins a thought and what ends it.
const TAGS: [(&str, &str); 2] = [("<think>", "</think>"), ("<thinking>", "</thinking>")];

/// A part of a completion's text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Thought(String),
    Text(String),
}

impl Part {
    pub(crate) fn text(self) -> Option<String> {
        match self {
            Self::Thought(_) => None,
            Self::Text(text) => Some(text),
        }
    }
}

/// Splits thinking at the beginning of an answer from its text, however they are chunked.
#[derive(Default)]
pub(crate) struct ThinkingSplitter {
    state: State,
    /// What is not split yet.
    held: String,
}

#[derive(Default, Clone, Copy)]
enum State {
    #[default]
    Beginning,
    /// Until this ends it.
    Thinking(&'static str),
    Answering,
}

impl ThinkingSplitter {
    pub(crate) fn push(&mut self, delta: &str) -> Vec<Part> {
        self.held.push_str(delta);
        let mut parts = Vec::new();
        while let Some(part) = self.step() {
            parts.extend(part);
        }
        parts
    }

    /// What is left once the model has ended.
    pub(crate) fn finish(self) -> Option<Part> {
        let left = Some(self.held).filter(|left| !left.is_empty());
        left.map(|left| match self.state {
            State::Thinking(_) => Part::Thought(left),
            State::Beginning | State::Answering => Part::Text(left),
        })
    }

    /// Goes on from what is held; `None` once there is nothing to be done before more comes.
    fn step(&mut self) -> Option<Option<Part>> {
        match self.state {
            State::Beginning => {
                let begun = self.held.trim_start();
                if let Some((open, close)) = TAGS.iter().find(|(open, _)| begun.starts_with(open)) {
                    self.held = begun[open.len()..].to_owned();
                    self.state = State::Thinking(close);
                    return Some(None);
                }
                if TAGS.iter().any(|(open, _)| open.starts_with(begun)) {
                    return None;
                }
                self.state = State::Answering;
                Some(None)
            }
            State::Thinking(close) => {
                if let Some(end) = self.held.find(close) {
                    let thought = self.held[..end].to_owned();
                    self.held.drain(..end + close.len());
                    self.state = State::Beginning;
                    return Some(Some(Part::Thought(thought)));
                }
                // What may be the beginning of the end waits for the rest of it.
                let kept = (0..close.len()).rev();
                let kept = kept.map(|len| &close[..len]);
                let kept = kept.map(|begun| {
                    if self.held.ends_with(begun) {
                        begun.len()
                    } else {
                        0
                    }
                });
                let ready = self.held.len() - kept.max().unwrap_or(0);
                if ready == 0 {
                    return None;
                }
                Some(Some(Part::Thought(self.held.drain(..ready).collect())))
            }
            State::Answering if self.held.is_empty() => None,
            State::Answering => Some(Some(Part::Text(std::mem::take(&mut self.held)))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinking_before_an_answer_is_split_off() {
        for (text, thought, answer) in [
            ("Hola.", "", "Hola."),
            ("<think>uno</think>\n\n- Sí.", "uno", "- Sí."),
            (
                "\n<thinking> más < menos </thi </thinking>- Sí.",
                " más < menos </thi ",
                "- Sí.",
            ),
            (
                "<think>uno</think><think>dos</think>- Sí.",
                "unodos",
                "- Sí.",
            ),
            ("- Sí. <think>no</think>", "", "- Sí. <think>no</think>"),
            ("<th", "", "<th"),
            ("<think>sin fin", "sin fin", ""),
            ("", "", ""),
        ] {
            for size in 1..=text.chars().count().max(1) {
                let mut splitter = ThinkingSplitter::default();
                let chars: Vec<char> = text.chars().collect();
                let mut parts = Vec::new();
                for piece in chars.chunks(size) {
                    parts.extend(splitter.push(&piece.iter().collect::<String>()));
                }
                parts.extend(splitter.finish());
                let (mut thoughts, mut words) = (String::new(), String::new());
                for part in parts {
                    match part {
                        Part::Thought(more) => thoughts += &more,
                        Part::Text(more) => words += &more,
                    }
                }
                assert_eq!(
                    (thoughts.as_str(), words.trim_start()),
                    (thought, answer),
                    "{text} by {size}"
                );
            }
        }
    }
}
