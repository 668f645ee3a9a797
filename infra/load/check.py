"""What customers were told under load, against what is there afterwards.

`check.py stock SHOP` prints how many copies of each book the shop has. `check.py load SHOP TOKENS JOURNALS STOCK WRK` reads
every customer's export and fails where it does not fit the journals that load.lua wrote."""

import collections
import json
import pathlib
import re
import sys
import urllib.request

# As in load.lua.
BOOKS = 40


def stock(shop):
    copies = {}
    for book in range(1, BOOKS + 1):
        body = json.dumps({"message": f"libro {book}"}).encode()
        call = urllib.request.Request(f"{shop}/api/agent/", body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(call, timeout=30) as answer:
            copies[book] = json.load(answer)["results"][0]["stock"]
    return copies


def export(shop, token):
    lines, after = [], ""
    while True:
        call = urllib.request.Request(f"{shop}/api/agent/history/export/{after}", headers={"Authorization": f"Bearer {token}"})
        with urllib.request.urlopen(call, timeout=60) as answer:
            lines += [json.loads(line) for line in answer]
        last = lines.pop()
        if last["type"] == "end":
            return lines
        assert last["type"] == "continued", last
        after = f"?after={last['next']}"


class Call:
    """What was sent, and what came of it; `status` is none where no answer came."""

    def __init__(self, sent, kind, key, text):
        self.sent, self.kind, self.key, self.text = sent, kind, key, text
        self.told = self.status = self.order = None
        self.same = ""


def calls(journals):
    """Each customer's calls, of all connections."""
    by_customer = collections.defaultdict(list)
    for journal in sorted(journals.iterdir()):
        latest = None
        for line in journal.read_text().splitlines():
            what, _, at, *rest = line.split("\t")
            if what == "sent":
                customer, kind, key, text = rest
                latest = Call(int(at), kind, key, text)
                by_customer[int(customer)].append(latest)
            else:
                status, latest.same, order = rest
                latest.told, latest.status = int(at), int(status)
                latest.order = int(order) if order else None
    return by_customer


class Findings:
    def __init__(self):
        self.of = collections.defaultdict(list)

    def hold(self, holds, kind, what):
        if not holds:
            self.of[kind].append(what)


def numbers(events, findings, customer):
    """I1: a conversation's events are 1 to n, and those of a commit follow one another."""
    by_conversation = collections.defaultdict(list)
    for line in events:
        by_conversation[line["conversation"]].append(line)
    for conversation, lines in by_conversation.items():
        ids = [line["id"] for line in lines]
        findings.hold(ids == list(range(1, len(ids) + 1)), "numbers", f"{customer}/{conversation}: {ids[:20]}…")
        turns = [line["turn_id"] for line in lines]
        parts = 1 + sum(a != b for a, b in zip(turns, turns[1:]))
        findings.hold(parts == len(set(turns)), "numbers", f"{customer}/{conversation}: a commit is not in one piece")


def messages(events, made, findings, customer):
    """I2, I3 and I4: what was acknowledged is there once, what was refused is not, and in the order in which it was told."""
    places = collections.defaultdict(list)
    for line in events:
        if line["event"]["type"] in ("user_message_sent", "message_added"):
            places[line["event"]["content"]].append((line["conversation"], line["id"]))
    texts = collections.defaultdict(list)
    for call in made:
        if call.text:
            texts[call.text].append(call)
    counts = collections.Counter()
    for text, sent in texts.items():
        there = len(places[text])
        acknowledged = any(call.status in (200, 201) for call in sent)
        unknown = any(call.status is None or call.status >= 500 for call in sent)
        if acknowledged:
            findings.hold(there == 1, "lost or doubled", f"{customer}: “{text}” was acknowledged and is there {there} times")
        elif unknown:
            findings.hold(there <= 1, "lost or doubled", f"{customer}: “{text}” is there {there} times")
        else:
            findings.hold(there == 0, "lost or doubled", f"{customer}: “{text}” was refused and is there")
        counts["acknowledged" if acknowledged else "unknown" if unknown else "refused"] += 1
    strangers = set(places) - set(texts)
    findings.hold(not strangers, "lost or doubled", f"{customer}: nobody wrote {sorted(strangers)[:3]}")
    # Whoever stands earlier was not sent only after a later one had been acknowledged.
    placed = sorted((places[text][0], sent) for text, sent in texts.items() if len(places[text]) == 1)
    latest_sent = 0
    for _, sent in placed:
        told = [call.told for call in sent if call.status in (200, 201)]
        if told:
            findings.hold(min(told) > latest_sent, "out of order", f"{customer}: “{sent[0].text}”")
        latest_sent = max(latest_sent, min(call.sent for call in sent))
    for call in made:
        findings.hold(call.same != "another", "answered anew", f"{customer}: key {call.key}")
    return counts


def purchases(lines, made, findings, customer):
    """I3 and I8 of orders; the copies that this customer holds and has bought."""
    orders = {line["order"]["order_id"]: line["order"] for line in lines if line["type"] == "order"}
    findings.hold(sorted(orders) == list(range(1, len(orders) + 1)), "numbers", f"{customer}: orders {sorted(orders)}")
    told = [call.order for call in made if call.kind == "checkout" and call.status == 200]
    open_ends = sum(call.kind == "checkout" and (call.status is None or call.status >= 500) for call in made)
    findings.hold(len(set(told)) == len(told), "lost or doubled", f"{customer}: an order was told twice")
    findings.hold(set(told) <= set(orders), "lost or doubled", f"{customer}: orders {set(told) - set(orders)} are lost")
    findings.hold(len(orders) <= len(told) + open_ends, "lost or doubled", f"{customer}: orders that nobody made")
    gone = collections.Counter()
    for number, order in orders.items():
        cents = lambda amount: round(float(amount) * 100)
        total = sum(line["cantidad"] * cents(line["precio"]) for line in order["lineas"])
        findings.hold(total == cents(order["total"]), "copies", f"{customer}: order {number} does not add up")
        for line in order["lineas"]:
            gone[line["libro_id"]] += line["cantidad"]
    for line in lines:
        if line["type"] == "reservation" and not line["reservation"].get("ended"):
            gone[line["reservation"]["libro_id"]] += line["reservation"]["cantidad"]
    return gone, len(orders)


def load(shop, tokens, journals, before, wrk):
    tokens = pathlib.Path(tokens).read_text().split()
    before = {int(book): copies for book, copies in json.loads(pathlib.Path(before).read_text()).items()}
    findings, counts, statuses, gone = Findings(), collections.Counter(), collections.Counter(), collections.Counter()
    events = orders = 0
    by_customer = calls(pathlib.Path(journals))
    assert len(by_customer) == len(tokens), "not every customer came"
    for customer, made in sorted(by_customer.items()):
        lines = export(shop, tokens[customer])
        said = [line for line in lines if line["type"] == "event"]
        events += len(said)
        numbers(said, findings, customer)
        counts += messages(said, made, findings, customer)
        taken, ordered = purchases(lines, made, findings, customer)
        gone += taken
        orders += ordered
        statuses.update(call.status for call in made)
        counts["sent again"] += sum(bool(call.same) for call in made)
    # I5: what is left, held and sold is what there was.
    for book, copies in stock(shop).items():
        findings.hold(copies >= 0 and copies + gone[book] == before[book], "copies", f"book {book}: {before[book]} before, {copies} left, {gone[book]} taken")
    findings.hold(not any(status and status >= 500 for status in statuses), "failures", f"{dict(statuses)}")
    findings.hold(counts["acknowledged"] > 0 and orders > 0 and counts["sent again"] > 0, "failures", "there was no load")
    wrk = pathlib.Path(wrk).read_text()
    rate, half, slowest = (re.search(name + r" +(\S+)", wrk).group(1) for name in ("Requests/sec:", "50%", "99%"))
    print(f"load: {rate} requests a second, half within {half}, 99 % within {slowest}; {sum(statuses.values())} calls of "
          f"{len(tokens)} customers on two connections each, {statuses[409]} had to come again, {statuses[None]} without an answer")
    kinds = ["numbers", "lost or doubled", "out of order", "answered anew", "copies", "failures"]
    broke = ", ".join(f"{len(findings.of[kind])} {kind}" for kind in kinds)
    print(f"load: {events} events, {counts['acknowledged']} acknowledged, {counts['refused']} refused, {counts['unknown']} unknown, "
          f"{counts['sent again']} sent again, {orders} orders, {sum(gone.values())} copies taken: {broke}")
    for kind in kinds:
        for what in findings.of[kind][:5]:
            print(f"  {kind}: {what}", file=sys.stderr)
    return 1 if any(findings.of.values()) else 0


if __name__ == "__main__":
    if sys.argv[1] == "stock":
        json.dump(stock(sys.argv[2]), sys.stdout)
    else:
        sys.exit(load(*sys.argv[2:]))
