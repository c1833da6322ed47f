"""Models that are found are tried, each in a line; one that does not work does not stop the others."""

import pytest

from regrapht.llm import begun
from regrapht.session import models
from regrapht.testing.model_server import ModelServer
from regrapht.testing.tiny_gguf import write_tiny_gguf

PROGRAM = """```cuda
__global__ void scale_kernel(int n, float a, float* x) {}
extern "C" void scale(int n, float a, float* x) { scale_kernel<<<1, 1>>>(n, a, x); }
```"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    begun.forget()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return tmp_path


def test_good_and_bad_ones_in_turn(folder):
    (folder / "regrapht.toml").write_text("[prices.m]\ninput = 1\noutput = 1\n")
    with ModelServer(["`__global__`", PROGRAM]) as server:
        specs = ["nothing", f"openai:m@{server.url}", "gguf:none.gguf"]
        wrong, good, missing = models.examine(specs)
    assert "KIND:REST" in wrong.trouble and "No such file" in missing.trouble
    assert good.knows_keyword and good.wrote_program and good.begins_replies is False and good.tokens_per_s
    assert good.cost_usd is not None and 0 < good.cost_usd < 1


def test_a_file_is_run(folder):
    pytest.importorskip("xllamacpp")
    write_tiny_gguf(folder / "tiny.gguf")
    found = models.find(["tiny.gguf"])
    assert found.specs == ("gguf:tiny.gguf",)
    (report,) = models.examine(found.specs)
    assert not report.trouble and report.context_tokens == 4096 and report.begins_replies and report.tokens_per_s
    assert not report.wrote_program and report.cost_usd is None
    (listed,) = models.examine(found.specs, ask=False)
    assert listed.tokens_per_s is None and listed.context_tokens == 4096


def test_what_is_found(folder, monkeypatch):
    (folder / "regrapht.toml").write_text('[models.mine]\nspec = "gguf:x.gguf"\n')
    places = [
        models.Offer(place="a", specs=("openai:m@http://127.0.0.1:1/v1",)),
        models.Offer(place="b", trouble="odd"),
        models.Offer(place="c"),
    ]
    monkeypatch.setattr(models, "offers", lambda: iter(places))
    found = models.find()
    assert found.specs == ("mine", "openai:m@http://127.0.0.1:1/v1")
    assert (found.troubles, found.silent) == (("b: odd",), ("c",))
