"""Files that are built once are known again by what they hold."""

import pytest

from regrapht.emulate.kept_files import MANIFEST, damage, places, seal


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "a.h").write_text("int a;")
    (tmp_path / "harness").write_bytes(bytes(range(256)) * 64)
    seal(tmp_path)
    return tmp_path


def test_what_is_whole_is_whole(folder):
    assert damage(folder) is None and places(folder) == places(folder)


@pytest.mark.parametrize("how", ["cut", "emptied", "one bit", "removed", "another beside it"])
def test_any_change_is_named(folder, how):
    path, before = folder / "harness", places(folder)
    raw = bytearray(path.read_bytes())
    if how == "removed":
        path.unlink()
    elif how == "another beside it":
        (folder / "include" / "b.h").write_text("")
    else:
        raw[100] ^= 8
        path.write_bytes({"cut": raw[:1000], "emptied": b"", "one bit": raw}[how])
    assert damage(folder) == ("include/b.h" if how == "another beside it" else "harness")
    assert how == "another beside it" or places(folder) != before


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", "\x00"])
def test_a_manifest_that_is_no_good_vouches_for_nothing(folder, text):
    (folder / MANIFEST).write_text(text)
    assert damage(folder) is not None
