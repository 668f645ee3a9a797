//! `prove chaos`: what must never happen, tried under faults. Every seed is a small world of its own, with an engine in memory and
//! a time that passes only while nobody has anything to do; a seed that breaks something breaks it again.

mod bookings;
mod clock;
mod log;
mod purchases;
mod requests;
mod view;

use std::io::{Write, stdout};
use std::{
    collections::BTreeMap,
    fmt,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use anyhow::Context;
use futures_util::future::LocalBoxFuture;
use mostrador_dynamodb::{Tables, connect, create_tables};
use mostrador_engine::{Engine, Fault, Faults, Tamper};
use mostrador_local::import::progress;
use serde_json::Value;

use crate::cli::ChaosOptions;

/// Longer than what is late can be.
const LATE_IS_DONE: Duration = Duration::from_secs(12);
/// How many calls go wrong.
const SHARE: f64 = 0.15;
/// A guard is proven if one of so many worlds breaks without it.
const SEEDS_PER_GUARD: u64 = 1_000;

/// A seed, its engine as it is and as it seems, and what was tried in it.
struct World {
    seed: u64,
    engine: Engine,
    faulty: Engine,
    tables: Tables,
    tried: Tried,
}

/// What was tried, and how often; and of how many calls how many went wrong in which way.
#[derive(Debug, Default)]
struct Tried {
    counts: BTreeMap<&'static str, usize>,
    calls: u64,
    faults: BTreeMap<Fault, u64>,
}

impl Tried {
    fn count(&mut self, what: &'static str, by: usize) {
        *self.counts.entry(what).or_default() += by;
    }

    fn add(&mut self, other: Self) {
        for (what, count) in other.counts {
            self.count(what, count);
        }
        self.calls += other.calls;
        for (fault, times) in other.faults {
            *self.faults.entry(fault).or_default() += times;
        }
    }
}

impl fmt::Display for Tried {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (what, count) in &self.counts {
            write!(f, "{count} {what}, ")?;
        }
        let wrong: u64 = self.faults.values().sum();
        let faults = self.faults.iter();
        let faults: Vec<_> = faults
            .map(|(fault, times)| format!("{times} {fault}"))
            .collect();
        write!(
            f,
            "{} calls of which {wrong} went wrong ({})",
            self.calls,
            faults.join(", ")
        )
    }
}

/// One kind of world.
struct Harness {
    name: &'static str,
    /// What is not there once all seeds are through.
    nothing: &'static str,
    run: for<'a> fn(&'a mut World) -> LocalBoxFuture<'a, Result<(), String>>,
    guards: &'static [(&'static str, Tamper)],
}

const HARNESSES: &[Harness] = &[
    Harness {
        name: "bookings",
        nothing: "0 overlapping, 0 doubled, 0 lost, 0 of a move left behind",
        run: |world| Box::pin(bookings::world(world)),
        guards: bookings::GUARDS,
    },
    Harness {
        name: "log",
        nothing: "0 gaps, 0 duplicates, 0 lost, 0 out of order",
        run: |world| Box::pin(log::world(world)),
        guards: log::GUARDS,
    },
    Harness {
        name: "purchases",
        nothing: "0 doubled, 0 lost, 0 copies too many or too few",
        run: |world| Box::pin(purchases::world(world)),
        guards: purchases::GUARDS,
    },
    Harness {
        name: "requests",
        nothing: "0 done twice, 0 answered in two ways, 0 lost",
        run: |world| Box::pin(requests::world(world)),
        guards: requests::GUARDS,
    },
    Harness {
        name: "view",
        nothing: "0 that differ from the log, 0 summaries of anything else, 0 held up by poison",
        run: |world| Box::pin(view::world(world)),
        guards: view::GUARDS,
    },
];

pub(crate) fn chaos(options: &ChaosOptions) -> anyhow::Result<()> {
    let mut broken = 0;
    let only = &options.only;
    let wanted =
        |harness: &&Harness| only.is_empty() || only.iter().any(|name| name == harness.name);
    let harnesses: Vec<_> = HARNESSES.iter().filter(wanted).collect();
    anyhow::ensure!(
        !harnesses.is_empty(),
        "there is no such harness: choose among {}",
        HARNESSES
            .iter()
            .map(|harness| harness.name)
            .collect::<Vec<_>>()
            .join(", ")
    );
    for harness in &harnesses {
        let started = Instant::now();
        let (tried, violations) = harness.seeds(options.first_seed, options.seeds)?;
        let verdict = if violations.is_empty() {
            harness.nothing.to_owned()
        } else {
            format!("{} seeds broke something", violations.len())
        };
        let (name, seeds, took) = (harness.name, options.seeds, started.elapsed().as_secs_f64());
        writeln!(
            stdout(),
            "{name}: {seeds} seeds in {took:.0} s; {tried}; {verdict}"
        )?;
        for (seed, violation) in violations.iter().take(10) {
            writeln!(
                stdout(),
                "  seed {seed}: {violation}; again: prove chaos --seeds 1 --first-seed {seed}"
            )?;
        }
        broken += violations.len();
    }
    let guards: Vec<_> = harnesses
        .iter()
        .flat_map(|harness| harness.guards.iter().map(move |guard| (harness, guard)))
        .collect();
    let mut proven = 0;
    for (harness, (guard, tamper)) in &guards {
        match harness.first_broken(options.first_seed, *tamper)? {
            Some((seed, violation)) => {
                proven += 1;
                writeln!(
                    stdout(),
                    "without \"{guard}\", {} breaks at seed {seed}: {violation}",
                    harness.name
                )?;
            }
            None => writeln!(
                stdout(),
                "without \"{guard}\", {} breaks nowhere",
                harness.name
            )?,
        }
    }
    writeln!(stdout(), "guards proven {proven}/{}", guards.len())?;
    anyhow::ensure!(broken == 0, "{broken} seeds broke something");
    anyhow::ensure!(
        proven == guards.len(),
        "a harness does not notice that a guard is gone"
    );
    Ok(())
}

