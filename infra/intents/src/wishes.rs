//! How messages are taken apart that hold several wishes, and those that hold one.

use std::{
    collections::BTreeMap,
    io::{Write, stdout},
};

use mostrador_core::understand::{intent::meant, wishes::Wishes};
use serde::Deserialize;

use crate::share;

/// A judged message: what it is for, and what else it asks for.
#[derive(Deserialize)]
pub(crate) struct Judged {
    lang: String,
    say: String,
    #[serde(alias = "intent")]
    main: String,
    #[serde(default)]
    beside: Vec<String>,
}

/// The intent that a tool reads for.
fn intent_of(tool: &str) -> &str {
    match tool {
        "view_cart" => "cart_view",
        "list_orders" => "orders_view",
        "list_reservations" => "reservations_view",
        tool => tool,
    }
}

/// Prints, by language, how many messages of one wish stay whole, and of how many of several each wish is found.
pub(crate) fn tell(judged: &[Judged], misses: bool) -> anyhow::Result<()> {
    let mut out = stdout().lock();
    let mut counts: BTreeMap<(&str, bool), [usize; 2]> = BTreeMap::new();
    for Judged {
        lang,
        say,
        main,
        beside,
    } in judged
    {
        let wishes = Wishes::of(say);
        let read = wishes.beside.iter().map(|(tool, _)| intent_of(tool));
        let mut read: Vec<&str> = read.collect();
        read.sort_unstable();
        let main_read = meant(&wishes.main).intent.name();
        let mut expected: Vec<&str> = beside.iter().map(String::as_str).collect();
        expected.sort_unstable();
        // Of one wish, what it is for is judged with the utterances.
        let right = if beside.is_empty() {
            wishes.beside.is_empty()
        } else {
            read == expected && main_read == main
        };
        for lang in [lang, "all"] {
            let counts = counts.entry((lang, beside.is_empty())).or_default();
            counts[0] += 1;
            counts[1] += usize::from(right);
        }
        if misses && !right {
            let (read, expected) = (read.join(", "), expected.join(", "));
            writeln!(
                out,
                "{lang} {main_read} ({read}) for {main} ({expected}): {say}"
            )?;
        }
    }
    for ((lang, is_one), [all, right]) in counts {
        let of = if is_one { "one wish" } else { "several wishes" };
        writeln!(
            out,
            "{of:14} {lang:4} {all:4}  right {:5.1} %",
            share(right, all)
        )?;
    }
    Ok(())
}
