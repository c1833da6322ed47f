"""Where a model is served, and whether that is this machine."""

import ipaddress
from dataclasses import dataclass
from urllib.parse import urlsplit

from regrapht.errors import ConfigError

EXAMPLE = "openai:Qwen2.5-Coder-7B-Instruct@http://127.0.0.1:8000/v1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """A model's name and the base URL of the server that offers it."""

    model: str
    url: str
    host: str

    @property
    def is_local(self) -> bool:
        """True when the host is this machine's loopback interface."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False


def parse_endpoint(text: str, *, allow_remote: bool) -> Endpoint:
    """The endpoint that `NAME@URL` names. No name is looked up and nothing is sent.

    Raises:
        ConfigError: The text is no `NAME@URL`, the URL is no http(s) address or holds a password, or the host is not this machine
            while `allow_remote` is False.
    """
    at = max(text.rfind("@http://"), text.rfind("@https://"))
    if at < 1:
        raise ConfigError(f"a model endpoint is written NAME@URL, not {text!r}; for instance --model {EXAMPLE}")
    name, url = text[:at], text[at + 1 :].rstrip("/")
    try:
        parts = urlsplit(url)
        host, _port = parts.hostname, parts.port
    except ValueError as error:
        raise ConfigError(f"the URL {url!r} of the model is not valid: {error}") from error
    if not host:
        raise ConfigError(f"the URL {url!r} of the model has no host; for instance --model {EXAMPLE}")
    if parts.username is not None or parts.password is not None:
        raise ConfigError(f"the URL of the model at {host} holds a name or password; set REGRAPHT_API_KEY instead")
    if parts.query or parts.fragment:
        raise ConfigError(f"the URL of the model at {host} has a query or a fragment; give the base URL only")
    endpoint = Endpoint(model=name, url=url, host=host)
    if not endpoint.is_local and not allow_remote:
        raise ConfigError(
            f"the model is served by {host}, which is not this machine: your code would be sent there; "
            "pass --allow-remote (or set REGRAPHT_ALLOW_REMOTE=1) if that is what you want"
        )
    return endpoint
