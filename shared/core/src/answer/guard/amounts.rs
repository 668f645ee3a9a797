//! Numbers as they are written: what can be read for sure.

/// `20EUR` and `EUR20` in two.
pub(super) fn split_unit(written: &str) -> (&str, String) {
    let letters = |c: char| c.is_ascii_alphabetic();
    let digits = written.trim_matches(letters);
    let unit = written
        .strip_suffix(digits)
        .or_else(|| written.strip_prefix(digits));
    match unit {
        Some(unit) if unit.bytes().all(|b| b.is_ascii_alphabetic()) => {
            (digits, unit.to_ascii_lowercase())
        }
        _ => (written, String::new()),
    }
}

/// "2x1", "3 × 2".
pub(super) fn is_bundle(written: &str) -> bool {
    written
        .split_once(['x', 'X', '×'])
        .is_some_and(|(before, after)| {
            whole(before.trim()).is_some() && whole(after.trim()).is_some()
        })
}

/// The one or two digits after the last mark of an amount, and where the mark stands.
pub(super) fn decimals(written: &str) -> Option<(usize, char, &str)> {
    written
        .char_indices()
        .rfind(|(_, c)| matches!(c, '.' | ',' | '\'' | '’'))
        .map(|(at, mark)| (at, mark, &written[at + mark.len_utf8()..]))
        .filter(|(.., cents)| (1..=2).contains(&cents.len()))
}

/// A whole number: plain, or with a point or a comma before each three digits.
pub(super) fn whole(written: &str) -> Option<u64> {
    let mut groups = written.split(['.', ',']);
    let first = groups.next()?;
    let digits = |group: &str| !group.is_empty() && group.bytes().all(|b| b.is_ascii_digit());
    let grouped = first.len() < written.len();
    let one_mark = !(written.contains('.') && written.contains(','));
    let right = digits(first)
        && (first.len() == 1 || !first.starts_with('0'))
        && one_mark
        && (!grouped || (first.len() <= 3 && first != "0"))
        && groups.all(|group| group.len() == 3 && digits(group));
    right
        .then(|| {
            written
                .chars()
                .filter(char::is_ascii_digit)
                .collect::<String>()
        })
        .and_then(|digits| digits.parse().ok())
}

/// An amount in hundredths.
pub(super) fn minor(written: &str) -> Option<u64> {
    match decimals(written) {
        Some((at, mark, cents)) if !written[..at].contains(mark) => {
            with_cents(whole(&written[..at])?, &format!("{cents:0<2}"))
        }
        Some(_) => None,
        None => whole(written)?.checked_mul(100),
    }
}

pub(super) fn with_cents(euros: u64, cents: &str) -> Option<u64> {
    if !cents.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    euros.checked_mul(100)?.checked_add(cents.parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_for_sure_or_not_at_all() {
        for (written, expected) in [
            ("25,99", Some(2599)),
            ("25.9", Some(2590)),
            ("25'99", Some(2599)),
            ("25", Some(2500)),
            ("0,50", Some(50)),
            ("1.234", Some(123_400)),
            ("1.234,50", Some(123_450)),
            ("1,234.50", Some(123_450)),
            ("1.234.567", Some(123_456_700)),
            ("1.234.50", None),
            ("1.234,567", None),
            ("12.34.56", None),
            ("025,99", None),
            ("25,999", Some(2_599_900)),
            (",99", None),
            ("٢٥", None),
            ("1 234", None),
            ("99999999999999999999", None),
        ] {
            assert_eq!(minor(written), expected, "{written}");
        }
    }

    #[test]
    fn units_come_off() {
        for (written, digits, unit) in [
            ("20EUR", "20", "eur"),
            ("eur20", "20", "eur"),
            ("20", "20", ""),
            ("2O,90", "2O,90", ""),
            ("a20b", "a20b", ""),
        ] {
            assert_eq!(split_unit(written), (digits, unit.to_owned()));
        }
    }
}
