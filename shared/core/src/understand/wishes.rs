//! Several wishes in one message: what is read at once beside what the message is for.

use std::ops::Range;

use super::{
    Fact, Route, Step,
    intent::{Intent, Meant, meant},
    route::word_places,
    step,
    topic::{Topic, speaks_of_terms, topics},
};
use crate::{
    language::List,
    text::{fold, words},
};

/// Surer than this, a sentence is a wish of its own; part of one has to be surer.
const SURE_OF_SENTENCE: f32 = 0.5;
const SURE_OF_PART: f32 = 0.7;
/// Surer than this, part of a message is in distress.
const SURE_OF_DISTRESS: f32 = 0.6;
/// Surer than this, a sentence is for one thing.
const SURE_OF_WHOLE: f32 = 0.97;
/// Surer than this, a few words are a wish of their own: behind a question to the shop, they are more likely part of it.
const SURE_OF_FEW: f32 = 0.9;
const FEW: usize = 3;
/// Fewest letters of a wish.
const LETTERS: usize = 4;
/// Most pieces that are looked at; a message of more is one wish.
const PIECES_MAX: usize = 8;
/// Most wishes that are read beside.
const BESIDE_MAX: usize = 3;

/// A message as its wishes.
#[derive(Debug, PartialEq, Eq)]
pub struct Wishes {
    /// What it is for.
    pub main: String,
    /// What is read at once beside that, each by the tool of that name.
    pub beside: Vec<(&'static str, String)>,
}

/// What a piece of a message begins at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Joint {
    Sentence,
    /// A comma, or a word that joins clauses.
    Part,
}

impl Joint {
    /// How sure a piece must be of itself.
    fn sure(self) -> f32 {
        match self {
            Self::Sentence => SURE_OF_SENTENCE,
            Self::Part => SURE_OF_PART,
        }
    }
}

/// What a piece of a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A tool reads it; of the shop's, what it is about.
    Read(&'static str, Option<Topic>),
    /// Another wish, or a yes or a no.
    Wish,
    Courtesy,
    /// It belongs to what stands before it, or behind.
    Part,
}

impl Wishes {
    /// A message of one wish.
    pub(crate) fn one(message: &str) -> Self {
        Self {
            main: message.to_owned(),
            beside: Vec::new(),
        }
    }

    /// The wishes of a message. Most have one.
    #[must_use]
    pub fn of(message: &str) -> Self {
        let message = behind_interjections(message);
        let pieces = pieces(message);
        if pieces.len() < 2 {
            return Self::one(message);
        }
        // Somebody in distress is answered for that, whatever else they ask.
        let texts = pieces.iter().map(|(range, _)| &message[range.clone()]);
        if let Some(distress) = texts.clone().find(|text| is_distress(text)) {
            return Self::one(distress.trim());
        }
        let is_sentence = pieces[1..].iter().all(|(_, joint)| *joint == Joint::Part);
        let is_one =
            is_sentence && meant(message).confidence > SURE_OF_WHOLE && !is_surely_several(texts);
        if is_one || pieces.len() > PIECES_MAX {
            return Self::one(message);
        }
        let groups = groups(message, pieces);
        let is_read = |(kind, _): &&(Kind, String)| matches!(kind, Kind::Read(..));
        let is_wish = |(kind, _): &&(Kind, String)| *kind == Kind::Wish;
        let reads = groups.iter().filter(is_read).count();
        let wishes: Vec<&str> = groups
            .iter()
            .filter(is_wish)
            .map(|(_, text)| text.as_str())
            .collect();
        if reads == 0 || (reads == 1 && wishes.is_empty()) {
            // "Gracias, ¿cuándo llega?" is no thanks alone.
            let is_courteous = kind_of(message, 0.0) == Kind::Courtesy;
            let read = groups.iter().find(is_read).filter(|_| is_courteous);
            return Self::one(read.map_or(message, |(_, text)| text));
        }
        let mut read = groups.iter().filter(is_read);
        let main = if wishes.is_empty() {
            read.next().map(|(_, text)| text.clone())
        } else {
            Some(wishes.join(" "))
        };
        let beside = read.take(BESIDE_MAX).filter_map(|(kind, text)| match kind {
            Kind::Read(tool, _) => Some((*tool, text.clone())),
            _ => None,
        });
        Self {
            main: main.unwrap_or_default(),
            beside: beside.collect(),
        }
    }
}

