//! `intents`: makes the weights by which a message's intent and language are told, what a question about the shop is about, and whether a
//! search is off topic, from written utterances, and measures them.

mod train;
mod wishes;

use std::{
    collections::{BTreeMap, HashSet},
    io::{Write, stdout},
    path::{Path, PathBuf},
};

use anyhow::{Context, ensure};
use clap::Parser;
use mostrador_core::{
    language::{
        Language,
        recognise::{self, LanguageWeights},
    },
    linear::Weights,
    text::words,
    understand::{
        intent::{self, Intent, IntentWeights, Meant, meant_by},
        subject::{self, SubjectWeights},
        topic::{self, Topic, TopicWeights},
    },
};
use serde::{Deserialize, de::DeserializeOwned};
use train::{Recipe, Sample, train};

/// Makes the weights by which a message's intent and language are told, and what a question about the shop is about.
#[derive(Parser)]
struct Options {
    /// A folder of languages, each with `utterances.jsonl`: `{"lang": "es", "say": "hola", "intent": "greeting"}` a line; a question
    /// about the shop (`shop_info`) has its `topic` beside. `subjects.jsonl` has more searches and more that is off topic, by which the two are
    /// told apart
    #[arg(long, default_value = "shared/core/src/language")]
    utterances: PathBuf,
    /// The core's folder, where the weights go
    #[arg(long, default_value = "shared/core/src")]
    out: PathBuf,
    /// Instead of writing, tries what each of so many parts is taken for by what is learned from the others
    #[arg(long)]
    folds: Option<usize>,
    /// Tells what a folder of judged utterances is taken for
    #[arg(long)]
    judge: Option<PathBuf>,
    /// Tells how a folder of judged messages with one wish and with several is taken apart, by the weights that the product has
    #[arg(long)]
    wishes: Option<PathBuf>,
    /// Runs of which the mean is taken
    #[arg(long, default_value_t = 12)]
    runs: u64,
    #[arg(long, default_value_t = 12)]
    epochs: usize,
    /// How much each step learns
    #[arg(long, default_value_t = 0.5)]
    rate: f32,
    /// How much weights are held down
    #[arg(long, default_value_t = 1e-4)]
    decay: f32,
    /// How many of an utterance's features it is learned without, others each time
    #[arg(long, default_value_t = 0.3)]
    dropout: f32,
    /// What is less likely is taken for a search
    #[arg(long, default_value_t = 0.0)]
    sure: f32,
    /// Lists what is taken for something else
    #[arg(long)]
    misses: bool,
}

/// By how much the score of a search is lowered: a quarter of the utterances are searches, and what a shop is asked for otherwise is of so
/// many kinds that each looks rare beside them. Judged utterances that are something else are taken for a search less often by it, and searches
/// for something else hardly more often.
const FIND_LESS: f32 = 0.5;

/// The same of what is off topic, where that and searches are told apart: a rare subject is no reason to turn somebody away.
const OFF_TOPIC_LESS: f32 = 1.0;

#[derive(Deserialize, Clone)]
struct Utterance {
    lang: String,
    say: String,
    intent: String,
    #[serde(default)]
    kind: String,
    topic: Option<String>,
}

