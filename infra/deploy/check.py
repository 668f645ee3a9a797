"""Deploys template.yaml into an emulator that enforces roles, runs the product's tests, and withholds each permission.

Usage: check.py TARGET TESTS, the build's folder and the program of the product's tests.
"""

import pathlib
import signal
import sys
import time

from botocore.exceptions import ClientError

import stack as stacks
from context import Context, operator
from emulator import emulator
from events import MAPPINGS
from not_enforced import CONDITIONAL, RULES, rule_of
from peer import peer
from permissions import permissions_of, withheld
from probes import TESTS, probes_of
from report import print_conclusion, print_denials, print_left_out, print_not_enforced, print_table
from suite import Suite
from trials import Trials

CATALOGUE = stacks.ROOT / "infra/local/demo/bookshop/catalogue.jsonl"
BUSINESS = stacks.ROOT / "infra/local/demo/salon/business.toml"
# A model that everybody pays for with a key of their own: who brings none is answered without it.
WITH_A_MODEL = {"LlmProvider": "openai_compatible", "LlmCostMode": "byo_key"}
# A profile that is seen to be read: where none is, the shop answers in every language.
WITHOUT_PORTUGUESE = """
name = "Librería del emulador"
languages = ["es", "en"]
sells = "books"
handoff = true

[noun]
es = { one = "libro", many = "libros", gender = "m" }
en = { one = "book", many = "books" }
"""
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
BEGUN = time.monotonic()


def step(what):
    print(f"\n-- {what} (at {time.monotonic() - BEGUN:.0f} s)", flush=True)


def give_up(why):
    raise SystemExit(f"deploy-check: {why}")


def deploy(aws, target, tests, models):
    """The stack with its routes, the catalogue and an index."""
    stack = stacks.create(aws, target)
    print(f"ok    {len(stack.ids)} resources, {len(stack.functions())} functions")
    print(f"ok    {stacks.add_routes(stack)} routes, those of the template")
    key = operator(aws)
    refuse_plain_http(stack, key)
    context = Context(stack, models, Suite(tests, stack), target / "debug/mostrador", key)
    context.mostrador("import", str(CATALOGUE))
    context.mostrador("business", "import", str(BUSINESS))
    context.mostrador("index", "publish")
    context.publish_shop(WITHOUT_PORTUGUESE)
    print(f"ok    index {context.manifest()['build_id']} is published")
    return context


def refuse_plain_http(stack, key):
    """Every bucket must refuse calls without TLS, even of those who may do everything. The emulator has no TLS, so the
    policies that demand it are set aside afterwards."""
    for policy in stack.of_type("AWS::S3::BucketPolicy"):
        bucket = stack.transformed["Resources"][policy]["Properties"]["Bucket"]["Ref"]
        name, client = stack.ids[bucket], stack.aws.client("s3", key)
        must_be_refused(bucket, lambda: client.list_objects_v2(Bucket=name))
        must_be_refused(bucket, lambda: client.put_object(Bucket=name, Key="plain", Body=b""))
        must_be_refused(bucket, lambda: client.get_object(Bucket=name, Key="plain"))
        stack.aws.client("s3").delete_bucket_policy(Bucket=name)
        # It was the policy that refused.
        client.list_objects_v2(Bucket=name)
        print(f"ok    {bucket} refuses plain HTTP")


def must_be_refused(bucket, call):
    try:
        call()
    except ClientError as error:
        if "explicit deny in a resource-based policy" in str(error):
            return
        raise
    give_up(f"{bucket} takes plain HTTP")


def run_suite(context):
    """Runs the product's tests, and gives the names of those that ran and passed."""
    outcome = context.suite.run()
    for name in list(outcome.failed):
        # Tests share one emulator, which may keep a function waiting for longer than it has patience.
        if context.suite.run("--exact", name).passed:
            print(f"ok    {name}, by itself")
            outcome.passed.append(name)
            del outcome.failed[name]
    print_left_out(outcome)
    for name, printed in outcome.failed.items():
        print(f"FAIL  {name}\n{printed[:1500]}")
    if outcome.failed:
        print_denials(context.stack, since=0)
        give_up(f"{len(outcome.failed)} of the product's tests fail on the stack")
    if not outcome.passed:
        give_up("none of the product's tests ran on the stack")
    print(f"{len(outcome.passed)} passed, {len(outcome.left_out)} left out")
    return outcome.passed


