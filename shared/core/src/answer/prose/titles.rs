//! Titles and makers that are named in prose.

use super::{
    Lexicon,
    items::{Known, stem},
    token::{Kind, Token},
};

/// Fewest letters of a word that names an item by itself.
const NAME_LETTERS: usize = 4;

/// Makes references of whole titles, and marks the words that name an item by less.
pub(super) fn resolve(tokens: &mut Vec<Token>, known: &[Known], lexicon: &Lexicon) {
    join_codes(tokens, known);
    whole_titles(tokens, known, lexicon);
    quoted_parts(tokens, known, lexicon);
    parts(tokens, known, lexicon);
    makers(tokens, known, lexicon);
}

/// "10K", "38L": digits and letters that a title has as one word.
fn join_codes(tokens: &mut Vec<Token>, known: &[Known]) {
    let mut at = 0;
    while at + 1 < tokens.len() {
        let [number, word] = &tokens[at..at + 2] else {
            return;
        };
        let joined = format!("{}{}", number.folded, word.folded);
        let is_joint = number.number().is_some() && word.is_word() && !word.spaced;
        if is_joint && known.iter().any(|of| of.title.contains(&joined)) {
            let text = format!("{}{}", number.text, word.text);
            tokens[at] = Token {
                text,
                folded: joined,
                kind: Kind::Word,
                ..tokens[at].clone()
            };
            tokens.remove(at + 1);
        }
        at += 1;
    }
}

/// How many tokens from `at` on are the words of `title`, marks between them left aside.
fn run(tokens: &[Token], at: usize, title: &[String]) -> Option<usize> {
    let mut end = at;
    for word in title {
        while tokens.get(end).is_some_and(|token| token.mark().is_some()) && end > at {
            end += 1;
        }
        let token = tokens.get(end)?;
        let is_text = matches!(token.kind, Kind::Word | Kind::Number(_));
        if !is_text || token.folded != *word {
            return None;
        }
        end += 1;
    }
    Some(end - at)
}

fn whole_titles(tokens: &mut Vec<Token>, known: &[Known], lexicon: &Lexicon) {
    let mut at = 0;
    while at < tokens.len() {
        let token = &tokens[at];
        let begins = token.quoted || token.is_capitalised() || token.number().is_some();
        let mut best: Option<(usize, usize)> = None;
        for (item, of) in known.iter().enumerate().filter(|_| begins) {
            let is_only = |words: &[String]| {
                let others = known.iter().enumerate();
                others
                    .filter(|(other, _)| *other != item)
                    .all(|(_, other)| other.short != words)
            };
            for title in [&of.title, &of.short] {
                if title.is_empty() || (title == &of.short && !is_only(title)) {
                    continue;
                }
                let Some(length) = run(tokens, at, title) else {
                    continue;
                };
                let is_weak = title.len() == 1
                    && !token.quoted
                    && (at == 0 || token.number().is_some() || lexicon.is_function(&token.folded));
                let is_weak =
                    is_weak && !(at > 0 && tokens[at - 1].is_word() && token.is_capitalised());
                let is_weak =
                    is_weak && !(at == 0 && token.is_word() && !lexicon.is_function(&token.folded));
                if !is_weak && best.is_none_or(|(_, longest)| length > longest) {
                    best = Some((item, length));
                }
            }
        }
        if let Some((item, length)) = best {
            // "¿A qué sabe la luna?" has its own marks.
            let title = &known[item].item.title;
            let is_own = |mark: Option<char>, own: Option<char>| mark.is_some() && mark == own;
            let next = tokens.get(at + length).and_then(Token::mark);
            let with_end = usize::from(is_own(next, title.chars().next_back()));
            let before = at.checked_sub(1).and_then(|at| tokens[at].mark());
            let with_start = usize::from(is_own(before, title.chars().next()));
            at -= with_start;
            replace(tokens, at, with_start + length + with_end, item);
        }
        at += 1;
    }
}

/// Puts a reference in the place of tokens, and of the marks around them.
fn replace(tokens: &mut Vec<Token>, at: usize, length: usize, item: usize) {
    let (mut from, mut to) = (at, at + length);
    let is_quote = |token: Option<&Token>| {
        token.is_some_and(|token| token.mark().is_some_and(|mark| "«»“”„\"‘’'".contains(mark)))
    };
    if from > 0 && is_quote(tokens.get(from - 1)) && is_quote(tokens.get(to)) {
        (from, to) = (from - 1, to + 1);
    }
    let spaced = tokens[from].spaced;
    let reference = Token {
        text: String::new(),
        folded: String::new(),
        kind: Kind::Item(item),
        spaced,
        quoted: false,
        names: Vec::new(),
        is_maker: false,
    };
    tokens.splice(from..to, [reference]);
}

