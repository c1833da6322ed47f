"""What comes out of a training: a merged model in a folder that `hf:` takes, a GGUF file, or the adapter alone."""

import shutil
from pathlib import Path
from typing import Any

from regrapht.distil.training.fitting import ADAPTER, device_of
from regrapht.distil.training.gguf_weights import write_qwen2
from regrapht.distil.training.model_source import ModelSource
from regrapht.distil.training.preferring import PREFERRED
from regrapht.distil.training.tuned_model import OPTIMIZER, RECORD, kept_record, load
from regrapht.errors import ConfigError, StoreUnavailable


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
        if form == "gguf" and not source.is_gguf:
            raise ConfigError(
                f"{source.path} is a folder, and GGUF is written for models that came as GGUF: --form folder"
            )
        tokenizer, model = _merged(source, adapter)
        if form == "gguf":
            write_qwen2(source.path, model, to)
        else:
            _write_folder(tokenizer, model, to)
            shutil.copyfile(adapter / RECORD, to / RECORD)
    except OSError as error:
        raise StoreUnavailable(f"cannot write {to}: {error.strerror}") from error
    return to


def _merged(source: ModelSource, adapter: Path) -> tuple[Any, Any]:
    """Tokenizer and model with the adapter added into its weights, in bf16."""
    import torch
    from peft import PeftModel

    tokenizer, model = load(source, device_of(None))
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
