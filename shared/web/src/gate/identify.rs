//! Who calls, by the token that a request brings.

use http::{HeaderMap, header::AUTHORIZATION};

use crate::{Gate, Identity, Problem, call::Call};

impl Gate {
    /// Who calls. Where only the staff are meant, there is nothing for anybody else.
    pub(super) async fn identify(&self, call: &mut Call, is_staffs: bool) -> Result<(), Problem> {
        let identity = self.authenticate(&call.headers).await?;
        let is_staff = identity.as_ref().is_some_and(|identity| identity.is_staff);
        if is_staffs && !is_staff {
            return Err(Problem::NotFound);
        }
        call.may_trace = self.traces.allow(is_staff);
        call.owner = identity.map(|identity| identity.owner);
        Ok(())
    }

    async fn authenticate(&self, headers: &HeaderMap) -> Result<Option<Identity>, Problem> {
        let Some(authenticator) = &self.authenticator else {
            return Ok(None);
        };
        let mut presented = headers.get_all(AUTHORIZATION).iter();
        let Some(value) = presented.next() else {
            return Ok(None);
        };
        if presented.next().is_some() {
            return Err(Problem::InvalidToken);
        }
        let token = value.to_str().ok().and_then(|value| {
            let (scheme, token) = value.split_once(' ')?;
            scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
        });
        let token = token.ok_or(Problem::InvalidToken)?;
        authenticator
            .identify(token)
            .await
            .map(Some)
            .map_err(Problem::from)
    }
}
