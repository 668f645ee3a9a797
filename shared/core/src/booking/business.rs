//! A business that takes appointments.

use std::num::NonZeroU16;

use jiff::{
    Timestamp,
    civil::{Date, Time},
    tz::{AmbiguousOffset, TimeZone},
};

use super::{
    AppointmentId, Booking, BranchId, BusinessId, CalendarId, CategoryId, Hours, Marker, ServiceId,
    local_day::date_at,
};
use crate::{ids::Owner, price::Price};

/// What the title of an event has in it by which a calendar elsewhere is open, where a business does not say otherwise.
pub const AVAILABILITY_MARKER: &str = "disponible";

/// A business, as its file describes it; [`Business::read`] makes one, of which every reference leads somewhere.
///
/// It is kept as its file and read again: what was written before a rule was made is held to the rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Business {
    pub id: BusinessId,
    pub business_name: String,
    /// Where all its times are.
    pub time_zone: TimeZone,
    /// What its prices are in, by ISO 4217.
    pub currency: String,
    /// With its country, `+34 …`.
    pub whatsapp_number: Option<String>,
    /// The assistant's name; the business's, where it has none.
    pub bot_name: Option<String>,
    pub greeting_message: Option<String>,
    /// So many days after today are the last on which an appointment can begin.
    pub booking_window_days: u16,
    /// So long before it begins an appointment can be made at the latest.
    pub min_notice_minutes: u16,
    pub availability_marker: Marker,
    /// From one slot to the next; a service's duration, where it is not said.
    pub slot_step_minutes: Option<NonZeroU16>,
    pub branches: Vec<Branch>,
    pub categories: Vec<Category>,
    pub services: Vec<Service>,
    pub calendars: Vec<Calendar>,
}

/// A place where appointments are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branch {
    pub id: BranchId,
    pub name: String,
    pub address: String,
    pub hours: Hours,
}

/// A group of services.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Category {
    pub id: CategoryId,
    pub name: String,
}

/// What can be booked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Service {
    pub id: ServiceId,
    pub name: String,
    /// What customers say for it, in any language.
    pub also_called: Vec<String>,
    pub category: CategoryId,
    pub description: Option<String>,
    pub price: Price,
    pub duration_minutes: NonZeroU16,
    /// Taken before and after an appointment of it, by nobody.
    pub buffer_before_minutes: u16,
    pub buffer_after_minutes: u16,
}

/// A person or a room, with whom one customer is at a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Calendar {
    pub id: CalendarId,
    pub name: String,
    pub branch: BranchId,
    /// In the order of the file; never none.
    pub offers: Vec<ServiceId>,
    pub source: Source,
}

/// By what a calendar is open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// By hours that are kept here; its branch's alone, where there are none.
    Kept { hours: Option<Hours> },
    /// By the events of a calendar of Google's that have the availability marker.
    Google { calendar_id: String },
    /// By such events of a calendar that is reached by `CalDAV`.
    CalDav { url: String },
}

impl Business {
    /// What the assistant is called.
    #[must_use]
    pub fn bot_name(&self) -> &str {
        self.bot_name.as_deref().unwrap_or(&self.business_name)
    }

    #[must_use]
    pub fn branch(&self, id: &BranchId) -> Option<&Branch> {
        self.branches.iter().find(|branch| branch.id == *id)
    }

    #[must_use]
    pub fn category(&self, id: &CategoryId) -> Option<&Category> {
        self.categories.iter().find(|category| category.id == *id)
    }

    #[must_use]
    pub fn service(&self, id: &ServiceId) -> Option<&Service> {
        self.services.iter().find(|service| service.id == *id)
    }

    #[must_use]
    pub fn calendar(&self, id: &CalendarId) -> Option<&Calendar> {
        self.calendars.iter().find(|calendar| calendar.id == *id)
    }

    /// The date where the business is.
    #[must_use]
    pub fn date_of(&self, at: Timestamp) -> Date {
        date_at(at.as_second(), &self.time_zone)
    }

    /// The minute of the day that its clocks show.
    #[must_use]
    pub fn minute_of(&self, at: Timestamp) -> u16 {
        let local = self.time_zone.to_datetime(at);
        u16::from(local.hour().unsigned_abs()) * 60 + u16::from(local.minute().unsigned_abs())
    }

    /// When its clocks show that minute of a day, of two such times the first; nothing where they leave it out.
    #[must_use]
    pub fn at(&self, date: Date, minute: u16) -> Option<Timestamp> {
        let (hour, minute) = (
            i8::try_from(minute / 60).ok()?,
            i8::try_from(minute % 60).ok()?,
        );
        let time = Time::new(hour, minute, 0, 0).ok()?;
        let shown = self
            .time_zone
            .to_ambiguous_timestamp(date.to_datetime(time));
        match shown.offset() {
            AmbiguousOffset::Gap { .. } => None,
            AmbiguousOffset::Unambiguous { .. } | AmbiguousOffset::Fold { .. } => {
                shown.earlier().ok()
            }
        }
    }

    /// The calendars that offer a service, those of one branch where it is said which, in the order of the file.
    pub fn offering(
        &self,
        branch: Option<&BranchId>,
        service: &ServiceId,
    ) -> impl Iterator<Item = &Calendar> {
        let calendars = self.calendars.iter();
        calendars.filter(move |calendar| {
            branch.is_none_or(|branch| calendar.branch == *branch) && calendar.offers(service)
        })
    }

    /// The services that some calendar of a branch offers, in the order of the file.
    pub fn services_at(&self, branch: &BranchId) -> impl Iterator<Item = &Service> {
        let services = self.services.iter();
        services.filter(move |service| self.offering(Some(branch), &service.id).next().is_some())
    }
}

impl Service {
    /// Its name, and what else it is called.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let others = self.also_called.iter().map(String::as_str);
        std::iter::once(self.name.as_str()).chain(others)
    }

    /// The same with the time that a booking of it takes, however long it is by now.
    #[must_use]
    pub fn as_booked(&self, booking: &Booking) -> Self {
        Self {
            duration_minutes: booking.duration_minutes,
            buffer_before_minutes: booking.buffer_before_minutes,
            buffer_after_minutes: booking.buffer_after_minutes,
            ..self.clone()
        }
    }

    /// An appointment of it that begins at `start`.
    #[must_use]
    pub fn booking(&self, id: AppointmentId, customer: Owner, start: Timestamp) -> Booking {
        Booking {
            id,
            customer,
            service: self.id.clone(),
            start_at: start,
            duration_minutes: self.duration_minutes,
            buffer_before_minutes: self.buffer_before_minutes,
            buffer_after_minutes: self.buffer_after_minutes,
        }
    }
}

impl Calendar {
    #[must_use]
    pub fn offers(&self, service: &ServiceId) -> bool {
        self.offers.contains(service)
    }
}
