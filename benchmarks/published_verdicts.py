"""Ten verdicts to hand on, recorded on a GPU and judged again elsewhere: accepted and refused ones, of different tasks and kinds.

    python benchmarks/published_verdicts.py record benchmarks/results/verdicts_h100 [--evaluator local_gpu] [--key key.pem]
    python benchmarks/published_verdicts.py replay benchmarks/results/verdicts_h100 [--evaluator emulated]

`record` judges each program with a draw of its own, and writes NAME.json, its signature NAME.json.sig, and the key's public half,
public.pem. Without a key it makes one and keeps it nowhere. A program whose verdict is there already is left alone, so that a recording
that was cut off goes on, with the same `--key`. `replay` does for the whole folder what `regrapht verdict verify` and `regrapht verdict
replay` do for one file. Both exit with 1 where a verdict is not the wanted one, or does not agree.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from regrapht.errors import RegraphtError
from regrapht.records.verdict import Level, Status
from regrapht.session.verdicts import judge_and_publish, replay, sign, verify, write_published

ROOT = Path(__file__).resolve().parents[1]
CHEATS = ROOT / "tests" / "cheats"
WRITTEN = ROOT / "trajectories" / "written"


@dataclass(frozen=True, kw_only=True)
class Chosen:
    """One program, and the status that every judge should give it."""

    name: str
    task: Path
    program: Path
    status: Status = Status.PASSED
    level: Level = Level.FULL


def of_cheats(task: str, name: str, status: Status) -> Chosen:
    program = CHEATS / "candidates" / f"{name}.cu"
    return Chosen(name=name, task=CHEATS / "tasks" / task, program=program, status=status)


def of_corpus(place: str) -> Chosen:
    """The last step of a task's first trajectory."""
    folder = WRITTEN / place
    steps = sorted(next(iter(sorted(path for path in folder.iterdir() if path.is_dir()))).glob("*.cu"))
    return Chosen(name=folder.name, task=folder, program=steps[-1])


def chosen_programs() -> list[Chosen]:
    return [
        of_corpus("dense_la/matvec"),
        of_corpus("scan/inclusive_scan"),
        of_corpus("layout/transpose"),
        of_corpus("histogram/count_labels"),
        of_cheats("divide", "honest_division", Status.PASSED),
        of_cheats("total", "half_accumulator", Status.WRONG_VALUE),
        of_cheats("affine", "last_element_missing", Status.UNWRITTEN),
        of_cheats("affine", "one_past_end", Status.OUT_OF_BOUNDS),
        of_cheats("affine", "zeroes_input", Status.INPUT_MODIFIED),
        of_cheats("affine", "computed_on_host", Status.POLICY_REJECTED),
    ]


def record(folder: Path, *, evaluator: str, key: Path, only: str) -> int:
    """Judge, write and sign; how many verdicts are not the wanted ones."""
    folder.mkdir(parents=True, exist_ok=True)
    public = subprocess.run(["openssl", "pkey", "-in", key, "-pubout"], check=True, capture_output=True).stdout
    kept = folder / "public.pem"
    if kept.exists() and kept.read_bytes() != public:
        sys.exit(f"{kept} is another key's: give that key with --key, or another folder")
    kept.write_bytes(public)
    misses = 0
    for one in chosen_programs():
        target = folder / f"{one.name}.json"
        if target.exists() or only not in one.name:
            continue
        begun = time.monotonic()
        try:
            made = judge_and_publish(
                one.task, [one.program], entry=None, evaluator=evaluator, level=one.level, allow_root=False
            )
        except RegraphtError as error:
            print(f"{one.name}: no verdict: {error}", flush=True)
            misses += 1
            continue
        write_published(made, target)
        sign(target, key)
        met = made.verdict.status is one.status
        misses += not met
        said = made.verdict.status.value + ("" if met else f", {one.status.value} was wanted: {made.verdict.reason}")
        print(f"{one.name}: {said} ({time.monotonic() - begun:.0f} s)", flush=True)
    return misses


def replay_all(folder: Path, *, evaluator: str | None, only: str) -> int:
    """Verify and judge again; how many are not signed, or do not agree."""
    misses = 0
    files = sorted(file for file in folder.glob("*.json") if only in file.name)
    for file in files:
        begun = time.monotonic()
        signed = verify(file, folder / "public.pem")
        done = replay(file, evaluator=evaluator, allow_root=False)
        misses += not (signed and done.agrees)
        words = "signed" if signed else "NOT SIGNED by public.pem", "agrees" if done.agrees else "DIFFERS"
        print(f"{file.name}: {', '.join(words)} ({time.monotonic() - begun:.0f} s)")
        print("\n".join(f"    {line}" for line in done.lines), flush=True)
    print(f"{len(files) - misses} of {len(files)} agree")
    return misses if files else 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["record", "replay"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--evaluator", choices=["local_gpu", "emulated"], help="default: local_gpu to record")
    parser.add_argument("--key", type=Path, help="a private Ed25519 key, PEM, to sign with")
    parser.add_argument("--only", default="", help="those whose name has this in it")
    chosen = parser.parse_args()
    if chosen.what == "replay":
        return 1 if replay_all(chosen.folder, evaluator=chosen.evaluator, only=chosen.only) else 0
    evaluator = chosen.evaluator or "local_gpu"
    if chosen.key is not None:
        return 1 if record(chosen.folder, evaluator=evaluator, key=chosen.key, only=chosen.only) else 0
    with tempfile.TemporaryDirectory() as place:
        key = Path(place) / "key.pem"
        subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", key], check=True)
        return 1 if record(chosen.folder, evaluator=evaluator, key=key, only=chosen.only) else 0


if __name__ == "__main__":
    sys.exit(main())
