"""What is printed of a stack, its tests and its permissions."""

import collections
import textwrap

from not_enforced import CONDITIONAL, RULES, rule_of
from timing import durations

COLUMNS = 120
INDENT = " " * 6


def print_left_out(outcome):
    """The tests that no stack can run, by what they need."""
    names = collections.defaultdict(list)
    for name, reason in outcome.left_out.items():
        names[reason].append(name)
    for reason in sorted(names):
        print(f"left out, {reason}: {len(names[reason])}")
        print(textwrap.fill(", ".join(sorted(names[reason])), COLUMNS, initial_indent=INDENT, subsequent_indent=INDENT))


def print_denials(stack, since):
    """What functions tried that their roles do not allow: the likeliest reason of whatever fails."""
    for (function, action), count in sorted(stack.denials(since).items()):
        print(f"{INDENT}{function} may not {action}, which it tried {count} times")


def print_table(stack, findings):
    """By function: permissions, durations, and the tests that need the permissions."""
    print("About 50 ms of each warm duration are the emulator's, as of a page's, which takes none.\n")
    print("function           permissions not enforced  cold ms  warm ms  tests, and how many permissions each needs")
    for function in stack.functions():
        permissions = findings.of(function)
        untried = sum(each in findings.not_enforced for each in permissions)
        cold, warm = durations(stack, function)
        needed = collections.Counter(test for each, test in findings.missed_by.items() if each.function == function)
        first, *others = [f"{count:2} {test}" for test, count in needed.most_common()] or [""]
        print(f"{function:18} {len(permissions):>11} {untried:>12} {cold:>8.0f} {warm:>8.0f}  {first}")
        for other in others:
            print(f"{'':63}{other}")


def print_not_enforced(findings):
    """What the emulator does not enforce, and what AWS says of it."""
    print("\nNot enforced by the emulator:")
    for rule in RULES:
        count = sum(rule_of(each) is rule for each in (*findings.not_enforced, *findings.missed_by))
        on = f" on …{rule.on}…" if rule.on else ""
        tried = f" They were tried with {rule.refuses_instead} refused, as AWS would." if rule.refuses_instead else ""
        print(f"  {count:2} of {rule.begins}{on}: {rule.reason}.{tried}")
        print(f"     On AWS {rule.rule}: docs.aws.amazon.com/{rule.page}")
    for policy, reason in CONDITIONAL.items():
        print(f"  {policy}, which only other parameters bring: {reason}.")


def print_conclusion(tests, findings):
    """What is not needed, and the last line."""
    print()
    for permission in findings.not_needed:
        print(f"not needed: {permission}. No test misses it: write one that does, or take it out of template.yaml.")
    tried = len(findings.missed_by) + len(findings.not_needed)
    print(
        f"deploy-check: {len(tests)} tests on the stack, {tried} permissions tried, "
        f"{len(findings.missed_by)} missed by a test, {len(findings.not_needed)} not needed, "
        f"{len(findings.not_enforced)} not enforceable here"
    )
