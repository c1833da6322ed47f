"""What each column of a report's tables means: in a sentence, as a formula, and where the formula comes from.

The formulas are computed in `bench/metrics.py`, `bench/intervals.py`, `bench/summary/conclusions.py` and `search/reward.py`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Definition:
    """One column, or several whose names differ in a number or in the name of a method."""

    term: str
    columns: str
    """A regular expression that their names match somewhere."""
    meaning: str
    formula: str = ""
    source: str = ""
    """Empty where it is a count, or what was written down."""


DEFINITIONS = (
    Definition("method", r"^method$", "the method, as --method names it: a search alone, or with its own parts"),
    Definition("part", r"^part$", "what differs: the search, the proposer, the model or the prompts (by their hash)"),
    Definition(
        "pairs",
        r"^pairs$",
        "how many pairs of methods differ in this part alone; a task's reward is the mean over the pairs",
    ),
    Definition(
        "task, tier, family",
        r"^(task|tier|family)$",
        "the tier: computed from the task's reference trajectory where there is one, else what the task says",
    ),
    Definition("tasks", r"^tasks$", "tasks that every method has finished with the same seeds"),
    Definition(
        "engine",
        r"^engine$",
        "how the transform engine takes the task: its threads are proved, observed or promised independent; serial, where one thread does "
        "the main work; refused. In older files: inside or outside",
    ),
    Definition(
        "pass@k",
        r"(?<!95 % of )pass@\d+$",
        "probability that one of k seeds, drawn without replacement from the n that were run, passes; the mean over tasks. "
        "A seed passes when its best program passed the judgement in full",
        "1 - C(n - c, k) / C(n, k), c of n passed",
        "Chen et al. 2021, equation 1",
    ),
    Definition(
        "build rate, build@k",
        r"^build( rate|@\d+)$",
        "share of all runs in which some candidate was built; build@k is as pass@k, of being built",
        "1 - C(n - b, k) / C(n, k), b of n built",
        "ParEval, Nichols et al. 2024",
    ),
    Definition("METHOD solved", r" solved$", "tasks that some seed of the method solved"),
    Definition("solved", r"^solved$", "seeds whose best program passed the judgement in full, of all seeds"),
    Definition(
        "solved inside, outside",
        r"^solved (inside|outside)",
        "tasks that some seed solved, of those for which the transform engine has a program with threads, and of the others",
    ),
    Definition(
        "measured reward",
        r"(?<!95 % of )measured reward$",
        "how far the delivered program's time t comes from the yardstick's start, 0, to the speed of light, 1; 0 where nothing passed in "
        "full. The mean over seeds, then over tasks",
        "min(1, max(0, log(start / t) / log(start / floor)))",
        "ours: search/reward.py",
    ),
    Definition(
        "modelled reward",
        r"(?<!95 % of )modelled reward$",
        "how far the delivered program's cost, as the emulator models it, comes from that of the plain CUDA version, 0, to that of moving "
        "each byte once, 1; 0 where nothing passed in full. The mean over seeds, then over tasks. It ranks programs and is no speed-up",
        "min(1, max(0, log(start / cost) / log(start / floor)))",
        "ours: search/reward.py",
    ),
    Definition(
        "after b",
        r"^after \d+$",
        "the reward of the best program among the first b judged candidates, as the search judged it; the mean over seeds, then over tasks",
    ),
    Definition(
        "anytime reward",
        r"^anytime reward$",
        "the reward after b, averaged over every b up to the budget: the area under the curve of rewards by judged candidates. Of two "
        "methods that end alike, the one that needs fewer candidates has more of it",
        "mean over b = 1 ... B of the reward after b",
        "the area under the curve of anytime algorithms, here over judged candidates",
    ),
    Definition(
        "95 %",
        r"^95 %",
        "interval for the mean over tasks, by resampling the tasks after the mean over each one's seeds; too narrow below some ten tasks",
        "2.5th and 97.5th percentile of the means of 10 000 resamples",
        "percentile bootstrap, Efron 1979",
    ),
    Definition(
        "against",
        r"^against$",
        "what speed-ups are over: sequential is the optimised reference on one core, naive the plain CUDA version, library the vendor's. "
        "Never mixed",
    ),
    Definition(
        "tasks with it",
        r"^tasks with it$",
        "how many tasks have this baseline; the row is of these alone. A task that no method solved counts where every task has the "
        "baseline, sequential and naive; one whose sequential reference was too slow at a bench shape does not count under sequential",
    ),
    Definition(
        "speedup@k",
        r"(?<!95 % of )speedup@\d+, failed = [01]$",
        "expected best speed-up of k seeds; the mean over all tasks of the row. A failed seed counts 0, or 1 for falling back on the "
        "baseline",
        "sum over i of v(i) C(i - 1, k - 1) / C(n, k), the n speed-ups v ascending",
        "the mean over all subsets, as of pass@k",
    ),
    Definition(
        "geometric mean, median of solved",
        r"^(geometric mean|median) of solved$",
        "of the best speed-ups of solved tasks; a dash where one of them was not timed",
        "exp(mean(log v)); the middle v",
    ),
    Definition(
        "solved only",
        r"^solved only",
        "arithmetic mean over solved tasks alone of the first seed's speed-up; solving fewer and easier tasks can raise it",
        source="the best-supported reading of ReGraphT's speedup@1, arXiv 2510.19873",
    ),
    Definition(
        "fast_1",
        r"^fast_1$",
        "share of all tasks of the row whose first seed is correct and more than 1 times as fast as the baseline",
        source="KernelBench, Ouyang et al. 2025",
    ),
    Definition(
        "of speed of light",
        r"^of speed of light$",
        "the least time in which the device can move the task's bytes and do its arithmetic, over the delivered program's time; a "
        "geometric mean over bench shapes, and over tasks",
        "floor / t",
        "the roofline model, Williams et al. 2009",
    ),
    Definition(
        "best x",
        r"^best x ",
        "the largest speed-up of the task's seeds over that baseline, a geometric mean over bench shapes",
        "baseline's time / t",
    ),
    Definition(
        "reference on one core",
        r"^reference on one core, us$",
        "what the reference takes on one core of the machine that judged, at the sizes that costs are modelled at, measured (-O2): no "
        "modelled cost is compared with it, and no gain over the plain version is one over it",
    ),
    Definition(
        "best modelled gain",
        r"^best modelled gain$",
        "modelled cost of the plain version over that of the best program of all seeds: no time and no speed-up",
        "start / cost",
    ),
    Definition(
        "higher, lower",
        r"^(higher|lower)$",
        "two methods on the same tasks, the one with the higher mean first. Higher is not yet better: see p, corrected",
    ),
    Definition(
        "higher by, won, lost, equal",
        r"^(higher by|won|lost|equal)$",
        "the mean over tasks of the paired difference, and at how many tasks it is above, below and exactly 0",
    ),
    Definition(
        "p",
        r"^p$",
        "how often a difference as large comes up when the names of the two methods are arbitrary at every task; two-sided",
        "share of 10 000 draws of signs with |mean(+- d)| >= |mean(d)|",
        "randomisation test, Fisher 1935",
    ),
    Definition(
        "p, corrected",
        r"^p, corrected$",
        "the same, for as many comparisons as the table has. A method is called better at 0.05 or less with an interval that excludes 0",
        "largest of min(1, (m - i + 1) p(i)) for i <= j, the m values of p ascending",
        "Holm 1979",
    ),
    Definition(
        "judged",
        r"^judged$",
        "candidates that the budget was charged for; task by task the sum over seeds, else the mean of a run",
    ),
    Definition(
        "proposals, tokens, USD",
        r"^(proposals|tokens|USD)$",
        "means of a run: proposals with those that came to no program, tokens of the model, and what it charged",
    ),
    Definition(
        "judging, wall",
        r"^(judging|wall), s$",
        "means of a run: seconds in the judge, which on a GPU are mostly the GPU's, and seconds from begin to end",
    ),
    Definition(
        "writer, candidates, right, delivered, took part",
        r"^(writer|candidates|right|delivered|took part)$",
        "who wrote candidates (engine: the transform engine from the task; rule: one of its rules; hint: what the judge said, done by "
        "machine; model), how many were judged while searching, the share that passed, how many of the programs that runs deliver were "
        "written last by this writer, and how many have a step of its",
    ),
    Definition(
        "replies, mended, passed, no program, not built, skipped, mends",
        r"^(replies|mended|passed|no program|not built|skipped|mends)$",
        "a model's replies while searching, and the shares of them that were mended in their form, that passed, that held no program "
        "(UNPARSABLE), that did not build, and that refused the technique or changed nothing; then how often each mend was needed",
    ),
    Definition(
        "why not solved, what happened",
        r"^(why not solved|what happened)$",
        "of the seeds that failed, the status of the judgement in full; where nothing came that far, the most frequent while searching",
    ),
)


def definitions_of(columns: Sequence[str]) -> tuple[Definition, ...]:
    """The definitions of some columns, each once, in the order of the columns."""
    found = (definition_of(column) for column in columns)
    return tuple(dict.fromkeys(definition for definition in found if definition is not None))


def definition_of(column: str) -> Definition | None:
    """What a column means; None where nothing here says so."""
    return next((definition for definition in DEFINITIONS if re.search(definition.columns, column)), None)
