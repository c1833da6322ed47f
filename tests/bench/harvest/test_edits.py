"""Changes to a text by places of its tree."""

from regrapht.bench.harvest.edits import Edits
from regrapht.source.syntax import parse, walk


def nodes(text, kind):
    return [node for node in walk(parse(text)) if node.type == kind]


def test_changes_are_made_at_once_and_places_count_bytes():
    text = "/* é */ int a = 1; int b = 2;"
    edits = Edits(text)
    for number in nodes(text, "number_literal"):
        edits.replace(number, "10")
    edits.insert(0, "// ")
    assert edits.apply() == "// /* é */ int a = 10; int b = 10;"


def test_an_outer_change_wins_over_those_inside():
    text = "int a = (1 + 2);"
    edits = Edits(text)
    edits.replace(nodes(text, "number_literal")[0], "7")
    edits.replace(nodes(text, "parenthesized_expression")[0], "3")
    assert edits.apply() == "int a = 3;"


def test_a_line_goes_with_what_stood_alone_on_it():
    text = "int a;\n  int b;\nint c; int d;\n"
    edits = Edits(text)
    second, fourth = nodes(text, "declaration")[1::2]
    edits.remove(second)
    edits.remove(fourth)
    assert edits.apply() == "int a;\nint c; \n"
