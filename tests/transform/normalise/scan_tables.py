"""Tables of loops that a form makes scans of, and of such as keep their order: what they share."""

from regrapht.records.task import Task
from regrapht.sandbox.choose import choose_sandbox
from regrapht.transform.engine import Engine

from ..native.native_bench import Pair, native_differences

HEAD = (
    "#include <algorithm>\n#include <cstdint>\n// shape: x = n\n// shape: y = n\n// shape: z = n\n// shape: w = n\n// shape: b = n\n"
    "// shape: c = 4\n// init: x = ints(0, 3)\n// init: y = ints(-3, 3)\n// init: c = ints(0, 2)\n"
    "// check: n=0; n=1; n=2; n=3; n=129; n=1000; n=4001\n"
)
PARAMETERS = "int n, const int* x, int* y, int* z, float* w, uint8_t* b, int* c"
EACH = "for (int i = 0; i < n; ++i)"


def task_of(make_task, body: str) -> Task:
    return make_task(f"{HEAD}void f({PARAMETERS}) {{\n{body}\n}}", "f")


def has_threads(make_task, body: str) -> bool:
    engine, task = Engine(), task_of(make_task, body)
    return not engine.in_one_thread(task, engine.with_threads(task, engine.plain(task)))


def source_of(task: Task) -> str:
    engine = Engine()
    return engine.text(task, engine.with_threads(task, engine.plain(task)))


def require_right(make_task, bodies: list[str]) -> None:
    """The programs of all of them, run natively at many sizes, find what the references do."""
    tasks = [task_of(make_task, body) for body in bodies]
    pairs = [Pair(task, source_of(task)) for task in tasks]
    wrong = native_differences(pairs, choose_sandbox())
    assert not wrong, [(said, pairs[k].task.reference.source.text, pairs[k].source) for k, said in wrong.items()][:1]
