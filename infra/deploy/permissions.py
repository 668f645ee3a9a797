"""What the roles of a stack may do, one permission at a time, and taking one away."""

import contextlib
import copy
import json
from dataclasses import dataclass

# The policy that stands for what AWS would refuse and the emulator does not.
REFUSALS = "refused-by-deploy-check"


@dataclass(frozen=True)
class Permission:
    """One action on one resource by one statement of a role; or a whole policy of AWS's, which says neither."""

    function: str
    policy: str
    sid: str = ""
    action: str = ""
    resource: str = ""
    # The resource by the names that the template has for it.
    named: str = ""

    def __str__(self):
        if not self.action:
            return f"{self.function}: {self.policy.rsplit('/', 1)[-1]}"
        return f"{self.function}: {self.sid}: {self.what}"

    @property
    def what(self):
        """What may be done, whoever may."""
        return f"{self.action} on {self.named}"


def permissions_of(stack, function):
    """Every permission of a function's role."""
    client, role = stack.aws.client("iam"), stack.ids[stack.role_of(function)]
    for policy in client.list_role_policies(RoleName=role)["PolicyNames"]:
        for statement in document(stack, function, policy)["Statement"]:
            for action in as_list(statement["Action"]):
                for resource in as_list(statement["Resource"]):
                    named = stack.logical(resource).split(":", 5)[-1].removeprefix("table/")
                    yield Permission(function, policy, statement["Sid"], action, resource, named)
    for attached in client.list_attached_role_policies(RoleName=role)["AttachedPolicies"]:
        yield Permission(function, attached["PolicyArn"])


def as_list(value):
    return value if isinstance(value, list) else [value]


def document(stack, function, policy):
    role = stack.ids[stack.role_of(function)]
    return stack.aws.client("iam").get_role_policy(RoleName=role, PolicyName=policy)["PolicyDocument"]


def without(statements, permission):
    """The statements without one permission of theirs: one that has others keeps them."""
    for statement in statements:
        actions, resources = as_list(statement["Action"]), as_list(statement["Resource"])
        if statement["Sid"] != permission.sid or permission.resource not in resources:
            yield statement
            continue
        others = [action for action in actions if action != permission.action]
        elsewhere = [resource for resource in resources if resource != permission.resource]
        if others:
            yield {**statement, "Action": others}
        if elsewhere:
            rest = {"Sid": f"{statement['Sid']}Elsewhere", "Action": permission.action, "Resource": elsewhere}
            yield {**statement, **rest}


@contextlib.contextmanager
def withheld(stack, permissions):
    """A while without these permissions, in which the functions that have them remember nothing of before."""
    client = stack.aws.client("iam")
    functions = sorted({permission.function for permission in permissions})
    inline = sorted({(each.function, each.policy) for each in permissions if each.action})
    attached = [each for each in permissions if not each.action]
    whole = {key: document(stack, *key) for key in inline}
    try:
        for (function, policy), kept in whole.items():
            left = copy.deepcopy(kept)
            for permission in permissions:
                if (permission.function, permission.policy) == (function, policy):
                    left["Statement"] = list(without(left["Statement"], permission))
            put(stack, function, policy, left)
        for each in attached:
            client.detach_role_policy(RoleName=stack.ids[stack.role_of(each.function)], PolicyArn=each.policy)
        for function in functions:
            stack.start_anew(function)
        yield
    finally:
        for (function, policy), kept in whole.items():
            put(stack, function, policy, kept)
        for each in attached:
            client.attach_role_policy(RoleName=stack.ids[stack.role_of(each.function)], PolicyArn=each.policy)
        for function in functions:
            stack.start_anew(function)


def put(stack, function, policy, content):
    role = stack.ids[stack.role_of(function)]
    if not content["Statement"]:
        stack.aws.client("iam").delete_role_policy(RoleName=role, PolicyName=policy)
        return
    stack.aws.client("iam").put_role_policy(RoleName=role, PolicyName=policy, PolicyDocument=json.dumps(content))


@contextlib.contextmanager
def refused(stack, function, actions, resource):
    """A while in which a function is refused these actions on a resource, whatever its role says."""
    role = stack.ids[stack.role_of(function)]
    client = stack.aws.client("iam")
    statement = {"Sid": "Refused", "Effect": "Deny", "Action": actions, "Resource": resource}
    refusal = {"Version": "2012-10-17", "Statement": [statement]}
    client.put_role_policy(RoleName=role, PolicyName=REFUSALS, PolicyDocument=json.dumps(refusal))
    try:
        yield
    finally:
        client.delete_role_policy(RoleName=role, PolicyName=REFUSALS)
