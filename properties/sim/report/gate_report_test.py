#!/usr/bin/env python3
"""The report of scripts/gate: green for green parts; and for each way to be red the exit code, and
the place in the summary, in the printed text, in lint.sarif and in steps.junit.xml. The lint
finding is a real one, of scripts/lint on a tree with a bad line.

gate_report_test.py WORK: a folder that may be emptied.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET

ROOT = pathlib.Path(__file__).resolve().parents[3]
INNER = "# heddle gate: passed\n\n| part |\n\nreplay: there is nothing to replay\n"
FAILED_TEST = """\
The following tests FAILED:
\t 12 - queues/Deque.push (Failed)
Errors while running CTest
"""
BAD_HEADER = """\
// A header.
#pragma once

#include <atomic>

inline int   badly_spaced() { return 1; }
"""
wrong = []


def expect(condition, what):
    if not condition:
        wrong.append(what)


class Report:
    """Runs gate_report.py on parts: name → (result, log)."""

    def __init__(self, folder, parts, inner=INNER):
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "logs").mkdir(parents=True)
        (folder / "heddle").mkdir()
        if inner:
            (folder / "heddle/summary.md").write_text(inner)
        lines = []
        for name, (result, log) in parts.items():
            lines.append(f"{name}\t{result}\t3\n")
            (folder / f"logs/{name}.log").write_text(log)
        (folder / "logs/steps.tsv").write_text("".join(lines))
        done = subprocess.run([sys.executable, ROOT / "scripts/rules/gate_report.py", folder],
                              capture_output=True, text=True, check=False)
        self.code, self.said = done.returncode, done.stdout + done.stderr
        self.last = done.stdout.strip().splitlines()[-1] if done.stdout.strip() else ""
        self.summary = (folder / "summary.md").read_text()
        self.results = json.loads((folder / "lint.sarif").read_text())["runs"][0]["results"]
        suite = ET.parse(folder / "steps.junit.xml").getroot().find("testsuite")
        self.failures = {case.get("name"): case.find("failure").text
                         for case in suite.findall("testcase") if case.find("failure") is not None}
        self.counts = (int(suite.get("tests")), int(suite.get("failures")))


def lint_finding(work):
    """The log and exit code of scripts/lint for a tree with one bad line, and its place."""
    tree = work / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(ROOT / "scripts", tree / "scripts")
    shutil.copy(ROOT / ".clang-format", tree)
    for room in ("scheduler", "model", "sim", "properties"):
        (tree / room).mkdir()
    (tree / "scheduler/bad.hpp").write_text(BAD_HEADER)
    done = subprocess.run([tree / "scripts/lint", "format", "house"], capture_output=True,
                          text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def changed_count(work):
    """The exit code and log of scripts/golden for a run with one execution more than the reviewed
    number, and the place of that number."""
    counts = (ROOT / "properties/golden_counts.txt").read_text().splitlines()
    line = next(n for n, text in enumerate(counts, 1) if text and text[0] != "#")
    name, count = counts[line - 1].split()
    report = work / "report.json"
    report.write_text(json.dumps({"memory_model": "rc11", "exit_code": 0, "scenarios": [{
        "name": name, "strategy": "exhaustive",
        "report": {"verdict": "verified", "executions": int(count) + 1}}]}))
    done = subprocess.run([ROOT / "scripts/golden", "--report", report, name], capture_output=True,
                          text=True, check=False)
    return done.returncode, done.stdout + done.stderr, f"properties/golden_counts.txt:{line}"


def main():
    work = pathlib.Path(sys.argv[1])
    fine = {"build": (0, ""), "lint": (0, ""), "tests": (0, ""), "heddle gate": (0, "")}

    green = Report(work / "out", fine)
    expect(green.code == 0 and "# gate: passed" in green.summary, "green parts: " + green.said)
    expect(green.last.startswith("replay:"), "the last line says how to replay: " + green.last)
    expect(green.counts == (4, 0) and not green.results, "nothing to complain about")

    code, log = lint_finding(work)
    expect(code == 1, f"lint accepts a bad tree:\n{log}")
    red = Report(work / "out", {**fine, "lint": (code, log)})
    expect(red.code == 1 and "# gate: FAILED" in red.summary, "a lint finding: " + red.said)
    for line in (4, 6):  # what the house forbids, and what clang-format would write otherwise
        place = f"scheduler/bad.hpp:{line}"
        expect(place in red.said, f"{place} is printed:\n{red.said}")
        expect(place in red.summary, f"{place} is in the summary:\n{red.summary}")
        expect(place in red.failures.get("lint", ""), f"{place} is in steps.junit.xml")
        found = [r["locations"][0]["physicalLocation"] for r in red.results]
        expect(any(one["artifactLocation"]["uri"] == "scheduler/bad.hpp"
                   and one["region"]["startLine"] == line for one in found),
               f"{place} is in lint.sarif: {found}")
    expect(red.counts == (4, 1) and set(red.failures) == {"lint"}, "the part lint failed, alone")

    tests = Report(work / "out", {**fine, "tests": (8, FAILED_TEST)})
    expect(tests.code == 1, "a failed test: " + tests.said)
    expect("tests: test queues/Deque.push failed" in tests.said, "it is named: " + tests.said)

    error = "sim/cli/pool.cpp:12:3: error: no such thing\n"
    not_built = "left out: the build failed"
    build = Report(work / "out", {"build": (1, error), "lint": (not_built, "")}, inner="")
    expect(build.code == 1 and "sim/cli/pool.cpp:12: " in build.said, "an error: " + build.said)
    expect(not_built in build.summary, "what is left out is said")
    expect("did not run" in build.summary and build.last.startswith("replay:"), build.said)

    code, log, place = changed_count(work)
    expect(code == 1, f"golden accepts a changed count:\n{log}")
    golden = Report(work / "out", {**fine, "golden": (code, log)})
    expect(golden.code == 1 and f"golden: {place}: " in golden.said, f"{place}: {golden.said}")

    skipped = Report(work / "out", {**fine, "tests": (0, "\t 3 - gate/schemas (Skipped)\n")})
    expect(skipped.code == 0, "a skipped test is no failure: " + skipped.said)
    for text in (skipped.said, skipped.summary):
        expect("tests: test gate/schemas was skipped" in text, "and is not silent: " + text)

    expect(Report(work / "out", {**fine, "heddle gate": (4, "")}).code == 4, "not complete is 4")
    expect(Report(work / "out", {**fine, "heddle gate": (3, ""), "lint": (1, "")}).code == 3,
           "an internal error outweighs a failure")
    expect(Report(work / "out", {**fine, "lint": ("left out: why", "")}).code == 4, "left out is 4")

    for line in wrong:
        print(line, file=sys.stderr)
    print(f"the gate's report: {len(wrong)} differences")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
