"""A GGUF file of the Qwen2 kind as a model of transformers with plain weights, and back.

transformers reads such files too, but takes a minute more, and from 5.24 on keeps them quantised, which no adapter can be merged into. Only
kinds whose tensors are the same in both forms are here; of others a folder is needed.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from regrapht.errors import ConfigError

KIND = "qwen2"
_THREADS = 12


def read_gguf(path: Path) -> Any:
    """The file's reader.

    Raises:
        ConfigError: It is of another kind.
    """
    from gguf import GGUFReader

    reader = GGUFReader(path)
    if (kind := value(reader, "general.architecture")) != KIND:
        raise ConfigError(
            f"{path} is GGUF of the kind {kind!r}, and {KIND} can be tuned: give a folder of Hugging Face's format"
        )
    return reader


def value(reader: Any, key: str) -> Any:
    """A field's contents; None where there is none."""
    field = reader.get_field(key)
    return None if field is None else field.contents()


def open_qwen2(path: Path, device: str, dtype: Any) -> Any:
    """The model with its weights dequantised.

    Raises:
        ConfigError: As `read_gguf`, or a tensor is missing.
    """
    import torch
    from gguf.quants import dequantize
    from transformers import AutoModelForCausalLM, Qwen2Config

    reader = read_gguf(path)
    tensors = {one.name: one for one in reader.tensors}
    number = {key: value(reader, f"{KIND}.{key}") for key in _NUMBERS}
    config = Qwen2Config(
        vocab_size=int(tensors["token_embd.weight"].shape[1]),
        hidden_size=number["embedding_length"],
        intermediate_size=number["feed_forward_length"],
        num_hidden_layers=number["block_count"],
        num_attention_heads=number["attention.head_count"],
        num_key_value_heads=number["attention.head_count_kv"],
        max_position_embeddings=number["context_length"],
        rms_norm_eps=number["attention.layer_norm_rms_epsilon"],
        rope_parameters={"rope_type": "default", "rope_theta": number["rope.freq_base"] or 10000.0},
        tie_word_embeddings="output.weight" not in tensors,
        eos_token_id=value(reader, "tokenizer.ggml.eos_token_id"),
        bos_token_id=value(reader, "tokenizer.ggml.bos_token_id"),
    )
    with torch.device(device):
        model = AutoModelForCausalLM.from_config(config, dtype=dtype)
    state = model.state_dict()
    wanted = list(places(state, config))
    if missing := [place for _, place in wanted if place not in tensors]:
        raise ConfigError(f"{path} lacks the tensor {missing[0]}")
    with torch.no_grad(), ThreadPoolExecutor(_THREADS) as pool:
        made = pool.map(
            lambda place: dequantize(tensors[place].data, tensors[place].tensor_type), [p for _, p in wanted]
        )
        for (name, _), values in zip(wanted, made, strict=True):
            state[name].copy_(torch.from_numpy(values.copy()).view(state[name].shape))
    return model


def places(state: dict[str, Any], config: Any) -> Iterator[tuple[str, str]]:
    """Each tensor's name in transformers and in the file.

    Raises:
        ConfigError: A tensor has no place there.
    """
    import gguf

    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH.QWEN2, config.num_hidden_layers)
    for name in state:
        if name == "lm_head.weight" and config.tie_word_embeddings:
            continue
        place = names.get_name(name, try_suffixes=(".weight", ".bias"))
        if place is None:
            raise ConfigError(f"GGUF has no place for the tensor {name}: --form folder")
        yield name, place


def write_qwen2(source: Path, model: Any, to: Path) -> None:
    """The file that the model came from with other weights in the place of its own: matrices in bf16, vectors in fp32."""
    import gguf
    import torch

    reader = read_gguf(source)
    writer = gguf.GGUFWriter(str(to), KIND)
    for field in reader.fields.values():
        if not field.name.startswith("GGUF.") and field.name not in ("general.architecture", "general.file_type"):
            types = field.types
            writer.add_key_value(field.name, field.contents(), types[0], sub_type=types[-1] if len(types) > 1 else None)
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_BF16)
    state = model.state_dict()
    for name, place in places(state, model.config):
        values = state[name].float().cpu()
        if values.dim() == 1:
            writer.add_tensor(place, values.numpy())
        else:
            bits = values.to(torch.bfloat16).view(torch.uint8).numpy()
            writer.add_tensor(place, bits, raw_shape=bits.shape, raw_dtype=gguf.GGMLQuantizationType.BF16)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


_NUMBERS = (
    "block_count",
    "context_length",
    "embedding_length",
    "feed_forward_length",
    "attention.head_count",
    "attention.head_count_kv",
    "attention.layer_norm_rms_epsilon",
    "rope.freq_base",
)
