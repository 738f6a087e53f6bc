#!/usr/bin/env python3
"""Removing any one of the engine's checks turns a test red: with the check for one kind of failure
off, exactly the known-bad variants that must fail with that kind are no longer caught.

checks_off_test.py HEDDLE_CHECKS_OFF: the command with switches, see checks_off.cmake.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

KINDS = ["check", "exception", "data_race", "use_after_free", "uninitialised_read", "double_free",
         "leak", "deadlock", "livelock", "unjoined_thread", "misuse", "nondeterminism"]


def run(command, off):
    """name → (expected kind, is caught)"""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "report.json"
        subprocess.run([command, "check", "--group", "known_bad", "--quiet", "--time", "10s",
                        "--json", file], env={**os.environ, "HEDDLE_CHECK_OFF": off},
                       stdout=subprocess.DEVNULL, check=False)
        report = json.loads(file.read_text())
    return {one["name"]: (one["known_bad"]["expected_failure"], one["judgement"] == "caught")
            for one in report["scenarios"] if "known_bad" in one}


def main():
    command = sys.argv[1]
    wrong = []
    for name, (_, caught) in run(command, "none").items():
        if not caught:
            wrong.append(f"{name} is not caught although every check is on")
    for kind in KINDS:
        answers = run(command, kind)
        mine = [name for name, (expected, _) in answers.items() if expected == kind]
        if not mine:
            wrong.append(f"{kind}: no variant must fail with it, so it could be removed unnoticed")
        for name, (expected, caught) in answers.items():
            if caught == (expected == kind):
                state = "still caught" if caught else "no longer caught"
                wrong.append(f"with {kind} off, {name}, a case of {expected}, is {state}")
        print(f"{kind} off: {len(mine)} of {len(answers)} variants are no longer caught")
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
