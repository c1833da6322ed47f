"""Writing an import: going on with it, edits by hand, other sources in the way, the account of it all."""

import json
from dataclasses import replace

import pytest

from regrapht.bench.importers.imported import Written, checkout_commit, select, task_id, write_import
from regrapht.bench.importers.kernelbench import read_kernelbench
from regrapht.bench.suite import open_suite
from regrapht.errors import ConfigError, SchemaError
from regrapht.report.imported import import_text


@pytest.fixture
def found(write_kernelbench, scale_and_clip, module, tmp_path):
    modules = {"1_first": scale_and_clip, "2_second": module("return -x"), "3_third": module("return torch.fft.fft(x)")}
    return read_kernelbench(write_kernelbench(tmp_path / "c", modules))


FIRST, SECOND = "level1_001_first", "level1_002_second"


def test_an_import_is_a_suite(found, tmp_path):
    done = write_import(found, tmp_path / "out")
    assert done.written == {FIRST: Written.NEW, SECOND: Written.NEW}
    assert [task.task.id for task in open_suite(str(done.out)).tasks] == [FIRST, SECOND]
    account = json.loads((done.out / "import.json").read_text())
    assert account["reasons"] == {"operation": 1} and account["not_imported"][0]["problem"] == "level1/3_third"
    assert len(account["tasks"]) == 2 and account["verified"] is None


def test_again_changes_nothing(found, tmp_path):
    out = tmp_path / "out"
    write_import(found, out)
    before = {path: path.stat().st_mtime_ns for path in out.rglob("*") if path.is_file() and path.name != "import.json"}
    assert set(write_import(found, out).written.values()) == {Written.UNCHANGED}
    assert before == {path: path.stat().st_mtime_ns for path in before}


def test_a_cut_off_import_goes_on(found, tmp_path):
    out = tmp_path / "out"
    write_import(found, out)
    (out / FIRST / "task.toml").unlink()  # killed before its last file
    for path in (out / SECOND).iterdir():
        path.unlink()
    (out / "import.json").unlink()
    done = write_import(found, out)
    assert done.written == {FIRST: Written.NEW, SECOND: Written.NEW} and len(open_suite(str(out)).tasks) == 2


def test_what_was_changed_by_hand_is_kept(found, tmp_path):
    out = tmp_path / "out"
    write_import(found, out)
    toml = out / FIRST / "task.toml"
    toml.write_text("# mine\n" + toml.read_text())
    done = write_import(found, out)
    assert done.written == {FIRST: Written.KEPT, SECOND: Written.UNCHANGED} and toml.read_text().startswith("# mine")
    assert "Changed by hand" in import_text(done) and FIRST in import_text(done)
    assert write_import(found, out, force=True).written[FIRST] is Written.UPDATED
    assert not toml.read_text().startswith("# mine")


def test_a_task_of_somebody_else_is_kept(found, tmp_path):
    folder = tmp_path / "out" / FIRST
    folder.mkdir(parents=True)
    (folder / "task.toml").write_text("something else")
    assert write_import(found, tmp_path / "out").written[FIRST] is Written.KEPT
    assert (folder / "task.toml").read_text() == "something else" and not (folder / "reference.cpp").exists()


def test_a_newer_source_updates_what_nobody_changed(found, tmp_path):
    out = tmp_path / "out"
    write_import(found, out)
    first = found.tasks[0]
    newer = replace(first, files={**first.files, "README.md": "another text\n"})
    done = write_import(replace(found, tasks=(newer,)), out)
    assert done.written == {FIRST: Written.UPDATED} and done.earlier == (SECOND,)
    assert (out / FIRST / "README.md").read_text() == "another text\n" and (out / SECOND / "task.toml").is_file()
    assert SECOND in import_text(done)
    again = write_import(replace(found, tasks=(newer,)), out)
    assert again.earlier == (SECOND,), "told every time"


def test_an_import_of_nothing_says_so(found, tmp_path):
    text = import_text(write_import(replace(found, tasks=()), tmp_path / "out"))
    assert "nothing was imported" in text and "torch.fft.fft" in text and "Next" not in text
    assert "Next: regrapht bench admit" in import_text(write_import(found, tmp_path / "out"))


def test_a_folder_of_another_source_is_refused(found, tmp_path):
    out = tmp_path / "out"
    write_import(found, out)
    with pytest.raises(ConfigError, match="imported from kernelbench"):
        write_import(replace(found, source="pareval"), out)
    (out / "import.json").write_text("{")
    with pytest.raises(SchemaError, match=r"import\.json"):
        write_import(found, out)
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="a file of that name"):
        write_import(found, tmp_path / "file")


def test_selecting_by_name(found):
    assert [task.id for task in select(found, ["level1/2"]).tasks] == [SECOND]
    assert select(found, ["level1/3"]).not_imported and not select(found, ["level1/3"]).tasks
    with pytest.raises(ConfigError, match="--only nothing"):
        select(found, ["nothing"])
    with pytest.raises(ConfigError, match="--only is empty"):
        select(found, [""])


@pytest.mark.parametrize(
    "name",
    [
        "level1/19_ReLU",
        "level1/19_ReLU.py",
        "19_ReLU",
        "19_ReLU.py",
        "19",
        "ReLU",
        "relu",
        "level1_019_relu",
        "level1/19",
    ],
)
def test_a_problem_by_any_of_its_names(write_kernelbench, scale_and_clip, tmp_path, name):
    modules = dict.fromkeys(("1_Sum_", "19_ReLU", "20_LeakyReLU", "119_ReLU_twice"), scale_and_clip)
    found = read_kernelbench(write_kernelbench(tmp_path / "c", modules))
    assert [task.problem for task in select(found, [name]).tasks] == ["level1/19_ReLU"]
    assert [task.problem for task in select(found, ["Sum", name]).tasks] == ["level1/1_Sum_", "level1/19_ReLU"]


def test_near_misses_and_ambiguous_names(write_kernelbench, scale_and_clip, tmp_path):
    checkout = write_kernelbench(tmp_path / "c", {"19_ReLU": scale_and_clip, "3_other": scale_and_clip})
    found = read_kernelbench(write_kernelbench(checkout, {"19_ReLU": scale_and_clip}, level=2), levels=(1, 2))
    for name in ("19_ReLU.py", "19", "ReLU"):
        with pytest.raises(ConfigError, match=r"several problems.*level1/19_ReLU, level2/19_ReLU"):
            select(found, [name])
    for name in ("19_RelU_", "rellu", "Level1/19_relu"):
        with pytest.raises(ConfigError, match="did you mean 'level1/19_ReLU'"):
            select(found, [name])


def test_the_commit_of_a_checkout(tmp_path):
    file = tmp_path / "file"
    file.write_text("text")
    tree = checkout_commit(tmp_path, [file])
    assert tree.startswith("tree:") and tree == checkout_commit(tmp_path, [file])
    git = tmp_path / ".git"
    (git / "refs/heads").mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    assert checkout_commit(tmp_path, [file]) == tree, "a branch without a commit"
    (git / "packed-refs").write_text("# pack-refs\n1234abcd refs/heads/main\n")
    assert checkout_commit(tmp_path, [file]) == "1234abcd"
    (git / "refs/heads/main").write_text("5678\n")
    assert checkout_commit(tmp_path, [file]) == "5678"
    (git / "HEAD").write_text("9abc\n")
    assert checkout_commit(tmp_path, [file]) == "9abc"


def test_ids_have_the_characters_of_ids():
    assert task_id("1_Square matrix__ multiplication_") == "1_square_matrix_multiplication"
    assert len(task_id("x" * 100)) == 64
