"""Where the launcher leaves a loop that data end: it reads a flag from device memory, which waits for what was launched before.

A call that fails ends the loop as well, a refused launch among them: nothing would take the flag down then.
"""

from regrapht.transform.codegen.writer import Writer
from regrapht.transform.plan.nest import HostLoop, WayOut

_WORDS = {True: ("is_set", "!="), False: ("is_not_set", "==")}


def write_way_out(item: WayOut, writer: Writer) -> str:
    """The line that leaves the loop around it."""
    return f"if (!{_goes_on(item, writer)}) break;"


def write_endless(item: HostLoop, inner: list[str], writer: Writer) -> list[str]:
    """Lines of a loop around `inner` that ends at a way out alone, and whose variable nobody reads."""
    first, last = item.body[0], item.body[-1]
    if isinstance(first, WayOut):
        return [f"while ({_goes_on(first, writer)}) {{", *inner[1:], "}"]
    if isinstance(last, WayOut):
        return ["do {", *inner[:-1], f"}} while ({_goes_on(last, writer)});"]
    return ["for (;;) {", *inner, "}"]


def _goes_on(item: WayOut, writer: Writer) -> str:
    """The condition for one more turn, as C."""
    word, operator = _WORDS[item.goes_on]
    name = writer.fresh(word)
    writer.functions[name] = "\n".join(
        [
            f"// Whether a flag in device memory is {operator} 0; false as well where a call has failed, so that loops end.",
            f"static bool {name}(const int* flag) {{",
            "int value = 0;",
            "const bool known = cudaMemcpy(&value, flag, sizeof(int), cudaMemcpyDeviceToHost) == cudaSuccess;",
            f"return known && cudaPeekAtLastError() == cudaSuccess && value {operator} 0;",
            "}",
        ]
    )
    return f"{name}({item.flag})"
