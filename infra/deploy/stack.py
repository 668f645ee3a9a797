"""template.yaml as a stack on the emulator: its code uploaded, its routes added, its functions started anew."""

import collections
import json
import pathlib
import re
import secrets
import sys
import time
from dataclasses import dataclass, field

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "infra/template"))

import transform  # noqa: E402

NAME = "mostrador"
SECRET_NAME = "mostrador/jwt"
ARTIFACTS = "artifacts"
CAPABILITIES = ["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND", "CAPABILITY_NAMED_IAM"]
DONE_WITHIN_S = 60
GREEDY = "{proxy+}"
DENIAL = re.compile(r"assumed-role/[^/]+/(\S+) is not authorized to perform: (\S+) because no")


@dataclass
class Stack:
    """A created stack."""

    aws: object
    transformed: dict
    jwt_secret: str
    # Physical names by logical ids, and what the stack tells of itself.
    ids: dict = field(default_factory=dict)
    outputs: dict = field(default_factory=dict)

    @property
    def api_url(self):
        """Where the HTTP API is. The emulator has one address for everything, and finds the API's name in the path."""
        return f"{self.aws.url}/_aws/execute-api/{self.ids['Api']}/$default"

    @property
    def stream_url(self):
        """Where the streaming function's own address leads."""
        return f"{self.aws.url}/_aws/lambda-url/{host_of(self.outputs['StreamUrl']).split('.')[0]}"

    def of_type(self, kind):
        """The logical ids of the stack's resources of a type."""
        resources = self.transformed["Resources"].items()
        return [name for name, each in resources if each["Type"] == kind and name in self.ids]

    def functions(self):
        return self.of_type("AWS::Lambda::Function")

    def role_of(self, function):
        """The logical id of a function's role."""
        return self.transformed["Resources"][function]["Properties"]["Role"]["Fn::GetAtt"][0]

    def logical(self, text):
        """A text with the stack's own names for what it is made of."""
        for name, physical in sorted(self.ids.items(), key=lambda each: -len(each[1])):
            text = text.replace(physical, name)
        return text

    def start_anew(self, function):
        """Ends a function's processes: the next call meets a cold one, which remembers nothing."""
        client, name = self.aws.client("lambda"), self.ids[function]
        timeout = client.get_function_configuration(FunctionName=name)["Timeout"]
        client.update_function_configuration(FunctionName=name, Timeout=timeout)

    def invoke(self, function, event):
        """What a function answers that answers no HTTP, and whether it failed."""
        client = self.aws.client("lambda")
        answer = client.invoke(FunctionName=self.ids[function], Payload=json.dumps(event).encode())
        return json.load(answer["Payload"]), "FunctionError" in answer

    def log_of(self, function, since=0):
        """The lines of a function's log, or those since a time in milliseconds."""
        group = self.transformed["Resources"][function]["Properties"]["LoggingConfig"]["LogGroup"]["Ref"]
        pages = self.aws.client("logs").get_paginator("filter_log_events").paginate(
            logGroupName=self.ids[group], startTime=since
        )
        return [event["message"] for page in pages for event in page["events"]]

    def denials(self, since):
        """What functions have been refused since a time, as their logs tell: how often, by function and action."""
        found = (DENIAL.search(line) for function in self.functions() for line in self.log_of(function, since))
        return collections.Counter((self.logical(each[1]), each[2]) for each in found if each)

    def switch_mappings(self, enabled):
        """Has the streams call their functions, or not."""
        client = self.aws.client("lambda")
        for mapping in self.of_type("AWS::Lambda::EventSourceMapping"):
            client.update_event_source_mapping(UUID=self.ids[mapping], Enabled=enabled)


def host_of(url):
    return url.split("://", 1)[1].split("/", 1)[0]


def create(aws, target):
    """Creates the stack of template.yaml with the built functions, and with rates far beyond what tests need."""
    template = transform.read(ROOT / "template.yaml")
    client = aws.client("s3")
    client.create_bucket(Bucket=ARTIFACTS)

    def uploaded(function):
        binary = function["Metadata"]["BuildProperties"]["Binary"]
        client.upload_file(str(target / f"lambda/{binary}/bootstrap.zip"), ARTIFACTS, f"{binary}.zip")
        return f"s3://{ARTIFACTS}/{binary}.zip"

    stack = Stack(aws, transform.translated(template, uploaded), secrets.token_urlsafe(48))
    client.put_object(Bucket=ARTIFACTS, Key="template.json", Body=json.dumps(stack.transformed).encode())
    aws.client("secretsmanager").create_secret(Name=SECRET_NAME, SecretString=stack.jwt_secret)
    rates = {name: "1000000/min" for name in template["Parameters"] if name.startswith("RateLimit")}
    aws.client("cloudformation").create_stack(
        StackName=NAME, TemplateURL=f"{aws.url}/{ARTIFACTS}/template.json", Capabilities=CAPABILITIES,
        Parameters=parameters({"JwtSecretName": SECRET_NAME, "AgentTrace": "all", "BusinessId": "salon-brisa", **rates}),
    )
    wait_for(stack, "CREATE_COMPLETE")
    return stack


