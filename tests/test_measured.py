"""What the pages say was measured is what the files of results hold, and the front page says nothing else."""

import importlib.util
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
MEASURED = ROOT / "docs" / "measured.md"
README = ROOT / "README.md"
NO_FIGURE = re.compile(
    r"```.*?```|`[^`]*`|\]\([^)]*\)|<[^>]*>|arXiv \d+\.\d+|Python \d\.\d+|g\+\+ \d+|Apache-2\.0|float\d+|2-D", re.DOTALL
)
"""What has digits and says nothing of a measurement: code, addresses, versions that are asked for, names."""
FIGURE = re.compile(r"(?<![\w.])\d+(?:[ ,]\d{3}(?!\d))*(?:\.\d+)?")


@pytest.fixture(scope="module")
def measured():
    """The script, with the other scripts of its folder to import."""
    folder = str(ROOT / "benchmarks")
    sys.path.insert(0, folder)
    try:
        spec = importlib.util.spec_from_file_location("measured", ROOT / "benchmarks" / "measured.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        yield module
    finally:
        sys.path.remove(folder)


def test_the_page_is_what_the_files_of_results_say(measured):
    assert measured.page() == MEASURED.read_text(encoding="utf-8"), "run `make measured`"


@pytest.mark.slow
@pytest.mark.parametrize("page", ["experiments.md", "transform.md"])
def test_the_tables_of_other_pages_are_current(measured, page):
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    assert measured.BLOCK.search(text) and measured.with_blocks(text) == text, "run `make measured`"


def test_every_table_stands_on_a_page(measured):
    pages = "".join(page.read_text(encoding="utf-8") for page in measured.PAGES_WITH_BLOCKS)
    assert sorted(block["name"] for block in measured.BLOCK.finditer(pages)) == sorted(measured.BLOCKS)


def figures(text: str) -> set[str]:
    """The numbers of a page, without what separates thousands."""
    return {re.sub(r"[ ,]", "", found) for found in FIGURE.findall(NO_FIGURE.sub(" ", text))}


def test_every_figure_of_the_front_page_is_measured():
    known = figures(re.sub(r"`", "", MEASURED.read_text(encoding="utf-8")))
    assert sorted(figures(README.read_text(encoding="utf-8")) - known) == []


@pytest.mark.parametrize("sentence", ["it is 3.14 times as fast", "4 711 tasks", "77.7 % of the steps", "in 0.12345 s"])
def test_a_figure_that_nobody_measured_is_found(sentence):
    assert figures(sentence) - figures(MEASURED.read_text(encoding="utf-8"))


def test_the_front_page_is_short_and_shows_a_run():
    text = README.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 90
    picture = ROOT / re.search(r"!\[[^]]*\]\(([^)]+\.svg)\)", text)[1]
    assert picture.stat().st_size < 100_000 and "http" not in picture.read_text().replace("http://www.w3.org/", "")