/// Whether some pieces are as surely for one thing as others are for another.
fn is_surely_several<'a>(pieces: impl Iterator<Item = &'a str>) -> bool {
    let kinds = pieces.map(|piece| kind_of(piece, SURE_OF_FEW));
    let mut kinds = kinds.filter(|kind| matches!(kind, Kind::Read(..) | Kind::Wish));
    let first = kinds.next();
    kinds.any(|kind| Some(kind) != first)
}

/// A message without the sentences before its last ones that wish for nothing: "lol fair. got any Stephen King?"
fn behind_interjections(message: &str) -> &str {
    let mut rest = behind_greeting(message);
    for _ in 0..PIECES_MAX {
        let pieces = pieces(rest);
        let next = pieces.iter().skip(1);
        let mut next = next.filter(|(_, joint)| *joint == Joint::Sentence);
        let Some((next, _)) = next.next() else {
            return rest;
        };
        let behind = &rest[next.start..];
        let before = pieces.iter().filter(|(place, _)| place.end <= next.start);
        let end = before.map(|(place, _)| place.end).max().unwrap_or_default();
        let first = &rest[..end];
        // "Y la segunda, ¿de quién es?"
        let is_closed = !first.trim_end().ends_with(',') && !rest[end..next.start].contains(',');
        let is_wish = || {
            let found = meant(behind);
            behind.contains('?') || found.confidence >= SURE_OF_SENTENCE
        };
        if !is_closed || !is_interjection(first, behind) || !is_wish() {
            return rest;
        }
        rest = behind.trim_start();
    }
    rest
}

/// A message without the greeting before its first comma: "hiya, got the great Gatsby in?"
fn behind_greeting(message: &str) -> &str {
    /// Most words of one.
    const GREETING: usize = 3;
    let Some((first, rest)) = message.split_once(',') else {
        return message;
    };
    let found = meant(first);
    let is_greeting = found.intent == Intent::Greeting && found.confidence >= SURE_OF_SENTENCE;
    match is_greeting && words(first).len() <= GREETING && words(rest).len() > 1 {
        true => rest.trim_start(),
        false => message,
    }
}

/// Whether a sentence by itself wishes for nothing: a few words that are surely for none of it, and name nothing.
fn is_interjection(sentence: &str, behind: &str) -> bool {
    /// Most words of one.
    const INTERJECTION: usize = 6;
    /// A name is surer to be looked for.
    const SURE_OF_NAME: f32 = 0.6;
    /// What is less sure says nothing: "jaja vale vale".
    const SURE_OF_ANYTHING: f32 = 0.4;
    /// A yes or a no that is surer is one.
    const SURE_OF_ANSWER: f32 = 0.9;
    /// So few words before a wish are no other one.
    const EXCLAMATION: usize = 3;
    let found = meant(sentence);
    let wish = meant(behind);
    let is_exclamation =
        words(sentence).len() <= EXCLAMATION && wish.confidence >= SURE_OF_SENTENCE;
    let may_be_none = match found.intent {
        // "Llegó roto. ¿Tenéis otro?" is told of, too.
        Intent::Complaint if is_exclamation => found.confidence < SURE_OF_NAME,
        Intent::Yes | Intent::No if is_exclamation => {
            !matches!(wish.intent, Intent::Yes | Intent::No)
        }
        Intent::Greeting | Intent::Thanks | Intent::Goodbye | Intent::OffTopic => true,
        // "Ok. Is there a book club?" agrees to nothing.
        Intent::Yes if behind.trim_end().ends_with('?') => true,
        Intent::Yes | Intent::No => found.confidence < SURE_OF_ANSWER,
        Intent::Find | Intent::Pick | Intent::More | Intent::Help | Intent::Unclear => {
            found.confidence < SURE_OF_NAME
        }
        _ => found.confidence < SURE_OF_ANYTHING,
    };
    // "My son wants The Hobbit."
    let mut others = sentence.split_whitespace().skip(1);
    let names = others.any(|word| word.starts_with(char::is_uppercase));
    let is_short = words(sentence).len() <= INTERJECTION;
    // "Oi, tudo bem? Vocês têm Lovecraft?"
    let asks = sentence.contains('?') && found.intent != Intent::Greeting;
    may_be_none && !names && is_short && !asks
}

