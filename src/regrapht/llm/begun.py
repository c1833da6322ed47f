"""Begun replies: a server that goes on with the beginning of a reply cannot miss its form.

llama.cpp, vLLM and SGLang do; others answer anew, or refuse the request. What an endpoint does is found out at the first request and
remembered for the process.
"""

import re
import threading
from collections.abc import Callable
from dataclasses import replace

from regrapht.errors import ModelRefused, ModelUnavailable
from regrapht.llm.endpoint import Endpoint
from regrapht.llm.endpoint_calls import RequestNotAccepted
from regrapht.llm.reply import Reply
from regrapht.llm.retry import Transient

CONTINUE = {"continue_final_message": True, "add_generation_prompt": False}
"""What vLLM and SGLang want to be told; llama.cpp goes on with a last message of the assistant's by itself."""
_CONTINUING = {"llamacpp", "vllm", "sglang", "regrapht"}
_FENCE = re.compile(r"```[^\S\n]*(\w[\w+-]*)?")

_known: dict[tuple[str, str], bool] = {}
_lock = threading.Lock()


def known(url: str, model: str) -> bool | None:
    """Whether this endpoint goes on with begun replies; None where nothing was tried yet."""
    with _lock:
        return _known.get((url, model))


def remember(url: str, model: str, goes_on: bool) -> None:
    with _lock:
        _known[url, model] = goes_on


def forget() -> None:
    """Nothing is known any more; for tests, whose servers take each other's ports."""
    with _lock:
        _known.clear()


def is_server_that_continues(owned_by: object) -> bool:
    """Whether the owner that a server names in its list of models is known to go on with begun replies."""
    return owned_by in _CONTINUING


def answered(
    endpoint: Endpoint, begin: str | None, ask: Callable[[str | None], tuple[Reply, int]]
) -> tuple[Reply, int, bool]:
    """The reply, begun where the endpoint goes on with begun ones; how many requests it took; whether it was begun.

    Args:
        endpoint: Which is asked.
        begin: How the reply is to begin; None to leave that to the model.
        ask: One request with this beginning, or without one: the reply, and requests that it took.
    """
    goes_on = known(endpoint.url, endpoint.model)
    if begin is None or goes_on is False:
        return *ask(None), False
    try:
        reply, requests = ask(begin)
    except (ModelRefused, ModelUnavailable) as error:
        if goes_on or not _may_be_about_the_beginning(error):
            raise
        reply, requests = ask(None)  # what refuses this too refuses for another reason, and nothing is learnt
        remember(endpoint.url, endpoint.model, False)
        return reply, requests + 1, False
    if not reply.text.strip():
        return reply, requests, False  # which teaches nothing
    whole = joined(begin, reply.text, is_known=goes_on is True)
    if goes_on is None:
        remember(endpoint.url, endpoint.model, whole is not None)
    return (reply if whole is None else replace(reply, text=whole)), requests, whole is not None


def _may_be_about_the_beginning(error: Exception) -> bool:
    """Whether a request that ended so may do without the reply's beginning: the server refused its form, or failed at it."""
    if isinstance(error, RequestNotAccepted):
        return True
    return isinstance(error.__cause__, Transient) and error.__cause__.status == 500


def joined(begin: str, text: str, *, is_known: bool = False) -> str | None:
    """The whole reply from its beginning and what a server sent; None where the server answered anew.

    Some send the beginning again in front of the rest, most send the rest alone. Of a server that `is_known` to go on even words are
    the rest.
    """
    if text.startswith(begin):
        return text
    fences = [match.group(1) for match in _FENCE.finditer(text)]
    if begin.startswith("```") and (any(fences) or len(fences) > 1):
        return None  # a rest closes the fence at most once, and opens none
    if not is_known and not any(sign in text for sign in ";{}`"):
        return None  # words, not the rest of a program
    includes = [line for line in begin.splitlines() if line.startswith("#include")]
    if any(line in text.splitlines() for line in includes):
        return None
    return begin + text
