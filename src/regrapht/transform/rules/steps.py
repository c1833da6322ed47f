"""Rules as a person names them: `map2d,tile:32,unroll:4@2` to decisions, and what stands against each.

A step is a rule's name, values for its parameters behind colons, and the nests that it is for behind `@`. A name is the technique's slug,
one of the vocabulary's names for it, a short one from the list below, or a part that one slug alone has.
"""

import difflib
import re
from dataclasses import dataclass

from regrapht.errors import ConfigError, UnknownName
from regrapht.graph.vocabulary import load_vocabulary
from regrapht.transform.plan.analysis import Program
from regrapht.transform.rules import BY_SLUG, RULES
from regrapht.transform.rules.application import DoesNotApply, apply, choices
from regrapht.transform.rules.decisions import Decision, Value, shown
from regrapht.transform.rules.rule import NO_NEST, Rule, Setting

SHORT = {
    "map": "map_to_threads",
    "map1d": "map_to_threads",
    "map2d": "map_2d",
    "map3d": "map_3d",
    "stride": "grid_stride_loop",
    "interchange": "loop_interchange",
    "block": "block_size_tuning",
    "tree": "block_reduction",
    "shuffle": "warp_shuffle_reduction",
    "warprow": "warp_per_row",
    "twostage": "two_stage_reduction",
    "atomic": "atomic_reduction",
    "privatise": "shared_memory_histogram",
    "transpose": "shared_memory_transpose",
    "coalesce": "memory_coalescing",
    "tile": "shared_memory_tiling",
    "patch": "register_tiling",
    "halo": "shared_memory_halo",
    "pad": "shared_memory_padding",
    "coarsen": "thread_coarsening",
    "unroll": "loop_unrolling",
    "restrict": "restrict_read_only",
    "wave": "wavefront",
    "library": "library_call",
    "fuse": "kernel_fusion",
    "split": "kernel_fission",
    "scan": "block_scan",
    "vector": "vectorised_access",
    "constant": "constant_memory",
    "table": "shared_lookup_table",
    "stream": "streaming_stores",
    "bounds": "launch_bounds",
}
"""Short names that a slug's own words do not give, or that several slugs share."""
_STEP = re.compile(r"(?P<name>[^:@]+)(?P<values>(?::[^:@]*)*)(?:@(?P<nests>\d+(?:\+\d+)*))?")


@dataclass(frozen=True, slots=True)
class WantedStep:
    """One rule that a person asks for."""

    text: str
    rule: Rule
    values: dict[str, Value]
    """Parameters that were given."""
    nests: tuple[int, ...]
    """Empty: all nests that it suits."""


def short_name(rule: Rule) -> str:
    """The shortest name that means this rule."""
    names = [short for short, slug in SHORT.items() if slug == rule.slug and slug in BY_SLUG]
    return names[-1] if names else rule.slug


def find_rule(name: str) -> Rule:
    """The rule that a person means.

    Raises:
        UnknownName: None, or several; the message names the nearest or all of them.
    """
    key = _key(name)
    slug = SHORT.get(key) or load_vocabulary().resolve(name)
    exact = [rule for rule in RULES if _key(rule.slug) == key or rule.slug == slug]
    found = exact or [rule for rule in RULES if key and key in _key(rule.slug)]
    if len(found) == 1:
        return found[0]
    if found:
        raise UnknownName(f"{name!r} may be {' or '.join(rule.slug for rule in found)}")
    known = {_key(rule.slug): rule for rule in RULES} | {
        s: BY_SLUG[slug] for s, slug in SHORT.items() if slug in BY_SLUG
    }
    near = difflib.get_close_matches(key, known, n=1)
    hint = f"did you mean {short_name(known[near[0]])!r}?" if near else "list them with --explain"
    if slug is not None:
        hint = f"'{slug}' is a technique that the transform engine has no rule for; list its rules with --explain"
    raise UnknownName(f"there is no rule {name!r}; {hint}")


def read_steps(text: str) -> list[WantedStep]:
    """The steps of a text such as `map2d,tile:32,unroll:4`.

    Raises:
        ConfigError: A step is malformed, or a value is not one of its rule's.
        UnknownName: As `find_rule`.
    """
    return [_read_step(step.strip()) for step in text.split(",") if step.strip()]


