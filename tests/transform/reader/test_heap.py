"""Memory that a function makes for itself, the library's loops that are given a function, and loops until something holds."""

import pytest

from regrapht.errors import CannotTransform
from regrapht.transform.analyse import analyse
from regrapht.transform.plan.nest import Kind

from ..differential import assert_same

HEAD = """// shape: x = n * m
// shape: y = n * m
// shape: h = 64
// check: n=1,m=1; n=33,m=7; n=90,m=5
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <vector>
static float squared(float v) { return v * v; }
"""
EACH = "for (int i = 0; i < n; i++)"
MEMORY = {
    "checked and freed": """
        float* t = (float*)malloc(n * m * sizeof(float));
        if (!t) return;
        if (x == nullptr || y == NULL || n <= 0) { free(t); return; }
        size_t bytes = sizeof(float) * n * m;
        memcpy(t, x, bytes);
        for (int i = 0; i < n * m; i++) y[i] = t[n * m - 1 - i];
        free(t);""",
    "declared first, set later": """
        float *t, *u; int i, j;
        t = (float*)malloc(m * sizeof(*t)); u = t;
        std::vector<float> v; v.resize(n); std::vector<int> w; w.assign(n, 4);
        for (i = 0; i < n; i++) {
            float* row; row = y + i * m;
            for (j = 0; j < m; j++) t[j] = x[i * m + j];
            for (j = 0; j < m; j++) row[j] = u[m - 1 - j] + v[i] + w[i];
        }
        free(t);""",
    "a loop behind memory that nothing fills": """
        int* counts = (int*)calloc(16, sizeof(int));
        int* level = new int[16];
        for (int i = 0; i < n * m; i++) counts[(int)(x[i] * x[i] * 15)]++;
        for (int k = 0; k < 16; k++) level[k] = counts[k] * 2;
        for (int k = 0; k < 16; k++) h[k] = level[15 - k];
        free(counts); delete[] level;""",
    "smart pointers": f"""
        auto a = std::make_unique<float[]>(m);
        std::unique_ptr<float[]> b(new float[m]), c{{new float[m]()}};
        {EACH} {{
            for (int k = 0; k < m; k++) b[k] = x[i * m + k] + a[k] + c.get()[k];
            std::copy(b.get(), b.get() + m, y + i * m);
        }}""",
    "an array of n elements": f"{EACH} {{ float t[m]; for (int k = 0; k < m; k++) t[k] = x[i * m + k];"
    " for (int k = 0; k < m; k++) y[i * m + k] = t[m - 1 - k]; }",
    "nothing in braces": f"{EACH} {{ float s{{}}; int k = {{}}; double q{{2}}; s += x[i]; y[i] = s + k + q; }}",
    "a counter that is read later": "int i; for (i = 0; i < n; i++) if (x[i] > 0.9f) break; h[0] = i; int k;"
    " for (k = 0; k < n; k++) y[k] = x[k]; h[1] = k;",
    "a counter that is read before": "int k = 0; for (int t = 0; t < 3; t++) { h[t] = k; for (k = 0; k < n; k++) y[k] += x[k]; }",
}
GIVEN = {
    "values": f"""{EACH} {{
            float* to = y + i * m; const float* q = x + i * m;
            std::transform(q, q + m, to, [](float v) {{ return v > 0 ? v : 0.1f * v; }});
            h[i % 64] = (int)std::count_if(q, q + m, [&](float v) {{ return v > x[0]; }})
                + (std::any_of(q, q + m, [](float v) {{ return v > 0.9f; }}) ? 100 : 0)
                + (std::all_of(q, q + m, [](float v) {{ return v > -2; }}) ? 1000 : 0)
                + (std::none_of(q, q + m, [](float v) {{ return v > 0.5f; }}) ? 10000 : 0);
        }}""",
    "places": """
        std::transform(x, x + m, x + m * (n - 1), y, std::plus<float>());
        std::for_each(y, y + m, [](float& v) { v *= 2; });
        std::reverse(y, y + m);
        float p = std::accumulate(x, x + m, 1.0f, [](float a, float b) { return a + b * b; });
        float q = std::accumulate(x, x + m, -5.0f, [](float a, float b) { return std::max(a, b); });
        std::partial_sum(h, h + 64, h);
        h[0] = (int)std::count(h, h + 64, 3);
        y[0] += p + q;""",
    "helpers": f"""
        std::transform(x, x + m, y, squared);
        y[0] += std::accumulate(x, x + m, 1.0f, std::multiplies<float>());
        float k = 2;
        {EACH} {{ k = i; std::for_each(y + i * m, y + i * m + m, [k](float& v) {{ v += k; }}); }}""",
    "places of an array": """
        const float* end = x + n; float s = 0, *q = y;
        for (const float* p = x; p < end; ++p) s += *p;
        for (const float *p = x, *e = x + n; p != e; ++p) *q++ = *p * 2;
        std::vector<float> v(x, x + n);
        for (auto it = v.begin(); it != v.end(); ++it) *it *= 2;
        auto it = std::min_element(v.begin(), v.end()); auto twice = s + s;
        h[0] = (int)(it - v.begin()); h[1] = (int)(q - y); h[2] = (int)(std::max_element(x, x + n) - x); h[3] = &x[2] - &x[1];
        y[0] = *it + twice;""",
    "lists": f"{EACH} y[i] = std::max({{x[i], 0.25f, -x[i]}}) + std::min({{1.0f, x[i]}});",
}
UNTIL = {
    "while": """
        float* t = new float[n * m]; float worst = 1; int it = 0;
        while (worst > 1e-2f && it < 40) {
            worst = 0;
            for (int i = 0; i < n; i++) for (int k = 0; k < m; k++) {
                t[i * m + k] = 0.5f * (y[i * m + k] + x[i * m + k]);
                worst = std::max(worst, std::fabs(t[i * m + k] - y[i * m + k]));
            }
            std::copy(t, t + n * m, y);
            it++;
        }
        h[0] = it; delete[] t;""",
    "do": """
        double e; int it = 0;
        do {
            e = 0;
            for (int i = 0; i < n * m; i++) { float v = 0.5f * y[i]; e += std::fabs(v - y[i]); y[i] = v; }
            it++;
            if (it >= 30) break;
        } while (e > 1e-3);
        h[0] = it;""",
    "for, with the counter read later": """
        int it;
        for (it = 0; it < 20; it++) {
            float worst = 0;
            for (int i = 0; i < n * m; i++) {
                float v = 0.7f * y[i] + 0.1f * x[i]; worst = std::max(worst, std::fabs(v - y[i])); y[i] = v;
            }
            if (worst < 1e-2f) break;
            for (int i = 0; i < 64; i++) h[i] += 1;
        }
        h[0] = it;""",
    "a flag": """
        bool done = false; int it = 0;
        while (!done && it < 25) {
            done = true;
            for (int i = 0; i < n * m; i++) { float v = 0.5f * (y[i] + x[i]); if (std::fabs(v - y[i]) > 1e-2f) done = false; y[i] = v; }
            ++it;
        }
        h[3] = it;""",
    "a row of buffers that change places": """
        std::vector<float> a(m, 1.0f), b(m, 2.0f);
        for (int t = 0; t < 9; t++) {
            for (int k = 0; k < m; k++) b[k] = a[k] * 0.5f + x[k];
            std::swap(a, b);
            if (a[0] > 0.8f) break;
        }
        for (int k = 0; k < m; k++) y[k] = a[k];""",
    "pointers that change places": """
        float *a = (float*)calloc(m, sizeof(float)), *b = (float*)malloc(m * sizeof(float)); int it = 0; float e = 1;
        while (e > 0.05f && it++ < 12) {
            e = 0;
            for (int k = 0; k < m; k++) { b[k] = 0.5f * a[k] + x[k]; float d = b[k] - a[k]; e = std::max(e, d * d); }
            float* t = a; a = b; b = t;
        }
        for (int k = 0; k < m; k++) y[k] = a[k];
        h[0] = it; free(a); free(b);""",
}
THREADS = {"while": 2, "do": 1, "for, with the counter read later": 2, "a flag": 1}
REFUSED = {
    "float* t = (float*)malloc(n); y[0] = t[0];": "'n' bytes of 't'",
    "float* t = (float*)malloc(h[0] * sizeof(float)); y[0] = t[0];": "the length of 't' is found out",
    "free(y);": "frees what the function did not make",
    "void* t = malloc(n); free(t);": "type 'void'",
    "const float* p; if (n > 2) p = x; else p = y; y[0] = p[0];": "what 'p' points to here",
    "std::vector<float> v; for (int i = 0; i < n; i++) if (x[i] > 0) v.push_back(x[i]); y[0] = v[0];": "the vector 'v' without a length",
    "float* p = x > y ? y : y + 1; y[0] = p[0];": "pointer 'p'",
    "std::transform(x, x + n, y, std::negate<float>());": "as a function for std::transform",
    "std::vector<float> a(n), b(m); while (h[0] < 9) { std::swap(a, b); h[0]++; } y[0] = a[0];": "depends on what was run before",
    "std::vector<float> a(n), b(n); float* p = a.data(); while (h[0] < 9) { std::swap(a, b); h[0]++; } y[0] = p[0];": "depends on what",
}


def program(body: str) -> str:
    return f"{HEAD}void f(int n, int m, const float* x, float* y, int* h) {{\n{body}\n}}\n"


def test_candidates_do_what_the_functions_do(make_task) -> None:
    assert_same(make_task, {name: program(body) for name, body in (MEMORY | GIVEN | UNTIL).items()})


@pytest.mark.parametrize("name", THREADS)
def test_loops_inside_become_threads(make_task, name) -> None:
    nests = [nest for nest in analyse(make_task(program(UNTIL[name]), "f")).nests if nest.host_loops]
    assert len(nests) == THREADS[name] and all(nest.kind is not Kind.SERIAL for nest in nests)


@pytest.mark.parametrize("body", REFUSED)
def test_what_is_not_taken_is_named(make_task, body) -> None:
    with pytest.raises(CannotTransform) as refused:
        analyse(make_task(program(body), "f"))
    assert REFUSED[body] in str(refused.value) and refused.value.line, refused.value
