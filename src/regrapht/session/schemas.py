"""The JSON schemas of what commands print and files hold, by name; docs/schemas has them as files."""

import json
from collections.abc import Mapping

from regrapht.bench.experiment.results import CellResult, Experiment
from regrapht.errors import UnknownName
from regrapht.evaluate.admission.findings import Admission
from regrapht.records.answers import ErrorAnswer, RunTold
from regrapht.records.candidate import Candidate
from regrapht.records.json_schema import json_schema
from regrapht.records.published import PublishedVerdict
from regrapht.records.task import Task
from regrapht.records.verdict import Verdict

SCHEMAS: Mapping[str, type] = {
    "admission": Admission,
    "candidate": Candidate,
    "cell": CellResult,
    "error": ErrorAnswer,
    "experiment": Experiment,
    "published_verdict": PublishedVerdict,
    "run": RunTold,
    "task": Task,
    "verdict": Verdict,
}


def schema_text(name: str) -> str:
    """The schema called so, as its file has it.

    Raises:
        UnknownName: There is none.
    """
    if name not in SCHEMAS:
        raise UnknownName(f"there is no schema {name!r}; known: {', '.join(SCHEMAS)}")
    schema = json_schema(SCHEMAS[name])
    if name == "admission":  # `check TASK --json` says it outright
        schema["$defs"]["Admission"]["properties"]["admitted"] = {"type": "boolean"}
    return json.dumps(schema, indent=1) + "\n"
