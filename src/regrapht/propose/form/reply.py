"""From a model's reply to a program, with faults of form mended on the way: also what `prompts.parse` must refuse as it stands."""

import re
from dataclasses import dataclass, replace

from regrapht.prompts.fences import Block, fenced_blocks
from regrapht.prompts.parse import extract_code
from regrapht.prompts.wrapped_code import texts_in_strings
from regrapht.propose.form import LONGEST_TEXT, mend
from regrapht.propose.form.cut_off import whole_definitions, whole_part
from regrapht.propose.form.left_out import kernels_left_open, what_is_left_out
from regrapht.propose.form.lone_launches import with_launches_replaced
from regrapht.propose.form.not_meant import MOST_BLOCKS, is_too_long, why_not_meant
from regrapht.propose.form.parent_definitions import with_the_parents_definitions
from regrapht.propose.form.partial_program import with_a_diff_applied, with_functions_replaced, with_marks_taken_off
from regrapht.propose.form.program import Program
from regrapht.propose.form.renamed_kernels import with_the_parents_names
from regrapht.propose.form.repeated_definitions import without_repeated_definitions
from regrapht.propose.form.search_replace import with_searches_replaced
from regrapht.propose.form.skeleton import HOLE
from regrapht.propose.form.spelling import spelled
from regrapht.records.task import Task
from regrapht.source.tokens import without_comments

