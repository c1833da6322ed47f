"""How a reply begins, where a model's server goes on with begun ones.

With the fence; of a first program with the skeleton up to its hole; of a repair with the function that the compiler refused, up to the line
at fault, which a small model otherwise writes down again as it was.
"""

from regrapht.prompts.fault_places import fault_places
from regrapht.propose.form.program import head_start
from regrapht.propose.form.skeleton import HOLE
from regrapht.records.verdict import Status, Verdict
from regrapht.source.functions import read_unit

FENCE = "```cuda\n"


def beginning(skeleton: str) -> str:
    """The reply's first lines; what the model writes then is the kernel's body."""
    return FENCE + skeleton.partition(HOLE)[0].rstrip(" ")


def beginning_of_repair(source: str, verdict: Verdict) -> str:
    """The reply's first lines; the fence alone where no single function is known to hold the compiler's first error."""
    places = fault_places(source, verdict)
    named = [one for one in read_unit(source, cuda=True).functions if one.name in places.functions]
    if verdict.status is not Status.BUILD_FAILED or len(named) != 1:
        return FENCE
    (function,), data = named, source.encode("utf-8", "replace")
    body = function.body.start_point[0] + 1
    if places.lines[0] <= body:  # the error is in the head, which may have to change
        return FENCE
    before = data[: _start_of_line(data, places.lines[0])]
    return FENCE + before[head_start(function) :].decode("utf-8", "replace")


def _start_of_line(data: bytes, line: int) -> int:
    return sum(len(one) + 1 for one in data.split(b"\n")[: line - 1])
