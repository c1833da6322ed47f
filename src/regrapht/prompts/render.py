"""A task and a proposal to the prompt that asks a model for the program.

A prompt has one system message and one user message: task, hardware, earlier attempts, current program, what the judge said of
it, the technique with its exemplars, what to do, and the form of the answer. Earlier attempts are a section rather than turns of a
dialogue, because many small models' chat templates take only strictly alternating turns.

Tokens are estimated (`program_view.count_tokens`). Where the estimate is beyond the room, exemplars go first (the last one first: a search
orders them best first), then earlier attempts (oldest first), then the hardware, then what is known of sizes and values. Signature,
reference, rules, current program and feedback are never cut. An exemplar that made its program slower is no advice and never shown.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from regrapht.errors import ConfigError
from regrapht.prompts.build_hints import build_hints
from regrapht.prompts.fault_places import failure_text, fault_places, one_instruction
from regrapht.prompts.fences import fenced
from regrapht.prompts.hardware import HardwareBlock
from regrapht.prompts.inline import inline
from regrapht.prompts.program_view import BYTES_PER_TOKEN as BYTES_PER_TOKEN
from regrapht.prompts.program_view import ProgramView, count_tokens, program_view
from regrapht.prompts.task_text import task_text
from regrapht.prompts.templates import fill, templates_hash
from regrapht.prompts.unwritten_hints import unwritten_hints
from regrapht.records.prompt import Message, Prompt, Speaker
from regrapht.records.proposal import Judged, Proposal, ProposalKind
from regrapht.records.task import Task
from regrapht.records.technique import Exemplar, Technique
from regrapht.records.verdict import Status, Verdict


class Wording(StrEnum):
    """Which family of templates is used."""

    GRAPH = "graph"
    """Steps of a search over techniques."""
    FSR = "fsr"
    """Rounds of feature search and reinforcement (CUDA-LLM, arXiv 2506.09092): first, correctness, performance."""
    CHAIN = "chain"
    """A chain of thought before a first program; otherwise as GRAPH."""
    THOUGHT = "thought"
    """One idea at a time, stated before its program (RethinkMCTS, arXiv 2409.09584): first, next, and again after a failure."""


_TEMPLATES = {
    (Wording.GRAPH, ProposalKind.INITIAL): "initial",
    (Wording.GRAPH, ProposalKind.REPAIR): "repair",
    (Wording.GRAPH, ProposalKind.IMPROVE): "improve",
    (Wording.CHAIN, ProposalKind.INITIAL): "cot_first",
    (Wording.CHAIN, ProposalKind.REPAIR): "repair",
    (Wording.CHAIN, ProposalKind.IMPROVE): "improve",
    (Wording.THOUGHT, ProposalKind.INITIAL): "thought_first",
    (Wording.THOUGHT, ProposalKind.REPAIR): "thought_again",
    (Wording.THOUGHT, ProposalKind.IMPROVE): "thought_next",
    (Wording.FSR, ProposalKind.INITIAL): "fsr_first",
    (Wording.FSR, ProposalKind.REPAIR): "fsr_correctness",
    (Wording.FSR, ProposalKind.IMPROVE): "fsr_performance",
}
_EDITS = ("apply", "improve", "repair_function")
"""Templates that change a program: of a long one the functions that change are shown and asked for (`program_view`)."""
_SHORT_TO_REPAIR = 250
"""Tokens of a program that is repaired whole. A repair of a longer one is asked for by its functions: what a small model is to write again
whole it cuts off, or gives back as it was."""
_TECHNIQUE = "\n# Technique to apply: "
_ANSWERS = {"cot_first": "answer_reasoned", "initial_skeleton": "answer_kernel"}
"""Templates that ask for another form of answer than a whole file after a few sentences."""
_LOOK_BACK = {
    "fsr_correctness": " Do not repeat an earlier attempt that failed in the same way.",
    "fsr_performance": " Look at the earlier attempts, and try something that they did not.",
}
"""Words of FSR that are true where earlier attempts are shown."""
_INTRODUCTION = {
    "apply": "exemplars",
    **dict.fromkeys(
        ("initial", "initial_skeleton", "improve", "cot_first", "thought_first", "thought_next"), "similar"
    ),
}
"""Templates that show exemplars, and the words that go before these: of the technique, or of programs that are alike."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderSettings:
    """What a prompt is made with beside the task and the proposal."""

    techniques: Mapping[str, Technique] = field(default_factory=dict)
    programs: Mapping[str, str] = field(default_factory=dict)
    """Source texts by the hash that exemplars name them with."""
    hardware: HardwareBlock | None = None
    room_tokens: int | None = None
    """Tokens that the prompt may take (the model's context without its reply); None for no limit."""
    page_tokens: int | None = None
    """Tokens beyond which what can be left out is, though there is room: a model that reads slowly is waited for by the page."""
    show_reference: bool = True
    wording: Wording = Wording.GRAPH
    skeleton: str | None = None
    """A file with a hole for the kernel's body, which a first program is to be completed from; None to ask for a whole file."""
    obstacle: str = ""
    """What keeps a compiler from mapping the task, on one line; empty where nothing does or nobody knows."""
    code_alone: bool = False
    """Ask for code without words around it: a small model that is to explain itself first often stops after that."""


