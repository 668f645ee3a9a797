//! How many utterances of shoppers are recognised as of the language that they are in.

use std::{
    io::{Write, stdout},
    path::Path,
    time::{Duration, Instant},
};

use anyhow::Context;
use mostrador_core::language::Language;
use serde::Deserialize;

#[derive(Deserialize)]
struct Utterance {
    lang: String,
    say: String,
}

/// What is kept, in percent of a file: so many are recognised at least, and so many taken for another language at most.
const RIGHT: f64 = 75.0;
const WRONG: f64 = 1.5;

/// Prints a line for each file of `folder`; fails where too few are recognised.
pub(super) fn measure(folder: &Path) -> anyhow::Result<()> {
    let files = std::fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let files: Result<Vec<_>, _> = files.map(|file| file.map(|file| file.path())).collect();
    let mut files = files?;
    files.retain(|path| {
        path.extension()
            .is_some_and(|extension| extension == "jsonl")
    });
    files.sort();
    anyhow::ensure!(!files.is_empty(), "{} has no .jsonl file", folder.display());
    for path in files {
        let (mut all, mut right, mut wrong) = (0_u32, 0_u32, 0_u32);
        let mut took = Duration::ZERO;
        let text = std::fs::read_to_string(&path)?;
        for (place, line) in text.lines().enumerate() {
            let Utterance { lang, say } = serde_json::from_str(line)
                .with_context(|| format!("{}:{}", path.display(), place + 1))?;
            let started = Instant::now();
            let recognised = Language::of_text(&say).map(Language::tag);
            took += started.elapsed();
            all += 1;
            right += u32::from(recognised == Some(&lang));
            wrong += u32::from(recognised.is_some_and(|tag| tag != lang));
        }
        let share = |count: u32| 100.0 * f64::from(count) / f64::from(all.max(1));
        let micros = took.as_secs_f64() * 1e6 / f64::from(all.max(1));
        writeln!(
            stdout(),
            "{:16} {all:5}  right {:4.1} %  wrong {:4.2} %  {micros:.1} µs each",
            path.file_stem().unwrap_or_default().display(),
            share(right),
            share(wrong)
        )?;
        anyhow::ensure!(
            share(right) >= RIGHT && share(wrong) <= WRONG,
            "{}: fewer than {RIGHT} % recognised, or more than {WRONG} % taken for another language",
            path.display()
        );
    }
    Ok(())
}
