"""Checks of what customers bring along, and of forgetting them: `files` and `erase`."""

import urllib.request

from context import NEW_BOOK
from permissions import refused
from shop import CHAT, customer, fetch

FILES = "/api/agent/files/"
HISTORY = "/api/agent/history/"
ALL = "/api/agent/history/all/"
KEY = {"idempotency-key": "once"}


def announcement(text):
    return {"name": "turnos.txt", "media_type": "text/plain", "size_bytes": len(text.encode())}


def bring(caller, text):
    """Brings a document in, and gives its name."""
    announced = caller.post(FILES, announcement(text)).must_be(201)
    to, name = announced["upload"], announced["file"]["file_id"]
    uploaded = fetch(urllib.request.Request(to["url"], text.encode(), to["headers"], method=to["method"]))
    assert uploaded.status == 200, f"{uploaded.status}: {uploaded.text[:300]}"
    caller.call("POST", f"{FILES}{name}/").must_be(200)
    return name


def a_new_customer_has_no_documents(context, _function):
    assert customer(context.stack, "new").get(FILES).must_be(200) == {"files": []}


def a_key_is_used_once(context, _function):
    caller = customer(context.stack, "once")
    first, again = (caller.post(FILES, announcement("texto"), KEY) for _ in range(2))
    assert first.must_be(201)["file"] == again.must_be(201)["file"]


def a_key_is_free_after_a_failure(context, function):
    caller = customer(context.stack, "patient")
    with refused(context.stack, function, "s3:GetObject", context.objects_arn("FilesBucket")):
        caller.post(FILES, announcement("texto"), KEY).must_be(503)
    caller.post(FILES, announcement("texto"), KEY).must_be(201)


def a_document_is_found_by_meaning(context, _function):
    """By a question that has no word of it: only the embedder, which lies beside the index, can tell."""
    caller = customer(context.stack, "baker")
    bring(caller, "La receta lleva harina, huevos y azúcar.")
    answer = caller.ask(CHAT, "ingredientes de un pastel", {"enable_auto_semantic_search": True})
    assert "harina" in answer["citations"][0]["text"], answer["citations"]


def book(caller):
    """Books the first time that is free."""
    service = {"service_name": "corte-mujer"}
    slots = caller.act("get_available_slots", service).must_be(200)["results"]
    caller.act("create_appointment", {**service, "starts_at": slots[0]["starts_at"]}).must_be(200)


def a_customer_with_everything_is_erased(context, _function):
    """One who has all that there is: conversations, a document, a reservation, an order, an appointment, and a key of a request."""
    caller = customer(context.stack, "forgotten")
    caller.post(CHAT, {"message": "libro 12"}, KEY).must_be(200)
    caller.call("DELETE", HISTORY).must_be(200)
    bring(caller, "El farero enciende la lámpara a las nueve.")
    number = {"book_id": NEW_BOOK["libro_id"]}
    before = context.copies_of(NEW_BOOK)
    for action, payload in (("add_to_cart", number), ("checkout", {}), ("reserve_book", number)):
        caller.act(action, payload).must_be(200)
    book(caller)
    erased = caller.call("DELETE", ALL).must_be(200)
    counted = [erased[name] for name in ("conversations", "cancelled", "orders_kept", "appointments", "files")]
    assert counted == [2, 2, 1, 1, 1], erased
    assert context.left_of(caller.owner) == []
    assert context.copies_of(NEW_BOOK) == before


def a_customer_with_nothing_is_erased(context, _function):
    erased = customer(context.stack, "nobody").call("DELETE", ALL).must_be(200)
    assert (erased["conversations"], erased["files"]) == (0, 0), erased
