//! `GET status/`: what is configured, without secrets.

use mostrador_core::{actions::ACTIONS, limits::Scope, tools};
use mostrador_web::{Problem, Reply};

use crate::{
    Deps,
    describe::{LlmStatus, RateStatus, RetrievalStatus, Status, ToolStatus},
};

pub(crate) async fn get(deps: &Deps) -> Result<Reply, Problem> {
    let policy = &deps.policy;
    let index = deps.retrieval.index.current().await;
    let info = index.as_ref().map(|index| index.info());
    let rates = deps.gate.rates();
    let limits = Scope::ALL.into_iter().filter_map(|scope| {
        let rate = rates?.of(scope);
        Some((
            scope.to_string(),
            RateStatus {
                limit: rate.limit,
                window_seconds: rate.window_seconds,
            },
        ))
    });
    let status = Status {
        llm: LlmStatus {
            provider: policy.provider.to_owned(),
            model: policy.model().cloned(),
            available: policy.is_configured(),
            mode: if policy.is_configured() {
                "model"
            } else {
                "deterministic"
            }
            .to_owned(),
            requires_byo_key: policy.requires_byo_key(),
            byo_key_allowed: policy.allow_byo_key,
            timeout_sec: policy.timeout_seconds,
            max_tokens: policy.max_tokens,
            cost_mode: policy.cost_mode,
        },
        retrieval: RetrievalStatus {
            vector_ready: info.is_some(),
            build_id: info.map(|info| info.build_id.clone()),
            items: info.map_or(0, |info| info.items),
            embedder: info.map(|info| info.embedder.clone()),
            built_at: info.map(|info| info.built_at.clone()),
        },
        tools: ToolStatus {
            read_only: tools::read_only().map(str::to_owned).collect(),
            actions: ACTIONS.map(str::to_owned).into(),
            actions_requires_auth: true,
        },
        limits: limits.collect(),
    };
    Ok(Reply::ok(&status))
}
