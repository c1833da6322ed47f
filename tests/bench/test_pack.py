"""Packs: the same tasks to the last byte, or one line that says what is not."""

import json

import pytest

from regrapht.bench.pack import diff_packs, pack_versions, read_pack, write_pack
from regrapht.bench.suite import open_suite, pack_of, suite_names, suite_root
from regrapht.errors import ConfigError, SchemaError, UnknownName


@pytest.fixture
def packed(suite_folder):
    write_pack(suite_folder, pack_of(open_suite(str(suite_folder)), "1"))
    return suite_folder


def test_a_pack_is_its_suite_under_a_name_and_a_hash(packed, write_task):
    write_task(packed / "scan" / "later", "later")
    suite = open_suite(f"{packed}@1")
    assert [task.task.id for task in suite.tasks] == ["square", "twice"] and suite.name == f"{packed}@1"
    assert suite.pack_hash == read_pack(packed, "1").hash == suite.select(limit=1).pack_hash
    assert open_suite(str(packed)).pack_hash is None and len(open_suite(str(packed)).tasks) == 3


def test_tiers_are_those_of_the_pack(packed):
    (packed / "tiers.json").write_text(json.dumps({"tasks": {"twice": {"tier": "hard"}}}))
    assert [task.tier for task in open_suite(f"{packed}@1").tasks] == ["hard", "easy"]


@pytest.mark.parametrize(
    "change",
    [
        lambda root: (root / "layout/twice/twice.cpp").write_text("void twice(int n, const float* x, float* y) {}\n"),
        lambda root: (root / "layout/twice/README.md").write_text("A hint.\n"),
        lambda root: (root / "layout/twice/task.toml").unlink(),
    ],
    ids=["code", "a file more", "no task"],
)
def test_a_changed_task_is_refused(packed, change):
    change(packed)
    with pytest.raises(ConfigError, match=r"was changed: twice is not") as refusal:
        open_suite(f"{packed}@1")
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("field", ["tier", "content_hash", "files_hash", "hash", "version"])
def test_a_changed_file_of_a_pack_is_refused(packed, field):
    file = packed / "packs" / "1.json"
    kept = json.loads(file.read_text())
    holder = {"hash": kept, "version": kept["pack"]}.get(field, kept["pack"]["tasks"][0])
    holder[field] = "easy" if field == "tier" else "0"
    file.write_text(json.dumps(kept))
    with pytest.raises(SchemaError, match="was changed"):
        open_suite(f"{packed}@1")


def test_what_is_no_pack(packed):
    for name, said in (
        (f"{packed}@2", "known: 1"),
        ("cudaeval@never", "known: 2026.11"),
        ("cudaeva@1", "did you mean 'cudaeval'"),
    ):
        with pytest.raises(UnknownName, match=said):
            open_suite(name)
    (packed / "packs" / "3.json").write_text("[]")
    with pytest.raises(SchemaError, match="is not a pack"):
        open_suite(f"{packed}@3")
    with pytest.raises(ConfigError, match="is a pack already"):
        pack_of(open_suite(f"{packed}@1"), "2")
    for version in ("", "../x", "a b", "-1"):
        with pytest.raises(ConfigError, match="is not a version"):
            pack_of(open_suite(str(packed)), version)


def test_packs_do_not_change_and_differ_by_what_differs(packed, write_task):
    before = read_pack(packed, "1")
    write_pack(packed, before)
    write_task(packed / "scan" / "later", "later")
    (packed / "layout/twice/twice.cpp").write_text(
        "void twice(int n, const float* x, float* y) { for (int i = 0; i < n; i++) y[i] = x[i] + x[i]; }\n"
    )
    text = packed / "stencil/square/task.toml"
    text.write_text(text.read_text().replace('tier = "hard"', 'tier = "medium"'))
    suite = open_suite(str(packed))
    with pytest.raises(ConfigError, match="packs do not change"):
        write_pack(packed, pack_of(suite, "1"))
    write_pack(packed, pack_of(suite, "2"))
    assert pack_versions(packed) == ("1", "2")
    diff = diff_packs(before, read_pack(packed, "2"))
    assert (diff.added, diff.removed, diff.judged_otherwise, diff.same) == (("later",), (), ("twice",), 0)
    assert diff.worded_otherwise == ("square",) and diff.moved == (("square", "stencil hard", "stencil medium"),)


def test_versions_are_in_the_order_of_their_numbers(tmp_path):
    (tmp_path / "packs").mkdir()
    for version in ("2026.12.1", "2026.2", "v10", "2026.12", "2027.1", "v9", "2026.12.10", "2026.12.9"):
        (tmp_path / "packs" / f"{version}.json").touch()
    in_order = ("v9", "v10", "2026.2", "2026.12", "2026.12.1", "2026.12.9", "2026.12.10", "2027.1")
    assert pack_versions(tmp_path) == in_order


def test_the_newest_pack_of_cudaeval_mends_one_reference():
    root = suite_root("cudaeval")
    before, now = (read_pack(root, version) for version in ("2026.12", "2026.12.1"))
    diff = diff_packs(before, now)
    assert (diff.judged_otherwise, diff.same) == (("staggered_hop",), 312)
    assert not (diff.added or diff.removed or diff.worded_otherwise or diff.moved)


@pytest.mark.parametrize("suite", suite_names())
def test_shipped_packs_hold(suite):
    for version in pack_versions(suite_root(suite)):
        opened = open_suite(f"{suite}@{version}")
        assert opened.pack_hash == read_pack(opened.root, version).hash
