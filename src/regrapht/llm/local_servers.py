"""Which models this machine's servers offer: Ollama, and what speaks the OpenAI protocol on the ports that such servers use.

No key is sent: what listens on a port need not be what one thinks.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from regrapht.llm.client import ModelOptions
from regrapht.llm.endpoint import Endpoint
from regrapht.llm.endpoint_calls import CallLimits, EndpointCalls
from regrapht.llm.ollama import URL, open_ollama
from regrapht.llm.retry import Transient

PORTS = {8000: "vLLM", 8080: "llama.cpp", 30000: "SGLang", 1234: "LM Studio", 5000: "text-generation-webui"}
_NO_KEY = "none"
_LIMITS = CallLimits(connect_s=1.0, read_s=3.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """What one place has. `specs` is empty where `trouble` says why."""

    place: str
    specs: tuple[str, ...] = ()
    trouble: str = ""
    """Empty, too, where nothing listens at all."""


def offers() -> Iterator[Offer]:
    """What each place answers, Ollama first."""
    model = open_ollama("any", ModelOptions())
    try:
        names = model.listed()
    except Transient as error:
        yield Offer(place=f"Ollama ({URL})", trouble=_trouble(error))
    else:
        specs = tuple(f"ollama:{name}" for name in names)
        yield Offer(place=f"Ollama ({URL})", specs=specs, trouble="" if names else "it has no models: ollama pull NAME")
    finally:
        model.close()
    for port, kind in PORTS.items():
        yield offered_at(f"http://127.0.0.1:{port}/v1", f"port {port} ({kind})")


def offered_at(url: str, place: str) -> Offer:
    """The models that a server with the OpenAI protocol lists."""
    calls = EndpointCalls(Endpoint(model="any", url=url, host="127.0.0.1"), limits=_LIMITS, key=_NO_KEY)
    try:
        listed = calls.send("models", body=None, seconds=_LIMITS.read_s).json()["data"]
        return Offer(place=place, specs=tuple(f"openai:{entry['id']}@{url}" for entry in listed))
    except Transient as error:
        return Offer(place=place, trouble=_trouble(error))
    except calls.openai.APIStatusError as error:
        wants = "it wants a key: set REGRAPHT_API_KEY and name the model" if error.status_code in (401, 403) else ""
        return Offer(place=place, trouble=wants or f"HTTP {error.status_code}, and no list of models")
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return Offer(place=place, trouble="what answers there lists no models")
    finally:
        calls.close()


def _trouble(error: Transient) -> str:
    return "" if "refused" in str(error).lower() else str(error)
