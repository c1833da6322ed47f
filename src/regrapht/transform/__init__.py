"""The compiler: a task's sequential function to CUDA, by polyhedral analysis and rules that change one decision at a time.

A function goes through these rooms, each of which imports only those before it:

* `ir`: expressions and statements, what a function is once it has been read.
* `reader`: C and C++ to `ir`.
* `polyhedral`: domains and accesses as isl's sets, and what follows from them.
* `plan`: which loops become kernels and which the launcher runs, what else is known of nests, and the record of what is decided for each.
* `normalise`: other forms of a function in which more loops have threads, each with what it must gain.
* `codegen`: a plan with its decisions to CUDA C++.
* `rules`: the techniques, one file each.
* `verbatim`: what the reader refuses, its loops launched with their bodies as they are written.

`analyse` brings a task to its plan, `engine` decisions to text, `explanation` says what each rule says,
`reach` whether a task's program has threads. What other parts of regrapht need
is named here.
"""

from regrapht.transform.engine import LOCK, Engine, plain
from regrapht.transform.explanation import (
    LoopAnswer,
    ParameterAnswer,
    RuleAnswer,
    RunTimeTest,
    explain,
    loop_answers,
    run_time_test,
)
from regrapht.transform.reach import reach
from regrapht.transform.rules import BY_SLUG, PLAIN
from regrapht.transform.rules.application import DoesNotApply
from regrapht.transform.rules.decisions import Decision, decisions_from_json, decisions_to_json, shown
from regrapht.transform.rules.rule import Parameter
from regrapht.transform.rules.steps import read_steps
from regrapht.transform.verbatim.steps import is_verbatim, said_independence

__all__ = [
    "BY_SLUG",
    "LOCK",
    "PLAIN",
    "Decision",
    "DoesNotApply",
    "Engine",
    "LoopAnswer",
    "Parameter",
    "ParameterAnswer",
    "RuleAnswer",
    "RunTimeTest",
    "decisions_from_json",
    "decisions_to_json",
    "explain",
    "is_verbatim",
    "loop_answers",
    "plain",
    "reach",
    "read_steps",
    "run_time_test",
    "said_independence",
    "shown",
]
