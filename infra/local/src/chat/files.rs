//! Documents of the customer's own: brought to the counter, and what was found in them.

use std::path::Path;

use anyhow::Context;
use mostrador_core::language::Language;
use serde_json::{Value, json};

use super::{client::Client, print_failure, print_text, text};

const FILES: &str = "/api/agent/files/";
/// Longest that is printed of a passage, in characters.
const EXCERPT_CHARS: usize = 240;

/// Brings a document along; the questions that follow are put to it too.
pub(super) async fn attach(client: &mut Client, path: &str) {
    match bring(client, Path::new(path)).await {
        Ok(message) => print_text(&message),
        Err(error) => print_failure(client.language, "not-attached", &error),
    }
}

async fn bring(client: &mut Client, path: &Path) -> anyhow::Result<String> {
    let name = path.file_name().and_then(|name| name.to_str());
    let name = name.with_context(|| client.language.terminal("which-file", &[]))?;
    let ending = path.extension().and_then(|ending| ending.to_str());
    let media_type = match ending.unwrap_or_default().to_ascii_lowercase().as_str() {
        "pdf" => "application/pdf",
        "md" | "markdown" => "text/markdown",
        _ => "text/plain",
    };
    let bytes = tokio::fs::read(path).await.with_context(|| {
        let path = path.display().to_string();
        client
            .language
            .terminal("not-read", &[("path", (&path).into())])
    })?;
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
        Ok(0) => print_text(&client.language.terminal("no-such-document", &[])),
        Ok(_) => {
            let arguments = [("name", name.into())];
            print_text(&client.language.terminal("document-gone", &arguments));
        }
        Err(error) => print_failure(client.language, "document-not-gone", &error),
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
pub(super) fn listed(body: &Value, client: &Client) -> String {
    let files = body["files"].as_array().cloned().unwrap_or_default();
    if files.is_empty() {
        return client.language.terminal("no-documents", &[]);
    }
    let lines = files.iter().map(|file| {
        let is_attached = client.attached.contains(&text(&file["file_id"]));
        let mark = if is_attached { "*" } else { " " };
        let (name, status) = (text(&file["name"]), text(&file["status"]));
        format!("  {mark} {name} · {} B · {status}", file["size_bytes"])
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// What was found in documents, a line for each place; of the shop's own texts, which the answer has, their names.
pub(super) fn cited(citations: &Value, language: Language) -> Vec<String> {
    let citations = citations.as_array().map(Vec::as_slice).unwrap_or_default();
    let lines = citations.iter().filter_map(|citation| {
        if citation["file_id"].is_null() {
            return Some(format!("    — {}", text(&citation["name"])));
        }
        let words = citation["text"].as_str()?;
        let excerpt: String = words.chars().take(EXCERPT_CHARS).collect();
        let more = if excerpt.len() < words.len() {
            "…"
        } else {
            ""
        };
        let (words, name) = (format!("{excerpt}{more}"), text(&citation["name"]));
        let mut arguments = vec![("text", (&words).into()), ("name", (&name).into())];
        let key = match citation["page"].as_u64() {
            Some(page) => {
                arguments.push(("page", page.into()));
                "cited-page"
            }
            None => "cited",
        };
        Some(format!("    {}", language.terminal(key, &arguments)))
    });
    lines.collect()
}
