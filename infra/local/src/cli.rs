//! The command line.

use std::{net::IpAddr, path::PathBuf};

use clap::{Args, Parser, Subcommand};
use mostrador_catalogue_file::Renamed;
use mostrador_core::language::Language;

/// The assistant behind a shop's counter, whole, on this machine.
#[derive(Debug, Parser)]
#[command(name = "mostrador", version, about)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Start everything: stores, index, endpoints, chat page (what runs when no command is given)
    Serve(ServeOptions),
    /// Talk to a running Mostrador in the terminal
    Chat(ChatOptions),
    /// Bring a catalogue file into the catalogue table
    Import(ImportOptions),
    /// Build, publish and look at the search index
    Index {
        #[command(subcommand)]
        command: IndexCommand,
    },
    /// The shop's profile: its name, words, hours, attributes
    Shop {
        #[command(subcommand)]
        command: ShopCommand,
    },
    /// A business that takes appointments: its branches, services and calendars
    Business {
        #[command(subcommand)]
        command: BusinessCommand,
    },
    /// Print a token for a user of the local product
    Token(TokenOptions),
    /// Print the `OpenAPI` document, made from the code's types
    Openapi,
    /// Make the view of conversations again from the log
    RebuildView(RebuildOptions),
    /// Print a turn with its prompt, from the log alone
    Replay(ReplayOptions),
    /// Print everything that is kept of a customer, as JSON lines
    Export(ExportOptions),
    /// Erase everything that is kept of a customer
    Erase(EraseOptions),
}

