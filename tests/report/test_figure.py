"""Figures are saved in three forms, and what cannot be saved is said."""

import sys

import pytest

from regrapht.errors import ConfigError, PrerequisiteMissing
from regrapht.report.curves import budget_curves
from regrapht.report.figure import Figure

SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10"><rect width="100%" height="100%" fill="#fff"/></svg>\n'
)


def test_svg_is_the_text_itself(tmp_path):
    assert Figure(SVG).save(tmp_path / "one.SVG").read_text() == SVG


@pytest.mark.parametrize(("name", "said"), [("one.gif", r"\.svg, \.png, \.pdf"), ("none/one.svg", "cannot write")])
def test_bad_names(tmp_path, name, said):
    with pytest.raises(ConfigError, match=said):
        Figure(SVG).save(tmp_path / name)


def test_nothing_to_draw_is_no_file(tmp_path):
    with pytest.raises(ConfigError, match="nothing to draw"):
        Figure(budget_curves([], "reward")).save(tmp_path / "one.png")
    assert not list(tmp_path.iterdir())


def test_without_matplotlib_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(PrerequisiteMissing, match=r"regrapht\[figures\]"):
        Figure(SVG).save(tmp_path / "one.png")
