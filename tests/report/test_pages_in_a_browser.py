"""Every HTML report in a real browser, wide and narrow: nothing is wider than the window, no label lies on another one or is too small to
read, and no script fails. Screenshots go where `REGRAPHT_SCREENSHOTS` says, for somebody to look at.
"""

import itertools
import os
from dataclasses import replace
from pathlib import Path

import pytest

from regrapht.bench.experiment.results import read_results
from regrapht.bench.summary.tables import tabulate
from regrapht.records.run import Budget
from regrapht.report.emulation_html import render_emulation
from regrapht.report.experiment import render_page
from regrapht.report.html import render_html
from regrapht.report.story import tell
from regrapht.testing.synthetic import synthetic_context, synthetic_graph, synthetic_task
from tests.report.test_emulation import EMULATION
from tests.view.browser import CHROMIUM, Browser
from tests.view.conftest import WORLD, judged_events

pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium")]
RESULTS = Path(__file__).resolve().parents[2] / "benchmarks" / "results"
SHOTS = os.environ.get("REGRAPHT_SCREENSHOTS")
SMALLEST = 10
"""Height of a label, in pixels, that is still read."""


def run_report(steps, hostile=False):
    """A search of so many candidates; its best is the last one that passed."""
    events = list(judged_events(steps, hostile=hostile))
    yardstick = synthetic_context(WORLD, synthetic_graph(WORLD, seed=1), budget=Budget(candidates=1)).yardstick
    best = next(event for event in reversed(events) if getattr(event, "verdict", None) and event.verdict.passed)
    story = tell(synthetic_task(), yardstick, events, best)
    return render_html(story, command="regrapht optimize " + "x" * 300, details={"Run": "r" * 60}, exemplars={})


def experiment_report(name):
    return render_page(tabulate(*read_results(RESULTS / f"{name}.jsonl")))


def emulation_page():
    long = replace(
        EMULATION, file="a_name_" * 20 + ".cu", source=EMULATION.source + "// " + "long " * 100, reason="why" * 80
    )
    return render_emulation(long)


PAGES = {
    "run": lambda: run_report(4),
    "long run": lambda: run_report(60, hostile=True),
    "experiment": lambda: experiment_report("cudaeval_60_h200_2026-11-23"),
    "small model": lambda: experiment_report("small_model_60_1.5b_h100_2026-11-26_hybrid"),
    "emulation": emulation_page,
}


@pytest.fixture(scope="module")
def browser():
    window = Browser()
    yield window
    window.close()


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("name", PAGES)
def test_it_can_be_read(browser, tmp_path, name, width):
    page = tmp_path / "page.html"
    page.write_text(PAGES[name](), encoding="utf-8")
    browser.resize(width, 900)
    browser.open(page.as_uri())
    browser.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    if SHOTS:
        browser.resize(width, min(browser.run("document.documentElement.scrollHeight"), 12000))
        browser.screenshot(Path(SHOTS) / f"{name.replace(' ', '_')}-{width}.png")
    assert browser.errors == [] and browser.run("document.title") != "broken"
    assert browser.run("document.documentElement.scrollWidth") <= width, "nothing is wider than the window"
    labels = browser.labels()
    assert [label for label in labels if label[4] - label[2] < SMALLEST] == []
    assert [(a[0], b[0]) for a, b in itertools.combinations(labels, 2) if overlap(a, b)] == []


def overlap(a, b):
    """Whether one label lies on another: by more than a pixel across, and a quarter of a line in height."""
    across = min(a[3], b[3]) - max(a[1], b[1])
    down = min(a[4], b[4]) - max(a[2], b[2])
    return across > 1 and down > 0.25 * min(a[4] - a[2], b[4] - b[2])
