//! Documents of the customer's own: brought to the counter, and what was found in them.

use std::path::Path;

use anyhow::Context;
use serde_json::{Value, json};

use super::{client::Client, say, text};

const FILES: &str = "/api/agent/files/";
/// Longest that is printed of a passage, in characters.
const SHOWN_CHARS: usize = 240;

/// Brings a document along; the questions that follow are put to it too.
pub(super) async fn attach(client: &mut Client, path: &str) {
    match bring(client, Path::new(path)).await {
        Ok(message) => say(&message),
        Err(error) => say(&format!("Not attached: {error:#}")),
    }
}

async fn bring(client: &mut Client, path: &Path) -> anyhow::Result<String> {
    let name = path.file_name().and_then(|name| name.to_str());
    let name = name.context("say which file: /attach FILE")?;
    let ending = path.extension().and_then(|ending| ending.to_str());
    let media_type = match ending.unwrap_or_default().to_ascii_lowercase().as_str() {
        "pdf" => "application/pdf",
        "md" | "markdown" => "text/markdown",
        _ => "text/plain",
    };
    let bytes = tokio::fs::read(path)
        .await
        .with_context(|| format!("{} cannot be read", path.display()))?;
    let new = json!({"name": name, "media_type": media_type, "size_bytes": bytes.len()});
    let announced = client.post(FILES, &new).await?;
    client.upload(&announced["upload"], bytes).await?;
    let id = text(&announced["file"]["file_id"]);
    let read = client.post(&format!("{FILES}{id}/"), &json!({})).await?;
    if read["file"]["status"] == "ready" {
        client.attached.push(id);
    }
    Ok(text(&read["message"]))
}

/// Takes the documents of that name away.
pub(super) async fn forget(client: &mut Client, name: &str) {
    match take_away(client, name).await {
        Ok(0) => say("No such document; /files lists them."),
        Ok(_) => say(&format!("{name} is gone.")),
        Err(error) => say(&format!("Not taken away: {error:#}")),
    }
}

async fn take_away(client: &mut Client, name: &str) -> anyhow::Result<usize> {
    let listed = list(client).await?;
    let files = listed["files"].as_array().map(Vec::as_slice);
    let meant = files.unwrap_or_default().iter();
    let meant: Vec<String> = meant
        .filter(|file| file["name"] == name)
        .map(|file| text(&file["file_id"]))
        .collect();
    for id in &meant {
        client.delete(&format!("{FILES}{id}/")).await?;
        client.attached.retain(|attached| attached != id);
    }
    Ok(meant.len())
}

/// The documents there are, and which of them questions are put to.
pub(super) async fn list(client: &Client) -> anyhow::Result<Value> {
    client.get(FILES).await
}

/// A line for each document.
pub(super) fn listed(body: &Value, attached: &[String]) -> String {
    let files = body["files"].as_array().cloned().unwrap_or_default();
    if files.is_empty() {
        return "No documents; /attach FILE brings one.".to_owned();
    }
    let lines = files.iter().map(|file| {
        let is_attached = attached.contains(&text(&file["file_id"]));
        let mark = if is_attached { "*" } else { " " };
        let (name, status) = (text(&file["name"]), text(&file["status"]));
        format!("  {mark} {name} · {} B · {status}", file["size_bytes"])
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// What was found in documents, a line for each place.
pub(super) fn cited(citations: &Value) -> Vec<String> {
    let citations = citations.as_array().map(Vec::as_slice).unwrap_or_default();
    let lines = citations.iter().filter_map(|citation| {
        let words = citation["text"].as_str()?;
        let shown: String = words.chars().take(SHOWN_CHARS).collect();
        let more = if shown.len() < words.len() { "…" } else { "" };
        let page = citation["page"].as_u64();
        let page = page.map(|page| format!(", {page}")).unwrap_or_default();
        let name = text(&citation["name"]);
        Some(format!("    «{shown}{more}» ({name}{page})"))
    });
    lines.collect()
}
