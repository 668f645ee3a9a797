#!/usr/bin/env bash
# Checks template.yaml. Run from the repository's root; needs `sam`, `cfn-lint`, and a python3 with aws-sam-translator.
# A SAM source hides most of what it becomes, so the transformed template is linted too, and held to the house rules.
set -uo pipefail

export SAM_CLI_TELEMETRY=0
# No check calls AWS; the tools only want a region to fill in.
export AWS_DEFAULT_REGION="${AWS_DEFAULT_REGION:-eu-west-1}"

here=infra/template
if [[ ! -f template.yaml || ! -d $here ]]; then
    echo "check.sh: run it from the repository's root" >&2
    exit 2
fi
transformed=$(mktemp --suffix=.json) || exit 2
trap 'rm -f "$transformed"' EXIT

failed=0
check() {
    local name=$1 output
    shift
    if output=$("$@" 2>&1); then
        echo "ok    $name"
    else
        echo "FAIL  $name"
        # shellcheck disable=SC2001 # A substitution cannot indent every line.
        sed 's/^/      /' <<<"$output"
        failed=1
    fi
}

check "sam validate --lint" sam validate --lint --template template.yaml
check "cfn-lint, as written" cfn-lint template.yaml
check "transform" python3 "$here/transform.py" template.yaml "$transformed"
# W2001 (unused parameter): the translator puts AllowedOrigin's value in its place, as AWS does; the source is held to the rule.
check "cfn-lint, transformed" cfn-lint --ignore-checks W2001 -- "$transformed"
check "house rules, transformed" python3 "$here/rules.py" "$transformed"
exit "$failed"
