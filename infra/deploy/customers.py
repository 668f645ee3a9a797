"""Checks of `actions` and `history`."""

from context import NEW_BOOK
from peer import RESERVER
from permissions import refused
from shop import CHAT, customer

ACTIONS = "/api/agent/actions/"
HISTORY = "/api/agent/history/"
KEY = {"idempotency-key": "once"}
OWN_KEY = {"x-llm-api-key": "sk-test"}
HELLO = {"role": "user", "content": "hola"}


def view_cart():
    return {"action": "view_cart", "payload": {}}


def a_reservation_is_made_listed_and_cancelled(context, _function):
    caller = customer(context.stack, "reserver")
    before = context.copies_of(NEW_BOOK)
    reserved = caller.act("reserve_book", {"book_id": NEW_BOOK["libro_id"]}).must_be(200)["results"][0]
    listed = caller.act("list_reservations", {}).must_be(200)["results"]
    assert [each["reservation_id"] for each in listed] == [reserved["reservation_id"]], listed
    caller.act("cancel_reservation", {"reservation_id": reserved["reservation_id"]}).must_be(200)
    assert context.copies_of(NEW_BOOK) == before


def an_approved_proposal_is_done(context, _function):
    caller = customer(context.stack, "approver")
    before = context.copies_of(NEW_BOOK)
    message = {"message": f"libro {NEW_BOOK['libro_id']}", "model": RESERVER}
    proposed = caller.post(CHAT, message, OWN_KEY).must_be(200)["actions"][0]
    assert proposed["type"] == "approval", proposed
    done = caller.act("approve", {"approval": proposed["approval"]}).must_be(200)
    assert context.copies_of(NEW_BOOK) != before
    messages = caller.get(HISTORY).must_be(200)["messages"]
    assert messages[-1]["content"] == done["message"], messages


def a_key_is_used_once(context, _function):
    caller = customer(context.stack, "once")
    _, again = (caller.post(ACTIONS, view_cart(), KEY) for _ in range(2))
    assert again.headers["idempotent-replayed"] == "true", again.text


def a_key_is_free_after_a_failure(context, function):
    caller = customer(context.stack, "patient")
    with refused(context.stack, function, "dynamodb:GetItem", context.table_arn("PurchasesTable")):
        caller.post(ACTIONS, view_cart(), KEY).must_be(503)
    caller.post(ACTIONS, view_cart(), KEY).must_be(200)


def a_messages_key_is_used_once(context, _function):
    caller = customer(context.stack, "once")
    _, again = (caller.post(f"{HISTORY}messages/", HELLO, KEY) for _ in range(2))
    assert again.headers["idempotent-replayed"] == "true", again.text
    assert len(caller.get(HISTORY).must_be(200)["messages"]) == 1


def a_messages_key_is_free_after_a_failure(context, function):
    caller = customer(context.stack, "patient")
    with refused(context.stack, function, "dynamodb:Query", context.table_arn("EventsTable")):
        caller.post(f"{HISTORY}messages/", HELLO, KEY).must_be(503)
    caller.post(f"{HISTORY}messages/", HELLO, KEY).must_be(201)


def the_shop_answers_in_its_languages(context, _function):
    caller = customer(context.stack, "lector")
    unknown = {"action": "add_to_cart", "payload": {"book_id": 999_999}}
    refused = caller.post(ACTIONS, unknown, {"accept-language": "pt"})
    assert "No encuentro" in refused.text, refused.text


def a_rating_shows_at_once(context, _function):
    """Of a conversation that is over, which the list knows from the view alone; and no stream tells the view here."""
    caller = customer(context.stack, "rater")
    caller.post(f"{HISTORY}messages/", HELLO).must_be(201)
    caller.call("DELETE", HISTORY).must_be(200)
    caller.call("PATCH", f"{HISTORY}1/rating/", {"rating": 4}).must_be(200)
    listed = caller.get(f"{HISTORY}conversations/").must_be(200)["conversations"]
    assert [each["rating"] for each in listed] == [None, 4], listed


def an_export_is_whole_without_documents(context, _function):
    caller = customer(context.stack, "exporter")
    caller.post(f"{HISTORY}messages/", HELLO).must_be(201)
    exported = caller.get(f"{HISTORY}export/")
    assert exported.status == 200, exported.text[:300]
    assert exported.text.splitlines()[-1] == '{"type":"end"}', exported.text[-300:]