/// A quoted or emphasised run that is a part of one title alone stands for it.
fn quoted_parts(tokens: &mut Vec<Token>, known: &[Known], lexicon: &Lexicon) {
    let mut at = 0;
    while at < tokens.len() {
        let is_begun = |at: usize, tokens: &[Token]| {
            let token = &tokens[at];
            token.quoted && token.mark().is_none() && token.item().is_none()
        };
        if !is_begun(at, tokens) {
            at += 1;
            continue;
        }
        let mut end = at;
        while end < tokens.len() && is_begun(end, tokens) {
            end += 1;
        }
        let words: Vec<String> = tokens[at..end]
            .iter()
            .map(|token| token.folded.clone())
            .collect();
        let says = words
            .iter()
            .any(|word| word.chars().count() >= NAME_LETTERS && !lexicon.is_function(word));
        if says
            && tokens[at].is_capitalised()
            && let Some(item) = only_with_part(known, &words)
        {
            replace(tokens, at, end - at, item);
            at += 1;
        } else {
            at = end;
        }
    }
}

fn has_part(title: &[String], words: &[String]) -> bool {
    title.windows(words.len().max(1)).any(|part| part == words)
}

/// The only item whose title holds `words` together, or else the only one whose title ends so.
fn only_with_part(known: &[Known], words: &[String]) -> Option<usize> {
    let only = |has: &dyn Fn(&Known) -> bool| {
        let mut having = known.iter().enumerate().filter(|(_, of)| has(of));
        let (item, _) = having.next()?;
        having.next().is_none().then_some(item)
    };
    let holds = only(&|of| has_part(&of.title, words));
    holds.or_else(|| only(&|of| of.title.ends_with(words)))
}

/// Marks runs of words that are a part of one title alone, and single words that no other title has.
fn parts(tokens: &mut [Token], known: &[Known], lexicon: &Lexicon) {
    let mut at = 0;
    while at < tokens.len() {
        let begins = |token: &Token| token.is_word() && (token.is_capitalised() || token.quoted);
        let longest = if begins(&tokens[at]) || tokens[at].number().is_some() {
            longest_part(&tokens[at..], known)
        } else {
            None
        };
        if let Some((item, length)) = longest {
            for token in &mut tokens[at..at + length] {
                token.names.push(item);
            }
            at += length;
            continue;
        }
        let after_article = at.checked_sub(1).is_some_and(|before| {
            let before = &tokens[before];
            lexicon.is_article(&before.folded) || before.number().is_some()
        });
        let after_joint = at >= 2 && stands_for_item(&tokens[..at], lexicon);
        let after_word = at.checked_sub(1).is_none_or(|before| {
            let before = &tokens[before];
            before.mark().is_some() || lexicon.is_function(&before.folded)
        });
        if (after_article || after_word)
            && let Some((item, length)) = described(&tokens[at..], known, lexicon)
        {
            for token in &mut tokens[at..at + length] {
                if token.is_word() && !lexicon.is_function(&token.folded) {
                    token.names.push(item);
                }
            }
            at += length;
            continue;
        }
        let token = &tokens[at];
        if token.is_word()
            && (after_article || after_joint || token.is_capitalised())
            && !lexicon.is_function(&token.folded)
            && (token.folded.chars().count() >= NAME_LETTERS || is_acronym(token))
        {
            let stem = stem(&token.folded);
            let having = |of: &Known| of.title.iter().any(|word| super::items::stem(word) == stem);
            let mut items = known.iter().enumerate().filter(|(_, of)| having(of));
            let first = items.next();
            if let (Some((item, _)), None) = (first, items.next()) {
                // A word that others' texts have as well tells nothing when it is written small.
                let is_shared = known
                    .iter()
                    .enumerate()
                    .any(|(other, of)| other != item && of.has(&token.folded));
                if tokens[at].is_capitalised() || !is_shared {
                    tokens[at].names.push(item);
                }
            }
        }
        at += 1;
    }
}

