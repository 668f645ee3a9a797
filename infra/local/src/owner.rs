//! What is kept of one customer: exported, erased, replayed; and the view made again from the log.

use std::io::{Write, stdout};

use anyhow::Context;
use mostrador_core::{
    ids::{ConversationNumber, Owner, Seq},
    log::Log,
    projection::{Found, rebuild},
    turn::{Replay, replay},
};
use serde_json::json;
use time::format_description::well_known::Rfc3339;

use crate::{
    cli::{EraseOptions, ExportOptions, OwnerOptions, RebuildOptions, ReplayOptions},
    import::progress,
    shop::scrub,
    stores::{Stores, variable},
};

fn owner(options: &OwnerOptions) -> anyhow::Result<Owner> {
    Owner::new(&options.tenant, &options.owner).context("that is no customer's name")
}

/// Everything that is kept of a customer, as JSON lines.
pub(crate) async fn export(options: ExportOptions) -> anyhow::Result<()> {
    let owner = owner(&options.owner)?;
    let stores = Stores::open(&options.stores).await?;
    let exporter = stores.wiring(Box::new(variable)).exporter()?;
    let mut stdout = std::io::stdout().lock();
    let mut from = None;
    loop {
        let part = exporter.export(&owner, from).await?;
        stdout.write_all(part.lines.as_bytes())?;
        match part.next {
            Some(next) => from = Some(next),
            None => return Ok(stdout.flush()?),
        }
    }
}

/// Erases a customer.
pub(crate) async fn erase(options: EraseOptions) -> anyhow::Result<()> {
    let owner = owner(&options.owner)?;
    anyhow::ensure!(
        options.yes,
        "this erases all that is kept of {} and cannot be undone: say --yes",
        owner.user()
    );
    let stores = Stores::open(&options.stores).await?;
    let erasure = stores.wiring(Box::new(variable)).erasure()?;
    let erased = erasure.erase(&owner).await?;
    scrub(stores.engine.clone()).await;
    writeln!(
        stdout(),
        "erased {}: {} conversations; {} reservations and pending orders cancelled; {} orders stay without a name; {} appointments; {} documents",
        owner.user(),
        erased.conversations,
        erased.cancelled,
        erased.orders_kept,
        erased.appointments,
        erased.files
    )?;
    Ok(())
}

/// Makes the view again from the log's events, for all customers or for one.
pub(crate) async fn rebuild_view(options: RebuildOptions) -> anyhow::Result<()> {
    let stores = Stores::open(&options.stores).await?;
    let wiring = stores.wiring(Box::new(variable));
    let (log, view) = (wiring.log(), wiring.view());
    let all = log
        .conversations()
        .await
        .context("the log cannot be read")?;
    let bar = progress("conversations", all.len());
    let (mut same, mut different, mut missing) = (0, 0, 0);
    let mut damaged = Vec::new();
    for (owner, conversation) in &all {
        let rebuilt = rebuild(&*log, &*view, owner, *conversation, options.check)
            .await
            .with_context(|| format!("conversation {} of {}", conversation.0, owner.user()))?;
        match rebuilt.view {
            Found::Same => same += 1,
            Found::Different => different += 1,
            Found::Missing => missing += 1,
        }
        let named = rebuilt.damage.iter().map(|damage| {
            let (tenant, user) = (owner.tenant(), owner.user());
            format!(
                "conversation {} of {user} ({tenant}): {damage}",
                conversation.0
            )
        });
        damaged.extend(named);
        bar.inc(1);
    }
    bar.finish_and_clear();
    for line in &damaged {
        writeln!(stdout(), "DAMAGED  {line}")?;
    }
    let mended_now = if options.check || different + missing == 0 {
        ""
    } else {
        "; mended"
    };
    writeln!(
        stdout(),
        "view: {} conversations folded from the log; {same} as they should be, {different} differed, {missing} were missing{mended_now}",
        all.len()
    )?;
    anyhow::ensure!(
        !options.check || different + missing == 0,
        "the view is not what the log says: run it without --check"
    );
    anyhow::ensure!(
        damaged.is_empty(),
        "{} places of the log are damaged, as named above; their conversations go on without them. A backup of the events' table has \
         what they held",
        damaged.len()
    );
    Ok(())
}

/// A turn with its prompt.
pub(crate) async fn print_replay(options: ReplayOptions) -> anyhow::Result<()> {
    let owner = owner(&options.owner)?;
    let stores = Stores::open(&options.stores).await?;
    let wiring = stores.wiring(Box::new(variable));
    let log = wiring.log();
    let conversation = match options.conversation {
        Some(number) => ConversationNumber(number),
        None => {
            let newest = log.newest(&owner, None, 1).await?.pop();
            let newest = newest.with_context(|| format!("{} has no conversation", owner.user()))?;
            newest.conversation
        }
    };
    let settings = wiring.turn_settings()?;
    let turn = replay(&*log, &owner, conversation, Seq(options.until), &settings).await?;
    let document = serde_json::to_string_pretty(&rendered(&turn))?;
    Ok(writeln!(std::io::stdout(), "{document}")?)
}

fn rendered(turn: &Replay) -> serde_json::Value {
    let context = turn.context.as_ref();
    let context = context.map(|messages| messages.iter().map(message).collect::<Vec<_>>());
    json!({
        "conversation": turn.conversation,
        "at": turn.at.format(&Rfc3339).unwrap_or_default(),
        "question": turn.question,
        "shown": context,
        "summary": turn.summary,
        "shown_within": turn.context_limits,
        "settings": if turn.is_within_todays { "today's" } else { "the turn's" },
        "tools": turn.tools,
        "answer": turn.answer,
    })
}

fn message(message: &mostrador_core::model::ModelMessage) -> serde_json::Value {
    use mostrador_core::model::ModelMessage::{Assistant, System, Tool, User};
    match message {
        System { content } => json!({"role": "system", "content": content}),
        User { content } => json!({"role": "user", "content": content}),
        Assistant { content, .. } => json!({"role": "assistant", "content": content}),
        Tool { content, .. } => json!({"role": "tool", "content": content}),
    }
}