fn main() -> anyhow::Result<()> {
    let options = Options::parse();
    if let Some(folder) = &options.wishes {
        return wishes::tell(&read_folder(folder)?, options.misses);
    }
    let recipe = Recipe {
        runs: options.runs,
        epochs: options.epochs,
        rate: options.rate,
        decay: options.decay,
        dropout: options.dropout,
    };
    let utterances = read(&options.utterances, "utterances.jsonl")?;
    let searched = of_subjects(&utterances, read(&options.utterances, "subjects.jsonl")?);
    ensure!(
        !utterances.is_empty(),
        "{} has no utterances.jsonl",
        options.utterances.display()
    );
    let about_shop = of_shop(&utterances)?;
    if let Some(folds) = options.folds {
        let intents = folded(&utterances, folds, &|known| {
            let weights = intents(known, &recipe)?;
            Ok(Box::new(move |say| intent_of(&weights, say, options.sure)))
        })?;
        let topics = folded(&about_shop, folds, &|known| {
            let weights = topics(known, &recipe)?;
            Ok(Box::new(move |say| topic_of(&weights, say)))
        })?;
        let subjects = folded(&searched, folds, &|known| {
            let weights = subjects(known, &recipe)?;
            Ok(Box::new(move |say| subject_of(&weights, say)))
        })?;
        return tell([&intents, &topics, &subjects], options.misses);
    }
    let (intents, topics, subjects) = (
        intents(&utterances, &recipe)?,
        topics(&about_shop, &recipe)?,
        subjects(&searched, &recipe)?,
    );
    if let Some(folder) = &options.judge {
        let asked = not_learned(read_folder(folder)?, &utterances)?;
        let about_shop = of_shop(&asked)?;
        let searched = of_subjects(&asked, Vec::new());
        let judge = |asked: Vec<Utterance>, taken_for: &dyn Fn(&str) -> (&'static str, f32)| {
            let judged = asked.into_iter().map(|asked| {
                let taken = taken_for(&asked.say);
                (asked, taken)
            });
            judged.collect::<Vec<_>>()
        };
        let intents = judge(asked, &|say| intent_of(&intents, say, options.sure));
        let topics = judge(about_shop, &|say| topic_of(&topics, say));
        let subjects = judge(searched, &|say| subject_of(&subjects, say));
        return tell([&intents, &topics, &subjects], options.misses);
    }
    let languages = languages(&utterances, &recipe)?.write();
    let mut out = stdout().lock();
    for (name, bytes, learned) in [
        ("understand/intents.bin", intents.write(), utterances.len()),
        ("understand/topics.bin", topics.write(), about_shop.len()),
        ("understand/subjects.bin", subjects.write(), searched.len()),
        ("language/languages.bin", languages, utterances.len()),
    ] {
        let file = options.out.join(name);
        std::fs::write(&file, bytes).with_context(|| file.display().to_string())?;
        writeln!(out, "{learned} utterances, {}", file.display())?;
    }
    Ok(())
}

/// The judged utterances whose words are not learned from: those that everybody writes are.
fn not_learned(judged: Vec<Utterance>, learned: &[Utterance]) -> anyhow::Result<Vec<Utterance>> {
    let learned: HashSet<Vec<String>> = learned.iter().map(|known| words(&known.say)).collect();
    let all = judged.len();
    let is_new = |asked: &Utterance| !learned.contains(&words(&asked.say));
    let new: Vec<Utterance> = judged.into_iter().filter(is_new).collect();
    let known = all - new.len();
    writeln!(
        stdout(),
        "{known} of {all} are left out: they are learned from word for word"
    )?;
    Ok(new)
}

