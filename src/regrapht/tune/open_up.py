"""Which way a candidate's parameters are opened: by the rules that made it, or by its `// tune:` lines."""

from regrapht.errors import CannotTransform
from regrapht.records.candidate import Candidate
from regrapht.records.task import Task
from regrapht.tune.decision_parameters import DecisionOpening
from regrapht.tune.opening import CannotOpen, Opening
from regrapht.tune.tune_lines import LineOpening, has_tune_lines


def open_up(task: Task, candidate: Candidate) -> Opening:
    """The candidate with its open parameters: those of its rules, or those that its `// tune:` lines declare.

    Raises:
        CannotOpen: It has none, or its `// tune:` lines are wrong; says why.
    """
    if candidate.origin.decisions is not None:
        try:
            return DecisionOpening(task, candidate)
        except CannotTransform as error:
            raise CannotOpen(str(error)) from error
    if candidate.source is not None and has_tune_lines(candidate.source):
        return LineOpening(candidate)
    raise CannotOpen("it was not made by rules, and has no '// tune:' line")
