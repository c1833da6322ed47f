"""How alike programs are, for retrieval: TF-IDF over code tokens in numpy, with structure, or any other measure behind the same interface.

Tokens are identifiers, whole and split at underscores and capitals, so that `rowSum` meets `row_sum`; comments, numbers and punctuation do
not count. Term frequencies are sublinear, vectors have length 1, likeness is their cosine. Structure is `graph.code_features`.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Protocol

import numpy as np

from regrapht.graph.code_features import code_features

CLOSEST = 4
"""Programs, the most alike by tokens, among which structure decides: reading the structure of all would take ten times as long."""
_COLUMNS_AT_ONCE = 2048
_COMMENT = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_WORD = re.compile(r"[A-Za-z_]\w*")
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")


class Likeness(Protocol):
    """A measure of how alike programs are."""

    def likeness(self, program: str, others: Sequence[str]) -> np.ndarray:
        """One number for each of the others; larger is more alike, and only the order matters."""
        ...


class TokenLikeness:
    """Tokens for all, and structure among the closest; needs nothing but the texts. Milliseconds for a hundred programs."""

    def likeness(self, program: str, others: Sequence[str]) -> np.ndarray:
        """0 to 2 for each of the others."""
        found = token_likeness(program, others)
        closest = np.argsort(-found, kind="stable")[:CLOSEST]
        found[closest] += structural_likeness(program, [others[place] for place in closest])
        return found


def token_likeness(program: str, others: Sequence[str]) -> np.ndarray:
    """0 to 1 for each of the others, 1 for the same tokens as often.

    The cosine of term frequencies, where a token of `program` weighs by how few of these programs hold it, and every other token as one
    that none holds: so lengths need no second pass over the others. `TokenIndex` has the usual weights, for many questions.
    """
    mine, theirs = code_tokens(program), [code_tokens(text) for text in others]
    rarest = math.log(1 + len(others)) + 1
    shared, own = np.zeros(len(others)), 0.0
    squares = rarest * np.array([_length(text) ** 2 for text in others])
    for word, number in mine.items():
        holders = [(place, tokens[word]) for place, tokens in enumerate(theirs) if word in tokens]
        rarity, often = rarest - math.log(1 + len(holders)), 1 + math.log(number)
        own += rarity * often**2
        for place, count in holders:
            weight = 1 + math.log(count)
            shared[place] += rarity * often * weight
            squares[place] -= (rarest - rarity) * weight**2
    return shared / np.maximum(np.sqrt(own * squares), 1e-12)


class EmbeddingLikeness:
    """Cosines of vectors that a model gives.

    Args:
        embed: Texts to an array of one row each; what it raises goes through. Vectors are kept.
    """

    def __init__(self, embed: Callable[[Sequence[str]], np.ndarray]) -> None:
        self._embed = embed
        self._vectors: dict[str, np.ndarray] = {}

    def likeness(self, program: str, others: Sequence[str]) -> np.ndarray:
        """-1 to 1 for each of the others."""
        new = [text for text in dict.fromkeys((program, *others)) if text not in self._vectors]
        if new:
            rows = np.asarray(self._embed(new), dtype=float)
            if rows.ndim != 2 or len(rows) != len(new) or not np.isfinite(rows).all():
                raise ValueError(f"expected {len(new)} finite vectors, found an array of shape {rows.shape}")
            lengths = np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
            self._vectors.update(zip(new, rows / lengths, strict=True))
        if not others:
            return np.zeros(0)
        return np.stack([self._vectors[text] for text in others]) @ self._vectors[program]


class TokenIndex:
    """An inverted index over programs: for each token the programs that hold it, with weights."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._count = len(texts)
        counts = [code_tokens(text) for text in texts]
        self._column: dict[str, int] = {}
        rows, columns, weights = [], [], []
        for row, found in enumerate(counts):
            for word, number in found.items():
                rows.append(row)
                columns.append(self._column.setdefault(word, len(self._column)))
                weights.append(1 + math.log(number))
        row_of, column_of = np.array(rows, dtype=np.int64), np.array(columns, dtype=np.int64)
        holding = np.bincount(column_of, minlength=len(self._column))
        self._idf = np.log((1 + self._count) / (1 + holding)) + 1
        weight = np.array(weights, dtype=float) * self._idf[column_of]
        lengths = np.sqrt(np.bincount(row_of, weights=weight**2, minlength=self._count))
        order = np.argsort(column_of, kind="stable")
        self._rows, self._weights = row_of[order], (weight / np.maximum(lengths[row_of], 1e-12))[order]
        self._starts = np.concatenate([[0], np.cumsum(holding)]).astype(np.int64)

    def all_cosines(self) -> np.ndarray:
        """The cosine of every text of the index with every other, 0 to 1; one row a text."""
        found = np.zeros((self._count, self._count))
        for first in range(0, len(self._starts) - 1, _COLUMNS_AT_ONCE):
            starts = self._starts[first : first + _COLUMNS_AT_ONCE + 1]
            part = slice(starts[0], starts[-1])
            columns = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
            block = np.zeros((self._count, len(starts) - 1))
            block[self._rows[part], columns] = self._weights[part]
            found += block @ block.T
        return found

    def cosines(self, program: str) -> np.ndarray:
        """The cosine of `program` with each text of the index, 0 to 1. Tokens that the index lacks count for the length alone."""
        found = np.zeros(self._count)
        length = 0.0
        for word, number in code_tokens(program).items():
            column = self._column.get(word)
            idf = math.log(1 + self._count) + 1 if column is None else float(self._idf[column])
            weight = (1 + math.log(number)) * idf
            length += weight * weight
            if column is not None:
                part = slice(self._starts[column], self._starts[column + 1])
                found[self._rows[part]] += weight * self._weights[part]
        return found / max(math.sqrt(length), 1e-12)


def structural_likeness(program: str, others: Sequence[str]) -> np.ndarray:
    """exp(-d2 / 2) for each of the others, with d2 the mean squared difference of features; 1 for equal features."""
    if not others:
        return np.zeros(0)
    theirs = np.stack([code_features(text) for text in others])
    found: np.ndarray = np.exp(-((theirs - code_features(program)) ** 2).mean(axis=1) / 2)
    return found


@lru_cache(maxsize=8192)
def _length(source: str) -> float:
    return math.sqrt(sum((1 + math.log(number)) ** 2 for number in code_tokens(source).values()))


@lru_cache(maxsize=8192)
def code_tokens(source: str) -> Counter[str]:
    """Identifiers and their parts with their numbers; linear in the length of the text, any text."""
    words = _WORD.findall(_COMMENT.sub(" ", source))
    found = Counter(words)
    for word, number in list(found.items()):
        parts = _PART.findall(word)
        if len(parts) > 1:
            for part in parts:
                found[part.lower()] += number
    return found
