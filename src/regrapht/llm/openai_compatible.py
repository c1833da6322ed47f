"""Any endpoint that speaks the OpenAI chat protocol: vLLM, SGLang, llama.cpp's server, LM Studio, a provider.

The official `openai` package builds the requests; retries, deadlines, caps and the reading of replies are ours, because the package
retries exhausted quotas, takes a cut stream for a complete one, and has no deadline for a whole call.
"""

import email.utils
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from regrapht import settings
from regrapht.errors import ModelRefused, ModelUnavailable, PrerequisiteMissing
from regrapht.llm.client import ModelAvailability, request_hash
from regrapht.llm.endpoint import Endpoint, parse_endpoint
from regrapht.llm.reply import Reply, error_message, read_reply
from regrapht.llm.retry import Clock, RetryPolicy, Transient, retrying
from regrapht.records.prompt import Completion, Prompt, Sampling

if TYPE_CHECKING:
    import httpx2

Answer = TypeVar("Answer")

_QUOTA = ("insufficient_quota", "billing", "exceeded your current quota", "credit balance")
_TRY_LATER = {408, 409, 425, 429}


@dataclass(frozen=True, slots=True, kw_only=True)
class CallLimits:
    """Deadlines of one call, in seconds."""

    connect_s: float = 5.0
    read_s: float = 180.0
    """Longest silence. Replies are streamed, so it covers reading the prompt and one token, not the whole reply."""
    total_s: float = 900.0
    """The whole call, retries and waits included."""
    retry: RetryPolicy = field(default_factory=RetryPolicy)


