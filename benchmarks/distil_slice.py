"""A slice of the study of tuned models inside of so many seconds, on one machine with or without GPUs and without a network.

    python benchmarks/distil_slice.py out --seconds 540 --tasks benchmarks/cudaeval_progress_16.txt --budget 8 \\
        --model base=qwen1.5b.gguf --model tuned=qwen1.5b.gguf+tuned --arm language_model:direct,best-of-n,mcgs

Each model has a label and is a GGUF file, a folder, or either with `+` and the folder of a training, whose adapter is merged first. The
first GPUs serve a model each, the others judge; models beyond that take turns with equal shares of the clock; one GPU, or none, does both.
Every model gets the same tasks in the same order (`experiment_on_gpus.py`), so that cells of both end. What has ended is kept, and the same
command goes on with the rest. Whatever happens, tables of what there is are in `out/tables.txt` in time, one for each label; of a label
without any cell the last words are said, and the exit code is 1. Needs what `serve_gguf.py` needs (torch, transformers, gguf) and the extra
`models`, with which the product asks a server.
"""

import argparse
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
MERGING_S = 25.0
"""Kept of the clock for tables."""
LEAST_S = 30.0
"""With less than this left no other turn is begun."""
READY_S = 240.0
ENDING_S = 16.0
"""After its clock a search is given so long to end."""
NEEDED = {"torch": "torch", "transformers": "transformers", "gguf": "gguf", "openai": '"regrapht[models]"'}
"""Packages by the name that imports them, and what installs each."""
REGRAPHT = (sys.executable, "-m", "regrapht")


@dataclass(frozen=True, slots=True)
class Model:
    """What is served under a label."""

    label: str
    path: Path
    training: Path | None


@dataclass(frozen=True, slots=True)
class Server:
    """A process that serves a model."""

    process: subprocess.Popen[bytes]
    url: str
    log: Path


