//! Text as people's machines write it.

use encoding_rs::{Encoding, WINDOWS_1252};
use mostrador_search::files::Page;

/// A text, on no page; nothing where it is none. What is not UTF-8 is what Windows wrote before.
pub(crate) fn pages(bytes: &[u8]) -> Vec<Page> {
    let text = match (Encoding::for_bom(bytes), std::str::from_utf8(bytes)) {
        (Some((encoding, _)), _) => encoding.decode(bytes).0,
        (None, Ok(text)) => text.into(),
        (None, Err(_)) => WINDOWS_1252.decode(bytes).0,
    };
    if text.contains('\0') {
        return Vec::new();
    }
    vec![Page {
        number: None,
        text: text.into_owned(),
    }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_as_they_were_written() {
        let cases: [(&[u8], Option<&str>); 5] = [
            ("año".as_bytes(), Some("año")),
            (b"\xef\xbb\xbfa\xc3\xb1o", Some("año")),
            (b"a\xf1o", Some("año")),
            (b"\xff\xfea\0\xf1\0o\0", Some("año")),
            (b"PK\x03\x04\0\0", None),
        ];
        for (bytes, expected) in cases {
            let pages = pages(bytes);
            let text = pages.first().map(|page| page.text.as_str());
            assert_eq!(text, expected, "{bytes:?}");
        }
    }
}
