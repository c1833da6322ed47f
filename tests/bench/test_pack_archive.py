"""A pack's own copy of its tasks: the suite may change and the pack stays, or one line says what is wrong with the copy."""

import io
import tarfile
from concurrent.futures import ThreadPoolExecutor

import pytest

from regrapht.bench.pack import files_hash, read_pack, write_pack
from regrapht.bench.pack_archive import archive_file, unpacked, write_archive
from regrapht.bench.suite import open_suite, pack_of, suite_names, suite_root
from regrapht.errors import ConfigError, SchemaError


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("REGRAPHT_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def packed(suite_folder):
    suite = open_suite(str(suite_folder))
    write_pack(suite_folder, pack_of(suite, "1"))
    write_archive(suite_folder, "1", [task.folder for task in suite.tasks])
    return suite_folder


CHANGES = {
    "code": lambda root: (root / "layout/twice/twice.cpp").write_text(
        "void twice(int n, const float* x, float* y) {}\n"
    ),
    "a file more": lambda root: (root / "layout/twice/README.md").write_text("A hint.\n"),
    "no task": lambda root: (root / "layout/twice/task.toml").unlink(),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_changed_suite_leaves_its_pack(packed, what):
    before = {task.task.id: files_hash(task.folder) for task in open_suite(f"{packed}@1").tasks}
    CHANGES[what](packed)
    kept = open_suite(f"{packed}@1")
    assert {task.task.id: files_hash(task.folder) for task in kept.tasks} == before
    assert kept.pack_hash == read_pack(packed, "1").hash and kept.root == packed
    assert kept.tasks == open_suite(f"{packed}@1").tasks
    assert "twice" not in {
        task.task.id for task in open_suite(str(packed)).tasks if files_hash(task.folder) == before["twice"]
    }


def test_the_same_files_give_the_same_bytes(packed):
    file = archive_file(packed, "1")
    before = file.read_bytes()
    write_archive(packed, "1", [task.folder for task in reversed(open_suite(str(packed)).tasks)])
    assert file.read_bytes() == before


def test_a_damaged_archive_is_refused(packed):
    file = archive_file(packed, "1")
    whole = file.read_bytes()
    for damaged in (b"", b"no archive", whole[: len(whole) // 2]):
        file.write_bytes(damaged)
        CHANGES["a file more"](packed)
        with pytest.raises(SchemaError, match="is damaged") as refusal:
            open_suite(f"{packed}@1")
        assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("name", ["../outside.txt", "/outside.txt", "layout/twice/../../../outside.txt"])
def test_an_archive_writes_nowhere_else(packed, name):
    with tarfile.open(archive_file(packed, "1"), "w:xz") as archive:
        member = tarfile.TarInfo(name)
        member.size = 1
        archive.addfile(member, io.BytesIO(b"x"))
    CHANGES["a file more"](packed)
    with pytest.raises((SchemaError, ConfigError)):
        open_suite(f"{packed}@1")
    assert not list(packed.parent.glob("outside.txt"))


def test_an_archive_of_other_tasks_is_refused(packed, write_task):
    CHANGES["code"](packed)
    write_archive(packed, "1", [task.folder for task in open_suite(str(packed)).tasks])
    with pytest.raises(ConfigError, match=r"@1 was changed: twice is not what the pack names"):
        open_suite(f"{packed}@1")


def test_a_changed_copy_in_the_cache_is_made_anew(packed):
    CHANGES["code"](packed)
    (task,) = (one for one in open_suite(f"{packed}@1").tasks if one.task.id == "twice")
    (task.folder / "twice.cpp").write_text("void twice(int n, const float* x, float* y) {}\n")
    (again,) = (one for one in open_suite(f"{packed}@1").tasks if one.task.id == "twice")
    assert again.task.content_hash == task.task.content_hash


@pytest.mark.parametrize("suite", suite_names())
def test_shipped_packs_have_their_files(suite):
    root = suite_root(suite)
    for file in (root / "packs").glob("*.json"):
        pack = read_pack(root, file.stem)
        folder = unpacked(root, pack)
        assert folder is not None
        found = {task.parent.name: files_hash(task.parent) for task in folder.rglob("task.toml")}
        assert sorted(found.values()) == sorted(task.files_hash for task in pack.tasks)


def test_processes_that_find_a_changed_copy_at_once_all_get_a_whole_one(packed):
    CHANGES["code"](packed)
    pack = read_pack(packed, "1")
    with ThreadPoolExecutor(4) as pool:
        for _ in range(20):
            kept = unpacked(packed, pack)
            assert kept is not None
            (kept / "layout/twice/task.toml").unlink()
            assert {folder.name for folder in pool.map(lambda _: unpacked(packed, pack), range(8))} == {kept.name}
            assert open_suite(f"{packed}@1").pack_hash == pack.hash
