//! What customers do, as deliveries.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use time::OffsetDateTime;

use crate::{customers::Customer, simulator::Settings};

/// What a customer does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Inbound {
    Text {
        body: String,
    },
    /// Taps a button, or a row of a list, of one of our messages.
    Tap {
        message: String,
        choice: String,
    },
    /// A message of any type, with its own field: `{"type": "image", "image": {…}}`.
    Other {
        fields: Value,
    },
}

/// A delivery of one value.
pub(crate) fn delivery(settings: &Settings, value: Value) -> Value {
    json!({
        "object": "whatsapp_business_account",
        "entry": [{
            "id": settings.account_id,
            "changes": [{ "field": "messages", "value": value }],
        }],
    })
}

fn value(settings: &Settings) -> Value {
    json!({
        "messaging_product": "whatsapp",
        "metadata": {
            "display_phone_number": settings.display_phone,
            "phone_number_id": settings.phone_number_id,
        },
    })
}

/// The delivery of a message with these fields.
pub(crate) fn message(
    settings: &Settings,
    customer: &Customer,
    id: &str,
    at: OffsetDateTime,
    fields: Value,
) -> Value {
    let mut message = customer.names("from", "from_user_id", "from_parent_user_id");
    message.insert("id".to_owned(), json!(id));
    message.insert(
        "timestamp".to_owned(),
        json!(at.unix_timestamp().to_string()),
    );
    if let Value::Object(fields) = fields {
        message.extend(fields);
    }
    let mut value = value(settings);
    value["contacts"] = json!([customer.contact()]);
    value["messages"] = json!([message]);
    delivery(settings, value)
}

/// The delivery of a status of one of our messages.
pub(crate) fn status(
    settings: &Settings,
    customer: Option<&Customer>,
    address: &str,
    id: &str,
    at: OffsetDateTime,
    fields: Value,
) -> Value {
    let mut status = match customer {
        Some(customer) => customer.names(
            "recipient_id",
            "recipient_user_id",
            "recipient_parent_user_id",
        ),
        None => json!({ "recipient_id": address })
            .as_object()
            .cloned()
            .unwrap_or_default(),
    };
    status.insert("id".to_owned(), json!(id));
    status.insert(
        "timestamp".to_owned(),
        json!(at.unix_timestamp().to_string()),
    );
    if let Value::Object(fields) = fields {
        status.extend(fields);
    }
    let mut value = value(settings);
    // A failed message has no contact beside it.
    if let Some(customer) = customer.filter(|_| status["status"] != "failed") {
        value["contacts"] = json!([customer.contact()]);
    }
    value["statuses"] = json!([status]);
    delivery(settings, value)
}

/// The delivery of a new number, with which the user id is another one.
pub(crate) fn renaming(
    settings: &Settings,
    before: &Customer,
    after: &Customer,
    id: &str,
    at: OffsetDateTime,
) -> Value {
    let is_number = before.phone != after.phone && after.username.is_none();
    let mut system = json!({
        "body": "User changed",
        "type": if is_number { "user_changed_number" } else { "user_changed_user_id" },
        "user_id": after.user_id,
        "previous_user_id": before.user_id,
    });
    let mut message = json!({
        "id": id,
        "timestamp": at.unix_timestamp().to_string(),
        "type": "system",
    });
    if is_number {
        system["wa_id"] = json!(after.phone);
        message["from"] = json!(before.phone);
    }
    message["system"] = system;
    let mut value = value(settings);
    value["messages"] = json!([message]);
    delivery(settings, value)
}
