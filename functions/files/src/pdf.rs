//! The text of a PDF, read by a process of its own: what a stranger has made may panic, loop or eat memory, and only that process ends.

use std::{
    env,
    io::{Read, Write, stdin, stdout},
    process::Stdio,
    time::Duration,
};

use mostrador_search::files::Page;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    process::Command,
    time::timeout,
};

/// The argument that makes this program read a PDF and end.
const READ_PDF: &str = "read-pdf";
/// Within this a PDF is read, or it is not.
const WITHIN: Duration = Duration::from_secs(10);
/// More text than this nobody wants to hear of, in bytes.
const TEXT_BYTES_MAX: u64 = 8 << 20;

/// Reads a PDF from standard input and writes its pages where this process was started for that; says whether it was. To be asked
/// before anything else.
#[must_use]
pub fn reads_pdf() -> bool {
    if env::args_os().nth(1).is_none_or(|first| first != READ_PDF) {
        return false;
    }
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

/// The pages of a PDF; none where it cannot be read.
pub(crate) async fn pages(pdf: Vec<u8>) -> Vec<Page> {
    let texts = match timeout(WITHIN, ask(pdf)).await {
        Ok(Ok(texts)) => texts,
        Ok(Err(error)) => {
            tracing::warn!(%error, "a PDF cannot be read");
            Vec::new()
        }
        Err(_) => {
            tracing::warn!("a PDF takes too long to read");
            Vec::new()
        }
    };
    let numbered = texts.into_iter().zip(1..);
    numbered
        .map(|(text, number)| Page {
            number: Some(number),
            text,
        })
        .collect()
}

/// Has another process read it, which ends with this call.
async fn ask(pdf: Vec<u8>) -> std::io::Result<Vec<String>> {
    let mut reader = Command::new(env::current_exe()?)
        .arg(READ_PDF)
        // A stranger's document learns nothing of ours.
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()?;
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
            output.take(TEXT_BYTES_MAX).read_to_end(&mut text).await?;
        }
        Ok(text)
    };
    let ((), text) = tokio::try_join!(write, read)?;
    // What has panicked has written nothing.
    Ok(serde_json::from_slice(&text).unwrap_or_default())
}