def render(task: Task, proposal: Proposal, *, settings: RenderSettings | None = None) -> Prompt:
    """The prompt for a proposal; `Prompt.dropped` names what did not fit, in the order it was dropped.

    A prompt whose task or current program alone is too long comes back as it is: ask `estimate_tokens`.

    Raises:
        ConfigError: The task is hidden without a description, or the graph at hand lacks the technique or a program of an exemplar.
    """
    settings = settings or RenderSettings()
    fixed = _fixed_parts(task, proposal, settings)
    shown = _advice(proposal) if _template(proposal, settings) in _INTRODUCTION else ()
    exemplars = [_exemplar(i, item, proposal.kind, settings) for i, item in enumerate(shown, start=1)]
    attempts = [_attempt(item) for item in _history(proposal)]
    system = Message(speaker=Speaker.SYSTEM, text=fill("system", {}))
    names = [f"exemplar {i} ({item.task_id})" for i, item in enumerate(shown, start=1)]
    ages = [f"attempt {item.proposal_id}" for item in _history(proposal)]
    dropped: list[str] = []
    longest = min((one for one in (settings.room_tokens, settings.page_tokens) if one is not None), default=None)
    while True:
        user = Message(speaker=Speaker.USER, text=_user_text(proposal, settings, fixed, exemplars, attempts))
        prompt = Prompt(messages=(system, user), template_hash=templates_hash(), dropped=tuple(dropped))
        if longest is None or estimate_tokens(prompt) <= longest:
            return prompt
        if exemplars:
            exemplars.pop()
            dropped.append(names.pop())
        elif attempts:
            attempts.pop(0)
            dropped.append(ages.pop(0))
        elif fixed["hardware"]:
            fixed["hardware"] = ""
            dropped.append("hardware")
        elif fixed["task"] != fixed["task_alone"]:
            fixed["task"] = fixed["task_alone"]
            dropped.append("sizes and values")
        else:
            return prompt


def shown_before_technique(task: Task, proposal: Proposal, *, settings: RenderSettings) -> str:
    """What the user's message of an APPLY proposal says before it names the technique: task, program, what the judge said."""
    return render(task, proposal, settings=settings).messages[-1].text.partition(_TECHNIQUE)[0].rstrip()


def _advice(proposal: Proposal) -> tuple[Exemplar, ...]:
    """The exemplars that did not make their programs slower, as far as that was measured."""
    return tuple(one for one in proposal.exemplars if one.speedup is None or one.speedup >= 1.0)


def estimate_tokens(prompt: Prompt) -> int:
    """About how many tokens a prompt has; see the top of this file."""
    return sum(count_tokens(message.text) for message in prompt.messages)


