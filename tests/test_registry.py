"""Somebody else's search, proposer or judge that fails is told as theirs, with its line: every way in which a first one goes wrong."""

import sys

import pytest

from regrapht.errors import PluginError, UnknownName
from regrapht.registry import Registry, plugin_fault

KINDS = Registry("searches", {"ours": "collections:OrderedDict"}, methods=("ask", "tell"))
WHOLE = "class S:\n    def __init__(self, context): pass\n    def ask(self):\n        return UNKNOWN\n    def tell(self): pass\n"


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A working folder that no import finds by itself."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [one for one in sys.path if one not in ("", str(tmp_path))])
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if name.startswith("plug_"):
            del sys.modules[name]


@pytest.mark.parametrize(
    "number, text, told",
    [
        (1, "import nothing_of_this_name\n", ["cannot be imported", "nothing_of_this_name", "line 1"]),
        (2, "x = 1\ndef broken(:\n", ["cannot be imported", "SyntaxError", "line 2"]),
        (3, "x = 1 / 0\n", ["ZeroDivisionError", "plug_3.py, line 1"]),
        (4, "class T: pass\n", ["AttributeError", "'S'"]),
        (5, "class S:\n    def tell(self): pass\n", ["lacks ask", "one has ask, tell"]),
        (6, "S = 3\n", ["lacks ask, tell"]),
    ],
)
def test_what_cannot_be_loaded(here, number, text, told):
    (here / f"plug_{number}.py").write_text(text)
    with pytest.raises(PluginError) as refused:
        KINDS.load(f"plug_{number}:S")
    assert all(part in str(refused.value) for part in [f"plug_{number}:S", *told]), refused.value


def test_what_cannot_be_made(here):
    (here / "plug_7.py").write_text(WHOLE.replace("self, context", "self"))
    with pytest.raises(PluginError, match=r"plug_7:S cannot be made from \(int, seed=...\): TypeError"):
        KINDS.make("plug_7:S", 3, seed=1)


def test_a_failure_in_its_methods_has_its_line(here):
    (here / "plug_8.py").write_text(WHOLE)
    made = KINDS.make("plug_8:S", None)
    with pytest.raises(NameError) as failed:
        made.ask()
    told = plugin_fault(failed.value)
    assert "plug_8:S failed: NameError: name 'UNKNOWN'" in str(told) and "plug_8.py, line 4" in str(told)


def test_a_failure_of_ours_stays_one(here):
    (here / "plug_9.py").write_text(WHOLE)
    KINDS.load("plug_9:S")
    with pytest.raises(ZeroDivisionError) as failed:
        _ = 1 / 0
    assert plugin_fault(failed.value) is None
    assert plugin_fault(PluginError("told before")) is None and plugin_fault(KeyboardInterrupt()) is None


def test_built_in_names_fail_as_they_are():
    with pytest.raises(TypeError):
        KINDS.make("ours", 3)
    with pytest.raises(UnknownName, match="did you mean 'ours'"):
        KINDS.load("our")