/// A customer.
#[derive(Debug, Clone, Args)]
pub(crate) struct OwnerOptions {
    /// The customer, as their token names them
    pub(crate) owner: String,
    /// The tenant that the customer belongs to
    #[arg(long, default_value = "default")]
    pub(crate) tenant: String,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct RebuildOptions {
    /// Only report what differs, and fail if something does
    #[arg(long)]
    pub(crate) check: bool,
    #[command(flatten)]
    pub(crate) stores: StoreOptions,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct ReplayOptions {
    #[command(flatten)]
    pub(crate) owner: OwnerOptions,
    /// The number of the question or of the answer
    #[arg(long, value_name = "MESSAGE")]
    pub(crate) until: u64,
    /// The conversation's number [default: the newest]
    #[arg(long)]
    pub(crate) conversation: Option<u32>,
    #[command(flatten)]
    pub(crate) stores: StoreOptions,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct ExportOptions {
    #[command(flatten)]
    pub(crate) owner: OwnerOptions,
    #[command(flatten)]
    pub(crate) stores: StoreOptions,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct EraseOptions {
    #[command(flatten)]
    pub(crate) owner: OwnerOptions,
    /// It cannot be undone, and is not asked for again
    #[arg(long)]
    pub(crate) yes: bool,
    #[command(flatten)]
    pub(crate) stores: StoreOptions,
}

#[derive(Debug, Subcommand)]
pub(crate) enum IndexCommand {
    /// Build the index from the catalogue table into a folder
    Build(IndexBuildOptions),
    /// Build the index from the catalogue table and publish it to the bucket
    Publish(StoreOptions),
    /// Tell what is published
    Inspect(StoreOptions),
    /// Read the published index whole and report which of its sections are damaged, if any
    Verify(StoreOptions),
    /// Make an earlier build the current one again
    Rollback(IndexRollbackOptions),
}

#[derive(Debug, Subcommand)]
pub(crate) enum ShopCommand {
    /// Look through a shop's files and print what is wrong with them, place by place, or what they say
    Check(ShopCheckOptions),
    /// Publish a shop's profile to the bucket, beside the index
    Publish(ShopPublishOptions),
}

#[derive(Debug, Clone, Args)]
pub(crate) struct ShopPublishOptions {
    /// The folder with shop.toml (or shop.json)
    #[arg(default_value = ".")]
    pub(crate) folder: PathBuf,
    #[command(flatten)]
    pub(crate) stores: StoreOptions,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct ShopCheckOptions {
    /// The folder with shop.toml (or shop.json) and, if it is there, catalogue.jsonl, catalogue.csv or catalogue.tsv
    #[arg(default_value = ".")]
    pub(crate) folder: PathBuf,
    /// What the catalogue's file calls otherwise, our name first
    #[arg(long, value_name = "titulo=Nombre,…", value_delimiter = ',')]
    pub(crate) columns: Vec<Renamed>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum BusinessCommand {
    /// Look through a business's file and print what is wrong with it, place by place, or what it says
    Check(BusinessCheckOptions),
    /// Keep a business, by its file, in the bookings table
    Import(BusinessImportOptions),
}

#[derive(Debug, Clone, Args)]
pub(crate) struct BusinessCheckOptions {
    /// The file, such as business.toml
    pub(crate) file: PathBuf,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct BusinessImportOptions {
    /// The file, such as business.toml
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) stores: StoreOptions,
}

/// Where the stores are.
#[derive(Debug, Clone, Args, Default)]
pub struct StoreOptions {
    /// Where the data lies [default: .mostrador]
    #[arg(
        long,
        value_name = "DIR",
        env = "MOSTRADOR_DATA_DIR",
        conflicts_with = "ephemeral"
    )]
    pub data_dir: Option<PathBuf>,
    /// Keep everything in memory and forget it at the end
    #[arg(long)]
    pub ephemeral: bool,
    /// A `DynamoDB` endpoint instead of the embedded engine, such as `DynamoDB` Local's
    #[arg(long, value_name = "URL", env = "MOSTRADOR_DYNAMODB_ENDPOINT")]
    pub dynamodb_endpoint: Option<String>,
    /// An S3 endpoint instead of the embedded one
    #[arg(long, value_name = "URL", env = "MOSTRADOR_S3_ENDPOINT")]
    pub s3_endpoint: Option<String>,
    /// Use the tables, the bucket and the credentials of the AWS account that the environment names
    #[arg(long, conflicts_with_all = ["data_dir", "ephemeral", "dynamodb_endpoint", "s3_endpoint"])]
    pub aws: bool,
}

#[derive(Debug, Clone, Args, Default)]
pub struct ServeOptions {
    /// The port to listen on; 0 for any free one [default: 3000]
    #[arg(long, env = "MOSTRADOR_PORT")]
    pub port: Option<u16>,
    /// The address to listen on; beyond this machine, `POST /dev/token` is switched off [default: 127.0.0.1]
    #[arg(long)]
    pub host: Option<IpAddr>,
    /// The shop's folder: its shop.toml is published, and its catalogue.jsonl, .csv or .tsv brought in; without one, an empty
    /// table gets the demo bookshop
    #[arg(long, value_name = "FOLDER", group = "file")]
    pub shop: Option<PathBuf>,
    /// A catalogue to bring in (.jsonl, .csv, .tsv or .txt) in the place of the demo bookshop's
    #[arg(long, value_name = "FILE", group = "file")]
    pub catalogue: Option<PathBuf>,
    /// Take items of that file that cost nothing, whatever the shop's profile says
    #[arg(long, requires = "file")]
    pub allow_free: bool,
    /// What that file calls otherwise, our name first
    #[arg(
        long,
        value_name = "titulo=Nombre,…",
        value_delimiter = ',',
        requires = "file"
    )]
    pub columns: Vec<Renamed>,
    /// The file of a business that takes appointments: it is kept, and its appointments are those that are asked for; without one, the
    /// demo bookshop has a salon and a clinic beside it
    #[arg(long, value_name = "FILE")]
    pub business: Option<PathBuf>,
    /// Also serve the embedded `DynamoDB` engine on this port, for functions in processes of their own; 0 for any free one
    #[arg(long, value_name = "PORT")]
    pub dynamodb_port: Option<u16>,
    #[command(flatten)]
    pub stores: StoreOptions,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct ChatOptions {
    /// Where Mostrador runs
    #[arg(long, default_value = "http://127.0.0.1:3000")]
    pub(crate) url: String,
    /// Sign in by this name at once
    #[arg(long, value_name = "NAME")]
    pub(crate) login: Option<String>,
    /// The language of the conversation, such as `en` [default: that of the environment, or else `es`]
    #[arg(long, value_name = "TAG", value_parser = language)]
    language: Option<Language>,
}

impl ChatOptions {
    /// The language that is named, or else the environment's.
    pub(crate) fn language(&self) -> Language {
        let of_environment = || {
            let named = ["LC_ALL", "LC_MESSAGES", "LANG"].map(|name| std::env::var(name).ok());
            // The first that is set counts, whether or not the shop answers in it.
            let mut set = named.into_iter().flatten().filter(|tag| !tag.is_empty());
            Language::from_tag(&set.next()?)
        };
        self.language.or_else(of_environment).unwrap_or_default()
    }
}

#[derive(Debug, Clone, Args)]
pub(crate) struct ImportOptions {
    /// The file (.jsonl, .csv, .tsv or .txt). Of books: `libro_id`, `titulo`, `autor`, `isbn`, `precio`, `moneda`, `categoria`,
    /// `stock`, `editorial`, `año_publicacion`, `descripcion`. Of anything else: `id`, `titulo`, `precio`, `moneda`, `stock`,
    /// `categoria`, `descripcion`, `url`, `imagen`, `codigo`, `publicado_at`, and the attributes of the shop's profile
    pub(crate) file: PathBuf,
    /// Take items that cost nothing, whatever the shop's profile says; else a price of 0 is taken for a slip
    #[arg(long)]
    pub(crate) allow_free: bool,
    /// What the file calls otherwise, our name first
    #[arg(long, value_name = "titulo=Nombre,…", value_delimiter = ',')]
    pub(crate) columns: Vec<Renamed>,
    #[command(flatten)]
    pub(crate) stores: StoreOptions,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct IndexBuildOptions {
    /// The folder to write to
    #[arg(long, value_name = "DIR", default_value = "index-build")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) stores: StoreOptions,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct IndexRollbackOptions {
    /// The build, as `mostrador index inspect` names it [default: the one before the current]
    pub(crate) build: Option<String>,
    #[command(flatten)]
    pub(crate) stores: StoreOptions,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct TokenOptions {
    /// The user's name
    pub(crate) name: String,
    /// The data folder of the product that is to accept it [default: .mostrador]
    #[arg(long, value_name = "DIR", env = "MOSTRADOR_DATA_DIR")]
    pub(crate) data_dir: Option<PathBuf>,
    /// How long it is good for
    #[arg(long, default_value_t = 24, value_parser = clap::value_parser!(i64).range(1..=24 * 365))]
    pub(crate) hours: i64,
    /// One of the shop's staff, who may see to customers' orders
    #[arg(long)]
    pub(crate) staff: bool,
}

fn language(tag: &str) -> Result<Language, String> {
    Language::from_tag(tag).ok_or_else(|| {
        let tags: Vec<&str> = Language::all().map(Language::tag).collect();
        format!("it is none of {}", tags.join(", "))
    })
}
