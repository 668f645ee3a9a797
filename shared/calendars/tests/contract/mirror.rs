//! Whoever follows the changes has what is there.

use std::collections::BTreeMap;

use mostrador_core::booking::{Changes, Event};

use crate::{
    draft::{Draft, Other},
    setup::{each, entry, lines, window},
};

/// What is known of a calendar by its changes.
#[derive(Default)]
struct Mirror {
    objects: BTreeMap<String, Vec<Event>>,
    token: Option<String>,
}

impl Mirror {
    fn take(&mut self, changes: Changes) {
        if changes.is_whole {
            self.objects.clear();
        }
        for gone in changes.gone {
            self.objects.remove(&gone);
        }
        for object in changes.objects {
            self.objects.insert(object.id, object.events);
        }
        self.token = Some(changes.token);
    }

    fn lines(&self) -> String {
        let events: Vec<Event> = self.objects.values().flatten().cloned().collect();
        lines(&events)
    }
}

/// A series of Mondays, changed a little from step to step.
fn series(step: u64) -> Draft {
    let rule = match step % 4 {
        0 => "RRULE:FREQ=WEEKLY;COUNT=4",
        1 => "RRULE:FREQ=WEEKLY;COUNT=2",
        2 => "RRULE:FREQ=WEEKLY;UNTIL=20270301T000000Z;BYDAY=MO,TH",
        _ => "RRULE:FREQ=MONTHLY;BYDAY=2MO",
    };
    let mut draft = Draft {
        recurrence: vec![rule],
        ..Draft::new("disponible", "20261109T160000", "20261109T200000")
    };
    if step.is_multiple_of(3) {
        draft.others.push(Other {
            instead_of: "20261109T160000",
            draft: Draft::new("disponible antes", "20261110T090000", "20261110T100000"),
        });
    }
    draft
}

#[tokio::test]
async fn who_follows_the_changes_has_what_is_there() {
    each(|desk| async move {
        let remote = desk.remote();
        let mut mirror = Mirror::default();
        let mut versions: BTreeMap<String, String> = BTreeMap::new();
        // Nobody's choice: another step each time, the same in each run.
        let mut random = 7_u64;
        for step in 0..60 {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let (deed, which) = ((random >> 33) % 7, (random >> 40) % 3);
            let name = format!("evento-{which}");
            let is_there = versions.contains_key(&name);
            match deed {
                0 | 1 => {
                    let day = ["20261112", "20261209", "20270105"][(step % 3) as usize];
                    let next = ["20261113", "20261211", "20270106"][(step % 3) as usize];
                    desk.write(&name, &Draft::new("Fiesta", day, next)).await;
                    versions.insert(name, String::new());
                }
                2 | 3 => {
                    desk.write(&name, &series(step)).await;
                    versions.insert(name, String::new());
                }
                4 if is_there => {
                    desk.delete(&name).await;
                    versions.remove(&name);
                }
                _ => {
                    let id = format!("cita-{which}");
                    let from = format!("2026-11-2{which}T09:00:00Z");
                    let to = format!("2026-11-2{which}T{}:00:00Z", 10 + step % 8);
                    let entry = entry(&id, "Corte", &from, &to);
                    let version = versions.get(&id).cloned();
                    if deed == 6 && version.is_some() {
                        remote
                            .remove(&entry.appointment, version.as_deref())
                            .await
                            .unwrap();
                        versions.remove(&id);
                    } else {
                        let version = remote.put(&entry, version.as_deref()).await.unwrap();
                        versions.insert(id, version);
                    }
                }
            }
            if step.is_multiple_of(2) {
                let changes = remote.changes(window(), mirror.token.as_deref()).await;
                mirror.take(changes.unwrap());
                let there = remote.look(window()).await.unwrap();
                assert_eq!(mirror.lines(), lines(&there), "after step {step}");
            }
        }
        let changes = remote.changes(window(), mirror.token.as_deref()).await;
        mirror.take(changes.unwrap());
        let mut whole = Mirror::default();
        whole.take(remote.changes(window(), None).await.unwrap());
        assert_eq!(whole.lines(), mirror.lines());
        assert!(mirror.lines().lines().count() > 5, "{}", mirror.lines());
    })
    .await;
}
