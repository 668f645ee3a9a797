//! Parameters of any kind.

use super::*;

/// What is given out to read on with, is what is read.
fn query(value: &str) -> Query {
    Query::parse(Some(&format!("at={value}")))
}

fn refused(problem: &Problem) {
    assert!(matches!(problem.status().as_u16(), 400 | 404), "{problem}");
}

fn check_number(query_of: &Query) {
    match query_of.number("at") {
        Ok(None) => assert_eq!(query_of.given("at"), None),
        Ok(Some(read)) => {
            assert!(read < 10_u64.pow(16), "{read}");
            let reread = query(&read.to_string()).number("at");
            assert_eq!(reread.ok().flatten(), Some(read));
        }
        Err(problem) => refused(&problem),
    }
    for most in [1, 100, 500] {
        match query_of.size("at", most) {
            Ok(read) => assert!(read.is_none_or(|size| (1..=most).contains(&size))),
            Err(problem) => refused(&problem),
        }
    }
}

fn check_place(query_of: &Query) {
    let conversations = ConversationNumber::FIRST..=ConversationNumber::MAX;
    match conversation(query_of, "at") {
        Ok(read) => {
            assert!(read.is_none_or(|read| conversations.contains(&read)));
            let reread = read.map(|read| conversation(&query(&read.0.to_string()), "at"));
            assert_eq!(reread.transpose().ok().flatten().flatten(), read);
        }
        Err(problem) => refused(&problem),
    }
    match place(query_of, "at") {
        Ok(Some((of, seq))) => {
            assert!(conversations.contains(&of) && (Seq::FIRST..=Seq::MAX).contains(&seq));
            let reread = place(&query(&format!("{}.{}", of.0, seq.0)), "at");
            assert_eq!(reread.ok().flatten(), Some((of, seq)));
        }
        Ok(None) => assert_eq!(query_of.given("at"), None),
        Err(problem) => refused(&problem),
    }
}

#[test]
fn parameters_are_read_or_refused() {
    let target = bolero::check!().with_iterations(2_000);
    target.for_each(|input: &[u8]| {
        let text = String::from_utf8_lossy(input);
        for given in [Query::parse(Some(&text)), query(&text)] {
            check_number(&given);
            check_place(&given);
        }
    });
}
