//! Whom guests are counted as: nobody knows who they are, only where they come from.

use std::net::IpAddr;

/// All guests together. A tenant has a name, so no owner's key begins like this.
pub(crate) const ALL: &str = "#guests";

/// Who is counted for a guest from this address: an IPv4 address, or the network of an IPv6 one, of which every household has
/// 2^64 addresses (a /64, RFC 6177).
pub(crate) fn subject(source: &str) -> String {
    let network = match source
        .parse::<IpAddr>()
        .map(|address| address.to_canonical())
    {
        Ok(IpAddr::V6(address)) => {
            let [a, b, c, d, ..] = address.segments();
            format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
        }
        Ok(IpAddr::V4(address)) => address.to_string(),
        Err(_) => "unknown".to_owned(),
    };
    format!("#guest#{network}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_is_one_guest() {
        for (source, expected) in [
            ("203.0.113.7", "#guest#203.0.113.7"),
            ("::ffff:203.0.113.7", "#guest#203.0.113.7"),
            ("2001:db8:1:2::1", "#guest#2001:db8:1:2::/64"),
            (
                "2001:db8:1:2:ffff:ffff:ffff:ffff",
                "#guest#2001:db8:1:2::/64",
            ),
            ("2001:db8:1:3::1", "#guest#2001:db8:1:3::/64"),
            ("somewhere", "#guest#unknown"),
        ] {
            assert_eq!(subject(source), expected, "{source}");
        }
        // Whoever a token names, theirs is another window.
        assert!(mostrador_core::ids::Owner::from_key(&subject("203.0.113.7")).is_err());
        assert!(mostrador_core::ids::Owner::from_key(ALL).is_err());
    }
}
