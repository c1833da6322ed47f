"""Two loops that wait for each other, skewed: all points of one diagonal at once."""

from regrapht.transform.plan.analysis import Program
from regrapht.transform.plan.nest import Nest
from regrapht.transform.plan.schedule import Layout, Schedule
from regrapht.transform.plan.wavefronts import wave_of
from regrapht.transform.rules.rule import Parameter, Rule, Setting, number


class Wavefront(Rule):
    slug = "wavefront"
    title = "diagonals one after another, all points of a diagonal at once"
    condition = (
        "two nested loops whose points depend on points of earlier diagonals only, as in tables of dynamic programming and in sweeps in "
        "place; the diagonals may be steep"
    )
    explanation = (
        "The launcher counts the diagonals of a skewed order, in which points of one diagonal do not depend on each other, and a kernel "
        "runs all of these at once: loops of which none was independent become as many parallel steps as there are diagonals."
    )
    parameters = (Parameter("threads", (128, 256, 64)),)

    def reason_against(self, program: Program, nest: Nest, setting: Setting) -> str | None:
        schedule = program.schedules.get(nest.number)
        if schedule is None:
            return "it is not mapped to threads yet"
        if schedule.layout is not Layout.SERIAL:
            return "its iterations run in parallel already"
        found = wave_of(nest, program.scop, atomics_vary=self._varying(program))
        return found if isinstance(found, str) else None

    @staticmethod
    def _varying(program: Program) -> bool:
        return not program.task.tolerance.deterministic

    def change(self, program: Program, nest: Nest, setting: Setting) -> Schedule:
        return Schedule(
            layout=Layout.WAVE,
            loops=(nest.root.variable,),
            block=(number(setting, "threads"),),
            varying=self._varying(program),
        )
