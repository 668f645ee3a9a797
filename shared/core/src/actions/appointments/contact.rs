//! Whom an appointment is for, as the customer has told it.

use serde_json::{Value, json};

use super::{Attempt, Outcome, Payload, Stopped, is_own};
use crate::{
    purchases::{Account, Contact},
    text::plain,
};

/// The longest of a contact's texts, in characters.
const TEXT_CHARS: usize = 80;
/// Digits of a telephone number: by E.164 at most 15 with the country's.
const PHONE_DIGITS: std::ops::RangeInclusive<usize> = 6..=15;

/// Keeps what the payload says of the customer; what it leaves out stays.
pub(super) async fn find_or_create(
    attempt: &Attempt<'_>,
    payload: &Payload,
) -> Result<Outcome, Stopped> {
    is_own(attempt, payload)?;
    let mut account = attempt.account().await?;
    let before = account.contact.clone();
    for (name, fits, part) in account.contact.parts() {
        let Some(said) = payload.text(name) else {
            continue;
        };
        let said = plain(said);
        if !fits(&said) {
            return Err(invalid(attempt).into());
        }
        *part = Some(said);
    }
    let outcome = described(attempt, &account, "contact-kept");
    if account.contact == before {
        return Ok(described(attempt, &account, "contact"));
    }
    let question = described(attempt, &account, "propose-contact").message;
    let mutation = attempt.mutation(account);
    Ok(attempt.commit(mutation, outcome, || question).await?)
}

/// A name as it is kept; nothing where it can be none.
pub(super) fn name_of(said: &str) -> Option<String> {
    Some(plain(said)).filter(|said| is_name(said))
}

pub(super) fn invalid(attempt: &Attempt<'_>) -> Outcome {
    attempt.refused("invalid_contact", &[("most", TEXT_CHARS.into())])
}

/// What is known of the customer.
pub(super) async fn view(attempt: &Attempt<'_>, payload: &Payload) -> Result<Outcome, Stopped> {
    is_own(attempt, payload)?;
    let account = attempt.account().await?;
    Ok(described(attempt, &account, "contact"))
}

/// Whether a text can be what it is said to be.
type Fits = fn(&str) -> bool;

impl Contact {
    /// Each part by its name, with what it has to be.
    fn parts(&mut self) -> [(&'static str, Fits, &mut Option<String>); 3] {
        [
            ("full_name", is_name, &mut self.full_name),
            ("phone_number", is_phone, &mut self.phone_number),
            (
                "identification_number",
                is_identification,
                &mut self.identification_number,
            ),
        ]
    }
}

fn is_name(text: &str) -> bool {
    let has_letter = text.chars().any(char::is_alphabetic);
    has_letter && text.chars().count() <= TEXT_CHARS
}

fn is_phone(text: &str) -> bool {
    let is_sign = |c: char| c.is_ascii_digit() || "+ -.()".contains(c);
    let digits = text.chars().filter(char::is_ascii_digit).count();
    text.chars().all(is_sign)
        && PHONE_DIGITS.contains(&digits)
        && text.chars().count() <= TEXT_CHARS
}

fn is_identification(text: &str) -> bool {
    let is_sign = |c: char| c.is_ascii_alphanumeric() || " -./".contains(c);
    let has_digit = text.chars().any(|c| c.is_ascii_digit());
    has_digit && text.chars().all(is_sign) && text.chars().count() <= TEXT_CHARS
}

fn described(attempt: &Attempt<'_>, account: &Account, key: &str) -> Outcome {
    let Contact {
        full_name,
        phone_number,
        identification_number,
    } = &account.contact;
    let parts = [full_name, phone_number, identification_number];
    let parts: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
    let list = parts.join(", ");
    let arguments = [("count", parts.len().into()), ("list", (&list).into())];
    let user: Value = json!({
        "user_id": attempt.owner.user(),
        "full_name": full_name,
        "phone_number": phone_number,
        "identification_number": identification_number,
    });
    let message = attempt.message(key, &arguments);
    Outcome::done(
        message,
        vec![user],
        json!({"user_id": attempt.owner.user()}),
    )
}
