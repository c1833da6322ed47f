"""What other parts of regrapht use of the compiler: its names, its plain program, and that importing it loads no isl."""

import subprocess
import sys

import regrapht.transform
from regrapht.propose.transform_engine import TransformProposer
from regrapht.transform import BY_SLUG, PLAIN, Engine, plain


def test_the_plain_program_is_the_proposers(make_task):
    task = make_task(
        "// check: n=5\n// shape: a = n\nvoid f(int n, float* a) { for (int i = 0; i < n; ++i) a[i] = 2 * a[i]; }", "f"
    )
    assert plain(task) == TransformProposer().plain(task).source


def test_the_plain_decisions_of_a_function_without_nests_are_for_none(make_task):
    task = make_task("// check: n=5\n// shape: a = n\nvoid f(int n, float* a) { a[0] = n; }", "f")
    (decision,) = Engine().plain(task)
    assert (decision.technique, decision.nests) == (PLAIN, ())
    assert "<<<1, 1>>>" in plain(task)


def test_all_names_are_there():
    assert all(hasattr(regrapht.transform, name) for name in regrapht.transform.__all__)
    assert next(iter(BY_SLUG)) == PLAIN


def test_importing_it_loads_no_isl():
    text = "import sys, regrapht.transform; sys.exit('islpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", text], check=False).returncode == 0
