"""Folders of results: what cannot be written or locked is said, and what is held is held alone."""

import errno
import fcntl
import os
import subprocess
import sys

import pytest

from regrapht.errors import ConfigError
from regrapht.store.output_folder import check_unused, check_writable, forget_result, hold, keep_result


def test_a_folder_is_made_and_left_empty(tmp_path):
    check_writable(tmp_path / "a" / "b")
    assert list((tmp_path / "a" / "b").iterdir()) == []


@pytest.mark.parametrize("use", [check_writable, lambda folder: hold(folder / "results")])
def test_a_folder_that_cannot_be_made(tmp_path, use):
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match=r"cannot write results to .*file/folder.*--out"):
        use(tmp_path / "file" / "folder")


def test_what_is_held_is_held_until_it_is_closed(tmp_path):
    held = hold(tmp_path / "results")
    with pytest.raises(ConfigError, match="another process works on"):
        hold(tmp_path / "results")
    held.close()
    hold(tmp_path / "results").close()


def test_a_process_that_dies_gives_it_back(tmp_path):
    program = "import os, sys, pathlib; from regrapht.store.output_folder import hold; kept = hold(pathlib.Path(sys.argv[1])); os.abort()"
    died = subprocess.run([sys.executable, "-c", program, str(tmp_path / "results")], capture_output=True, check=False)
    assert died.returncode < 0
    hold(tmp_path / "results").close()


def test_a_file_system_without_locks_is_named(tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", refuse)
    with pytest.raises(ConfigError, match=r"results.lock cannot be locked: .*local disk"):
        hold(tmp_path / "results")


def test_a_result_is_not_overwritten_but_by_its_own_run_or_by_force(tmp_path):
    keep_result(tmp_path, "run-1", ("report.html",))
    (tmp_path / "report.html").write_text("")
    check_unused(tmp_path, run="run-1")
    check_unused(tmp_path, run="run-2", force=True)
    for run in (None, "run-2"):
        with pytest.raises(ConfigError, match="has a result already; --force replaces it, --out writes elsewhere"):
            check_unused(tmp_path, run=run)
    check_unused(tmp_path / "new")


def test_only_files_of_the_result_are_taken_away(tmp_path):
    outside = tmp_path / "outside.txt"
    folder = tmp_path / "out"
    folder.mkdir()
    for path in (outside, folder / "mine.txt", folder / "best.cu"):
        path.write_text("")
    keep_result(folder, "run-1", ("best.cu", "../outside.txt", "gone.txt"))
    forget_result(folder)
    assert outside.exists() and (folder / "mine.txt").exists() and not (folder / "best.cu").exists()
