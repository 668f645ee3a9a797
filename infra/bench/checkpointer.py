"""What a chat turn costs with AWS's checkpointer for LangGraph, `DynamoDBSaver`, on any DynamoDB endpoint.

Needs langgraph and langgraph-checkpoint-aws, both from PyPI. A graph of one node answers without a model; each conversation is one
thread. Prints calls, capacity units as the engine reports them, bytes and times per turn: with the saver as it comes, and with the
settings that make it cheaper. `--s3-endpoint` lets it keep in S3 what an item cannot hold; without, long conversations end.
"""

import argparse
import json
import logging
import random
import statistics
import sys
import threading
import time
import uuid
from typing import Annotated, NamedTuple, TypedDict

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph_checkpoint_aws import DynamoDBSaver

TABLE = "langgraph-checkpoints"
BUCKET = "langgraph-checkpoints"
MARKS = (10, 50, 100)
# The turns that `prove bench` takes its mean of.
COMPARED = slice(1, 26)
LONG = 500
DELAY_S = 0.04

QUESTION = "novela de realismo mágico sobre una familia"
ANSWER = """Estas son las novelas de nuestro catálogo que mejor encajan con lo que buscas, una historia familiar con hechos
extraordinarios contados como si fueran cotidianos. La primera recorre varias generaciones de una misma casa y está disponible
hoy en la tienda; la segunda es más breve y se lee en un par de tardes. También hay una edición ilustrada con tapa dura que suele
gustar como regalo. Si prefieres algo parecido pero con menos personajes, mira la cuarta de la lista. Puedo reservarte un
ejemplar, buscar otros títulos del mismo autor o mostrarte solamente los que cuestan menos de veinte euros."""


class Setting(NamedTuple):
    name: str
    durability: str
    compressed: bool


SETTINGS = (
    Setting("as it comes", "async", False),
    Setting("gzip", "async", True),
    Setting("gzip, one checkpoint a turn", "exit", True),
)


class Cost(NamedTuple):
    """Of one turn, or means and medians of several."""

    calls: float
    s3_calls: float
    read_units: float
    write_units: float
    sent_bytes: float
    received_bytes: float
    ms: float

    def rounded(self):
        return {name: round(value, 2) for name, value in self._asdict().items()}


class Meter:
    """Counts a client's calls and adds up what they cost; the saver calls from several threads."""

    def __init__(self, dynamodb, s3):
        self.delay_s = 0
        self.operations = []
        self._lock = threading.Lock()
        self.restart()
        dynamodb.meta.events.register("provide-client-params.dynamodb", self._ask_for_cost)
        for client in filter(None, (dynamodb, s3)):
            client.meta.events.register("before-send", self._sent)
            client.meta.events.register("response-received", self._received)

    def restart(self):
        self.operations = []
        self.calls = self.s3_calls = self.sent_bytes = self.received_bytes = 0
        self.read_units = self.write_units = 0.0

    def cost(self, ms):
        return Cost(
            self.calls, self.s3_calls, self.read_units, self.write_units, self.sent_bytes, self.received_bytes, ms
        )

    def _ask_for_cost(self, params, model, **_):
        if "ReturnConsumedCapacity" in model.input_shape.members:
            params["ReturnConsumedCapacity"] = "TOTAL"

    def _sent(self, request, event_name, **_):
        service, operation = event_name.split(".")[1:3]
        with self._lock:
            self.operations.append(operation)
            self.calls += 1
            self.s3_calls += service == "s3"
            self.sent_bytes += size_bytes(request.headers, request.body)
        time.sleep(self.delay_s)

    def _received(self, response_dict, parsed_response, event_name, **_):
        service, operation = event_name.split(".")[1:3]
        if response_dict is None or "Error" in parsed_response:
            return
        units = parsed_response.get("ConsumedCapacity", {}).get("CapacityUnits")
        if service == "dynamodb" and units is None and operation in ("PutItem", "GetItem", "Query"):
            raise RuntimeError(f"the engine does not report what {operation} consumed")
        with self._lock:
            self.received_bytes += size_bytes(response_dict["headers"], response_dict["body"])
            if operation == "PutItem":
                self.write_units += units or 0
            else:
                self.read_units += units or 0


def size_bytes(headers, body):
    """Of a message; S3's bodies are streams, whose length a header tells."""
    length = len(body) if isinstance(body, bytes) else int(headers.get("Content-Length") or 0)
    return length + sum(len(name) + len(value) + 4 for name, value in headers.items())


def answer(number):
    """Always as long, but in an order of its own: nobody's answers are the same five hundred times, and gzip would profit."""
    chance = random.Random(number)
    words = ANSWER.split()
    chance.shuffle(words)
    shown = [
        {"id": chance.randrange(1, 100_000), "price": chance.randrange(500, 4_000), "stock": chance.randrange(20)}
        for _ in range(5)
    ]
    return AIMessage(" ".join(words), additional_kwargs={"shown": shown})


class State(TypedDict):
    messages: Annotated[list, add_messages]


