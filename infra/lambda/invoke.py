"""Has the built functions answer sample events, under AWS's runtime interface emulator."""

import base64
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
import zipfile

target = pathlib.Path(sys.argv[1])
root = pathlib.Path(__file__).resolve().parents[2]
secret = "a-secret-for-this-run-only-0123456789abcdef"


def free_ports(count):
    """Ports that differ, from below those that Linux gives to whoever connects, so that none is taken meanwhile."""
    found = set()
    while len(found) < count:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as s:
            if s.connect_ex(("127.0.0.1", port)):
                found.add(port)
    return sorted(found)


def emulator():
    """aws-sam-cli carries the emulator inside; it is the one that Lambda's images run locally."""
    sam = pathlib.Path(shutil.which("sam") or sys.exit("invoke: sam is not on the PATH"))
    found = list(sam.parent.parent.glob("lib/python3*/site-packages/samcli/local/rapid/aws-lambda-rie-x86_64"))
    return found[0] if found else sys.exit("invoke: no runtime interface emulator beside sam")


def start_shop(data):
    shop = subprocess.Popen(
        [target / "debug/mostrador", "serve", "--data-dir", data, "--port", "0", "--dynamodb-port", "0"],
        stdout=subprocess.PIPE, text=True, env={**os.environ, "JWT_SECRET": secret},
    )
    ready, stores = shop.stdout.readline(), shop.stdout.readline()
    if "ready" not in ready or "DynamoDB" not in stores:
        sys.exit(f"invoke: the local shop did not start: {ready}{stores}")
    words = stores.replace(",", " ").split()
    url = next(word for word in ready.split() if word.startswith("http"))
    dynamodb, s3 = [word for word in words if word.startswith("http")]
    return shop, url, dynamodb, s3


def token(url):
    request = urllib.request.Request(f"{url}/dev/token", b'{"sub":"ana"}', {"content-type": "application/json"})
    return json.load(urllib.request.urlopen(request))["token"]


def invoke(function, events, environment, folder):
    """The answers of one process to events, one after the other; what is no event but a function is called in its turn."""
    with zipfile.ZipFile(target / f"lambda/{function}/bootstrap.zip") as archive:
        archive.extract("bootstrap", folder)
    bootstrap = pathlib.Path(folder) / "bootstrap"
    bootstrap.chmod(0o755)
    port, api_port = free_ports(2)
    output = pathlib.Path(folder) / "output"
    rie = subprocess.Popen(
        [emulator(), "--runtime-interface-emulator-address", f"127.0.0.1:{port}", "--runtime-api-address",
         f"127.0.0.1:{api_port}", bootstrap],
        stdout=output.open("w"), stderr=subprocess.STDOUT, env={**environment, "AWS_LAMBDA_FUNCTION_NAME": function},
    )
    answers = []
    try:
        for event in events:
            if callable(event):
                event()
                continue
            for attempt in range(100):
                try:
                    url = f"http://127.0.0.1:{port}/2015-03-31/functions/function/invocations"
                    answer = urllib.request.urlopen(urllib.request.Request(url, json.dumps(event).encode()), timeout=30)
                    break
                except ConnectionRefusedError:
                    time.sleep(0.1)
                except urllib.error.URLError as error:
                    if not isinstance(error.reason, ConnectionRefusedError):
                        raise
                    if attempt == 99 or rie.poll() is not None:
                        sys.exit(f"invoke: {function} does not listen:\n{output.read_text()}")
                    time.sleep(0.1)
            answers.append(answer_of(answer.read()))
    finally:
        rie.send_signal(signal.SIGTERM)
        try:
            rie.wait(5)
        except subprocess.TimeoutExpired:
            rie.kill()
    return answers


def answer_of(body):
    """A streamed answer is its head as JSON, eight zero bytes, and what was said."""
    head, mark, said = body.partition(b"\0" * 8)
    answer = json.loads(head)
    return {**answer, "body": json.dumps({"said": said.decode()})} if mark else answer


def sample(name, bearer=None):
    event = json.loads((root / f"events/{name}.json").read_text())
    if bearer:
        event["headers"]["authorization"] = f"Bearer {bearer}"
    return event


