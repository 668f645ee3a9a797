//! Whether a delivery is the platform's: the signature over its raw bytes, and the challenge with which it is set up.

use hmac::{Hmac, KeyInit, Mac};
use secrecy::{ExposeSecret, SecretString};
use sha2::Sha256;

use crate::webhook::BODY_BYTES_MAX;

/// The header that holds the signature.
pub const HEADER: &str = "X-Hub-Signature-256";
const ALGORITHM: &str = "sha256=";
const DIGEST_BYTES: usize = 32;
/// The platform's own is a number of ten digits.
const CHALLENGE_BYTES_MAX: usize = 256;

/// The raw bytes of a delivery whose signature is right. Nothing else can be read as one.
#[derive(Debug, Clone, Copy)]
pub struct Signed<'a>(&'a [u8]);

impl<'a> Signed<'a> {
    #[must_use]
    pub fn body(self) -> &'a [u8] {
        self.0
    }
}

/// Why a delivery is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    #[error("the delivery has no signature")]
    Missing,
    #[error("the signature is not sha256= and 64 hexadecimal digits")]
    Malformed,
    #[error("the signature is not that of the body")]
    Wrong,
    #[error("the delivery has more than {BODY_BYTES_MAX} bytes")]
    TooLarge,
}

/// The body as signed, or why it is not believed. `header` is the whole value of [`HEADER`]; digits may be upper case.
/// The comparison takes as long whatever differs.
///
/// # Errors
/// [`Refused`].
pub fn verify<'a>(
    app_secret: &SecretString,
    header: Option<&str>,
    body: &'a [u8],
) -> Result<Signed<'a>, Refused> {
    if body.len() > BODY_BYTES_MAX {
        return Err(Refused::TooLarge);
    }
    let header = header.ok_or(Refused::Missing)?;
    let hex = header.strip_prefix(ALGORITHM).ok_or(Refused::Malformed)?;
    let signature = digest(hex).ok_or(Refused::Malformed)?;
    let mac = mac(app_secret, body).ok_or(Refused::Wrong)?;
    match mac.verify_slice(&signature) {
        Ok(()) => Ok(Signed(body)),
        Err(_) => Err(Refused::Wrong),
    }
}

/// The value of [`HEADER`] for a body.
#[must_use]
pub fn sign(app_secret: &SecretString, body: &[u8]) -> String {
    let digest = mac(app_secret, body).map(|mac| mac.finalize().into_bytes());
    let hex = digest.iter().flatten().map(|byte| format!("{byte:02x}"));
    hex.fold(ALGORITHM.to_owned(), |header, byte| header + &byte)
}

/// The query of the request with which the platform asks whether an address is meant to receive deliveries.
#[derive(Debug, Clone, Copy, Default)]
pub struct Challenge<'a> {
    /// `hub.mode`
    pub mode: Option<&'a str>,
    /// `hub.verify_token`
    pub verify_token: Option<&'a str>,
    /// `hub.challenge`
    pub challenge: Option<&'a str>,
}

/// The body of the answer (status 200, `text/plain`), or nothing where the request is not the platform's (status 403).
#[must_use]
pub fn answer<'a>(challenge: &Challenge<'a>, verify_token: &SecretString) -> Option<&'a str> {
    let given = challenge.verify_token?;
    let is_ours = !verify_token.expose_secret().is_empty() && is_same(given, verify_token);
    let text = challenge.challenge.filter(|text| {
        let is_plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        is_plain && !text.is_empty() && text.len() <= CHALLENGE_BYTES_MAX
    });
    text.filter(|_| is_ours && challenge.mode == Some("subscribe"))
}

/// Two digests are compared, which takes as long for any two texts.
fn is_same(given: &str, expected: &SecretString) -> bool {
    let digest = |text: &str| mac(expected, text.as_bytes()).map(Mac::finalize);
    match (digest(given), digest(expected.expose_secret())) {
        (Some(given), Some(expected)) => given == expected,
        (None, _) | (_, None) => false,
    }
}

/// HMAC takes keys of any length. One of none is no secret, and nothing is signed by it.
fn mac(key: &SecretString, body: &[u8]) -> Option<Hmac<Sha256>> {
    if key.expose_secret().is_empty() {
        return None;
    }
    let mut mac = Hmac::<Sha256>::new_from_slice(key.expose_secret().as_bytes()).ok()?;
    mac.update(body);
    Some(mac)
}

