"""Pairs, training and export, as the command line does them."""

from collections.abc import Callable
from pathlib import Path

from regrapht.bench.suite import shipped_suites
from regrapht.distil.gathering import Gathered, Wanted, gather
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
