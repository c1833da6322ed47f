"""Requests to a model's server over HTTP: one whole answer in one bounded time, retries and what a refusal means included.

The official `openai` package builds the requests; retries, deadlines, caps and the reading of replies are ours, because the package
retries exhausted quotas, takes a cut stream for a complete one, and has no deadline for a whole call.
"""

import email.utils
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from regrapht import settings
from regrapht.errors import ModelRefused, ModelUnavailable, PrerequisiteMissing, PromptTooLong
from regrapht.llm.endpoint import Endpoint
from regrapht.llm.hearing import Hearing, Speed
from regrapht.llm.reply import error_message
from regrapht.llm.retry import Clock, RetryPolicy, Transient, retrying

if TYPE_CHECKING:
    import httpx2

    from regrapht.llm.guarded_transport import Watchdog

Answer = TypeVar("Answer")

_QUOTA = ("insufficient_quota", "billing", "exceeded your current quota", "credit balance")
_TOO_LONG = re.compile(
    r"context|(?:prompt|input|request|inputs)(?: length)?\b.{0,60}(?:too (?:long|large)|exceeds?)|too many (?:input )?tokens|must be <= \d+"
)
"""As vLLM, SGLang, TGI, llama.cpp and providers say it."""
_TRY_LATER = {408, 409, 425, 429}
_GIVEN_UP = "given up: the run is over"


@dataclass(frozen=True, slots=True, kw_only=True)
class CallLimits:
    """Deadlines of one call, in seconds."""

    connect_s: float = 5.0
    read_s: float = 180.0
    """Longest silence. Replies are streamed, so it covers reading the prompt and one token, not the whole reply."""
    total_s: float = 900.0
    """The whole call, retries and waits included."""
    retry: RetryPolicy = field(default_factory=RetryPolicy)


class RequestNotAccepted(ModelRefused):
    """The server wants the request otherwise. `said` is its complaint."""

    def __init__(self, message: str, *, said: str) -> None:
        super().__init__(message)
        self.said = said


