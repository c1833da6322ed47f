"""The embedding client against a real server on loopback."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from regrapht.errors import ConfigError, ModelRefused, ModelUnavailable, SchemaError, StoreUnavailable
from regrapht.graph.code_likeness import EmbeddingLikeness
from regrapht.llm.embeddings import BATCH, EmbeddingModel, open_embeddings
from regrapht.llm.endpoint import parse_endpoint
from regrapht.llm.endpoint_calls import CallLimits
from regrapht.llm.retry import Clock


def vector(text):
    """Numbers of letters: alike for texts of the same letters."""
    return [float(text.count(letter)) for letter in "abcdefgh"] + [1.0]


class Server:
    """Answers with `vector` of each input, last text first; `behave(number)` may give another answer as (status, text)."""

    def __init__(self, behave=lambda number: None):
        self.asked, self.closing = [], threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.asked.append((self.path, request))
                said = behave(len(outer.asked))
                if said == "hang":
                    outer.closing.wait(5)
                    return
                rows = [{"index": i, "embedding": vector(text)} for i, text in enumerate(request["input"])]
                status, text = said or (200, json.dumps({"data": rows[::-1]}))
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text.encode())))
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, format, *arguments):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True

    def __enter__(self):
        threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *failure):
        self.closing.set()
        self.http.shutdown()
        self.http.server_close()

    def model(self, cache=None, name="m"):
        endpoint = parse_endpoint(f"{name}@http://127.0.0.1:{self.http.server_address[1]}/v1", allow_remote=False)
        limits = CallLimits(read_s=0.25, total_s=600.0)
        return EmbeddingModel(
            endpoint, cache=cache, limits=limits, clock=Clock(sleep=lambda s: None, jitter=lambda: 0.5)
        )


def test_vectors_come_in_the_order_of_the_texts():
    with Server() as server:
        rows = server.model()(["abc", "hh", ""])
    assert rows.dtype == np.float32
    assert rows.tolist() == [vector("abc"), vector("hh"), vector("")]
    assert server.asked == [("/v1/embeddings", {"model": "m", "input": ["abc", "hh", ""], "encoding_format": "float"})]


def test_a_text_is_sent_once_and_many_texts_in_batches():
    texts = [f"{'a' * number}" for number in range(BATCH + 5)]
    with Server() as server:
        model = server.model()
        model([*texts, *texts])
        model(texts[::-1])
    assert [len(request["input"]) for _, request in server.asked] == [BATCH, 5]


def test_a_folder_keeps_vectors_by_endpoint_model_and_text(tmp_path):
    with Server() as server:
        first = server.model(tmp_path)(["abc", "d"])
        again = server.model(tmp_path)(["d", "abc"])
        assert len(server.asked) == 1
        server.model(tmp_path, name="other")(["abc"])
        assert len(server.asked) == 2
    assert np.array_equal(first, again[::-1])
    assert len(list(tmp_path.rglob("*.npy"))) == 3
    assert not list(tmp_path.rglob("*.part"))


@pytest.mark.parametrize("damage", [b"", b"no vector", b"\x93NUMPY\x01\x00"])
def test_a_damaged_file_of_the_cache_is_named(tmp_path, damage):
    with Server() as server:
        server.model(tmp_path)(["abc"])
        (file,) = tmp_path.rglob("*.npy")
        file.write_bytes(damage)
        with pytest.raises(SchemaError, match="delete it"):
            server.model(tmp_path)(["abc"])


def test_a_cache_that_is_no_folder_is_said(tmp_path):
    (tmp_path / "file").write_text("")
    with Server() as server, pytest.raises(StoreUnavailable):
        server.model(tmp_path / "file")(["abc"])


@pytest.mark.parametrize(
    ("said", "requests", "error", "words"),
    [
        ((503, "{}"), 4, ModelUnavailable, "HTTP 503"),
        ("hang", 4, ModelUnavailable, "no answer in time"),
        ((200, "<html>"), 4, ModelUnavailable, "no list of 2 embeddings"),
        ((200, '{"data": []}'), 4, ModelUnavailable, "no list of 2 embeddings"),
        (
            (200, '{"data": [{"index": 0, "embedding": [1]}, {"index": 0, "embedding": [1]}]}'),
            4,
            ModelUnavailable,
            "no list",
        ),
        (
            (200, '{"data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": [1, 2]}]}'),
            4,
            ModelUnavailable,
            "no list",
        ),
        (
            (200, '{"data": [{"index": 0, "embedding": [NaN]}, {"index": 1, "embedding": [1]}]}'),
            1,
            ModelRefused,
            "finite",
        ),
        ((200, '{"data": [{"index": 0, "embedding": []}, {"index": 1, "embedding": []}]}'), 1, ModelRefused, "shape"),
        ((401, "{}"), 1, ModelRefused, "REGRAPHT_API_KEY"),
        ((404, "{}"), 1, ModelRefused, "HTTP 404"),
    ],
)
def test_what_a_server_may_do_instead(said, requests, error, words):
    with Server(lambda number: said) as server:
        with pytest.raises(error, match=words):
            server.model()(["a", "b"])
        assert len(server.asked) == requests


def test_a_server_that_recovers_is_asked_again():
    with Server(lambda number: (503, "{}") if number < 3 else None) as server:
        assert server.model()(["abc"]).tolist() == [vector("abc")]
        assert len(server.asked) == 3


def test_vectors_of_another_length_than_those_kept_are_refused():
    other = json.dumps({"data": [{"index": 0, "embedding": [1.0, 2.0]}]})
    with Server(lambda number: (200, other) if number == 2 else None) as server:
        model = server.model()
        model(["abc"])
        with pytest.raises(SchemaError, match="different lengths"):
            model(["abc", "d"])


def test_it_ranks_programs_behind_the_lexical_measures_interface():
    with Server() as server:
        alike = EmbeddingLikeness(server.model()).likeness("aab", ["hhgg", "aabb", "aab"])
    assert np.argsort(-alike).tolist() == [2, 1, 0]


def test_no_texts_need_no_server():
    assert open_embeddings("m@http://127.0.0.1:9/v1")([]).shape == (0, 0)


def test_another_machine_has_to_be_allowed():
    with pytest.raises(ConfigError, match="not this machine"):
        open_embeddings("m@http://example.org/v1")
