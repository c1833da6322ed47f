"""Tools as coroutines, for whatever carries them: a call waits on a thread of its own, so that others are answered meanwhile."""

import functools
from collections.abc import Awaitable, Callable

from regrapht.serve.answers import Answer

MOST_CALLS = 256
"""Calls of one tool that may wait at once; further ones queue, and other tools are answered all the same."""


def waiting(tool: Callable[..., Answer]) -> Callable[..., Awaitable[Answer]]:
    """The tool as a coroutine with its name, text and signature."""
    import anyio
    import anyio.to_thread

    limiter: list[anyio.CapacityLimiter] = []  # one belongs to an event loop, so it is made by the first call

    @functools.wraps(tool)
    async def call(**arguments: object) -> Answer:
        if not limiter:
            limiter.append(anyio.CapacityLimiter(MOST_CALLS))
        return await anyio.to_thread.run_sync(functools.partial(tool, **arguments), limiter=limiter[0])

    return call
