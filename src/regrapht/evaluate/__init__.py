"""The judge. `EVALUATORS` names the back-ends that a name is enough to open; `evaluator.py` is what they all promise.

Below the evaluators are rooms by stage, each of which uses only those before it: `inputs`, `judgement`, `build`, `reference`, `compare`,
`cases`, `memory`, `admission`, `device`, `timing`. `replay.ReplayEvaluator` has no name here: it needs recorded verdicts;
`ray_cluster` and `ssh` neither: they reach judges in other places (`elsewhere`), by an address.
"""

from regrapht.registry import Registry

EVALUATORS = Registry(
    "evaluators",
    {
        "emulated": "regrapht.evaluate.emulated:EmulatedEvaluator",
        "local_gpu": "regrapht.evaluate.local_gpu:LocalGpuEvaluator",
    },
    methods=("availability", "environment", "prepare", "evaluate"),
)
