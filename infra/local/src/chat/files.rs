//! Documents of the customer's own: brought to the counter, and what was found in them.

use std::path::Path;

use mostrador_core::language::Language;
use serde_json::{Value, json};

use super::{client::Client, failure::Failure, text};

const FILES: &str = "/api/agent/files/";
/// Longest that is printed of a passage, in characters.
const EXCERPT_CHARS: usize = 240;

/// Brings a document along; the questions that follow are put to it too. Returns what the shop says of it.
pub(super) async fn attach(client: &mut Client, path: &str) -> Result<String, Failure> {
    let path = Path::new(path);
    let language = client.language;
    let name = path.file_name().and_then(|name| name.to_str());
    let name = name.ok_or_else(|| Failure::Document(language.terminal("which-file", &[])))?;
    let ending = path.extension().and_then(|ending| ending.to_str());
    let media_type = match ending.unwrap_or_default().to_ascii_lowercase().as_str() {
        "pdf" => "application/pdf",
        "md" | "markdown" => "text/markdown",
        _ => "text/plain",
    };
    let bytes = tokio::fs::read(path).await.map_err(|_| {
        let path = path.display().to_string();
        Failure::Document(language.terminal("not-read", &[("path", (&path).into())]))
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

/// Takes the documents of that name away, and returns how many there were.
pub(super) async fn forget(client: &mut Client, name: &str) -> Result<usize, Failure> {
    let listed = client.get(FILES).await?;
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

/// A line for each document; a star where questions are put to it.
pub(super) async fn list(client: &Client) -> Result<Vec<String>, Failure> {
    let listed = client.get(FILES).await?;
    let files = listed["files"].as_array().map(Vec::as_slice);
    let files = files.unwrap_or_default();
    if files.is_empty() {
        return Ok(vec![client.language.terminal("no-documents", &[])]);
    }
    let lines = files.iter().map(|file| {
        let is_attached = client.attached.contains(&text(&file["file_id"]));
        let mark = if is_attached { "*" } else { " " };
        let (name, status) = (text(&file["name"]), text(&file["status"]));
        let size_bytes = file["size_bytes"].as_u64().unwrap_or_default();
        let arguments = [
            ("name", (&name).into()),
            ("size", size_bytes.div_ceil(1_000).into()),
            ("status", (&status).into()),
        ];
        let document = client.language.terminal("document", &arguments);
        format!("  {mark} {document}")
    });
    Ok(lines.collect())
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