def damaged(event, key, text):
    """The same batch with a key in it that says nothing."""
    (record,) = event["Records"]
    keys = {**record["dynamodb"]["Keys"], key: {"S": text}}
    return {"Records": [{**record, "dynamodb": {**record["dynamodb"], "Keys": keys}}]}


def failed_records(event):
    """What a function answers that wants all of a batch again."""
    return {"batchItemFailures": [{"itemIdentifier": record["dynamodb"]["SequenceNumber"]} for record in event["Records"]]}


def pdf(text):
    """A PDF of one page, as small as they come."""
    stream = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    whole, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(whole))
        whole += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return whole + b"xref\n0 6\n0000000000 65535 f \n%strailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        table, len(whole))


DOCUMENT = pdf("El faro de la isla se enciende a las nueve.")

passed, failed = 0, 0


def check_plain(what, answer, holds):
    """Of a function that answers no HTTP."""
    check(what, {"statusCode": 200, "body": json.dumps(answer)}, 200, lambda body: "errorType" not in body and holds(body))


def check(what, answer, status, holds):
    global passed, failed
    body = json.loads(answer.get("body") or "null") if "statusCode" in answer else answer
    good = answer.get("statusCode") == status and holds(body)
    passed, failed = passed + good, failed + (not good)
    print(f"{'ok  ' if good else 'FAIL'}  {what}")
    if not good:
        print(f"      {answer}")


def search_with(manifest, events):
    """What a new `search` process answers to events where the bucket has this manifest."""
    manifest_file.write_text(manifest)
    with tempfile.TemporaryDirectory() as folder:
        return invoke("mostrador-search-function", events, {**environment, "INDEX_REFRESH_SECONDS": "1"}, folder)


def replace_with(manifest):
    """What happens to the manifest while a process is warm; time enough passes for it to look again."""
    def replace():
        manifest_file.write_text(manifest)
        time.sleep(1.5)
    return replace


