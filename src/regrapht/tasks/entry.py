"""Which function of a bare file a task starts at."""

from regrapht.errors import TaskError
from regrapht.source.functions import FunctionDefinition, SourceUnit
from regrapht.source.syntax import text_of
from regrapht.wording import did_you_mean


def choose_entry(unit: SourceUnit, entry: str | None, *, file: str) -> FunctionDefinition:
    """The function called `entry`, or the only one that no other function of the file calls.

    Raises:
        TaskError: There is none, or more than one.
    """
    host = [f for f in unit.functions if not f.runs_on_device and not f.is_template and f.name != "main"]
    named = {f.name: space for f in host if (space := _namespace(f)) is not None}
    within, host = [f for f in host if f.name in named], [f for f in host if f.name not in named]
    if not host and within:
        listed = ", ".join(f"{named[f.name]}::{f.name} (line {f.line})" for f in within)
        remedy = "add a function outside of the namespace that calls it, and choose that with --entry"
        raise TaskError(f"has only functions in a namespace: {listed}", file=file, remedy=remedy)
    if entry is not None:
        found = [f for f in host if f.name == entry]
        if len(found) != 1:
            names = sorted({f.name for f in host})
            why = (
                f"defines {entry!r} {len(found)} times"
                if found
                else f"defines no function {entry!r} that a task can start at"
            )
            raise TaskError(why, file=file, key="--entry", remedy=did_you_mean(entry, names) if names else None)
        return found[0]
    called = {name for f in unit.functions if f.name != "main" for name in f.calls - {f.name}}
    free = [f for f in host if f.name not in called]
    if len(free) == 1:
        return free[0]
    if not host:
        unread = f"; line {unit.error_line} does not parse" if unit.error_line else ""
        raise TaskError(
            f"defines no function that a task can start at{unread}", file=file, remedy="define one on the host"
        )
    listed = ", ".join(f"{f.name} (line {f.line})" for f in free or host)
    raise TaskError(f"has {len(free or host)} functions: {listed}", file=file, remedy="choose one with --entry NAME")


def _namespace(function: FunctionDefinition) -> str | None:
    """The named namespace that a function is defined in; a candidate has C linkage and is in none."""
    outer = function.node.parent
    while outer is not None:
        name = outer.child_by_field_name("name") if outer.type == "namespace_definition" else None
        if name is not None:
            return text_of(name)
        outer = outer.parent
    return None
