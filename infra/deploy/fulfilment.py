"""Checks of `staff`."""

import base64

from context import NEW_BOOK
from events import projected
from permissions import refused
from shop import CHAT, customer, staff

HISTORY = "/api/agent/history/"
ORDERS = "/api/agent/staff/orders/"
CONVERSATIONS = "/api/agent/staff/conversations/"
CANCELLED = {"to": "Cancelado"}


def one_who_ordered(context, label):
    """A customer with a conversation and an order; and the path of that order."""
    caller = customer(context.stack, label)
    caller.post(f"{HISTORY}messages/", {"role": "user", "content": "hola"}).must_be(201)
    for action, payload in (("add_to_cart", {"book_id": NEW_BOOK["libro_id"]}), ("checkout", {})):
        caller.act(action, payload).must_be(200)
    return caller, f"{ORDERS}{named(caller, 1)}/"


def named(caller, number):
    """What names something of a customer's in a path."""
    return base64.urlsafe_b64encode(f"{number}:{caller.name}".encode()).rstrip(b"=").decode()


def key_of(path):
    """A key that no other step of the same staff has."""
    return {"idempotency-key": path.strip("/").replace("/", ".")}


def an_order_is_called_off_and_its_customer_told(context, _function):
    before = context.copies_of(NEW_BOOK)
    caller, path = one_who_ordered(context, "called-off")
    waiting = staff(context.stack).get(f"{ORDERS}?limit=100").must_be(200)["orders"]
    assert named(caller, 1) in [order["id"] for order in waiting], waiting
    moved = staff(context.stack).post(path, CANCELLED).must_be(200)["order"]
    assert moved["estado"] == "Cancelado", moved
    assert context.copies_of(NEW_BOOK) == before
    messages = caller.get(HISTORY).must_be(200)["messages"]
    assert messages[-1]["meta"]["from"] == "staff", messages


def a_damaged_account_is_seen_to(context, _function):
    """What it holds is then looked for among its reservations."""
    caller, path = one_who_ordered(context, "damaged")
    caller.act("reserve_book", {"book_id": NEW_BOOK["libro_id"]}).must_be(200)
    context.stack.aws.client("dynamodb").update_item(
        TableName=context.stack.ids["PurchasesTable"], Key={"owner": {"S": caller.owner}, "item": {"S": "account"}},
        UpdateExpression="REMOVE held",
    )
    staff(context.stack).post(path, CANCELLED).must_be(200)


def a_key_is_used_once(context, _function):
    _, path = one_who_ordered(context, "once")
    _, again = (staff(context.stack).post(path, CANCELLED, key_of(path)) for _ in range(2))
    assert again.headers["idempotent-replayed"] == "true", again.text


def a_key_is_free_after_a_failure(context, function):
    _, path = one_who_ordered(context, "patient")
    key = key_of(path)
    with refused(context.stack, function, "dynamodb:GetItem", context.table_arn("PurchasesTable")):
        staff(context.stack).post(path, CANCELLED, key).must_be(503)
    staff(context.stack).post(path, CANCELLED, key).must_be(200)


def a_person_answers_and_hands_back(context, _function):
    caller = customer(context.stack, "wants-a-person")
    caller.post(CHAT, {"message": "quiero hablar con una persona"}).must_be(200)
    projected(context, "ProjectFunction", caller)
    path = f"{CONVERSATIONS}{named(caller, 1)}/"

    def waiting():
        found = staff(context.stack).get(f"{CONVERSATIONS}?limit=100").must_be(200)["conversations"]
        return named(caller, 1) in [each["id"] for each in found]

    assert waiting()
    messages = staff(context.stack).get(path).must_be(200)["messages"]
    assert [each["role"] for each in messages] == ["user", "assistant"], messages
    staff(context.stack).post(path, {"message": "Hola.", "hand_back": True}, key_of(path)).must_be(200)
    assert not waiting()


def the_shop_answers_in_its_languages(context, _function):
    unknown = staff(context.stack).post(f"{ORDERS}{named(staff(context.stack), 1)}/", CANCELLED, {"accept-language": "pt"})
    assert unknown.status == 404 and "Aquí" in unknown.text, unknown.text