data = tempfile.TemporaryDirectory()
manifest_file = pathlib.Path(data.name) / "s3/mostrador-index/index/manifest.json"
shop, url, dynamodb, s3 = start_shop(data.name)
try:
    environment = {
        "PATH": os.environ["PATH"], "AWS_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "local",
        "AWS_SECRET_ACCESS_KEY": "local", "AWS_ENDPOINT_URL_DYNAMODB": dynamodb, "AWS_ENDPOINT_URL_S3": s3,
        "EVENTS_TABLE": "mostrador-events", "CONVERSATIONS_TABLE": "mostrador-conversations",
        "CATALOGUE_TABLE": "mostrador-catalogue",
        "PURCHASES_TABLE": "mostrador-purchases", "LIMITS_TABLE": "mostrador-limits",
        "INDEX_BUCKET": "mostrador-index", "FILES_BUCKET": "mostrador-files", "JWT_SECRET": secret, "RUST_LOG": "info",
    }
    bearer = token(url)
    with tempfile.TemporaryDirectory() as folder:
        guest, signed_in = invoke("mostrador-chat", [sample("chat-guest"), sample("chat-signed-in", bearer)], environment, folder)
    check("chat answers a guest", guest, 200, lambda body: body["results"] and "conversation" not in body)
    check("chat remembers a customer", signed_in, 200, lambda body: body["persist_history_confirmation"] is True)
    with tempfile.TemporaryDirectory() as folder:
        guest, signed_in, by_rest = invoke(
            "mostrador-stream", [sample("stream-guest"), sample("stream-signed-in", bearer), sample("stream-rest")],
            {**environment, "AWS_LAMBDA_HTTP_IGNORE_STAGE_IN_PATH": "1"}, folder)
    check("stream tells a guest", guest, 200, lambda body: "event: message_chunk" in body["said"]
          and '"type":"complete","reason":"success"' in body["said"])
    check("stream remembers a customer", signed_in, 200, lambda body: '"persistence_state":"persisted"' in body["said"])
    check("stream tells a guest of a REST API", by_rest, 200, lambda body: "event: message_chunk" in body["said"])
    with tempfile.TemporaryDirectory() as folder:
        search, of_shop, refused = invoke(
            "mostrador-search-function", [sample("search"), sample("search-shop"), sample("search-status")], environment, folder)
    check("search finds books", search, 200, lambda body: body["results"] and body["source"] == "vector")
    check("shop tells of the shop", of_shop, 200, lambda body: body["name"] == "Librería Macondo" and bool(body["opening"]))
    check("status wants a token", refused, 401, lambda body: body["error"] == "invalid_token")
    with tempfile.TemporaryDirectory() as folder:
        page, described, nowhere = invoke(
            "mostrador-page", [sample("page"), sample("page-openapi"), sample("page-not-found")], environment, folder)
    check("page bears the shop's name", {**page, "body": json.dumps(page["body"])}, 200, lambda html: "<h1>Librería Macondo</h1>" in html)
    check("page describes the endpoints", described, 200, lambda body: "/api/agent/shop/" in body["paths"])
    check("page answers for unknown paths", nowhere, 404, lambda body: body["error"] == "not_found")
    with tempfile.TemporaryDirectory() as folder:
        (history,) = invoke("mostrador-history", [sample("history-get", bearer)], environment, folder)
    check("history shows what chat and stream kept", history, 200, lambda body: len(body["messages"]) == 4)
    commit, due = sample("log-commit"), sample("view-due")
    with tempfile.TemporaryDirectory() as folder:
        projected, unread = invoke("mostrador-project", [commit, damaged(commit, "commit", "unreadable")], environment, folder)
    check_plain("project takes a commit", projected, lambda answer: answer == {"batchItemFailures": []})
    check_plain("project gives back what it cannot read", unread, lambda answer: answer == failed_records(commit))
    with tempfile.TemporaryDirectory() as folder:
        summarised, unread = invoke("mostrador-summarise", [due, damaged(due, "item", "due#unreadable")], environment, folder)
    check_plain("summarise takes what is due", summarised, lambda answer: answer == {"batchItemFailures": []})
    check_plain("summarise gives back what it cannot read", unread, lambda answer: answer == failed_records(due))
    with tempfile.TemporaryDirectory() as folder:
        listed, said, rated = invoke("mostrador-history", [
            sample("history-conversations", bearer), sample("history-search", bearer), sample("history-rating", bearer),
        ], environment, folder)
    check("history lists it with its summary", listed, 200, lambda body: body["conversations"][0]["summary"] is not None)
    check("history finds what was said", said, 200, lambda body: len(body["matches"]) > 0)
    check("history keeps a rating", rated, 200, lambda body: body["rating"] == 5)
    with tempfile.TemporaryDirectory() as folder:
        added, remembered = invoke("mostrador-actions", [sample("actions-add-to-cart", bearer), sample("profile", bearer)], environment, folder)
    check("actions fill a cart", added, 200, lambda body: body["actions"][0]["ok"])
    check("actions remember a customer", remembered, 200, lambda body: body["notes"][0]["text"] == "leo en inglés")
    with tempfile.TemporaryDirectory() as folder:
        (exported,) = invoke("mostrador-history", [sample("history-export", bearer)], environment, folder)
    # What is no JSON goes to the API as base64, which it takes off again.
    body = base64.b64decode(exported["body"]) if exported.get("isBase64Encoded") else exported["body"]
    lines = [json.loads(line) for line in body.splitlines()]
    check("history exports all of it", {**exported, "body": json.dumps(lines)}, 200,
          lambda lines: lines[0]["type"] == "event" and lines[-1]["type"] == "end")
    with tempfile.TemporaryDirectory() as folder:
        read = sample("files-read", bearer)

        def upload():
            file, upload = announced["file"], announced["upload"]
            read["rawPath"] = read["rawPath"].replace("0198f0c0-0000-7000-8000-000000000000", file["file_id"])
            read["requestContext"]["http"]["path"] = read["rawPath"]
            urllib.request.urlopen(urllib.request.Request(upload["url"], DOCUMENT, upload["headers"], method=upload["method"]))

        new = sample("files-announce", bearer)
        new["body"] = json.dumps({**json.loads(new["body"]), "size_bytes": len(DOCUMENT)})
        (answer,) = invoke("mostrador-files", [new], environment, folder)
        announced = json.loads(answer["body"])
        upload()
        (answer,) = invoke("mostrador-files", [read], environment, folder)
    check("files reads a PDF that was uploaded", answer, 200, lambda body: body["file"]["status"] == "ready")
    asked = sample("chat-signed-in", bearer)
    asked["headers"].pop("idempotency-key", None)
    asked["body"] = json.dumps({"message": "¿qué hay del faro?", "attachments": [announced["file"]["file_id"]]})
    with tempfile.TemporaryDirectory() as folder:
        (answer,) = invoke("mostrador-chat", [asked], environment, folder)
    check("chat cites it", answer, 200, lambda body: "faro" in body["citations"][0]["text"] and body["citations"][0]["page"] == 1)
    nobody = sample("history-erase")
    del nobody["headers"]["authorization"]
    with tempfile.TemporaryDirectory() as folder:
        refused, erased = invoke("mostrador-erase", [nobody, sample("history-erase", bearer)], environment, folder)
    check("erase wants a token", refused, 401, lambda body: body["error"] == "auth_required")
    check("erase erases a customer", erased, 200, lambda body: body["files"] == 1)
    with tempfile.TemporaryDirectory() as folder:
        (history,) = invoke("mostrador-history", [sample("history-get", bearer)], environment, folder)
    check("history shows nothing any more", history, 200, lambda body: body["messages"] == [])

    book = {"libro_id": 9001, "titulo": "El faro de los cangrejos", "autor": "Nadie Todavía", "precio": "9.00",
            "categoria": "Novela", "stock": 1, "descripcion": "Un farero cuenta cangrejos."}
    new_books = pathlib.Path(data.name) / "new.jsonl"
    new_books.write_text(json.dumps(book))
    subprocess.run([target / "debug/mostrador", "import", new_books, "--ephemeral", "--dynamodb-endpoint", dynamodb],
                   check=True, stdout=subprocess.DEVNULL, env={**os.environ, **environment})
    with tempfile.TemporaryDirectory() as folder:
        sale, change, again = invoke("mostrador-reindex", [
            sample("catalogue-sale"), sample("catalogue-change"), sample("catalogue-change-of-long-ago"),
        ], environment, folder)
    check_plain("a sale builds no index", sale, lambda answer: answer["published"] is None)
    check_plain("a new book builds one", change, lambda answer: len(answer["published"]) == 16)
    check_plain("what is in it builds no other", again, lambda answer: answer["published"] is None)
    question = sample("search")
    question["rawQueryString"], question["queryStringParameters"] = "q=cangrejos", {"q": "cangrejos"}
    with tempfile.TemporaryDirectory() as folder:
        (found,) = invoke("mostrador-search-function", [question], environment, folder)
    check("the new book is found", found, 200, lambda body: body["results"][0]["libro_id"] == 9001)

    whole = manifest_file.read_text()
    published = json.loads(whole)
    vectors = {**published["vectors"], "blake3": "0" * 64}
    for what, manifest in (
        ("a damaged index", json.dumps({**published, "build_id": "damaged", "vectors": vectors})),
        ("an index of another format", json.dumps({**published, "format": published["format"] + 1})),
        ("a torn manifest", whole[: len(whole) // 2]),
    ):
        (cold,) = search_with(manifest, [sample("search")])
        check(f"cold, {what}: the catalogue answers", cold, 200,
              lambda body: body["results"] and body["source"] == "catalogue" and body["degraded"])
        before, after = search_with(whole, [sample("search"), replace_with(manifest), sample("search")])
        check(f"warm, {what}: the last good one answers", after, 200,
              lambda body: body == json.loads(before["body"]) and body["source"] == "vector" and not body["degraded"])
finally:
    shop.send_signal(signal.SIGINT)
    shop.wait(10)
    data.cleanup()
print(f"functions: {passed} passed, {failed} failed")
sys.exit(failed > 0)
