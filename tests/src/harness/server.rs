//! `mostrador serve`, started and stopped by tests; or a stack in the place of the shared one.

use std::{
    env, fs,
    io::{self, BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::{
        Arc, Mutex, OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use tempfile::TempDir;

use super::{
    SECRET,
    stack::{Stack, local_only, stack},
};

/// A debug build builds its index in about a second; a loaded machine takes longer.
const READY_WITHIN: Duration = Duration::from_secs(90);
const STOPPED_WITHIN: Duration = Duration::from_secs(20);

/// How a server is to be started; the same setup started twice finds what the first run kept.
#[derive(Clone)]
pub(crate) struct Setup {
    settings: Vec<(String, String)>,
    arguments: Vec<String>,
    folder: Option<PathBuf>,
    tables: String,
    store: Option<String>,
    /// For what a killed server does not clear away.
    scratch: Arc<TempDir>,
}

impl Setup {
    /// High rates, the tests' token secret, tables that nobody else has.
    pub(crate) fn new() -> Self {
        let setup = Self {
            settings: Vec::new(),
            arguments: Vec::new(),
            folder: None,
            tables: unique("t"),
            store: env::var("MOSTRADOR_TEST_DYNAMODB_ENDPOINT").ok(),
            scratch: Arc::new(tempfile::tempdir().expect("a folder")),
        };
        ["CHAT", "SEARCH", "ACTION", "HISTORY"]
            .iter()
            .fold(setup.set("JWT_SECRET", &SECRET), |setup, scope| {
                setup.set(&format!("AGENT_RATE_LIMIT_{scope}"), "1000000/min")
            })
    }

    /// With this environment variable.
    pub(crate) fn set(mut self, name: &str, value: &str) -> Self {
        self.settings.retain(|(set, _)| set != name);
        self.settings.push((name.to_owned(), value.to_owned()));
        self
    }

    /// With this option of the command line.
    pub(crate) fn option(mut self, name: &str, value: &str) -> Self {
        self.arguments.extend([name.to_owned(), value.to_owned()]);
        self
    }

    /// Keeping its data in `folder`.
    pub(crate) fn kept_in(mut self, folder: &Path) -> Self {
        self.folder = Some(folder.to_owned());
        self
    }

    /// With its tables at this endpoint.
    pub(crate) fn stored_at(mut self, endpoint: &str) -> Self {
        self.store = Some(endpoint.to_owned());
        self
    }

    /// With its tables in its own engine, whatever the other servers of this run do.
    pub(crate) fn stored_inside(mut self) -> Self {
        self.store = None;
        self
    }

    /// Starts the server and waits until it is ready.
    pub(crate) fn start(&self) -> Shop {
        local_only("a server with settings of its own");
        let mut command = self.command();
        command.args(["serve", "--port", "0"]).args(&self.arguments);
        match &self.folder {
            Some(folder) => command.arg("--data-dir").arg(folder),
            None => command.arg("--ephemeral"),
        };
        if let Some(endpoint) = &self.store {
            command.args(["--dynamodb-endpoint", endpoint]);
        }
        let child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        Shop::ready(child.expect("the server starts"), self.scratch.clone())
    }

    /// The variables that name its tables, and the names.
    pub(crate) fn tables(&self) -> Vec<(String, String)> {
        let tables = [
            "events",
            "conversations",
            "catalogue",
            "purchases",
            "bookings",
            "limits",
        ];
        let named = tables.map(|table| {
            let variable = format!("{}_TABLE", table.to_uppercase());
            (variable, format!("{}-{table}", self.tables))
        });
        named.to_vec()
    }

    /// The program with the server's settings and tables.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(binary());
        // Nothing of this machine's own settings reaches the server: no proxy, no model, no account.
        command.env_clear();
        for name in ["PATH", "HOME"] {
            if let Some(value) = env::var_os(name) {
                command.env(name, value);
            }
        }
        command.env("TMPDIR", self.scratch.path());
        command.envs(self.tables());
        command.envs(
            self.settings
                .iter()
                .map(|(name, value)| (name.as_str(), value.as_str())),
        );
        command
    }
}

/// A running product; a server ends with this value.
pub(crate) struct Shop {
    pub(crate) url: String,
    /// Where streams come from that have an address of their own.
    stream_url: Option<String>,
    /// None where it is a stack.
    server: Option<Server>,
}

/// A process of `mostrador serve`.
struct Server {
    child: Child,
    output: Output,
    _scratch: Arc<TempDir>,
}

/// Everything a server has written.
#[derive(Clone, Default)]
struct Output {
    stdout: Arc<Mutex<String>>,
    stderr: Arc<Mutex<String>>,
}

impl Shop {
    fn ready(mut child: Child, scratch: Arc<TempDir>) -> Self {
        let output = Output::default();
        collect(child.stdout.take().expect("a pipe"), &output.stdout);
        collect(child.stderr.take().expect("a pipe"), &output.stderr);
        let server = Server {
            child,
            output,
            _scratch: scratch,
        };
        let mut shop = Self {
            url: String::new(),
            stream_url: None,
            server: Some(server),
        };
        shop.url = shop.announced("");
        shop
    }

    /// The URL of a path, which may have a query.
    pub(crate) fn address(&self, path: &str) -> String {
        let streamed = self.stream_url.as_ref();
        let url = streamed.filter(|_| path.starts_with("/api/agent/stream"));
        format!("{}{path}", url.unwrap_or(&self.url))
    }

    /// The process, whose end and output only a local server shows.
    #[track_caller]
    fn server(&self) -> &Server {
        local_only("the server's process");
        self.server.as_ref().expect("a server")
    }

    /// Waits for the server to print a URL after the word `what`, and gives it.
    pub(crate) fn announced(&mut self, what: &str) -> String {
        let deadline = Instant::now() + READY_WITHIN;
        loop {
            let server = self.server.as_mut().expect("a server");
            let printed = server.output.stdout.lock().expect("stdout").clone();
            // Whole lines only: half an address is no address.
            let lines = printed.rsplit_once('\n').map_or("", |(lines, _)| lines);
            let rest = lines.find(what).map(|at| &lines[at..]);
            if let Some((_, rest)) = rest.and_then(|rest| rest.split_once("http://")) {
                let end = rest.find([' ', ',', ';', '\n']).unwrap_or(rest.len());
                return format!("http://{}", &rest[..end]);
            }
            let ended = server.child.try_wait().expect("the server's status");
            if ended.is_some() || Instant::now() > deadline {
                panic!(
                    "the server is not ready ({ended:?})\nstdout: {printed}\nstderr: {}",
                    server.output.stderr.lock().expect("stderr")
                );
            }
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// What it has written so far, to either side.
    pub(crate) fn output(&self) -> String {
        let Output { stdout, stderr } = &self.server().output;
        format!(
            "{}{}",
            stdout.lock().expect("stdout"),
            stderr.lock().expect("stderr")
        )
    }

    /// The same, once it is `enough`: what is written takes a moment to be read. What there is after five seconds must do.
    pub(crate) fn output_when(&self, enough: impl Fn(&str) -> bool) -> String {
        let deadline = Instant::now() + Duration::from_secs(5);
        loop {
            let written = self.output();
            if enough(&written) || Instant::now() > deadline {
                return written;
            }
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// The number of its process.
    pub(crate) fn process(&self) -> u32 {
        self.server().child.id()
    }

    /// Sends it a signal, such as `STOP`.
    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("kill")
            .args([format!("-{name}"), self.process().to_string()])
            .status();
        assert!(sent.expect("kill runs").success(), "{name} was not sent");
    }

    /// Stops it where it is; what runs on another processor goes on a moment longer than the signal takes to be sent.
    pub(crate) fn freeze(&self) {
        self.signal("STOP");
        let tasks = format!("/proc/{}/task", self.process());
        let is_stopped = |task: io::Result<fs::DirEntry>| {
            let stat = fs::read_to_string(task.expect("a thread").path().join("stat"));
            // Its name, which may hold anything, stands in brackets before its state.
            stat.is_ok_and(|stat| {
                stat.rsplit(')')
                    .next()
                    .unwrap_or_default()
                    .starts_with(" T")
            })
        };
        let deadline = Instant::now() + STOPPED_WITHIN;
        while !fs::read_dir(&tasks).expect("its threads").all(is_stopped) {
            assert!(Instant::now() < deadline, "the server goes on");
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Interrupts it as Ctrl-C does, and waits for its end.
    pub(crate) fn interrupt(mut self) -> ExitStatus {
        self.signal("INT");
        let deadline = Instant::now() + STOPPED_WITHIN;
        loop {
            let server = self.server.as_mut().expect("a server");
            if let Some(status) = server.child.try_wait().expect("the server's status") {
                return status;
            }
            assert!(
                Instant::now() < deadline,
                "the server did not stop\n{}",
                self.output()
            );
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Sends bytes as they are, and gives back all that comes until the server hangs up.
    pub(crate) fn raw(&self, request: &str) -> String {
        local_only("a connection straight to the server");
        let address = self.url.trim_start_matches("http://");
        let mut socket = TcpStream::connect(address).expect("a connection");
        socket
            .set_read_timeout(Some(Duration::from_secs(20)))
            .expect("a timeout");
        socket.write_all(request.as_bytes()).expect("sent");
        let mut answer = Vec::new();
        socket.read_to_end(&mut answer).expect("an answer");
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Sends bytes and hangs up without waiting for an answer.
    pub(crate) fn hang_up(&self, request: &str) {
        local_only("a connection straight to the server");
        let address = self.url.trim_start_matches("http://");
        let mut socket = TcpStream::connect(address).expect("a connection");
        socket.write_all(request.as_bytes()).expect("sent");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What tests share where they need no settings of their own: a server, or the stack that is to be tested.
pub(crate) fn shop() -> &'static Shop {
    static SHARED: OnceLock<(Shop, Option<ChildStdin>)> = OnceLock::new();
    &SHARED
        .get_or_init(|| match stack() {
            Some(stack) => (deployed(stack), None),
            None => {
                let shop = Setup::new().start();
                let lifeline = ends_with_us(shop.process());
                (shop, Some(lifeline))
            }
        })
        .0
}

fn deployed(stack: &Stack) -> Shop {
    Shop {
        url: stack.api_url.clone(),
        stream_url: Some(stack.stream_url.clone()),
        server: None,
    }
}

/// Statics are not dropped: a shell that waits for our pipe to close ends the shared server, which clears away after itself.
fn ends_with_us(server: u32) -> ChildStdin {
    let watcher = Command::new("sh")
        .args(["-c", &format!("cat >/dev/null; kill -INT {server}")])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    watcher
        .expect("sh runs")
        .stdin
        .take()
        .expect("the watcher's pipe")
}

/// A name that no other run, process or test has.
pub(super) fn unique(label: &str) -> String {
    static COUNTER: AtomicUsize = AtomicUsize::new(0);
    let count = COUNTER.fetch_add(1, Ordering::Relaxed);
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .expect("a clock");
    format!(
        "{label}-{:x}-{:x}-{count}",
        since.as_millis(),
        std::process::id()
    )
}

/// The program beside this test: `target/<profile>/mostrador`.
pub(crate) fn binary() -> PathBuf {
    local_only("the program itself");
    let test = env::current_exe().expect("this test's path");
    let profile = test.ancestors().nth(2).expect("target/<profile>/deps/…");
    let binary = profile.join(format!("mostrador{}", env::consts::EXE_SUFFIX));
    assert!(
        binary.exists(),
        "{} is not there: run `cargo build -p mostrador-local` first",
        binary.display()
    );
    binary
}

fn collect(pipe: impl Read + Send + 'static, into: &Arc<Mutex<String>>) {
    let into = Arc::clone(into);
    thread::spawn(move || {
        let mut reader = BufReader::new(pipe);
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line).is_ok_and(|n| n > 0) {
            into.lock()
                .expect("the output")
                .push_str(&String::from_utf8_lossy(&line));
            line.clear();
        }
    });
}