def least_tokens(task: Task, proposal: Proposal, settings: RenderSettings) -> int:
    """What no prompt for the proposal has less of: with all left out that a small context leaves out.

    Raises:
        ConfigError: As `render`.
    """
    bare = replace(proposal, exemplars=(), history=())
    return estimate_tokens(render(task, bare, settings=replace(settings, room_tokens=0, page_tokens=None)))


def _fixed_parts(task: Task, proposal: Proposal, settings: RenderSettings) -> dict[str, str]:
    """The parts that are there once; `task_alone` is the task without what may be dropped of it."""
    reference = settings.show_reference
    hardware = None if _template(proposal, settings) == "repair_function" else settings.hardware
    against = "\n\n" + fill("obstacle", {"text": settings.obstacle}) if settings.obstacle and reference else ""
    view = _current_program(proposal, settings)
    parts = {
        "task": task_text(task, show_reference=reference) + against,
        "task_alone": task_text(task, show_reference=reference, show_facts=False) + against,
        "hardware": fill("hardware", {"facts": "\n".join(hardware.lines())}) if hardware else "",
        "notes": fill("notes", {"text": fenced(proposal.notes, "text")}) if proposal.notes.strip() else "",
        "answer": fill(_answer(proposal, settings, view), {}),
    }
    if _template(proposal, settings) == "initial_skeleton":
        parts["skeleton"] = fenced(settings.skeleton or "", "cuda")
    if proposal.parent is not None:
        parts["state"] = _state(proposal.parent.verdict)
        parts["program"] = view.text
        parts["feedback"] = _feedback(proposal.parent.verdict)
        if _template(proposal, settings) == "repair_function":
            places = fault_places(_source_of(proposal), proposal.parent.verdict)
            parts["feedback"] = failure_text(places, parts["feedback"])
            parts["instruction"] = one_instruction(proposal.parent.verdict.status, places)
        if reference and proposal.parent.verdict.status is Status.BUILD_FAILED:
            hints = build_hints(task, proposal.parent.verdict.feedback)
            parts["feedback"] = "\n\n".join([parts["feedback"], *hints]).strip()
        hints = unwritten_hints(task, proposal.parent.verdict, proposal.parent.candidate.source or "")
        parts["feedback"] = "\n\n".join([parts["feedback"], *hints]).strip()
    if proposal.kind is ProposalKind.APPLY:
        technique = _technique(proposal, settings)
        parts["technique"] = inline(technique.title)
        parts["meaning"] = inline(technique.meaning)
        parts["condition"] = inline(technique.condition)
    return parts


def _answer(proposal: Proposal, settings: RenderSettings, view: ProgramView) -> str:
    """The template that says in which form to answer."""
    template = _template(proposal, settings)
    is_long = template == "repair_function" and count_tokens(_source_of(proposal)) > _SHORT_TO_REPAIR
    if is_long or not view.is_whole:
        return "answer_functions"
    code_alone = settings.code_alone and not template.startswith("thought")
    return _ANSWERS.get(template, "answer_code" if code_alone else "answer")


def _user_text(
    proposal: Proposal, settings: RenderSettings, fixed: Mapping[str, str], exemplars: list[str], attempts: list[str]
) -> str:
    parts = {name: text for name, text in fixed.items() if name != "task_alone"}
    parts["history"] = fill("history", {"attempts": "\n\n".join(attempts)}) if attempts else ""
    template = _template(proposal, settings)
    if template in _INTRODUCTION:
        words = fill(_INTRODUCTION[template], {"examples": "\n\n".join(exemplars)}) if exemplars else ""
        parts["exemplars"] = words
    if template in _LOOK_BACK:
        parts["look_back"] = _LOOK_BACK[template] if attempts else ""
    if template == "repair_function":  # what is wrong on one device is wrong on all
        del parts["hardware"]
    if template in ("fsr_first", "fsr_performance"):
        parts["on_hardware"] = " on this hardware" if parts["hardware"] else ""
    return fill(template, parts)