def update(stack, changed):
    """Deploys the same template with other parameters."""
    client = stack.aws.client("cloudformation")
    known = client.describe_stacks(StackName=NAME)["Stacks"][0]["Parameters"]
    kept = [{"ParameterKey": each["ParameterKey"], "UsePreviousValue": True} for each in known
            if each["ParameterKey"] not in changed]
    client.update_stack(
        StackName=NAME, UsePreviousTemplate=True, Capabilities=CAPABILITIES, Parameters=kept + parameters(changed)
    )
    wait_for(stack, "UPDATE_COMPLETE")


def parameters(values):
    return [{"ParameterKey": name, "ParameterValue": value} for name, value in values.items()]


def wait_for(stack, status):
    """Waits for the stack to be as it should, and takes down what it is made of then."""
    client = stack.aws.client("cloudformation")
    deadline = time.monotonic() + DONE_WITHIN_S
    while time.monotonic() < deadline:
        seen = client.describe_stacks(StackName=NAME)["Stacks"][0]
        if not seen["StackStatus"].endswith("_IN_PROGRESS"):
            break
        time.sleep(0.1)
    if seen["StackStatus"] != status:
        events = client.describe_stack_events(StackName=NAME)["StackEvents"]
        reasons = [f"{each['LogicalResourceId']}: {each.get('ResourceStatusReason')}" for each in events
                   if each["ResourceStatus"].endswith("_FAILED")]
        raise SystemExit(f"deploy-check: the stack is {seen['StackStatus']}: {'; '.join(reasons)}")
    pages = client.get_paginator("list_stack_resources").paginate(StackName=NAME)
    resources = [each for page in pages for each in page["StackResourceSummaries"]]
    stack.ids = {each["LogicalResourceId"]: each["PhysicalResourceId"] for each in resources}
    stack.outputs = {each["OutputKey"]: each["OutputValue"] for each in seen["Outputs"]}


def add_routes(stack):
    """Gives the HTTP API the routes of its OpenAPI body, which the emulator does not read. Gives how many."""
    client, api = stack.aws.client("apigatewayv2"), stack.ids["Api"]
    routes = described_routes(stack.transformed)
    if routes != wanted_routes(transform.read(ROOT / "template.yaml")):
        raise SystemExit("deploy-check: the API's description has other routes than the template's functions")
    integrations = {function: integration(stack, function) for function in set(routes.values())}
    for path, function in routes.items():
        for key in route_keys(path):
            client.create_route(ApiId=api, RouteKey=key, Target=f"integrations/{integrations[function]}")
    expected = {key for path in routes for key in route_keys(path)}
    there = {each["RouteKey"] for each in client.get_routes(ApiId=api, MaxResults="500")["Items"]}
    if there != expected:
        raise SystemExit(f"deploy-check: the API lacks these routes, or has them by itself: {there ^ expected}")
    return len(routes)


def integration(stack, function):
    arn = stack.aws.client("lambda").get_function(FunctionName=stack.ids[function])["Configuration"]["FunctionArn"]
    return stack.aws.client("apigatewayv2").create_integration(
        ApiId=stack.ids["Api"], IntegrationType="AWS_PROXY", IntegrationUri=arn, PayloadFormatVersion="2.0"
    )["IntegrationId"]


def described_routes(transformed):
    """The functions by paths, as the API's OpenAPI body has them."""
    paths = transformed["Resources"]["Api"]["Properties"]["Body"]["paths"]
    uris = {path: json.dumps(methods["x-amazon-apigateway-any-method"]) for path, methods in paths.items()}
    return {path: re.search(r"\$\{(\w+)\.Arn\}", uri).group(1) for path, uri in uris.items()}


def wanted_routes(template):
    """The functions by paths, as the template's functions ask for them."""
    return {
        event.get("Properties", {}).get("Path", "$default"): name
        for name, resource in template["Resources"].items() if resource["Type"] == "AWS::Serverless::Function"
        for event in resource["Properties"].get("Events", {}).values() if event["Type"] == "HttpApi"
    }


def route_keys(path):
    """The keys of a path's route. On AWS `/x/` reaches `/x/{proxy+}`; the emulator wants a route of its own for it."""
    if path == "$default":
        return [path]
    return [f"ANY {path}"] + ([f"ANY {path.removesuffix(GREEDY)}"] if path.endswith(GREEDY) else [])
