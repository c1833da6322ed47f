"""From a proposal and a right program to a pair: the prompt as the product asks it, and a reply that the product reads as that program.

Nothing is taken on trust: each reply is read by `propose.form` as a model's would be, and a pair is made only where that gives the program
that was judged.
"""

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from regrapht.distil.filled_stages import with_turns_in_the_holes
from regrapht.distil.pair import Judgement, Pair, prompt_texts
from regrapht.errors import ConfigError
from regrapht.graph.technique_graph import TechniqueGraph, text_hash
from regrapht.prompts.choice import read_choice, render_choice
from regrapht.prompts.fences import fenced
from regrapht.prompts.hardware import HardwareBlock
from regrapht.prompts.program_view import count_tokens
from regrapht.prompts.render import RenderSettings
from regrapht.propose.form.beginning import FENCE, beginning
from regrapht.propose.form.program import Program, head_start
from regrapht.propose.form.reply import read_reply
from regrapht.propose.form.skeleton import HOLE, skeleton
from regrapht.propose.form.walking_pointers import walk_of
from regrapht.propose.language_model import request_for
from regrapht.records.measurement import Scale, Yardstick
from regrapht.records.prompt import Prompt
from regrapht.records.proposal import Judged, Proposal, ProposalKind
from regrapht.records.run import Budget
from regrapht.records.task import Task
from regrapht.records.technique import Exemplar, Transition
from regrapht.records.verdict import Verdict
from regrapht.search.actions import exemplars_for
from regrapht.search.context import SearchContext
from regrapht.source.functions import FunctionDefinition, read_unit
from regrapht.source.program_hash import program_hash

HARDWARE = tuple(
    HardwareBlock(name=name, architecture=architecture)
    for name, architecture in (
        ("NVIDIA H100 80GB HBM3", "sm_90"),
        ("NVIDIA A100-SXM4-80GB", "sm_80"),
        ("NVIDIA L4", "sm_89"),
        ("NVIDIA GeForce RTX 4090", "sm_89"),
    )
)
_YARDSTICK = Yardstick(scale=Scale.MODELLED, start=1000.0, floor=1.0, start_name="plain")


