"""How many proposals a search may have out at once: a young one supports few.

    out <= 1 + judged / step,   step = patience * min(1, 50 / candidates)

At first nearly every answer of a good prior is a gain, and the next ask belongs on top of it: what is asked before the answer is there goes
to a program that is soon left behind. Later a gain takes many tries, and these can be made at once. A long budget makes up for what is
asked too early, so it waits less. One worker never waits.
"""

USUAL_CANDIDATES = 50
"""Budgets up to this wait in full, larger ones in inverse proportion."""


def supported(judged: int, *, candidates: int | None, patience: float) -> float:
    """How many proposals may be out after so many judged candidates, at least 1.

    Args:
        candidates: The budget; None for one without such a limit, which never waits.
        patience: Judged candidates for each further proposal; 0 never waits.
    """
    if candidates is None or patience <= 0:
        return float("inf")
    step = patience * min(1.0, USUAL_CANDIDATES / max(candidates, 1))
    return 1 + judged // step
