"""The picture on the front page: what a real run prints, drawn as a terminal.

    python benchmarks/run_picture.py                  # runs the two commands, keeps their words in results/, draws them
    python benchmarks/run_picture.py --draw-only      # draws what is kept

`make demo`'s command finds a program; then one barrier is taken out of that program, and `regrapht check` is asked about it. The words are
the commands' own, but for the name of the temporary folder; colours and line breaks are the picture's.
"""

import argparse
import datetime
import io
import json
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RECORD = ROOT / "benchmarks" / "results" / "recorded_run.json"
PICTURE = ROOT / "docs" / "pictures" / "run.svg"
WIDTH = 108
BARRIER = "__syncthreads();"
COLOURS = {r"\bPASSED\b|\bpassed\b|\bverified\b": "green", r"^RACE\b|\bfailed\b": "red", r"__syncthreads\(\)": "yellow"}
# As rich draws it, without the fonts that it would fetch from the network.
FORM = """<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: {char_height}px; }}
.{unique_id}-title {{ font-size: 18px; font-weight: bold; font-family: sans-serif; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal"><rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/></clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def words_of(command: list[str]) -> list[str]:
    """What one command of regrapht prints, both streams, as lines."""
    program = [str(Path(sys.executable).parent / "regrapht"), *command]
    ended = subprocess.run(program, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return ended.stdout.splitlines()


def record() -> dict[str, object]:
    """Both commands, one after the other, on this machine: what they print, when, and on what."""
    optimize = "optimize examples/matrix_product --budget 12 --seed 1"
    with tempfile.TemporaryDirectory() as place:
        out, broken = Path(place) / "demo", Path(place) / "no_barrier.cu"
        found = words_of([*optimize.split(), "--out", str(out)])
        source = (out / "best.cu").read_text(encoding="utf-8")
        if source.count(BARRIER) < 2:
            raise SystemExit("the best program of this run has no barrier to take out: try another seed")
        before, _, after = source.rpartition(BARRIER)
        broken.write_text(f"{before}// no barrier{after}", encoding="utf-8")
        refused = words_of(["check", "examples/matrix_product", str(broken)])
        found = [line.replace(str(out), "regrapht-out/demo") for line in found]
        environment = json.loads((out / "verdict.json").read_text(encoding="utf-8"))["environment"]
    return {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "command": "python benchmarks/run_picture.py",
        "environment": environment,
        "runs": [
            {"command": f"regrapht {optimize} --out regrapht-out/demo", "words": found},
            {"command": "regrapht check examples/matrix_product no_barrier.cu", "words": refused},
        ],
    }


def picture(kept: dict) -> str:
    """The SVG of a record; the same for the same record."""
    from rich.console import Console
    from rich.terminal_theme import MONOKAI
    from rich.text import Text

    console = Console(record=True, width=WIDTH, file=io.StringIO(), color_system="truecolor", force_terminal=True)
    for number, run in enumerate(kept["runs"]):
        note = "" if number == 0 else "    # the same program, one __syncthreads() taken out"
        console.print(Text.assemble(("$ ", "bold cyan"), (run["command"], "bold"), (note, "dim")))
        for line in run["words"]:
            for part in textwrap.wrap(line, WIDTH, subsequent_indent="    ", drop_whitespace=False) or [""]:
                text = Text(part)
                for pattern, colour in COLOURS.items():
                    text.highlight_regex(pattern, colour)
                console.print(text)
        if number == 0:
            console.print()
    console.print()
    return console.export_svg(title="regrapht", theme=MONOKAI, code_format=FORM, unique_id="run")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draw-only", action="store_true", help=f"run nothing: draw {RECORD.name}")
    if not parser.parse_args().draw_only:
        RECORD.write_text(json.dumps(record(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(picture(json.loads(RECORD.read_text(encoding="utf-8"))), encoding="utf-8")
    print(PICTURE)
    return 0


if __name__ == "__main__":
    sys.exit(main())
