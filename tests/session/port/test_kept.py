"""What a port keeps of its functions: it goes on, or one line says what is wrong and what to do."""

import json

import pytest

from regrapht.errors import ConfigError
from regrapht.session.port.kept import STATE_FILE, Kept

ASKED = ["make", "./run"]
DAMAGED = {
    "no json": "{",
    "a list": "[]",
    "a number": "3",
    "without functions": json.dumps({"asked": "x"}),
    "functions in a list": json.dumps({"asked": "x", "functions": []}),
    "a function without its task": json.dumps(
        {"asked": "x", "functions": {"f": {"run": "", "left": "", "taken": None}}}
    ),
    "bytes that are no text": "\udcff",
}


@pytest.fixture
def kept(tmp_path):
    return Kept(tmp_path, ASKED, force=False)


def test_the_same_command_goes_on(kept, tmp_path):
    kept.note("f", "hash", run="run-1")
    kept.note("f", "hash", left="slower than one core")
    again = Kept(tmp_path, ASKED, force=False)
    assert again.of("f", "hash") == {"task": "hash", "run": "run-1", "left": "slower than one core", "taken": None}
    assert again.of("f", "another") == {} and again.of("g", "hash") == {}


def test_a_changed_task_has_no_run_of_the_old_one(kept):
    kept.note("f", "hash", run="run-1")
    kept.note("f", "another")
    assert kept.of("f", "another")["run"] == ""


def test_another_port_is_refused_unless_forced(kept, tmp_path):
    kept.note("f", "hash")
    with pytest.raises(ConfigError, match="has a port of something else; --force begins anew"):
        Kept(tmp_path, [*ASKED, "more"], force=False)
    assert Kept(tmp_path, [*ASKED, "more"], force=True).functions == {}


@pytest.mark.parametrize("what", DAMAGED)
def test_a_damaged_file_is_refused_unless_forced(what, tmp_path):
    (tmp_path / STATE_FILE).write_bytes(DAMAGED[what].encode(errors="surrogateescape"))
    with pytest.raises(ConfigError, match=r"is damaged; --force begins anew, --out writes elsewhere"):
        Kept(tmp_path, ASKED, force=False)
    again = Kept(tmp_path, ASKED, force=True)
    assert again.functions == {}
    again.note("f", "hash")
    assert Kept(tmp_path, ASKED, force=False).of("f", "hash")["task"] == "hash"
