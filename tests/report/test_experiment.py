"""The report of an experiment: whole without a network, readable when it is long, and with nothing of a task's running in it."""

import csv
import io
import shutil
import subprocess
from dataclasses import replace

import pytest

from regrapht.bench.experiment.results import Experiment, TaskRef
from regrapht.bench.intervals import Interval
from regrapht.bench.summary.table import LONG, Curve, Table
from regrapht.bench.summary.tables import Tables
from regrapht.records.measurement import Environment
from regrapht.records.run import Budget
from regrapht.report.experiment import render_csv, render_page, render_text, shown

HOSTILE = "</td><script>alert(1)</script>"


def tables(rows):
    experiment = Experiment(
        suite="made-up",
        tasks=(TaskRef(id="a", content_hash="a", family="scan", tier="easy", inside_engine=True),),
        methods=("mcgs",),
        proposer="transform",
        model=None,
        seeds=1,
        budget=Budget(candidates=20),
        level="screen",
        evaluator="emulated",
        protocol="2",
        environment=Environment(device="a device", architecture="x86_64", cpu="a processor", tools={}, clocks={}),
        graph_hash="0" * 64,
        hide_family=False,
        version="0",
        command=f"regrapht bench run {HOSTILE}",
        created="2026-01-01T00:00:00+00:00",
    )
    columns = ("task", "method", "solved", "modelled reward", "why not solved")
    return Tables(
        experiment=experiment,
        finished=1,
        expected=2,
        conclusion=("a is better than b, and says " + HOSTILE,),
        tables=(
            Table(name="methods", title="Methods", columns=("method", "pass@1"), rows=(("mcgs", 0.5),)),
            Table(name="tasks", title="Task by task", columns=columns, rows=rows),
        ),
        curves=(Curve(method="mcgs", points=((1, Interval(0.1, 0.0, 0.2)),)),),
        reward_name="modelled reward",
    )


def rows(count):
    """Rewards rise with the number, from one so small that it is written with an exponent; every third is not defined."""
    rewards = [(i / 10 if i > 1 else 8e-05) if i % 3 else None for i in range(count)]
    return tuple((f"task{i}", "mcgs", f"{i % 3} of 3", reward, HOSTILE) for i, reward in enumerate(rewards))


def test_the_page_is_whole_and_escaped():
    page = render_page(tables(rows(3)))
    assert HOSTILE not in page and page.count("<script>") == 1, "our own alone"
    assert "&lt;script&gt;alert(1)" in page and "http://" not in page.replace("http://www.w3.org/2000/svg", "")
    assert "1 of 2 cells, not finished" in page and "<h2>Conclusion</h2>" in page
    assert page.index("Conclusion") < page.index("Quality over budget") < page.index('id="methods"')
    assert page.count("What the columns mean") == 2 and "Chen et al. 2021" in page


def test_a_long_table_is_folded_and_can_be_filtered():
    short, long = render_page(tables(rows(LONG))), render_page(tables(rows(LONG + 1)))
    assert 'class="filter"' not in short and f"<summary>{LONG + 1} rows" not in short
    assert 'data-table="table-tasks"' in long and f"<summary>{LONG + 1} rows" in long
    assert long.count("<td") == short.count("<td") + 5, "folded, and all there"


def test_text_has_all_in_a_file_and_names_long_tables_at_a_terminal():
    whole, brief = (render_text(tables(rows(LONG + 1)), whole=whole) for whole in (True, False))
    assert f"task{LONG}" in whole and f"task{LONG}" not in brief and f"{LONG + 1} rows: see tasks.csv" in brief
    assert whole.index("## Conclusion") < whole.index("## Methods") < whole.index("## Task by task")
    assert whole.count("* method: ") == 1, "defined below the first table that has it"


def test_no_text_breaks_a_row_of_markdown():
    text = render_text(tables((("task0", "mcgs", "0 of 1", 0.0, "line 3: a pointer\n  a | b"),)))
    assert "line 3: a pointer a \\| b |" in text


def test_what_is_not_defined_is_a_dash_and_empty_in_a_file():
    assert [shown(cell) for cell in (None, 0.0, 0.25, 0.0001, 123.4, 7, "x")] == [
        "-",
        "0",
        "0.250",
        "0.0001",
        "123",
        "7",
        "x",
    ]
    assert render_csv(tables(rows(1)).tables[1]).splitlines()[1].startswith("task0,mcgs,0 of 3,,")


def test_an_interval_is_text_for_people_and_two_columns_in_a_file():
    cells = (("a", Interval(value=0.5, low=0.25, high=123.4)), ("b", None))
    table = Table(name="t", title="T", columns=("method", "95 % of reward"), rows=cells)
    assert shown(cells[0][1]) == "0.250 to 123"
    assert list(csv.reader(io.StringIO(render_csv(table)))) == [
        ["method", "95 % of reward, low", "95 % of reward, high"],
        ["a", "0.25", "123.4"],
        ["b", "", ""],
    ]
    with pytest.raises(ValueError, match="95 % of something, not 'reward'"):
        replace(table, columns=("method", "reward"))
    undefined = replace(table, rows=cells[1:])
    assert render_csv(undefined).splitlines() == ['method,"95 % of reward, low","95 % of reward, high"', "b,,"]


@pytest.mark.skipif(shutil.which("chromium") is None, reason="there is no chromium")
def test_a_browser_sorts_and_filters(tmp_path):
    """Sorted by reward twice, so that the largest is first and what is not defined last; then only task 1 and tasks 10 to 19."""
    act = """
    const button = () => document.querySelector("#table-tasks th:nth-child(4) button");
    button().click(); button().click();
    document.title = [...document.querySelectorAll("#table-tasks tbody tr")].map((row) => row.cells[0].textContent).join(" ");
    const field = document.querySelector("input.filter");
    field.value = "TASK1 mcgs"; field.dispatchEvent(new Event("input"));
    document.title += " | " + document.querySelector("output").textContent + " " + field.closest("p").hidden;
    </script></body>"""
    page = tmp_path / "page.html"
    page.write_text(render_page(tables(rows(LONG + 2))).replace("</script>\n</body>", act))
    command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}"]
    done = subprocess.run([*command, "--dump-dom", page.as_uri()], capture_output=True, text=True, timeout=120)
    title = done.stdout.split("<title>")[1].split("</title>")[0]
    order, _, filtered = title.partition(" | ")
    numbers = [int(name.removeprefix("task")) for name in order.split()]
    defined = [number for number in reversed(range(LONG + 2)) if number % 3]
    assert numbers[: len(defined)] == defined and sorted(numbers) == list(range(LONG + 2))
    assert filtered == "11 rows false"
