import pytest

from regrapht.errors import ConfigError
from regrapht.llm.endpoint import parse_endpoint


@pytest.mark.parametrize(
    ("text", "model", "host"),
    [
        ("qwen@http://127.0.0.1:8000/v1", "qwen", "127.0.0.1"),
        ("Qwen/Qwen2.5-Coder-7B@http://localhost:1234/v1/", "Qwen/Qwen2.5-Coder-7B", "localhost"),
        ("user@name@http://LOCALHOST/v1", "user@name", "localhost"),
        ("m@https://[::1]:8000/v1", "m", "::1"),
        ("m:7b@http://127.9.9.9/v1", "m:7b", "127.9.9.9"),
    ],
)
def test_local_endpoints(text, model, host):
    endpoint = parse_endpoint(text, allow_remote=False)
    assert (endpoint.model, endpoint.host, endpoint.is_local) == (model, host, True)
    assert not endpoint.url.endswith("/")


@pytest.mark.parametrize(
    "host",
    ["api.example.com", "10.0.0.7", "localhost.example.com", "0.0.0.0", "127.0.0.1.example.com", "[fe80::1]", "127.1"],
)
def test_remote_hosts_need_to_be_allowed(host):
    text = f"m@https://{host}/v1"
    with pytest.raises(ConfigError, match="--allow-remote") as refusal:
        parse_endpoint(text, allow_remote=False)
    assert host.strip("[]") in str(refusal.value)
    assert not parse_endpoint(text, allow_remote=True).is_local


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("qwen", "NAME@URL"),
        ("@http://127.0.0.1", "NAME@URL"),
        ("m@ftp://127.0.0.1", "NAME@URL"),
        ("m@http://", "no host"),
        ("m@http://127.0.0.1:99999/v1", "not valid"),
        ("m@http://[::1/v1", "not valid"),
        ("m@http://me:hunter2@127.0.0.1/v1", "REGRAPHT_API_KEY"),
        ("m@http://127.0.0.1/v1?api_key=hunter2", "query"),
    ],
)
def test_bad_endpoints_say_what_is_wrong(text, words):
    with pytest.raises(ConfigError) as refusal:
        parse_endpoint(text, allow_remote=True)
    assert words in str(refusal.value)
    assert "hunter2" not in str(refusal.value)