/// The wishes of a message in their order, each of what it is and in its words.
fn groups(message: &str, pieces: Vec<(Range<usize>, Joint)>) -> Vec<(Kind, String)> {
    let mut groups: Vec<(Kind, Range<usize>)> = Vec::new();
    for (range, joint) in pieces {
        let piece = &message[range.clone()];
        let is_few = words(piece).len() <= FEW;
        let is_behind_read = matches!(groups.last(), Some((Kind::Read(..), _)));
        let kind = match kind_of(piece, joint.sure()) {
            Kind::Wish if is_few && is_behind_read => kind_of(piece, SURE_OF_FEW),
            kind => kind,
        };
        match groups.last_mut() {
            Some((before, whole))
                if *before == kind
                    || (kind == Kind::Part && *before != Kind::Courtesy)
                    || *before == Kind::Part =>
            {
                if *before == Kind::Part {
                    *before = kind;
                }
                whole.end = range.end;
            }
            _ => groups.push((kind, range)),
        }
    }
    let groups = groups.into_iter();
    let groups = groups.map(|(kind, range)| {
        // What joined it to the piece before is no part of it.
        let joins = |c: char| c.is_whitespace() || ",.;:)-–—".contains(c);
        (
            kind,
            message[range]
                .trim_start_matches(joins)
                .trim_end()
                .to_owned(),
        )
    });
    groups.collect()
}

fn kind_of(piece: &str, sure: f32) -> Kind {
    let found = meant(piece);
    let letters = piece.chars().filter(|c| c.is_alphanumeric()).count();
    // "Who wrote it and when" is one.
    let is_small = matches!(&words(piece)[..], [word] if List::is_small(word));
    let is_short = letters < LETTERS || is_small;
    // "E quanto custa o envio?" may look like what is in the cart.
    if matches!(step(found, &Route::Search), Step::Read(_)) && speaks_of_terms(piece) {
        return Kind::Read("shop_info", Some(topics(piece)[0].0));
    }
    if found.confidence < sure {
        return Kind::Part;
    }
    match (step(found, &Route::Search), found.intent) {
        (_, Intent::Greeting | Intent::Thanks | Intent::Goodbye) => Kind::Courtesy,
        (_, Intent::Yes | Intent::No) => Kind::Wish,
        _ if is_short => Kind::Part,
        // "¿De quién es?" asks it of an item.
        (Step::Read(_), Intent::ShopInfo) if !Fact::alone(piece).is_empty() => Kind::Part,
        (Step::Read(tool), _) => Kind::Read(tool, topic(found, piece)),
        _ => Kind::Wish,
    }
}

fn is_distress(piece: &str) -> bool {
    let found = meant(piece);
    found.intent == Intent::Distress && found.confidence >= SURE_OF_DISTRESS
}

fn topic(found: Meant, piece: &str) -> Option<Topic> {
    (found.intent == Intent::ShopInfo).then(|| topics(piece)[0].0)
}

/// The pieces of a message, at the ends of its sentences, its commas and what joins clauses; each with what it begins at.
fn pieces(message: &str) -> Vec<(Range<usize>, Joint)> {
    let joints = List::Markers.in_all();
    let placed: Vec<Range<usize>> = word_places(message).map(|(place, _)| place).collect();
    let words = placed.iter().map(|range| fold(&message[range.clone()]));
    let words: Vec<String> = words.collect();
    let mut pieces = Vec::new();
    let (mut from, mut begins, mut at) = (0, Joint::Sentence, 0);
    while at < placed.len() {
        let joint = joints.at(&words[at..]);
        let joint = joint.filter(|found| ["besides", "clause"].contains(&found.key));
        // "É" is, and joins nothing.
        let written = &message[placed[at].clone()];
        let joint =
            joint.filter(|found| found.words > 1 || written.is_ascii() || written.len() > 2);
        if let Some(joint) = joint {
            let piece = from..placed[at].start;
            // What begins a sentence joins nothing in it.
            if message[piece.clone()].contains(char::is_alphanumeric) {
                pieces.push((piece, begins));
                begins = Joint::Part;
            }
            at += joint.words.max(1) - 1;
            from = placed[at].end;
        }
        let end = placed[at].end;
        let next = placed.get(at + 1).map_or(message.len(), |next| next.start);
        if let Some((closed, next)) = break_in(&message[end..next]) {
            let piece = from..end + closed;
            if message[piece.clone()].contains(char::is_alphanumeric) {
                pieces.push((piece, begins));
            }
            (from, begins) = (end + closed, next);
        }
        at += 1;
    }
    let rest = from..message.len();
    if message[rest.clone()].contains(char::is_alphanumeric) {
        pieces.push((rest, begins));
    }
    pieces
}

