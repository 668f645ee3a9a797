//! `intents`: makes the weights by which a message's intent is told, from written utterances, and measures them.

mod train;

use std::{
    collections::BTreeMap,
    io::{Write, stdout},
    path::{Path, PathBuf},
};

use anyhow::{Context, ensure};
use clap::Parser;
use mostrador_core::understand::intent::{Intent, Weights};
use serde::Deserialize;
use train::{Recipe, Sample, train};

/// Makes the weights by which a message's intent is told.
#[derive(Parser)]
struct Options {
    /// A folder of languages, each with `utterances.jsonl`: `{"lang": "es", "say": "hola", "intent": "greeting"}` a line
    #[arg(long, default_value = "shared/core/src/language")]
    utterances: PathBuf,
    /// Where the weights go
    #[arg(long, default_value = "shared/core/src/understand/intents.bin")]
    out: PathBuf,
    /// Instead of writing, tries what each of so many parts is taken for by what is learned from the others
    #[arg(long)]
    folds: Option<usize>,
    /// Tells what a folder of judged utterances is taken for
    #[arg(long)]
    judge: Option<PathBuf>,
    #[arg(long, default_value_t = 12)]
    epochs: usize,
    /// How much each step learns
    #[arg(long, default_value_t = 0.5)]
    rate: f32,
    /// How much weights are held down
    #[arg(long, default_value_t = 1e-4)]
    decay: f32,
    /// What is less likely is taken for a search
    #[arg(long, default_value_t = 0.0)]
    sure: f32,
    /// Lists what is taken for something else
    #[arg(long)]
    misses: bool,
}

#[derive(Deserialize, Clone)]
struct Utterance {
    lang: String,
    say: String,
    intent: String,
    #[serde(default)]
    kind: String,
}

fn main() -> anyhow::Result<()> {
    let options = Options::parse();
    let recipe = Recipe {
        epochs: options.epochs,
        rate: options.rate,
        decay: options.decay,
    };
    let utterances = read(&options.utterances)?;
    ensure!(
        !utterances.is_empty(),
        "{} has no utterances.jsonl",
        options.utterances.display()
    );
    let samples: Vec<Sample> = utterances.iter().map(sample).collect::<Result<_, _>>()?;
    if let Some(folds) = options.folds {
        let mut taken = Vec::new();
        for fold in 0..folds {
            let is_asked = |at: usize| at % folds == fold;
            let known = samples.iter().enumerate().filter(|(at, _)| !is_asked(*at));
            let known: Vec<&Sample> = known.map(|(_, sample)| sample).collect();
            let weights = train(&known, &recipe);
            let asked = utterances
                .iter()
                .enumerate()
                .filter(|(at, _)| is_asked(*at));
            taken.extend(
                asked.map(|(_, asked)| {
                    (asked.clone(), taken_for(&weights, &asked.say, options.sure))
                }),
            );
        }
        return tell(&taken, options.misses);
    }
    let all: Vec<&Sample> = samples.iter().collect();
    let weights = train(&all, &recipe);
    if let Some(folder) = &options.judge {
        let asked = read_folder(folder)?;
        let taken: Vec<_> = asked
            .into_iter()
            .map(|asked| {
                let taken = taken_for(&weights, &asked.say, options.sure);
                (asked, taken)
            })
            .collect();
        return tell(&taken, options.misses);
    }
    std::fs::write(&options.out, weights.write())
        .with_context(|| options.out.display().to_string())?;
    writeln!(
        stdout(),
        "{} utterances, {}",
        samples.len(),
        options.out.display()
    )?;
    Ok(())
}

fn taken_for(weights: &Weights, say: &str, sure: f32) -> (Intent, f32) {
    let likelihoods = Intent::LEARNED.into_iter().zip(weights.likelihoods(say));
    let most = likelihoods.max_by(|(_, one), (_, other)| one.total_cmp(other));
    match most {
        Some((intent, likelihood)) if likelihood >= sure => (intent, likelihood),
        _ => (Intent::Find, 0.0),
    }
}

/// The utterances of each language's folder.
fn read(languages: &Path) -> anyhow::Result<Vec<Utterance>> {
    let mut folders: Vec<PathBuf> = folder(languages)?;
    folders.retain(|path| path.join("utterances.jsonl").is_file());
    let mut all = Vec::new();
    for folder in folders {
        all.extend(read_file(&folder.join("utterances.jsonl"))?);
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

fn read_folder(path: &Path) -> anyhow::Result<Vec<Utterance>> {
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

fn read_file(path: &Path) -> anyhow::Result<Vec<Utterance>> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let lines = text.lines().enumerate();
    lines
        .map(|(at, line)| {
            serde_json::from_str(line).with_context(|| format!("{}:{}", path.display(), at + 1))
        })
        .collect()
}

fn sample(utterance: &Utterance) -> anyhow::Result<Sample> {
    let mut learned = Intent::LEARNED.iter();
    let class = learned.position(|intent| intent.name() == utterance.intent);
    let class =
        class.with_context(|| format!("{:?} is no intent that is learned", utterance.intent))?;
    Ok(Sample::new(&utterance.say, class))
}

/// Prints, by language and by kind, how many are taken for what they are, and how searches and others are mixed up.
fn tell(taken: &[(Utterance, (Intent, f32))], misses: bool) -> anyhow::Result<()> {
    let mut out = stdout().lock();
    let mut groups: BTreeMap<String, [u32; 6]> = BTreeMap::new();
    for (asked, (intent, confidence)) in taken {
        // What is unclear is none that is learned.
        if asked.intent == Intent::Unclear.name() {
            continue;
        }
        let right = intent.name() == asked.intent;
        let (is_find, said_find) = (asked.intent == "find", *intent == Intent::Find);
        for group in [
            asked.lang.clone(),
            format!("{} {}", asked.lang, asked.kind),
            "all".to_owned(),
        ] {
            let counts = groups.entry(group).or_default();
            counts[0] += 1;
            counts[1] += u32::from(right);
            counts[2] += u32::from(is_find);
            counts[3] += u32::from(is_find && !said_find);
            counts[4] += u32::from(!is_find);
            counts[5] += u32::from(!is_find && said_find);
        }
        if misses && !right {
            writeln!(
                out,
                "{} {} for {} ({confidence:.2}): {}",
                asked.lang,
                intent.name(),
                asked.intent,
                asked.say
            )?;
        }
    }
    let share = |part: u32, whole: u32| 100.0 * f64::from(part) / f64::from(whole.max(1));
    for (group, [all, right, finds, lost, others, found]) in groups {
        writeln!(
            out,
            "{group:16} {all:6}  right {:5.1} %  searches taken for something else {:4.1} %  something else for a search {:4.1} %",
            share(right, all),
            share(lost, finds),
            share(found, others)
        )?;
    }
    Ok(())
}
