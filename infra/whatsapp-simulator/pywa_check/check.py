"""Holds pywa against our reading, our messages and our signatures. Prints what was compared; fails on any difference."""

import hashlib
import hmac
import http.server
import json
import pathlib
import re
import socket
import subprocess
import sys
import threading
import time
import warnings

import httpx
import pywa
from pywa import types, utils
from pywa.types.base_update import RawUpdate

simulator_program, our_program, corpus = sys.argv[1:]
corpus = pathlib.Path(corpus)
warnings.simplefilter("ignore")
NUMBER = "106540352242922"
TOKEN, SECRET = "simulated-token", "simulated-secret"
failures = []


def ours(*arguments, given=None):
    given = None if given is None else json.dumps(given)
    ran = subprocess.run([our_program, *arguments], input=given, capture_output=True, text=True, check=True)
    return json.loads(ran.stdout)


def same(what, pywas, our):
    if pywas != our:
        failures.append(f"{what}:\n  pywa {pywas}\n  ours {our}")


def client(session):
    return pywa.WhatsApp(
        phone_id=NUMBER, token=TOKEN, session=session, server=None, app_secret=SECRET, filter_updates=False
    )


def text(value):
    return value or None


def digits(phone):
    return re.sub(r"\D", "", phone)


def media(it):
    return {"id": it.id, "mime_type": it.mime_type, "sha256": it.sha256}


def sender(user):
    return {
        "user_id": text(user.bsuid),
        "parent_user_id": text(user.parent_bsuid),
        "phone": text(user.wa_id),
        "username": text(user.username),
        "profile_name": text(user.name),
    }


def content(update):
    """pywa's reading of what a message holds, in our words."""
    match update:
        case types.CallbackSelection():
            read = {"type": "list_reply", "id": update.data, "title": update.title}
            return read | ({"description": update.description} if update.description else {})
        case types.CallbackButton() if update.is_quick_reply:
            return {"type": "quick_reply", "payload": update.data, "text": update.title}
        case types.CallbackButton():
            return {"type": "button_reply", "id": update.data, "title": update.title}
        case types.EditedMessage():
            return {"type": "edit", "original": update.original_message_id, "body": update.message.text}
        case types.DeletedMessage():
            return {"type": "revoke", "original": update.original_message_id}
    read = {"type": update.type.value}
    match update.type.value:
        case "text":
            read["body"] = update.text
        case "audio":
            read |= {"media": media(update.audio), "is_voice": update.audio.voice}
        case "image" | "video":
            read |= {"media": media(update.media), "caption": update.caption}
        case "document":
            read |= {"media": media(update.document), "filename": update.document.filename, "caption": update.caption}
        case "sticker":
            read |= {"media": media(update.sticker), "is_animated": update.sticker.animated}
        case "location":
            at = update.location
            read |= {"latitude": at.latitude, "longitude": at.longitude, "name": at.name, "address": at.address}
        case "contacts":
            phones = [[digits(phone.wa_id or phone.phone) for phone in card.phones] for card in update.contacts]
            read |= {"names": [card.name.formatted_name if card.name else None for card in update.contacts]}
            read |= {"first_phones": [numbers[0] for numbers in phones]}
        case "reaction":
            read |= {"message": update.reaction.message_id, "emoji": text(update.reaction.emoji)}
        case "order":
            lines = update.order.products
            read["items"] = [
                {"product": line.sku, "quantity": line.quantity, "price": line.price, "currency": line.currency}
                for line in lines
            ]
            read["text"] = update.order.text
    return {key: value for key, value in read.items() if value is not None}


def our_content(notice):
    read = dict(notice["content"])
    read.pop("of_type", None)
    if read["type"] == "contacts":
        cards = read.pop("contacts")
        read.pop("is_own")
        read["names"] = [card.get("name") for card in cards]
        read["first_phones"] = [card["phones"][0] for card in cards]
    return read


