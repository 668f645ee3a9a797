"""The product's own black-box tests, run on a stack."""

import json
import re
import subprocess
from dataclasses import dataclass, field

from emulator import clean_environment

# More at once would keep the functions waiting for the emulator, which is one process.
THREADS = 4
PATIENCE_S = 600
# A test that needs what no stack has ends with these words, in `tests/src/harness/stack.rs`.
LEFT_OUT = re.compile(r"left out on a stack: (.*)")
OUTCOME = re.compile(r"^test (\S+) \.\.\. (ok|FAILED)$", re.MULTILINE)
OUTPUT = re.compile(r"^---- (\S+) stdout ----\n(.*?)(?=^---- \S+ stdout ----$|^failures:$)", re.MULTILINE | re.DOTALL)


@dataclass
class Outcome:
    """What became of tests, by name."""

    passed: list = field(default_factory=list)
    left_out: dict = field(default_factory=dict)
    failed: dict = field(default_factory=dict)


class Suite:
    """The tests' program, with a description of the stack."""

    def __init__(self, program, stack):
        self.program = program
        described = stack.aws.folder / "stack.json"
        described.write_text(json.dumps({
            "api_url": stack.api_url, "stream_url": stack.stream_url, "jwt_secret": stack.jwt_secret,
        }), encoding="utf-8")
        self.environment = {**clean_environment(), "MOSTRADOR_TEST_STACK": str(described)}

    def run(self, *arguments):
        """Runs the tests that the arguments choose; all without any."""
        done = subprocess.run(
            [self.program, "--test-threads", str(THREADS), *arguments], env=self.environment, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=PATIENCE_S, check=False,
        )
        return outcome_of(done.stdout)

    def run_one(self, name):
        """Runs one test, which must pass."""
        outcome = self.run("--exact", name)
        assert outcome.passed == [name], "\n".join(outcome.failed.values()) or f"there is no test {name}"


def outcome_of(printed):
    outputs = dict(OUTPUT.findall(printed))
    outcome = Outcome()
    for name, word in OUTCOME.findall(printed):
        reason = LEFT_OUT.search(outputs.get(name, ""))
        if word == "ok":
            outcome.passed.append(name)
        elif reason:
            outcome.left_out[name] = reason[1]
        else:
            outcome.failed[name] = outputs.get(name, "")
    return outcome
