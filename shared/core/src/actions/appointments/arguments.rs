//! What is asked for by the names that people and files have for it.

use jiff::{Timestamp, civil::Date};

use super::{Payload, Stopped, Visit};
use crate::{
    booking::{Branch, Calendar, Service},
    shop::{date, minute},
    text::{place_of, words},
};

/// What has an id in the business's file, and a name for people.
trait Named {
    fn id(&self) -> &str;
    fn name(&self) -> &str;
}

macro_rules! named {
    ($($thing:ty),+) => {$(
        impl Named for $thing {
            fn id(&self) -> &str {
                self.id.as_str()
            }

            fn name(&self) -> &str {
                &self.name
            }
        }
    )+};
}

named!(Branch, Service, Calendar);

/// The one that is called so: by its id, its name whatever its case and accents, or words that only its name has one behind the other.
fn called<'a, T: Named>(things: impl IntoIterator<Item = &'a T>, said: &str) -> Option<&'a T> {
    let things: Vec<&T> = things.into_iter().collect();
    if let Some(thing) = things.iter().find(|thing| thing.id() == said) {
        return Some(thing);
    }
    let said = words(said);
    let names: Vec<(&T, Vec<String>)> = things
        .iter()
        .map(|thing| (*thing, words(thing.name())))
        .collect();
    // Two of one name, in two branches, are none by it.
    let mut whole = names.iter().filter(|(_, name)| *name == said);
    match (whole.next(), whole.next()) {
        (Some((thing, _)), None) => return Some(thing),
        (Some(_), Some(_)) => return None,
        (None, _) => {}
    }
    let has_said = |name: &[String]| !said.is_empty() && place_of(&said, name).is_some();
    let mut found = names.iter().filter(|(_, name)| has_said(name));
    match (found.next(), found.next()) {
        (Some((thing, _)), None) => Some(thing),
        _ => None,
    }
}

/// A list of names for people.
fn listed<'a, T: Named + 'a>(things: impl IntoIterator<Item = &'a T>) -> String {
    let names: Vec<&str> = things.into_iter().map(Named::name).collect();
    names.join(", ")
}

impl Visit<'_> {
    /// The branch that the payload names, nothing where it names none; or that there is no such one.
    pub(super) fn branch(&self, payload: &Payload) -> Result<Option<&Branch>, Stopped> {
        let Some(said) = payload.text("branch_id") else {
            return Ok(None);
        };
        let branches = &self.business.branches;
        let branch = called(branches, said);
        branch.map(Some).ok_or_else(|| {
            let list = listed(branches);
            let arguments = [("list", (&list).into())];
            self.attempt.refused("branch_not_found", &arguments).into()
        })
    }

    /// The service that the payload names, among those of a branch where it is clear which; or that there is no such one.
    pub(super) fn service(
        &self,
        payload: &Payload,
        branch: Option<&Branch>,
    ) -> Result<&Service, Stopped> {
        let offered: Vec<&Service> = match branch {
            Some(branch) => self.business.services_at(&branch.id).collect(),
            None => self.business.services.iter().collect(),
        };
        let said = ["service_name", "service", "service_id"];
        let said = said.into_iter().find_map(|name| payload.text(name));
        let service = said.and_then(|said| called(offered.iter().copied(), said));
        service.ok_or_else(|| {
            let list = listed(offered);
            let arguments = [("list", (&list).into())];
            self.attempt.refused("service_not_found", &arguments).into()
        })
    }

    /// The calendars in which a service is looked for: the one that the payload names, or all that offer it; or that none does.
    pub(super) fn calendars(
        &self,
        payload: &Payload,
        branch: Option<&Branch>,
        service: &Service,
    ) -> Result<Vec<&Calendar>, Stopped> {
        let offering: Vec<&Calendar> = self
            .business
            .offering(branch.map(|branch| &branch.id), &service.id)
            .collect();
        let said = ["calendar_name", "calendar", "calendar_id"];
        let said = said.into_iter().find_map(|name| payload.text(name));
        let Some(said) = said else {
            return Ok(offering);
        };
        let calendar = called(offering.iter().copied(), said);
        calendar.map(|calendar| vec![calendar]).ok_or_else(|| {
            let list = listed(offering);
            let arguments = [("list", (&list).into())];
            self.attempt
                .refused("calendar_not_found", &arguments)
                .into()
        })
    }

    /// The date of that name in the payload, nothing where it has none; or that it is no date.
    pub(super) fn date(&self, payload: &Payload, name: &str) -> Result<Option<Date>, Stopped> {
        let Some(said) = payload.text(name) else {
            return Ok(None);
        };
        let date = date(said).ok_or_else(|| self.attempt.refused("invalid_date", &[]))?;
        Ok(Some(date))
    }

    /// When something is to begin: `starts_at` with its offset, or `date` and `time` by the clocks of the business; of two times that
    /// these show the first. `before` stands before the names.
    pub(super) fn start(&self, payload: &Payload, before: &str) -> Result<Timestamp, Stopped> {
        let refused = |code| self.attempt.refused(code, &[]);
        if let Some(said) = payload.text(&format!("{before}starts_at")) {
            return Ok(said.parse().map_err(|_| refused("invalid_time"))?);
        }
        let date = self.date(payload, &format!("{before}date"))?;
        let date = date.ok_or_else(|| refused("invalid_date"))?;
        let time = payload.text(&format!("{before}time"));
        let minute = time.and_then(minute);
        let start = minute.and_then(|minute| self.business.at(date, minute));
        Ok(start.ok_or_else(|| refused("invalid_time"))?)
    }
}