_NOT_APPLICABLE = re.compile(
    r"\bnot?[\s_*-]*applicable\b|\bn/a\b|\binapplicable\b|\b(?:does|do) not apply\b|\b(?:cannot|can not|can't) (?:be applied|use)\b"
    r"|\b(?:is|are) not (?:suitable|possible|useful|relevant|needed)\b|\bdoes not fit\b"
    r"|\u4e0d\u9002\u7528|\u9069\u7528\u3067\u304d|\bnicht anwendbar\b|\bnon applica(?:ble|bile)\b|\bno (?:es )?aplicable\b"
    r"|\bn[a\u00e3]o (?:\u00e9 )?aplic[a\u00e1]vel\b|\u043d\u0435\u043f\u0440\u0438\u043c\u0435\u043d\u0438\u043c",
    re.IGNORECASE,
)
_BEGINS_REFUSAL = re.compile(r"\s*(?:```\w*\s*)?(?:cuda,\s*)?NOT APPLICABLE\b", re.IGNORECASE)
_CODE_STARTS = re.compile(r"^[ \t]*(?:#\s*include\b|__global__\b|extern \"C\"|template\s*<|#\s*define\b)", re.MULTILINE)
_CODE = re.compile(r"[;{}]|^[ \t]*#[ \t]*(?:include|define)\b", re.MULTILINE)
_HUNK = re.compile(r"^@@ .*@@", re.MULTILINE)
_DIFF_LINE = re.compile(r"^@@ |^[-+](?![-+])", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """What a reply came to: a program, a refusal of the technique, or a reason for there being neither."""

    code: str | None = None
    prose: str = ""
    mends: tuple[str, ...] = ()
    not_applicable: str | None = None
    """Why the technique does not apply, in the model's words."""
    reason: str = ""


def read_reply(
    text: str,
    task: Task,
    *,
    parent: str | None,
    may_refuse: bool,
    mends: bool,
    skeleton: str | None = None,
    cut_off: str = "",
) -> Read:
    """The program of a reply. Never raises.

    Args:
        text: The reply.
        task: What is asked for.
        parent: The program that the model was asked to change.
        may_refuse: Whether the reply may say that a technique does not apply.
        skeleton: The file that a first program was to be completed from.
        mends: False takes replies as they are, as the papers do; NOT APPLICABLE counts then only as asked for.
        cut_off: Why the reply has no end, for one that has none: it counts then where a program is whole all the same.
    """
    if cut_off and not mends:
        return Read(reason=cut_off)
    done: tuple[str, ...] = ()
    mends = mends and not is_too_long(text)
    if mends:
        text, done = spelled(text)
    read = _read_spelled(text, task, parent, skeleton=skeleton, may_refuse=may_refuse, mends=mends, cut_off=cut_off)
    return replace(read, mends=(*done, *read.mends)) if read.code is not None else read


def _read_spelled(
    text: str, task: Task, parent: str | None, *, skeleton: str | None, may_refuse: bool, mends: bool, cut_off: str
) -> Read:
    if mends and (whole := whole_part(text)) is not None:
        part = _read(whole, task, parent=parent, may_refuse=False, mends=True, skeleton=skeleton)
        is_begun = (
            part.code is not None and skeleton is not None and kernels_left_open(Program(part.code, task), skeleton)
        )
        if is_begun and cut_off:  # what it began with is whole, and not the kernel
            return Read(reason=cut_off)
        if part.code is not None:
            return replace(part, mends=("cut_off", *part.mends))
    is_refusal = _BEGINS_REFUSAL.match(text) is not None  # the words that follow may have no end
    may_refuse = may_refuse and (not cut_off or is_refusal)
    read = _read(text, task, parent=parent, may_refuse=may_refuse, mends=mends, skeleton=skeleton)
    is_without = read.code is None and read.not_applicable is None
    return replace(read, reason=cut_off) if cut_off and is_without else read


def _read(text: str, task: Task, *, parent: str | None, may_refuse: bool, mends: bool, skeleton: str | None) -> Read:
    if mends and (why := why_not_meant(text)) is not None:
        return Read(reason=why)
    found = extract_code(text, task.entry)
    if found.code is not None:
        if mends and (joined := _with_other_blocks(text, found.code, task)):
            return _finished(joined, found.prose, ("split_blocks",), task, parent)
        return (
            _finished(found.code, found.prose, (), task, parent) if mends else Read(code=found.code, prose=found.prose)
        )
    if may_refuse and (why := _refusal(text, spelled_as_asked=not mends)):
        return Read(not_applicable=why)
    reason = found.reason or "the reply holds no code"
    if mends:
        for name, code in _otherwise(text, task, parent, skeleton):
            read = _finished(code, "", (name,), task, parent)
            if read.code is not None and Program(read.code, task).entries:
                return read
            reason = read.reason or reason
    return Read(reason=reason)


def _finished(code: str, prose: str, done: tuple[str, ...], task: Task, parent: str | None) -> Read:
    if len(code) > LONGEST_TEXT:
        return Read(code=code, prose=prose, mends=done)
    whole = with_the_parents_definitions(Program(code, task), parent) if parent is not None else None
    if whole is not None:
        code, done = whole, (*done, "parent_definitions")
    mended = mend(code, task)
    if (left_out := what_is_left_out(Program(mended.text, task))) is not None:
        return Read(reason=f"the reply leaves out code, where it says {left_out!r}")
    return Read(code=mended.text, prose=prose, mends=(*done, *mended.mends))


def _with_other_blocks(text: str, code: str, task: Task) -> str | None:
    """All blocks of code in their order, where the one with the entry launches a kernel that another one defines; None otherwise."""
    program = Program(code, task)
    missing = program.launched - {kernel.name for kernel in program.kernels}
    if not missing:
        return None
    joined = Program("\n\n".join(_code_blocks(text)) + "\n", task)
    joined = Program(without_repeated_definitions(joined) or joined.text, task)
    return joined.text if missing <= {kernel.name for kernel in joined.kernels} and len(joined.entries) == 1 else None


def _code_blocks(text: str) -> list[str]:
    blocks = fenced_blocks(text.encode("utf-8", "replace").decode().replace("\r\n", "\n"))
    return [block.text for block in blocks if block.closed and _CODE.search(block.text) and _is_cuda(block)]


def _otherwise(text: str, task: Task, parent: str | None, skeleton: str | None) -> list[tuple[str, str]]:
    """Other ways to read a reply, the likeliest first: name of the mend and program."""
    if len(text) > LONGEST_TEXT:
        return []
    text = text.encode("utf-8", "replace").decode().replace("\r\n", "\n")
    blocks = [block for block in fenced_blocks(text) if block.text.strip()][-MOST_BLOCKS:]
    found: list[tuple[str, str]] = []
    if blocks and not blocks[-1].closed and _is_balanced(blocks[-1].text):
        found.append(("unclosed_fence", blocks[-1].text))
    if parent is not None:
        replaced = with_searches_replaced(text, parent)
        found += [("search_replace", replaced)] if replaced is not None else []
        found += _changes(blocks, parent, task)
    found += [("diff", whole) for block in blocks if (whole := with_marks_taken_off(block.text)) is not None]
    found += [("python_string", one) for one in texts_in_strings(text) if task.entry in one]
    code = _code_blocks(text)[-MOST_BLOCKS:]
    if len(code) > 1:
        found.append(("split_blocks", "\n\n".join(code)))
    found += [("block_without_entry", one) for one in reversed(code)]
    if skeleton is not None:  # a kernel in other words than its head comes here: its own guard tells the threads better
        found += [("skeleton", one) for _, one in _changes(blocks, skeleton, task)]
        found += [("body_alone", skeleton.replace(HOLE, one)) for one in code[-1:] if _is_a_body(one, skeleton)]
    if not blocks and parent is not None and (hunk := _HUNK.search(text)):
        changed = with_a_diff_applied(text[hunk.start() :].rstrip(), parent)
        found += [("diff", changed)] if changed is not None else []
    start = _CODE_STARTS.search(text)
    if not blocks and start:
        found.append(("unfenced", whole_definitions(text[start.start() : text.rfind("}") + 1])))
    return [(name, one if one.endswith("\n") else one + "\n") for name, one in found]


def _changes(blocks: list[Block], parent: str, task: Task) -> list[tuple[str, str]]:
    """The parent changed by what the blocks hold."""
    found: list[tuple[str, str]] = []
    for block in reversed(blocks):
        if not block.closed:
            continue
        if block.language in ("diff", "patch") or len(_DIFF_LINE.findall(block.text)) > 1:
            changed = with_a_diff_applied(block.text, parent)
            if changed is None and (whole := with_marks_taken_off(block.text)) is not None:
                changed = with_functions_replaced(whole, parent, task)
            found += [("diff", changed)] if changed is not None else []
        changed = with_functions_replaced(block.text, parent, task)
        found += [("partial_program", changed)] if changed is not None else []
        if changed is None and (renamed := with_the_parents_names(block.text, parent, task)) is not None:
            changed = with_functions_replaced(renamed, parent, task)
            found += [("renamed_kernels", changed)] if changed is not None else []
        launched = with_launches_replaced(block.text, parent, task)
        found += [("lone_launches", launched)] if launched is not None else []
    return found


def _is_cuda(block: Block) -> bool:
    return block.language in ("", "cuda", "cu", "cpp", "c++", "c", "cc", "cxx")


def _is_a_body(code: str, skeleton: str) -> bool:
    """Whether a block is what the file's one hole is for: statements, and no definition."""
    has_definitions = re.search(r"__global__|__device__|^\s*#|\bvoid\s+\w+\s*\(", code, re.MULTILINE) is not None
    return skeleton.count(HOLE) == 1 and "=" in code and ";" in code and not has_definitions


def _is_balanced(code: str) -> bool:
    """Whether a block that was never closed is a whole program all the same: the last brace closes the first."""
    return code.count("{") > 0 and code.count("{") == code.count("}") and code.rstrip().endswith(("}", ";"))


def _words(text: str, *, in_blocks: bool) -> str:
    """The words around the blocks, and those in blocks without code; a block with code may hold a comment of the reference, given back."""
    lines = text.split("\n")
    for block in fenced_blocks(text):
        words = (
            [] if not in_blocks or _has_code(block) else block.text.split("\n")[: block.last_line - block.first_line]
        )
        size = block.last_line + 1 - block.first_line
        lines[block.first_line : block.last_line + 1] = (words + [""] * size)[:size]
    return "\n".join(lines)


def _has_code(block: Block) -> bool:
    return _CODE.search(without_comments(block.text)) is not None


def _refusal(text: str, *, spelled_as_asked: bool) -> str | None:
    """The model's reason for not applying the technique, on one line; None where it gave none."""
    has_code, text = (
        any(_has_code(block) for block in fenced_blocks(text)),
        _words(text, in_blocks=not spelled_as_asked),
    )
    if spelled_as_asked:
        _, found, rest = text.rpartition("NOT APPLICABLE:")
        why = " ".join(rest.split())[:300]
        return why or None if found else None
    said = _NOT_APPLICABLE.search(text)
    if said is None or has_code:
        return None
    line = text[said.end() :].lstrip(" :*-_.`\n")
    return " ".join(line.split())[:300] or " ".join(text.split())[:300]
