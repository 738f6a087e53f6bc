#!/usr/bin/env python3
"""Clang reads every file of the build without a warning: clang.py CACHE [--tidy].

GCC does so in the build itself. With --tidy clang-tidy reads the rooms (scheduler/, model/, sim/)
with the checks of .clang-tidy: some four seconds a file the first time.

Takes the files and flags of the build in $HEDDLE_BUILD, else of build/dev, else of the first build
there is; a file is read again only when it, one of its headers or its flags have changed. A
complete build with Clang, tests included, is `scripts/test clang`.
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys

DROPPED_WITH_VALUE = {"-o", "-MT", "-MF"}
# The last of these are GCC's alone.
DROPPED = {"-c", "-MD", "-MMD", "-Wno-restrict", "-Wno-tsan"}
ROOMS = {"scheduler", "model", "sim"}


def clang_arguments(entry):
    """The compiler's arguments in a compilation database entry, for a reading by Clang."""
    words = shlex.split(entry["command"])
    # The launcher and the compiler come first; the flags begin with the first dash.
    while words and not words[0].startswith("-"):
        words.pop(0)
    kept, skip = [], False
    for word in words:
        if skip:
            skip = False
        elif word in DROPPED_WITH_VALUE:
            skip = True
        elif word not in DROPPED:
            kept.append(word)
    return kept


def up_to_date(stamp, depfile):
    """Whether the reading that left `stamp` saw the files that `depfile` names as they are now."""
    if not stamp.exists() or not depfile.exists():
        return False
    read = depfile.read_text().replace("\\\n", " ").split(":", 1)[1].split()
    limit = stamp.stat().st_mtime
    return all(os.path.exists(name) and os.stat(name).st_mtime < limit for name in read)


def read_by_clang(compiler, tidy, cache, entry):
    """(file, complaints, whether it had to be read)."""
    arguments = clang_arguments(entry)
    rules = pathlib.Path(".clang-tidy").read_text() if tidy else ""
    key = hashlib.sha256("\0".join([compiler, rules, *arguments]).encode()).hexdigest()[:24]
    stamp, depfile = cache / f"{key}.ok", cache / f"{key}.d"
    if up_to_date(stamp, depfile):
        return entry["file"], "", False
    started = cache / f"{key}.started"
    started.touch()
    result = subprocess.run([compiler, "-fsyntax-only", "-MMD", "-MF", str(depfile), "-MT", "file",
                             *arguments], cwd=entry["directory"], capture_output=True, text=True,
                            check=False)
    if result.returncode == 0 and tidy:
        result = subprocess.run([tidy, "--quiet", entry["file"], "--", *arguments],
                                cwd=entry["directory"], capture_output=True, text=True, check=False)
        # The warnings are its output; what it says besides is how many it kept to itself.
        result.stderr = result.stdout
    if result.returncode != 0:
        stamp.unlink(missing_ok=True)
        return entry["file"], result.stderr, True
    # The stamp bears the time before the reading: what changed meanwhile is newer.
    started.rename(stamp)
    return entry["file"], "", True


def in_a_room(entry):
    """Whether clang-tidy's checks are for this file."""
    path = pathlib.Path(entry["file"]).resolve()
    root = pathlib.Path.cwd()
    return path.is_relative_to(root) and path.relative_to(root).parts[0] in ROOMS


def main(cache, with_tidy):
    tidy = ""
    if with_tidy:
        tidy = shutil.which("clang-tidy-14") or shutil.which("clang-tidy")
        if not tidy:
            print("tidy: no clang-tidy found; scripts/setup installs it")
            return 1
    compiler = shutil.which("clang++-14") or shutil.which("clang++")
    if not compiler:
        print("clang: no clang++ found; scripts/setup installs it")
        return 1
    builds = [os.environ.get("HEDDLE_BUILD", "build/dev"), "build/dev",
              *sorted(map(str, pathlib.Path("build").glob("*")))]
    databases = [pathlib.Path(build) / "compile_commands.json" for build in builds]
    database = next((path for path in databases if path.exists()), None)
    if not database:
        print("clang: no build yet; run scripts/build first")
        return 1
    cache.mkdir(parents=True, exist_ok=True)
    # Asio's coroutines need a <coroutine> that Clang 14 does not find in GCC's library.
    entries = [entry for entry in json.loads(database.read_text())
               if not entry["file"].endswith("/peers/asio.cpp")]
    if tidy:  # a file that is built for several back ends is read once
        unique = {entry["file"]: entry for entry in entries if in_a_room(entry)}
    else:
        unique = {tuple(clang_arguments(entry)): entry for entry in entries}
    failed = read = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for _, complaints, was_read in pool.map(
                lambda entry: read_by_clang(compiler, tidy, cache, entry), unique.values()):
            read += was_read
            if complaints:
                failed += 1
                print(complaints, end="")
    name = "tidy" if tidy else "clang"
    print(f"{name}: {len(unique)} files, {read} read anew, {failed} with complaints")
    return 1 if failed or not unique else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), "--tidy" in sys.argv[2:]))
