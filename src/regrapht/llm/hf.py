"""`hf:FOLDER`: a model in a local folder of Hugging Face's format, run by transformers. Needs the extra `hf`.

Requests that wait together and are sampled alike are generated as one batch. Weights are read from safetensors alone, and no code of the
folder's is run. Nothing is downloaded.
"""

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from regrapht.errors import ConfigError, ModelRefused, ModelUnavailable, PrerequisiteMissing
from regrapht.llm.client import ModelAvailability, ModelOptions, request_hash
from regrapht.records.candidate import TokenUsage
from regrapht.records.prompt import Completion, Finish, Prompt, Sampling

BATCH = 16
"""Requests generated together at most."""
LONGEST_REPLY = 2048
"""Tokens of a reply where no other limit is asked for."""
_LOOK_S = 0.2


@dataclass(slots=True, eq=False)
class _Waiting:
    """One request, and what became of it."""

    text: str
    sampling: Sampling
    until: float
    reply: str = ""
    tokens: tuple[int, int] = (0, 0)
    finish: Finish = Finish.UNKNOWN
    error: Exception | None = None
    done: threading.Event = field(default_factory=threading.Event)


class FolderModel:
    """The model in one folder, on a GPU where torch sees one. It loads with the first use.

    Raises:
        ConfigError: There is no such folder, or it holds no model.
        PrerequisiteMissing: torch or transformers is not installed.
    """

    def __init__(self, folder: Path, *, context_tokens: int | None = None) -> None:
        if not (folder / "config.json").is_file():
            raise ConfigError(
                f"there is no model in {folder}: give a folder with config.json, tokenizer and *.safetensors"
            )
        for package in ("torch", "transformers"):
            if find_spec(package) is None:
                raise PrerequisiteMissing(f'hf: models are run by {package}: pip install "regrapht[hf]"')
        self.name = folder.name
        self._folder, self._context = folder, context_tokens
        self._closed = threading.Event()
        self._queue: list[_Waiting] = []
        self._changed = threading.Condition()
        self._worker: threading.Thread | None = None
        self._loading = threading.Lock()
        self._loaded: tuple[Any, Any] | None = None

    def availability(self) -> ModelAvailability:
        """Whether it loads; it is loaded then.

        Raises:
            ConfigError: transformers does not take the folder.
        """
        _, model = self._parts()
        trained = getattr(model.config, "max_position_embeddings", None)
        lengths = [one for one in (self._context, trained) if type(one) is int and one > 0]
        return ModelAvailability(
            available=True, context_tokens=min(lengths) if lengths else None, reply_tokens=LONGEST_REPLY
        )

    def can_begin_replies(self) -> bool | None:
        return True

    def close(self) -> None:
        """Stop generating; what is waited for raises `ModelUnavailable`."""
        self._closed.set()
        with self._changed:
            self._changed.notify_all()

    def complete(self, prompt: Prompt, sampling: Sampling, *, deadline_s: float | None = None) -> Completion:
        """One reply, as `LanguageModel.complete` promises."""
        started = time.monotonic()
        tokenizer, _ = self._parts()
        until = started + (float("inf") if deadline_s is None else deadline_s)
        said = [(message.speaker.value, message.text) for message in prompt.messages]
        asked = _Waiting(text=rendered(tokenizer, said, prompt.begin or ""), sampling=sampling, until=until)
        with self._changed:
            self._queue.append(asked)
            if self._worker is None:
                self._worker = threading.Thread(target=self._generate_all, name="regrapht-hf", daemon=True)
                self._worker.start()
            self._changed.notify_all()
        while not asked.done.wait(_LOOK_S):
            if self._closed.is_set() or time.monotonic() > until + _LOOK_S:
                raise ModelUnavailable(f"{self.name}: given up before the reply was complete")
        if asked.error is not None:
            raise asked.error
        return Completion(
            text=(prompt.begin or "") + asked.reply,
            finish=asked.finish,
            served_model=self.name,
            request_hash=request_hash(self.name, prompt, sampling),
            usage=TokenUsage(prompt_tokens=asked.tokens[0], completion_tokens=asked.tokens[1]),
            seconds=time.monotonic() - started,
            begun=prompt.begin is not None,
        )

    def _parts(self) -> tuple[Any, Any]:
        """Tokenizer and model."""
        with self._loading:
            if self._loaded is None:
                self._loaded = _load(self._folder)
            return self._loaded

    def _generate_all(self) -> None:
        """The worker's life: the first request that waits, and those that are sampled as it is."""
        while not self._closed.is_set():
            with self._changed:
                while not self._queue and not self._closed.is_set():
                    self._changed.wait()
                alike = [one for one in self._queue if _manner(one.sampling) == _manner(self._queue[0].sampling)][
                    :BATCH
                ]
                self._queue = [one for one in self._queue if one not in alike]
            try:
                if alike:
                    self._generate(alike)
            except Exception as error:  # whatever transformers raises belongs to who asked, in another thread
                for one in alike:
                    one.error = ModelRefused(f"{self.name}: transformers cannot generate: {str(error)[:300]}")
            for one in alike:
                one.done.set()

    def _generate(self, asked: Sequence[_Waiting]) -> None:
        import torch
        from transformers import StoppingCriteria, StoppingCriteriaList

        closed, until = self._closed, max(one.until for one in asked)

        class Over(StoppingCriteria):
            def __call__(self, ids: Any, scores: Any, **_: Any) -> Any:
                over = closed.is_set() or time.monotonic() > until
                return torch.full((ids.shape[0],), over, dtype=torch.bool, device=ids.device)

        tokenizer, model = self._parts()
        sampling = asked[0].sampling
        given = tokenizer([one.text for one in asked], return_tensors="pt", padding=True, add_special_tokens=False)
        given = given.to(model.device)
        drawn = sampling.temperature is None or sampling.temperature > 0
        chosen = {"temperature": sampling.temperature, "top_p": sampling.top_p} if drawn else {}
        torch.manual_seed(sampling.seed or 0)
        with torch.inference_mode():
            out = model.generate(
                input_ids=given["input_ids"],
                attention_mask=given["attention_mask"],
                do_sample=drawn,
                max_new_tokens=sampling.max_tokens or LONGEST_REPLY,
                pad_token_id=tokenizer.pad_token_id,
                stopping_criteria=StoppingCriteriaList([Over()]),
                **{name: value for name, value in chosen.items() if value is not None},
            )
        ends = _ends(tokenizer, model)
        for one, row, mask in zip(asked, out.tolist(), given["attention_mask"], strict=True):
            new = row[given["input_ids"].shape[1] :]
            length = next((place for place, token in enumerate(new) if token in ends), None)
            if length is None and len(new) < (sampling.max_tokens or LONGEST_REPLY):
                one.error = ModelUnavailable(f"{self.name}: given up before the reply was complete")
            one.finish = Finish.STOP if length is not None else Finish.LENGTH
            one.tokens = (int(mask.sum()), len(new) if length is None else length + 1)
            one.reply = tokenizer.decode(new[:length], skip_special_tokens=True)


