//! What `mostrador-whatsapp` reads, renders, signs and verifies, as JSON, to be held against another client of the platform.
//!
//! `whatsapp read FOLDER`, `whatsapp render < cases`, `whatsapp sign SECRET FOLDER`, `whatsapp verify SECRET FOLDER < headers`.

use std::{
    collections::BTreeMap,
    fs,
    io::{Read, Write, stdin, stdout},
};

use anyhow::{Context, bail};
use mostrador_whatsapp::{
    ids::{MessageId, Phone, UserId},
    message::{Choice, Link, Outgoing, Receipt, Recipient, Request, Wording},
    signature, webhook,
};
use secrecy::SecretString;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
struct Case {
    to: String,
    text: String,
    #[serde(default)]
    choices: Vec<Value>,
    open_list: Option<String>,
    link: Option<Value>,
    reply_to: Option<String>,
    /// A receipt for this message instead of a message.
    read: Option<String>,
}

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let printed = match arguments.as_slice() {
        ["read", folder] => read(folder)?,
        ["render"] => render()?,
        ["sign", secret, folder] => {
            let secret = SecretString::from(*secret);
            let signed = bodies(folder)?.into_iter();
            json!(BTreeMap::from_iter(signed.map(|(name, body)| {
                let header = signature::sign(&secret, &body);
                (name, header)
            })))
        }
        ["verify", secret, folder] => {
            let secret = SecretString::from(*secret);
            let headers: BTreeMap<String, String> = serde_json::from_reader(stdin())?;
            let bodies = bodies(folder)?.into_iter();
            json!(BTreeMap::from_iter(bodies.map(|(name, body)| {
                let header = headers.get(&name).map(String::as_str);
                let is_right = signature::verify(&secret, header, &body).is_ok();
                (name, is_right)
            })))
        }
        _ => bail!("read FOLDER, render, sign SECRET FOLDER, or verify SECRET FOLDER"),
    };
    writeln!(stdout(), "{printed}")?;
    Ok(())
}

fn bodies(folder: &str) -> anyhow::Result<BTreeMap<String, Vec<u8>>> {
    let mut bodies = BTreeMap::new();
    for file in fs::read_dir(folder).with_context(|| folder.to_owned())? {
        let path = file?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        bodies.insert(name.into_owned(), fs::read(&path)?);
    }
    Ok(bodies)
}

fn read(folder: &str) -> anyhow::Result<Value> {
    let secret = SecretString::from("any");
    let mut notices = BTreeMap::new();
    for (name, body) in bodies(folder)? {
        let header = signature::sign(&secret, &body);
        let signed = signature::verify(&secret, Some(&header), &body)?;
        notices.insert(name, webhook::read(signed)?);
    }
    Ok(json!(notices))
}

fn render() -> anyhow::Result<Value> {
    let mut input = String::new();
    stdin().read_to_string(&mut input)?;
    let cases: Vec<Case> = serde_json::from_str(&input)?;
    let rendered = cases.iter().map(request);
    Ok(json!(rendered.collect::<anyhow::Result<Vec<Value>>>()?))
}

fn request(case: &Case) -> anyhow::Result<Value> {
    if let Some(id) = &case.read {
        return Ok(json!(Receipt::typing(&MessageId::new(id)?)));
    }
    let text = |json: &Value, key: &str| json[key].as_str().unwrap_or_default().to_owned();
    let choices = case.choices.iter().map(|choice| Choice {
        id: text(choice, "id"),
        title: text(choice, "title"),
        description: choice["description"].as_str().map(str::to_owned),
    });
    let outgoing = Outgoing {
        choices: choices.collect(),
        link: case.link.as_ref().map(|link| Link {
            title: text(link, "title"),
            url: text(link, "url"),
        }),
        ..Outgoing::plain(&case.text)
    };
    let wording = Wording {
        open_list: case.open_list.clone().unwrap_or_default(),
        more: Choice {
            id: "more".to_owned(),
            title: "…".to_owned(),
            description: None,
        },
    };
    let recipient = match UserId::new(&case.to) {
        Ok(user_id) => Recipient::UserId(user_id),
        Err(_) => Recipient::Phone(Phone::new(&case.to)?),
    };
    let request = Request::new(&recipient, outgoing.body(&wording)?);
    let request = match &case.reply_to {
        Some(id) => request.replying_to(&MessageId::new(id)?),
        None => request,
    };
    Ok(json!(request))
}
