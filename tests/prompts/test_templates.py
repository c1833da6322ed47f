import re
from importlib.resources import files

import pytest

from regrapht.errors import ConfigError, TemplateError
from regrapht.prompts.templates import fill, read_folder, templates_hash, using

TEMPLATES = files("regrapht.prompts") / "templates"


def test_values_are_put_in_as_they_are():
    assert fill("notes", {"text": "{{text}} \\1 $x"}) == "# Plan\n\n{{text}} \\1 $x"


def test_an_empty_part_leaves_no_gap():
    assert fill("attempt", {"heading": "A", "program": "", "feedback": "B"}) == "## A\n\nB"


@pytest.mark.parametrize("values", [{}, {"text": "a", "more": "b"}, {"txt": "a"}])
def test_holes_and_values_must_match(values):
    with pytest.raises(TemplateError, match="'notes'"):
        fill("notes", values)


def test_an_unknown_template():
    with pytest.raises(TemplateError, match="nothing"):
        fill("nothing", {})


def test_every_template_is_well_formed():
    templates = [file for file in TEMPLATES.iterdir() if file.name.endswith(".md")]
    assert len(templates) >= 10
    for file in templates:
        text = file.read_text(encoding="utf-8")
        assert not re.search(r"\{\{(?!\w+\}\})", text), file.name


def test_the_hash_is_one_for_all_templates():
    assert re.fullmatch("[0-9a-f]{64}", templates_hash())
    assert templates_hash() == templates_hash()


def test_a_users_own_texts_take_the_place_of_ours(tmp_path):
    (tmp_path / "notes.md").write_text("Think of this: {{text}}")
    (tmp_path / "attempt.md").write_text("Before.\n\n{{program}}")
    own, before = read_folder(tmp_path), templates_hash()
    with using(own):
        assert fill("notes", {"text": "a"}) == "Think of this: a"
        assert fill("attempt", {"heading": "A", "program": "P", "feedback": "B"}) == "Before.\n\nP", "a hole left out"
        assert fill("system", {}) and templates_hash() != before
        with pytest.raises(TemplateError):
            fill("notes", {"txt": "a"})
    assert fill("notes", {"text": "a"}) == "# Plan\n\na" and templates_hash() == before


@pytest.mark.parametrize(
    "name, content, told",
    [
        ("note.md", b"x", "did you mean notes.md?"),
        ("notes.md", b"{{plan}}", "nothing fills {{plan}}; notes has text"),
        ("notes.md", b"\xff\xfe", "cannot be read as UTF-8"),
        ("notes.txt", b"x", "it has no NAME.md of a template"),
    ],
)
def test_own_texts_that_cannot_be_used(tmp_path, name, content, told):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ConfigError) as refused:
        read_folder(tmp_path)
    assert told in str(refused.value)
    with pytest.raises(ConfigError, match="no such folder"):
        read_folder(tmp_path / "none")


def test_no_wording_has_a_fence_in_the_midst_of_a_sentence():
    """A small model writes on from there: of a thousand answers to "begins with ```cuda, and no other text" every fifth began `cuda,`."""
    broken = [path.name for path in TEMPLATES.iterdir() if re.search(r"```\w*[,.;]|\w ```", path.read_text("utf-8"))]
    assert not broken
