"""A shop's guests and customers, talking to a stack over HTTP."""

import base64
import hashlib
import hmac
import itertools
import json
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from email.message import Message

CHAT = "/api/agent/"
STREAM = "/api/agent/stream"
PATIENCE_S = 60

numbers = itertools.count(1)


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Message
    text: str

    @property
    def body(self):
        return json.loads(self.text)

    def must_be(self, *statuses):
        """The body of an answer that must have one of these statuses."""
        assert self.status in statuses, f"{self.status} instead of {statuses[0]}: {self.text[:500]}"
        return self.body


@dataclass(frozen=True)
class Caller:
    """Somebody who talks to the shop: a customer, one who works there, or a guest who has no name."""

    stack: object
    name: str | None = None
    is_staff: bool = False

    @property
    def owner(self):
        """The name under which the tables keep what is theirs."""
        return f"default#{self.name}"

    def call(self, method, path, body=None, headers=None):
        url = self.stack.stream_url if path.startswith(STREAM) else self.stack.api_url
        sent = {"content-type": "application/json", **(headers or {})}
        if self.name:
            sent["authorization"] = f"Bearer {token(self.stack.jwt_secret, self.name, self.is_staff)}"
        data = None if body is None else json.dumps(body).encode()
        return fetch(urllib.request.Request(url + path, data, sent, method=method))

    def get(self, path):
        return self.call("GET", path)

    def post(self, path, body, headers=None):
        return self.call("POST", path, body, headers)

    def act(self, action, payload):
        return self.post("/api/agent/actions/", {"action": action, "payload": payload})

    def ask(self, path, message, hints=None, headers=None):
        """A turn's message with its trace, whether the answer comes whole or as it is made."""
        answer = self.post(path, {"message": message, "trace": True, **(hints or {})}, headers)
        whole = answer.must_be(200) if path == CHAT else None
        return whole or event_of(answer, "message")


def fetch(request):
    """The answer to a request, whatever its status is."""
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            return Answer(answer.status, answer.headers, answer.read().decode())
    except urllib.error.HTTPError as refusal:
        with refusal:
            return Answer(refusal.code, refusal.headers, refusal.read().decode())


def event_of(answer, kind):
    """The event of a kind in a stream that must have it."""
    assert answer.status == 200, f"{answer.status}: {answer.text[:500]}"
    lines = [line.removeprefix("data: ") for line in answer.text.splitlines() if line.startswith("data: ")]
    found = [event for event in map(json.loads, lines) if event["type"] == kind]
    assert found, f"no {kind} in {answer.text[-500:]}"
    return found[0]


def customer(stack, label):
    """A customer nobody else is."""
    return Caller(stack, f"{label}-{time.time_ns():x}-{next(numbers)}")


def staff(stack):
    return Caller(stack, "works-here", is_staff=True)


def guest(stack):
    return Caller(stack)


def token(secret, name, is_staff=False):
    def packed(data):
        return base64.urlsafe_b64encode(data).rstrip(b"=")

    claims = {"sub": name, "exp": int(time.time()) + 3600, **({"role": "staff"} if is_staff else {})}
    message = packed(b'{"alg":"HS256","typ":"JWT"}') + b"." + packed(json.dumps(claims).encode())
    return (message + b"." + packed(hmac.digest(secret.encode(), message, hashlib.sha256))).decode()
