//! A Mostrador in a process of its own.

use std::process::Stdio;

use anyhow::Context;
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::Command,
};

/// Ends with this value.
pub(super) struct Child {
    process: tokio::process::Child,
    pub(super) url: String,
    pub(super) dynamodb_endpoint: Option<String>,
    pub(super) s3_endpoint: Option<String>,
    /// Where it keeps what is only for a while: it is killed, and clears nothing away itself.
    _scratch: TempDir,
}

impl Child {
    /// Starts this same program with rates that are out of the way.
    pub(super) async fn start(arguments: &[&str]) -> anyhow::Result<Self> {
        Self::start_in(&[], arguments).await
    }

    /// The same with further environment variables.
    pub(super) async fn start_in(
        environment: &[(&str, &str)],
        arguments: &[&str],
    ) -> anyhow::Result<Self> {
        let scratch = tempfile::tempdir()?;
        let mut command = Command::new(std::env::current_exe()?);
        command
            .env("TMPDIR", scratch.path())
            .envs(environment.iter().copied())
            .args(["serve", "--port", "0"])
            .args(arguments)
            .stdout(Stdio::piped())
            .kill_on_drop(true);
        for scope in ["CHAT", "SEARCH", "ACTION", "HISTORY"] {
            command.env(format!("AGENT_RATE_LIMIT_{scope}"), "10000000/min");
        }
        let mut process = command
            .spawn()
            .context("this program cannot be started once more")?;
        let mut lines = BufReader::new(process.stdout.take().context("no output")?).lines();
        let ready = lines
            .next_line()
            .await?
            .context("it ended before it was ready")?;
        let url = address(&ready)
            .next()
            .context("no address in the ready line")?
            .to_owned();
        let mut endpoints = None;
        if arguments.contains(&"--dynamodb-port") {
            endpoints = lines.next_line().await?;
        }
        let mut endpoints = endpoints
            .iter()
            .flat_map(|line| address(line))
            .map(str::to_owned);
        Ok(Self {
            process,
            url,
            dynamodb_endpoint: endpoints.next(),
            s3_endpoint: endpoints.next(),
            _scratch: scratch,
        })
    }

    /// CPU time the process has used so far.
    pub(super) fn cpu_ms(&self) -> anyhow::Result<f64> {
        let id = self.process.id().context("it has ended")?;
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat"))
            .context("only Linux tells a process's CPU time")?;
        // Fields 14 and 15 are user and system time in ticks of 10 ms; the name before them may hold spaces.
        let fields: Vec<&str> = stat
            .rsplit(')')
            .next()
            .unwrap_or_default()
            .split_whitespace()
            .collect();
        let ticks = |index: usize| {
            fields
                .get(index)
                .and_then(|ticks| ticks.parse::<f64>().ok())
                .context("no CPU time")
        };
        Ok((ticks(11)? + ticks(12)?) * 10.0)
    }

    /// What the process has in memory now.
    pub(super) fn resident_mb(&self) -> anyhow::Result<f64> {
        let resident_mb = resident_mb(self.process.id().context("it has ended")?);
        anyhow::ensure!(resident_mb > 0.0, "only Linux tells a process's memory");
        Ok(resident_mb)
    }
}

/// What a process has in memory; zero where the system does not report it.
pub(super) fn resident_mb(process: u32) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let kilobytes = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))
        .and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok());
    kilobytes.unwrap_or_default() / 1_000.0
}

fn address(line: &str) -> impl Iterator<Item = &str> {
    line.split([' ', ','])
        .filter(|word| word.starts_with("http://"))
}
