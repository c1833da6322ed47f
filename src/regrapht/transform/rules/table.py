"""The rules as a table for the documentation, made from the rules themselves."""

from regrapht.transform.rules import RULES
from regrapht.transform.rules.rule import Parameter


def rule_table() -> str:
    """A Markdown table with one line a rule."""
    lines = ["| rule | applies to | parameters, in the order of attempts |", "|---|---|---|"]
    lines += [
        f"| `{rule.slug}` | {rule.condition} | {'; '.join(map(_shown, rule.parameters)) or 'none'} |" for rule in RULES
    ]
    return "\n".join(lines) + "\n"


def _shown(parameter: Parameter) -> str:
    values = (" x ".join(map(str, value)) if isinstance(value, list) else str(value) for value in parameter.values)
    return f"{parameter.name}: {', '.join(values)}"
