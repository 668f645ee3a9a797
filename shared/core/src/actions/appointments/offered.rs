//! What a business offers.

use serde_json::{Value, json};

use super::{Attempt, Outcome, Payload, Stopped, Visit};
use crate::{booking::Service, text::plain};

/// Every service, of a branch where one is named, and of a category.
pub(super) async fn services(attempt: &Attempt<'_>, payload: &Payload) -> Result<Outcome, Stopped> {
    let visit = Visit::open(attempt, payload).await?;
    let branch = visit.branch(payload)?;
    let mut services: Vec<&Service> = match branch {
        Some(branch) => visit.business.services_at(&branch.id).collect(),
        None => visit.business.services.iter().collect(),
    };
    if let Some(category) = payload.text("category_id") {
        services.retain(|service| service.category.as_str() == category);
    }
    let (count, name) = (services.len(), &visit.business.business_name);
    let arguments = [("count", count.into()), ("business", name.into())];
    let mut outcome = Outcome::done(
        attempt.message("services", &arguments),
        services.iter().map(|one| visit.described(one)).collect(),
        json!({"count": count, "business_id": visit.business.id}),
    );
    outcome.details = attempt.listed(&services, count, |service| visit.service_line(service));
    Ok(outcome)
}

/// The groups of services, each with how many there are.
pub(super) async fn categories(
    attempt: &Attempt<'_>,
    payload: &Payload,
) -> Result<Outcome, Stopped> {
    let visit = Visit::open(attempt, payload).await?;
    let business = &visit.business;
    let described = business.categories.iter().map(|category| {
        let of_category = |service: &&Service| service.category == category.id;
        let services = business.services.iter().filter(of_category).count();
        json!({"category_id": category.id, "name": category.name, "services": services})
    });
    let names = business.categories.iter();
    let names: Vec<&str> = names.map(|category| category.name.as_str()).collect();
    let list = names.join(", ");
    Ok(Outcome::done(
        attempt.message("categories", &[("list", (&list).into())]),
        described.collect(),
        json!({"count": names.len(), "business_id": business.id}),
    ))
}

/// One service, with who offers it where.
pub(super) async fn details(attempt: &Attempt<'_>, payload: &Payload) -> Result<Outcome, Stopped> {
    let visit = Visit::open(attempt, payload).await?;
    let branch = visit.branch(payload)?;
    let service = visit.service(payload, branch)?;
    let calendars = visit.calendars(&Payload::default(), branch, service)?;
    let with: Vec<Value> = calendars
        .iter()
        .map(|calendar| {
            json!({"calendar_id": calendar.id, "calendar": calendar.name, "branch_id": calendar.branch})
        })
        .collect();
    let data = json!({"service_id": service.id, "calendars": with});
    let line = visit.service_line(service);
    let mut outcome = Outcome::done(line, vec![visit.described(service)], data);
    outcome
        .details
        .extend(service.description.as_deref().map(plain));
    Ok(outcome)
}