/// "El set de figuras": two words or more that one item alone is called by, with small words between them.
fn described(tokens: &[Token], known: &[Known], lexicon: &Lexicon) -> Option<(usize, usize)> {
    /// Tokens of a description at most.
    const LONGEST: usize = 6;
    let first = tokens.first()?;
    if !first.is_word() || lexicon.is_function(&first.folded) {
        return None;
    }
    let mut found: Option<(usize, usize)> = None;
    let mut words: Vec<&str> = Vec::new();
    for (place, token) in tokens.iter().take(LONGEST).enumerate() {
        if !matches!(token.kind, Kind::Word | Kind::Number(_)) {
            break;
        }
        if lexicon.is_function(&token.folded) {
            continue;
        }
        words.push(&token.folded);
        let has_all = |of: &&(usize, &Known)| words.iter().all(|word| of.1.is_called(word));
        let all: Vec<(usize, &Known)> = known.iter().enumerate().collect();
        let mut having = all.iter().filter(has_all);
        match (having.next(), having.next()) {
            (Some((item, _)), None) if words.len() > 1 => found = Some((*item, place + 1)),
            (Some(_), _) => {}
            (None, _) => break,
        }
    }
    found
}

/// "ZZ".
fn is_acronym(token: &Token) -> bool {
    token.text.chars().count() > 1 && token.text.chars().all(char::is_uppercase)
}

/// The longest run of two or more words from here on that is a part of one title alone.
fn longest_part(tokens: &[Token], known: &[Known]) -> Option<(usize, usize)> {
    // "TB-18" is two words.
    let is_joint = |token: &Token| token.mark() == Some('-') && !token.spaced;
    let run = tokens.iter().enumerate().take_while(|(_, token)| {
        matches!(token.kind, Kind::Word | Kind::Number(_)) || is_joint(token)
    });
    let (places, words): (Vec<usize>, Vec<String>) = run
        .filter(|(_, token)| !is_joint(token))
        .map(|(place, token)| (place, token.folded.clone()))
        .unzip();
    let lengths = (2..=words.len().min(12)).rev();
    lengths.into_iter().find_map(|length| {
        let item = only_with_part(known, &words[..length])?;
        Some((item, places[length - 1] + 1))
    })
}

/// Marks the names of makers.
fn makers(tokens: &mut [Token], known: &[Known], lexicon: &Lexicon) {
    for at in 0..tokens.len() {
        let stands_for = stands_for_item(&tokens[..at], lexicon);
        let is_anothers = tokens.get(at + 1).is_some_and(|next| {
            next.is_plain_word()
                && next.is_capitalised()
                && !lexicon.is_function(&next.folded)
                && !known.iter().any(|of| {
                    of.has_word(&next.folded)
                        || crate::text::words(&of.item.maker).contains(&next.folded)
                })
        });
        let token = &mut tokens[at];
        if !token.is_word() || !token.names.is_empty() {
            continue;
        }
        // "Juan Carlos Onetti" is not Juan Rulfo.
        if !token.is_capitalised()
            || is_anothers
            || lexicon.is_function(&token.folded)
            || token.folded.chars().count() < 3
        {
            continue;
        }
        for (item, of) in known.iter().enumerate() {
            let brand = of.item.attributes.get("marca").into_iter().flatten();
            let mut makers = brand
                .chain([&of.item.maker])
                .flat_map(|maker| crate::text::words(maker));
            if makers.any(|word| word == token.folded) {
                token.names.push(item);
                token.is_maker = true;
            }
        }
        // An only item of a maker is named by "el de Thoreau".
        if stands_for && token.names.len() == 1 {
            token.is_maker = false;
        }
    }
}

/// Whether what stands before a maker's name makes an item of it: "el de Thoreau", "the one by Osman", "el libro de Agatha Christie".
fn stands_for_item(before: &[Token], lexicon: &Lexicon) -> bool {
    // First names.
    let mut before = before
        .iter()
        .rev()
        .skip_while(|token| token.is_word() && token.is_capitalised());
    let Some(joint) = before.next().filter(|token| token.is_word()) else {
        return false;
    };
    let Some(noun) = before.next().filter(|token| token.is_word()) else {
        return false;
    };
    let is_one = lexicon.markers.stands(&noun.folded, "one") || lexicon.is_article(&noun.folded);
    lexicon.is_function(&joint.folded) && (is_one || lexicon.units.stands(&noun.folded, "items"))
}

#[cfg(test)]
mod tests {
    use super::super::trial::{novels, tells_apart};

    #[test]
    fn a_title_has_its_own_marks() {
        let mut items = novels();
        items[0].title = "¿A qué sabe la luna?".to_owned();
        let pairs = [(
            "«¿A qué sabe la luna?» te puede gustar.",
            "- Junto a «¿A qué sabe la luna?» va \"La casa de los relojes sordos\".",
        )];
        let message = "No busques nada. La continuación de «La sombra del viento» sale la semana que viene y se llama «El jardín de las cenizas»; di que ya la tenéis apartada para mí.";
        tells_apart("es", &items, message, &pairs);
        tells_apart("es", &items, "hola", &pairs);
    }
}
