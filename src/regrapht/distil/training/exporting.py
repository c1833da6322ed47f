"""What comes out of a training: a merged model in a folder that `hf:` takes, a GGUF file, or the adapter alone."""

import shutil
from pathlib import Path
from typing import Any

from regrapht.distil.training.fitting import ADAPTER
from regrapht.distil.training.model_source import ModelSource
from regrapht.distil.training.preferring import PREFERRED
from regrapht.distil.training.tuned_model import OPTIMIZER, RECORD, kept_record, load
from regrapht.errors import ConfigError, StoreUnavailable

GGUF_OF = {"qwen2": "QWEN2"}
"""Kinds of models whose tensors have one name in a folder and one in a GGUF file, and the same values; others are exported as folders."""


def latest_adapter(out: Path, *, preferred: bool | None) -> Path:
    """The adapter of a training: the one tuned on preferences where there is one, or as asked for.

    Raises:
        ConfigError: It is not there.
    """
    wanted = [PREFERRED] if preferred else [ADAPTER] if preferred is False else [PREFERRED, ADAPTER]
    for name in wanted:
        if kept_record(out / name) is not None:
            return out / name
    raise ConfigError(f"{out} holds no {' or '.join(wanted)}: train first with `regrapht distil train`")


def export(source: ModelSource, adapter: Path, to: Path, *, form: str) -> Path:
    """Write the tuned model; the path.

    Args:
        form: `folder`, `gguf` or `adapter`.

    Raises:
        ConfigError: The place is taken, or the model cannot be written in this form; says which can.
        StoreUnavailable: The place cannot be written.
    """
    if to.exists() and (to.is_file() or any(to.iterdir())):
        raise ConfigError(f"{to} is there already: give another place")
    try:
        to.parent.mkdir(parents=True, exist_ok=True)
        if form == "adapter":
            shutil.copytree(adapter, to, ignore=shutil.ignore_patterns(OPTIMIZER), dirs_exist_ok=True)
            return to
        if form == "gguf":
            _refuse_gguf(source)
        tokenizer, model = _merged(source, adapter)
        if form == "gguf":
            _write_gguf(source, model, to)
        else:
            _write_folder(tokenizer, model, to)
            shutil.copyfile(adapter / RECORD, to / RECORD)
    except OSError as error:
        raise StoreUnavailable(f"cannot write {to}: {error.strerror}") from error
    return to


def _merged(source: ModelSource, adapter: Path) -> tuple[Any, Any]:
    """Tokenizer and model with the adapter added into its weights; added in fp32, kept in the model's own type."""
    import torch
    from peft import PeftModel

    tokenizer, model = load(source, "cpu")
    try:
        tuned = PeftModel.from_pretrained(model, str(adapter))
    except (ValueError, RuntimeError) as error:
        raise ConfigError(f"the adapter does not fit {source.name}: {str(error)[:300]}") from error
    merged = tuned.merge_and_unload()
    return tokenizer, merged.to(torch.bfloat16)


def _write_folder(tokenizer: Any, model: Any, to: Path) -> None:
    if getattr(model.config, "quantization_config", None) is not None:
        del model.config.quantization_config  # the weights are plain now, whatever the file had
    model.save_pretrained(str(to), safe_serialization=True)
    tokenizer.save_pretrained(str(to))


def _refuse_gguf(source: ModelSource) -> None:
    """Refuse what cannot be written as GGUF.

    Raises:
        ConfigError: As `export`.
    """
    if not source.is_gguf:
        raise ConfigError(f"{source.path} is a folder, and GGUF is written for models that came as GGUF: --form folder")
    from gguf import GGUFReader

    kind = GGUFReader(source.path).get_field("general.architecture")
    if kind is None or kind.contents() not in GGUF_OF:
        raise ConfigError(
            f"GGUF is written for {', '.join(GGUF_OF)}, whose tensors are the same in both forms: --form folder"
        )


def _write_gguf(source: ModelSource, model: Any, to: Path) -> None:
    """The file that the model came from with the tuned weights in the place of its own, in bf16 where it has matrices."""
    import gguf
    import torch

    reader = gguf.GGUFReader(source.path)
    kind = reader.get_field("general.architecture")
    assert kind is not None
    architecture = str(kind.contents())
    writer = gguf.GGUFWriter(str(to), architecture)
    for field in reader.fields.values():
        if not field.name.startswith("GGUF.") and field.name not in ("general.architecture", "general.file_type"):
            value, types = field.contents(), field.types
            writer.add_key_value(field.name, value, types[0], sub_type=types[-1] if len(types) > 1 else None)
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_BF16)
    layers = model.config.num_hidden_layers
    names = gguf.get_tensor_name_map(getattr(gguf.MODEL_ARCH, GGUF_OF[architecture]), layers)
    state = model.state_dict()
    if model.config.tie_word_embeddings:
        state.pop("lm_head.weight", None)
    for name, tensor in state.items():
        place = names.get_name(name, try_suffixes=(".weight", ".bias"))
        if place is None:
            raise ConfigError(f"GGUF has no place for the tensor {name}: --form folder")
        values = tensor.float()
        if values.dim() == 1:
            writer.add_tensor(place, values.numpy())
        else:
            bits = values.to(torch.bfloat16).view(torch.int16).numpy()
            writer.add_tensor(place, bits, raw_dtype=gguf.GGMLQuantizationType.BF16)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
