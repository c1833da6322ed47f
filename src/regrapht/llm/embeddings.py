"""Vectors for texts from any endpoint that speaks the OpenAI embeddings protocol (`POST /v1/embeddings`), kept by content.

    embed = open_embeddings("NAME@http://127.0.0.1:8000/v1", cache=folder)
    rows = embed(["int f();", "int g();"])

Requests, deadlines, retries and the rule that code leaves the machine only when allowed are the language models'
(`llm.endpoint_calls`). A text is sent once: its vector is kept in memory and, with a folder, in a file named by the hash of endpoint,
model and text. Fits `graph.code_likeness.EmbeddingLikeness`.
"""

import hashlib
import io
import json
import os
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from regrapht.errors import ModelRefused, SchemaError, StoreUnavailable
from regrapht.llm.endpoint import Endpoint, parse_endpoint
from regrapht.llm.endpoint_calls import CallLimits, EndpointCalls
from regrapht.llm.retry import Clock, Transient

if TYPE_CHECKING:
    import httpx2

BATCH = 32
"""Texts in one request: an answer of 32 vectors of 4096 numbers is about 3 MB, below the 8 MiB that an answer may have."""
MAX_LENGTH = 65536


class EmbeddingModel:
    """One embedding model behind one endpoint, with the vectors it has given.

    Args:
        endpoint: Where it is served.
        cache: A folder that outlives the process; None to keep vectors in memory only.
        limits: Deadlines of one request.
        clock: Time and chance.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        cache: Path | None = None,
        limits: CallLimits | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._calls = EndpointCalls(endpoint, limits=limits, clock=clock)
        self._cache = cache
        self._kept: dict[str, np.ndarray] = {}

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        """One row a text, in 32-bit floats.

        Raises:
            ModelUnavailable, ModelRefused: As a language model's.
            SchemaError: A file of the cache is damaged, or vectors have different lengths.
            StoreUnavailable: The cache cannot be read or written.
        """
        keys = [self._key(text) for text in texts]
        wanted = {key: text for key, text in zip(keys, texts, strict=True) if not self._recall(key)}
        order = list(wanted)
        for first in range(0, len(order), BATCH):
            batch = order[first : first + BATCH]
            for key, vector in zip(batch, self._ask([wanted[key] for key in batch]), strict=True):
                self._keep(key, vector)
        rows = [self._kept[key] for key in keys]
        if len({len(row) for row in rows}) > 1:
            raise SchemaError(
                f"vectors of {self._calls.endpoint.model} have different lengths; empty the cache {self._cache or ''}"
            )
        return np.stack(rows) if rows else np.zeros((0, 0), dtype=np.float32)

    def _ask(self, texts: Sequence[str]) -> np.ndarray:
        body = {"model": self._calls.endpoint.model, "input": list(texts), "encoding_format": "float"}
        rows, _ = self._calls.answered("embeddings", body, lambda response: _read_vectors(response, len(texts)))
        return rows

    def _key(self, text: str) -> str:
        asked = json.dumps([self._calls.endpoint.url, self._calls.endpoint.model, text])
        return hashlib.sha256(asked.encode()).hexdigest()

    def _recall(self, key: str) -> bool:
        if key in self._kept:
            return True
        if self._cache is None:
            return False
        path = self._file(key)
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return False
        except OSError as error:
            raise StoreUnavailable(f"cannot read {path}: {error.strerror or error}") from error
        try:
            vector = np.load(io.BytesIO(data), allow_pickle=False)
        except (ValueError, EOFError, OSError) as error:
            raise SchemaError(f"{path} is damaged ({error}); delete it") from error
        if vector.ndim != 1 or vector.dtype != np.float32 or not np.isfinite(vector).all():
            raise SchemaError(f"{path} holds no vector of 32-bit floats; delete it")
        self._kept[key] = vector
        return True

    def _keep(self, key: str, vector: np.ndarray) -> None:
        self._kept[key] = vector
        if self._cache is None:
            return
        path = self._file(key)
        data = io.BytesIO()
        np.save(data, vector, allow_pickle=False)
        part = path.with_name(f".{os.getpid()}-{secrets.token_hex(4)}.part")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            part.write_bytes(data.getvalue())
            os.replace(part, path)
        except OSError as error:
            raise StoreUnavailable(f"cannot write {path}: {error.strerror or error}") from error

    def _file(self, key: str) -> Path:
        assert self._cache is not None
        return self._cache / key[:2] / f"{key[2:]}.npy"


def open_embeddings(
    text: str, *, allow_remote: bool = False, cache: Path | None = None, limits: CallLimits | None = None
) -> EmbeddingModel:
    """The embedding model that `NAME@URL` names; nothing is sent yet.

    Raises:
        ConfigError: As `parse_endpoint`'s.
        PrerequisiteMissing: The `openai` package is not installed.
    """
    return EmbeddingModel(parse_endpoint(text, allow_remote=allow_remote), cache=cache, limits=limits)


def _read_vectors(response: "httpx2.Response", number: int) -> np.ndarray:
    """The vectors of an answer in the order of the texts.

    Raises:
        Transient: The answer is none to `number` texts.
        ModelRefused: It holds vectors that no other answer would mend: too long, or of no numbers.
    """
    try:
        entries = response.json()["data"]
        by_place = {int(entry["index"]): entry["embedding"] for entry in entries}
        listed = [by_place[place] for place in range(number)]
        if len(entries) != number:
            raise ValueError(f"{len(entries)} vectors for {number} texts")
        rows = np.array(listed, dtype=np.float32)
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError, OverflowError) as error:
        raise Transient(
            f"the answer is no list of {number} embeddings ({type(error).__name__}: {error})"[:300]
        ) from None
    if rows.ndim != 2 or not 0 < rows.shape[1] <= MAX_LENGTH or not np.isfinite(rows).all():
        raise ModelRefused(
            f"expected finite vectors of 1 to {MAX_LENGTH} numbers, found an array of shape {rows.shape}"
        )
    return rows
