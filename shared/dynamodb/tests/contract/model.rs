//! A shop against its model: whatever customers do, in whatever order, it comes to what the model says.

#[path = "model/reference.rs"]
mod reference;
#[path = "model/shop.rs"]
mod shop;

use proptest::test_runner::Config;
use proptest_state_machine::prop_state_machine;

use shop::Shop;

/// As many runs as `PROPTEST_CASES` says.
fn config() -> Config {
    let cases = std::env::var("PROPTEST_CASES");
    let cases = cases.ok().and_then(|cases| cases.parse().ok());
    Config::with_cases(cases.unwrap_or(60))
}

prop_state_machine! {
    #![proptest_config(config())]

    #[test]
    fn a_shop_does_what_its_model_does(sequential 1..60 => Shop);
}
