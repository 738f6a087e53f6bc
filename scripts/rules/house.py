#!/usr/bin/env python3
"""The rules of the house that no other tool knows; docs/architecture.md gives the reasons.

  include   scheduler -> scheduler/sync -> back end; model and sim know neither each other nor
            scheduler; within sim the order of SIM_ORDER; no cycle, no path around the rooms
  layer     scheduler/ outside sync/ includes none of the std concurrency headers
  size      a source file stays below 600 lines, a line within 100 columns (C++: clang-format)
  place     nothing names a path of one machine

house.py [ROOT] checks a tree; house.py --self-test shows that every rule can fail.
"""

import pathlib
import posixpath
import re
import sys

ROOMS = ("scheduler", "model", "sim")
SIM_ORDER = ("runtime", "graph", "memory", "explore", "trace", "report", "cli")
FACES = {
    "heddle/sim.hpp": "sim/sim.hpp",
    "heddle/model.hpp": "model/model.hpp",
    "heddle/scheduler.hpp": "scheduler/scheduler.hpp",
    "heddle/sync.hpp": "scheduler/sync/sync.hpp",
}
MAY_USE = {"scheduler": {"scheduler"}, "scheduler/sync": {"scheduler/sync", "sim"},
           "model": {"model"}, "sim": {"sim"}}
HIDDEN_HEADERS = {"atomic", "thread", "condition_variable", "semaphore", "latch", "barrier",
                  "future", "stop_token", "shared_mutex", "random", "ctime", "time.h", "pthread.h",
                  "sched.h", "sys/time.h", "sys/epoll.h", "sys/eventfd.h", "threads.h",
                  "stdatomic.h", "immintrin.h"}
LINES_MAX = 599
COLUMNS_MAX = 100
CPP = {".hpp", ".cpp"}
SOURCE = CPP | {".py", ".cmake", ""}
TEXT = SOURCE | {".md", ".txt", ".json", ".xml", ".yml"}

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">]', re.MULTILINE)
MACHINE_PATH = re.compile(
    r"(?<![\w.$}~-])/(?:home|Users|root|work|tmp|var/tmp|mnt)/[\w.]|\b[A-Z]:\\")


def room_of(path):
    """scheduler/sync is a room of its own; elsewhere the first folder is the room."""
    parts = path.split("/")
    if parts[:2] == ["scheduler", "sync"] and len(parts) > 2:
        return "scheduler/sync"
    return parts[0]


def includes_of(path, text):
    """(line, target in the tree or None, name as written, quoted) of every include."""
    for match in INCLUDE.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        quoted, name = match[1] == '"', match[2]
        if name in FACES:
            yield line, FACES[name], name, quoted
        elif name.startswith("heddle/"):
            yield line, name[len("heddle/"):], name, quoted
        else:
            yield line, None, name, quoted


def sim_order_broken(user, used):
    """What is wrong with `user` including `used`, both in sim/; None when nothing is."""
    user_parts, used_parts = user.split("/"), used.split("/")
    if len(user_parts) == 2:
        return None  # the face of the room may include all of it
    if len(used_parts) == 2:
        return "a part of sim/ does not include the face of sim/"
    for part in (user_parts[1], used_parts[1]):
        if part not in SIM_ORDER:
            return f"sim/{part}/ has no place in the order {' <- '.join(SIM_ORDER)}"
    if SIM_ORDER.index(used_parts[1]) > SIM_ORDER.index(user_parts[1]):
        return f"sim/{user_parts[1]}/ comes before sim/{used_parts[1]}/"
    return None


def check_include(path, line, used, name, quoted, files):
    room = room_of(path)
    where = f"{path}:{line}: include: "
    if quoted and room != "properties":
        yield f"{where}write <heddle/{room}/...> for \"{name}\""
    if quoted and not posixpath.normpath(posixpath.join(posixpath.dirname(path), name)).startswith(
            f"{room}/"):
        yield f"{where}\"{name}\" goes around the rooms"
    if room == "scheduler" and name in HIDDEN_HEADERS:
        yield f"{path}:{line}: layer: <{name}> is hidden behind heddle::sync"
    if used is None:
        return
    if used not in files:
        yield f"{where}<{name}> does not exist"
    if room in MAY_USE:
        used_room = room_of(used)
        allowed = used_room in MAY_USE[room] or (room == "scheduler" and
                                                 used == "scheduler/sync/sync.hpp")
        if not allowed:
            yield f"{where}{room}/ does not include {used}"
        elif room == "sim":
            reason = sim_order_broken(path, used)
            if reason:
                yield f"{where}{reason}"


