"""`(c ? a : b)[i]` of arrays in C++, which GCC gets wrong where shifts are checked (`-fsanitize=shift-exponent`, seen with GCC 12): it
takes the wrong array. Of pointers it takes the right one."""

from collections.abc import Iterator
from typing import Any

from regrapht.source.syntax import SourceText, text_of, walk


def chosen_arrays(root: Any) -> Iterator[tuple[int, int]]:
    """Where what is indexed is chosen by a condition, or may be, since a macro stands there: its first byte, and the one behind it."""
    macros = {text_of(node.named_children[0]) for node in walk(root) if node.type == "preproc_function_def"}
    for node in walk(root):
        if node.type != "subscript_expression":
            continue
        indexed = inside = node.named_children[0]
        while inside.type == "parenthesized_expression" and inside.named_child_count == 1:
            inside = inside.named_children[0]
        is_macro = inside.type == "call_expression" and text_of(inside.children[0]) in macros
        if inside.type == "conditional_expression" or is_macro:
            yield indexed.start_byte, indexed.end_byte


def with_chosen_pointers(text: str, function: str) -> str:
    """The text with calls of `function` around each such array; lines stay. `function` makes a pointer of an array and leaves others."""
    if "?" not in text:
        return text
    source = SourceText(text)
    written = source.written
    places = [place for start, end in chosen_arrays(source.root) for place in ((start, f"{function}("), (end, ")"))]
    for place, inserted in sorted(places, reverse=True):
        written = written[:place] + inserted.encode() + written[place:]
    return written.decode()
