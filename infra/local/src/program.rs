//! A command from its start to the program's end.

use std::process::ExitCode;

/// Runs a command to its end. Ctrl-C ends it too, unless it minds that itself.
#[expect(clippy::print_stderr, reason = "the end of a command line")]
pub fn run(command: impl Future<Output = anyhow::Result<()>>, minds_ctrl_c: bool) -> ExitCode {
    match outcome(command, minds_ctrl_c) {
        Ok(()) => ExitCode::SUCCESS,
        // Who reads what is printed has seen enough.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn outcome(
    command: impl Future<Output = anyhow::Result<()>>,
    minds_ctrl_c: bool,
) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let outcome = runtime.block_on(async {
        tokio::select! {
            outcome = command => outcome,
            // Dropped, not killed, so that what was set up for a while is cleared away.
            Ok(()) = tokio::signal::ctrl_c(), if !minds_ctrl_c => Err(anyhow::anyhow!("stopped before it was done")),
        }
    });
    // A read of the terminal cannot be cancelled; it must not hold up the end.
    runtime.shutdown_background();
    outcome
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io = error.downcast_ref::<std::io::Error>();
    io.is_some_and(|io| io.kind() == std::io::ErrorKind::BrokenPipe)
}