class Slice:
    """One call: turns of models, each with its servers and arms, then tables."""

    def __init__(self, asked: argparse.Namespace) -> None:
        self.asked, self.out = asked, asked.out
        self.until = time.monotonic() + asked.seconds
        self.gpus = _gpus()
        self.children: list[subprocess.Popen[bytes]] = []
        for name in ("logs", "models", "arms"):
            (self.out / name).mkdir(parents=True, exist_ok=True)

    @property
    def left_s(self) -> float:
        return self.until - time.monotonic()

    def run(self) -> int:
        """All turns; 0 where every model had one and some cell of each has ended."""
        models = list(self.asked.model)
        side_by_side = max(1, len(self.gpus) - 1)
        turns = [models[first : first + side_by_side] for first in range(0, len(models), side_by_side)]
        served = 0
        try:
            for number, turn in enumerate(turns):
                share = (self.left_s - MERGING_S) / (len(turns) - number)
                if share < LEAST_S:
                    print(f"no time is left for {', '.join(model.label for model in turn)}", flush=True)
                    break
                served += self._turn(turn, time.monotonic() + share)
        finally:
            self._end(self.children)
            ended = self._tables()
        return 0 if served == ended == len(models) else 1

    def _turn(self, turn: list[Model], until: float) -> int:
        """Serve these models, run their arms until then; how many could be served."""
        judges = self.gpus[len(turn) :] or self.gpus[:1] or ["0"]
        servers = [self._served(model, place) for place, model in enumerate(turn)]
        ready = [
            (model, one)
            for model, one in zip(turn, servers, strict=True)
            if one is not None and self._is_ready(one, until)
        ]
        arms = [self._arms(model, one.url, judges, until - time.monotonic()) for model, one in ready]
        for one in arms:
            try:
                one.wait(max(1.0, until + 10 - time.monotonic()))
            except subprocess.TimeoutExpired:
                print("an arm did not end in time and is ended", flush=True)
        self._end([*arms, *(one.process for one in servers if one is not None)])
        return len(ready)

    def _served(self, model: Model, place: int) -> Server | None:
        """The server of a model, whose adapter is merged first; None where that fails, which is said."""
        environment = self._environment(self.gpus[place % len(self.gpus)] if self.gpus else "")
        path = model.path
        if model.training is not None:
            path = self.out / "models" / model.label
            log = self.out / "logs" / f"export-{model.label}.log"
            words = [
                "distil",
                "export",
                str(model.path),
                str(model.training),
                str(path),
                "--accept-licence",
                *self._tokenizer(model),
            ]
            if (
                not path.exists()
                and subprocess.run(
                    [*REGRAPHT, *words], env=environment, stdout=log.open("wb"), stderr=subprocess.STDOUT, check=False
                ).returncode
            ):
                print(f"{model.label}: the adapter was not merged: {_last_line(log)}", flush=True)
                return None
        port, log = self.asked.port + place, self.out / "logs" / f"serve-{model.label}.log"
        tokenizer = ["--tokenizer", str(path)] if path.is_dir() else self._tokenizer(model)
        words = [
            str(HERE / "serve_gguf.py"),
            str(path),
            "--port",
            str(port),
            "--slots",
            str(self.asked.slots),
            "--context",
            str(self.asked.context),
            *tokenizer,
        ]
        process = self._begin([sys.executable, *words], environment, log)
        print(
            f"{model.label}: {path} on {'GPU ' + environment['CUDA_VISIBLE_DEVICES'] if self.gpus else 'the processor'}, port {port}",
            flush=True,
        )
        return Server(process, f"http://127.0.0.1:{port}/v1", log)

    def _tokenizer(self, model: Model) -> list[str]:
        return ["--tokenizer", str(self.asked.tokenizer)] if self.asked.tokenizer and model.path.is_file() else []

    def _is_ready(self, server: Server, until: float) -> bool:
        started = time.monotonic()
        until = min(until, started + READY_S)
        while time.monotonic() < until and server.process.poll() is None:
            try:
                urllib.request.urlopen(f"{server.url}/models", timeout=5).close()
                print(f"{server.url} ready after {time.monotonic() - started:.0f} s", flush=True)
                return True
            except OSError:
                time.sleep(0.5)
        print(f"{server.url} does not serve: {_last_line(server.log)}", flush=True)
        return False

    def _arms(self, model: Model, url: str, judges: list[str], seconds: float) -> subprocess.Popen[bytes]:
        """The model's arms on all tasks, so many side by side, interrupted after so many seconds."""
        asked, joined = self.asked, self.out / "joined" / model.label
        shutil.rmtree(joined, ignore_errors=True)
        evaluator = asked.evaluator or ("local_gpu" if self.gpus else "emulated")
        searches = [
            ("--method", f"{proposer}-{search}=search:{search},proposer:{proposer}")
            for proposer, _, listed in (arm.partition(":") for arm in asked.arm)
            for search in listed.split(",")
        ]
        options = [
            *("--model", f"openai:model@{url}", "--evaluator", evaluator, "--budget", str(asked.budget)),
            *("--max-tokens", str(asked.max_tokens), "--context-tokens", str(asked.context - 44)),
            *("--workers", str(asked.workers), "--allow-root"),
            *(word for search in searches for word in search),
        ]
        words = [
            *(str(HERE / "experiment_on_gpus.py"), "--tasks", str(asked.tasks), "--seeds", "1"),
            *("--parts", str(self.out / "arms" / model.label), "--out", str(joined)),
            *(("--gpus", ",".join(judges)) if self.gpus else ()),
            *("--workers", str(asked.parts), "--stop-after", str(max(1, int(seconds - ENDING_S)))),
        ]
        log = self.out / "logs" / f"arms-{model.label}.log"
        return self._begin([sys.executable, *words, "--", *options], self._environment(""), log)

    def _environment(self, gpu: str) -> dict[str, str]:
        path = f"{Path(sys.executable).parent}:{os.environ.get('PATH', '')}"
        return {**os.environ, "PATH": path, "PYTHONUNBUFFERED": "1", "HF_HUB_OFFLINE": "1", "CUDA_VISIBLE_DEVICES": gpu}

    def _begin(self, words: list[str], environment: dict[str, str], log: Path) -> subprocess.Popen[bytes]:
        with log.open("ab") as said:
            child = subprocess.Popen(
                words, env=environment, stdout=said, stderr=said, stdin=subprocess.DEVNULL, start_new_session=True
            )
        self.children.append(child)
        return child

    @staticmethod
    def _end(children: list[subprocess.Popen[bytes]]) -> None:
        """End these and what they started: asked first, so that ended cells are kept."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            for child in children:
                if _group_lives(child.pid):
                    os.killpg(child.pid, number)
            until = time.monotonic() + 4
            while (
                any(child.poll() is None or _group_lives(child.pid) for child in children) and time.monotonic() < until
            ):
                time.sleep(0.1)

    def _tables(self) -> int:
        """The tasks of each label joined, and a table of all that has ended in this call and those before; how many labels have one."""
        lines: list[str] = []
        ended = 0
        for model in self.asked.model:
            parts = sorted(
                str(found.parent)
                for found in (self.out / "arms" / model.label).glob("*/results.jsonl")
                if _cells(found)
            )
            lines.append(f"== {model.label}: {len(parts)} tasks")
            if not parts:
                last = _last_line(self.out / "logs" / f"arms-{model.label}.log")
                print(f"{model.label}: no cell ended: {last}", flush=True)
                continue
            ended += 1
            joined = self.out / "joined" / model.label
            shutil.rmtree(joined, ignore_errors=True)
            lines.append(_said("bench", "merge", *parts, "--out", str(joined)))
            lines.append(_said("bench", "report", str(joined)))
        (self.out / "tables.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
        print(f"tables: {self.out / 'tables.txt'}", flush=True)
        return ended


def _cells(results: Path) -> int:
    """How many cells a file of results holds, below its head."""
    return sum(1 for line in results.read_text(encoding="utf-8").splitlines() if line.strip()) - 1


def _group_lives(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def _said(*words: str) -> str:
    done = subprocess.run([*REGRAPHT, *words], capture_output=True, text=True, check=False)
    return (done.stdout + done.stderr).strip()


def _last_line(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines() if log.exists() else []
    return lines[-1] if lines else f"{log} is empty"


def _gpus() -> list[str]:
    """Numbers of the GPUs that this process may use."""
    if (named := os.environ.get("CUDA_VISIBLE_DEVICES")) is not None:
        return [one for one in named.split(",") if one]
    try:
        done = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, check=False)
    except OSError:
        return []
    return [
        str(number) for number, _ in enumerate(line for line in done.stdout.splitlines() if line.startswith("GPU "))
    ]


def _model(text: str) -> Model:
    label, _, place = text.partition("=")
    path, _, training = place.partition("+")
    if not label.isidentifier() or not path:
        raise argparse.ArgumentTypeError(f"{text} is not LABEL=FILE, LABEL=FOLDER or LABEL=MODEL+TRAINING")
    for one in (path, training):
        if one and not Path(one).exists():
            raise argparse.ArgumentTypeError(f"there is no {one}")
    return Model(label, Path(path), Path(training) if training else None)


def main() -> int:
    """Read what is asked, and run it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seconds", type=float, required=True, help="the clock of the whole call")
    parser.add_argument(
        "--model", type=_model, action="append", required=True, help="LABEL=MODEL or LABEL=MODEL+TRAINING; several"
    )
    parser.add_argument("--tasks", type=Path, required=True, help="a file of tasks of CUDAEval, one a line")
    parser.add_argument(
        "--arm", action="append", help="PROPOSER:METHOD,METHOD; default: language_model:direct,best-of-n,mcgs"
    )
    parser.add_argument("--budget", type=int, default=8)
    parser.add_argument(
        "--parts", type=int, default=max(1, (os.cpu_count() or 1) // 4), help="tasks at a time of each model"
    )
    parser.add_argument("--workers", type=int, default=2, help="candidates at a time of each task")
    parser.add_argument("--slots", type=int, default=64, help="replies that a server writes together")
    parser.add_argument("--context", type=int, default=6144)
    parser.add_argument("--max-tokens", type=int, default=1024)
    parser.add_argument("--port", type=int, default=8001, help="of the first server; the others follow")
    parser.add_argument("--tokenizer", type=Path, help="a folder where the tokenizer of GGUF files was saved")
    parser.add_argument("--evaluator", help="default: local_gpu where there is a GPU, else emulated")
    asked = parser.parse_args()
    asked.arm = asked.arm or ["language_model:direct,best-of-n,mcgs"]
    if missing := [pip for name, pip in NEEDED.items() if importlib.util.find_spec(name) is None]:
        parser.error(f"this needs more packages: pip install {' '.join(missing)}")
    if len({model.label for model in asked.model}) < len(asked.model):
        parser.error("two models have one label")
    if not asked.tasks.is_file():
        parser.error(f"there is no {asked.tasks}")
    asked.out.mkdir(parents=True, exist_ok=True)
    told = {
        "models": [f"{one.label}={one.path}+{one.training or ''}" for one in asked.model],
        "arms": asked.arm,
        "budget": asked.budget,
        "tasks": str(asked.tasks),
    }
    (asked.out / "asked.json").write_text(json.dumps(told, indent=1) + "\n")
    return Slice(asked).run()


if __name__ == "__main__":
    sys.exit(main())