def respond(state):
    return {"messages": [answer(len(state["messages"]) // 2)]}


class Shop:
    """A graph over a saver whose calls are counted."""

    def __init__(self, setting, endpoint, s3_endpoint):
        offload = {"bucket_name": BUCKET, "endpoint_url": s3_endpoint} if s3_endpoint else None
        saver = DynamoDBSaver(
            table_name=TABLE,
            session=session(),
            endpoint_url=endpoint,
            boto_config=Config(max_pool_connections=20),
            enable_checkpoint_compression=setting.compressed,
            s3_offload_config=offload,
        )
        self.meter = Meter(saver.client, saver.storage.s3_client)
        self.durability = setting.durability
        graph = StateGraph(State)
        graph.add_node("answer", respond)
        graph.add_edge(START, "answer")
        graph.add_edge("answer", END)
        self.graph = graph.compile(checkpointer=saver)

    def turn(self, thread):
        asked = {"messages": [HumanMessage(QUESTION)]}
        return self._measured(lambda: self.graph.invoke(asked, thread, durability=self.durability))

    def load(self, thread):
        return self._measured(lambda: self.graph.get_state(thread))

    def fill(self, turns):
        """A new conversation with so many turns behind it, put there at once; its state is what that many turns leave."""
        thread = new_thread()
        said = [message for turn in range(turns) for message in (HumanMessage(QUESTION), answer(turn))]
        if said:
            self.graph.update_state(thread, {"messages": said}, as_node="answer")
        return thread

    def _measured(self, work):
        self.meter.restart()
        started = time.perf_counter()
        work()
        return self.meter.cost((time.perf_counter() - started) * 1e3)


def session():
    return boto3.Session(aws_access_key_id="local", aws_secret_access_key="local", region_name="us-east-1")


def new_thread():
    return {"configurable": {"thread_id": str(uuid.uuid4())}}


def create_stores(endpoint, s3_endpoint):
    dynamodb = session().client("dynamodb", endpoint_url=endpoint)
    try:
        dynamodb.create_table(
            TableName=TABLE,
            BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("PK", "SK")],
            KeySchema=[{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
        )
    except dynamodb.exceptions.ResourceInUseException:
        pass
    dynamodb.get_waiter("table_exists").wait(TableName=TABLE, WaiterConfig={"Delay": 1})
    if s3_endpoint:
        s3 = session().client("s3", endpoint_url=s3_endpoint)
        try:
            s3.create_bucket(Bucket=BUCKET)
        except (s3.exceptions.BucketAlreadyOwnedByYou, s3.exceptions.BucketAlreadyExists):
            pass


def merged(costs, of):
    """Column by column; of the times, always the median."""
    return Cost(*(of(column) for column in zip(*costs)))._replace(ms=median_ms(costs))


def median_ms(costs):
    return statistics.median(cost.ms for cost in costs)


def percentile(values, share):
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


def one_after_another(shop):
    """How many calls of a turn wait for one another: what a turn takes longer when every call does, in delays."""
    thread = shop.fill(1)
    longer_ms = []
    for _ in range(7):
        usual_ms = shop.turn(thread).ms
        shop.meter.delay_s = DELAY_S
        longer_ms.append(shop.turn(thread).ms - usual_ms)
        shop.meter.delay_s = 0
    return statistics.median(longer_ms) / (DELAY_S * 1e3)


def long_conversation(shop):
    """What loading costs after LONG turns, and one turn more."""
    thread = shop.fill(LONG)
    loads = [shop.load(thread) for _ in range(20)]
    return {
        "load": merged(loads, statistics.median).rounded(),
        "load_p95_ms": round(percentile([cost.ms for cost in loads], 0.95), 2),
        "turn": shop.turn(thread).rounded(),
    }


def last_turn(shop):
    """The last turn that can be saved, where what a conversation holds must fit into one item; not looked for after LONG + 1."""
    fits, fails = 0, LONG + 2
    while fails - fits > 1:
        turn = (fits + fails) // 2
        try:
            shop.turn(shop.fill(turn - 1))
            fits = turn
        except ClientError as error:
            if "Item size" not in str(error):
                raise
            fails = turn
    return fits


def at(turns, number):
    """The cost of that turn, and the median time of five up to it."""
    return turns[number - 1]._replace(ms=median_ms(turns[number - 5 : number]))


def measure(setting, arguments):
    shop = Shop(setting, arguments.endpoint, None)
    for _ in range(3):
        shop.turn(new_thread())
    thread = new_thread()
    turns, operations = [], []
    for _ in range(arguments.turns):
        turns.append(shop.turn(thread))
        operations.append(list(shop.meter.operations))
    found = {
        "name": setting.name,
        "durability": setting.durability,
        "compressed": setting.compressed,
        "calls_one_after_another": round(one_after_another(shop), 1),
        "compared_mean": merged(turns[COMPARED], statistics.mean).rounded(),
        "mean": merged(turns[:50], statistics.mean).rounded(),
        "median": merged(turns[:50], statistics.median).rounded(),
        "p95_ms": round(percentile([cost.ms for cost in turns[:50]], 0.95), 2),
        "at_turn": {mark: at(turns, mark).rounded() for mark in MARKS if mark <= len(turns)},
        "operations_of_turn_2": operations[1],
        "last_turn_in_dynamodb": last_turn(shop),
        "long": None,
    }
    if arguments.s3_endpoint:
        found["long"] = long_conversation(Shop(setting, arguments.endpoint, arguments.s3_endpoint))
    elif found["last_turn_in_dynamodb"] > LONG:
        found["long"] = long_conversation(shop)
    return found


def row(name, cost, sequential="", p95=""):
    return (
        f"| {name} | {cost['calls']:.0f} | {sequential} | {cost['read_units']:.1f} | {cost['write_units']:.1f} "
        f"| {cost['sent_bytes'] / 1e3:.1f} | {cost['received_bytes'] / 1e3:.1f} | {cost['ms']:.0f} | {p95} |"
    )


def print_turns(found, ours):
    print("| per turn | calls | one after another | read units | write units | KB sent | KB received | p50 ms | p95 ms |")
    print("|---|---|---|---|---|---|---|---|---|")
    if ours:
        calls, sequential, read, write = ours
        print(f"| **Mostrador**, mean of turns 2 to 26 | {calls:.1f} | {sequential:.1f} | {read:.1f} | {write:.1f} | | | | |")
    for one in found:
        print(row(f"**LangGraph, {one['name']}**, mean of turns 2 to 26", one["compared_mean"], one["calls_one_after_another"]))
        print(row("mean of turns 1 to 50", one["mean"], "", f"{one['p95_ms']:.0f}"))
        print(row("median of turns 1 to 50", one["median"]))
        for mark, cost in one["at_turn"].items():
            print(row(f"turn {mark}", cost))
        if one["long"]:
            turn = one["long"]["turn"]
            s3 = f", {turn['s3_calls']:.0f} of its calls to S3" if turn["s3_calls"] else ""
            print(row(f"turn {LONG + 1}{s3}", turn))


def print_loads(found):
    print(f"\n| loading {LONG} turns | calls | of them to S3 | read units | KB received | p50 ms | p95 ms | last turn without S3 |")
    print("|---|---|---|---|---|---|---|---|")
    for one in found:
        last = one["last_turn_in_dynamodb"]
        last = f"{last}" if last <= LONG else f"after {LONG}"
        if not one["long"]:
            print(f"| {one['name']} | cannot: needs --s3-endpoint | | | | | | {last} |")
            continue
        load = one["long"]["load"]
        print(
            f"| {one['name']} | {load['calls']:.0f} | {load['s3_calls']:.0f} | {load['read_units']:.1f} "
            f"| {load['received_bytes'] / 1e3:.0f} | {load['ms']:.0f} | {one['long']['load_p95_ms']:.0f} | {last} |"
        )


def compare(ours, found):
    print()
    for one in found:
        peer = one["compared_mean"]
        theirs = (peer["calls"], one["calls_one_after_another"], peer["read_units"], peer["write_units"])
        names = ("calls", "one after another", "read units", "write units")
        ratios = ", ".join(f"{name} {mine / other:.2f}" for name, mine, other in zip(names, ours, theirs))
        print(f"Mostrador / LangGraph, {one['name']}: {ratios}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--endpoint", required=True, metavar="URL", help="of DynamoDB or an engine that behaves alike")
    parser.add_argument("--s3-endpoint", metavar="URL", help="of S3, for what an item cannot hold; none without it")
    parser.add_argument("--turns", type=int, default=100, help="of one conversation, 50 at least (%(default)s)")
    parser.add_argument("--json", action="store_true", help="print everything that was measured as JSON instead of the tables")
    parser.add_argument(
        "--ours", type=float, nargs=4, metavar=("CALLS", "ONE_AFTER_ANOTHER", "READ", "WRITE"),
        help="Mostrador's own turn, as `prove bench` prints it, to print beside and as ratios",
    )
    arguments = parser.parse_args()
    if arguments.turns < 50:
        parser.error("--turns: 50 at least")
    # The saver logs every refusal as an error; those met here on purpose are counted instead.
    logging.getLogger("langgraph_checkpoint_aws").setLevel(logging.CRITICAL)
    create_stores(arguments.endpoint, arguments.s3_endpoint)
    found = [measure(setting, arguments) for setting in SETTINGS]
    if arguments.json:
        json.dump({"ours": arguments.ours, "turns": arguments.turns, "langgraph": found}, sys.stdout, indent=2)
        print()
        return
    print_turns(found, arguments.ours)
    print_loads(found)
    print(
        "\nLangGraph keeps the conversation and does nothing else; it reads with eventual consistency, at half a unit per 4 KB, and always "
        "the whole conversation. Mostrador reads the end of its log consistently; its turn includes the rate limit, live prices and stock."
    )
    if arguments.ours:
        compare(arguments.ours, found)


if __name__ == "__main__":
    main()
