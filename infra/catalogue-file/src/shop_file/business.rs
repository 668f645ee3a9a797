//! A business that takes appointments.

use std::path::Path;

use mostrador_core::booking::Business;
use serde_json::Value;

use super::{FileError, PlacedFault, from_text, toml};
use crate::decoded;

/// Reads a business's file: the business, and the file as the JSON by which it is kept.
///
/// # Errors
/// [`FileError`]; with `Faults`, everything that is wrong is named.
pub fn read_business(path: &Path) -> Result<(Business, String), FileError> {
    let name = path.display().to_string();
    if path.extension().is_none_or(|extension| extension != "toml") {
        return Err(FileError::UnknownKind(name, "no .toml"));
    }
    let bytes = std::fs::read(path).map_err(|error| FileError::Unreadable(name, error))?;
    business_from_toml(&decoded(&bytes).0).map_err(FileError::Faults)
}

/// Reads a business that is written in TOML: the business, and what is written as JSON.
///
/// # Errors
/// Every fault, in the order of their places.
pub fn business_from_toml(text: &str) -> Result<(Business, String), Vec<PlacedFault>> {
    from_text(text, toml::parse(text), |file| {
        let written = Value::Object(file.clone()).to_string();
        Ok((Business::read(file)?, written))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SALON: &str = include_str!("../../../local/demo/salon/business.toml");

    #[test]
    fn every_fault_has_its_place() {
        let faults = |from: &str, to: &str| {
            let faults = business_from_toml(&SALON.replacen(from, to, 1)).unwrap_err();
            let lines = faults.iter().map(ToString::to_string);
            lines.collect::<Vec<_>>().join("\n")
        };
        business_from_toml(SALON).unwrap();
        insta::assert_snapshot!(faults("Europe/Madrid", "Madrid"), @r#"8:1: time_zone: "Madrid" is no time zone — write one such as "Europe/Madrid""#);
        insta::assert_snapshot!(faults("duration_minutes = 45", "duration_minutes = -45\nprecio = 3"), @r#"
        84:1: services[0].duration_minutes: -45 is too little or too much — write 5 to 720
        85:1: services[0].precio: unknown field `precio`, expected one of `id`, `name`, `also_called`, `category`, `description`, `price`, `duration_minutes`, `buffer_before_minutes`, `buffer_after_minutes`
        "#);
        insta::assert_snapshot!(faults("\"recogido\", \"tinte\"", "\"moño\", \"tinte\""), @r#"219:71: calendars[0].offers[4]: "moño" is the id of no service — write one of corte-mujer, corte-hombre, corte-infantil, peinado, recogido, tinte, mechas, matiz, manicura, manicura-semipermanente, pedicura, cejas, …"#);
        insta::assert_snapshot!(faults("[[branches]]", "[[branches]"), @r#"
        14:12: is not TOML — unclosed array table, expected `]`
        40:3: is not TOML — duplicate key
        45:11: is not TOML — duplicate key
        "#);
    }
}