def open_folder(rest: str, options: ModelOptions) -> FolderModel:
    """The model that `hf:FOLDER` names.

    Raises:
        ConfigError, PrerequisiteMissing: As `FolderModel`'s.
    """
    return FolderModel(Path(rest).expanduser(), context_tokens=options.context_tokens)


def _load(folder: Path) -> tuple[Any, Any]:
    """Tokenizer and model.

    Raises:
        ConfigError: transformers does not take the folder.
    """
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer
    from transformers.utils import logging

    logging.disable_progress_bar()
    try:
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True, padding_side="left")
        model: Any = AutoModelForCausalLM.from_pretrained(
            folder, local_files_only=True, use_safetensors=True, dtype="auto"
        )
    except (OSError, ValueError, KeyError, ImportError, RuntimeError) as error:
        said = " ".join(str(error).split())[:300]
        raise ConfigError(f"transformers cannot load {folder}: {said}") from error
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    return tokenizer, model.to("cuda" if torch.cuda.is_available() else "cpu").eval()


def rendered(tokenizer: Any, messages: Sequence[tuple[str, str]], begin: str) -> str:
    """Roles and texts by the model's own template, up to where its reply goes on; without a template the texts as they are."""
    if not tokenizer.chat_template:
        return "\n\n".join(text for _, text in messages) + "\n\n" + begin
    said = [{"role": role, "content": text} for role, text in messages]
    return str(tokenizer.apply_chat_template(said, tokenize=False, add_generation_prompt=True)) + begin


def _ends(tokenizer: Any, model: Any) -> set[int]:
    """The tokens that end a reply."""
    named = model.generation_config.eos_token_id
    listed = named if isinstance(named, list) else [named]
    return {one for one in (*listed, tokenizer.eos_token_id) if isinstance(one, int)}


def _manner(sampling: Sampling) -> tuple[float | None, float | None, int | None]:
    return sampling.temperature, sampling.top_p, sampling.max_tokens
