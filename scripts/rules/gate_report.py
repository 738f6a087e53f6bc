#!/usr/bin/env python3
"""Puts the parts of scripts/gate together: gate_report.py OUTPUT.

Reads OUTPUT/logs/steps.tsv (part, exit code or "left out: why", seconds) and the logs; writes
OUTPUT/summary.md, steps.junit.xml and lint.sarif; prints what needs attention and, last, how to
replay. The exit code is the gate's.
"""
import json
import pathlib
import re
import sys
from xml.sax.saxutils import quoteattr, escape

# "file.cpp:12:5: error: text", as compilers, linters and our own rules write it.
MESSAGE = re.compile(r"^((?:[\w.+-]+/)*[\w.+-]+\.(?:cpp|hpp|py|xml|txt)):(\d+)(?::\d+)?:\s*(.*)$")
HARMLESS = re.compile(r"\bnote:")
SHOWN_MAX = 50


def messages(log):
    """Places that a log complains about: (file, line, text), each once."""
    found = []
    for line in log.splitlines():
        match = MESSAGE.match(line.strip())
        if match and not HARMLESS.search(match[3]):
            one = (match[1], int(match[2]), match[3])
            if one not in found:
                found.append(one)
    return found


def failed_tests(log):
    """What ctest lists at its end."""
    return re.findall(r"^\s*\d+ - (\S+) \((?!Skipped|Disabled)[^)]*\)", log, re.M)


def skipped_tests(log):
    """What ctest did not run, although nothing failed."""
    return re.findall(r"^\s*\d+ - (\S+) \((?:Skipped|Disabled)\)", log, re.M)


def sarif(rows):
    results = [
        {
            "ruleId": part,
            "level": "error",
            "message": {"text": text},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": file},
                        "region": {"startLine": max(1, line)},
                    }
                }
            ],
        }
        for part, file, line, text in rows
    ]
    driver = {"name": "heddle gate", "rules": [{"id": r} for r in sorted({r[0] for r in rows})]}
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": results}],
    }


def junit(steps, complaints):
    bad = [s for s in steps if s["code"] not in (0, None)]
    skipped = [s for s in steps if s["code"] is None]
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuites name="gate" tests="{len(steps)}" failures="{len(bad)}" errors="0">',
        f'  <testsuite name="gate" tests="{len(steps)}" failures="{len(bad)}" errors="0" '
        f'skipped="{len(skipped)}">',
    ]
    for step in steps:
        name = quoteattr(step["name"])
        head = f'    <testcase classname="gate" name={name} time="{step["seconds"]}"'
        if step["code"] is None:
            lines.append(f'{head}><skipped message={quoteattr(step["why"])}/></testcase>')
        elif step["code"] != 0:
            text = "\n".join(complaints[step["name"]]) or f'exit code {step["code"]}'
            message = f'exit code {step["code"]}'
            failure = f'<failure message="{message}" type="failed">{escape(text)}</failure>'
            lines.append(f"{head}>{failure}</testcase>")
        else:
            lines.append(f"{head}/>")
    return "\n".join(lines + ["  </testsuite>", "</testsuites>", ""])


def main():
    output = pathlib.Path(sys.argv[1])
    steps, complaints, rows, skipped = [], {}, [], []
    for line in (output / "logs/steps.tsv").read_text().splitlines():
        name, result, seconds = line.split("\t")
        code = None if result.startswith("left out") else int(result)
        steps.append({"name": name, "code": code, "why": result, "seconds": int(seconds)})
        log_file = output / "logs" / f"{name}.log"
        log = log_file.read_text(errors="replace") if log_file.exists() else ""
        complaints[name] = []
        skipped += [f"{name}: test {test} was skipped" for test in skipped_tests(log)]
        if not code or name == "heddle gate":
            continue
        found = messages(log)
        rows += [(name, *one) for one in found]
        complaints[name] = [f"{file}:{number}: {text}" for file, number, text in found]
        complaints[name] += [f"test {test} failed" for test in failed_tests(log)]
        if not complaints[name]:
            complaints[name] = [f"exit code {code}; the end of {log_file}:"] + log.splitlines()[-5:]

    codes = [s["code"] for s in steps if s["code"] is not None]
    red = [c for c in codes if c != 0]
    left_out = [s for s in steps if s["code"] is None and s["name"] != "budget"]
    code = 3 if 3 in red else 1 if any(c != 4 for c in red) else 4 if red or left_out else 0
    word = {0: "passed", 1: "FAILED", 3: "INTERNAL ERROR", 4: "INCOMPLETE"}[code]

    text = [f"# gate: {word}", "", "| part | result | time |", "|---|---|---|"]
    for step in steps:
        result = (
            step["why"] if step["code"] is None
            else "✅ passed" if step["code"] == 0
            else f'❌ **exit code {step["code"]}**'
        )
        text.append(f'| {step["name"]} | {result} | {step["seconds"]} s |')
    lines = [f"{name}: {line}" for name in complaints for line in complaints[name]]
    if lines:
        text += ["", "## Build, lint and tests", ""]
        text += [f"* {line}" for line in lines[:SHOWN_MAX]]
        if len(lines) > SHOWN_MAX:
            text.append(f"* and {len(lines) - SHOWN_MAX} more, in {output}/logs")
    if skipped:
        text += ["", "## Skipped", "", *(f"* {line}" for line in skipped)]
    inner = output / "heddle/summary.md"
    replay = "replay: there is nothing to replay, the scenarios did not run"
    if inner.exists():
        text += ["", inner.read_text().replace("\n#", "\n##").replace("# heddle", "## heddle", 1)]
        replay = inner.read_text().strip().splitlines()[-1]
    else:
        text += ["", "`heddle gate` did not run, or left no summary."]
    (output / "summary.md").write_text("\n".join(text) + "\n")
    (output / "steps.junit.xml").write_text(junit(steps, complaints))
    (output / "lint.sarif").write_text(json.dumps(sarif(rows), indent=2) + "\n")

    for line in (skipped + lines)[:SHOWN_MAX]:
        print(line)
    print(f"gate {word}; reports in {output}/")
    print(replay)
    return code


if __name__ == "__main__":
    sys.exit(main())
