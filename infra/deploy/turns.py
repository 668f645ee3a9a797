"""Checks of the functions that look for books: `chat` and `stream`, which answer alike, and `search`."""

import contextlib
import json
import time
import urllib.parse
import urllib.request

from context import NEW_BOOK, NEWEST_BOOK
from documents import bring
from peer import LISTER
from permissions import refused
from shop import CHAT, STREAM, customer, fetch, guest
from stack import ROOT

PATHS = {"ChatFunction": CHAT, "StreamFunction": STREAM}
SEARCH = "/api/agent/search/"
HISTORY = "/api/agent/history/"
MANIFEST = "index/manifest.json"
QUESTION = "una saga familiar con fantasmas"
KEY = {"idempotency-key": "once"}
# Whatever model a caller wants to pay for.
OWN_KEY = {"x-llm-api-key": "sk-test"}


def book(libro_id):
    """A book as the shop's file has it."""
    lines = (ROOT / "infra/local/demo/bookshop/catalogue.jsonl").read_text(encoding="utf-8").splitlines()
    books = (json.loads(line) for line in lines if line.startswith("{"))
    return next(each for each in books if each["libro_id"] == libro_id)


def look_for(context, function, text):
    """What a guest finds: results, where they come from, and whether anything is missing."""
    if function in PATHS:
        answer = guest(context.stack).ask(PATHS[function], text)
        return {**answer["trace"], "results": answer["results"]}
    return guest(context.stack).get(f"{SEARCH}?q={urllib.parse.quote(text)}").must_be(200)


def the_index_is_searched(context, function):
    found = look_for(context, function, QUESTION)
    assert (found["source"], found["degraded"]) == ("vector", False), found


def prices_and_stock_are_live(context, function):
    found = look_for(context, function, book(12)["titulo"])
    assert not found["degraded"], found


def a_book_newer_than_the_index_is_found_by_its_isbn(context, function):
    isbn = new_isbn()
    context.bring_in({**NEWEST_BOOK, "isbn": isbn})
    found = look_for(context, function, isbn)
    assert [each["libro_id"] for each in found["results"]] == [NEWEST_BOOK["libro_id"]], found


def what_sells_most_is_read(context, function):
    if function in PATHS:
        found = look_for(context, function, "los más vendidos")
    else:
        found = guest(context.stack).get(f"{SEARCH}?sort=most_sold").must_be(200)
    assert not found["degraded"], found


def new_isbn():
    """An ISBN that no book has."""
    digits = f"979{time.time_ns() // 1000 % 10**9:09}"
    total = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(digits))
    return digits + str(-total % 10)


def the_catalogue_answers_without_an_index(context, function):
    with no_index(context, function):
        found = look_for(context, function, book(12)["titulo"])
        assert found["source"] == "catalogue", found
        assert 12 in [each["libro_id"] for each in found["results"]], found


@contextlib.contextmanager
def no_index(context, function):
    """A while in which a function's new processes find no index."""
    client, bucket = context.stack.aws.client("s3"), context.stack.ids["IndexBucket"]
    manifest = client.get_object(Bucket=bucket, Key=MANIFEST)["Body"].read()
    client.delete_object(Bucket=bucket, Key=MANIFEST)
    context.stack.start_anew(function)
    try:
        yield
    finally:
        client.put_object(Bucket=bucket, Key=MANIFEST, Body=manifest)
        context.stack.start_anew(function)


def a_customers_request_is_counted(context, function):
    """The rate's table must be there for a customer; a guest is let through without it."""
    if function in PATHS:
        customer(context.stack, "counted").ask(PATHS[function], "libro 12", {"save_history": False})
    else:
        customer(context.stack, "counted").get(f"{SEARCH}?q=borges").must_be(200)


def a_turn_is_remembered(context, function):
    caller = customer(context.stack, "remembered")
    caller.ask(PATHS[function], "libro 12")
    messages = caller.get(HISTORY).must_be(200)["messages"]
    assert [each["role"] for each in messages] == ["user", "assistant"], messages


