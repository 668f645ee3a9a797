//! The program's command line. What its commands try, `infra/check` has them try.

use std::process::Command;

#[test]
fn an_unknown_harness_is_refused_with_the_names_of_those_there_are() {
    let output = Command::new(env!("CARGO_BIN_EXE_prove"))
        .args(["chaos", "--only", "weather"])
        .output()
        .unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{complaint}");
    assert_eq!(
        complaint,
        "error: there is no such harness: choose among bookings, log, purchases, requests, view\n"
    );
}
