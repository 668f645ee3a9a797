"""What AWS demands of a role and the emulator does not: what no test can miss here."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Rule:
    """A kind of permission: why it cannot be seen here, and what AWS says of it."""

    # What an action begins with, or the name of a policy; and a part of the resource.
    begins: str
    on: str
    reason: str
    rule: str
    # Where AWS says so, in its documentation.
    page: str
    # What AWS refuses without it, so that it can be tried all the same.
    refuses_instead: str = ""
    # The function that is refused without it all the same.
    but: str = ""


RULES = (
    Rule(
        "dynamodb:", "/stream/",
        "the emulator's mappings read a stream by themselves, whatever the function's role is",
        "a mapping reads the stream with the function's role, which needs all four actions",
        "amazondynamodb/latest/developerguide/iam-policy-example-lamda-process-dynamodb-streams.html",
    ),
    Rule(
        "sqs:SendMessage", "Failures",
        "the emulator's mappings put what failed into the queue by themselves",
        "a mapping sends what failed with the function's role",
        "lambda/latest/dg/services-dynamodb-errors.html",
    ),
    Rule(
        "AWSLambdaBasicExecutionRole", "",
        "the emulator writes the functions' logs by itself",
        "a function's log is written with its role; SAM adds the policy to each",
        "lambda/latest/dg/monitoring-cloudwatchlogs.html",
    ),
    Rule(
        "AWSXrayWriteOnlyAccess", "",
        "the emulator keeps no traces",
        "a function's trace is written with its role; SAM adds the policy to each that is traced",
        "lambda/latest/dg/services-xray.html",
    ),
    Rule(
        "s3:ListBucket", "Bucket",
        "the emulator answers 404 for an object that is not there, whoever asks",
        "who may not list a bucket is answered 403 for an object that is not there",
        "AmazonS3/latest/API/API_GetObject.html",
        refuses_instead="s3:GetObject",
        # It lists what it erases, and that is refused.
        but="EraseFunction",
    ),
)
# Policies that only a stack with Bedrock has: what the emulator makes of their actions.
CONDITIONAL = {
    "EmbeddingPolicy": "the emulator has no models that embed",
    "ModelPolicy": "the emulator asks for `bedrock:ConverseStream`, where AWS asks for the action that is granted",
}


def rule_of(permission):
    """The rule that a permission falls under, if there is one."""
    subject = permission.action or permission.policy.rsplit("/", 1)[-1]
    rules = (rule for rule in RULES if rule.but != permission.function)
    found = [rule for rule in rules if subject.startswith(rule.begins) and rule.on in permission.named]
    return found[0] if found else None
