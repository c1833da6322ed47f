"""A real GGUF file with a llama of random weights, small enough to be made for a test: what it writes means nothing, how it is run does."""

import struct
from pathlib import Path
from typing import Any

import numpy as np

EMBEDDING, LAYERS, HEADS, FEED_FORWARD = 32, 2, 4, 64
TEMPLATE = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
_UINT32, _FLOAT32, _BOOL, _STRING, _ARRAY = 4, 6, 7, 8, 9
_NORMAL, _CONTROL = 1, 3
_ALIGNMENT = 32


def write_tiny_gguf(path: Path, *, architecture: str = "llama", context: int = 4096, seed: int = 0) -> Path:
    """The file, written; `architecture` is what its header claims, and decides whether there are biases."""
    draw = np.random.default_rng(seed)
    tokens, merges = _vocabulary()
    shapes = _shapes(len(tokens), biases=architecture == "qwen2")
    tensors = {name: draw.normal(0, 0.3, shape).astype("<f4") for name, shape in shapes.items()}
    tensors |= {name: np.ones_like(values) for name, values in tensors.items() if "norm" in name}
    fields: dict[str, Any] = {
        "general.architecture": architecture,
        "general.name": "tiny",
        f"{architecture}.block_count": LAYERS,
        f"{architecture}.context_length": context,
        f"{architecture}.embedding_length": EMBEDDING,
        f"{architecture}.feed_forward_length": FEED_FORWARD,
        f"{architecture}.attention.head_count": HEADS,
        f"{architecture}.attention.head_count_kv": HEADS,
        f"{architecture}.attention.layer_norm_rms_epsilon": 1e-5,
        f"{architecture}.rope.dimension_count": EMBEDDING // HEADS,
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "gpt-2",
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.token_type": [_CONTROL if token.startswith("<|") else _NORMAL for token in tokens],
        "tokenizer.ggml.merges": merges,
        "tokenizer.ggml.eos_token_id": tokens.index("<|im_end|>"),
        "tokenizer.ggml.bos_token_id": tokens.index("<|im_start|>"),
        "tokenizer.ggml.add_bos_token": False,
        "tokenizer.chat_template": TEMPLATE,
    }
    head = struct.pack("<4sIQQ", b"GGUF", 3, len(tensors), len(fields))
    head += b"".join(_text(name) + _value(value) for name, value in fields.items())
    offset, data = 0, b""
    for name, values in tensors.items():
        head += _text(name) + struct.pack("<I", values.ndim)
        head += struct.pack(f"<{values.ndim}Q", *reversed(values.shape)) + struct.pack("<IQ", 0, offset)
        data += _padded(values.tobytes())
        offset = len(data)
    path.write_bytes(_padded(head) + data)
    return path


def _shapes(vocabulary: int, *, biases: bool) -> dict[str, tuple[int, ...]]:
    square, up, down = (EMBEDDING, EMBEDDING), (FEED_FORWARD, EMBEDDING), (EMBEDDING, FEED_FORWARD)
    shapes: dict[str, tuple[int, ...]] = {"token_embd.weight": (vocabulary, EMBEDDING)}
    for layer in range(LAYERS):
        of_block = {"attn_norm": (EMBEDDING,), "attn_q": square, "attn_k": square, "attn_v": square}
        of_block |= {"attn_output": square, "ffn_norm": (EMBEDDING,), "ffn_gate": up, "ffn_up": up, "ffn_down": down}
        shapes |= {f"blk.{layer}.{name}.weight": shape for name, shape in of_block.items()}
        if biases:
            shapes |= {f"blk.{layer}.attn_{name}.bias": (EMBEDDING,) for name in "qkv"}
    return shapes | {"output_norm.weight": (EMBEDDING,), "output.weight": (vocabulary, EMBEDDING)}


def _vocabulary() -> tuple[list[str], list[str]]:
    """Every byte, in the letters that GPT-2's tokenizer writes bytes with, one pair, and the marks of a chat."""
    shown = [*range(33, 127), *range(161, 173), *range(174, 256)]
    hidden = [byte for byte in range(256) if byte not in shown]
    letters = [chr(byte) for byte in shown] + [chr(256 + place) for place in range(len(hidden))]
    return [*letters, "ĠĠ", "<|im_start|>", "<|im_end|>"], ["Ġ Ġ"]


def _value(value: Any) -> bytes:
    if isinstance(value, list):
        kind = _STRING if isinstance(value[0], str) else _UINT32
        body = b"".join(_text(one) if kind == _STRING else struct.pack("<i", one) for one in value)
        return struct.pack("<IIQ", _ARRAY, kind if kind == _STRING else 5, len(value)) + body
    if isinstance(value, bool):
        return struct.pack("<IB", _BOOL, value)
    if isinstance(value, str):
        return struct.pack("<I", _STRING) + _text(value)
    return struct.pack("<If", _FLOAT32, value) if isinstance(value, float) else struct.pack("<II", _UINT32, value)


def _text(text: str) -> bytes:
    encoded = text.encode()
    return struct.pack("<Q", len(encoded)) + encoded


def _padded(data: bytes) -> bytes:
    return data + b"\0" * (-len(data) % _ALIGNMENT)
