"""A model's label for a step whose author used words that the vocabulary does not know.

The answer is a choice from a closed list, or a new technique that has to pass the vocabulary's own rules. Whatever else comes back loses
the step's label, and is counted by its reason.
"""

import json
import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from regrapht.construct.prompts import label_prompt
from regrapht.construct.trajectory_reply import UNNAMED
from regrapht.errors import SchemaError
from regrapht.graph.vocabulary import Vocabulary, name_key
from regrapht.llm.client import LanguageModel
from regrapht.prompts.fences import fenced_blocks
from regrapht.records.prompt import Sampling
from regrapht.records.technique import Area, Technique
from regrapht.records.trajectory import Step

MAX_ANSWER_TOKENS = 1024
_LIMITS = {"slug": 64, "title": 80, "area": 20, "meaning": 1500, "condition": 800}


@dataclass(frozen=True, slots=True)
class Label:
    """What was made of one step's words."""

    slug: str | None
    kind: str
    """`chosen`, `new`, `none` (the model says that no technique fits) or `wrong: REASON`."""


class ModelLabeller:
    """Asks a model once for each name, and keeps what it declares new. Safe for several threads.

    Args:
        model: Who is asked.
        vocabulary: The techniques known beforehand, with those that the corpus declared earlier.
    """

    def __init__(self, model: LanguageModel, vocabulary: Vocabulary) -> None:
        self._model, self._vocabulary = model, vocabulary
        self._declared: dict[str, Technique] = {}
        self._known: dict[str, Label] = {}
        self._lock = threading.Lock()

    @property
    def declared(self) -> Mapping[str, Technique]:
        """The techniques declared new so far."""
        return dict(self._declared)

    def label(self, step: Step) -> Label:
        """The label of a step.

        Raises:
            ModelUnavailable, ModelRefused: As the model's.
        """
        key = name_key(step.method)
        with self._lock:
            slug = self._vocabulary.resolve(step.method)
            if slug is not None or key in self._known:
                return self._known[key] if slug is None else Label(slug, "chosen")
            techniques = dict(self._vocabulary.techniques)
        prompt = label_prompt(step, techniques)
        completion = self._model.complete(prompt, Sampling(temperature=0.0, max_tokens=MAX_ANSWER_TOKENS))
        with self._lock:
            label = self._read(completion.text)
            if key and step.method != UNNAMED:
                self._known[key] = label
            return label

    def _read(self, text: str) -> Label:
        answer = _object(text)
        if answer is None:
            return Label(None, "wrong: no JSON object")
        if "new" in answer:
            return self._declare(answer["new"])
        chosen = answer.get("technique", "")
        if chosen is None:
            return Label(None, "none")
        slug = self._vocabulary.resolve(chosen) if isinstance(chosen, str) and name_key(chosen) else None
        return Label(None, "wrong: no such technique") if slug is None else Label(slug, "chosen")

    def _declare(self, plain: object) -> Label:
        try:
            technique = _technique(plain)
            same = self._vocabulary.resolve(technique.slug) or self._vocabulary.resolve(technique.title)
            if same is not None:
                return Label(same, "chosen")
            techniques = {**self._vocabulary.techniques, technique.slug: technique}
            self._vocabulary = Vocabulary(techniques=techniques, features=self._vocabulary.features)
        except SchemaError:
            return Label(None, "wrong: no sound definition")
        self._declared[technique.slug] = technique
        return Label(technique.slug, "new")


def _technique(plain: object) -> Technique:
    if not isinstance(plain, dict):
        raise SchemaError("a definition is an object")
    texts = {}
    for key, limit in _LIMITS.items():
        value = plain.get(key)
        if not isinstance(value, str) or not value.strip() or len(value) > limit:
            raise SchemaError(f"{key} is not a text of 1 to {limit} characters")
        texts[key] = " ".join(value.encode("utf-8", "replace").decode().split())
    if texts["area"] not in list(Area):
        raise SchemaError(f"{texts['area']!r} is no area")
    return Technique(
        slug=texts["slug"],
        title=texts["title"],
        area=Area(texts["area"]),
        meaning=texts["meaning"],
        condition=texts["condition"],
    )


def _object(text: str) -> dict[str, Any] | None:
    """The last JSON object in the answer, in a block or bare."""
    candidates = [block.text for block in fenced_blocks(text) if "{" in block.text] or [text]
    for candidate in reversed(candidates):
        for start in re.finditer(r"\{\s*\"(?:technique|new)\"", candidate):
            try:
                plain, _ = json.JSONDecoder(strict=False).raw_decode(candidate, start.start())
            except (ValueError, RecursionError):
                continue
            if isinstance(plain, dict):
                return plain
    return None
