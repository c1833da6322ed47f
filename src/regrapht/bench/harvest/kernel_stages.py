"""What is done to one kernel at each stage, by rule or by a model: who did it, and what the next stage takes."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from regrapht.bench.harvest.cuda_files import CudaFile
from regrapht.bench.harvest.dependencies import Completed, complete
from regrapht.bench.harvest.describe import Identity, describe
from regrapht.bench.harvest.judging import Draft, admit, compare
from regrapht.bench.harvest.kernels import Kernel
from regrapht.bench.harvest.launcher import launcher
from regrapht.bench.harvest.lengths import fit_lengths, guessed_task
from regrapht.bench.harvest.model_stages import ask_definitions, ask_sequential, program_around
from regrapht.bench.harvest.outcomes import Dropped, hash_of
from regrapht.bench.harvest.sequential import Extent, make_sequential
from regrapht.bench.harvest.thread_indices import Mode
from regrapht.emulate.emulator import Emulator
from regrapht.evaluate.evaluator import Evaluator
from regrapht.llm.client import LanguageModel
from regrapht.records.task import Task
from regrapht.records.verdict import Level
from regrapht.sandbox.sandbox import Sandbox

WORK = ".work"
"""Working copies of tasks; hidden, so that they are not taken for tasks of the suite beside them."""
RULE, MODEL = "rule", "model"
Made = tuple[str, Mapping[str, str]]
"""Who made it (`rule`, `model` or the judge's name), and the texts for the next stage by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelWork:
    """One kernel on its way."""

    unit: str
    """`FILE:KERNEL`."""
    file: CudaFile
    kernel: Kernel


class KernelStages:
    """The stages behind extraction. Each raises `Dropped` for a kernel that goes no further, and as its parts do for a machine's fault."""

    def __init__(
        self, out: Path, *, evaluator: Evaluator, sandbox: Sandbox, level: Level, model: LanguageModel | None
    ) -> None:
        self._out, self._evaluator, self._sandbox, self._level, self._model = out, evaluator, sandbox, level, model
        self._emulator = Emulator(sandbox)

    def complete(self, item: KernelWork) -> Made:
        """The definitions that the kernel needs: the file's, and where some are missing a model's."""
        texts = [*item.file.headers, item.file.text]
        found, by = complete(item.kernel.text, texts), RULE
        if found.missing:
            if self._model is None:
                raise Dropped("not_self_contained", _listed(found, item.file))
            written = ask_definitions(self._model, item.kernel.text, found.text, found.missing)
            found, by = complete(item.kernel.text, texts, supplied=written), MODEL
            if found.missing:
                raise Dropped("not_self_contained", f"the model left out {', '.join(found.missing[:8])}")
        constants = sorted(name for one in found.needed if not one.is_function for name in one.names)
        return by, {"needed": found.text, "constants": " ".join(constants)}

    def sequential(self, item: KernelWork, made: Mapping[str, str]) -> Made:
        """The sequential version and the launch: by rule, else by a model."""
        kernel, needed = item.kernel, made["needed"]
        constants = frozenset(made["constants"].split())
        try:
            by_rule = make_sequential(kernel.text, needed, entry=kernel.entry, constants=constants)
        except Dropped:
            if self._model is None:
                raise
            written = ask_sequential(self._model, kernel.text, needed, kernel.entry)
            return MODEL, {"needed": needed, "reference": written.reference, "host": written.host}
        launch = json.dumps([asdict(extent) for extent in by_rule.launch])
        return RULE, {"needed": needed, "reference": by_rule.reference, "launch": launch}

    def describe(self, item: KernelWork, made: Mapping[str, str]) -> Made:
        """The task's description, and the kernel's program with a host function for it."""
        kernel, needed, reference = item.kernel, made["needed"], made["reference"]
        id = f"{kernel.entry.lower()[:48]}_{hash_of(kernel.text, needed, reference)[:8]}"

        def program_of(task: Task) -> str:
            if "host" in made:
                return program_around(task, kernel.text, needed, made["host"])
            extents = [Extent(**{**plain, "mode": Mode(plain["mode"])}) for plain in json.loads(made["launch"])]
            return launcher(task, kernel.text, needed, extents)

        identity = Identity(
            id=id,
            title=kernel.entry.replace("_", " ").capitalize(),
            origin=f"{item.file.name}: {kernel.name}",
            licence=item.file.licence,
        )
        tomls, program = describe(
            reference,
            kernel.entry,
            identity,
            folder=self._out / WORK / id,
            program_of=program_of,
            try_lengths=lambda task: fit_lengths(task, program_of(task), self._emulator),
            guess=lambda file: guessed_task(file, kernel.entry),
        )
        return RULE, {"id": id, "reference": reference, "program": program, **tomls}

    def compare(self, drafts: Sequence[Draft]) -> Made:
        """Which of the drafts agrees; another role of its outputs is tried only where elements are left unwritten."""
        for number, draft in enumerate(drafts):
            try:
                compare(draft, self._folder(draft), self._evaluator, self._level)
                return self._evaluator.name, {"draft": str(number)}
            except Dropped as dropped:
                if dropped.reason != "unwritten" or number == len(drafts) - 1:
                    raise
        raise AssertionError("a kernel has a draft")

    def admit(self, drafts: Sequence[Draft], agreeing: int) -> Made:
        """Which of the drafts is admitted, from the one that agreed on; the same holds for unwritten elements here."""
        for number, draft in list(enumerate(drafts))[agreeing:]:
            folder = self._folder(draft)
            try:
                if number > agreeing:
                    compare(draft, folder, self._evaluator, self._level)
                tier = admit(draft, folder, evaluator=self._evaluator, sandbox=self._sandbox, level=self._level)
                return self._evaluator.name, {"id": draft.id, "tier": tier, "draft": str(number)}
            except Dropped as dropped:
                if dropped.reason != "unwritten_output" or number == len(drafts) - 1:
                    raise
        raise AssertionError("a kernel has a draft")

    def _folder(self, draft: Draft) -> Path:
        return self._out / WORK / draft.id


def _listed(found: Completed, file: CudaFile) -> str:
    missing = ", ".join(found.missing[:8]) + (" ..." if len(found.missing) > 8 else "")
    return f"{missing}; not in the folder: {', '.join(file.missing[:4])}" if file.missing else missing
