use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use time::Duration;

use super::*;

fn at(second: i64) -> OffsetDateTime {
    OffsetDateTime::UNIX_EPOCH + Duration::days(20_000) + Duration::seconds(second)
}

fn names(user_id: &str, phone: &str) -> Names {
    Names {
        user_id: UserId::new(user_id).ok(),
        phone: Phone::new(phone).ok(),
    }
}

/// A directory whose new customers are numbered from 1.
#[derive(Default)]
struct Desk {
    directory: Directory<u32>,
    fresh: u32,
}

impl Desk {
    fn see(&mut self, second: i64, user_id: &str, phone: &str) -> u32 {
        let Names { user_id, phone } = names(user_id, phone);
        self.fresh += 1;
        let sighting = Sighting {
            user_id,
            phone,
            at: at(second),
        };
        self.directory.see(&sighting, self.fresh)
    }

    fn rename(&mut self, second: i64, before: Names, after: Names) -> u32 {
        self.fresh += 1;
        let renaming = Renaming {
            before,
            after,
            at: at(second),
        };
        self.directory.rename(&renaming, self.fresh)
    }
}

#[test]
fn what_comes_late_is_what_it_would_have_been_in_time() {
    let mut desk = Desk::default();
    desk.see(0, "", "34600111222");
    assert_eq!(desk.see(3, "ES.a", "34600333444"), 2);
    desk.see(1, "ES.a", "34600111222");
    let current = [1, 2].map(|id| desk.directory.current(&id));
    assert_eq!(current[0], current[1], "the same number, then a new one");
    assert_ne!(desk.see(4, "ES.b", "34600111222"), current[0], "lent");
}

#[test]
fn what_carries_both_names_links_them() {
    let mut desk = Desk::default();
    assert_eq!(
        desk.see(0, "", "34600111222"),
        1,
        "before there were user ids"
    );
    assert_eq!(desk.see(1, "ES.a", "34600111222"), 1);
    assert_eq!(desk.see(2, "ES.a", ""), 1, "the number is hidden");
    assert_eq!(desk.see(3, "", "34600111222"), 1);
    assert_eq!(desk.see(4, "ES.b", ""), 5, "somebody else");
}

#[test]
fn a_number_that_comes_with_another_user_id_is_lent() {
    let mut desk = Desk::default();
    assert_eq!(desk.see(0, "ES.a", "34600111222"), 1);
    assert_eq!(desk.see(10, "ES.b", "34600111222"), 2);
    assert_eq!(desk.see(11, "", "34600111222"), 2);
    assert_eq!(desk.see(12, "ES.a", ""), 1);
    // What the first had sent before comes once more.
    assert_eq!(desk.see(0, "ES.a", "34600111222"), 1);
    assert_eq!(desk.see(13, "", "34600111222"), 2);
    assert_eq!(desk.directory.customer(&1).unwrap().phone, None);
    // Somebody hidden had it before, which comes late.
    assert_eq!(desk.see(20, "ES.h", ""), 7);
    assert_eq!(desk.see(5, "ES.h", "34600111222"), 7);
    assert_eq!(desk.see(21, "", "34600111222"), 2);
}

#[test]
fn somebody_hidden_is_who_wrote_with_the_number_unless_they_had_another() {
    let mut desk = Desk::default();
    assert_eq!(desk.see(0, "", "34600111222"), 1);
    assert_eq!(desk.see(1, "ES.a", ""), 2);
    assert_eq!(
        desk.see(2, "ES.a", "34600111222"),
        1,
        "merged into the older"
    );
    assert_eq!(desk.directory.current(&2), 1);
    assert_eq!(desk.see(3, "", "34600333444"), 4);
    assert_eq!(
        desk.see(4, "ES.a", "34600333444"),
        1,
        "a number of somebody else's before"
    );
    assert_eq!(desk.directory.current(&4), 4);
}

#[test]
fn system_messages_move_the_links() {
    let mut desk = Desk::default();
    assert_eq!(desk.see(0, "ES.a", "34600111222"), 1);
    let (before, after) = (names("ES.a", "34600111222"), names("ES.b", "34600333444"));
    assert_eq!(desk.rename(1, before.clone(), after.clone()), 1);
    assert_eq!(desk.see(2, "ES.b", ""), 1);
    assert_eq!(desk.see(2, "", "34600333444"), 1);
    assert_eq!(desk.rename(1, before, after), 1, "once more");
    assert_eq!(desk.see(3, "", "34600111222"), 6, "the number is free");
    assert_eq!(desk.rename(4, names("ES.b", ""), names("ES.c", "")), 1);
    assert_eq!(desk.see(5, "ES.c", ""), 1);
    // Numbers alone, as until August 2026.
    let (before, after) = (names("", "34600333444"), names("ES.d", "34600555666"));
    assert_eq!(desk.rename(6, before.clone(), after.clone()), 1);
    assert_eq!(desk.rename(6, before, after), 1);
    assert_eq!(desk.see(7, "ES.d", "34600555666"), 1);
}