def cycles(edges, what):
    """One message per cycle that a depth-first walk of the graph `edges` closes."""
    done, path = set(), []

    def visit(node):
        if node in path:
            circle = " -> ".join(path[path.index(node):] + [node])
            yield f"{node}: include: {what} in a circle: {circle}"
            return
        if node in done:
            return
        path.append(node)
        for following in sorted(edges.get(node, ())):
            yield from visit(following)
        path.pop()
        done.add(node)

    for node in sorted(edges):
        yield from visit(node)


def check_text(path, text):
    suffix = pathlib.PurePosixPath(path).suffix
    lines = text.splitlines()
    is_source = suffix in SOURCE or path.endswith("CMakeLists.txt")
    if is_source and len(lines) > LINES_MAX:
        yield f"{path}:1: size: {len(lines)} lines; split it, {LINES_MAX} is the most"
    if is_source and suffix not in CPP:
        for number, line in enumerate(lines, 1):
            if len(line) > COLUMNS_MAX:
                yield f"{path}:{number}: size: {len(line)} columns; {COLUMNS_MAX} is the most"
    for number, line in enumerate(lines, 1):
        found = MACHINE_PATH.search(line)
        if found:
            yield f"{path}:{number}: place: '{found[0]}' is a path of one machine"


def check(files):
    """All complaints about a tree, given as {path: text}."""
    file_edges, folder_edges = {}, {}
    for path, text in sorted(files.items()):
        yield from check_text(path, text)
        if not path.endswith((".hpp", ".cpp")):
            continue
        for line, used, name, quoted in includes_of(path, text):
            yield from check_include(path, line, used, name, quoted, files)
            if used is None:
                continue
            file_edges.setdefault(path, set()).add(used)
            # Of scheduler/queues/deque.hpp the folder is scheduler/queues. The face of a room, such
            # as sim/sim.hpp, lies in no folder and stands above all.
            folder, used_folder = ("/".join(name.split("/")[:2]) for name in (path, used))
            if folder != used_folder and not {folder, used_folder} & set(files):
                folder_edges.setdefault(folder, set()).add(used_folder)
    yield from cycles(file_edges, "files include each other")
    yield from cycles(folder_edges, "folders include each other")


def read_tree(root):
    files = {}
    for path in sorted(root.rglob("*")):
        relative = path.relative_to(root)
        top = relative.parts[0]
        if top in (".git", ".cache") or top.startswith(("build", "cmake-build")):
            continue
        if path.suffix in TEXT and path.is_file() and not path.is_symlink():
            files[relative.as_posix()] = path.read_text(encoding="utf-8", errors="replace")
    return files


