"""Whether a task's program has threads, what is known of them, and if it has none, why."""

from regrapht.errors import CannotTransform
from regrapht.records.reach import Reach, Reached
from regrapht.records.task import Task
from regrapht.transform.engine import LOCK, Engine
from regrapht.transform.explanation import ONE_THREAD, LoopAnswer, loop_answers
from regrapht.transform.verbatim.steps import is_verbatim


def reach(engine: Engine, task: Task) -> Reach:
    """How `engine` takes a task. It observes where nothing is proved; nothing is built for a device or judged."""
    with LOCK:
        try:
            decisions = engine.plain(task)
            loops = loop_answers(engine, task)
        except CannotTransform as error:
            return Reach(how=Reached.REFUSED, reason=str(error))
        in_one = [_shown(loop) for loop in loops if loop.label == ONE_THREAD]
        rule = None
        if not is_verbatim(decisions) and engine.in_one_thread(task, decisions):
            rule = engine.rule_with_threads(task)
        if rule is not None:
            return Reach(how=Reached.PROVED, reason=f"by {rule.technique}; the plain mapping is of one thread")
        if engine.in_one_thread(task, decisions):
            return Reach(
                how=Reached.SERIAL, reason="; ".join(in_one) or "one thread makes most of its accesses to memory"
            )
        if not is_verbatim(decisions):
            return Reach(how=Reached.PROVED, reason="; ".join(in_one) or None)
        found = engine.verbatim(task)
        refusal = engine.refusal(task)
        why = str(refusal).splitlines()[0] if refusal is not None else "by proofs alone one thread would run it"
        return Reach(how=Reached(found.label.value), reason="; ".join([found.independence, why, *in_one]))


def _shown(loop: LoopAnswer) -> str:
    return f"line {loop.line} in one thread: {loop.how}"
