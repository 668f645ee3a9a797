//! The tools of a business that takes appointments: what it offers, what is free, the customer's own; and what is proposed of these.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Access, NoArguments, Tool, Wanted, arguments, parameters, proposal};
use crate::actions::Payload;

/// In the order in which a model is offered them.
pub(super) static TOOLS: [&Tool; 10] = [
    &SERVICES,
    &CATEGORIES,
    &SERVICE_DETAILS,
    &AVAILABLE_SLOTS,
    &USER_INFO,
    &USER_APPOINTMENTS,
    &CONTACT,
    &CREATE,
    &RESCHEDULE,
    &CANCEL,
];

const fn tool<A: JsonSchema>(
    name: &'static str,
    description: &'static str,
    access: Access,
    read: fn(&Value) -> Result<Wanted, String>,
) -> Tool {
    Tool {
        name,
        description,
        access,
        is_of_business: true,
        parameters: parameters::<A>,
        read,
    }
}

static SERVICES: Tool = tool::<OfBranch>(
    "get_services",
    "Lists the services that appointments are made for, with prices and durations.",
    Access::Anyone,
    |call| look_up::<OfBranch>("get_services", call),
);

static CATEGORIES: Tool = tool::<NoArguments>(
    "get_categories",
    "Lists the groups of these services.",
    Access::Anyone,
    |call| {
        let NoArguments {} = arguments(call)?;
        Ok(look(&CATEGORIES, Payload::default()))
    },
);

static SERVICE_DETAILS: Tool = tool::<OfService>(
    "get_service_details",
    "Tells what one service costs, how long it takes and what it is.",
    Access::Anyone,
    |call| look_up::<OfService>("get_service_details", call),
);

static AVAILABLE_SLOTS: Tool = tool::<OfSlots>(
    "get_available_slots",
    "Tells which times are free for a service, on a date or between two; the next seven days without any.",
    Access::Anyone,
    |call| look_up::<OfSlots>("get_available_slots", call),
);

static USER_INFO: Tool = tool::<NoArguments>(
    "get_user_info",
    "Tells in whose name the customer's appointments are.",
    Access::Customer,
    |call| {
        let NoArguments {} = arguments(call)?;
        Ok(look(&USER_INFO, Payload::default()))
    },
);

static USER_APPOINTMENTS: Tool = tool::<NoArguments>(
    "get_user_appointments",
    "Lists the customer's own appointments to come, the first first.",
    Access::Customer,
    |call| {
        let NoArguments {} = arguments(call)?;
        Ok(look(&USER_APPOINTMENTS, Payload::default()))
    },
);

static CONTACT: Tool = tool::<OfContact>(
    "find_or_create_user",
    "Proposes to keep the customer's name, telephone or identification number, as they have told it, for their appointments; they confirm it.",
    Access::Proposer,
    |call| propose::<OfContact>("find_or_create_user", call),
);

static CREATE: Tool = tool::<OfAppointment>(
    "create_appointment",
    "Proposes an appointment at a time that is free; the customer confirms it.",
    Access::Proposer,
    |call| propose::<OfAppointment>("create_appointment", call),
);

static RESCHEDULE: Tool = tool::<OfMove>(
    "reschedule_appointment",
    "Proposes to move one of the customer's appointments to another time; they confirm it.",
    Access::Proposer,
    |call| propose::<OfMove>("reschedule_appointment", call),
);

static CANCEL: Tool = tool::<OfCancelling>(
    "cancel_appointment",
    "Proposes to cancel one of the customer's appointments; they confirm it.",
    Access::Proposer,
    |call| propose::<OfCancelling>("cancel_appointment", call),
);

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OfBranch {
    #[schemars(description = "The name of a branch; all of them if left out.")]
    branch_id: Option<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OfService {
    #[schemars(description = "The service's name.")]
    service_name: String,
    #[schemars(description = "The name of a branch; all of them if left out.")]
    branch_id: Option<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OfSlots {
    #[schemars(description = "The service's name.")]
    service_name: String,
    #[schemars(description = "The name of a branch; all of them if left out.")]
    branch_id: Option<String>,
    #[schemars(description = "The name of whom it is to be with; anybody if left out.")]
    calendar_name: Option<String>,
    #[schemars(description = "A date: 2026-11-27.")]
    date: Option<String>,
    #[schemars(description = "The first of several dates, in the place of `date`.")]
    from: Option<String>,
    #[schemars(description = "The last of them, at most 31 days in all.")]
    to: Option<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OfContact {
    full_name: Option<String>,
    phone_number: Option<String>,
    identification_number: Option<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OfAppointment {
    #[schemars(description = "The service's name.")]
    service: String,
    #[schemars(description = "The name of a branch, where several have the service.")]
    branch_id: Option<String>,
    #[schemars(description = "The name of whom it is to be with; whoever is free if left out.")]
    calendar: Option<String>,
    #[schemars(description = "The date: 2026-11-27.")]
    date: String,
    #[schemars(description = "The time by the business's clocks: 10:30.")]
    time: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OfMove {
    #[schemars(
        description = "Which of the customer's appointments to come: its place in their list, from 1 on."
    )]
    appointment_id: Place,
    #[schemars(description = "The new date: 2026-11-27.")]
    new_date: String,
    #[schemars(description = "The new time by the business's clocks: 10:30.")]
    new_time: String,
    #[schemars(
        description = "The name of whom it is to be with from then on; the same if left out."
    )]
    calendar: Option<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OfCancelling {
    #[schemars(
        description = "Which of the customer's appointments to come: its place in their list, from 1 on."
    )]
    appointment_id: Place,
}

/// A place in a list.
type Place = u8;

/// What is looked up with these arguments, by the name of the action.
fn look_up<A: Serialize + for<'de> Deserialize<'de>>(
    action: &'static str,
    call: &Value,
) -> Result<Wanted, String> {
    let payload = payload(&arguments::<A>(call)?)?;
    Ok(Wanted::LookUp { action, payload })
}

fn look(tool: &Tool, payload: Payload) -> Wanted {
    Wanted::LookUp {
        action: tool.name,
        payload,
    }
}

fn propose<A: Serialize + for<'de> Deserialize<'de>>(
    action: &'static str,
    call: &Value,
) -> Result<Wanted, String> {
    let payload = payload(&arguments::<A>(call)?)?;
    Ok(proposal::of(action, payload))
}

/// The arguments as an action takes them, without those that are left out.
fn payload<A: Serialize>(arguments: &A) -> Result<Payload, String> {
    let value = serde_json::to_value(arguments).map_err(|error| error.to_string())?;
    let members: Map<String, Value> = match value {
        Value::Object(members) => members,
        _ => Map::new(),
    };
    let said = members.into_iter().filter(|(_, value)| !value.is_null());
    Ok(Payload(said.collect()))
}
