//! An event as a person writes it into a calendar.

/// What one would type. Times are `20261123T090000` in a zone, or dates.
#[derive(Debug, Clone)]
pub(crate) struct Draft {
    pub(crate) title: String,
    pub(crate) start: &'static str,
    pub(crate) end: &'static str,
    pub(crate) zone: &'static str,
    /// `RRULE:…`, `EXDATE;…:…`.
    pub(crate) recurrence: Vec<&'static str>,
    /// What is otherwise at the times that the series would have.
    pub(crate) others: Vec<Other>,
    pub(crate) is_cancelled: bool,
    pub(crate) is_transparent: bool,
    /// By whose calendar it is.
    pub(crate) is_declined: bool,
}

/// An event of a series instead of one that it would have.
#[derive(Debug, Clone)]
pub(crate) struct Other {
    pub(crate) instead_of: &'static str,
    pub(crate) draft: Draft,
}

impl Draft {
    pub(crate) fn new(title: &str, start: &'static str, end: &'static str) -> Self {
        Self {
            title: title.to_owned(),
            start,
            end,
            zone: "Europe/Madrid",
            recurrence: Vec::new(),
            others: Vec::new(),
            is_cancelled: false,
            is_transparent: false,
            is_declined: false,
        }
    }
}
