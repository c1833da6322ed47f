"""Rules explain themselves, and the documentation's table is made from them."""

from pathlib import Path

import pytest

from regrapht.graph.vocabulary import load_vocabulary
from regrapht.transform.explanation import rule_table
from regrapht.transform.rules import BY_SLUG, RULES

PAGE = Path(__file__).parents[2] / "docs" / "transform.md"


def test_the_documented_table_is_current():
    before, _, after = PAGE.read_text().partition("<!-- rules -->\n")
    shown, _, _ = after.partition("<!-- end of rules -->")
    assert before and shown.strip() == rule_table().strip(), f"put this into {PAGE.name}:\n{rule_table()}"


@pytest.mark.parametrize("rule", RULES, ids=list(BY_SLUG))
def test_every_rule_explains_itself(rule):
    assert rule.title and rule.condition and rule.explanation.endswith(".")
    assert rule.settings() and rule.slug in load_vocabulary().techniques
