//! What names something of some customer's: opaque to callers, and good in a path.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use mostrador_core::{ids::Owner, purchases::QueuePlace};

/// The name of what has that number in a customer's series.
pub(crate) fn id(user: &str, number: u32) -> String {
    URL_SAFE_NO_PAD.encode(format!("{number}:{user}"))
}

/// Whose it is, of the staff's own tenant, and its number; nothing where it is no name of ours.
pub(crate) fn read_id(staff: &Owner, id: &str) -> Option<(Owner, u32)> {
    let decoded = decode(id)?;
    let (number, user) = decoded.split_once(':')?;
    let customer = Owner::new(staff.tenant(), user).ok()?;
    Some((customer, counted(number)?))
}

/// Where a list goes on.
pub(crate) fn cursor(place: &QueuePlace) -> String {
    let QueuePlace { at, user, number } = place;
    URL_SAFE_NO_PAD.encode(format!("{at}:{number}:{user}"))
}

/// The place of a cursor; nothing where it is none of ours.
pub(crate) fn read_cursor(staff: &Owner, cursor: &str) -> Option<QueuePlace> {
    let decoded = decode(cursor)?;
    let (at, rest) = decoded.split_once(':')?;
    let (number, user) = rest.split_once(':')?;
    Owner::new(staff.tenant(), user).ok()?;
    Some(QueuePlace {
        at: at.parse().ok()?,
        user: user.to_owned(),
        number: counted(number)?,
    })
}

fn decode(text: &str) -> Option<String> {
    String::from_utf8(URL_SAFE_NO_PAD.decode(text).ok()?).ok()
}

fn counted(number: &str) -> Option<u32> {
    number.parse().ok().filter(|number| *number > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_cursors_come_back_and_nothing_else_is_one() {
        let staff = Owner::new("macondo", "eva").unwrap();
        for user in ["ana", "a:b", "ñandú/..%2f", "auth0|17"] {
            let (customer, number) = read_id(&staff, &id(user, 7)).unwrap();
            assert_eq!(
                (customer.tenant(), customer.user(), number),
                ("macondo", user, 7)
            );
            let place = QueuePlace {
                at: -5,
                user: user.to_owned(),
                number: 7,
            };
            assert_eq!(read_cursor(&staff, &cursor(&place)), Some(place));
        }
        let encoded = |text: &str| URL_SAFE_NO_PAD.encode(text);
        for text in [
            "",
            "7",
            ":",
            "0:ana",
            "7:",
            "-1:ana",
            "7:a\u{0}",
            "99999999999:ana",
        ] {
            assert_eq!(read_id(&staff, &encoded(text)), None, "{text}");
            assert_eq!(
                read_cursor(&staff, &encoded(&format!("1:{text}"))),
                None,
                "{text}"
            );
        }
        assert_eq!(read_id(&staff, "7:ana"), None);
        assert_eq!(
            read_id(&staff, &URL_SAFE_NO_PAD.encode([b'7', b':', 0xff])),
            None
        );
        assert_eq!(read_cursor(&staff, &encoded("1e9:7:ana")), None);
    }
}
