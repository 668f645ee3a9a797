//! The `Idempotency-Key` of a request.

use http::HeaderMap;
use mostrador_core::{ids::Owner, limits::IdempotentRequest};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::Problem;

/// The request's key with what it is looked up by; a guest's key is not looked at, since nothing of a guest is kept.
pub(crate) fn of_request(
    headers: &HeaderMap,
    owner: Option<&Owner>,
    operation: &str,
    parts: &[&[u8]],
    lease: Uuid,
) -> Result<Option<IdempotentRequest>, Problem> {
    let mut keys = headers.get_all("idempotency-key").iter();
    let Some(key) = keys.next() else {
        return Ok(None);
    };
    let key = key
        .to_str()
        .ok()
        .filter(|key| (1..=255).contains(&key.len()) && key.bytes().all(|b| b.is_ascii_graphic()));
    let (Some(key), None) = (key, keys.next()) else {
        return Err(Problem::invalid(
            "Idempotency-Key is not one to 255 visible ASCII characters",
        ));
    };
    let hash = parts.iter().fold(Sha256::new(), Sha256::chain_update);
    let body_hash = hash
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    Ok(owner.map(|owner| IdempotentRequest {
        owner: owner.to_string(),
        operation: operation.to_owned(),
        key: key.to_owned(),
        body_hash,
        lease,
    }))
}
