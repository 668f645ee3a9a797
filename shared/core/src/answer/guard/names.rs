//! Titles and names: those between quotation marks, and those that begin with a capital.

use super::{
    facts::{Facts, Mention},
    line::{Line, Word},
    words,
};

/// Fewest characters of a title that is cut short.
const CUT_CHARS: usize = 12;

/// What stands between a pair of quotation marks.
struct Quotation<'a> {
    text: &'a str,
    start: usize,
    end: usize,
}

/// Marks what is quoted. Gives the titles, or nothing where something is quoted that no result has.
pub(super) fn find_quoted<'a>(line: &mut Line<'_>, facts: &'a Facts) -> Option<Vec<Mention<'a>>> {
    let mut mentions = Vec::new();
    let mut all = true;
    for quotation in quotations(line.text) {
        let inside = |start: usize, end: usize| quotation.start <= start && end <= quotation.end;
        let first = line
            .words
            .iter()
            .position(|word| inside(word.start, word.end));
        let Some(first) = first else { continue };
        let count = line.words[first..]
            .iter()
            .take_while(|word| inside(word.start, word.end))
            .count();
        let end = first + count;
        // "**21,90 €**" names nothing.
        let figure =
            |word: &Word<'_>| word.has_number() || words::EUROS.contains(word.folded.as_str());
        let titled = |at: usize| facts.titled(&[line.word(at)]).is_some();
        if line.words[first..end].iter().all(figure) && !(count == 1 && titled(first)) {
            continue;
        }
        let words: Vec<&str> = (first..end).map(|at| line.word(at)).collect();
        let text = quotation.text.trim_end();
        let cut = text.ends_with(['…']) || text.ends_with("...");
        let cut = cut && text.chars().count() >= CUT_CHARS;
        let titled = facts
            .titled(&words)
            .or_else(|| cut.then(|| facts.titles_cut_to(&words)).flatten());
        let known =
            titled.is_some() || facts.has_name(&words) || (cut && facts.name_cut_to(&words));
        mentions.extend(titled.map(|books| Mention::quoted(first, end, books)));
        for word in &mut line.words[first..end] {
            word.quoted = true;
            word.titled = titled.is_some();
            word.named = known;
        }
        all &= known;
    }
    all.then_some(mentions)
}

fn quotations(text: &str) -> Vec<Quotation<'_>> {
    let mut quotations = Vec::new();
    let mut at = 0;
    while let Some((open, c)) = text[at..]
        .char_indices()
        .map(|(offset, c)| (at + offset, c))
        .find(|&(open, c)| opens(text, open, c))
    {
        let start = open + c.len_utf8();
        let inner = &text[start..];
        let Some(end) = closing(inner, c).or_else(|| unclosed(inner, c)) else {
            // An apostrophe, or a star alone.
            at = start;
            continue;
        };
        let quoted = inner[..end].trim_matches(['*', '_']);
        // Short of two words, single quotation marks may be apostrophes.
        if !matches!(c, '\'' | '‘') || quoted.trim().contains(' ') {
            quotations.push(Quotation {
                text: quoted,
                start,
                end: start + end,
            });
        }
        at = start + end;
        at += text[at..].chars().next().map_or(0, char::len_utf8);
    }
    quotations
}

/// A quotation that is never closed goes on to the end.
fn unclosed(inner: &str, open: char) -> Option<usize> {
    (!matches!(open, '\'' | '‘' | '*' | '_')).then_some(inner.len())
}

fn opens(text: &str, at: usize, c: char) -> bool {
    let begins_word = |c: char| {
        let before = text[..at].chars().next_back();
        let after = text[at + c.len_utf8()..].chars().next();
        before.is_none_or(|c| !c.is_alphanumeric()) && after.is_some_and(|c| !c.is_whitespace())
    };
    match c {
        '«' | '»' | '“' | '”' | '„' | '‟' | '"' | '‹' | '›' | '〈' | '《' | '「' | '『' | '＂'
        | '❝' | '❞' | '〝' | '‚' => true,
        '*' | '_' | '\'' | '‘' => begins_word(c),
        _ => false,
    }
}

/// Where what `open` begins ends.
fn closing(inner: &str, open: char) -> Option<usize> {
    let closes: &[char] = match open {
        '«' => &['»'],
        '»' => &['«', '»'],
        '“' | '”' | '„' | '‟' | '❝' | '❞' | '〝' => &['”', '“', '‟', '❞', '〞', '"'],
        '"' | '＂' => &['"', '＂', '”'],
        '‹' => &['›'],
        '›' => &['‹', '›'],
        '〈' | '《' | '「' | '『' => &['〉', '》', '」', '』'],
        '‚' => &['‘', '’'],
        '*' | '_' => {
            // The stars of the opening are not the end.
            let from = inner.find(|c| c != open)?;
            return inner[from..].find(open).map(|at| from + at);
        }
        _ => {
            return inner
                .char_indices()
                .filter(|(_, c)| matches!(c, '\'' | '’'))
                .map(|(at, _)| at)
                .find(|&at| {
                    let after = inner[at..].chars().nth(1);
                    after.is_none_or(|c| !c.is_alphanumeric())
                });
        }
    };
    inner.find(closes)
}

