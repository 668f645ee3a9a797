"""Makes recurring events by a seed, and writes each with the times that `recurring-ical-events` finds of it, one JSON object a line.

`shared/calendars/tests/oracle.rs` reads them and compares its own times with them.

The oracle deviates from RFC 5545 in these cases, and in no other that is made here:

- `end`: it adds an event's length to what clocks show. By the RFC, the length from DTSTART to DTEND, and hours, minutes and seconds of a
  duration, are exact. Only where clocks are changed between a start and its end (or were, between the first ones) is the end put right
  here; such ends are counted as `ends_put_right`.
- `first week`: of a weekly rule with BYSETPOS, it takes the first week to begin with DTSTART, not with WKST (dateutil). Such a case is
  left out where DTSTART is on another weekday than WKST, and counted in `left_out`.
- `week of the year`: BYWEEKNO without BYDAY is each day of the week for it (dateutil), and DTSTART's weekday for the RFC, as of every
  part that a rule does not say. Such a case is left out.
- It takes the time of an EXDATE, a RECURRENCE-ID or a period also for one in UTC, and the other way round. No exception is made for a time
  that would be another one of the series so.
- `new year`: it counts 53 weeks for some years of 52, so that the first days of January are in none of them (dateutil). A rule with weeks
  52, 53 or -1 is left out where the window has such days.
- `gap`: in a zone that the calendar describes itself, it takes a time that clocks leave out by the clocks after the gap (icalendar). By
  the RFC it is by those before. A series with such a time is left out.

Rules with numbered weekdays beside others are not made: dateutil takes no day that is not both. No zone is used whose rules have changed
lately, since the two sides have databases of zones of their own.
"""

import argparse
import json
import random
from datetime import date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import icalendar
import recurring_ical_events
from recurring_ical_events.errors import BadRuleStringFormat

UTC = timezone.utc
ZONES = [
    "Europe/Madrid",
    "America/Santiago",
    "America/Bogota",
    "America/New_York",
    "America/Mexico_City",
    "Australia/Lord_Howe",
    "Asia/Kathmandu",
    "Europe/Dublin",
]
WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
# As Outlook writes it.
ROMANCE = "\r\n".join(
    [
        "BEGIN:VTIMEZONE",
        "TZID:Romance Standard Time",
        "BEGIN:STANDARD",
        "DTSTART:16010101T030000",
        "TZOFFSETFROM:+0200",
        "TZOFFSETTO:+0100",
        "RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10",
        "END:STANDARD",
        "BEGIN:DAYLIGHT",
        "DTSTART:16010101T020000",
        "TZOFFSETFROM:+0100",
        "TZOFFSETTO:+0200",
        "RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3",
        "END:DAYLIGHT",
        "END:VTIMEZONE",
    ]
)


def changes_of(zone):
    """The days of two years on which clocks are changed there."""
    noon = lambda day: datetime(2026, 1, 1, 12, tzinfo=ZoneInfo(zone)) + timedelta(days=day)
    days = [day for day in range(1, 730) if noon(day).utcoffset() != noon(day - 1).utcoffset()]
    return [noon(day).date() for day in days]


# Around them, much is tried.
CHANGES = {zone: changes_of(zone) for zone in [*ZONES, "UTC"]}
SOME_DAYS = [date(2026, 2, 27), date(2026, 11, 23), date(2026, 12, 30)]


