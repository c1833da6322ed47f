"""Looking at the models of this machine: which answer, and how each does with one question and one tiny task."""

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from regrapht.errors import RegraphtError
from regrapht.llm.client import LanguageModel, ModelOptions
from regrapht.llm.configuration import configuration
from regrapht.llm.local_servers import Offer, offers
from regrapht.llm.specs import model, prices
from regrapht.prompts.parse import extract_code
from regrapht.records.candidate import TokenUsage
from regrapht.records.prompt import Completion, Message, Prompt, Sampling, Speaker

ANSWER_S = 120.0
"""The longest that one reply is waited for."""
_QUESTION = "Which keyword marks a function as a CUDA kernel? Answer with the keyword alone."
_KEYWORD = "__global__"
_ENTRY = "scale"
_TASK = f"""Write a CUDA file that defines a kernel and
extern "C" void {_ENTRY}(int n, float a, float* x)
which multiplies each of the n numbers at the device pointer x by a. Answer with the code alone, in one fenced block."""
_BEGIN = "```cuda\n#include <cuda_runtime.h>\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelReport:
    """How one model did. `trouble` says why there is nothing else."""

    spec: str
    trouble: str = ""
    context_tokens: int | None = None
    tokens_per_s: float | None = None
    """Of the longer reply, the reading of its prompt included; None where the server told no tokens."""
    begins_replies: bool | None = None
    knows_keyword: bool | None = None
    wrote_program: bool | None = None
    """Whether the reply to the tiny task held a program with the function asked for; it is not judged."""
    cost_usd: float | None = None
    """Of the two requests, where a price is configured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What there is to try, and what did not answer."""

    specs: tuple[str, ...]
    troubles: tuple[str, ...]
    """Places that answer and have no model."""
    silent: tuple[str, ...]
    """Places where nothing listens."""


def find(named: Iterable[str] = ()) -> Found:
    """The models that are named, or else all that the configuration names and this machine's servers offer.

    A name that is a file or ends as one is a GGUF file.

    Raises:
        ConfigError: The configuration is wrong.
    """
    specs = [
        f"gguf:{one}" if (one.endswith(".gguf") and ":" not in one) or Path(one).is_file() else one for one in named
    ]
    known = configuration()
    if specs:
        return Found(specs=tuple(specs), troubles=(), silent=())
    specs = list(known.models)
    places: list[Offer] = list(offers())
    specs += [spec for place in places for spec in place.specs]
    return Found(
        specs=tuple(dict.fromkeys(specs)),
        troubles=tuple(f"{place.place}: {place.trouble}" for place in places if place.trouble),
        silent=tuple(place.place for place in places if not place.specs and not place.trouble),
    )


def examine(specs: Iterable[str], *, ask: bool = True, allow_remote: bool = False) -> Iterator[ModelReport]:
    """Each model in turn: opened, asked twice if `ask`, and closed."""
    for spec in specs:
        try:
            opened = model(spec, ModelOptions(allow_remote=allow_remote))
        except RegraphtError as error:
            yield ModelReport(spec=spec, trouble=str(error))
            continue
        try:
            yield _report(spec, opened, ask)
        except RegraphtError as error:
            yield ModelReport(spec=spec, trouble=str(error))
        finally:
            opened.close()


def _report(spec: str, opened: LanguageModel, ask: bool) -> ModelReport:
    answer = opened.availability()
    if not answer.available:
        return ModelReport(spec=spec, trouble=answer.reason + (f"; {answer.fix}" if answer.fix else ""))
    if not ask:
        return ModelReport(spec=spec, context_tokens=answer.context_tokens, begins_replies=opened.can_begin_replies())
    question = opened.complete(_prompt(_QUESTION, None), _sampling(32), deadline_s=ANSWER_S)
    started = time.monotonic()
    written = opened.complete(_prompt(_TASK, _BEGIN), _sampling(400), deadline_s=ANSWER_S)
    seconds = time.monotonic() - started
    tokens = written.usage.completion_tokens if written.usage is not None else None
    return ModelReport(
        spec=spec,
        context_tokens=answer.context_tokens,
        tokens_per_s=tokens / seconds if tokens and seconds > 0 else None,
        begins_replies=opened.can_begin_replies(),
        knows_keyword=_KEYWORD in question.text,
        wrote_program=extract_code(written.text, _ENTRY).code is not None,
        cost_usd=_cost(spec, question, written),
    )


def _cost(spec: str, *completions: Completion) -> float | None:
    known = prices(spec)
    usages: list[TokenUsage] = [one.usage for one in completions if one.usage is not None]
    if known is None or len(usages) < len(completions):
        return None
    return sum(known.cost_usd(usage) for usage in usages)


def _prompt(text: str, begin: str | None) -> Prompt:
    return Prompt(messages=(Message(speaker=Speaker.USER, text=text),), template_hash="models", begin=begin)


def _sampling(tokens: int) -> Sampling:
    return Sampling(temperature=0.0, max_tokens=tokens, seed=1)
