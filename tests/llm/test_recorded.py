import pytest

from regrapht.errors import ConfigError, ModelRefused, SchemaError
from regrapht.llm.client import ModelOptions, request_hash
from regrapht.llm.recorded import RecordingModel, open_recording
from regrapht.llm.scripted import ScriptedModel
from regrapht.llm.specs import model
from regrapht.records.encoding import to_json
from regrapht.records.prompt import Sampling
from regrapht.testing.model_server import ModelServer


def test_a_recording_answers_byte_for_byte_with_the_server_off(tmp_path, prompt):
    file = tmp_path / "calls.jsonl"
    samplings = [Sampling(seed=1), Sampling(seed=2), Sampling(seed=1)]
    with ModelServer(["first é\r\n", "second", "third: another sample of the first"]) as server:
        recording = model(f"openai:m@{server.url}", record_to=file)
        live = [to_json(recording.complete(prompt, sampling)) for sampling in samplings]
    recorded = model(f"recorded:{file}")
    assert recorded.name == "m"
    assert recorded.availability().available
    assert [to_json(recorded.complete(prompt, sampling)) for sampling in samplings] == live
    with pytest.raises(ModelRefused, match="holds 1 replies"):
        recorded.complete(prompt, Sampling(seed=2))
    with pytest.raises(ModelRefused, match="holds 0 replies"):
        recorded.complete(prompt, Sampling(seed=3))


def test_a_recording_is_continued_for_the_same_model_only(tmp_path, prompt):
    file = tmp_path / "calls.jsonl"
    for text in ("one", "two"):
        recording = RecordingModel(ScriptedModel((text,), name="a"), file)
        recording.complete(prompt, Sampling())
        recording.close()
    again = open_recording(str(file), ModelOptions())
    assert [again.complete(prompt, Sampling()).text for _ in range(2)] == ["one", "two"]
    with pytest.raises(ConfigError, match="recording of a, not of b"):
        RecordingModel(ScriptedModel((), name="b"), file)


def test_the_key_is_not_in_a_recording(tmp_path, prompt, monkeypatch):
    monkeypatch.setenv("REGRAPHT_API_KEY", "sk-do-not-write-me")
    with ModelServer(["x"]) as server:
        model(f"openai:m@{server.url}", record_to=tmp_path / "calls.jsonl").complete(prompt, Sampling())
        assert server.headers[0]["authorization"] == "Bearer sk-do-not-write-me"
    assert "do-not-write-me" not in (tmp_path / "calls.jsonl").read_text()


@pytest.mark.parametrize("text", ["", "x", "[]", '{"regrapht_recording":2,"model":"m"}', '{"regrapht_recording":1}'])
def test_what_is_no_recording(tmp_path, text):
    (tmp_path / "f").write_text(text)
    with pytest.raises(SchemaError, match="no recording"):
        open_recording(str(tmp_path / "f"), ModelOptions())


def test_a_damaged_line_is_named(tmp_path):
    (tmp_path / "f").write_text('{"regrapht_recording":1,"model":"m"}\n{"text":"x"}\n')
    with pytest.raises(SchemaError, match="line 2"):
        open_recording(str(tmp_path / "f"), ModelOptions())


def test_a_missing_file(tmp_path, prompt):
    with pytest.raises(ConfigError, match="recorded"):
        open_recording(str(tmp_path / "none"), ModelOptions())
    with pytest.raises(ConfigError, match="cannot record"):
        RecordingModel(ScriptedModel(()), tmp_path / "none" / "f")


def test_the_request_hash_depends_on_everything_asked(prompt):
    hashes = {
        request_hash(name, prompt, sampling)
        for name in ("a", "b")
        for sampling in (
            Sampling(),
            Sampling(seed=1),
            Sampling(temperature=1.0),
            Sampling(max_tokens=1),
            Sampling(top_p=1.0),
        )
    }
    assert len(hashes) == 10
