//! The data folder: nobody else's to read, and one server's at a time.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    path::{Path, PathBuf},
};

use anyhow::Context;

/// The embedded engine's file in the folder.
const DATABASE: &str = "dynamodb.sqlite";
/// What a server that is at work on the folder holds.
const LOCK: &str = "serving.lock";

/// Makes the folder if there is none, and keeps others on this machine out of it and of whatever is written from now on.
pub(super) fn make_private(folder: &Path) -> anyhow::Result<()> {
    #[cfg(unix)]
    rustix::process::umask(rustix::fs::Mode::RWXG | rustix::fs::Mode::RWXO);
    fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    restrict(folder, 0o700)?;
    // Those of an earlier version may be anybody's to read.
    let name = |end: &str| folder.join(format!("{DATABASE}{end}"));
    for file in ["", "-wal", "-shm"].map(name) {
        if file.exists() {
            restrict(&file, 0o600)?;
        }
    }
    Ok(())
}

/// The embedded engine's file.
pub(super) fn database(folder: &Path) -> PathBuf {
    folder.join(DATABASE)
}

#[cfg(unix)]
fn restrict(path: &Path, mode: u32) -> anyhow::Result<()> {
    let permissions = std::os::unix::fs::PermissionsExt::from_mode(mode);
    fs::set_permissions(path, permissions)
        .with_context(|| format!("{} cannot be kept from others", path.display()))
}

#[cfg(not(unix))]
fn restrict(_: &Path, _: u32) -> anyhow::Result<()> {
    Ok(())
}

/// Takes the folder for one server, for as long as the file is open.
pub(crate) fn lock(folder: &Path) -> anyhow::Result<File> {
    let path = folder.join(LOCK);
    let mut options = OpenOptions::new();
    let file = options.create(true).truncate(false).write(true).open(&path);
    let file = file.with_context(|| format!("{} cannot be written", path.display()))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => anyhow::bail!(
            "another Mostrador serves {}: stop it, or choose another folder with --data-dir",
            folder.display()
        ),
        Err(TryLockError::Error(error)) => {
            Err(error).with_context(|| format!("{} cannot be locked", path.display()))
        }
    }
}
