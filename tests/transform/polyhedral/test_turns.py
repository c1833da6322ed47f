"""How many turns loops make: also of loops whose last value is no multiple of their step."""

from regrapht.transform.analyse import analyse

STEPS = """// shape: d = n * n
// check: n=1; n=9
void steps(int n, float* d) {
    for (int i = 1; i < n - 2; i++)
        for (int j = 1; j < n - 2; j += 2) {
            float t = 0.0f;
            for (int k = j; k < n - 1; k += 3) t += 0.05f * d[(j + 1) * n + k];
            d[i * n + j] = t;
        }
}
"""


def test_steps_inside_of_steps(make_task):
    """isl has no largest value for a bound that it writes with a fraction: asked for it, it would end the program."""
    assert analyse(make_task(STEPS, "steps")).nests
