"""The model with its adapters: opened, run over a batch for the scores of what is learnt, kept and read again."""

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from regrapht.distil.training.examples import Example, tensors
from regrapht.distil.training.gguf_weights import open_qwen2
from regrapht.distil.training.model_source import ModelSource
from regrapht.errors import ConfigError

OPTIMIZER, RECORD = "optimizer.pt", "training.json"


@dataclass
class Tuned:
    """A model with LoRA adapters on every linear layer."""

    model: Any
    tokenizer: Any
    device: str
    padding: int

    def scores(self, batch: Sequence[Example]) -> tuple[Any, Any]:
        """Log-probabilities of the learnt tokens in one row, and which example each is of.

        Only these go through the output layer: the scores of a whole prompt would take more memory than all else.
        """
        import torch
        import torch.nn.functional as F

        ids, labels = tensors(batch, self.padding, self.device)
        inner = self.model.get_base_model()
        with torch.autocast(self.device, torch.bfloat16, enabled=self.device == "cuda"):
            states = inner.base_model(input_ids=ids, use_cache=False).last_hidden_state
            wanted = labels[:, 1:] != -100
            logits = inner.get_output_embeddings()(states[:, :-1][wanted]).float()
        cap = getattr(inner.config.get_text_config(), "final_logit_softcapping", None)
        if cap:
            logits = cap * torch.tanh(logits / cap)
        targets = labels[:, 1:][wanted]
        rows = torch.arange(len(batch), device=self.device)[:, None].expand_as(wanted)[wanted]
        return -F.cross_entropy(logits, targets, reduction="none"), rows

    def trainable(self) -> list[Any]:
        return [one for one in self.model.parameters() if one.requires_grad]

    def reply(self, texts: Sequence[str], *, most: int, end: int) -> list[str]:
        """Greedy replies to prompts, in one batch."""
        import torch

        self.tokenizer.padding_side = "left"
        given = self.tokenizer(list(texts), return_tensors="pt", padding=True, add_special_tokens=False).to(self.device)
        with torch.inference_mode(), torch.autocast(self.device, torch.bfloat16, enabled=self.device == "cuda"):
            out = self.model.generate(
                input_ids=given["input_ids"],
                attention_mask=given["attention_mask"],
                do_sample=False,
                max_new_tokens=most,
                eos_token_id=end,
                pad_token_id=self.padding,
            )
        new = out[:, given["input_ids"].shape[1] :].tolist()
        return [self.tokenizer.decode(row[: row.index(end)] if end in row else row) for row in new]


def open_tuned(
    source: ModelSource, *, rank: int, adapter: Path | None, checkpointing: bool, device: str, seed: int
) -> Tuned:
    """The model with fresh adapters, or those in a folder.

    Raises:
        ConfigError: transformers does not take the model, or the adapter is of another.
    """
    import torch
    from peft import LoraConfig, PeftModel, get_peft_model

    random.seed(seed)
    torch.manual_seed(seed)
    tokenizer, model = load(source, device)
    try:
        if adapter is not None:
            tuned = PeftModel.from_pretrained(model, str(adapter), is_trainable=True)
        else:
            settings = LoraConfig(
                r=rank, lora_alpha=2 * rank, lora_dropout=0.0, target_modules="all-linear", task_type="CAUSAL_LM"
            )
            tuned = get_peft_model(model, settings)
    except (ValueError, RuntimeError, OSError) as error:
        raise ConfigError(f"the adapter does not fit {source.name}: {str(error)[:300]}") from error
    if checkpointing:
        model.gradient_checkpointing_enable({"use_reentrant": False})
        model.enable_input_require_grads()
    padding = tokenizer.pad_token_id if tokenizer.pad_token_id is not None else tokenizer.eos_token_id
    return Tuned(tuned, tokenizer, device, padding)


def load(source: ModelSource, device: str) -> tuple[Any, Any]:
    """Tokenizer and model without adapters, in bf16 on a GPU.

    Raises:
        ConfigError: transformers does not take it.
    """
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer
    from transformers.utils import logging

    logging.disable_progress_bar()
    place, more = source.opening()
    dtype = torch.bfloat16 if device == "cuda" else torch.float32
    try:
        if source.tokenizer is not None:
            tokenizer = AutoTokenizer.from_pretrained(str(source.tokenizer), local_files_only=True)
        else:
            tokenizer = AutoTokenizer.from_pretrained(place, **more)
        if source.is_gguf:
            model = open_qwen2(source.path, device, dtype)
        else:
            model = AutoModelForCausalLM.from_pretrained(place, dtype=dtype, **more)
    except (OSError, ValueError, KeyError, ImportError, RuntimeError) as error:
        raise ConfigError(f"transformers cannot load {source.path}: {' '.join(str(error).split())[:300]}") from error
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    model.config.use_cache = True
    return tokenizer, model.to(device)


def keep(folder: Path, tuned: Tuned, optimizer: Any, record: dict[str, Any]) -> None:
    """Write adapter, optimizer and record beside what is there, and then put them in its place."""
    import os
    import shutil

    import torch

    new, old = folder.with_name(folder.name + ".new"), folder.with_name(folder.name + ".old")
    for one in (new, old):
        shutil.rmtree(one, ignore_errors=True)
    tuned.model.save_pretrained(str(new), safe_serialization=True)
    torch.save(optimizer.state_dict(), new / OPTIMIZER)
    (new / RECORD).write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    if folder.exists():
        os.replace(folder, old)
    os.replace(new, folder)
    shutil.rmtree(old, ignore_errors=True)


def kept_record(folder: Path) -> dict[str, Any] | None:
    """The record of a training that was kept; None where there is none."""
    try:
        plain = json.loads((folder / RECORD).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return plain if isinstance(plain, dict) else None
