"""What a port of this machine offers; nothing that listens there is told a key."""

from regrapht.llm import local_servers
from regrapht.llm.local_servers import offered_at, offers
from regrapht.testing.model_server import ModelServer

from .ollama_server import OllamaServer


def test_a_server_s_models_without_its_key(monkeypatch):
    monkeypatch.setenv("REGRAPHT_API_KEY", "sk-secret-of-the-test")
    with ModelServer(["x"], model="small") as server:
        offer = offered_at(server.url, "port")
        assert offer.specs == (f"openai:small@{server.url}",) and not offer.trouble
        assert "secret" not in str(server.headers)


def test_what_is_no_server():
    assert offered_at("http://127.0.0.1:9/v1", "port") == local_servers.Offer(place="port")
    with ModelServer() as server:
        assert "no list of models" in offered_at(server.fault_url("ok"), "port").trouble


def test_every_place_is_looked_at(monkeypatch):
    monkeypatch.setattr(local_servers, "PORTS", {9: "nobody"})
    with OllamaServer({"a:1b": 10, "b:1b": 10}, lambda request: "x") as server:
        monkeypatch.setattr(local_servers, "URL", server.url)
        monkeypatch.setattr("regrapht.llm.ollama.URL", server.url)
        first, second = offers()
    assert first.specs == ("ollama:a:1b", "ollama:b:1b")
    assert second == local_servers.Offer(place="port 9 (nobody)")
    with OllamaServer({}, lambda request: "x") as server:
        monkeypatch.setattr("regrapht.llm.ollama.URL", server.url)
        assert "ollama pull" in next(iter(offers())).trouble


def test_a_server_that_wants_a_key():
    with ModelServer() as server:
        server.wants_key = True
        assert "set REGRAPHT_API_KEY" in offered_at(server.url, "port").trouble
