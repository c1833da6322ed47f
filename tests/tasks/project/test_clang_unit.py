"""What is read of a translation unit, and how often."""

from pathlib import Path

import pytest

from regrapht.records.user_code import NO_FLAGS
from regrapht.tasks.project.clang_unit import parse_unit
from regrapht.tasks.project.functions import functions

pytest.importorskip("clang.cindex")

TEXT = """\
#include <vector>
#define TWICE(x) (2 * (x))
namespace inner {
double first(const std::vector<double>& v) { return TWICE(v[0]); }
double last(const std::vector<double>& v) { return v.back(); }
}
"""


class CountedRoot:
    """A root that counts who asks for its children."""

    def __init__(self, root: object) -> None:
        self.root, self.asked = root, 0

    def get_children(self) -> object:
        self.asked += 1
        return self.root.get_children()  # type: ignore[attr-defined]


def test_children_of_the_root_are_the_projects_own_and_read_once(tmp_path: Path) -> None:
    """The standard library's headers have thousands; a project with many functions asks for each of them."""
    file = tmp_path / "ends.cpp"
    file.write_text(TEXT)
    unit = parse_unit(file, NO_FLAGS)
    root = CountedRoot(unit.root)
    object.__setattr__(unit, "root", root)
    kinds = [child.kind.name for child in unit.own_children(root)]
    assert sorted(kinds) == ["INCLUSION_DIRECTIVE", "MACRO_DEFINITION", "MACRO_INSTANTIATION", "NAMESPACE"]
    assert [one.name for one in functions(unit, everywhere=True)] == ["inner::first", "inner::last"]
    assert [one.name for one in functions(unit)] == ["inner::first", "inner::last"]
    assert root.asked == 1
