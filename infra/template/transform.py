"""Turns a SAM template into the CloudFormation template that would be deployed, without asking AWS anything.

Usage: transform.py SOURCE TARGET
"""

import json
import sys
from pathlib import Path

from samtranslator.parser.parser import Parser
from samtranslator.translator.translator import Translator
from samtranslator.yaml_helper import yaml_parse


def read(source):
    """The SAM template as it is written."""
    return yaml_parse(Path(source).read_text(encoding="utf-8"))


def translated(template, code_uri):
    """The CloudFormation template of a SAM template. `code_uri` gives the place of the code of a function's resource,
    since the translator wants code that is already uploaded."""
    for resource in template["Resources"].values():
        if resource["Type"] == "AWS::Serverless::Function":
            resource["Properties"]["CodeUri"] = code_uri(resource)
    defaults = {name: spec["Default"] for name, spec in template["Parameters"].items() if "Default" in spec}
    return Translator({}, Parser()).translate(template, defaults)


def main(source, target):
    template = translated(read(source), lambda function: "s3://not-uploaded/code.zip")
    Path(target).write_text(json.dumps(template, indent=2), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
