"""Somebody else's server, played: a language model that proposes, and an embedding service."""

import contextlib
import hashlib
import http.server
import json
import re
import threading

# The model of this name proposes to reserve the book of its prompt; any other has nothing to propose.
RESERVER = "reserver"
# That of this name has the customer's orders looked up.
LISTER = "lister"
DIMENSIONS = 8


class Peer:
    """A server of `POST …/chat/completions` and `POST …/embeddings`, and the prompts that came."""

    def __init__(self, url):
        self.url = url
        self.prompts = []

    def has_prompt_with(self, text):
        """Whether a prompt held this text."""
        return any(text in prompt for prompt in self.prompts)


@contextlib.contextmanager
def peer():
    """A running peer."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.peer = Peer(f"http://127.0.0.1:{server.server_port}/v1")
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.peer
    finally:
        server.shutdown()
        server.server_close()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.path.endswith("/embeddings"):
            answer = embeddings(body["input"])
        else:
            self.server.peer.prompts.append(json.dumps(body, ensure_ascii=False))
            answer = completion(body)
        data = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        """Nothing: what is printed is the check's."""


def completion(body):
    book = re.search(r" id (\d+), ", body["messages"][-1].get("content") or "")
    if body.get("model") == RESERVER and body.get("tools") and book:
        arguments = json.dumps({"book_id": int(book[1]), "cantidad": 1})
        call = {"id": "call-0", "type": "function", "function": {"name": "reserve_book", "arguments": arguments}}
        message, reason = {"role": "assistant", "content": None, "tool_calls": [call]}, "tool_calls"
    elif body.get("model") == LISTER and body.get("tools") and body["messages"][-1]["role"] == "user":
        call = {"id": "call-0", "type": "function", "function": {"name": "list_orders", "arguments": "{}"}}
        message, reason = {"role": "assistant", "content": None, "tool_calls": [call]}, "tool_calls"
    else:
        message, reason = {"role": "assistant", "content": "- ¿Quieres saber algo más?"}, "stop"
    usage = {"prompt_tokens": 10, "completion_tokens": 5}
    return {"choices": [{"index": 0, "message": message, "finish_reason": reason}], "usage": usage}


def embeddings(texts):
    """A vector of each text, the same each time."""
    digests = [hashlib.sha256(text.encode()).digest()[:DIMENSIONS] for text in texts]
    vectors = [[byte / 255 for byte in digest] for digest in digests]
    return {"data": [{"index": index, "embedding": vector} for index, vector in enumerate(vectors)]}