impl Harness {
    /// Every seed, on as many threads as there are processors.
    fn seeds(&self, first: u64, count: u64) -> anyhow::Result<(Tried, Vec<(u64, String)>)> {
        let next = AtomicU64::new(first);
        let bar = progress(self.name, usize::try_from(count)?);
        let all = Mutex::new((Tried::default(), Vec::new()));
        let work = || -> anyhow::Result<()> {
            loop {
                let seed = next.fetch_add(1, Ordering::Relaxed);
                if seed >= first.saturating_add(count) {
                    return Ok(());
                }
                let (tried, violation) = self.world(seed, None)?;
                let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
                all.0.add(tried);
                all.1.extend(violation.map(|violation| (seed, violation)));
                bar.inc(1);
            }
        };
        on_all_processors(work)?;
        bar.finish_and_clear();
        let (tried, mut violations) = all.into_inner().unwrap_or_else(PoisonError::into_inner);
        violations.sort();
        Ok((tried, violations))
    }

    /// The first seed that breaks with a guard gone, looked for on as many threads as there are processors.
    fn first_broken(&self, first: u64, tamper: Tamper) -> anyhow::Result<Option<(u64, String)>> {
        let next = AtomicU64::new(first);
        let found = Mutex::new(None::<(u64, String)>);
        let work = || -> anyhow::Result<()> {
            loop {
                let seed = next.fetch_add(1, Ordering::Relaxed);
                let lock = || found.lock().unwrap_or_else(PoisonError::into_inner);
                let is_found = lock().as_ref().is_some_and(|(found, _)| *found < seed);
                if is_found || seed >= first.saturating_add(SEEDS_PER_GUARD) {
                    return Ok(());
                }
                if let (_, Some(violation)) = self.world(seed, Some(tamper))? {
                    let mut found = lock();
                    if found.as_ref().is_none_or(|(found, _)| seed < *found) {
                        *found = Some((seed, violation));
                    }
                }
            }
        };
        on_all_processors(work)?;
        Ok(found.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// One world from its beginning to its end.
    fn world(&self, seed: u64, tamper: Option<Tamper>) -> anyhow::Result<(Tried, Option<String>)> {
        // The SDK's pauses between its tries are drawn from this thread's generator.
        fastrand::seed(seed);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .start_paused(true)
            .build()?;
        runtime.block_on(async {
            let engine = Engine::in_memory()?;
            let tables = Tables::default();
            let client = connect(&engine.configuration().await);
            create_tables(&client, &tables)
                .await
                .context("the tables")?;
            let faults = Arc::new(Faults::seeded(seed, SHARE).with_tamper(tamper));
            let mut world = World {
                seed,
                faulty: engine.clone().faulty(Arc::clone(&faults)),
                engine,
                tables,
                tried: Tried::default(),
            };
            let violation = (self.run)(&mut world).await.err();
            (world.tried.calls, world.tried.faults) = faults.met();
            Ok((world.tried, violation))
        })
    }
}

fn on_all_processors(work: impl Fn() -> anyhow::Result<()> + Sync) -> anyhow::Result<()> {
    let workers = thread::available_parallelism().map_or(1, Into::into);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(&work)).collect();
        workers.into_iter().try_for_each(|worker| {
            let ended = worker.join();
            ended.unwrap_or_else(|_| Err(anyhow::anyhow!("a world panicked")))
        })
    })
}

impl World {
    /// Puts an item into the log that no function of ours would.
    fn poison(&self, item: &Value) -> Result<(), String> {
        self.engine
            .put(&self.tables.events, item)
            .map_err(|error| error.to_string())
    }
}

/// Takes members out of a request.
fn remove(request: &mut Value, members: &[&str]) {
    if let Some(request) = request.as_object_mut() {
        for member in members {
            request.remove(*member);
        }
    }
}

/// Makes the conditions of writes to one table hold whatever is there, alone or in a transaction.
fn without_condition(request: &mut Value, table: &str) {
    let void = |write: &mut Value| {
        let to_table = write["TableName"]
            .as_str()
            .is_some_and(|name| name.ends_with(table));
        if let Some(condition) = write["ConditionExpression"].as_str().filter(|_| to_table) {
            write["ConditionExpression"] = format!("({condition}) OR NOT ({condition})").into();
        }
    };
    void(request);
    let items = request["TransactItems"].as_array_mut();
    let writes = items.into_iter().flatten().filter_map(Value::as_object_mut);
    writes.flat_map(|write| write.values_mut()).for_each(void);
}

/// Every identifier of that name in an answer is somebody else's.
fn rename(answer: &mut Value, name: &str) {
    match answer {
        Value::Object(members) => {
            for (member, value) in members {
                if member == name {
                    let text = value["S"].as_str().unwrap_or_default();
                    value["S"] = text.replace(|c: char| c.is_ascii_hexdigit(), "0").into();
                } else {
                    rename(value, name);
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| rename(value, name)),
        _ => {}
    }
}
