//! PDFs that are small and unfold without end.

use std::{
    io::Write,
    path::Path,
    process::{Command, Stdio},
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    thread,
    time::Duration,
};

use flate2::{Compression, write::ZlibEncoder};

use super::{announce, pdf_of, read, shows};
use crate::harness::{Setup, Shop, all_at_once, binary, upload, wait};

#[test]
fn a_page_that_unfolds_without_end_is_not_read() {
    let packed = |spaces: usize| {
        let mut pack = ZlibEncoder::new(Vec::new(), Compression::fast());
        let blank = vec![b' '; 1 << 20];
        for _ in 0..spaces {
            pack.write_all(&blank).expect("packed");
        }
        let text_shown = shows("Al fondo del mar.");
        pack.write_all(text_shown.as_bytes()).expect("packed");
        pdf_of("/Filter /FlateDecode", &[pack.finish().expect("packed")])
    };
    assert!(read_alone(&packed(1)).contains("Al fondo del mar."));
    let bomb = packed(1_024);
    assert!(bomb.len() < 5_000_000);
    assert!(!read_alone(&bomb).contains("Al fondo"));

    // However many come at once, no more than two are read at a time.
    let shop = Setup::new().start();
    let (most, done) = (AtomicUsize::new(0), AtomicBool::new(false));
    let statuses = thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::SeqCst) {
                most.fetch_max(readers_of(&shop), Ordering::SeqCst);
                thread::sleep(Duration::from_millis(5));
            }
        });
        let statuses = all_at_once(16, |_| {
            let customer = shop.customer("bomber");
            let announced = announce(&customer, "a.pdf", "application/pdf", bomb.len());
            let announced = announced.is(201);
            assert_eq!(wait(upload(&announced["upload"], &bomb)), 200);
            let id = announced["file"]["file_id"]
                .as_str()
                .expect("an identifier");
            read(&customer, id).status
        });
        done.store(true, Ordering::SeqCst);
        statuses
    });
    assert!(
        statuses.iter().all(|status| [200, 503].contains(status)),
        "{statuses:?}"
    );
    let most = most.into_inner();
    assert!((1..=2).contains(&most), "{most} at once");
    shop.guest().chat("libro 12").is(200);
}

/// Processes that read a PDF for a server.
fn readers_of(shop: &Shop) -> usize {
    let server = shop.process().to_string();
    let processes = std::fs::read_dir("/proc").expect("processes");
    let is_reader = |folder: &Path| {
        let command = std::fs::read(folder.join("cmdline")).unwrap_or_default();
        let status = std::fs::read_to_string(folder.join("status")).unwrap_or_default();
        let mut lines = status.lines();
        let parent = lines.find_map(|line| line.strip_prefix("PPid:"));
        let reads = String::from_utf8_lossy(&command).contains("read-pdf");
        reads && parent.is_some_and(|parent| parent.trim() == server)
    };
    let readers = processes.flatten().filter(|entry| is_reader(&entry.path()));
    readers.count()
}

/// What the program that reads PDFs writes of one.
fn read_alone(pdf: &[u8]) -> String {
    let mut reader = Command::new(binary())
        .arg("read-pdf")
        // As the shop starts it: memory that the allocator only puts by counts, and now and then fills the limit.
        .env("MIMALLOC_ARENA_EAGER_COMMIT", "0")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("a reader");
    let mut input = reader.stdin.take().expect("its input");
    input.write_all(pdf).expect("written");
    drop(input);
    let read = reader.wait_with_output().expect("an end");
    String::from_utf8(read.stdout).expect("text")
}
