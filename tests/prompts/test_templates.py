import re
from importlib.resources import files

import pytest

from regrapht.errors import TemplateError
from regrapht.prompts.templates import fill, templates_hash


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
    templates = [
        file for file in files("regrapht.prompts").joinpath("templates").iterdir() if file.name.endswith(".md")
    ]
    assert len(templates) >= 10
    for file in templates:
        text = file.read_text(encoding="utf-8")
        assert not re.search(r"\{\{(?!\w+\}\})", text), file.name


def test_the_hash_is_one_for_all_templates():
    assert re.fullmatch("[0-9a-f]{64}", templates_hash())
    assert templates_hash() == templates_hash()
