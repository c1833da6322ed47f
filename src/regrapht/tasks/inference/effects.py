"""What a function does beside writing to its arguments, which no program for a GPU does and no comparison of arrays would miss."""

import re

from regrapht.source.functions import FunctionDefinition, SourceUnit
from regrapht.source.syntax import line_of, text_of, walk

_CALLS = {
    "prints or writes to a file": "printf fprintf vprintf vfprintf puts fputs putchar putc fputc fwrite perror fflush print println",
    "reads a file or what is typed": "scanf fscanf getchar getc fgetc gets fgets fread getline",
    "opens or closes a file": "fopen freopen fclose tmpfile",
    "ends or starts a program": "exit _Exit quick_exit abort system",
}
_WORDS = {name: what for what, names in _CALLS.items() for name in names.split()}
_STREAM = re.compile(r"^(?:std\s*::\s*)?w?(?:cout|cerr|clog|cin)\b")


def side_effect(function: FunctionDefinition, unit: SourceUnit) -> tuple[int, str] | None:
    """Line and words of the first call, in the function or in what it calls, that does more than compute; None where there is none."""
    left, seen = [function], {function.name}
    while left:
        for node in walk(left.pop().body):
            if node.type == "binary_expression" and _STREAM.match(text_of(node)):
                return line_of(node), "uses a stream"
            if node.type != "call_expression":
                continue
            called = node.child_by_field_name("function")
            name = re.sub(r"^(?:::|std::)", "", text_of(called)) if called is not None else ""
            own = unit.named(name)
            if name in _WORDS and not own:
                return line_of(node), _WORDS[name]
            left += [one for one in own if one.name not in seen]
            seen.add(name)
    return None
