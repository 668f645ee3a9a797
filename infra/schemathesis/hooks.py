"""What the document cannot say."""

import uuid

import schemathesis


@schemathesis.hook
def map_headers(context, headers):
    """A key of its own for each request: the same one twice is answered as the first time, whatever has changed since."""
    if headers and "Idempotency-Key" in headers:
        headers["Idempotency-Key"] = str(uuid.uuid4())
    return headers