def decide(program: Program, step: WantedStep) -> Decision:
    """The decision that a step comes to at a program: the first setting, in the order of attempts, that has the values given and applies.

    Raises:
        DoesNotApply: There is none; says why, and which rule would help where one does.
    """
    found = _first(program, step)
    if found is not None:
        return found
    rule = step.rule
    given = ", ".join(f"{name} {shown(value)}" for name, value in step.values.items())
    reason = _reason(program, step)
    needed = comes_after(program, rule)
    help_text = f"; put {short_name(needed)} before it" if needed is not None else ""
    raise DoesNotApply(f"{rule.slug}{f' ({given})' if given else ''} does not apply: {reason}{help_text}")


def comes_after(program: Program, rule: Rule) -> Rule | None:
    """The rule that makes a program ready for `rule`, where `rule` does not apply to it as it is; None when none does."""
    for slug in rule.after:
        needed = BY_SLUG.get(slug)
        if needed is None:
            continue
        for choice in choices(program, needed)[:1]:
            if choices(apply(program, choice.decision), rule):
                return needed
    return None


def _read_step(text: str) -> WantedStep:
    match = _STEP.fullmatch(text)
    if match is None:
        raise ConfigError(
            f"--apply: {text!r} is not RULE, RULE:VALUE or RULE:VALUE@NEST, such as tile:32 or unroll:4@2"
        )
    rule = find_rule(match["name"].strip())
    values: dict[str, Value] = {}
    for value in match["values"].split(":")[1:]:
        name, chosen = _read_value(rule, value.strip(), values)
        values[name] = chosen
    nests = tuple(sorted({int(nest) for nest in match["nests"].split("+")})) if match["nests"] else ()
    return WantedStep(text, rule, values, nests)


def _read_value(rule: Rule, text: str, taken: dict[str, Value]) -> tuple[str, Value]:
    """The parameter that a value is for, by name, or the first free one that can have it."""
    name, _, value = text.rpartition("=")
    wanted = " x ".join(part.strip() for part in value.split("x"))
    for parameter in rule.parameters:
        if parameter.name not in taken and name in ("", parameter.name):
            for one in parameter.values:
                if shown(one) == wanted:
                    return parameter.name, one
    has = "; ".join(f"{p.name}: {', '.join(shown(v).replace(' ', '') for v in p.values)}" for p in rule.parameters)
    raise ConfigError(
        f"--apply: {rule.slug} cannot take {text!r}; " + (f"it takes {has}" if has else "it has no parameter")
    )


def _settings(step: WantedStep) -> list[Setting]:
    return [s for s in step.rule.settings() if all(s[name] == value for name, value in step.values.items())]


def _first(program: Program, step: WantedStep) -> Decision | None:
    for setting in _settings(step):
        fits = [number for number, reason in _reasons(program, step, setting).items() if reason is None]
        wanted = step.nests or tuple(fits[:1] if step.rule.one_nest else fits)
        if wanted and set(wanted) <= set(fits):
            return Decision(technique=step.rule.slug, nests=wanted, parameters=setting)
    return None


def _reasons(program: Program, step: WantedStep, setting: Setting) -> dict[int, str | None]:
    """What each wanted nest has against a setting."""
    reasons: dict[int, str | None] = {}
    for nest in program.nests:
        if not step.nests or nest.number in step.nests:
            nest.prepare(program.scop)
            reasons[nest.number] = step.rule.reason_against(program, nest, setting)
    return reasons


def _reason(program: Program, step: WantedStep) -> str:
    if not program.nests:
        return NO_NEST
    numbers = {nest.number: nest.line for nest in program.nests}
    if missing := [nest for nest in step.nests if nest not in numbers]:
        return (
            f"there is no nest {missing[0]}; nests are {', '.join(f'{n} (line {line})' for n, line in numbers.items())}"
        )
    reasons = _reasons(program, step, _settings(step)[0])
    return "; ".join(
        f"nest {number} (line {numbers[number]}): {reason}" for number, reason in reasons.items() if reason
    )


def _key(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())
