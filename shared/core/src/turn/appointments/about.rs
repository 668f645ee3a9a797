//! What is told of the business itself: what it offers, and how long that takes.

use super::{Desk, Errand, Kind, OTHERS, Reply, SLOTS, record_of, was_of_appointment};
use crate::log::Commit;

impl Desk<'_> {
    /// That there are appointments to be had, and of what kind.
    pub(super) fn offer(&self) -> String {
        let categories = self.business.categories.iter();
        let names: Vec<&str> = categories.map(|category| category.name.as_str()).collect();
        let list = names.join(", ");
        let business = &self.business.business_name;
        let arguments = [("business", business.into()), ("list", (&list).into())];
        self.locale.message("help-appointments", &arguments)
    }

    /// How long what is wanted takes, or what was wanted last, where that is asked; what is open stays so.
    pub(super) async fn tell_length(
        &self,
        open: Option<&Errand>,
        commits: &[Commit],
    ) -> Option<Reply> {
        let times = self.details.times;
        // What one costs that is named anew is told with its times.
        let asks_price = times.asks_price && self.details.services.is_empty();
        if !(times.asks_length || asks_price) || self.details.others > OTHERS {
            return None;
        }
        let mut named = self
            .details
            .services
            .iter()
            .map(|service| service.id.to_string());
        let service = match (named.next(), open.and_then(|open| open.service.clone())) {
            (Some(named), _) => named,
            (None, Some(open)) => open,
            (None, None) if was_of_appointment(commits) => {
                self.last().await?.booking.service.to_string()
            }
            (None, None) => return None,
        };
        let mut services = self.business.services.iter();
        let service = services.find(|one| one.id.as_str() == service)?;
        let line = self.details(service).await?;
        // "OK, then Wednesday at 11."
        let errand = open.cloned().unwrap_or_else(|| Errand {
            service: Some(service.id.to_string()),
            ..Errand::new(Kind::Book)
        });
        Some(Reply::new(SLOTS, record_of(vec![line]), Some(errand)))
    }
}
