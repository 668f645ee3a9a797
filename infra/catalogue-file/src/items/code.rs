//! Codes that goods carry.

use mostrador_core::isbn;

/// Whether a code's check digit is right, where its standard has one: ISBN, EAN, UPC, GTIN. What is none of these is a shop's own.
pub(super) fn is_valid(code: &str) -> bool {
    let compact: String = code.chars().filter(|c| !matches!(c, '-' | ' ')).collect();
    let digits: Vec<u32> = compact.chars().filter_map(|c| c.to_digit(10)).collect();
    let is_number = digits.len() == compact.len();
    match digits.len() {
        8 | 12 | 13 | 14 if is_number => has_right_check_digit(&digits),
        9 if compact.len() == 10 && compact.ends_with(['X', 'x']) => {
            isbn::normalise(&compact).is_some()
        }
        10 if is_number => isbn::normalise(&compact).is_some(),
        _ => true,
    }
}

/// From the right, every other digit counts three times.
fn has_right_check_digit(digits: &[u32]) -> bool {
    let weights = [1, 3].into_iter().cycle();
    let sum: u32 = digits.iter().rev().zip(weights).map(|(d, w)| d * w).sum();
    sum.is_multiple_of(10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_digits_are_checked_where_there_are_any() {
        for (code, expected) in [
            ("8412345678905", true),
            ("8412345678906", false),
            ("84-1234-567890-5", true),
            ("96385074", true),
            ("96385073", false),
            ("036000291452", true),
            ("036000291453", false),
            ("00036000291452", true),
            ("9780307474728", true),
            ("0-307-47472-0", true),
            ("080442957X", true),
            ("080442958X", false),
            ("CAM-LIN-001", true),
            ("12345", true),
            ("", true),
        ] {
            assert_eq!(is_valid(code), expected, "{code}");
        }
    }
}
