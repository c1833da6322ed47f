"""Where a server is found, and where one is not."""

import json
import os
import stat

import pytest

from regrapht.serve import address


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("REGRAPHT_HOME", str(tmp_path))
    return tmp_path


def test_an_announced_server_is_found_until_it_withdraws(home):
    announced = address.announce(port=1234, token="t")
    assert address.find() == announced and announced.url == "http://127.0.0.1:1234"
    assert stat.S_IMODE((home / "server.json").stat().st_mode) == 0o600
    address.withdraw()
    assert address.find() is None and not (home / "server.json").exists()


@pytest.mark.parametrize(
    "change", [{"pid": 2**22 + 1}, {"judge": "another"}, {"pid": "x"}, {"url": None, "token": None, "pid": None}]
)
def test_a_server_that_is_gone_or_of_another_version_is_none(home, change):
    address.announce(port=1, token="t")
    file = home / "server.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | change))
    assert address.find() is None


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", "null"])
def test_a_damaged_file_is_no_server(home, text):
    (home / "server.json").write_text(text)
    assert address.find() is None


def test_another_process_s_file_is_left_alone(home):
    address.announce(port=1, token="t")
    file = home / "server.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"pid": os.getppid()}))
    address.withdraw()
    assert file.exists()
