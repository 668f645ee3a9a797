//! The `OpenAPI` document of all endpoints.

use mostrador_web::openapi::Document;
use serde_json::Value;
use std::io::{Write, stdout};

/// The document, made from the types.
pub(crate) fn document() -> Value {
    let mut document = Document::default();
    mostrador_chat::describe(&mut document);
    mostrador_stream::describe(&mut document);
    mostrador_search_function::describe(&mut document);
    mostrador_actions::describe(&mut document);
    mostrador_history::describe(&mut document);
    mostrador_staff::describe(&mut document);
    mostrador_erase::describe(&mut document);
    mostrador_files::describe(&mut document);
    document.finish()
}

pub(crate) fn print() -> anyhow::Result<()> {
    writeln!(stdout(), "{}", serde_json::to_string_pretty(&document())?)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_served_document_is_the_one_the_types_make() {
        let served: Value = serde_json::from_str(mostrador_page::OPENAPI).unwrap();
        assert_eq!(
            served,
            document(),
            "run: cargo run -- openapi > functions/page/src/openapi.json"
        );
    }
}
