"""Builds in the manners of different people take the programs, or say what they would have to use."""

from pathlib import Path

import pytest

from regrapht.errors import ConfigError
from regrapht.session.port.applying import _into_make, patch_of
from regrapht.session.port.compile_log import Compiled

RULE = "\t$(CXX) $(CXXFLAGS) -o $@ $^ {}\n%.o: %.cpp\n\t$(CXX) $(CXXFLAGS) -c $< -o $@\n"


def compiled(output: str) -> Compiled:
    return Compiled(source=Path("a.cpp"), folder=Path(), words=("-c", "a.cpp", "-o", output), output=output)


@pytest.mark.parametrize(
    ("link", "variable"),
    [("$(LDLIBS)", "LDLIBS"), ("$(LIBS)", "LIBS"), ("${LDFLAGS}", "LDFLAGS"), ("$(LDFLAGS) $(LDLIBS)", "LDLIBS")],
)
def test_the_variable_that_a_makefile_links_with_is_added_to(tmp_path: Path, link: str, variable: str) -> None:
    makefile = tmp_path / "Makefile"
    makefile.write_text("all: app\napp: a.o b.o\n" + RULE.format(link))
    _into_make(makefile, [compiled("a.o"), compiled("b.o")])
    lines = makefile.read_text().splitlines()
    assert f"{variable} += $(REGRAPHT_LIBRARY) $(REGRAPHT_LIBRARIES)" in lines
    assert "app: $(REGRAPHT_LIBRARY)" in lines and "CXXFLAGS += $(REGRAPHT_FLAGS)" in lines
    assert lines[0] == "all: app", "the first goal is what it was"


def test_a_program_that_is_compiled_at_once_is_known_by_its_call(tmp_path: Path) -> None:
    makefile = tmp_path / "Makefile"
    makefile.write_text("NAME = app\n$(NAME): a.cpp\n\t$(CXX) $(CXXFLAGS) a.cpp -o app $(LDLIBS)\n")
    _into_make(makefile, [compiled("app")])
    assert "app: $(REGRAPHT_LIBRARY)" in makefile.read_text().splitlines()


@pytest.mark.parametrize("text", ["app: a.cpp\n\tg++ a.cpp -o app\n", "app: a.cpp\n\tg++ $(CXXFLAGS) a.cpp -o app\n"])
def test_a_makefile_without_variables_is_told_what_it_needs(tmp_path: Path, text: str) -> None:
    (tmp_path / "Makefile").write_text(text)
    with pytest.raises(ConfigError, match="CXXFLAGS"):
        _into_make(tmp_path / "Makefile", [compiled("app")])


def test_new_changed_and_equal_files_make_one_patch(tmp_path: Path) -> None:
    before, after = tmp_path / "a", tmp_path / "b"
    for folder in (before, after):
        (folder / "src").mkdir(parents=True)
        (folder / "same.txt").write_text("x\n")
        (folder / "src" / "main.cpp").write_text("int main() {\n}")
    (after / "src" / "main.cpp").write_text("int main() {\n    return 0;\n}")
    (after / "new.txt").write_text("one\ntwo\n")
    text = patch_of(before, after)
    assert "same.txt" not in text and "new file mode" in text and "+    return 0;" in text
    (tmp_path / "p.patch").write_text(text)
    import subprocess

    subprocess.run(["git", "init", "-q", "."], cwd=before, check=True)
    subprocess.run(["git", "apply", tmp_path / "p.patch"], cwd=before, check=True)
    kept = {path.relative_to(before): path.read_bytes() for path in before.rglob("*.*") if ".git" not in path.parts}
    assert kept == {path.relative_to(after): path.read_bytes() for path in after.rglob("*.*")}
