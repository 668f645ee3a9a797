//! The shop's profile: `mostrador shop`, and the demo bookshop's.

use std::{
    io::{Write, stdout},
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::Context;
use mostrador_catalogue_file::{
    FileError, Read, Reading, SourceError, document, profile_from_toml, read_profile,
};
use mostrador_core::{
    ids::ItemId,
    shop::{Attribute, Noun, Profile, currency},
};
use mostrador_search::shop;

use crate::{
    cli::{ShopCheckOptions, ShopPublishOptions},
    stores::Stores,
};

/// Of the shop whose catalogue ships.
const DEMO: &str = include_str!("../demo/bookshop/shop.toml");
/// Its documents, by name.
const DEMO_ABOUT: [(&str, &str); 3] = [
    (
        "servicios.es",
        include_str!("../demo/bookshop/about/servicios.es.md"),
    ),
    (
        "services.en",
        include_str!("../demo/bookshop/about/services.en.md"),
    ),
    (
        "servicos.pt",
        include_str!("../demo/bookshop/about/servicos.pt.md"),
    ),
];

/// A shop's files, the first that there is.
const PROFILES: [&str; 2] = ["shop.toml", "shop.json"];
const CATALOGUES: [&str; 3] = ["catalogue.jsonl", "catalogue.csv", "catalogue.tsv"];

/// Prints what is wrong with a shop's files, place by place, or what they say.
pub(crate) fn check(options: &ShopCheckOptions) -> anyhow::Result<()> {
    let folder = &options.folder;
    let profile = find_profile(folder)?;
    let (shop, mut faults) = match read(&profile)? {
        Ok(shop) => (Some(shop), Vec::new()),
        Err(faults) => (None, faults),
    };
    let catalogue = find(folder, &CATALOGUES);
    let mut items = None;
    // What items have is known by a profile that can be read.
    if let (Some(shop), Some(catalogue)) = (&shop, &catalogue) {
        let reading = Reading {
            shop: shop.clone(),
            columns: options.columns.clone(),
        };
        match reading.file(catalogue) {
            Ok(read) => items = Some(read),
            Err(SourceError::Lines(lines)) => {
                let name = catalogue.display();
                faults.extend(
                    lines
                        .iter()
                        .map(|fault| format!("{name}:{}: {}", fault.line, fault.problem)),
                );
            }
            Err(error) => faults.push(format!("{}: {error}", catalogue.display())),
        }
    }
    let mut out = stdout().lock();
    if let (Some(shop), []) = (&shop, &faults[..]) {
        let items = catalogue.as_deref().zip(items.as_ref());
        write!(out, "{}", summary(&profile, shop, items))?;
        return Ok(());
    }
    for fault in &faults {
        writeln!(out, "{fault}")?;
    }
    let found = counted(faults.len(), "fault", "faults");
    let rest = match (&shop, catalogue) {
        (None, Some(catalogue)) => format!("; {} is looked at afterwards", catalogue.display()),
        _ => String::new(),
    };
    anyhow::bail!("{found}{rest}")
}

/// Publishes a folder's profile, if nothing is wrong with it.
pub(crate) async fn publish(options: ShopPublishOptions) -> anyhow::Result<()> {
    let shop = in_folder(&options.folder)?;
    let stores = Stores::open(&options.stores).await?;
    put(&stores, &shop).await?;
    writeln!(
        stdout(),
        "{} published to {}; running functions take it up within a minute",
        shop.name,
        stores.bucket
    )?;
    Ok(())
}

/// Publishes the demo bookshop's profile, unless there is another.
pub async fn publish_demo(stores: &Stores) -> anyhow::Result<()> {
    if shop::published(&*stores.index).await?.is_some() {
        return Ok(());
    }
    let demo = profile_from_toml(DEMO);
    let mut demo = demo.map_err(|faults| anyhow::anyhow!("the demo shop's profile: {faults:?}"))?;
    let about = DEMO_ABOUT.map(|(name, text)| document(name, text));
    demo.documents.extend(about);
    put(stores, &demo).await
}

/// The profile of the shop in `folder`, if nothing is wrong with it, and its catalogue's file, if there is one.
pub(crate) fn of_folder(folder: &Path) -> anyhow::Result<(Profile, Option<PathBuf>)> {
    Ok((in_folder(folder)?, find(folder, &CATALOGUES)))
}

/// The published profile, or the default one where none is published.
pub(crate) async fn published(stores: &Stores) -> anyhow::Result<Arc<Profile>> {
    let published = shop::published(&*stores.index).await;
    let published = published.context("what is published of the shop cannot be read")?;
    Ok(published.unwrap_or_default())
}

pub(crate) async fn put(stores: &Stores, shop: &Profile) -> anyhow::Result<()> {
    let published = shop::publish(&*stores.index, shop).await;
    published.context("the profile cannot be published")
}

/// The profile of the shop in `folder`, if nothing is wrong with it.
fn in_folder(folder: &Path) -> anyhow::Result<Profile> {
    match read(&find_profile(folder)?)? {
        Ok(shop) => Ok(shop),
        Err(faults) => anyhow::bail!("nothing was published\n{}", faults.join("\n")),
    }
}

fn find_profile(folder: &Path) -> anyhow::Result<PathBuf> {
    find(folder, &PROFILES)
        .with_context(|| format!("there is no shop.toml in {}", folder.display()))
}

/// The profile, or what is wrong with it, line by line.
fn read(file: &Path) -> anyhow::Result<Result<Profile, Vec<String>>> {
    match read_profile(file) {
        Ok(shop) => Ok(Ok(shop)),
        Err(FileError::Faults(placed)) => {
            let placed = placed.iter();
            let faults = placed.map(|fault| match &fault.document {
                Some(document) => format!("{}: {fault}", file.with_file_name(document).display()),
                None => format!("{}:{fault}", file.display()),
            });
            Ok(Err(faults.collect()))
        }
        Err(error) => Err(error.into()),
    }
}

fn find(folder: &Path, names: &[&str]) -> Option<PathBuf> {
    let mut paths = names.iter().map(|name| folder.join(name));
    paths.find(|path| path.is_file())
}

/// What a shop is, line by line.
fn summary(profile: &Path, shop: &Profile, catalogue: Option<(&Path, &Read)>) -> String {
    let tags: Vec<&str> = shop.languages().iter().map(|l| l.tag()).collect();
    let nouns = shop.noun.iter().map(|(tag, noun)| {
        let Noun { one, many, .. } = noun;
        format!("{tag} {one}, {many}")
    });
    let digits = currency::minor_digits(&shop.currency).unwrap_or_default();
    let attributes = shop.attributes.iter().map(attribute);
    let picks = picks(shop, catalogue.map(|(_, read)| read));
    let catalogue = catalogue.map(|(file, read)| {
        let items = counted(read.items.len(), "item", "items");
        let left_out: Vec<&str> = read.left_out.iter().map(String::as_str).collect();
        match left_out.as_slice() {
            [] => format!("{items} in {}", file.display()),
            names => format!(
                "{items} in {}; left out: {}",
                file.display(),
                names.join(", ")
            ),
        }
    });
    let documents = shop.documents.iter().map(|document| {
        let language = document.language.as_deref();
        let language = language.map(|tag| format!("{tag}, ")).unwrap_or_default();
        format!(
            "{} ({language}{} passages)",
            document.title,
            document.passages.len()
        )
    });
    let lines = [
        ("name", format!("{}, with {}", shop.name, shop.assistant())),
        ("languages", tags.join(", ")),
        ("noun", listed(nouns)),
        ("currency", format!("{}, {digits} decimals", shop.currency)),
        ("attributes", listed(attributes)),
        ("documents", listed(documents)),
        ("picks", picks),
        (
            "items",
            catalogue.unwrap_or_else(|| "no catalogue".to_owned()),
        ),
    ];
    let lines = lines.map(|(what, value)| format!("  {what:<10}  {value}\n"));
    format!("{} can be used\n{}", profile.display(), lines.concat())
}

/// The items that the shop recommends, and which of them the catalogue does not have.
fn picks(shop: &Profile, catalogue: Option<&Read>) -> String {
    let all = listed(shop.picks.iter().map(ToString::to_string));
    let is_missing = |pick: &&ItemId| {
        let mut items = catalogue.into_iter().flat_map(|read| &read.items);
        catalogue.is_some() && items.all(|(item, _)| item.id() != **pick)
    };
    let missing = shop.picks.iter().filter(is_missing);
    let missing: Vec<&str> = missing.map(ItemId::as_str).collect();
    match missing.as_slice() {
        [] => all,
        ids => format!("{all}; not in the catalogue: {}", ids.join(", ")),
    }
}

/// `talla (list, filter, facet)`.
fn attribute(attribute: &Attribute) -> String {
    let flags = [
        (attribute.names, "names"),
        (attribute.filter, "filter"),
        (attribute.facet, "facet"),
    ];
    let flags = flags
        .into_iter()
        .filter_map(|(is, flag)| is.then_some(flag));
    let all: Vec<&str> = [attribute.holds.name()].into_iter().chain(flags).collect();
    format!("{} ({})", attribute.key, all.join(", "))
}

/// `1 item`, `2 items`.
pub(crate) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

pub(crate) fn listed(texts: impl Iterator<Item = String>) -> String {
    let texts: Vec<String> = texts.collect();
    if texts.is_empty() {
        return "none".to_owned();
    }
    texts.join("; ")
}