def compare(name, wa, body, notice):
    """False where pywa reads nothing of it."""
    raw = RawUpdate(body, hmac_header=None, update_hash=name)
    handler = wa._get_handler_type(raw)
    if handler is None:
        return False
    update = wa._handlers_to_updates[handler].from_update(wa, raw)
    of_type = notice["notice"]
    assert update.metadata.phone_number_id == notice["business"]["phone_number_id"], name
    same(f"{name} id", update.id, notice["id"])
    seconds = int(update.timestamp.timestamp())
    match update:
        case types.MessageStatus():
            assert of_type == "status", name
            same(f"{name} time", seconds, notice["at"])
            state = notice["state"]
            known = update.status.value if isinstance(state, str) else "UNKNOWN"
            same(f"{name} status", known, state if isinstance(state, str) else "UNKNOWN")
            same(f"{name} recipient", sender(update.from_user), sender_of(notice["recipient"]))
            same(f"{name} tracker", update.tracker, notice.get("tracker"))
            pricing = notice.get("pricing")
            if update.pricing is not None or pricing is not None:
                same(f"{name} billable", update.pricing.billable, pricing["is_billable"])
                same(f"{name} category", update.pricing.category.value, pricing["category"])
            return True
        case types.PhoneNumberChange():
            assert of_type == "change", name
            same(f"{name} time", seconds, notice["at"])
            same(f"{name} before", update.old_wa_id, notice["before"].get("phone"))
            same(f"{name} after", update.new_wa_id, notice["after"].get("phone"))
            same(f"{name} user id", update.new_user_id, notice["after"].get("user_id"))
            return True
    assert of_type == "message", (name, of_type)
    same(f"{name} time", seconds, notice["sent_at"])
    same(f"{name} sender", sender(update.from_user), sender_of(notice["sender"]))
    context = notice.get("context", {})
    reply = getattr(update, "reply_to_message", None)
    same(f"{name} reply", reply and reply.id, context.get("replies_to"))
    same(f"{name} forwarded", getattr(update, "forwarded", False), context.get("is_forwarded", False))
    read = our_content(notice)
    if read["type"] == "unknown":
        # A shop has no use for it, whatever else pywa calls it.
        return True
    same(f"{name} content", content(update), read)
    return True


def sender_of(our):
    keys = ("user_id", "parent_user_id", "phone", "username", "profile_name")
    return {key: our.get(key) for key in keys}


def check_reading():
    notices = ours("read", str(corpus))
    wa = client(httpx.Client())
    compared, passed_over = 0, []
    for path in sorted(corpus.glob("*.json")):
        name, body = path.stem, path.read_bytes()
        # Of a delivery pywa reads the first message; of a faulty one there is nothing to compare.
        first = next(iter(notices[name]), None)
        if first is None or first["notice"] in ("other", "unreadable", "failure"):
            passed_over.append(name)
            continue
        try:
            is_read = compare(name, wa, body, first)
        except (KeyError, TypeError) as error:
            # It needs what the platform may leave out: a contact with a user id, a number in a system message.
            passed_over.append(f"{name} ({type(error).__name__} {error})")
            continue
        if is_read:
            compared += 1
        else:
            passed_over.append(name)
    print(f"deliveries read alike: {compared} of {len(notices)}; pywa does not read: {len(passed_over)}")
    for name in passed_over:
        print(f"  {name}")
    assert compared >= 52, compared


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Webhook(http.server.BaseHTTPRequestHandler):
    received = []

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        Webhook.received.append((body, self.headers[utils.HUB_SIG]))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


def without_section_titles(payload):
    """pywa's sections have titles; ours is the only one, which needs none."""
    for section in payload.get("interactive", {}).get("action", {}).get("sections", []):
        section.pop("title", None)
    return payload


def check_sending(base, wa, http_client):
    phone, hidden = "34600111222", "MX.88120437710021"
    rows = [{"id": f"row:{n}", "title": f"Opción {n}", "description": f"{n},50 €"} for n in range(10)]
    buttons = [{"id": "yes", "title": "Sí 👍"}, {"id": "no", "title": "No"}]
    link = {"title": "Abrir", "url": "https://shop.example/libro/12"}
    written = act(http_client, phone, {"type": "text", "body": "hola"})
    act(http_client, hidden, {"type": "text", "body": "hola"})
    callback = [types.Button(title=it["title"], callback_data=it["id"]) for it in buttons]
    listed = types.SectionList(
        button_title="Ver",
        sections=[
            types.Section(
                title="Todo",
                rows=[
                    types.SectionRow(title=it["title"], callback_data=it["id"], description=it["description"])
                    for it in rows
                ],
            )
        ],
    )
    url = types.URLButton(title=link["title"], url=link["url"])
    cases = []
    for to in (phone, hidden):
        for body in ("Hola, ¿qué tal?", "Dos:\n- uno\n- dos 📚", "שלום"):
            cases.append(({"to": to, "text": body}, {}))
            cases.append(({"to": to, "text": body, "choices": buttons}, {"buttons": callback}))
            cases.append(({"to": to, "text": body, "choices": rows, "open_list": "Ver"}, {"buttons": listed}))
            cases.append(({"to": to, "text": body, "link": link}, {"buttons": url}))
    cases.append(({"to": phone, "text": "sí", "reply_to": written}, {"reply_to_message_id": written}))
    rendered = ours("render", given=[case for case, _ in cases])
    for (case, more), payload in zip(cases, rendered):
        advance(http_client)
        wa.send_message(to=case["to"], text=case["text"], **more)
        advance(http_client)
        answer = http_client.post(
            f"/v26.0/{NUMBER}/messages", json=payload, headers={"authorization": f"Bearer {TOKEN}"}
        )
        same(f"{case} is taken", 200, answer.status_code)
        *_, pywas, our = http_client.get("/simulator/sent").json()
        same(f"{case}", without_section_titles(pywas["payload"]), our["payload"])
    assert wa.indicate_typing(message_id=written)
    (receipt,) = ours("render", given=[{"to": phone, "text": "", "read": written}])
    same("receipt", receipt_of(http_client), {"message_id": written, "is_typing": True})
    answer = http_client.post(f"/v26.0/{NUMBER}/messages", json=receipt, headers={"authorization": f"Bearer {TOKEN}"})
    same("our receipt", answer.json(), {"success": True})
    print(f"messages that pywa and we write alike, and the simulator takes: {len(cases)}, and a receipt")


