"""`gguf:FILE`: a model in a file, run by llama.cpp. No server to start, no key, nothing downloaded.

llama.cpp works in a process of its own, because it ends the process that it is in on some inputs, and is asked as any server is: over
loopback, with a key that only the two know. It loads once, when the model is first needed, and keeps what it computed of a prompt for the
next one that begins alike. Needs the package xllamacpp (extra `local`).
"""

import json
import logging
import re
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
import weakref
from importlib.util import find_spec
from pathlib import Path
from typing import IO

from regrapht.errors import ConfigError, ModelUnavailable, PrerequisiteMissing
from regrapht.llm import begun
from regrapht.llm.client import ModelAvailability, ModelOptions
from regrapht.llm.endpoint import parse_endpoint
from regrapht.llm.endpoint_calls import CallLimits
from regrapht.llm.gguf_header import GgufHeader, read_header
from regrapht.llm.hearing import PROGRESS, Speed
from regrapht.llm.machine_room import free_bytes, idle_cores
from regrapht.llm.openai_compatible import OpenAICompatibleModel
from regrapht.records.prompt import Completion, Prompt, Sampling

CONTEXT = 16384
"""Tokens of context that are enough for a prompt and a reply; taken where model and memory have them."""
REPLY = 2048
"""Tokens of a reply where no other limit is asked for: a small model that has not ended by then will not, and a processor writes ten of
them a second."""
_LEAST_CONTEXT = 2048
_WORKING_BYTES = 400 * 2**20
"""What llama.cpp needs besides weights and context, for a small model."""
_LIMITS = CallLimits(connect_s=10.0, read_s=3600.0, total_s=7200.0)
"""A processor that is busy with other work takes minutes to read a long prompt; a run's own limits bind before."""

_log = logging.getLogger(__name__)


class GgufModel:
    """The model in one file. Its process starts with the first use, and again should it have ended.

    Args:
        path: The file.
        context_tokens: How much context to keep; None takes `CONTEXT`, or what the model was trained for and memory allows.

    Raises:
        ConfigError: The file is missing, damaged, no chat model, or too large for this machine.
        PrerequisiteMissing: xllamacpp is not installed.
    """

    keeps_what_it_reads = True
    """Of a prompt for the next one that begins alike, from the first on."""

    def __init__(self, path: Path, *, context_tokens: int | None = None) -> None:
        self.name = path.name.removesuffix(".gguf")
        self.path = path
        self.header = read_header(path)
        self.context_tokens = _chosen_context(path, self.header, context_tokens)
        if find_spec("xllamacpp") is None:
            raise PrerequisiteMissing('a GGUF model is run by llama.cpp (xllamacpp): pip install "regrapht[local]"')
        self._lock = threading.Lock()
        self._closed = False
        self._running: _Running | None = None

    def availability(self) -> ModelAvailability:
        """Whether it loads; it is loaded then.

        Raises:
            ConfigError: llama.cpp does not take the file.
        """
        self._started()
        return ModelAvailability(available=True, context_tokens=self.context_tokens, reply_tokens=REPLY)

    def can_begin_replies(self) -> bool | None:
        return True

    def doing(self) -> str:
        """What the call that is out is at, in words; empty where none is."""
        running = self._running
        return "" if running is None else running.model.doing()

    @property
    def speed(self) -> Speed | None:
        """How fast it read its last long prompt and wrote its last reply on this machine; None before the first."""
        running = self._running
        return None if running is None else running.model.speed

    def complete(self, prompt: Prompt, sampling: Sampling, *, deadline_s: float | None = None) -> Completion:
        """One reply, as `LanguageModel.complete` promises."""
        running = self._started()
        try:
            return running.model.complete(prompt, sampling, deadline_s=deadline_s)
        except ModelUnavailable as error:
            if (ended := running.how_it_ended()) is None:
                raise
            raise ModelUnavailable(f"{self.name}: llama.cpp ended while it was asked ({ended})") from error

    def close(self) -> None:
        """End the process, which gives up what it is asked."""
        with self._lock:
            self._closed = True
            if self._running is not None:
                self._running.end()

    def _started(self) -> "_Running":
        with self._lock:
            if self._closed:
                raise ModelUnavailable(f"{self.name} is closed")
            if self._running is None or self._running.how_it_ended() is not None:
                size = f"{self.header.file_bytes / 2**30:.1f} GiB, {self.context_tokens} tokens of context"
                _log.info("loading %s (%s)", self.path, size)
                self._running = _Running(self.path, self.context_tokens)
                weakref.finalize(self, self._running.end)
            return self._running


