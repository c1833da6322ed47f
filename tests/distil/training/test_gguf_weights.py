"""A GGUF file of the Qwen2 kind is the same model in transformers, and what is written again holds the weights that it was given."""

import pytest

from regrapht.errors import ConfigError
from regrapht.testing.tiny_gguf import write_tiny_gguf


@pytest.fixture(autouse=True)
def _packages():
    for package in ("torch", "transformers", "gguf"):
        pytest.importorskip(package, reason=f"{package} is not installed")


@pytest.fixture
def file(tmp_path):
    return write_tiny_gguf(tmp_path / "tiny.gguf", architecture="qwen2")


def test_the_file_is_the_model_that_transformers_reads(file):
    import torch

    from regrapht.distil.training.gguf_weights import open_qwen2, read_gguf

    model = open_qwen2(file, "cpu", torch.float32)
    tensors = {one.name: torch.from_numpy(one.data.copy()) for one in read_gguf(file).tensors}
    assert model.config.num_hidden_layers == 2 and not model.config.tie_word_embeddings
    state = model.state_dict()
    for name, place in (
        ("model.layers.1.self_attn.q_proj.bias", "blk.1.attn_q.bias"),
        ("model.layers.0.mlp.down_proj.weight", "blk.0.ffn_down.weight"),
        ("model.layers.1.post_attention_layernorm.weight", "blk.1.ffn_norm.weight"),
        ("lm_head.weight", "output.weight"),
        ("model.norm.weight", "output_norm.weight"),
    ):
        assert torch.equal(state[name], tensors[place].view(state[name].shape)), name
    assert model(torch.tensor([[1, 2, 3]])).logits.isfinite().all()


def test_what_is_written_is_read_again_with_its_header(file, tmp_path):
    import torch

    from regrapht.distil.training.gguf_weights import open_qwen2, read_gguf, value, write_qwen2
    from regrapht.llm.gguf_header import read_header

    model = open_qwen2(file, "cpu", torch.float32)
    with torch.no_grad():
        model.model.layers[0].mlp.up_proj.weight.mul_(3.0)
    written = tmp_path / "tuned.gguf"
    write_qwen2(file, model, written)
    again = open_qwen2(written, "cpu", torch.float32)
    ids = torch.tensor([[5, 9, 30, 31]])
    before, after = model(ids).logits, again(ids).logits
    assert (after - before).abs().max() < 0.05 * before.abs().max()
    old, new = read_gguf(file), read_gguf(written)
    for key in (
        "tokenizer.ggml.tokens",
        "tokenizer.ggml.merges",
        "tokenizer.chat_template",
        "tokenizer.ggml.eos_token_id",
    ):
        assert value(new, key) == value(old, key), key
    assert read_header(written).quantisation == "BF16"


def test_another_kind_is_refused_in_one_line(tmp_path):
    from regrapht.distil.training.gguf_weights import read_gguf

    with pytest.raises(ConfigError, match="give a folder"):
        read_gguf(write_tiny_gguf(tmp_path / "llama.gguf"))
