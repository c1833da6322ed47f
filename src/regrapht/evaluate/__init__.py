"""The judge. `EVALUATORS` names its back-ends; `evaluator.py` is what they all promise."""

from regrapht.registry import Registry

EVALUATORS = Registry(
    "evaluators",
    {
        "emulated": "regrapht.evaluate.emulated:EmulatedEvaluator",
        "local_gpu": "regrapht.evaluate.local_gpu:LocalGpuEvaluator",
        "replay": "regrapht.evaluate.replay:ReplayEvaluator",
    },
)