# rule that must speak, files
KNOWN_BAD = [
    ("include", {"sim/graph/a.hpp": "#include <heddle/scheduler/b.hpp>\n", "scheduler/b.hpp": ""}),
    ("include", {"sim/graph/a.hpp": "#include <heddle/model/b.hpp>\n", "model/b.hpp": ""}),
    ("include", {"model/a.hpp": "#include <heddle/sim.hpp>\n", "sim/sim.hpp": ""}),
    ("include", {"scheduler/queues/a.hpp": "#include <heddle/sim/b.hpp>\n", "sim/b.hpp": ""}),
    ("include", {"scheduler/queues/a.hpp": "#include <heddle/model/b.hpp>\n", "model/b.hpp": ""}),
    ("include", {"scheduler/sync/a.hpp": "#include <heddle/scheduler/queues/b.hpp>\n",
                 "scheduler/queues/b.hpp": ""}),
    ("include", {"scheduler/queues/a.hpp": "#include <heddle/scheduler/sync/on_std.hpp>\n",
                 "scheduler/sync/on_std.hpp": ""}),
    ("include", {"sim/runtime/a.hpp": "#include <heddle/sim/graph/b.hpp>\n",
                 "sim/graph/b.hpp": ""}),
    ("include", {"sim/report/a.cpp": "  #  include <heddle/sim/cli/b.hpp>\n", "sim/cli/b.hpp": ""}),
    ("include", {"sim/cli/a.cpp": "#include <heddle/sim.hpp>\n", "sim/sim.hpp": ""}),
    ("include", {"sim/misc/a.cpp": "#include <heddle/sim/graph/b.hpp>\n", "sim/graph/b.hpp": ""}),
    ("include", {"sim/graph/a.cpp": '#include "b.hpp"\n', "sim/graph/b.hpp": ""}),
    ("include", {"properties/a.cpp": '#include "../sim/graph/b.hpp"\n', "sim/graph/b.hpp": ""}),
    ("include", {"sim/graph/a.cpp": "#include <heddle/sim/graph/gone.hpp>\n"}),
    ("include", {"model/spec/a.hpp": "#include <heddle/model/spec/b.hpp>\n",
                 "model/spec/b.hpp": "#include <heddle/model/spec/a.hpp>\n"}),
    ("include", {"scheduler/queues/a.hpp": "#include <heddle/scheduler/process/b.hpp>\n",
                 "scheduler/process/b.hpp": "", "scheduler/queues/d.hpp": "",
                 "scheduler/process/c.hpp": "#include <heddle/scheduler/queues/d.hpp>\n"}),
    ("layer", {"scheduler/queues/a.hpp": "#include <atomic>\n"}),
    ("layer", {"scheduler/workers/a.cpp": "#include <sys/epoll.h>\n"}),
    ("size", {"sim/graph/a.cpp": "\n" * 600}),
    ("size", {"scripts/a": "x" * 101}),
    ("place", {"docs/a.md": "see " + "/home" + "/someone/heddle\n"}),
    ("place", {"traces/a.trace.json": '{"file": "' + "/tmp" + '/a.cpp"}\n'}),
    ("place", {"scripts/a": "cd " + "C:" + "\\heddle\n"}),
]
KNOWN_GOOD = {
    "sim/sim.hpp": "#include <heddle/sim/cli/a.hpp>\n#include <heddle/sim/runtime/b.hpp>\n",
    "sim/cli/a.hpp": "#include <vector>\n#include <heddle/sim/runtime/b.hpp>\n",
    "sim/runtime/b.hpp": "#include <atomic>\n// #include <heddle/scheduler/queues/q.hpp>\n",
    "scheduler/scheduler.hpp": "#include <heddle/scheduler/queues/q.hpp>\n",
    "scheduler/queues/q.hpp": "#include <heddle/sync.hpp>\n#include <mutex>\n",
    "scheduler/sync/sync.hpp": "#include <heddle/scheduler/sync/on_sim.hpp>\n",
    "scheduler/sync/on_sim.hpp": "#include <heddle/sim/runtime/b.hpp>\n#include <thread>\n",
    "properties/queues/t.cpp": '#include <heddle/sim.hpp>\n#include "../queues/script.hpp"\n' +
                               "#include <heddle/scheduler/queues/q.hpp>\n",
    "properties/queues/script.hpp": "\n" * 599,
    "scripts/a": "#!/usr/bin/env bash\nls build/tmp/x ./home/y\n",
}


def self_test():
    wrong = [f"known-good tree: {complaint}" for complaint in check(KNOWN_GOOD)]
    for rule, files in KNOWN_BAD:
        complaints = list(check(files))
        if not any(f": {rule}: " in complaint for complaint in complaints):
            wrong.append(f"rule '{rule}' is silent about {files!r:.200}; it said {complaints}")
    for message in wrong:
        print(message)
    print(f"house rules: {len(KNOWN_BAD)} known-bad trees, {len(wrong)} wrong")
    return 1 if wrong else 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    root = pathlib.Path(arguments[0] if arguments else ".")
    complaints = list(check(read_tree(root)))
    for complaint in complaints:
        print(complaint)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