def receipt_of(http_client):
    return http_client.get("/simulator/receipts").json()[-1]


def act(http_client, customer, inbound):
    answer = http_client.post(f"/simulator/customers/{customer}/act", json=inbound)
    return answer.raise_for_status().json()["id"]


def advance(http_client):
    http_client.post("/simulator/clock", json={"seconds": 10}).raise_for_status()


def check_errors(wa, http_client):
    from pywa import errors

    raised = 0
    for code, error in ((131056, errors.TooManyMessages), (131047, errors.ReEngagementMessage), (190, errors.ExpiredAccessToken)):
        http_client.post("/simulator/faults", json={"behaviour": {"code": code}}).raise_for_status()
        try:
            wa.send_message(to="34600111222", text="x")
            failures.append(f"{code} was no error")
        except error:
            raised += 1
    print(f"the simulator's errors that pywa knows as such: {raised} of 3")


def check_signatures():
    # Each delivery that the simulator made was signed by us.
    deadline = time.time() + 20
    while len(Webhook.received) < 20 and time.time() < deadline:
        time.sleep(0.1)
    verified = sum(utils.webhook_updates_validator(SECRET, body, header) for body, header in Webhook.received)
    same("pywa verifies what the simulator signs", verified, len(Webhook.received))
    assert verified >= 20, verified
    headers = ours("sign", SECRET, str(corpus))
    bodies = {path.stem: path.read_bytes() for path in corpus.glob("*.json")}
    ok = sum(utils.webhook_updates_validator(SECRET, bodies[name], header) for name, header in headers.items())
    same("pywa verifies what we sign", ok, len(bodies))
    theirs = {
        name: "sha256=" + hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest() for name, body in bodies.items()
    }
    assert all(utils.webhook_updates_validator(SECRET, bodies[name], header) for name, header in theirs.items())
    ours_says = ours("verify", SECRET, str(corpus), given=theirs)
    same("we verify what Python signs and pywa takes", sum(ours_says.values()), len(bodies))
    wrong = {name: header[:-1] + ("0" if header[-1] != "0" else "1") for name, header in theirs.items()}
    refused = [name for name, ok in ours("verify", SECRET, str(corpus), given=wrong).items() if not ok]
    refused_by_pywa = [n for n, h in wrong.items() if not utils.webhook_updates_validator(SECRET, bodies[n], h)]
    same("wrong signatures are refused", sorted(refused), sorted(refused_by_pywa))
    print(f"signatures taken by both: {verified} deliveries, {ok} + {sum(ours_says.values())} files; refused: {len(refused)}")


def main():
    check_reading()
    webhook = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Webhook)
    threading.Thread(target=webhook.serve_forever, daemon=True).start()
    port = free_port()
    arguments = ["--port", str(port), "--webhook", f"http://127.0.0.1:{webhook.server_port}/"]
    simulator = subprocess.Popen([simulator_program, *arguments], stderr=subprocess.DEVNULL)
    try:
        base = f"http://127.0.0.1:{port}"
        http_client = httpx.Client(base_url=base)
        for _ in range(200):
            try:
                http_client.get("/simulator/sent")
                break
            except httpx.TransportError:
                time.sleep(0.05)
        ana = {"user_id": "ES.346001112220001", "phone": "34600111222", "name": "Ana"}
        sofia = {"user_id": "MX.88120437710021", "phone": "525512345678", "name": "Sofía", "username": "sofi"}
        for customer in (ana, sofia):
            http_client.post("/simulator/customers", json=customer).raise_for_status()
        session = httpx.Client()
        wa = client(session)
        session.base_url = f"{base}/v26.0"
        check_sending(base, wa, http_client)
        check_errors(wa, http_client)
        check_signatures()
    finally:
        simulator.terminate()
        simulator.wait()
    if failures:
        print("\n".join(failures))
        sys.exit(f"{len(failures)} differences")
    print("no differences")


main()
