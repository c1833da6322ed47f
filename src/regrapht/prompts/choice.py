"""The short request that asks a model which of a few techniques fit a program, and the reading of its answer."""

import re
from collections.abc import Mapping, Sequence

from regrapht.prompts.fences import fenced
from regrapht.prompts.render import estimate_tokens
from regrapht.prompts.task_text import inline
from regrapht.prompts.templates import fill, templates_hash
from regrapht.records.prompt import Message, Prompt, Speaker
from regrapht.records.proposal import Proposal
from regrapht.records.technique import Technique

_THOUGHT = re.compile(r"^.*</(?:think|thinking|reasoning)>", re.DOTALL | re.IGNORECASE)
_REFUSED = re.compile(
    r"\b(?:not|no|none|never|cannot|can't|won't|doesn't|don't|isn't|aren't|skip|avoid|unsuitable|inapplicable|irrelevant|unless)\b",
    re.IGNORECASE,
)
_PARTS = re.compile(r"[,;|\n]|->|→|>|\. ")
_NUMBER = re.compile(r"\d+")
_WORDS = re.compile(r"[A-Za-z]")
_AROUND = re.compile(r"\b(?:and|then|techniques?|numbers?|answer|options?)\b", re.IGNORECASE)


def render_choice(
    proposal: Proposal, techniques: Mapping[str, Technique], *, room_tokens: int | None = None, shown: str = ""
) -> Prompt | None:
    """The prompt: the program, what the judge said of it, and what is to be chosen from with conditions.

    What the judge said is left out where the room is short; None where the program alone is too long for it.

    Args:
        shown: Text that tells of program and judge instead, as far as it fits: what the request for the chosen technique begins with
            (`render.shown_before_technique`), so that a model that keeps what it has read need not read that again.
    """
    assert proposal.parent is not None, "a choice is made at a program"
    parent = proposal.parent
    known = [techniques[slug] for slug in proposal.choices if slug in techniques]
    listed = "\n".join(f"{i}. `{one.slug}`: {inline(one.condition)}" for i, one in enumerate(known, start=1))
    if shown:
        prompt = _prompt("choose_below", {"shown": shown, "techniques": listed})
        if room_tokens is None or estimate_tokens(prompt) <= room_tokens:
            return prompt
    told = parent.verdict.feedback.strip()
    for feedback in (fill("feedback", {"text": fenced(told, "text")}) if told else "", ""):
        values = {"program": fenced(parent.candidate.source or "", "cuda"), "feedback": feedback, "techniques": listed}
        prompt = _prompt("choose", values, dropped=("feedback",) if told and not feedback else ())
        if room_tokens is None or estimate_tokens(prompt) <= room_tokens:
            return prompt
    return None


def _prompt(template: str, values: Mapping[str, str], *, dropped: tuple[str, ...] = ()) -> Prompt:
    messages = (
        Message(speaker=Speaker.SYSTEM, text=fill("system", {})),
        Message(speaker=Speaker.USER, text=fill(template, values)),
    )
    return Prompt(messages=messages, template_hash=templates_hash(), dropped=dropped)


def read_choice(reply: str, choices: Sequence[str], techniques: Mapping[str, Technique]) -> tuple[str, ...]:
    """The techniques that a reply names as fitting, in its order; empty where it names none.

    Names may be spelled as titles or aliases, with blanks or hyphens for underscores, in any case and markup; or the numbers of the list
    may stand alone. What is in one phrase with a `not` or the like is not chosen.
    """
    text = _THOUGHT.sub("", reply).replace("\u2019", "'")
    if _plain(text).startswith("none"):
        return ()
    known = [
        slug for slug in techniques if slug not in choices
    ]  # a longer name of another is not mistaken for a part of it
    spelled = {name: slug for slug in (*known, *reversed(choices)) for name in _names(slug, techniques.get(slug))}
    phrases = [phrase for phrase in _PARTS.split(text) if not _REFUSED.search(phrase)]
    found = [slug for phrase in phrases for slug in _named(f" {_plain(phrase)} ", spelled)]
    if not found:
        bare = [phrase for phrase in phrases if not _WORDS.search(_AROUND.sub("", phrase))]
        places = [int(number) - 1 for phrase in bare for number in _NUMBER.findall(phrase)]
        found = [choices[place] for place in places if 0 <= place < len(choices)]
    return tuple(slug for slug in dict.fromkeys(found) if slug in choices)


def _named(phrase: str, spelled: Mapping[str, str]) -> list[str]:
    """The techniques named in a phrase, in its order; of names that overlap, the longer one counts."""
    places: dict[int, str] = {}
    for name in sorted(spelled, key=lambda name: (-len(name), name)):
        start = phrase.find(f" {name} ")
        while start >= 0:
            places[start] = spelled[name]
            phrase = f"{phrase[:start]} {'#' * len(name)} {phrase[start + len(name) + 2 :]}"
            start = phrase.find(f" {name} ")
    return [places[start] for start in sorted(places)]


def _names(slug: str, technique: Technique | None) -> list[str]:
    spelled = [slug] if technique is None else [slug, technique.title, *technique.aliases]
    return [_plain(name) for name in spelled]


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[^a-z0-9]+", " ", text.lower()).split())