/// Whether a piece ends in what stands between two words: how much of that belongs to it, and what the next begins at.
fn break_in(between: &str) -> Option<(usize, Joint)> {
    let closing = between.rfind(['?', '!', ';']).map(|at| at + 1);
    let closing = closing.or_else(|| between.find(['¿', '¡', '\n']));
    if let Some(closed) = closing {
        return Some((closed, Joint::Sentence));
    }
    // Neither "3.50" nor "3,50".
    let is_spaced = between.chars().count() > 1;
    match between.trim_start().chars().next() {
        Some('.') if is_spaced => Some((between.find('.')? + 1, Joint::Sentence)),
        Some(',' | ':' | '-' | '–' | '—' | '(') if is_spaced => Some((0, Joint::Part)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_to_the_shop_is_told_beside_what_else_is_wanted() {
        let shop = "shop_info";
        for (message, main, beside) in [
            (
                "hola, ¿tenéis Rayuela y hacéis envíos?",
                "¿tenéis Rayuela",
                vec![(shop, "hacéis envíos?")],
            ),
            (
                "¿hacéis envíos a Canarias? busco un vestido de lino",
                "busco un vestido de lino",
                vec![(shop, "¿hacéis envíos a Canarias?")],
            ),
            (
                "add Dune to my cart and what time do you close?",
                "add Dune to my cart",
                vec![(shop, "what time do you close?")],
            ),
            (
                "¿aceptáis tarjeta? ¿y hacéis envíos?",
                "¿aceptáis tarjeta?",
                vec![(shop, "hacéis envíos?")],
            ),
            (
                "olá, têm calças de linho? e quanto custa o envio?",
                "têm calças de linho?",
                vec![(shop, "quanto custa o envio?")],
            ),
            (
                "quiero morirme. ¿a qué hora cerráis?",
                "quiero morirme.",
                vec![],
            ),
            (
                "I want to kill myself, what time do you close today?",
                "I want to kill myself",
                vec![],
            ),
            ("gracias, ¿cuándo llega?", "¿cuándo llega?", vec![]),
            (
                "no. quita Dune del carrito. ¿hacéis envíos?",
                "quita Dune del carrito.",
                vec![(shop, "¿hacéis envíos?")],
            ),
        ] {
            let beside = beside
                .into_iter()
                .map(|(tool, text)| (tool, text.to_owned()));
            let expected = Wishes {
                main: main.to_owned(),
                beside: beside.collect(),
            };
            assert_eq!(Wishes::of(message), expected, "{message}");
        }
    }

    #[test]
    fn what_is_said_before_a_wish_is_no_part_of_it() {
        for (message, wish) in [
            ("lol fair. got any stephen king?", "got any stephen king?"),
            (
                "jaja vale vale. libros de terror por menos de 11 euros teneis?",
                "libros de terror por menos de 11 euros teneis?",
            ),
            ("Rayuela. ¿cuánto cuesta?", "Rayuela. ¿cuánto cuesta?"),
            (
                "My son wants The Hobbit. Do you stock it?",
                "My son wants The Hobbit. Do you stock it?",
            ),
            ("no. quita Dune del carrito.", "quita Dune del carrito."),
            ("hola, ¿a qué hora abrís?", "¿a qué hora abrís?"),
            ("Que pena. E O Mito de Sísifo?", "O Mito de Sísifo?"),
            ("bah. teneis algo de camus", "teneis algo de camus"),
            ("y la segunda, ¿de quién es?", "y la segunda, ¿de quién es?"),
            (
                "qual é o ensaio mais caro de vocês?",
                "qual é o ensaio mais caro de vocês?",
            ),
        ] {
            assert_eq!(Wishes::of(message), Wishes::one(wish), "{message}");
        }
    }

    #[test]
    fn one_wish_is_not_taken_apart() {
        for message in [
            "",
            "¿?",
            "¿a qué hora abrís el sábado y el domingo?",
            "¿abrís el 24 de diciembre? ¿y el 26?",
            "¿hacéis envíos a Canarias y a Baleares?",
            "busco una novela de misterio y otra de amor",
            "El ruido y la furia",
            "gracias, adiós",
            "busco un libro por 3,50 y que no sea de poesía",
            "😀😀 y 😀",
        ] {
            let Wishes { main, beside } = Wishes::of(message);
            assert_eq!((main.as_str(), beside.len()), (message, 0), "{message}");
        }
    }
}
