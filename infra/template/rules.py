"""Holds the transformed template to what the linters cannot know.

Usage: rules.py TEMPLATE.json
Prints every breach and exits with 1 if there is one. Samples of events are read from the repository.
"""

import json
import re
import sys
from pathlib import Path

KEPT_TABLES = {"EventsTable", "CatalogueTable", "PurchasesTable", "BookingsTable"}
# The log is append-only; whoever may do more could rewrite what a customer was told.
LOG_ACTIONS = {"dynamodb:Query", "dynamodb:PutItem"}
STREAM_ACTIONS = {
    "dynamodb:DescribeStream",
    "dynamodb:GetRecords",
    "dynamodb:GetShardIterator",
    "dynamodb:ListStreams",
}
# What a customer said and bought. To delete is one function's alone; a batch of writes may delete too.
CUSTOMERS_TABLES = {"EventsTable", "ConversationsTable", "PurchasesTable", "BookingsTable"}
DELETING = {"dynamodb:DeleteItem", "dynamodb:BatchWriteItem", "dynamodb:PartiQLDelete"}
ERASER = "EraseFunctionRole"
# Streams hold for a day what may have been erased.
KEYS_ONLY = {"EventsTable", "ConversationsTable"}
# What a mapping on one of these must be: nothing is missed, and a bad record holds up nobody, is kept and is given up in the end.
FOLLOWING = {
    "StartingPosition": "TRIM_HORIZON",
    "FunctionResponseTypes": ["ReportBatchItemFailures"],
    "BisectBatchOnFunctionError": True,
}
EVENTS = Path(__file__).resolve().parents[2] / "events"
# What calls a function, as a sample of `events/`, and what must not: changes of that sample.
CALLS = {"ProjectFunction": "log-commit.json", "SummariseFunction": "view-due.json"}
SILENT = {
    "ProjectFunction": [{"eventName": "REMOVE"}],
    "SummariseFunction": [{"eventName": "REMOVE"}, {"item": "conversation#00000001"}, {"item": "summary#00000001"}],
}
# What each function counts, as its `Scope::…` say; a limit that it is not told of would be another one than the stack's.
COUNTS = {
    "ChatFunction": {"CHAT", "GUEST_MODEL"},
    "StreamFunction": {"CHAT", "GUEST_MODEL", "HISTORY"},
    # It tells of all of them.
    "SearchFunction": {"CHAT", "SEARCH", "ACTION", "HISTORY", "GUEST_MODEL"},
    "ActionsFunction": {"ACTION"},
    "HistoryFunction": {"HISTORY"},
    "StaffFunction": {"ACTION", "HISTORY"},
    "EraseFunction": {"HISTORY"},
    "FilesFunction": {"ACTION", "HISTORY"},
}
RATE = "AGENT_RATE_LIMIT_"
# The page's own origin, where others than any are listed.
PAGE_ORIGIN = {"Fn::If": ["HasPageOrigin", {"Ref": "PageOrigin"}, {"Ref": "AWS::NoValue"}]}
# Granted on every resource by these two, and only by these: writing logs and traces.
MANAGED_POLICIES = {"AWSLambdaBasicExecutionRole", "AWSXrayWriteOnlyAccess"}


def of_type(resources, kind):
    return {name: resource for name, resource in resources.items() if resource["Type"] == kind}


def as_list(value):
    return value if isinstance(value, list) else [value]


def named(value):
    """The logical ids an intrinsic function refers to."""
    return set(re.findall(r'(?:"Ref": "|"Fn::GetAtt": \["|\$\{)(?!AWS::)([A-Za-z0-9]+)', json.dumps(value)))


def routes(resources):
    """API Gateway silently drops a route that ends in a slash; `/x/{proxy+}` is how `/x/` is reached."""
    for name, api in of_type(resources, "AWS::ApiGatewayV2::Api").items():
        paths = api["Properties"]["Body"]["paths"]
        if "$default" not in paths:
            yield f"{name}: unknown paths would be answered by API Gateway"
        for path, methods in paths.items():
            if path != "/" and path.endswith("/"):
                yield f"{name}: route {path} ends in a slash"
            if set(methods) != {"x-amazon-apigateway-any-method"}:
                yield f"{name}: route {path} leaves wrong methods to API Gateway"
            if not path.startswith("/api/") or path.endswith("{proxy+}"):
                continue
            sibling = paths.get(f"{path}/{{proxy+}}")
            if sibling is None:
                yield f"{name}: {path} has no sibling for its trailing slash"
            elif target(sibling) != target(methods):
                yield f"{name}: {path} and {path}/ reach different functions"