#[test]
fn a_renaming_that_comes_late_renames_nobody_else() {
    let mut desk = Desk::default();
    assert_eq!(desk.see(0, "ES.a", "34600111222"), 1);
    assert_eq!(desk.see(10, "ES.b", "34600111222"), 2);
    let late = desk.rename(5, names("", "34600111222"), names("ES.c", "34600333444"));
    assert_ne!(late, 2);
    // Nor one that names somebody who was never seen, with a number that was somebody else's.
    let stranger = desk.rename(12, names("ES.z", "34600111222"), names("ES.y", ""));
    assert_ne!(stranger, 2);
    assert_eq!(desk.see(11, "ES.b", "34600111222"), 2);
    // The new name was in use before the message of it came in.
    assert_eq!(desk.see(20, "ES.d", "34600555666"), 6);
    assert_eq!(
        desk.rename(19, names("ES.b", ""), names("ES.d", "34600555666")),
        2
    );
    assert_eq!(desk.directory.current(&6), 2);
    assert_eq!(desk.see(21, "ES.d", "34600555666"), 2);
}

/// What people do. Before the switch there are numbers alone; after it each message has a user id, and the first of each
/// person shows the number that the business knows, as the platform's address book has it.
#[derive(Debug, Clone)]
enum Act {
    Write {
        who: usize,
        shows_number: bool,
    },
    /// To a number that is new, or that somebody else has given up.
    ChangeNumber {
        who: usize,
        takes_used: bool,
    },
    ChangeUserId {
        who: usize,
    },
    /// Somebody whom the business has never seen has a number that somebody else has given up, or has lost without a word.
    Inherit {
        who: usize,
        from: usize,
    },
    /// An earlier delivery comes once more.
    Repeat {
        which: usize,
    },
    /// The last two deliveries come the other way round.
    Overtake,
}

fn an_act() -> impl Strategy<Value = Act> {
    let who = 0_usize..6;
    prop_oneof![
        4 => (who.clone(), any::<bool>()).prop_map(|(who, shows_number)| Act::Write { who, shows_number }),
        2 => (who.clone(), any::<bool>()).prop_map(|(who, takes_used)| Act::ChangeNumber { who, takes_used }),
        1 => who.clone().prop_map(|who| Act::ChangeUserId { who }),
        1 => (who.clone(), who).prop_map(|(who, from)| Act::Inherit { who, from }),
        2 => any::<prop::sample::Index>().prop_map(|index| Act::Repeat { which: index.index(1000) }),
        1 => Just(Act::Overtake),
    ]
}

#[derive(Debug, Clone)]
enum Delivery {
    Message(Sighting),
    Change(Renaming),
}

impl Delivery {
    /// What has a number alone belongs to whoever has the number when it comes: it must come in time.
    fn has_user_id(&self) -> bool {
        match self {
            Self::Message(sighting) => sighting.user_id.is_some(),
            Self::Change(renaming) => renaming.before.user_id.is_some(),
        }
    }
}

#[derive(Debug, Clone)]
struct Person {
    user_id: u32,
    phone: u32,
    was_seen: bool,
}

struct World {
    people: Vec<Person>,
    used: Vec<u32>,
    next: u32,
    deliveries: Vec<(usize, Delivery)>,
}

impl World {
    fn names(&self, who: usize, has_user_id: bool, shows_number: bool) -> Names {
        let person = &self.people[who];
        let user_id = if has_user_id {
            format!("ES.{}", person.user_id)
        } else {
            String::new()
        };
        let phone = if shows_number {
            format!("346{:08}", person.phone)
        } else {
            String::new()
        };
        names(&user_id, &phone)
    }