def a_model_has_the_customers_orders_looked_up(context, function):
    caller = customer(context.stack, "owner")
    answer = caller.ask(PATHS[function], "¿mis pedidos?", {"model": LISTER}, OWN_KEY)
    assert "pedidos" in (answer.get("message") or answer["content"]), answer


def a_yes_has_done_what_was_asked(context, function):
    caller = customer(context.stack, "agreed")
    before = context.copies_of(NEW_BOOK)
    caller.ask(CHAT, f"resérvame el libro {NEW_BOOK['libro_id']}")
    caller.ask(PATHS[function], "sí")
    assert context.copies_of(NEW_BOOK) != before


def a_yes_has_booked(context, function):
    caller = customer(context.stack, "booked")
    caller.ask(CHAT, "quiero cita para una manicura lo antes posible")
    caller.ask(CHAT, "Nadie Todavía")
    caller.ask(PATHS[function], "sí")
    assert [key for key in context.items("BookingsTable", caller.owner) if key.startswith("appointment#")]


def a_key_is_used_once(context, function):
    caller = customer(context.stack, "once")
    caller.ask(PATHS[function], "libro 12", headers=KEY)
    again = caller.post(PATHS[function], {"message": "libro 12", "trace": True}, KEY)
    assert again.headers["idempotent-replayed"] == "true", again.text[:300]
    assert len(caller.get(HISTORY).must_be(200)["messages"]) == 2


def a_key_is_free_after_a_failure(context, function):
    caller = customer(context.stack, "patient")
    with refused(context.stack, function, ["dynamodb:Query", "dynamodb:PutItem"], context.table_arn("EventsTable")):
        caller.post(PATHS[function], {"message": "libro 12", "trace": True}, KEY).must_be(503)
    caller.ask(PATHS[function], "libro 12", headers=KEY)


def a_document_is_cited(context, function):
    caller = customer(context.stack, "reader")
    document = bring(caller, "El farero enciende la lámpara a las nueve.")
    answer = caller.ask(PATHS[function], "¿cuándo se enciende la lámpara?", {"attachments": [document]})
    assert "farero" in answer["citations"][0]["text"], answer


def a_customer_without_documents_gets_no_warning(context, function):
    caller = customer(context.stack, "bare")
    answer = caller.ask(PATHS[function], QUESTION, {"enable_auto_semantic_search": True})
    assert answer["trace"]["warnings"] == [], answer["trace"]


def a_prompt_has_the_summary(context, function):
    caller = customer(context.stack, "talkative")
    # More messages than a prompt holds.
    messages = [{"role": "user", "content": f"me gusta el libro {number}"} for number in range(40)]
    caller.post(f"{HISTORY}messages/", {"messages": messages}).must_be(201)
    summary = f"Le gustan ocho libros, dice {caller.name}."
    context.put_summary(caller.owner, summary)
    caller.ask(PATHS[function], "libro 12", headers=OWN_KEY)
    assert context.peer.has_prompt_with(summary), "no prompt has the summary"


def the_page_is_in_the_shops_languages(context, _function):
    page = guest(context.stack).call("GET", "/?lang=pt")
    assert "Añadir al carrito" in page.text, page.text[:500]


def the_page_may_reach_stream_and_bucket(context, _function):
    page = fetch(urllib.request.Request(f"{context.stack.api_url}/"))
    assert page.status == 200, page.text[:300]
    policy = page.headers["content-security-policy"]
    for address in (context.stack.outputs["StreamUrl"].rstrip("/"), context.stack.ids["FilesBucket"]):
        assert address in policy, f"{address} is not in {policy}"


def a_request_is_logged(context, function):
    answer = guest(context.stack).get("/nowhere")
    assert answer.status == 404, answer.text[:300]
    assert any(answer.headers["x-request-id"] in line for line in context.stack.log_of(function))
