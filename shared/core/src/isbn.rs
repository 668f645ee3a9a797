//! ISBNs in their two lengths, as one.

/// Reads an ISBN-10 or ISBN-13 with or without hyphens and spaces, checks its check digit, and gives its 13 digits.
#[must_use]
pub fn normalise(text: &str) -> Option<String> {
    let compact: String = text
        .chars()
        .filter(|c| !matches!(c, '-' | ' ' | '–' | '.'))
        .collect();
    let compact = compact.to_ascii_uppercase();
    match compact.len() {
        13 if compact.bytes().all(|b| b.is_ascii_digit()) => {
            (check_digit_13(&compact[..12]) == compact.as_bytes()[12]).then_some(compact)
        }
        10 if compact.bytes().take(9).all(|b| b.is_ascii_digit()) => {
            if check_digit_10(&compact[..9]) != compact.as_bytes()[9] {
                return None;
            }
            let body = format!("978{}", &compact[..9]);
            let check = char::from(check_digit_13(&body));
            Some(format!("{body}{check}"))
        }
        _ => None,
    }
}

fn check_digit_13(twelve: &str) -> u8 {
    let sum: u32 = (0u32..)
        .zip(twelve.bytes())
        .map(|(i, b)| u32::from(b - b'0') * if i % 2 == 0 { 1 } else { 3 })
        .sum();
    b'0' + u8::try_from((10 - sum % 10) % 10).unwrap_or_default()
}

fn check_digit_10(nine: &str) -> u8 {
    let sum: u32 = (0u32..)
        .zip(nine.bytes())
        .map(|(i, b)| (10 - i) * u32::from(b - b'0'))
        .sum();
    match (11 - sum % 11) % 11 {
        10 => b'X',
        digit => b'0' + u8::try_from(digit).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_lengths_are_one() {
        for (text, expected) in [
            ("9780307474728", Some("9780307474728")),
            ("978-0-307-47472-8", Some("9780307474728")),
            ("0-307-47472-0", Some("9780307474728")),
            ("0439023483", Some("9780439023481")),
            ("043902348X", None),
            ("080442957X", Some("9780804429573")),
            ("9780307474729", None),
            ("12345", None),
            ("978030747472٨", None),
        ] {
            assert_eq!(normalise(text).as_deref(), expected, "{text}");
        }
    }
}