class _Running:
    """llama.cpp at work on one file.

    Raises:
        ConfigError: It does not take the file.
    """

    def __init__(self, path: Path, context_tokens: int) -> None:
        key = secrets.token_urlsafe(24)
        command = [
            sys.executable,
            "-m",
            "regrapht.llm.gguf_process",
            str(path),
            str(context_tokens),
            str(idle_cores()),
        ]
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the process
        # In a session of its own: a Ctrl-C on the terminal is for the run, which then ends this.
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            text=True,
            start_new_session=True,
        )
        try:
            answer = self._answer(key)
        except BaseException:
            self.end()
            raise
        if (url := answer.get("url")) is None:
            code = self.process.wait()
            raise ConfigError(
                f"llama.cpp cannot run {path}: {self._complaint(answer.get('error') or f'it ended with code {code}')}"
            )
        endpoint = parse_endpoint(f"{path.name.removesuffix('.gguf')}@{url}", allow_remote=False)
        begun.remember(endpoint.url, endpoint.model, True)
        self.model = OpenAICompatibleModel(endpoint, limits=_LIMITS, key=key, extra=PROGRESS)

    def _answer(self, key: str) -> dict[str, str]:
        """Its `url`, once it serves; else its `error`, or nothing where it ended without a word."""
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin is not None and stdout is not None
        try:
            stdin.write(key + "\n")
            stdin.flush()
            answer: dict[str, str] = json.loads(stdout.readline() or "{}")
        except (BrokenPipeError, ValueError):
            return {}
        return answer

    def how_it_ended(self) -> str | None:
        """In words; None while it runs."""
        code = self.process.poll()
        if code is None:
            return None
        if code == -signal.SIGKILL:
            return "it was killed: most likely memory ran out; take a smaller model or --context-tokens"
        return f"{signal.Signals(-code).name if code < 0 else f'code {code}'}: {self._complaint()}"

    def end(self) -> None:
        """End the process; again is no harm."""
        if hasattr(self, "model"):
            self.model.close()
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                _close(stream)

    def _complaint(self, otherwise: str = "it gave no reason") -> str:
        """What llama.cpp found wrong, and what to do."""
        self._said.seek(0)
        return complaint(self._said.read()[-20000:].decode("utf-8", "replace"), otherwise)


_STAMP = re.compile(r"^\d+(?:\.\d+)+ E (?:\w+ +)?\w+: +")
"""Before each line of llama.cpp's log that tells an error: when, where."""
_NO_MEMORY = re.compile(r"insufficient memory|(?:failed|unable) to allocate|out of memory", re.IGNORECASE)


def complaint(log: str, otherwise: str = "it gave no reason") -> str:
    """The first thing that llama.cpp's log calls an error, in its own words, with what to do where that is known; else its last line.

    Args:
        otherwise: What is known where the log is empty.
    """
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    wrong = [line.rpartition("error loading model: ")[2] for line in lines if "error loading model: " in line]
    errors = [_STAMP.sub("", line) for line in lines if _STAMP.match(line)]
    memory = [line for line in errors if _NO_MEMORY.search(line)]
    said = (memory[:1] or wrong[-1:] or errors[:1] or lines[-1:] or [otherwise])[0]
    if memory:
        return f"{said[:300]}; end other programs, lower --context-tokens, or take a smaller model"
    advice = "; this version of llama.cpp does not know it: upgrade xllamacpp, or take another model"
    return said[:300] + (advice if "unknown model architecture" in said else "")


def open_gguf(rest: str, options: ModelOptions) -> GgufModel:
    """The model that `gguf:FILE` names.

    Raises:
        ConfigError, PrerequisiteMissing: As `GgufModel`'s.
    """
    return GgufModel(Path(rest).expanduser(), context_tokens=options.context_tokens)


def _chosen_context(path: Path, header: GgufHeader, asked: int | None) -> int:
    """Tokens of context that fit the model and this machine's memory.

    Raises:
        ConfigError: More was asked for than the model takes, or memory does not hold the model.
    """
    if asked is not None and asked > header.context_tokens:
        raise ConfigError(
            f"{path.name} was trained for {header.context_tokens} tokens of context, not {asked}: lower --context-tokens"
        )
    context = asked or min(CONTEXT, header.context_tokens)
    free = free_bytes()
    if free is None:
        return context
    for_weights = header.file_bytes + _WORKING_BYTES
    while asked is None and context > _LEAST_CONTEXT and for_weights + context * header.context_bytes > free:
        context //= 2
    needed = for_weights + context * header.context_bytes
    if needed > free:
        raise ConfigError(
            f"{path.name} needs about {needed / 2**30:.1f} GiB of memory with {context} tokens of context, "
            f"and {free / 2**30:.1f} GiB are free: "
            "take a smaller model or quantisation" + (", or lower --context-tokens" if asked is not None else "")
        )
    return context


def _close(stream: IO[str]) -> None:
    try:
        stream.close()
    except OSError:  # what was still to be written has no reader any more
        return