class OpenAICompatibleModel:
    """One model behind one endpoint. The key is read from the settings for each call, and appears in no message, record or file."""

    def __init__(self, endpoint: Endpoint, *, limits: CallLimits | None = None, clock: Clock | None = None) -> None:
        self.name = endpoint.model
        self.endpoint = endpoint
        self._limits = limits or CallLimits()
        self._clock = clock or Clock()
        self._openai = _import_openai()
        import httpx2

        # A connection for each call: the watchdog has to know whose socket it cuts. Proxies of the environment are not used: the
        # host that was named, and possibly allowed, is the one that gets the code.
        self._network = httpx2.HTTPTransport(limits=httpx2.Limits(max_keepalive_connections=0), retries=0)

    def availability(self) -> ModelAvailability:
        """Whether the server answers, and offers this model where it lists what it offers."""
        try:
            response = self._send("models", body=None, seconds=self._limits.connect_s * 2)
            names = [str(entry["id"]) for entry in response.json()["data"]]
        except Transient as error:
            return ModelAvailability(available=False, reason=str(error), fix=f"start the server of {self.endpoint.url}")
        except self._openai.APIStatusError as error:
            if error.status_code not in (401, 403):
                return ModelAvailability(available=True, reason="the server does not list its models")
            reason = f"{self.endpoint.url}: HTTP {error.status_code}"
            return ModelAvailability(available=False, reason=reason, fix="set REGRAPHT_API_KEY to a valid key")
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return ModelAvailability(available=True, reason="the server does not list its models")
        if self.name in names:
            return ModelAvailability(available=True)
        offered = ", ".join(names[:8])[:300] or "no model"
        return ModelAvailability(
            available=False,
            reason=f"{self.endpoint.url} offers {offered}, not {self.name}",
            fix="name one of these in --model",
        )

    def complete(self, prompt: Prompt, sampling: Sampling, *, deadline_s: float | None = None) -> Completion:
        """One reply, as `LanguageModel.complete` promises."""
        started = self._clock.now()
        body = _request_body(self.name, prompt, sampling)
        reply, attempts = self.answered("chat/completions", body, _read_completion, deadline_s=deadline_s)
        return Completion(
            text=_without(settings.model_key(), reply.text),  # a server may echo what it was sent
            finish=reply.finish,
            served_model=reply.served_model or self.name,
            request_hash=request_hash(self.name, prompt, sampling),
            usage=reply.usage,
            seconds=self._clock.now() - started,
            attempts=attempts,
        )

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
        started = self._clock.now()
        total_s = self._limits.total_s if deadline_s is None else min(deadline_s, self._limits.total_s)
        attempts = 0

        def attempt() -> Answer:
            nonlocal attempts
            attempts += 1
            remaining_s = started + total_s - self._clock.now()
            if remaining_s <= 0:
                raise Transient(f"no time left of {total_s:.0f} s")
            try:
                response = self._send(path, body=body, seconds=remaining_s)
            except self._openai.APIStatusError as error:
                raise self._status_trouble(error) from None
            return read(response)

        try:
            answer = retrying(attempt, policy=self._limits.retry, clock=self._clock, deadline=started + total_s)
        except ModelUnavailable as error:
            raise ModelUnavailable(f"{self.name} at {self.endpoint.url}: {error}") from error
        return answer, attempts

    def _send(self, path: str, *, body: dict[str, Any] | None, seconds: float) -> "httpx2.Response":
        """One request; the whole answer, which has a status of 200 to 299.

        Raises:
            Transient: There was no answer, or none that can be read.
            openai.APIStatusError: The answer has another status.
        """
        import httpx2

        from regrapht.llm.guarded_transport import GuardedTransport, Watchdog

        limits = self._limits
        key = settings.model_key()
        timeout = httpx2.Timeout(min(limits.read_s, seconds), connect=min(limits.connect_s, seconds))
        with Watchdog(seconds) as watchdog:
            http_client = httpx2.Client(
                transport=GuardedTransport(self._network, watchdog=watchdog),
                timeout=timeout,
                follow_redirects=False,
                trust_env=False,
            )
            client = self._openai.OpenAI(
                base_url=self.endpoint.url,
                api_key=key or "none",
                max_retries=0,
                timeout=timeout,
                http_client=http_client,
                default_headers={"Accept-Encoding": "identity"},
            )
            try:
                if body is None:
                    return client.get(f"/{path}", cast_to=httpx2.Response)
                return client.post(f"/{path}", cast_to=httpx2.Response, body=body)
            except self._openai.APITimeoutError as error:
                kind = type(error.__cause__).__name__.removesuffix("Timeout").lower()
                raise Transient(f"no answer in time ({kind or 'time'} limit)") from None
            except self._openai.APIConnectionError as error:
                raise Transient(_without(key, _connection_trouble(error))) from None

    def _status_trouble(self, error: Any) -> Exception:
        """What an answer with an error status means: `Transient`, or `ModelRefused` where no other request will do."""
        key = settings.model_key()
        status, said = error.status_code, _without(key, error_message(error.body))
        kind = f"{getattr(error, 'code', None)} {getattr(error, 'type', None)} {said}".lower()
        where = f"{self.name} at {self.endpoint.url}"
        if status == 429 and any(word in kind for word in _QUOTA):
            return ModelRefused(f"{where}: the quota is used up: {said}")
        if status in _TRY_LATER or status >= 500:
            return Transient(f"HTTP {status}: {said}", retry_after_s=_retry_after_s(error.response.headers))
        if status in (401, 403):
            hint = "check REGRAPHT_API_KEY" if key else "set REGRAPHT_API_KEY"
            return ModelRefused(f"{where}: HTTP {status}: {said}; {hint}")
        if status == 404:
            return ModelRefused(
                f"{where}: HTTP 404: {said}; check the model's name, and that the URL ends as the server's (/v1)"
            )
        if 300 <= status < 400:
            return ModelRefused(f"{where}: HTTP {status}: redirects are not followed; give the final URL")
        if "context" in kind:
            return ModelRefused(f"{where}: HTTP {status}: {said}; the prompt is too long: set the model's context size")
        return ModelRefused(f"{where}: HTTP {status}: {said}")


def open_endpoint(rest: str, *, allow_remote: bool) -> OpenAICompatibleModel:
    """The model that `openai:NAME@URL` names; `rest` is what follows the colon."""
    return OpenAICompatibleModel(parse_endpoint(rest, allow_remote=allow_remote))


def _read_completion(response: "httpx2.Response") -> Reply:
    return read_reply(response.content, content_type=response.headers.get("content-type", ""))


def _request_body(model: str, prompt: Prompt, sampling: Sampling) -> dict[str, Any]:
    parameters = {
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "max_tokens": sampling.max_tokens,
        "seed": sampling.seed,
    }
    return {
        "model": model,
        "messages": [{"role": message.speaker.value, "content": message.text} for message in prompt.messages],
        "stream": True,
        "stream_options": {"include_usage": True},
        **{name: value for name, value in parameters.items() if value is not None},
    }


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
