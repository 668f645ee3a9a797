//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use mostrador_local::ServeOptions;

/// What is promised of Mostrador, tried and measured on this machine
#[derive(Debug, Parser)]
#[command(name = "prove", version, about)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Try under faults what must never happen, and print what was tried and what broke
    Chaos(ChaosOptions),
    /// Ask the judged questions over the demo catalogue and print how many are answered right
    Quality(QualityOptions),
    /// Hold whole dialogues at the demo shop's counter, and print how many go as a good clerk's would
    Dialogues(DialogueOptions),
    /// Measure the product and print a table (build with --release first)
    Bench(BenchOptions),
    /// The shop that `bench` measures, in a process of its own
    #[command(hide = true)]
    Serve(ServeOptions),
}

#[derive(Debug, Clone, Args)]
pub(crate) struct ChaosOptions {
    /// How many small worlds each harness goes through
    #[arg(long, default_value_t = 200)]
    pub(crate) seeds: u64,
    /// The first one's seed; the same seed is the same world
    #[arg(long, default_value_t = 1)]
    pub(crate) first_seed: u64,
    /// Only the harnesses of that name
    #[arg(long)]
    pub(crate) only: Vec<String>,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct QualityOptions {
    /// Also print each question that is not answered right
    #[arg(long)]
    pub(crate) misses: bool,
    /// Instead, how many utterances of a folder are recognised as of their language: files of `{"lang": "es", "say": "hola"}` a line
    #[arg(long, value_name = "FOLDER", conflicts_with = "misses")]
    pub(crate) utterances: Option<PathBuf>,
    /// Messages for which nothing is to be shown: `es.jsonl`, `en.jsonl`, `pt.jsonl`
    #[arg(long, value_name = "FOLDER", default_value = "infra/prove/off_topic")]
    pub(crate) off_topic: PathBuf,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct DialogueOptions {
    /// Where the dialogues are: `es.jsonl`, `en.jsonl`, `pt.jsonl`
    #[arg(default_value = "infra/prove/dialogues")]
    pub(crate) folder: PathBuf,
    /// Beside a scripted model that knows what is to come of each turn and has the tools to bring it about, rather than without one
    #[arg(long)]
    pub(crate) model: bool,
    /// Also print each turn that goes otherwise
    #[arg(long)]
    pub(crate) misses: bool,
    /// How many are to go so from beginning to end
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    pub(crate) whole: usize,
}

#[derive(Debug, Clone, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct BenchOptions {
    #[command(subcommand)]
    pub(crate) command: Option<BenchCommand>,
    #[command(flatten)]
    pub(crate) product: ProductBenchOptions,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct ProductBenchOptions {
    /// A 10,000-book CSV (goodbooks-10k's columns) for the cold start; made-up titles where it is left out
    #[arg(long, value_name = "FILE")]
    pub(crate) books: Option<PathBuf>,
    /// The built `search` function, for the cold start [default: beside this program]
    #[arg(long, value_name = "FILE")]
    pub(crate) search_function: Option<PathBuf>,
    /// Seconds per measurement
    #[arg(long, default_value_t = 5)]
    pub(crate) seconds: u64,
}

#[derive(Debug, Clone, Subcommand)]
pub(crate) enum BenchCommand {
    /// Measure streaming instead, beside a model that is scripted
    Stream(StreamBenchOptions),
    /// Measure the index alone instead, over a catalogue file
    Index(IndexBenchOptions),
    /// Measure how long it takes to tell what is free in calendars instead
    Slots,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct StreamBenchOptions {
    /// How long the model of the long stream streams its thinking
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(10..=600))]
    pub(crate) seconds: u64,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct IndexBenchOptions {
    /// The catalogue (.jsonl or .csv, or goodbooks-10k.csv)
    pub(crate) file: PathBuf,
    /// As many items as this, the file's over and over
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) items: Option<u32>,
    /// Ask every question so many times
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) rounds: u32,
    /// Also write vectors, queries and true neighbours to this folder, for `infra/bench/peers.py`
    #[arg(long, value_name = "DIR")]
    pub(crate) dump: Option<PathBuf>,
}