Gain = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Whose pair it is."""

    origin: str
    licence: str
    hide_tasks: frozenset[str] = frozenset()
    """Tasks whose exemplars are not shown, besides the task itself."""


class Asker:
    """Makes pairs of one task.

    Args:
        longest: Tokens, by the product's estimate, of prompt and reply together; a pair that is longer is none.
    """

    def __init__(
        self, task: Task, graph: TechniqueGraph, source: Source, chance: random.Random, *, longest: int
    ) -> None:
        self.task, self.graph, self.source, self.chance, self.longest = task, graph, source, chance, longest

    # ---- first programs

    def begun(self, body: Sequence[str], outer: Sequence[str]) -> tuple[str, str, str] | None:
        """The file, its program and the reply where the skeleton's hole is filled with `body`; None where there is no skeleton for it.
        A file of several holes has the source's own turn in each.

        Args:
            body: Lines of one turn of the loops over the output.
            outer: The variables of those loops, the outermost first.
        """
        file = self._file
        if file is None:
            return None
        if file.count(HOLE) > 1:
            filled = with_turns_in_the_holes(file, self.task)
            return None if filled is None else self._read(file, FENCE + _up_to_the_entry(filled, self.task) + "```")
        if not outer or not body:
            return None
        walk = walk_of(self.task)
        if walk is not None and all(line in file for line in walk.lines):
            # Each thread has its place there, and takes the source's own turn.
            lines: list[str] | None = walk.turn
        else:
            lines = _in_the_threads_words(file, body, outer, self.chance)
        if lines is None:
            return None
        return self._read(file, beginning(file) + "".join(f"    {line}\n" for line in lines) + "}\n```")

    def _read(self, file: str, reply: str) -> tuple[str, str, str] | None:
        """The file, what the product reads in the reply that completes it, and the reply; None where it reads no program."""
        read = read_reply(reply, self.task, parent=None, skeleton=file, may_refuse=False, mends=True)
        return None if read.code is None else (file, read.code, reply)

    def initial(self, program: str, verdict: Verdict, *, reply: str | None = None) -> list[Pair]:
        """Pairs of a first program; `reply` is the begun one where there is one."""
        proposal = Proposal(id=1, kind=ProposalKind.INITIAL, exemplars=self._exemplars(None, None, 0.3))
        made: list[Pair] = []
        if reply is not None:
            room = count_tokens(reply)
            prompt, _ = self._request(proposal, room)
            if prompt.begin is None or not reply.startswith(prompt.begin):
                return []
            made.append(self._pair("initial", prompt, reply, program, verdict, begin=prompt.begin))
            kernel = reply.find("__global__")
            alone = "```cuda\n" + reply[kernel:]
            if self.chance.random() < 0.25 and self._reads_as(alone, program, proposal):
                made.append(self._pair("initial", prompt, alone, program, verdict))
        else:
            whole = fenced(program, "cuda")
            if self._reads_as(whole, program, proposal):
                prompt, _ = self._request(proposal, count_tokens(whole))
                made.append(self._pair("initial", prompt, whole, program, verdict))
        return [pair for pair in made if self._fits(pair)]

    # ---- changes

    def apply(self, parent: Judged, technique: str, program: str, verdict: Verdict, *, gain: Gain) -> Pair | None:
        """The pair of a technique applied to the parent; None where it does not fit, or reads as another program."""
        last = next((slug for slug in reversed(parent.candidate.techniques) if slug in self.graph.techniques), "init")
        transition = Transition(last, technique)
        shown = self._exemplars(transition, parent, 0.35)
        proposal = Proposal(id=2, kind=ProposalKind.APPLY, parent=parent, transition=transition, exemplars=shown)
        pair = self._change("apply", proposal, program, verdict, gain=gain)
        return None if pair is None else replace(pair, technique=technique)

    def improve(self, parent: Judged, program: str, verdict: Verdict, *, gain: Gain) -> Pair | None:
        """The pair of a faster program of any kind."""
        proposal = Proposal(id=2, kind=ProposalKind.IMPROVE, parent=parent)
        return self._change("improve", proposal, program, verdict, gain=gain)

    def repair(self, parent: Judged, program: str, verdict: Verdict, *, fault: str) -> Pair | None:
        """The pair of a program that failed and the right one."""
        proposal = Proposal(id=2, kind=ProposalKind.REPAIR, parent=parent)
        pair = self._change("repair", proposal, program, verdict, gain={})
        return None if pair is None else replace(pair, feedback_status=str(parent.verdict.status), fault=fault)

    def choose(
        self, parent: Judged, choices: tuple[str, ...], fit: Sequence[str], verdict: Verdict, *, gain: Gain
    ) -> Pair | None:
        """The pair of a choice: `fit`, best first, of `choices`."""
        proposal = Proposal(id=2, kind=ProposalKind.CHOOSE, parent=parent, choices=choices)
        prompt = render_choice(proposal, self.graph.techniques, room_tokens=self.longest - 100)
        reply = ", ".join(fit) if fit else "NONE"
        if prompt is None or read_choice(reply, choices, self.graph.techniques) != tuple(fit):
            return None
        pair = self._pair("choose", prompt, reply, "", verdict, parent=parent, gain=gain)
        return pair if self._fits(pair) else None

    def _change(self, kind: str, proposal: Proposal, program: str, verdict: Verdict, *, gain: Gain) -> Pair | None:
        assert proposal.parent is not None
        before = proposal.parent.candidate.source or ""
        if program_hash(before) == program_hash(program):
            return None
        whole, part = fenced(program, "cuda"), changed_functions(before, program)
        prompt, _ = self._request(proposal, count_tokens(part or whole))
        partly = "# Answer\n\nGive each function that changes" in prompt.messages[-1].text
        replies = [part, whole] if partly or self.chance.random() < 0.6 else [whole, part]
        for reply in replies:
            if reply and self._reads_as(reply, program, proposal):
                pair = self._pair(kind, prompt, reply, program, verdict, parent=proposal.parent, gain=gain)
                if self._fits(pair):
                    return pair
        return None

    # ---- parts

    def _request(self, proposal: Proposal, reply_tokens: int) -> tuple[Prompt, str | None]:
        hardware = self.chance.choice(HARDWARE) if self.chance.random() < 0.5 else None
        rendering = RenderSettings(
            techniques=self.graph.techniques,
            programs=self.graph.programs,
            hardware=hardware,
            room_tokens=max(self.longest - reply_tokens, 400),
            code_alone=True,
        )
        try:
            return request_for(self.task, proposal, rendering)
        except ConfigError:  # the task alone is too long: the pair is counted as too long by `_fits`
            return request_for(self.task, proposal, replace(rendering, room_tokens=None))

    def _reads_as(self, reply: str, program: str, proposal: Proposal) -> bool:
        parent = proposal.parent.candidate.source if proposal.parent else None
        file = self._file if proposal.kind is ProposalKind.INITIAL else None
        may_refuse = proposal.kind is ProposalKind.APPLY
        read = read_reply(reply, self.task, parent=parent, skeleton=file, may_refuse=may_refuse, mends=True)
        return read.code is not None and program_hash(read.code) == program_hash(program)

    @cached_property
    def _file(self) -> str | None:
        """The task's skeleton."""
        return skeleton(self.task)

    def _exemplars(self, transition: Transition | None, parent: Judged | None, share: float) -> tuple[Exemplar, ...]:
        if self.chance.random() >= share:
            return ()
        context = SearchContext(
            task_id=self.task.id,
            family=self.task.family,
            graph=self.graph,
            yardstick=_YARDSTICK,
            budget=Budget(candidates=8),
            seed=0,
            proposer="language_model",
            device="sm_90",
            hide_tasks=self.source.hide_tasks,
            reference=self.task.reference.source.text,
        )
        return exemplars_for(context, transition, self.chance.choice([1, 1, 2]), parent=parent)

    def _pair(
        self,
        kind: str,
        prompt: Prompt,
        reply: str,
        program: str,
        verdict: Verdict,
        *,
        begin: str = "",
        parent: Judged | None = None,
        gain: Gain | None = None,
    ) -> Pair:
        system, user = prompt_texts(prompt)
        before = parent.candidate.source if parent is not None else None
        return Pair(
            kind=kind,
            system=system,
            user=user,
            reply=reply,
            begin=begin,
            task=self.task.id,
            task_hash=self.task.content_hash,
            family=self.task.family or "none",
            parent_hash=text_hash(before) if before else "",
            program_hash=text_hash(program) if program else "",
            verdict=Judgement.of(verdict),
            origin=self.source.origin,
            licence=self.source.licence,
            gain=gain or {},
        )

    def _fits(self, pair: Pair) -> bool:
        return sum(map(count_tokens, (pair.system, pair.user, pair.reply))) <= self.longest