def target(methods):
    return methods.get("x-amazon-apigateway-any-method", {}).get("x-amazon-apigateway-integration", {}).get("uri")


def permissions(resources):
    for name, role in of_type(resources, "AWS::IAM::Role").items():
        for managed in role["Properties"].get("ManagedPolicyArns", []):
            if str(managed).rsplit("/", 1)[-1] not in MANAGED_POLICIES:
                yield f"{name}: managed policy {managed}"
        for policy in role["Properties"].get("Policies", []):
            for statement in as_list(policy["PolicyDocument"]["Statement"]):
                yield from statement_breaches(name, statement)


def statement_breaches(name, statement):
    actions = set(as_list(statement["Action"]))
    for action in sorted(actions):
        if "*" in action:
            yield f"{name}: action {action}"
    for resource in as_list(statement["Resource"]):
        if not named(resource):
            yield f"{name}: resource {resource} is none of this stack's"
        if "/stream/" in json.dumps(resource):
            if not actions <= STREAM_ACTIONS:
                yield f"{name}: {', '.join(sorted(actions - STREAM_ACTIONS))} on a stream"
            continue
        if name != ERASER and named(resource) & CUSTOMERS_TABLES and actions & DELETING:
            yield f"{name}: {', '.join(sorted(actions & DELETING))} on what customers said or bought"
        allowed = LOG_ACTIONS | DELETING if name == ERASER else LOG_ACTIONS
        if "EventsTable" in named(resource) and not actions <= allowed:
            yield f"{name}: {', '.join(sorted(actions - allowed))} on the log"


def tables(resources):
    for name, table in of_type(resources, "AWS::DynamoDB::Table").items():
        properties = table["Properties"]
        if properties.get("BillingMode") != "PAY_PER_REQUEST":
            yield f"{name}: not on demand"
        if not properties.get("SSESpecification", {}).get("SSEEnabled"):
            yield f"{name}: not encrypted"
        if name in KEYS_ONLY and properties.get("StreamSpecification", {}).get("StreamViewType") != "KEYS_ONLY":
            yield f"{name}: no stream of its keys alone"
        if name in KEPT_TABLES:
            if {table.get("DeletionPolicy"), table.get("UpdateReplacePolicy")} != {"Retain"}:
                yield f"{name}: would be deleted with the stack"
            if not properties.get("DeletionProtectionEnabled"):
                yield f"{name}: could be deleted by a slip"
            if not properties.get("PointInTimeRecoverySpecification", {}).get("PointInTimeRecoveryEnabled"):
                yield f"{name}: no point-in-time recovery"
    for missing in sorted(KEPT_TABLES - resources.keys()):
        yield f"{missing}: missing"


def mappings(resources):
    queues_watched = {
        queue
        for alarm in of_type(resources, "AWS::CloudWatch::Alarm").values()
        if alarm["Properties"]["MetricName"] == "ApproximateNumberOfMessagesVisible"
        for queue in named(alarm["Properties"]["Dimensions"])
    }
    called = set()
    for name, mapping in of_type(resources, "AWS::Lambda::EventSourceMapping").items():
        properties = mapping["Properties"]
        if properties.get("MaximumRetryAttempts", -1) < 0:
            yield f"{name}: a bad record would come again for a day"
        queues = named(properties.get("DestinationConfig", {}).get("OnFailure", {}))
        if not queues & of_type(resources, "AWS::SQS::Queue").keys():
            yield f"{name}: what fails is lost"
        if not named(properties["EventSourceArn"]) & KEYS_ONLY:
            continue
        if not queues & queues_watched:
            yield f"{name}: no alarm on its failures"
        for setting, value in FOLLOWING.items():
            if properties.get(setting) != value:
                yield f"{name}: {setting} is {properties.get(setting)}"
        for function in named(properties["FunctionName"]) & CALLS.keys():
            called.add(function)
            yield from filter_breaches(name, function, properties)
    for function in sorted(CALLS.keys() - called):
        yield f"{function}: nothing calls it"


