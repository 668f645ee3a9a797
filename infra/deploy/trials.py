"""Takes permissions away, one at a time, and sees which test misses each."""

import contextlib
import time
from dataclasses import dataclass, field

from not_enforced import rule_of
from permissions import permissions_of, refused, withheld
from probes import probes_of


@dataclass
class Findings:
    """What is known of the permissions that the roles have."""

    # The name of the test that misses it, by permission.
    missed_by: dict = field(default_factory=dict)
    not_needed: list = field(default_factory=list)
    # Those that could not be tried.
    not_enforced: list = field(default_factory=list)

    def of(self, function):
        return [each for each in (*self.missed_by, *self.not_needed, *self.not_enforced) if each.function == function]


class Trials:
    """One trial after the other."""

    def __init__(self, context):
        self.context = context
        self.findings = Findings()
        # The test that missed the same of another function is likely to miss it again.
        self.likely = {}

    def try_function(self, function):
        """Tries every permission of a function's role."""
        for permission in list(permissions_of(self.context.stack, function)):
            rule = rule_of(permission)
            if rule and not rule.refuses_instead:
                self.findings.not_enforced.append(permission)
                continue
            begun = time.monotonic()
            missing = self.try_permission(permission, rule)
            if missing:
                self.findings.missed_by[permission] = missing.name
                self.likely[permission.what] = missing.test
            else:
                self.findings.not_needed.append(permission)
            verdict = f"ok    {permission}: {missing.name}" if missing else f"FAIL  {permission}: no test"
            print(f"{verdict} ({time.monotonic() - begun:.1f} s)", flush=True)

    def try_permission(self, permission, rule):
        """The test that does not pass without a permission, and does with it; or none."""
        candidates = probes_of(permission.function)
        if rule:
            candidates = [probe for probe in candidates if probe.reads_only_missing_objects]
        candidates.sort(key=lambda probe: probe.test is not self.likely.get(permission.what))
        with withheld(self.context.stack, [permission]), self.refusals(permission, rule):
            missing = next((probe for probe in candidates if not self.passes(probe)), None)
        if missing:
            missing.run(self.context)
        return missing

    def passes(self, probe):
        try:
            probe.run(self.context)
        except Exception:  # noqa: BLE001 # Whatever goes wrong without a permission is how a test misses it.
            return False
        return True

    def refusals(self, permission, rule):
        """What AWS would refuse without a permission, where the emulator does not by itself."""
        if rule is None:
            return contextlib.nullcontext()
        return refused(self.context.stack, permission.function, rule.refuses_instead, f"{permission.resource}/*")