def changed_functions(before: str, after: str) -> str | None:
    """The functions of a program that another one has not, fenced as a reply; None where that is no smaller or does not tell all."""
    old, new = read_unit(before, cuda=True), read_unit(after, cuda=True)
    if (
        old.error_line is not None
        or new.error_line is not None
        or {f.name for f in old.functions} - {f.name for f in new.functions}
    ):
        return None
    known = {one.name: " ".join(_text(before, one).split()) for one in old.functions}
    parts = [text for one in new.functions if known.get(one.name) != " ".join((text := _text(after, one)).split())]
    if not parts or len(parts) == len(new.functions):
        return None
    return fenced("\n\n".join(parts), "cuda")


def _text(source: str, function: FunctionDefinition) -> str:
    node = function.node
    while node.parent is not None and node.parent.type in ("template_declaration", "linkage_specification"):
        node = node.parent
    return source.encode("utf-8", "replace")[node.start_byte : node.end_byte].decode("utf-8", "replace")


def _up_to_the_entry(program: str, task: Task) -> str:
    """The program without the entry, which the product adds: it is the last function of a file to complete."""
    (entry,) = Program(program, task).entries
    return program.encode()[: head_start(entry)].decode().rstrip("\n") + "\n"


def _in_the_threads_words(
    file: str, body: Sequence[str], outer: Sequence[str], chance: random.Random
) -> list[str] | None:
    """The lines with the skeleton's indices for the loops' variables, put in their place or declared first."""
    head = file.partition(HOLE)[0]
    indices = re.findall(r"^    int (\w+) = blockIdx\.[xyz] \*", head, re.MULTILINE)
    if len(indices) != len(outer):
        return None
    names = dict(zip(reversed(outer), indices, strict=True))
    if set(names) & set(indices) and any(names[one] != one for one in names if one in indices):
        return None if len(names) > 1 else list(body)
    used = set(re.findall(r"\b\w+\b", " ".join(body)))
    if any(index in used and index not in names for index in indices):
        return None
    if chance.random() < 0.3 and not set(names) & set(indices):
        return [f"int {variable} = {index};" for variable, index in reversed(names.items())] + list(body)
    pattern = re.compile(r"\b(" + "|".join(map(re.escape, names)) + r")\b")
    return [pattern.sub(lambda found: names[found.group(1)], line) for line in body]