class Case:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.left_out = None
        r = self.random
        self.business_zone = r.choice(ZONES)
        self.form = r.choices(["zone", "utc", "floating", "day", "romance"], [60, 6, 6, 22, 6])[0]
        self.zone = {
            "zone": r.choice(ZONES),
            "utc": "UTC",
            "floating": self.business_zone,
            "day": self.business_zone,
            "romance": "Europe/Madrid",
        }[self.form]
        self.frequency = r.choices(
            ["YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY", "SECONDLY"],
            [16, 26, 26, 18, 6, 4, 4],
        )[0]
        if self.form == "day" and self.frequency in ("HOURLY", "MINUTELY", "SECONDLY"):
            self.frequency = "DAILY"
        self.is_short = self.frequency in ("HOURLY", "MINUTELY", "SECONDLY")
        near = r.choice(CHANGES[self.zone] or SOME_DAYS) if r.random() < 0.85 else r.choice(SOME_DAYS)
        back = {
            "YEARLY": r.randint(0, 5000),
            "MONTHLY": r.randint(0, 1500),
            "WEEKLY": r.randint(0, 700),
            "DAILY": r.randint(0, 400),
        }.get(self.frequency, r.randint(0, 12))
        self.first_day = near - timedelta(days=back + r.randint(-3, 10))
        hour = r.choice([0, 0, 1, 1, 2, 2, 2, 2, 3, 7, 9, 12, 17, 23] if self.form != "romance" else [0, 1, 3, 9, 23])
        self.start = datetime(
            self.first_day.year,
            self.first_day.month,
            self.first_day.day,
            hour,
            r.choice([0, 0, 15, 30, 45]),
            r.choice([0, 0, 0, 0, 20]),
        )
        at = datetime(near.year, near.month, near.day, r.randint(0, 23), r.randint(0, 59), tzinfo=UTC)
        self.window_start = at - timedelta(days=r.randint(0, 40) if not self.is_short else r.randint(0, 4))
        lasting = {"YEARLY": 800, "MONTHLY": 120}.get(self.frequency, 40) if not self.is_short else 5
        self.window_end = self.window_start + timedelta(hours=r.randint(1, lasting * 24))
        if r.random() < 0.7:
            self.window_end = max(self.window_end, at + timedelta(days=2))
        self.rule = self.make_rule()
        self.lengths = {}
        self.periods = {}
        self.master = self.event("m", self.start, self.make_length("m"))
        if self.rule:
            self.master.append("RRULE:" + self.rule)
        self.others = []
        self.make_exceptions()

    # Rules

    def some(self, values, most=3):
        values = list(values)
        return sorted(self.random.sample(values, self.random.randint(1, min(most, len(values)))))

    def make_rule(self):
        r = self.random
        if r.random() < 0.03:
            return None
        parts = ["FREQ=" + self.frequency]
        maybe = lambda share: r.random() < share
        listed = lambda values: ",".join(str(value) for value in values)
        interval = 1
        if maybe(0.4):
            interval = r.randint(2, 5)
        if self.frequency == "SECONDLY":
            interval = r.choice([1800, 5400, 907, 86399, 3601])
        if self.frequency == "MINUTELY":
            interval = r.choice([15, 45, 90, 1439, 37])
        if interval > 1:
            parts.append(f"INTERVAL={interval}")
        week_start = r.choice(["MO", "SU", "TH"]) if maybe(0.3) else None
        plain_days = lambda: listed(r.sample(WEEKDAYS, r.randint(1, 4)))
        has_position = False
        match self.frequency:
            case "YEARLY":
                form = r.randint(0, 8)
                if form == 1:
                    parts.append("BYMONTH=" + listed(self.some(range(1, 13))))
                elif form == 2:
                    parts += ["BYMONTH=" + listed(self.some(range(1, 13))), "BYDAY=" + self.numbered(5)]
                elif form == 3:
                    parts.append("BYDAY=" + self.numbered(53))
                elif form == 4:
                    parts.append("BYYEARDAY=" + listed(self.some([1, 60, 100, 200, 365, 366, -1, -366, -100])))
                elif form == 5:
                    weeks = self.some([1, 10, 20, 52, 53, -1, -10] if maybe(0.1) else [1, 2, 10, 20, 51, -2, -10])
                    parts.append("BYWEEKNO=" + listed(weeks))
                    last = [day for day in self.window_days() if day.month == 1 and day.day < 5]
                    if last and {52, 53, -1} & set(weeks):
                        self.left_out = "new year"
                    # By another interval than one, weeks across New Year are another year's.
                    parts[1:] = [part for part in parts[1:] if not part.startswith("INTERVAL")]
                    if maybe(0.99):
                        parts.append("BYDAY=" + plain_days())
                    else:
                        self.left_out = "week of the year"
                elif form == 6:
                    parts += ["BYMONTH=" + listed(self.some(range(1, 13))), "BYDAY=" + plain_days()]
                    parts.append("BYSETPOS=" + listed(self.some([1, 2, -1, -2, 3])))
                elif form == 7:
                    parts += ["BYMONTHDAY=" + listed(self.some([1, 13, 29, 30, 31, -1, -5])), "BYDAY=" + plain_days()]
                elif form == 8:
                    parts += ["BYMONTH=" + listed(self.some(range(1, 13))), "BYMONTHDAY=" + listed(self.some([1, 15, 31, -1]))]
            case "MONTHLY":
                form = r.randint(0, 6)
                if form == 1:
                    parts.append("BYMONTHDAY=" + listed(self.some([1, 13, 29, 30, 31, -1, -31])))
                elif form == 2:
                    parts.append("BYDAY=" + self.numbered(5))
                elif form == 3:
                    parts += ["BYDAY=" + plain_days(), "BYSETPOS=" + listed(self.some([1, 2, -1, -2, 3, 5]))]
                elif form == 4:
                    parts.append("BYDAY=" + plain_days())
                elif form == 5:
                    parts += ["BYDAY=" + plain_days(), "BYMONTHDAY=" + listed(self.some(range(1, 32), 9))]
                elif form == 6:
                    parts += ["BYMONTH=" + listed(self.some(range(1, 13), 6)), "BYMONTHDAY=" + listed(self.some([1, 31, -1]))]
            case "WEEKLY":
                if maybe(0.7):
                    parts.append("BYDAY=" + plain_days())
                    if maybe(0.15):
                        has_position = True
                        parts.append("BYSETPOS=" + listed(self.some([1, 2, -1])))
                        if maybe(0.97):
                            week_start = WEEKDAYS[self.start.weekday()]
                if maybe(0.1):
                    parts.append("BYMONTH=" + listed(self.some(range(1, 13), 8)))
            case "DAILY":
                if maybe(0.3):
                    parts.append("BYDAY=" + plain_days())
                if maybe(0.15):
                    parts.append("BYMONTHDAY=" + listed(self.some(range(1, 32), 15)))
                if maybe(0.15):
                    parts.append("BYMONTH=" + listed(self.some(range(1, 13), 8)))
            case "HOURLY":
                if maybe(0.3):
                    parts.append("BYDAY=" + plain_days())
                if maybe(0.3):
                    parts.append("BYMINUTE=" + listed(self.some([0, 5, 20, 59])))
                if maybe(0.3):
                    parts.append("BYHOUR=" + listed(self.some(range(24), 12)))
            case "MINUTELY":
                if maybe(0.3):
                    parts.append("BYHOUR=" + listed(self.some(range(24), 12)))
                if maybe(0.2):
                    parts.append("BYDAY=" + plain_days())
            case "SECONDLY":
                if maybe(0.4):
                    parts.append("BYHOUR=" + listed(self.some(range(24), 6)))
                if maybe(0.3):
                    parts.append("BYMINUTE=" + listed(self.some(range(60), 10)))
        if self.form != "day" and not self.is_short and maybe(0.12):
            parts.append("BYHOUR=" + listed(self.some(range(24))))
            if maybe(0.5):
                parts.append("BYMINUTE=" + listed(self.some([0, 10, 30])))
            if not has_position and self.frequency in ("DAILY", "MONTHLY") and maybe(0.3) and "BYSETPOS" not in str(parts):
                parts.append("BYSETPOS=" + listed(self.some([1, -1])))
        if week_start:
            parts.append("WKST=" + week_start)
        if has_position and WEEKDAYS[self.start.weekday()] != (week_start or "MO"):
            self.left_out = "first week"
        if maybe(0.25):
            parts.append(f"COUNT={r.randint(1, 60)}")
        elif maybe(0.35):
            parts.append("UNTIL=" + self.until())
        r.shuffle(tail := parts[1:])
        return ";".join([parts[0], *tail])

    def window_days(self):
        days = (self.window_end - self.window_start).days + 3
        return [(self.window_start + timedelta(days=day - 1)).date() for day in range(days)]

    def numbered(self, most):
        r = self.random
        numbers = [n for n in range(-most, most + 1) if n]
        return ",".join(f"{r.choice(numbers)}{r.choice(WEEKDAYS)}" for _ in range(r.randint(1, 2)))

    def until(self):
        # Around the window, often at the very minute of the series.
        day = (self.window_start + timedelta(days=self.random.randint(-2, 30))).date()
        last = datetime(day.year, day.month, day.day, self.start.hour, self.start.minute, self.start.second)
        if self.form == "day":
            return day.strftime("%Y%m%d")
        if self.form == "floating":
            return last.strftime("%Y%m%dT%H%M%S")
        return last.replace(tzinfo=ZoneInfo(self.zone)).astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")

    # Events

    def make_length(self, name):
        r = self.random
        if self.form == "day":
            days = r.choice([1, 1, 1, 2, 7])
            self.lengths[name] = ("days", days, 0)
            if days == 1 and r.random() < 0.3:
                return ("none",)
            return ("end", timedelta(days=days)) if r.random() < 0.7 else ("duration", f"P{days}D")
        minutes = r.choice([5, 30, 30, 60] if self.is_short else [5, 30, 30, 60, 60, 90, 90, 180, 300, 1500])
        form = r.random()
        if form < 0.7:
            self.lengths[name] = ("wall", timedelta(minutes=minutes))
            return ("end", timedelta(minutes=minutes))
        # Of two times within a day that are one instant, a day later may be two.
        if form < 0.95 or self.is_short:
            self.lengths[name] = ("days", 0, minutes * 60)
            return ("duration", f"PT{minutes}M")
        self.lengths[name] = ("days", 1, 3600)
        return ("duration", "P1DT1H")

    def stamp(self, name, at, parameters=""):
        if self.form == "day":
            return f"{name};VALUE=DATE{parameters}:{at:%Y%m%d}"
        if self.form == "utc":
            return f"{name}{parameters}:{at:%Y%m%dT%H%M%S}Z"
        if self.form == "floating":
            return f"{name}{parameters}:{at:%Y%m%dT%H%M%S}"
        zone = "Romance Standard Time" if self.form == "romance" else self.zone
        return f"{name};TZID={zone}{parameters}:{at:%Y%m%dT%H%M%S}"

    def event(self, name, start, length):
        lines = ["UID:one", "DTSTAMP:20260101T000000Z", "SUMMARY:" + name, self.stamp("DTSTART", start)]
        match length:
            case ("end", by):
                lines.append(self.stamp("DTEND", start + by))
                if self.lengths[name][0] == "wall":
                    exact = self.instant(start + by) - self.instant(start)
                    self.lengths[name] = ("days", 0, max(0, int(exact.total_seconds())))
            case ("duration", text):
                lines.append("DURATION:" + text)
        return lines

    def instant(self, local):
        return local.replace(tzinfo=ZoneInfo(self.zone)).astimezone(UTC)

    def make_exceptions(self):
        r = self.random
        if r.random() < 0.5:
            return
        starts = sorted({start for start, _, _ in self.found()})
        local = [start if isinstance(start, datetime) else datetime(start.year, start.month, start.day) for start in starts]
        local = [start.replace(tzinfo=None) for start in local]
        if self.form not in ("day", "utc"):
            instants = {self.instant(start) for start in local}
            known = set(local)
            is_alone = lambda at: at.replace(tzinfo=UTC) not in instants and self.instant(at).replace(tzinfo=None) not in known
            local = [start for start in local if is_alone(start)]
        else:
            is_alone = lambda at: True
        except_for = r.sample(local, min(len(local), r.choice([0, 1, 1, 2, 4])))
        for start in except_for:
            if self.form not in ("day", "floating") and r.random() < 0.15:
                self.master.append(f"EXDATE:{self.instant(start):%Y%m%dT%H%M%SZ}")
            else:
                self.master.append(self.stamp("EXDATE", start))
        if r.random() < 0.3:
            shift = timedelta(days=r.randint(0, 20), minutes=0 if self.form == "day" else r.choice([0, 45]))
            at = datetime(self.window_start.year, self.window_start.month, self.window_start.day, self.start.hour) + shift
            if self.form != "day" and r.random() < 0.4 and is_alone(at):
                hours = r.randint(1, 4)
                end = f"PT{hours}H"
                self.master.append(self.stamp("RDATE", at, ";VALUE=PERIOD") + "/" + end)
                self.periods[self.instant(at)] = hours * 3600
            else:
                self.master.append(self.stamp("RDATE", at))
        rest = [start for start in local if start not in except_for]
        if not self.rule:
            return
        for number, start in enumerate(r.sample(rest, min(len(rest), r.choice([0, 0, 1, 2])))):
            name = f"o{number}"
            far = r.choice([0, 0, 1, 10, 60])
            by = timedelta(days=r.randint(-far, far))
            if self.form != "day":
                by += timedelta(minutes=r.choice([0, 15, 60, -60, 600]))
            event = self.event(name, start + by, self.make_length(name))
            # Of two times within a day that are one instant, what is moved may be two.
            later = ";RANGE=THISANDFUTURE" if r.random() < 0.15 and not self.is_short else ""
            event.append(self.stamp("RECURRENCE-ID", start, later))
            if r.random() < 0.2:
                event.append("STATUS:CANCELLED")
            self.others.append(event)

    def text(self):
        lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//oracle//EN"]
        if self.form == "romance":
            lines.append(ROMANCE)
        for event in [self.master, *self.others]:
            lines += ["BEGIN:VEVENT", *event, "END:VEVENT"]
        return "\r\n".join([*lines, "END:VCALENDAR", ""])

    # What the oracle finds

    def found(self):
        calendar = icalendar.Calendar.from_ical(self.text())
        margin = timedelta(days=3)
        zone = ZoneInfo(self.business_zone)
        span = ((self.window_start - margin).astimezone(zone), (self.window_end + margin).astimezone(zone))
        for event in recurring_ical_events.of(calendar).between(*span):
            if event.get("STATUS") != "CANCELLED":
                yield event["DTSTART"].dt, event["DTEND"].dt, str(event["SUMMARY"])

    def expected(self):
        """Each time in the window, and how many ends were put right."""
        times, put_right = set(), 0
        zone = ZoneInfo(self.business_zone)
        midnight = lambda day: datetime(day.year, day.month, day.day, tzinfo=zone).astimezone(UTC)
        for start, end, name in self.found():
            if not isinstance(start, datetime):
                begins, ends = midnight(start), midnight(end)
                written = (start.isoformat(), end.isoformat())
            else:
                aware = lambda at: at if at.tzinfo else at.replace(tzinfo=zone)
                start, end = aware(start), aware(end)
                if self.form == "romance" and self.instant(start.replace(tzinfo=None)) != start.astimezone(UTC):
                    self.left_out = "gap"
                begins, ends = start.astimezone(UTC), end.astimezone(UTC)
                right = self.right_end(start, begins, name)
                if right != ends and self.clocks_change(start, right, name):
                    ends, put_right = right, put_right + 1
                stamp = lambda at: at.strftime("%Y-%m-%dT%H:%M:%SZ")
                written = (stamp(begins), stamp(ends))
            if begins < self.window_end and (ends > self.window_start or begins >= self.window_start):
                times.add(written)
        return sorted(times), put_right

    def right_end(self, start, begins, name):
        _, days, seconds = self.lengths[name]
        if name == "m" and begins in self.periods:
            days, seconds = 0, self.periods[begins]
        # A start that clocks leave out is, by the RFC, what they show at its instant, and days are counted from there.
        settled = begins.astimezone(ZoneInfo(self.zone))
        after_days = (settled + timedelta(days=days)).astimezone(UTC) if days else begins
        return after_days + timedelta(seconds=seconds)

    def clocks_change(self, start, right, name):
        zone = ZoneInfo(self.zone)
        around = lambda at: at.astimezone(zone).utcoffset()
        spans = [(start, right)]
        # The length itself, where clocks were changed within the event that it is told of.
        written = self.master if name == "m" else self.others[int(name[1:])]
        told = icalendar.Calendar.from_ical(
            "\r\n".join(["BEGIN:VCALENDAR", *([ROMANCE] if self.form == "romance" else []), "BEGIN:VEVENT", *written, "END:VEVENT", "END:VCALENDAR"])
        ).walk("VEVENT")[0]
        spans.append((told.start.replace(tzinfo=zone), told.end.replace(tzinfo=zone)))
        hour = timedelta(hours=1)
        return any(around(begin - hour) != around(end + hour) for begin, end in spans)


def make(seed):
    """A case; another one where the oracle refuses a rule because it would never give a time."""
    for attempt in range(100):
        try:
            case = Case(f"{seed}/{attempt}")
            return case, *case.expected()
        except (BadRuleStringFormat, ValueError):
            continue
    raise RuntimeError("no rule is taken")


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--seed", type=int, required=True)
    arguments.add_argument("--count", type=int, default=2000)
    arguments = arguments.parse_args()
    for number in range(arguments.count):
        case, expected, put_right = make(f"{arguments.seed}/{number}")
        print(
            json.dumps(
                {
                    "number": number,
                    "zone": case.business_zone,
                    "from": case.window_start.strftime("%Y-%m-%dT%H:%M:%SZ"),
                    "to": case.window_end.strftime("%Y-%m-%dT%H:%M:%SZ"),
                    "calendar": case.text(),
                    "times": expected,
                    "ends_put_right": put_right,
                    "left_out": case.left_out,
                }
            )
        )


if __name__ == "__main__":
    main()