def filter_breaches(name, function, properties):
    """A filter that lets nothing through says so nowhere."""
    filters = properties.get("FilterCriteria", {}).get("Filters", [])
    patterns = [json.loads(each["Pattern"]) for each in filters]

    def passes(record):
        return not patterns or any(matches(pattern, record) for pattern in patterns)

    sample = (EVENTS / CALLS[function]).read_text(encoding="utf-8")
    if not all(passes(record) for record in json.loads(sample)["Records"]):
        yield f"{name}: {CALLS[function]} does not pass its filter"
    for change in SILENT[function]:
        record = json.loads(sample)["Records"][0]
        if "item" in change:
            record["dynamodb"]["Keys"]["item"]["S"] = change["item"]
        else:
            record.update(change)
        if passes(record):
            yield f"{name}: its filter lets {change} through"


def matches(pattern, value):
    """As much of Lambda's filter rules as is used here: members, alternatives, whole texts and prefixes."""
    if isinstance(pattern, dict):
        return isinstance(value, dict) and all(key in value and matches(wanted, value[key]) for key, wanted in pattern.items())
    return any(value.startswith(each["prefix"]) if isinstance(each, dict) else value == each for each in pattern)


def functions(resources):
    groups = of_type(resources, "AWS::Logs::LogGroup")
    for name, group in groups.items():
        if "RetentionInDays" not in group["Properties"]:
            yield f"{name}: kept for ever"
    watched = {
        function
        for alarm in of_type(resources, "AWS::CloudWatch::Alarm").values()
        if alarm["Properties"]["MetricName"] == "Errors"
        for function in named(alarm["Properties"]["Dimensions"])
    }
    for name, function in of_type(resources, "AWS::Lambda::Function").items():
        logging = function["Properties"].get("LoggingConfig", {})
        if logging.get("LogFormat") != "JSON" or not named(logging.get("LogGroup")) & groups.keys():
            yield f"{name}: no JSON log group of its own"
        if name not in watched:
            yield f"{name}: no alarm on its errors"


def alarms(resources):
    """Each alarm tells somebody, each queue of failures has one, and so has each address from outside."""
    watched = set()
    for name, alarm in of_type(resources, "AWS::CloudWatch::Alarm").items():
        properties = alarm["Properties"]
        if "AlarmTopic" not in named(properties.get("AlarmActions")):
            yield f"{name}: nobody is told"
        watched |= {(properties["MetricName"], target) for target in named(properties["Dimensions"])}
    for name in of_type(resources, "AWS::SQS::Queue"):
        if ("ApproximateNumberOfMessagesVisible", name) not in watched:
            yield f"{name}: nobody sees what is in it"
    for name, url in of_type(resources, "AWS::Lambda::Url").items():
        (function,) = named(url["Properties"]["TargetFunctionArn"])
        if ("Url5xxCount", function) not in watched:
            yield f"{name}: nobody sees its server errors"
        if "ReservedConcurrentExecutions" not in resources[function]["Properties"]:
            yield f"{name}: may take all there is of the account's concurrency"
    for name in of_type(resources, "AWS::ApiGatewayV2::Api"):
        if ("5xx", name) not in watched:
            yield f"{name}: nobody sees its server errors"


def rates(resources):
    for name, function in of_type(resources, "AWS::Lambda::Function").items():
        variables = function["Properties"].get("Environment", {}).get("Variables", {})
        told = {variable.removeprefix(RATE) for variable in variables if variable.startswith(RATE)}
        if told != COUNTS.get(name, set()):
            yield f"{name}: is told the limits {sorted(told)}, and counts {sorted(COUNTS.get(name, set()))}"


def origins(resources):
    """The page comes from the API's origin, and reaches these two by another."""
    for name, url in of_type(resources, "AWS::Lambda::Url").items():
        if PAGE_ORIGIN not in url["Properties"]["Cors"]["AllowOrigins"]:
            yield f"{name}: not for the page where AllowedOrigin is another's"
    for name, bucket in of_type(resources, "AWS::S3::Bucket").items():
        for rule in bucket["Properties"].get("CorsConfiguration", {}).get("CorsRules", []):
            if PAGE_ORIGIN not in rule["AllowedOrigins"]:
                yield f"{name}: not for the page where AllowedOrigin is another's"


RULES = (routes, permissions, tables, mappings, functions, alarms, rates, origins)


def main(path):
    resources = json.loads(Path(path).read_text(encoding="utf-8"))["Resources"]
    breaches = [breach for rule in RULES for breach in rule(resources)]
    print(*breaches, sep="\n")
    sys.exit(bool(breaches))


if __name__ == "__main__":
    main(*sys.argv[1:])
