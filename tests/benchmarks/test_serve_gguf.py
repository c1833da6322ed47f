"""The server for experiments reads one model alike from a GGUF file and from the folder of an export."""

import pytest

from regrapht.testing.tiny_gguf import write_tiny_gguf


def test_a_folder_and_a_file_are_one_model(tmp_path):
    for package in ("torch", "transformers", "gguf", "safetensors"):
        pytest.importorskip(package, reason=f"{package} is not installed")
    import torch
    from serve_gguf import Weights

    from regrapht.distil.training.gguf_weights import open_qwen2

    file = write_tiny_gguf(tmp_path / "tiny.gguf", architecture="qwen2")
    open_qwen2(file, "cpu", torch.float32).save_pretrained(tmp_path / "folder", safe_serialization=True)
    one, other = (Weights(path, "cpu", torch.float32) for path in (file, tmp_path / "folder"))
    assert one.tensors.keys() == other.tensors.keys()
    assert all(torch.equal(one[name].flatten(), other[name].flatten()) for name in one.tensors)
    numbers = ("layers", "hidden", "heads", "kv_heads", "head_dim", "eps", "rope_base")
    assert [getattr(one, name) for name in numbers] == pytest.approx([getattr(other, name) for name in numbers])