/// What an utterance is taken for, and how sure that is.
type Taken = (Utterance, (&'static str, f32));
type TakenFor = Box<dyn Fn(&str) -> (&'static str, f32)>;

/// What each of so many parts is taken for by what is learned from the others.
fn folded(
    utterances: &[Utterance],
    folds: usize,
    learn: &dyn Fn(&[Utterance]) -> anyhow::Result<TakenFor>,
) -> anyhow::Result<Vec<Taken>> {
    let mut taken = Vec::new();
    for fold in 0..folds {
        let all = utterances.iter().cloned().enumerate();
        let (asked, known): (Vec<_>, Vec<_>) = all.partition(|(at, _)| at % folds == fold);
        let known: Vec<Utterance> = known.into_iter().map(|(_, known)| known).collect();
        let taken_for = learn(&known)?;
        taken.extend(asked.into_iter().map(|(_, asked)| {
            let found = taken_for(&asked.say);
            (asked, found)
        }));
    }
    Ok(taken)
}

/// The questions about the shop, each with its topic in the place of its intent.
fn of_shop(utterances: &[Utterance]) -> anyhow::Result<Vec<Utterance>> {
    let of_shop = utterances
        .iter()
        .filter(|utterance| utterance.intent == Intent::ShopInfo.name());
    of_shop
        .map(|utterance| {
            let topic = utterance.topic.clone();
            let topic = topic.with_context(|| format!("{:?} has no topic", utterance.say))?;
            Ok(Utterance {
                intent: topic,
                ..utterance.clone()
            })
        })
        .collect()
}

fn intents(utterances: &[Utterance], recipe: &Recipe) -> anyhow::Result<IntentWeights> {
    let names = Intent::LEARNED.map(Intent::name);
    let find = names.iter().position(|name| *name == Intent::Find.name());
    let find = find.context("searches are not learned")?;
    let weights = learned(utterances, &names, intent::BUCKETS, recipe)?;
    Ok(weights.with_less(find, FIND_LESS))
}

fn topics(utterances: &[Utterance], recipe: &Recipe) -> anyhow::Result<TopicWeights> {
    let names = Topic::ALL.map(Topic::name);
    learned(utterances, &names, topic::BUCKETS, recipe)
}

/// The searches and what is off topic, of the utterances that are learned and of more of both.
fn of_subjects(utterances: &[Utterance], more: Vec<Utterance>) -> Vec<Utterance> {
    let all = utterances.iter().cloned().chain(more);
    all.filter(|utterance| {
        subject::LEARNED
            .map(Intent::name)
            .contains(&&*utterance.intent)
    })
    .collect()
}

fn subjects(utterances: &[Utterance], recipe: &Recipe) -> anyhow::Result<SubjectWeights> {
    let names = subject::LEARNED.map(Intent::name);
    let weights = learned(utterances, &names, subject::BUCKETS, recipe)?;
    Ok(weights.with_less(1, OFF_TOPIC_LESS))
}

fn subject_of(weights: &SubjectWeights, say: &str) -> (&'static str, f32) {
    let [search, off_topic] = weights.likelihoods(say);
    match off_topic > search {
        true => (Intent::OffTopic.name(), off_topic),
        false => (Intent::Find.name(), search),
    }
}

fn languages(utterances: &[Utterance], recipe: &Recipe) -> anyhow::Result<LanguageWeights> {
    let mut names = [""; Language::COUNT];
    for language in Language::all() {
        names[language.index()] = language.tag();
    }
    let of_lang = utterances.iter().map(|utterance| Utterance {
        intent: utterance.lang.clone(),
        ..utterance.clone()
    });
    let of_lang: Vec<Utterance> = of_lang.collect();
    learned(&of_lang, &names, recognise::BUCKETS, recipe)
}

fn learned<const N: usize>(
    utterances: &[Utterance],
    names: &[&str; N],
    buckets: usize,
    recipe: &Recipe,
) -> anyhow::Result<Weights<N>> {
    let samples = utterances.iter().map(|Utterance { say, intent, .. }| {
        let class = names.iter().position(|name| name == intent);
        let class = class.with_context(|| format!("{intent:?} is nothing that is learned"))?;
        Ok(Sample::new(say, buckets, class))
    });
    let samples: Vec<Sample> = samples.collect::<anyhow::Result<_>>()?;
    Ok(train(&samples.iter().collect::<Vec<_>>(), buckets, recipe))
}

fn intent_of(weights: &IntentWeights, say: &str, sure: f32) -> (&'static str, f32) {
    let Meant { intent, confidence } = meant_by(weights, say);
    if confidence < sure {
        return (Intent::Find.name(), 0.0);
    }
    (intent.name(), confidence)
}

fn topic_of(weights: &TopicWeights, say: &str) -> (&'static str, f32) {
    let likelihoods = Topic::ALL.into_iter().zip(weights.likelihoods(say));
    let most = likelihoods.max_by(|(_, one), (_, other)| one.total_cmp(other));
    most.map_or(("", 0.0), |(topic, likelihood)| (topic.name(), likelihood))
}

/// What each language's folder has under a name.
fn read(languages: &Path, name: &str) -> anyhow::Result<Vec<Utterance>> {
    let mut files: Vec<PathBuf> = folder(languages)?;
    files.iter_mut().for_each(|path| path.push(name));
    files.retain(|path| path.is_file());
    let mut all = Vec::new();
    for file in files {
        all.extend(read_file(&file)?);
    }
    Ok(all)
}

fn folder(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(path).with_context(|| path.display().to_string())?;
    let entries: Result<Vec<_>, _> = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect();
    let mut entries = entries?;
    entries.sort();
    Ok(entries)
}

fn read_folder<T: DeserializeOwned>(path: &Path) -> anyhow::Result<Vec<T>> {
    let mut all = Vec::new();
    for file in folder(path)? {
        if file
            .extension()
            .is_some_and(|extension| extension == "jsonl")
        {
            all.extend(read_file(&file)?);
        }
    }
    Ok(all)
}

fn read_file<T: DeserializeOwned>(path: &Path) -> anyhow::Result<Vec<T>> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let lines = text.lines().enumerate();
    lines
        .map(|(at, line)| {
            serde_json::from_str(line).with_context(|| format!("{}:{}", path.display(), at + 1))
        })
        .collect()
}

/// Prints, by language and by kind, how many are taken for what they are, and how searches and others are mixed up; the same of topics; and
/// of searches and what is off topic alone.
fn tell([intents, topics, subjects]: [&[Taken]; 3], misses: bool) -> anyhow::Result<()> {
    let mut out = stdout().lock();
    for (asked, (name, confidence)) in intents.iter().chain(topics).chain(subjects) {
        let is_miss = *name != asked.intent && asked.intent != Intent::Unclear.name();
        if misses && is_miss {
            let Utterance {
                lang, say, intent, ..
            } = asked;
            writeln!(out, "{lang} {name} for {intent} ({confidence:.2}): {say}")?;
        }
    }
    tell_searches(&mut out, "", intents)?;
    for (group, taken) in groups(topics) {
        let right = counted(&taken, |asked, name| asked == name);
        let right = share(right, taken.len());
        writeln!(
            out,
            "topics, {group:16} {:6}  right {right:5.1} %",
            taken.len()
        )?;
    }
    tell_searches(&mut out, "subjects, ", subjects)
}

fn tell_searches(out: &mut impl Write, of: &str, taken: &[Taken]) -> anyhow::Result<()> {
    let find = Intent::Find.name();
    for (group, taken) in groups(taken) {
        let searches = counted(&taken, |asked, _| asked == find);
        let others = taken.len() - searches;
        let lost = counted(&taken, |asked, name| asked == find && name != find);
        let found = counted(&taken, |asked, name| asked != find && name == find);
        writeln!(
            out,
            "{of}{group:16} {:6}  right {:5.1} %  searches taken for something else {:4.1} %  something else for a search {:4.1} %",
            taken.len(),
            share(counted(&taken, |asked, name| asked == name), taken.len()),
            share(lost, searches),
            share(found, others)
        )?;
    }
    Ok(())
}

/// What is taken for what, by language and by kind; what is unclear is nothing that is learned.
fn groups(taken: &[Taken]) -> BTreeMap<String, Vec<(&str, &str)>> {
    let mut groups: BTreeMap<String, Vec<(&str, &str)>> = BTreeMap::new();
    let clear = taken
        .iter()
        .filter(|(asked, _)| asked.intent != Intent::Unclear.name());
    for (asked, (name, _)) in clear {
        for group in [
            asked.lang.clone(),
            format!("{} {}", asked.lang, asked.kind),
            "all".to_owned(),
        ] {
            groups
                .entry(group)
                .or_default()
                .push((&asked.intent, *name));
        }
    }
    groups
}

fn counted(taken: &[(&str, &str)], is: impl Fn(&str, &str) -> bool) -> usize {
    taken.iter().filter(|(asked, name)| is(asked, name)).count()
}

pub(crate) fn share(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}
