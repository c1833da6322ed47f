"""Pairs, training and export, as the command line does them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from regrapht.bench.suite import shipped_suites
from regrapht.distil.gathering import Gathered, Wanted, gather
from regrapht.distil.pair import read_pairs, said
from regrapht.distil.training.exporting import export as write_export
from regrapht.distil.training.exporting import latest_adapter
from regrapht.distil.training.fitting import Settings, fit
from regrapht.distil.training.model_source import model_source
from regrapht.distil.training.preferring import prefer
from regrapht.errors import ConfigError, StoreUnavailable
from regrapht.records.verdict import Level

EXAMPLES = Path("examples")


def data(
    out: Path,
    *,
    pairs: int,
    seed: int,
    corpora: tuple[Path, ...],
    kept_out: tuple[Path, ...],
    jobs: int,
    minutes: float | None,
    longest: int,
    level: Level,
    allow_root: bool,
    say: Callable[[Gathered], None],
) -> Gathered:
    """Fill a folder with pairs; the shipped suites, and a folder `examples` here, are kept out besides those that are named.

    Raises:
        As `distil.gathering.gather`.
    """
    always = [shipped_suites(), *([EXAMPLES] if EXAMPLES.is_dir() else [])]
    wanted = Wanted(
        pairs=pairs,
        seed=seed,
        corpora=corpora,
        keep_out=(*always, *kept_out),
        level=level,
        longest=longest,
        allow_root=allow_root,
    )
    return gather(out, wanted, jobs=jobs, minutes=minutes, say=say)


def train(
    model: Path,
    pairs: Path,
    out: Path,
    *,
    preferences: bool,
    settings: Settings,
    tokenizer: Path | None,
    accept_licence: bool,
    say: Callable[[str], None],
) -> dict[str, Any]:
    """Tune a model on a file of pairs, or the adapter that is there on a file of preferences; the training's record.

    Raises:
        ConfigError: The model, its licence, the pairs or the GPU forbid it; says which.
        PrerequisiteMissing: The extra `distil` is not installed.
        StoreUnavailable: The folder cannot be written.
    """
    source = model_source(model, tokenizer=tokenizer, accept_licence=accept_licence)
    read = read_pairs(pairs)
    if read.left_out:
        say(f"left out: {said(read.left_out)}")
    say(
        f"{len(read.pairs)} pairs, data {read.content_hash[:16]}; {source.name}, licence {source.licence or 'not told'}"
    )
    work = prefer if preferences else fit
    try:
        out.mkdir(parents=True, exist_ok=True)
        return work(source, read.pairs, read.content_hash, out, settings, say)
    except OSError as error:
        raise StoreUnavailable(f"cannot write {out}: {error.strerror or error}") from error


def export(
    model: Path,
    training: Path,
    to: Path,
    *,
    form: str,
    preferred: bool | None,
    tokenizer: Path | None,
    accept_licence: bool,
) -> Path:
    """Write the tuned model, in the form that is asked for; the path.

    Raises:
        As `distil.training.exporting.export` and `model_source`.
    """
    if form not in ("folder", "gguf", "adapter"):
        raise ConfigError(f"--form {form} is none: folder, gguf or adapter")
    adapter = latest_adapter(training, preferred=preferred)
    source = model_source(model, tokenizer=tokenizer, accept_licence=accept_licence)
    return write_export(source, adapter, to, form=form)