class EndpointCalls:
    """Requests to one endpoint. The key is read from the settings for each call, and appears in no message, record or file.

    Args:
        endpoint: Where to, and the model's name for messages.
        limits: Deadlines.
        clock: Time and chance.
        key: The key; None is that of the settings.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        limits: CallLimits | None = None,
        clock: Clock | None = None,
        key: str | None = None,
    ) -> None:
        self.endpoint = endpoint
        self.limits = limits or CallLimits()
        self._closed = threading.Event()
        self.clock = clock or Clock(sleep=self._sleep)
        self._key = key
        self.openai = _import_openai()
        self._watched: set[Watchdog] = set()
        self._hearings: list[Hearing] = []
        self.speed: Speed | None = None
        """As the server said at the end of the last answer; None where it says nothing of the kind."""
        self._lock = threading.Lock()
        import httpx2

        # A connection for each call: the watchdog has to know whose socket it cuts. Proxies of the environment are not used: the
        # host that was named, and possibly allowed, is the one that gets the code.
        self._network = httpx2.HTTPTransport(limits=httpx2.Limits(max_keepalive_connections=0), retries=0)

    def close(self) -> None:
        """Cut the calls that are out, which then raise `ModelUnavailable`, and take no more."""
        self._closed.set()
        with self._lock:
            for watchdog in self._watched:
                watchdog.cut()

    def doing(self) -> str:
        """What the oldest call that is out is at, for a person; empty where none is."""
        with self._lock:
            oldest = next(iter(self._hearings), None)
        return "" if oldest is None else oldest.words() or "waiting for the model"

    def key(self) -> str | None:
        return self._key or settings.model_key()

    def without_key(self, text: str) -> str:
        """The text with the key masked, which a server may echo."""
        return _without(self.key(), text)

    def _sleep(self, seconds: float) -> None:
        self._closed.wait(seconds)

    def answered(
        self,
        path: str,
        body: dict[str, Any],
        read: "Callable[[httpx2.Response], Answer]",
        *,
        deadline_s: float | None = None,
    ) -> tuple[Answer, int]:
        """What `read` makes of the server's answer to `body`, and how many requests it took.

        Args:
            path: Below the endpoint's URL, such as `chat/completions`.
            body: The request's JSON.
            read: Raises `Transient` for an answer that cannot be read: the request is then sent again.
            deadline_s: As `complete`'s.

        Raises:
            ModelUnavailable, ModelRefused: As `complete`.
        """
        started = self.clock.now()
        total_s = self.limits.total_s if deadline_s is None else min(deadline_s, self.limits.total_s)
        attempts = 0

        def attempt() -> Answer:
            nonlocal attempts
            attempts += 1
            if self._closed.is_set():
                raise ModelUnavailable(_GIVEN_UP)
            remaining_s = started + total_s - self.clock.now()
            if remaining_s <= 0:
                raise Transient(f"no time left of {total_s:.0f} s")
            try:
                response = self.send(path, body=body, seconds=remaining_s)
            except self.openai.APIStatusError as error:
                raise self._status_trouble(error) from None
            return read(response)

        try:
            answer = retrying(attempt, policy=self.limits.retry, clock=self.clock, deadline=started + total_s)
        except ModelUnavailable as error:
            raise ModelUnavailable(f"{self.endpoint.model} at {self.endpoint.url}: {error}") from error.__cause__
        return answer, attempts

    def send(self, path: str, *, body: dict[str, Any] | None, seconds: float) -> "httpx2.Response":
        """One request; the whole answer, which has a status of 200 to 299.

        Raises:
            Transient: There was no answer, or none that can be read.
            openai.APIStatusError: The answer has another status.
        """
        import httpx2

        from regrapht.llm.guarded_transport import GuardedTransport, Watchdog

        limits = self.limits
        timeout = httpx2.Timeout(min(limits.read_s, seconds), connect=min(limits.connect_s, seconds))
        with Watchdog(seconds) as watchdog, self._watching(watchdog), self._hearing() as hearing:
            http_client = httpx2.Client(
                transport=GuardedTransport(self._network, watchdog=watchdog, heard=hearing.take),
                timeout=timeout,
                follow_redirects=False,
                trust_env=False,
            )
            client = self.openai.OpenAI(
                base_url=self.endpoint.url,
                api_key=self.key() or "none",
                max_retries=0,
                timeout=timeout,
                http_client=http_client,
                default_headers={"Accept-Encoding": "identity"},
            )
            try:
                if body is None:
                    return client.get(f"/{path}", cast_to=httpx2.Response)
                return client.post(f"/{path}", cast_to=httpx2.Response, body=body)
            except self.openai.APITimeoutError as error:
                kind = type(error.__cause__).__name__.removesuffix("Timeout").lower()
                raise Transient(f"no answer in time ({kind or 'time'} limit)") from None
            except self.openai.APIConnectionError as error:
                raise Transient(self.without_key(_connection_trouble(error))) from None

    @contextmanager
    def _watching(self, watchdog: "Watchdog") -> Iterator[None]:
        with self._lock:
            self._watched.add(watchdog)
        try:
            yield
        finally:
            with self._lock:
                self._watched.discard(watchdog)

    @contextmanager
    def _hearing(self) -> Iterator[Hearing]:
        hearing = Hearing()
        with self._lock:
            self._hearings.append(hearing)
        try:
            yield hearing
        finally:
            with self._lock:
                self._hearings.remove(hearing)
                if hearing.speed is not None:
                    self.speed = hearing.speed.before(self.speed)

    def _status_trouble(self, error: Any) -> Exception:
        """What an answer with an error status means: `Transient`, or `ModelRefused` where no other request will do."""
        status, said = error.status_code, self.without_key(error_message(error.body))
        kind = f"{getattr(error, 'code', None)} {getattr(error, 'type', None)} {said}".lower()
        where = f"{self.endpoint.model} at {self.endpoint.url}"
        if status == 429 and any(word in kind for word in _QUOTA):
            return ModelRefused(f"{where}: the quota is used up: {said}")
        if status in _TRY_LATER or status >= 500:
            return Transient(
                f"HTTP {status}: {said}", retry_after_s=_retry_after_s(error.response.headers), status=status
            )
        if status in (401, 403):
            hint = "check REGRAPHT_API_KEY" if self.key() else "set REGRAPHT_API_KEY"
            return ModelRefused(f"{where}: HTTP {status}: {said}; {hint}")
        if status == 404:
            return ModelRefused(
                f"{where}: HTTP 404: {said}; check the model's name, and that the URL ends as the server's (/v1)"
            )
        if 300 <= status < 400:
            return ModelRefused(f"{where}: HTTP {status}: redirects are not followed; give the final URL")
        if status == 413 or _TOO_LONG.search(kind):
            return PromptTooLong(
                f"{where}: HTTP {status}: {said}; the prompt is too long: set the model's context size"
            )
        return RequestNotAccepted(f"{where}: HTTP {status}: {said}", said=said)


def _connection_trouble(error: Exception) -> str:
    cause = error.__cause__
    return f"the connection failed: {cause or error}"[:300]


def _retry_after_s(headers: Any) -> float | None:
    """Seconds that the server asks to wait: a number, or a date; None where it says neither."""
    said = headers.get("retry-after")
    if said is None:
        return None
    try:
        seconds = float(said)
    except ValueError:
        try:
            seconds = email.utils.parsedate_to_datetime(said).timestamp() - time.time()
        except (ValueError, TypeError):
            return None
    return seconds if 0 <= seconds < float("inf") else None


def _without(secret: str | None, text: str) -> str:
    return text.replace(secret, "[key]") if secret else text


def _import_openai() -> Any:
    try:
        import httpx2  # noqa: F401
        import openai
    except ImportError as error:
        raise PrerequisiteMissing(
            f'talking to a model\'s endpoint needs the openai package ({error}): pip install "regrapht[models]"'
        ) from error
    return openai
