//! Many stretches of time, in order and apart from one another; each function goes through them once.

use super::Span;

/// In order, with those that overlap or touch as one.
pub(super) fn union(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_unstable();
    let mut apart: Vec<Span> = Vec::with_capacity(spans.len());
    for span in spans {
        match apart.last_mut() {
            Some(last) if span.start_second() <= last.end_second() => {
                let end = last.end_second().max(span.end_second());
                if let Some(longer) = Span::of_seconds(last.start_second(), end) {
                    *last = longer;
                }
            }
            _ => apart.push(span),
        }
    }
    apart
}

/// What lies in both.
pub(super) fn intersection(some: &[Span], others: &[Span]) -> Vec<Span> {
    let mut common = Vec::new();
    let (mut some, mut others) = (some.iter().peekable(), others.iter().peekable());
    while let (Some(one), Some(other)) = (some.peek(), others.peek()) {
        common.extend(one.common(**other));
        if one.end_second() <= other.end_second() {
            some.next();
        } else {
            others.next();
        }
    }
    common
}

/// What lies in `open` and in none of `blocked`.
pub(super) fn difference(open: &[Span], blocked: &[Span]) -> Vec<Span> {
    let mut free = Vec::with_capacity(open.len());
    let mut first = 0;
    for span in open {
        let mut start = span.start_second();
        while blocked
            .get(first)
            .is_some_and(|block| block.end_second() <= start)
        {
            first += 1;
        }
        for block in &blocked[first..] {
            if block.start_second() >= span.end_second() {
                break;
            }
            free.extend(Span::of_seconds(start, block.start_second()));
            start = start.max(block.end_second());
        }
        free.extend(Span::of_seconds(start, span.end_second()));
    }
    free
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn spans() -> impl Strategy<Value = Vec<Span>> {
        let span = (0..60i64, 1..9i64);
        prop::collection::vec(span, 0..12).prop_map(|spans| {
            let spans = spans.into_iter();
            spans
                .filter_map(|(start, length)| Span::of_seconds(start, start + length))
                .collect()
        })
    }

    /// Which seconds lie in some of them.
    fn seconds(spans: &[Span]) -> Vec<bool> {
        let is_in = |second: i64| {
            let mut spans = spans.iter();
            spans.any(|span| (span.start_second()..span.end_second()).contains(&second))
        };
        (0..80).map(is_in).collect()
    }

    proptest! {
        #[test]
        fn they_are_what_they_are_second_by_second(some in spans(), others in spans()) {
            let (one, other) = (union(some.clone()), union(others.clone()));
            prop_assert!(one.windows(2).all(|pair| pair[0].end_second() < pair[1].start_second()));
            let (a, b) = (seconds(&some), seconds(&others));
            prop_assert_eq!(&seconds(&one), &a);
            let both: Vec<bool> = a.iter().zip(&b).map(|(a, b)| *a && *b).collect();
            prop_assert_eq!(seconds(&intersection(&one, &other)), both);
            let rest: Vec<bool> = a.iter().zip(&b).map(|(a, b)| *a && !*b).collect();
            prop_assert_eq!(seconds(&difference(&one, &other)), rest);
        }
    }
}
