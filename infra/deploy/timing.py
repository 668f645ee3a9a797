"""How long functions take on the emulator: a new process's first answer, and those after it."""

import statistics
import time

from events import sample
from shop import CHAT, STREAM, Caller, customer, staff

COLD = 3
WARM = 10
REQUESTS = {
    "ChatFunction": ("POST", CHAT, {"message": "libro 12"}),
    "StreamFunction": ("POST", STREAM, {"message": "libro 12"}),
    "SearchFunction": ("GET", "/api/agent/search/?q=borges"),
    "ActionsFunction": ("POST", "/api/agent/actions/", {"action": "view_cart"}),
    "HistoryFunction": ("GET", "/api/agent/history/"),
    "StaffFunction": ("GET", "/api/agent/staff/orders/"),
    "EraseFunction": ("DELETE", "/api/agent/history/all/"),
    "FilesFunction": ("GET", "/api/agent/files/"),
    "PageFunction": ("GET", "/openapi.json"),
}
EVENTS = {
    "ProjectFunction": "log-commit",
    "SummariseFunction": "view-due",
    # It builds nothing.
    "ReindexFunction": "catalogue-sale",
}


def durations(stack, function):
    """The medians of first answers and of later ones, in milliseconds."""
    caller = staff(stack) if function == "StaffFunction" else customer(stack, "timed")
    cold = []
    for _ in range(COLD):
        stack.start_anew(function)
        cold.append(duration(stack, function, caller))
    return statistics.median(cold), statistics.median(duration(stack, function, caller) for _ in range(WARM))


def duration(stack, function, caller: Caller):
    begun = time.monotonic()
    if function in EVENTS:
        answer, failed = stack.invoke(function, sample(EVENTS[function]))
        assert not failed, answer
    else:
        answer = caller.call(*REQUESTS[function])
        assert answer.status == 200, answer.text[:300]
    return (time.monotonic() - begun) * 1000
