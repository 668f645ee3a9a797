//! What a server answers of a collection's members (RFC 4918).

use mostrador_core::booking::RemoteError;
use reqwest::Url;
use roxmltree::{Document, Node, ParsingOptions};

const DAV: &str = "DAV:";
const CALDAV: &str = "urn:ietf:params:xml:ns:caldav";
/// Most elements and texts of an answer; a member has twenty.
const NODES_MAX: u32 = 500_000;

/// The members that an answer tells of.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Multistatus {
    pub(super) members: Vec<Member>,
    /// Of the collection, or of what it has changed.
    pub(super) sync_token: Option<String>,
    /// There is more than this answer holds.
    pub(super) is_truncated: bool,
}

/// A member of a collection.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Member {
    /// Its address's path, as addresses have it.
    pub(super) path: String,
    pub(super) etag: Option<String>,
    /// The calendar that it is.
    pub(super) data: Option<String>,
    /// Of the member itself, where it has one.
    status: Option<u16>,
}

impl Member {
    /// A member that is there has no status of its own.
    pub(super) fn exists(&self) -> bool {
        self.status.is_none_or(|status| status < 300)
    }
}

impl Multistatus {
    /// Reads an answer to a request of `collection`. An answer with a document type is none: with that, an answer could have any length.
    ///
    /// # Errors
    /// [`RemoteError::Unreadable`].
    pub(super) fn read(text: &str, collection: &Url) -> Result<Self, RemoteError> {
        let document = document(text);
        let root = document.as_ref().map(Document::root_element);
        let root = root.filter(|root| is(*root, DAV, "multistatus"));
        let Some(root) = root else {
            let what = "it is no XML that says what its members are";
            return Err(RemoteError::Unreadable(what.to_owned()));
        };
        let mut found = Self {
            sync_token: text_of(root, DAV, "sync-token"),
            ..Self::default()
        };
        for response in root.children().filter(|node| is(*node, DAV, "response")) {
            found.add(response, collection)?;
        }
        Ok(found)
    }

    fn add(&mut self, response: Node<'_, '_>, collection: &Url) -> Result<(), RemoteError> {
        let href = text_of(response, DAV, "href");
        let url = href.and_then(|href| collection.join(href.trim()).ok());
        let url =
            url.ok_or_else(|| RemoteError::Unreadable("a member has no address".to_owned()))?;
        let mut member = Member {
            path: url.path().to_owned(),
            status: status_of(response),
            ..Member::default()
        };
        // However its letters are written, it ends like one, and its members do not.
        let is_collection = url.path().ends_with('/') || url.path() == collection.path();
        for part in response
            .children()
            .filter(|node| is(*node, DAV, "propstat"))
        {
            let is_found = status_of(part).is_none_or(|status| (200..300).contains(&status));
            let prop = part.children().find(|node| is(*node, DAV, "prop"));
            let Some(prop) = prop.filter(|_| is_found) else {
                continue;
            };
            member.etag = member.etag.or_else(|| text_of(prop, DAV, "getetag"));
            member.data = member
                .data
                .or_else(|| text_of(prop, CALDAV, "calendar-data"));
            if is_collection {
                let token = text_of(prop, DAV, "sync-token");
                self.sync_token = self.sync_token.take().or(token);
            }
        }
        if is_collection {
            self.is_truncated |= member.status == Some(507);
        } else {
            self.members.push(member);
        }
        Ok(())
    }
}

/// Whether an error says that a token is too old, or was never one.
pub(super) fn names_invalid_token(text: &str) -> bool {
    names(text, DAV, "valid-sync-token")
}

/// Whether an error says that there is an object with the same UID elsewhere.
pub(super) fn names_uid_conflict(text: &str) -> bool {
    names(text, CALDAV, "no-uid-conflict")
}

fn names(text: &str, namespace: &str, name: &str) -> bool {
    document(text).is_some_and(|document| {
        let mut nodes = document.descendants();
        nodes.any(|node| is(node, namespace, name))
    })
}

fn document(text: &str) -> Option<Document<'_>> {
    let options = ParsingOptions {
        allow_dtd: false,
        nodes_limit: NODES_MAX,
        ..ParsingOptions::default()
    };
    Document::parse_with_options(text, options).ok()
}

fn is(node: Node<'_, '_>, namespace: &str, name: &str) -> bool {
    node.has_tag_name((namespace, name))
}

/// The text of a child, of all its parts; nothing where that is empty.
fn text_of(node: Node<'_, '_>, namespace: &str, name: &str) -> Option<String> {
    let child = node.children().find(|child| is(*child, namespace, name))?;
    let texts = child.children().filter_map(|text| text.text());
    let text: String = texts.collect();
    (!text.trim().is_empty()).then_some(text)
}

/// `HTTP/1.1 404 Not Found`.
fn status_of(node: Node<'_, '_>) -> Option<u16> {
    let status = text_of(node, DAV, "status")?;
    status.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        let collection = Url::parse("https://calendars.example/ana/salon/").unwrap();
        match Multistatus::read(text, &collection) {
            Ok(found) => {
                let members = found.members.iter().map(|member| {
                    let exists = member.exists();
                    let (etag, data) = (&member.etag, &member.data);
                    format!("\n{} {exists} {etag:?} {data:?}", member.path)
                });
                let members: String = members.collect();
                format!("{:?} {}{members}", found.sync_token, found.is_truncated)
            }
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn members_are_read_whatever_their_prefixes() {
        let text = r#"<?xml version="1.0"?><multistatus xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">
            <response><href>/ana/salon/a%20b.ics</href><propstat><prop><getetag>"1"</getetag>
            <C:calendar-data><![CDATA[BEGIN:VCALENDAR]]>&amp;</C:calendar-data></prop><status>HTTP/1.1 200 OK</status></propstat>
            <propstat><prop><sync-token/></prop><status>HTTP/1.1 404 Not Found</status></propstat></response>
            <response><href>https://calendars.example/ana/salon/b.ics</href><status>HTTP/1.1 404 Not Found</status></response>
            <response><href>/ana/salon/</href><status>HTTP/1.1 507 Insufficient Storage</status></response>
            <sync-token>urn:7</sync-token></multistatus>"#;
        insta::assert_snapshot!(read(text), @r#"
        Some("urn:7") true
        /ana/salon/a%20b.ics true Some("\"1\"") Some("BEGIN:VCALENDAR&")
        /ana/salon/b.ics false None None
        "#);
    }

    #[test]
    fn hostile_answers_are_none() {
        let entity = r#"<!DOCTYPE m [<!ENTITY x SYSTEM "file:///etc/passwd">]><multistatus xmlns="DAV:"><sync-token>&x;</sync-token></multistatus>"#;
        let bomb = r#"<!DOCTYPE m [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><multistatus xmlns="DAV:">&b;</multistatus>"#;
        let nowhere = r#"<multistatus xmlns="DAV:"><response><status>HTTP/1.1 200 OK</status></response></multistatus>"#;
        let deep = "<a>".repeat(300_000);
        let wide = format!("<multistatus xmlns=\"DAV:\">{}", "<a/>".repeat(600_000));
        for text in [
            entity,
            bomb,
            "",
            "<html/>",
            "{}",
            "<multistatus xmlns=\"DAV:\">",
            &deep,
            &wide,
        ] {
            assert_eq!(
                read(text),
                "the calendar's answer cannot be read: it is no XML that says what its members are"
            );
        }
        insta::assert_snapshot!(read(nowhere), @"the calendar's answer cannot be read: a member has no address");
        insta::assert_snapshot!(read("<multistatus xmlns=\"DAV:\"/>"), @"None false");
    }
}