/// Whether every name outside quotation marks, by its capital, stands in a text of a result.
pub(super) fn are_known(line: &Line<'_>, facts: &Facts, named: &[Mention<'_>]) -> bool {
    if !named
        .iter()
        .all(|mention| has_its_author(line, facts, mention))
    {
        return false;
    }
    let mut at = 0;
    while at < line.words.len() {
        let end = run_end(line, at);
        if end == at {
            at += 1;
            continue;
        }
        if is_article_of_title(line, at, end) || !is_run_known(line, at, end, facts) {
            return false;
        }
        at = end;
    }
    true
}

/// "También te gustará El perfume": an article with a capital within a sentence, or after a colon, begins a title, and here it is
/// none of a result.
fn is_article_of_title(line: &Line<'_>, at: usize, end: usize) -> bool {
    let word = &line.words[at];
    let within = !line.begins(at) || (at > 0 && line.gap(at).contains(':'));
    let alone = end == at + 1 && line.gap(end) == " ";
    within && alone && !word.titled && !word.named && words::TITLE_ARTICLES.contains(line.word(at))
}

/// "«Rayuela», de Julio Cortázar": who is named right after a title stands in a text of that book.
fn has_its_author(line: &Line<'_>, facts: &Facts, mention: &Mention<'_>) -> bool {
    let at = mention.end();
    let gap = line
        .gap(at)
        .trim_matches(['»', '”', '“', '"', '*', '_', '›', '’', '\'', '‘']);
    let of = matches!(line.word(at), "de" | "by") && matches!(gap, " " | ", ");
    let first = at + 1;
    let end = run_end(line, first);
    !of || end == first || facts.has_run_of(mention, &run(line, first, end))
}

/// Where the run of capitalised words that begins at `at` ends.
fn run_end(line: &Line<'_>, at: usize) -> usize {
    let capital = |at: usize| {
        line.words
            .get(at)
            .is_some_and(|word| !word.quoted && word.is_capitalised())
    };
    if !capital(at) {
        return at;
    }
    let mut end = at + 1;
    while capital(end) && !line.begins(end) && joined(line.gap(end)) {
        end += 1;
    }
    end
}

fn joined(gap: &str) -> bool {
    gap.chars()
        .all(|c| matches!(c, ' ' | '.' | '-' | '\'' | '’' | '‐' | '‑' | '&'))
}

fn is_run_known(line: &Line<'_>, at: usize, end: usize, facts: &Facts) -> bool {
    if has_run(line, at, end, facts) {
        return true;
    }
    // "Rayuela de Cortázar": what stands before an author is a title, first word or not.
    let named_after = words::OF.contains(line.word(end))
        && line.gap(end) == " "
        && line
            .words
            .get(end + 1)
            .is_some_and(|word| word.is_capitalised() || word.quoted);
    let first = line.word(at);
    let free = line.begins(at)
        && (!named_after || facts.has_word(first) || words::BEFORE_NAMES.contains(first))
        && !is_title_alone(line, at, end);
    let judged: Vec<usize> = (at + usize::from(free)..end).collect();
    judged
        .split(|&at| is_said(line, at))
        .filter_map(|part| Some((*part.first()?, *part.last()?)))
        .all(|(first, last)| has_run(line, first, last + 1, facts))
}

/// "Ficciones cuesta", "tengo también: Ficciones.": a word that stands where a title stands.
fn is_title_alone(line: &Line<'_>, at: usize, end: usize) -> bool {
    let subject = words::SUBJECTS.contains(line.word(at));
    let told = line.gap(end) == " " && words::AFTER_TITLES.contains(line.word(end));
    let listed = at > 0
        && line.gap(at).contains(':')
        && (end == line.words.len() || line.gap(end).starts_with([',', '.', ';', '(']));
    !subject && (told || listed)
}

fn has_run(line: &Line<'_>, from: usize, end: usize, facts: &Facts) -> bool {
    facts.has_run(&run(line, from, end))
}

/// Words as `" one two "`.
fn run(line: &Line<'_>, from: usize, end: usize) -> String {
    let mut run = String::from(" ");
    for at in from..end {
        run.push_str(line.word(at));
        run.push(' ');
    }
    run
}

/// Whether it is a word that a shop says with a capital.
fn is_said(line: &Line<'_>, at: usize) -> bool {
    let word = line.word(at);
    let before = line.word_before(at, 1);
    words::SAID.contains(word)
        // "siglo XX".
        || (words::CENTURIES.contains(before) && word.bytes().all(|b| b"ivxlcdm".contains(&b)))
}
