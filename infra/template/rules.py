"""Holds the transformed template to what the linters cannot know.

Usage: rules.py TEMPLATE.json
Prints every breach and exits with 1 if there is one.
"""

import json
import re
import sys
from pathlib import Path

KEPT_TABLES = {"EventsTable", "CatalogueTable", "PurchasesTable"}
# The log is append-only; whoever may do more could rewrite what a customer was told.
LOG_ACTIONS = {"dynamodb:Query", "dynamodb:PutItem"}
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
        if "EventsTable" in named(resource) and not actions <= LOG_ACTIONS:
            yield f"{name}: {', '.join(sorted(actions - LOG_ACTIONS))} on the log"


def tables(resources):
    for name, table in of_type(resources, "AWS::DynamoDB::Table").items():
        properties = table["Properties"]
        if properties.get("BillingMode") != "PAY_PER_REQUEST":
            yield f"{name}: not on demand"
        if not properties.get("SSESpecification", {}).get("SSEEnabled"):
            yield f"{name}: not encrypted"
        if name in KEPT_TABLES:
            if {table.get("DeletionPolicy"), table.get("UpdateReplacePolicy")} != {"Retain"}:
                yield f"{name}: would be deleted with the stack"
            if not properties.get("PointInTimeRecoverySpecification", {}).get("PointInTimeRecoveryEnabled"):
                yield f"{name}: no point-in-time recovery"
    for missing in sorted(KEPT_TABLES - resources.keys()):
        yield f"{missing}: missing"


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


def main(path):
    resources = json.loads(Path(path).read_text(encoding="utf-8"))["Resources"]
    breaches = [breach for rule in (routes, permissions, tables, functions) for breach in rule(resources)]
    print(*breaches, sep="\n")
    sys.exit(bool(breaches))


if __name__ == "__main__":
    main(*sys.argv[1:])
