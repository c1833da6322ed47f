"""The definitions of columns: one for each name, and the same terms on the documentation's page."""

import re
from pathlib import Path

from regrapht.bench.summary.definitions import DEFINITIONS, definition_of, definitions_of

PAGE = Path(__file__).parents[3] / "docs" / "bench.md"


def test_names_with_methods_tiers_and_numbers_are_found():
    terms = {
        "pass@1": "pass@k",
        "easy (51) pass@1": "pass@k",
        "95 % of pass@1": "95 %",
        "mcgs modelled reward": "modelled reward",
        "build@3": "build rate, build@k",
        "speedup@10, failed = 1": "speedup@k",
        "95 % of failed = 1": "95 %",
        "best x library": "best x",
    }
    assert {column: definition_of(column).term for column in terms} == terms
    assert definition_of("favourite colour") is None


def test_each_is_given_once_in_the_order_of_the_columns():
    columns = ("method", "pass@1", "pass@3", "95 % of pass@1", "favourite colour")
    assert [definition.term for definition in definitions_of(columns)] == ["method", "pass@k", "95 %"]


def test_no_definition_is_hidden_by_one_before_it():
    for definition in DEFINITIONS:
        assert re.compile(definition.columns) and definition.meaning and not definition.meaning.endswith(".")
    assert len({definition.term for definition in DEFINITIONS}) == len(DEFINITIONS)


def test_the_page_names_every_metric_with_a_formula():
    page = PAGE.read_text(encoding="utf-8")
    assert [d.term for d in DEFINITIONS if d.formula and d.term not in page] == []
