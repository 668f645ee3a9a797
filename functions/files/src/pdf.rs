//! The text of a PDF, read by a process of its own: what a stranger has made may panic or loop, and only that process ends.

use std::{
    env,
    io::{Read, Write, stdin, stdout},
    process::Stdio,
    time::Duration,
};

use mostrador_search::files::Page;
use mostrador_web::Problem;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    process::{Child, Command},
    sync::Semaphore,
    time::timeout,
};

/// The argument that makes this program read a PDF and end.
const READ_PDF: &str = "read-pdf";
/// Readers at work at once in this process: each may take as much memory as it is let. A function of its own has one anyway.
static READERS: Semaphore = Semaphore::const_new(2);
/// So long a PDF waits for one of them.
const WAITS_FOR: Duration = Duration::from_secs(10);
/// Within this a PDF is read, or it is not.
const WITHIN: Duration = Duration::from_secs(10);
/// What the reader may take of memory, in bytes: a page can be packed so that a few kilobytes unfold into terabytes.
const MEMORY_BYTES_MAX: u64 = 512 << 20;
/// Most text that is taken of a document, in bytes.
const TEXT_BYTES_MAX: u64 = 8 << 20;

/// Reads a PDF from standard input and writes its pages where this process was started for that; returns whether it was. To be called
/// before anything else.
#[must_use]
pub fn reads_pdf() -> bool {
    if env::args_os().nth(1).is_none_or(|first| first != READ_PDF) {
        return false;
    }
    limit_memory();
    let mut bytes = Vec::new();
    let read = stdin().read_to_end(&mut bytes);
    let pages = read
        .ok()
        .and_then(|_| pdf_extract::extract_text_from_mem_by_pages(&bytes).ok());
    let pages = serde_json::to_vec(&pages.unwrap_or_default()).unwrap_or_default();
    // Who asked has gone where this fails.
    let _ = stdout().write_all(&pages);
    true
}

/// From here on, memory beyond the limit is not to be had, and this process ends.
fn limit_memory() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, setrlimit};
        let limit = Rlimit {
            current: Some(MEMORY_BYTES_MAX),
            maximum: Some(MEMORY_BYTES_MAX),
        };
        // What has no such limit has the parent's patience.
        let _ = setrlimit(Resource::Data, limit);
    }
}

/// The pages of a PDF; none where there is nothing in it that can be read.
///
/// # Errors
/// Where it is not known what is in it: nobody could be asked, or it took too long this time, as did those before it.
pub(crate) async fn pages(pdf: Vec<u8>) -> Result<Vec<Page>, Problem> {
    let place = timeout(WAITS_FOR, READERS.acquire()).await;
    let _place = place.map_err(Problem::unavailable)?;
    let mut reader = start().map_err(Problem::unavailable)?;
    let texts = timeout(WITHIN, ask(&mut reader, pdf)).await;
    // Its place is free once it is gone, with its memory.
    let _ = reader.kill().await;
    let texts = texts.map_err(Problem::unavailable)?;
    let texts = texts.map_err(Problem::unavailable)?;
    if u64::try_from(texts.len()).unwrap_or(u64::MAX) > TEXT_BYTES_MAX {
        return Err(Problem::FileTooLarge);
    }
    // What has panicked has written nothing.
    let texts: Vec<String> = serde_json::from_slice(&texts).unwrap_or_default();
    let numbered = texts.into_iter().zip(1..);
    let pages = numbered.map(|(text, number)| Page {
        number: Some(number),
        text,
    });
    Ok(pages.collect())
}

/// This program once more, to read one PDF.
fn start() -> std::io::Result<Child> {
    Command::new(env::current_exe()?)
        .arg(READ_PDF)
        // A stranger's document learns nothing of ours.
        .env_clear()
        // Memory that the allocator only puts by would count.
        .env("MIMALLOC_ARENA_EAGER_COMMIT", "0")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
}

/// What it reads in a PDF.
async fn ask(reader: &mut Child, pdf: Vec<u8>) -> std::io::Result<Vec<u8>> {
    let (input, output) = (reader.stdin.take(), reader.stdout.take());
    let write = async {
        if let Some(mut input) = input {
            input.write_all(&pdf).await?;
        }
        Ok::<_, std::io::Error>(())
    };
    let read = async {
        let mut text = Vec::new();
        if let Some(output) = output {
            let mut output = output.take(TEXT_BYTES_MAX + 1);
            output.read_to_end(&mut text).await?;
        }
        Ok(text)
    };
    let ((), text) = tokio::try_join!(write, read)?;
    Ok(text)
}
