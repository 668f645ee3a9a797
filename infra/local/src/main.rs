//! `mostrador`: the whole product on this machine.

fn main() -> std::process::ExitCode {
    mostrador_local::command_line()
}
