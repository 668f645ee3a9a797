//! A business that takes appointments: `mostrador business`.

use std::{
    io::{Write, stdout},
    path::Path,
};

use mostrador_catalogue_file::{FileError, business_from_toml, read_business};
use mostrador_core::booking::{Bookings, Branch, Business, BusinessId, Calendar, Category, Source};
use mostrador_dynamodb::DynamoBookings;
use mostrador_wiring::Read;

use crate::{
    cli::{BusinessCheckOptions, BusinessImportOptions, ServeOptions},
    profile::{counted, listed},
    stores::{Stores, variable},
};

/// Prints what is wrong with a business's file, place by place, or what it says.
pub(crate) fn check(options: &BusinessCheckOptions) -> anyhow::Result<()> {
    let (business, _) = read(&options.file)?;
    write!(stdout(), "{}", summary(&options.file, &business))?;
    Ok(())
}

/// Keeps a business whose file has no fault, in the place of what was kept of it before.
pub(crate) async fn import(options: BusinessImportOptions) -> anyhow::Result<()> {
    let (business, file) = read(&options.file)?;
    let stores = Stores::open(&options.stores).await?;
    let bookings = DynamoBookings::new(stores.dynamodb.clone(), &stores.tables);
    let before = bookings.business(&business.id).await?;
    bookings.put_business(&business, &file).await?;
    let (id, name) = (&business.id, &business.business_name);
    let said = match before {
        None => format!("{name} is kept as {id}"),
        Some(before) if before == file => {
            format!("{name} was kept as {id} already, and nothing of it has changed")
        }
        Some(_) => format!(
            "{name} is kept as {id}, in the place of what it was before; its appointments stay"
        ),
    };
    writeln!(stdout(), "{said}")?;
    Ok(())
}

/// Of the businesses beside the demo bookshop; the first is the one whose appointments are asked for.
const DEMO: [&str; 2] = [
    include_str!("../demo/salon/business.toml"),
    include_str!("../demo/clinic/business.toml"),
];

/// Whose appointments are asked for by who starts everything: that of the file that the options name, which is kept, or the demo's where
/// nothing else is named; nothing where the settings say it, or nobody does.
pub(crate) async fn of_shop(
    options: &ServeOptions,
    stores: &Stores,
    is_new_demo: bool,
) -> anyhow::Result<Option<BusinessId>> {
    let bookings = DynamoBookings::new(stores.dynamodb.clone(), &stores.tables);
    if let Some(file) = &options.business {
        let (business, file) = read_business(file)?;
        bookings.put_business(&business, &file).await?;
        return Ok(Some(business.id));
    }
    let is_set = variable("BUSINESS_ID").is_some_and(|id| !id.trim().is_empty());
    if is_set || options.shop.is_some() || options.catalogue.is_some() {
        return Ok(None);
    }
    let demo = DEMO.map(|text| {
        let demo = business_from_toml(text);
        demo.map_err(|faults| anyhow::anyhow!("a demo business: {faults:?}"))
    });
    let [salon, clinic] = demo;
    let (salon, clinic) = (salon?, clinic?);
    if is_new_demo {
        for (business, file) in [&salon, &clinic] {
            bookings.put_business(business, file).await?;
        }
    }
    let salon = salon.0.id;
    // A shop of its own has none, and stays without.
    let kept = bookings.business(&salon).await?;
    Ok(kept.map(|_| salon))
}

/// The settings, with the business whose appointments are asked for.
pub(crate) fn in_settings(read: Box<Read>, business: Option<BusinessId>) -> Box<Read> {
    let Some(business) = business else {
        return read;
    };
    Box::new(move |name| match name {
        "BUSINESS_ID" => Some(business.to_string()),
        other => read(other),
    })
}

/// A business's file; with faults, they are printed.
fn read(file: &Path) -> anyhow::Result<(Business, String)> {
    match read_business(file) {
        Err(FileError::Faults(faults)) => {
            let mut out = stdout().lock();
            for fault in &faults {
                writeln!(out, "{}:{fault}", file.display())?;
            }
            anyhow::bail!("{}", counted(faults.len(), "fault", "faults"))
        }
        read => Ok(read?),
    }
}

/// What a business is, line by line.
fn summary(file: &Path, business: &Business) -> String {
    let zone = business.time_zone.iana_name().unwrap_or_default();
    let window = counted(usize::from(business.booking_window_days), "day", "days");
    let notice = business.min_notice_minutes;
    let step = business.slot_step_minutes.map_or_else(
        || "as long as the service".to_owned(),
        |step| format!("{step} minutes"),
    );
    let branches = business.branches.iter();
    let branches = branches.map(|branch| part_of(business, branch));
    let categories = business.categories.iter();
    let categories = categories.map(|category| services_of(business, category));
    let calendars = business.calendars.iter().map(calendar);
    let lines = [
        (
            "name",
            format!("{}, with {}", business.business_name, business.bot_name()),
        ),
        ("time zone", zone.to_owned()),
        (
            "booked",
            format!("up to {window} ahead, {notice} minutes before at the latest"),
        ),
        ("slots", step),
        ("branches", listed(branches)),
        ("services", listed(categories)),
        ("calendars", listed(calendars)),
    ];
    let lines = lines.map(|(what, value)| format!("  {what:<10}  {value}\n"));
    format!("{} can be used\n{}", file.display(), lines.concat())
}

/// `Centro (8 services, 3 calendars)`.
fn part_of(business: &Business, branch: &Branch) -> String {
    let services = counted(
        business.services_at(&branch.id).count(),
        "service",
        "services",
    );
    let calendars = business.calendars.iter();
    let calendars = calendars.filter(|calendar| calendar.branch == branch.id);
    let calendars = counted(calendars.count(), "calendar", "calendars");
    format!("{} ({services}, {calendars})", branch.name)
}

/// `5 of Color`.
fn services_of(business: &Business, category: &Category) -> String {
    let services = business.services.iter();
    let services = services.filter(|service| service.category == category.id);
    format!("{} of {}", services.count(), category.name)
}

/// `Ana (by hours of its own)`.
fn calendar(calendar: &Calendar) -> String {
    let source = match &calendar.source {
        Source::Kept { hours: Some(_) } => "by hours of its own",
        Source::Kept { hours: None } => "by the branch's hours",
        Source::Google { .. } => "by Google Calendar",
        Source::CalDav { .. } => "by CalDAV",
    };
    format!("{} ({source})", calendar.name)
}
