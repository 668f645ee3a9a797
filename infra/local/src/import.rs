//! Bringing a catalogue in, with progress.

use std::io::{Write, stderr, stdout};
use std::path::Path;

use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use mostrador_catalogue_file::{Reading, Renamed, SourceError};
use mostrador_core::{catalogue::Item, shop::Profile};
use mostrador_dynamodb::ImportSummary;

use crate::{cli::ImportOptions, profile, stores::Stores};

/// The catalogue that ships.
const DEMO: &str = include_str!("../demo/bookshop/catalogue.jsonl");
/// Bad lines that are listed; the rest is counted.
const ERRORS_LISTED: usize = 20;

pub(crate) async fn import(options: ImportOptions) -> anyhow::Result<()> {
    let stores = Stores::open(&options.stores).await?;
    let shop = profile::published(&stores).await?;
    let reading = reading(&shop, options.allow_free, options.columns);
    let items = read(&options.file, &reading)?;
    let summary = bring_in(&stores, &items).await?;
    let ImportSummary {
        added,
        changed,
        unchanged,
    } = summary;
    writeln!(
        stdout(),
        "{} read: {added} added, {changed} changed, {unchanged} as they were",
        counted(items.len())
    )?;
    if added + changed > 0 {
        writeln!(
            stdout(),
            "{}",
            if options.stores.aws {
                "The stack builds the index again within minutes, once one has been published: mostrador index publish --aws"
            } else {
                "The index does not know of it yet: mostrador index publish"
            }
        )?;
    }
    Ok(())
}

/// How files of what `shop` sells are read.
pub(crate) fn reading(shop: &Profile, allow_free: bool, columns: Vec<Renamed>) -> Reading {
    let mut shop = shop.clone();
    shop.zero_prices |= allow_free;
    Reading { shop, columns }
}

/// `1 item`, `2 items`.
pub(crate) fn counted(items: usize) -> String {
    let noun = if items == 1 { "item" } else { "items" };
    format!("{items} {noun}")
}

/// Reads a file whole, or reports every line that is wrong with it; prints what was made of it where that may surprise.
pub fn read(file: &Path, reading: &Reading) -> anyhow::Result<Vec<(Item, u32)>> {
    let read = reading.file(file);
    let read = read.map_err(|error| match error {
        SourceError::Lines(lines) => {
            let listed: Vec<String> = lines
                .iter()
                .take(ERRORS_LISTED)
                .map(|line| format!("  {line}"))
                .collect();
            let more = lines.len().saturating_sub(ERRORS_LISTED);
            let more = if more > 0 {
                format!("\n  … and {more} more")
            } else {
                String::new()
            };
            anyhow::anyhow!(
                "nothing was imported: {} of {} cannot be taken\n{}{more}",
                match lines.len() {
                    1 => "1 line".to_owned(),
                    n => format!("{n} lines"),
                },
                file.display(),
                listed.join("\n")
            )
        }
        other => anyhow::Error::from(other)
            .context(format!("nothing was imported of {}", file.display())),
    })?;
    if read.encoding != "UTF-8" {
        writeln!(stderr(), "{} was read as {}", file.display(), read.encoding)?;
    }
    if !read.left_out.is_empty() {
        let names = read.left_out.iter().take(ERRORS_LISTED);
        let names: Vec<&str> = names.map(String::as_str).collect();
        writeln!(
            stderr(),
            "left out, since they are none of ours: {}",
            names.join(", ")
        )?;
    }
    Ok(read.items)
}

/// The demo catalogue.
pub fn demo() -> anyhow::Result<Vec<(Item, u32)>> {
    let read = Reading::default().json_lines(DEMO.as_bytes());
    Ok(read.context("the demo catalogue")?.items)
}

/// Writes items into the catalogue's table, showing how far it is.
pub async fn bring_in(stores: &Stores, items: &[(Item, u32)]) -> anyhow::Result<ImportSummary> {
    let bar = progress("importing", items.len());
    let summary =
        mostrador_dynamodb::import(&stores.catalogue(), items, |done| bar.inc(done as u64)).await;
    bar.finish_and_clear();
    summary.context("the import stopped; run it again to bring in the rest")
}

/// A bar with rate and remaining time; silent where nobody watches.
pub fn progress(what: &'static str, total: usize) -> ProgressBar {
    let style =
        ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} ({per_sec}, {eta} left)");
    let bar = ProgressBar::new(total as u64).with_message(what);
    if let Ok(style) = style {
        bar.with_style(style)
    } else {
        bar
    }
}
