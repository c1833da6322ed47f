"""`// tune:` lines: what they may look like, what is put in, and what is refused with its line."""

import pytest

from regrapht.records.candidate import Candidate, Origin
from regrapht.source.program_hash import program_hash
from regrapht.tune.opening import CannotOpen, DoesNotFit, start_of
from regrapht.tune.tune_lines import LineOpening, has_tune_lines
from regrapht.tune.tuned_proposer import open_up

SOURCE = """#define TILE 16  // tune: TILE = 8 | 16 | 32
// tune: BLOCK in {64, 128, 256}
static constexpr unsigned int BLOCK = 128; // threads
const float SCALE = 0.5f;  // tune: SCALE = 0.25f | 1.0f
int tile = TILE * 16 + BLOCK;
"""


def candidate(source: str) -> Candidate:
    return Candidate(source=source, program_hash=program_hash(source), origin=Origin(proposer="hand", seconds=0.0))


def test_both_spellings_are_read_and_the_value_in_the_code_is_the_start():
    opening = LineOpening(candidate(SOURCE))
    assert {p.name: p.values for p in opening.parameters} == {
        "TILE": ("16", "8", "32"),
        "BLOCK": ("128", "64", "256"),
        "SCALE": ("0.5f", "0.25f", "1.0f"),
    }
    assert start_of(opening) == {"TILE": "16", "BLOCK": "128", "SCALE": "0.5f"}


def test_values_are_put_in_where_they_are_defined_and_nowhere_else():
    made = LineOpening(candidate(SOURCE)).candidate({"TILE": "32", "BLOCK": "64", "SCALE": "0.25f"})
    assert made.source.splitlines() == [
        "#define TILE 32  // tune: TILE = 8 | 16 | 32",
        "// tune: BLOCK in {64, 128, 256}",
        "static constexpr unsigned int BLOCK = 64; // threads",
        "const float SCALE = 0.25f;  // tune: SCALE = 0.25f | 1.0f",
        "int tile = TILE * 16 + BLOCK;",
    ]
    assert made.parent == candidate(SOURCE).id and "TILE = 32" in made.explanation


def test_the_start_gives_the_same_text():
    opening = LineOpening(candidate(SOURCE))
    assert opening.candidate(start_of(opening)).source == SOURCE


def test_a_tuned_program_can_be_tuned_again():
    made = LineOpening(candidate(SOURCE)).candidate({"TILE": "32", "BLOCK": "64", "SCALE": "1.0f"})
    assert start_of(LineOpening(made)) == {"TILE": "32", "BLOCK": "64", "SCALE": "1.0f"}


@pytest.mark.parametrize(
    ("source", "line", "said"),
    [
        ("// tune: TILE = 8 | 16\n", 1, "TILE is not defined"),
        ("\n#define TILE other // tune: TILE = 8 | 16\n", 2, "TILE is not defined as a plain number"),
        ("#define TILE 8 // tune: TILE = 8 | 16\n#define TILE 16\n", 1, "defined 2 times"),
        ("#define TILE 8 // tune: TILE\n", 1, "is not '// tune: NAME = 16 | 32 | 64'"),
        ("#define TILE 8 // tune: TILE = 8 | system\n", 1, "'system' is not a number"),
        ("#define TILE 8 // tune: TILE = 8 |\n", 1, "'' is not a number"),
        ("#define TILE 8 // tune: TILE = 8 | 4\n// tune: TILE = 2\n", 2, "already"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(source, line, said):
    with pytest.raises(CannotOpen) as refused:
        LineOpening(candidate(source))
    assert str(refused.value).startswith(f"line {line}: ") and said in str(refused.value)


def test_a_value_that_is_not_declared_is_never_put_in():
    with pytest.raises(DoesNotFit):
        LineOpening(candidate(SOURCE)).candidate({"TILE": "64"})


def test_a_program_without_lines_leaves_nothing_open():
    assert not has_tune_lines("// tune up the engine\nint x;\n")
    with pytest.raises(CannotOpen, match="no '// tune:' line"):
        open_up(None, candidate("int x;\n"))
