//! For how many messages that are off topic a conversation shows anything.

use std::{
    fs,
    io::{Write, stdout},
    path::Path,
};

use anyhow::Context;
use mostrador_core::{
    language::Language,
    turn::{Caller, ChatRequest, KeptAs, TurnEngine},
};
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

#[derive(Deserialize)]
struct Message {
    say: String,
}

/// What is kept, in percent: something is shown for so many at most.
const SHOWN: f64 = 5.0;

/// Asks what is in `folder`, `es.jsonl` and so on, each in a conversation of its own, and prints for how many something is shown; fails where
/// it is for more than is kept.
pub(super) async fn measure(engine: &TurnEngine, folder: &Path, lists: bool) -> anyhow::Result<()> {
    let (mut shown, mut all) = (0_u32, 0_u32);
    let mut by_language = Vec::new();
    for language in Language::all() {
        let file = folder.join(format!("{}.jsonl", language.tag()));
        let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        let (mut its, mut its_shown) = (0, 0);
        for (place, line) in text.lines().enumerate() {
            let Message { say } = serde_json::from_str(line)
                .with_context(|| format!("{}:{}", file.display(), place + 1))?;
            let found = ask(engine, &say, language).await?;
            its += 1;
            its_shown += u32::from(!found.is_empty());
            if lists && let Some(first) = found.first() {
                writeln!(
                    stdout(),
                    "off topic: {say:?} should find nothing, found {first:?}"
                )?;
            }
        }
        by_language.push(format!("{} {its_shown} of {its}", language.tag()));
        shown += its_shown;
        all += its;
    }
    let share = 100.0 * f64::from(shown) / f64::from(all.max(1));
    writeln!(
        stdout(),
        "off topic, something is shown: {shown} of {all}, {share:.1} % ({})",
        by_language.join(", ")
    )?;
    anyhow::ensure!(
        share <= SHOWN,
        "something is shown for more than {SHOWN} % of what is off topic"
    );
    Ok(())
}

/// The titles of what a guest is shown.
async fn ask(
    engine: &TurnEngine,
    message: &str,
    language: Language,
) -> anyhow::Result<Vec<String>> {
    let shop = engine.shop.current().await;
    let caller = Caller {
        owner: None,
        language,
        request_id: Uuid::nil(),
        byo_key: None,
        keyed: None,
        begun: None,
        kept_as: KeptAs::Answer,
    };
    let mut caller = caller.writing(message, &shop);
    let body = json!({"message": message});
    let request = ChatRequest::read(body.as_object().context("an object")?)?;
    let prepared = engine.prepare(&mut caller, request).await?;
    let begun = engine.begin(&caller, prepared).await?;
    let (answer, _) = Box::pin(engine.finish(&caller, begun, &|_| ())).await;
    Ok(answer.results.into_iter().map(|item| item.titulo).collect())
}