def run_checks(context, checks):
    """Runs checks by name, each of which must pass."""
    for name, run in checks.items():
        begun, since = time.monotonic(), int(time.time() * 1000)
        try:
            run()
        except Exception as error:  # noqa: BLE001 # Whatever goes wrong is a failure of the check.
            print(f"FAIL  {name}: {type(error).__name__}: {error}")
            print_denials(context.stack, since)
            give_up(f"{name} fails on the stack")
        print(f"ok    {name} ({time.monotonic() - begun:.1f} s)", flush=True)


def of_mappings(context):
    return {check.__name__: lambda check=check: check(context) for check in MAPPINGS}


def of_probes(context, probes):
    return {probe.name: lambda probe=probe: probe.run(context) for probe in probes}


def check_what_is_not_enforced(context):
    """Nothing may fail when all is gone that is listed as not enforced, or the list is out of date."""
    functions = context.stack.functions()
    permissions = [each for function in functions for each in permissions_of(context.stack, function) if rule_of(each)]
    check_the_list(context.stack, permissions)
    probes = [probe for function in functions for probe in probes_of(function)]
    probes = [probe for probe in probes if probe.reads_only_missing_objects or probe.function == "PageFunction"]
    with withheld(context.stack, permissions):
        run_checks(context, of_mappings(context))
        # From here on nothing is done but what a check asks for.
        context.stack.switch_mappings(False)
        run_checks(context, of_probes(context, probes))


def check_the_list(stack, permissions):
    """Everything that is listed as not enforced must be there, and no policy may be missing without being listed."""
    idle = {rule.begins for rule in RULES} - {rule_of(each).begins for each in permissions}
    if idle:
        give_up(f"no role has what is listed as not enforced: {', '.join(idle)}")
    resources = stack.transformed["Resources"].items()
    absent = {name for name, each in resources if each["Type"] == "AWS::IAM::Policy" and name not in stack.ids}
    if absent != set(CONDITIONAL):
        give_up(f"policies missing in the stack or wrongly listed: {', '.join(absent ^ set(CONDITIONAL))}")


def try_permissions(context, tests):
    """Withholds each permission of each role in turn."""
    unknown = [test for each in TESTS.values() for test in each if isinstance(test, str) and test not in tests]
    if unknown:
        give_up(f"these tests do not run on a stack: {', '.join(unknown)}")
    strange = set(context.stack.functions()) ^ set(TESTS)
    if strange:
        give_up(f"functions without tests, or tests without functions: {', '.join(sorted(strange))}")
    trials = Trials(context)
    for function in context.stack.functions():
        run_checks(context, of_probes(context, probes_of(function)))
        trials.try_function(function)
    return trials.findings


def leave(number, _frame):
    """Ends the check, and once only: the emulator is still to be ended."""
    for each in ENDING:
        signal.signal(each, signal.SIG_IGN)
    sys.exit(128 + number)


def main(target, tests):
    for number in ENDING:
        signal.signal(number, leave)
    with emulator() as aws, peer() as models:
        step("deploy")
        context = deploy(aws, pathlib.Path(target).absolute(), tests, models)
        step("the product's tests on the stack")
        passed = run_suite(context)
        step("event source mappings")
        run_checks(context, of_mappings(context))
        step("without all that the emulator does not enforce")
        check_what_is_not_enforced(context)
        step("permissions, each withheld in turn, and the test that misses it")
        stacks.update(context.stack, {**WITH_A_MODEL, "LlmBaseUrl": models.url})
        findings = try_permissions(context, passed)
        step("figures")
        print_table(context.stack, findings)
        print_not_enforced(findings)
        print_conclusion(passed, findings)
    sys.exit(bool(findings.not_needed))


if __name__ == "__main__":
    main(*sys.argv[1:])