def _template(proposal: Proposal, settings: RenderSettings) -> str:
    if proposal.kind is ProposalKind.APPLY:
        return "apply"
    template = _TEMPLATES[settings.wording, proposal.kind]
    if template == "repair" and settings.code_alone and _source_of(proposal):
        return "repair_function"
    return "initial_skeleton" if template == "initial" and settings.skeleton is not None else template


def _source_of(proposal: Proposal) -> str:
    """The program that is to be changed; empty where there is none."""
    return (proposal.parent.candidate.source or "") if proposal.parent is not None else ""


def _technique(proposal: Proposal, settings: RenderSettings) -> Technique:
    slug = proposal.transition.target if proposal.transition else ""
    if slug not in settings.techniques:
        raise ConfigError(
            f"the graph at hand has no technique {slug!r}: give the proposer the graph that the search uses"
        )
    return settings.techniques[slug]


def _exemplar(number: int, exemplar: Exemplar, kind: ProposalKind, settings: RenderSettings) -> str:
    for name in (exemplar.before, exemplar.after):
        if name not in settings.programs:
            raise ConfigError(
                f"the graph at hand lacks program {name:.12} of an exemplar of {exemplar.transition}: "
                "give the proposer the graph that the search uses"
            )
    what = "the technique applied to another program"
    if kind is not ProposalKind.APPLY:
        what = f"another function, {exemplar.transition.source} -> {exemplar.transition.target}"
    gain = f" ({exemplar.speedup:.2g} times as fast on {inline(exemplar.device or '')})" if exemplar.speedup else ""
    reasons = "\n".join(part.strip() for part in (exemplar.rationale, exemplar.detail) if part.strip())
    return fill(
        "exemplar",
        {
            "number": str(number),
            "what": what,
            "gain": gain,
            "rationale": fenced(reasons, "text") if reasons else "",
            "before": fenced(settings.programs[exemplar.before], "cuda"),
            "after": fenced(settings.programs[exemplar.after], "cuda"),
        },
    )


def _history(proposal: Proposal) -> tuple[Judged, ...]:
    """Earlier turns without the parent, which is shown in full as the current program."""
    parent = proposal.parent.proposal_id if proposal.parent else None
    return tuple(item for item in proposal.history if item.proposal_id != parent)


def _attempt(judged: Judged) -> str:
    source = judged.candidate.source
    return fill(
        "attempt",
        {
            "heading": f"Attempt {judged.proposal_id}: {_outcome(judged.verdict)}",
            "program": fenced(source, "cuda") if source is not None else "",
            "feedback": _feedback(judged.verdict),
        },
    )


def _current_program(proposal: Proposal, settings: RenderSettings) -> ProgramView:
    """The parent as it is shown: whole, but for a long one whose functions are to be changed."""
    if proposal.parent is None:
        return ProgramView("", True)
    candidate = proposal.parent.candidate
    if candidate.source is None:
        return ProgramView(f"(There is no program: {inline(candidate.reason or '')}.)", True)
    template = _template(proposal, settings)
    if template == "repair_function":
        places = fault_places(candidate.source, proposal.parent.verdict)
        builds = proposal.parent.verdict.status is not Status.BUILD_FAILED  # then the number of threads may be to blame
        return program_view(candidate.source, faulty=places.functions, launchers=builds, short_tokens=_SHORT_TO_REPAIR)
    if settings.code_alone and template in _EDITS:
        return program_view(candidate.source)
    return ProgramView(fenced(candidate.source, "cuda"), True)


def _state(verdict: Verdict) -> str:
    if verdict.passed:
        return f"It is right ({_outcome(verdict)})."
    return f"It was refused: {_outcome(verdict)}."


def _outcome(verdict: Verdict) -> str:
    if verdict.time_us is not None:
        return f"{verdict.status}, {verdict.time_us:.4g} microseconds"
    return str(verdict.status)


def _feedback(verdict: Verdict) -> str:
    return fill("feedback", {"text": fenced(verdict.feedback, "text")}) if verdict.feedback.strip() else ""
