"""What `--method` names: a search alone, or a search with proposer, model and prompts of its own."""

from pathlib import Path

import pytest

from regrapht.bench.experiment.method import Method, read_methods
from regrapht.errors import ConfigError
from regrapht.records.run import RunOptions

PLAIN = RunOptions()
ASKING = RunOptions(model="gguf:small.gguf", prompts=Path("ours"))


@pytest.mark.parametrize(
    "text, options, wanted",
    [
        ("mcgs", PLAIN, ("mcgs", "mcgs", "transform", None, None)),
        ("my:Search", PLAIN, ("my:Search", "my:Search", "transform", None, None)),
        ("mcgs", ASKING, ("mcgs", "mcgs", "hybrid", "gguf:small.gguf", "ours")),
        ("a=search:fsr", PLAIN, ("a", "fsr", "transform", None, None)),
        (
            "a=model:openai:m@http://127.0.0.1:8000/v1",
            PLAIN,
            ("a", "mcgs", "hybrid", "openai:m@http://127.0.0.1:8000/v1", None),
        ),
        ("a=proposer:language_model,search:direct,model:fast", PLAIN, ("a", "direct", "language_model", "fast", None)),
        ("a=model:hf:folder, prompts:terse", ASKING, ("a", "mcgs", "hybrid", "hf:folder", "terse")),
        ("engine=proposer:transform", ASKING, ("engine", "mcgs", "transform", None, "ours")),
    ],
)
def test_methods_are_read(text, options, wanted):
    ((name, made),) = read_methods([text], options).items()
    assert (name, made.search, made.proposer, made.model, made.prompts and str(made.prompts)) == wanted


@pytest.mark.parametrize(
    "texts, told",
    [
        (["mcgs", "mcgs"], "names mcgs twice"),
        (["a=search:fsr", "a=search:mcgs"], "names a twice"),
        (["a=seach:fsr"], "'seach:fsr' is none of search:..."),
        (["a=search:"], "'search:' is none of"),
        (["a="], "'' is none of"),
        (["a b=search:fsr"], "a name is made of letters"),
        (["a=search:fsr,search:mcgs"], "search is given twice"),
    ],
)
def test_what_makes_no_sense_is_refused(texts, told):
    with pytest.raises(ConfigError) as refused:
        read_methods(texts, PLAIN)
    assert told in str(refused.value)


def test_methods_say_in_what_they_differ():
    one = Method(name="a", search="mcgs", proposer="hybrid", model="m1", prompts_hash="0")
    other = Method(name="b", search="mcgs", proposer="hybrid", model="m2", prompts_hash="1")
    assert one.differs_in(other) == ("model", "prompts_hash") and one.differs_in(one) == ()
