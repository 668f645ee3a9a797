//! Buttons, lists, and buttons with a link.

use std::collections::HashSet;

use super::part::{Part, Refusal, invalid};

const HEADER_MOST: usize = 60;
const FOOTER_MOST: usize = 60;
const BUTTONS_BODY_MOST: usize = 1024;
const LIST_BODY_MOST: usize = 4096;

pub(super) fn check(interactive: Part<'_>) -> Result<(), Refusal> {
    interactive.only(&["type", "header", "body", "footer", "action"])?;
    let of_type = interactive.text("type", 20)?;
    let body_most = match of_type {
        "list" => LIST_BODY_MOST,
        "button" | "cta_url" => BUTTONS_BODY_MOST,
        _ => return Err(invalid("interactive.type")),
    };
    let body = interactive.object("body")?;
    body.only(&["text"])?;
    body.text("text", body_most)?;
    if interactive.has("header") {
        let header = interactive.object("header")?;
        header.only(&["type", "text"])?;
        if header.text("type", 10)? != "text" {
            return Err(invalid("interactive.header.type"));
        }
        header.text("text", HEADER_MOST)?;
    }
    if interactive.has("footer") {
        interactive.object("footer")?.text("text", FOOTER_MOST)?;
    }
    let action = interactive.object("action")?;
    match of_type {
        "button" => buttons(action),
        "list" => list(action),
        _ => link(action),
    }
}

/// At most three, with titles of 20 and ids of 256 characters, none of them twice.
fn buttons(action: Part<'_>) -> Result<(), Refusal> {
    action.only(&["buttons"])?;
    let (mut ids, mut titles) = (HashSet::new(), HashSet::new());
    for button in action.objects("buttons", 1, 3)? {
        button.only(&["type", "reply"])?;
        if button.text("type", 10)? != "reply" {
            return Err(invalid("action.buttons.type"));
        }
        let reply = button.object("reply")?;
        reply.only(&["id", "title"])?;
        if !ids.insert(reply.text("id", 256)?) || !titles.insert(reply.text("title", 20)?) {
            return Err(invalid("action.buttons: the same twice"));
        }
    }
    Ok(())
}

/// At most ten rows in all sections, with titles of 24, descriptions of 72 and ids of 200 characters; sections have titles where
/// there are several.
fn list(action: Part<'_>) -> Result<(), Refusal> {
    action.only(&["button", "sections"])?;
    action.text("button", 20)?;
    let sections = action.objects("sections", 1, 10)?;
    let mut ids = HashSet::new();
    for section in &sections {
        section.only(&["title", "rows"])?;
        if section.optional_text("title", 24)?.is_none() && sections.len() > 1 {
            return Err(invalid("action.sections.title"));
        }
        for row in section.objects("rows", 1, 10)? {
            row.only(&["id", "title", "description"])?;
            row.text("title", 24)?;
            row.optional_text("description", 72)?;
            if !ids.insert(row.text("id", 200)?) {
                return Err(invalid("action.sections.rows.id: the same twice"));
            }
        }
    }
    if ids.len() > 10 {
        return Err(invalid("action.sections: more than ten rows"));
    }
    Ok(())
}

fn link(action: Part<'_>) -> Result<(), Refusal> {
    action.only(&["name", "parameters"])?;
    if action.text("name", 20)? != "cta_url" {
        return Err(invalid("action.name"));
    }
    let parameters = action.object("parameters")?;
    parameters.only(&["display_text", "url"])?;
    parameters.text("display_text", 20)?;
    let url = parameters.text("url", 2000)?;
    if !(url.starts_with("https://") || url.starts_with("http://")) {
        return Err(invalid("action.parameters.url"));
    }
    Ok(())
}
