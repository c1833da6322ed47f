"""Forms are tried in their order, as often as they make an analysis better; a candidate that cannot be analysed is passed over."""

from dataclasses import replace

from regrapht.transform.analyse import FORMS, analyse
from regrapht.transform.ir.statements import Return
from regrapht.transform.normalise.forms import Form, Search, in_forms
from regrapht.transform.normalise.scalar_sinking import SCALAR_SINKING
from regrapht.transform.plan.analysis import analyse_function

TWO = """// check: n=5
// shape: a = n
// shape: b = n * n
void f(int n, const float* a, float* b) {
    for (int i = 0; i < n; ++i) { float s = a[i]; for (int j = 0; j < n; ++j) b[i * n + j] = s; }
}"""


def _task(make_task):
    return make_task(TWO, "f")


def test_a_form_is_tried_until_nothing_is_better(make_task):
    analysis, seen = analyse(_task(make_task)), []

    def candidates(one):
        seen.append(one)
        yield one.function, len(seen)

    found = in_forms(analysis, [Form(candidates, lambda before, after, count: count < 3)])
    assert len(seen) == 3 and found is not analysis and found.nests[0].parallel == analysis.nests[0].parallel


def test_what_cannot_be_analysed_is_passed_over(make_task):
    analysis, asked = analyse(_task(make_task)), []
    broken = replace(analysis.function, body=[Return(None, 1), *analysis.function.body])

    def candidates(one):
        yield from ((broken, "broken"), (one.function, "whole"))

    def accept(before, after, name):
        asked.append(name)
        return False

    assert in_forms(analysis, [Form(candidates, accept)]) is analysis and asked == ["whole"]


def test_a_later_form_sees_what_an_earlier_one_made(make_task):
    analysis, seen = analyse(_task(make_task)), []
    other = analyse(_task(make_task))
    first = Search(lambda one: other if one is analysis else None)
    in_forms(analysis, [first, Search(lambda one: seen.append(one))])
    assert seen == [other] and seen[0] is other


def test_the_functions_analysis_is_in_all_of_them(make_task):
    task = _task(make_task)
    whole = analyse(task)
    assert in_forms(whole, FORMS) is whole
    plain = analyse_function(task, whole.function)
    assert in_forms(plain, [SCALAR_SINKING]) is plain