    fn act(&mut self, second: i64, act: &Act, has_user_ids: bool) {
        let at = at(second);
        self.next += 1;
        match *act {
            Act::Write { who, shows_number } => {
                let shows_number = shows_number || !has_user_ids || !self.people[who].was_seen;
                let Names { user_id, phone } = self.names(who, has_user_ids, shows_number);
                self.people[who].was_seen |= has_user_ids;
                self.deliveries
                    .push((who, Delivery::Message(Sighting { user_id, phone, at })));
            }
            Act::ChangeNumber { who, takes_used } => {
                let before = self.names(who, has_user_ids, true);
                let was_known = self.people[who].was_seen;
                let used = self.used.pop().filter(|_| takes_used && has_user_ids);
                let former =
                    std::mem::replace(&mut self.people[who].phone, used.unwrap_or(self.next));
                // A number that a business knows from before user ids alone may be lent to anybody: no rule can tell.
                if was_known {
                    self.used.push(former);
                }
                if has_user_ids {
                    self.people[who].user_id = self.next;
                }
                let after = self.names(who, has_user_ids, true);
                self.people[who].was_seen |= has_user_ids;
                self.deliveries
                    .push((who, Delivery::Change(Renaming { before, after, at })));
            }
            Act::ChangeUserId { who } if has_user_ids && self.people[who].was_seen => {
                let before = self.names(who, true, false);
                self.people[who].user_id = self.next;
                let after = self.names(who, true, false);
                self.deliveries
                    .push((who, Delivery::Change(Renaming { before, after, at })));
            }
            Act::Inherit { who, from } if has_user_ids && self.people[from].was_seen => {
                let is_unknown = !self.deliveries.iter().any(|(other, _)| *other == who);
                if is_unknown && who != from {
                    self.people[who].phone = self.people[from].phone;
                    // The other goes on with a number that nobody knows, and with the same user id.
                    self.people[from].phone = self.next;
                }
            }
            Act::Repeat { which } if has_user_ids => {
                let more = self.deliveries.get(which % self.deliveries.len().max(1));
                self.deliveries
                    .extend(more.filter(|(_, delivery)| delivery.has_user_id()).cloned());
            }
            Act::Overtake if has_user_ids => {
                let last = self.deliveries.len();
                let mut both = self.deliveries.iter().rev().take(2);
                let may = last >= 2 && both.all(|(_, delivery)| delivery.has_user_id());
                if may && !self.hides_who_it_was() {
                    self.deliveries.swap(last - 1, last - 2);
                }
            }
            Act::ChangeUserId { .. } | Act::Inherit { .. } | Act::Repeat { .. } | Act::Overtake => {
            }
        }
    }
}

impl World {
    /// Whether the last two deliveries the other way round would let somebody else come first with a number that a business knows
    /// from before user ids alone: no rule can tell whose it was.
    fn hides_who_it_was(&self) -> bool {
        let [earlier @ .., late, first] = &self.deliveries[..] else {
            return false;
        };
        let mut of_late = earlier.iter().filter(|(who, _)| *who == late.0);
        late.0 != first.0 && of_late.all(|(_, delivery)| !delivery.has_user_id())
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    /// Whatever changes, what is known of one person is one customer's, and no two persons are one customer.
    #[test]
    fn a_person_is_one_customer_and_nobody_elses(
        before in prop::collection::vec(an_act(), 0..8),
        after in prop::collection::vec(an_act(), 0..40),
    ) {
        let people = (0..6).map(|n| Person { user_id: 900 + n, phone: 900 + n, was_seen: false });
        let mut world = World { people: people.collect(), used: Vec::new(), next: 0, deliveries: Vec::new() };
        let acts = before.iter().map(|act| (act, false)).chain(after.iter().map(|act| (act, true)));
        for (second, (act, has_user_ids)) in (0_i64..).zip(acts) {
            world.act(second, act, has_user_ids);
        }
        let mut directory = Directory::default();
        let mut customers: BTreeMap<usize, BTreeSet<u32>> = BTreeMap::new();
        for (fresh, (who, delivery)) in (0_u32..).zip(&world.deliveries) {
            let customer = match delivery {
                Delivery::Message(sighting) => directory.see(sighting, fresh),
                Delivery::Change(renaming) => directory.rename(renaming, fresh),
            };
            customers.entry(*who).or_default().insert(customer);
        }
        let mut taken = BTreeSet::new();
        for (who, ids) in &customers {
            let current: BTreeSet<u32> = ids.iter().map(|id| directory.current(id)).collect();
            prop_assert_eq!(current.len(), 1, "person {} is {:?} in {:#?}", who, ids, &world.deliveries);
            prop_assert!(taken.is_disjoint(&current), "person {} is somebody else in {:#?}", who, &world.deliveries);
            taken.extend(current);
        }
    }
}
