#!/usr/bin/env python3
"""The gate's SARIF against the published schema, which an npm package ships; it is fetched for the
test, and only said to be missing (exit code 77) when the registry cannot be reached.

schemas_test.py HEDDLE WORK: the command, and a folder that may be emptied.

JUnit XML has no authority; no Debian or npm package that we know ships a schema of it. What its
readers need is checked by gate_test.cpp and documents_test.cpp.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tarfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
PACKAGE = "@microsoft/jest-sarif@1.0.0-beta.0"
SCHEMA = "package/lib/schemas/sarif-2.1.0-rtm.5.json"
SKIPPED = 77


def skip(why):
    print(f"schemas: NOT CHECKED, {why}")
    sys.exit(SKIPPED)


try:
    import jsonschema
except ImportError:
    skip("there is no python3-jsonschema; scripts/setup installs it")


def fetch(folder):
    if shutil.which("npm") is None:
        skip("there is no npm to fetch the schema with")
    try:
        done = subprocess.run(["npm", "pack", "--silent", PACKAGE], cwd=folder, capture_output=True,
                              text=True, check=False, timeout=120)
    except subprocess.TimeoutExpired:
        skip("the npm registry does not answer")
    if done.returncode != 0:
        skip(f"npm pack {PACKAGE} failed: {done.stderr.strip()[-300:]}")
    with tarfile.open(folder / done.stdout.strip().splitlines()[-1]) as package:
        return json.load(package.extractfile(SCHEMA))


def red_gate(command, work):
    """SARIF of a gate with a trace that is none."""
    (work / "traces").mkdir()
    (work / "traces/parker_one_wake.trace.json").write_text("not a trace")
    done = subprocess.run([command, "gate", "parker_one_wake", "--quiet", "--time", "5s",
                           "--traces", work / "traces", "--output", work / "gate"],
                          capture_output=True, text=True, check=False)
    if done.returncode != 1:
        sys.exit(f"the gate is not red: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return work / "gate/results.sarif"


def lint_findings(work):
    """SARIF of gate_report.py for a finding of the linter."""
    logs = work / "report/logs"
    logs.mkdir(parents=True)
    (logs / "steps.tsv").write_text("lint\t1\t3\n")
    (logs / "lint.log").write_text("scheduler/x.hpp:12:5: error: bad [-Wbad]\n")
    subprocess.run([sys.executable, ROOT / "scripts/rules/gate_report.py", work / "report"],
                   stdout=subprocess.DEVNULL, check=False)
    return work / "report/lint.sarif"


def main():
    command, work = sys.argv[1], pathlib.Path(sys.argv[2])
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    check = jsonschema.Draft4Validator(fetch(work))
    # The approved one has every kind of failure and their code flows; documents_test.cpp compares
    # it with what is written.
    documents = [ROOT / "properties/sim/approved/report.sarif", red_gate(command, work),
                 lint_findings(work)]
    wrong = 0
    for file in documents:
        document = json.loads(file.read_text())
        results = document["runs"][0]["results"]
        errors = list(check.iter_errors(document))
        for error in errors:
            print(f"{file}: {'/'.join(map(str, error.absolute_path))}: {error.message[:300]}",
                  file=sys.stderr)
        print(f"{file.name}: {len(results)} results, {len(errors)} errors")
        wrong += len(errors) + (not results)
    # The schema is no formality: it finds what is missing.
    broken = json.loads(documents[0].read_text())
    del broken["runs"][0]["tool"]["driver"]["name"]
    if check.is_valid(broken):
        print("the schema accepts a tool without a name", file=sys.stderr)
        wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
