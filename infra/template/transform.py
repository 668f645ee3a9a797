"""Turns a SAM template into the CloudFormation template that would be deployed, without asking AWS anything.

Usage: transform.py SOURCE TARGET
"""

import json
import sys
from pathlib import Path

from samtranslator.parser.parser import Parser
from samtranslator.translator.translator import Translator
from samtranslator.yaml_helper import yaml_parse


def main(source: str, target: str) -> None:
    template = yaml_parse(Path(source).read_text(encoding="utf-8"))
    # The translator wants code that is already uploaded.
    for resource in template["Resources"].values():
        if resource["Type"] == "AWS::Serverless::Function":
            resource["Properties"]["CodeUri"] = "s3://not-uploaded/code.zip"
    defaults = {name: spec["Default"] for name, spec in template["Parameters"].items() if "Default" in spec}
    translated = Translator({}, Parser()).translate(template, defaults)
    Path(target).write_text(json.dumps(translated, indent=2), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
