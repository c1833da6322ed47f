"""A Python that has imported what `regrapht` needs and waits: each command then runs in a fork of it, a process of its own that need not
start Python and import everything first. What one command imports is imported here too, for those that follow.

A line of input is one command, as JSON: `arguments`, `environment`, `folder`, and the paths `out` and `err`. The answer is a line with its
exit code, negative for a signal.
"""

import atexit
import contextlib
import importlib
import json
import os
import sys

from regrapht.cli.main import main


def prepare(told: int) -> None:
    """Import what a command that ended says that it imported."""
    with open(told) as names:
        for name in names.read().split():
            # Names that cannot be imported by themselves are parts of modules that can.
            with contextlib.suppress(Exception):
                importlib.import_module(name)


def tell(place: int) -> None:
    with contextlib.suppress(BrokenPipeError), open(place, "w") as names:
        names.write(" ".join(name for name in sys.modules if name != "__main__"))


def become(command: dict, place: int) -> None:
    """Turn this process into one that was started for `command`."""
    os.environ.clear()
    os.environ.update(command["environment"])
    os.chdir(command["folder"])
    sys.path[0] = command["folder"]
    sys.argv = ["regrapht", *command["arguments"]]
    kinds = (os.O_RDONLY, os.O_WRONLY, os.O_WRONLY)
    for descriptor, (path, kind) in enumerate(zip((os.devnull, command["out"], command["err"]), kinds, strict=True)):
        opened = os.open(path, kind)
        os.dup2(opened, descriptor)
        os.close(opened)
    atexit.register(tell, place)


for line in sys.stdin:
    reads, writes = os.pipe()
    child = os.fork()
    if not child:
        os.close(reads)
        become(json.loads(line), writes)
        break
    os.close(writes)
    prepare(reads)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print(code, flush=True)
else:
    sys.exit()
main()