fn digest(hex: &str) -> Option<[u8; DIGEST_BYTES]> {
    let digits = hex.as_bytes();
    if digits.len() != 2 * DIGEST_BYTES {
        return None;
    }
    let mut digest = [0; DIGEST_BYTES];
    for (byte, pair) in digest.iter_mut().zip(digits.chunks_exact(2)) {
        let value = |digit: u8| char::from(digit).to_digit(16);
        let [high, low] = [value(pair[0])?, value(pair[1])?];
        *byte = u8::try_from(high << 4 | low).ok()?;
    }
    Some(digest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret() -> SecretString {
        SecretString::from("app-secret")
    }

    fn check(header: Option<&str>, body: &[u8], expected: Result<(), Refused>) {
        let verified = verify(&secret(), header, body).map(|_| ());
        assert_eq!(verified, expected, "{header:?}");
    }

    /// The second test case of RFC 4231.
    #[test]
    fn signatures_are_hmac_sha256() {
        let signature = sign(&SecretString::from("Jefe"), b"what do ya want for nothing?");
        assert_eq!(
            signature,
            "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        );
    }

    #[test]
    fn nothing_is_signed_without_a_secret() {
        let none = SecretString::from("");
        let mac = Hmac::<Sha256>::new_from_slice(b"").unwrap();
        let digest = mac.finalize().into_bytes();
        let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        let verified = verify(&none, Some(&format!("sha256={hex}")), b"");
        assert_eq!(verified.map(|_| ()), Err(Refused::Wrong));
    }

    #[test]
    fn only_the_signature_of_these_bytes_is_taken() {
        let body = br#"{"object":"whatsapp_business_account","entry":[]}"#;
        let right = sign(&secret(), body);
        check(Some(&right), body, Ok(()));
        let upper = format!("sha256={}", right[7..].to_uppercase());
        check(Some(&upper), body, Ok(()));
        check(None, body, Err(Refused::Missing));
        for malformed in [
            "",
            "sha256=",
            &right[7..],
            &right[..right.len() - 1],
            &right[..right.len() - 2],
            &format!("{right}00"),
            &right.replace("sha256=", "sha1="),
            &right.replace("sha256=", "SHA256="),
            &format!(" {right}"),
            &format!("sha256={}", "g".repeat(64)),
            &format!("sha256={}", "é".repeat(32)),
        ] {
            check(Some(malformed), body, Err(Refused::Malformed));
        }
        let other = sign(&SecretString::from("another"), body);
        check(Some(&other), body, Err(Refused::Wrong));
        check(Some(&right), &body[1..], Err(Refused::Wrong));
        let zero = format!("sha256={}", "0".repeat(64));
        check(Some(&zero), body, Err(Refused::Wrong));
        let large = vec![b' '; BODY_BYTES_MAX + 1];
        check(
            Some(&sign(&secret(), &large)),
            &large,
            Err(Refused::TooLarge),
        );
    }

    #[test]
    fn a_challenge_is_answered_to_who_knows_the_token() {
        let right = Challenge {
            mode: Some("subscribe"),
            verify_token: Some("token"),
            challenge: Some("1158201444"),
        };
        let token = SecretString::from("token");
        assert_eq!(answer(&right, &token), Some("1158201444"));
        for wrong in [
            Challenge {
                mode: None,
                ..right
            },
            Challenge {
                mode: Some("unsubscribe"),
                ..right
            },
            Challenge {
                verify_token: None,
                ..right
            },
            Challenge {
                verify_token: Some("toke"),
                ..right
            },
            Challenge {
                verify_token: Some(""),
                ..right
            },
            Challenge {
                challenge: None,
                ..right
            },
            Challenge {
                challenge: Some("<script>"),
                ..right
            },
            Challenge {
                challenge: Some(""),
                ..right
            },
        ] {
            assert_eq!(answer(&wrong, &token), None, "{wrong:?}");
        }
        let empty = Challenge {
            verify_token: Some(""),
            ..right
        };
        assert_eq!(answer(&empty, &SecretString::from("")), None, "not set up");
    }
}
