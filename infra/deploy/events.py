"""Checks of the functions that streams call: `project`, `summarise` and `reindex`, by the mappings and by hand."""

import contextlib
import json
import time

from context import NEW_BOOK
from peer import DIMENSIONS
from shop import CHAT, customer
from stack import ROOT
from turns import SEARCH, guest, no_index

HISTORY = "/api/agent/history/"
CAUGHT_UP_WITHIN_S = 20
FIRST = "conversation#00000001"
FIRST_SUMMARY = "summary#00000001"
FIRST_DUE = "due#00000001"
DONE = {"batchItemFailures": []}
# As `publish.rs` says.
KEPT_BUILDS = 3
# What a service was paid for, as `kept.rs` keeps it.
VECTORS = "index/embeddings.cache"


def eventually(look):
    """What there is to be seen, as soon as it is."""
    deadline = time.monotonic() + CAUGHT_UP_WITHIN_S
    while True:
        seen = look()
        if seen or time.monotonic() > deadline:
            assert seen, "it never came"
            return seen
        time.sleep(0.05)


def changed(book):
    """A book with another title each time, and the word of it that no other book has."""
    word = f"cangrejo{time.time_ns()}"
    return {**book, "titulo": f"{book['titulo']}: {word}"}, word


def talkative(context, turns):
    """A customer with a conversation of so many turns."""
    caller = customer(context.stack, "talkative")
    for _ in range(turns):
        caller.post(CHAT, {"message": "libro 12"}).must_be(200)
    return caller


def a_turn_is_projected_by_the_mapping(context):
    caller = talkative(context, 1)
    eventually(lambda: context.item("ConversationsTable", owner=caller.owner, item=FIRST))
    listed = caller.get(f"{HISTORY}conversations/").must_be(200)["conversations"]
    assert [each["message_count"] for each in listed] == [2], listed


def a_long_conversation_is_summarised_by_the_mappings(context):
    caller = talkative(context, 4)
    path = f"{HISTORY}conversations/"
    eventually(lambda: caller.get(path).must_be(200)["conversations"][0]["summary"])


def a_new_book_is_found_after_the_mappings_build(context):
    book, word = changed(NEW_BOOK)
    context.bring_in(book)

    def is_found():
        # A warm function looks for another index once a minute.
        context.stack.start_anew("SearchFunction")
        found = guest(context.stack).get(f"{SEARCH}?q={word}").must_be(200)
        return found["source"] == "vector" and [each["titulo"] for each in found["results"][:1]] == [book["titulo"]]

    eventually(is_found)


MAPPINGS = (
    a_turn_is_projected_by_the_mapping, a_long_conversation_is_summarised_by_the_mappings,
    a_new_book_is_found_after_the_mappings_build,
)


def sample(name, **keys):
    """An event of `events/` about another item."""
    event = json.loads((ROOT / f"events/{name}.json").read_text(encoding="utf-8"))
    event["Records"][0]["dynamodb"]["Keys"].update({name: {"S": value} for name, value in keys.items()})
    return event


def call(context, function, event):
    answer, failed = context.stack.invoke(function, event)
    assert not failed, answer
    return answer


def projected(context, function, caller):
    newest = max(context.items("EventsTable", caller.owner))
    assert call(context, function, sample("log-commit", owner=caller.owner, commit=newest)) == DONE


def a_commit_is_projected(context, function):
    caller = talkative(context, 1)
    assert not context.item("ConversationsTable", owner=caller.owner, item=FIRST)
    projected(context, function, caller)
    assert context.item("ConversationsTable", owner=caller.owner, item=FIRST)


def a_long_conversation_is_due(context, function):
    caller = talkative(context, 4)
    projected(context, function, caller)
    assert context.item("ConversationsTable", owner=caller.owner, item=FIRST_DUE)


def what_waits_is_told(context, function):
    assert call(context, function, json.loads((ROOT / "events/waiting.json").read_text(encoding="utf-8"))) == DONE


def what_is_due_is_summarised(context, function):
    caller = talkative(context, 4)
    assert call(context, function, sample("view-due", owner=caller.owner, item=FIRST_DUE)) == DONE
    assert context.item("ConversationsTable", owner=caller.owner, item=FIRST_SUMMARY)


def rebuilt(context, function):
    """Builds after a change, as the stream would tell of it."""
    book, _ = changed(NEW_BOOK)
    context.bring_in(book)
    return call(context, function, sample("catalogue-change"))["published"]


def a_change_is_published(context, function):
    assert rebuilt(context, function) == context.manifest()["build_id"]


def a_build_that_is_not_kept_is_removed(context, function):
    first = context.manifest()["build_id"]
    for _ in range(KEPT_BUILDS):
        rebuilt(context, function)
    assert context.objects("IndexBucket", f"index/{first}/") == []


def a_service_embeds_the_first_index(context, function):
    context.remove("IndexBucket", VECTORS)
    with no_index(context, function), embedded_by(context, function):
        published = call(context, function, sample("catalogue-change"))["published"]
        assert published == context.manifest()["build_id"]


@contextlib.contextmanager
def embedded_by(context, function):
    """A while in which a service makes a function's vectors, as by the template's parameters of these names."""
    client, name = context.stack.aws.client("lambda"), context.stack.ids[function]
    variables = client.get_function_configuration(FunctionName=name)["Environment"]["Variables"]
    changed = {**variables, "EMBEDDER": "openai_compatible", "EMBEDDING_BASE_URL": context.peer.url,
               "EMBEDDING_MODEL": "bytes", "EMBEDDING_DIMENSIONS": str(DIMENSIONS)}
    client.update_function_configuration(FunctionName=name, Environment={"Variables": changed})
    try:
        yield
    finally:
        client.update_function_configuration(FunctionName=name, Environment={"Variables": variables})
