//! Black-box tests of the running product: each talks over HTTP to a `mostrador serve` of its own or to a shared one.
//!
//! With `MOSTRADOR_TEST_DYNAMODB_ENDPOINT` set, every server keeps its tables there instead of in its own engine. With
//! `MOSTRADOR_TEST_STACK` set, a deployed stack takes the place of the shared server (`harness/stack.rs`).
#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a test that cannot go on ends loudly, and the harnesses print what they tried"
)]

mod handoff;
mod harness;

mod actions;
mod ai_sdk;
mod appointments;
mod approvals;
mod bedrock_model;
mod best_sellers;
mod cart;
mod changes;
mod clothes;
mod commands;
mod conversations;
mod crowd;
mod currencies;
mod damage;
mod dialogue;
mod embedding_service;
mod errors;
mod files;
mod finds;
mod headers;
mod hints;
mod hostile;
mod idempotency;
mod index_command;
mod injections;
mod kills;
mod local;
mod looked_up;
mod meant;
mod model;
mod model_requests;
mod notices;
mod openapi;
mod orders;
mod outages;
mod page;
mod paging;
mod profile;
mod published_keys;
mod rates;
mod recommended;
mod remembered;
mod restarts;
mod secrets;
mod several;
mod shop_folder;
mod sockets;
mod staff;
mod stock;
mod streams;
mod tokens;
mod understood;
