"""Random numbers and checksums: each turn by itself gives what the turns in their order do, natively at many sizes."""

import pytest

from regrapht.sandbox.choose import choose_sandbox
from regrapht.transform.engine import Engine
from regrapht.transform.plan.nest import Kind

from ..judging import steps
from ..native.native_bench import Pair, native_differences

SIZES = "// check: n=1; n=2; n=33; n=1000; n=70001\n"
TAKEN = {
    "used_after": "unsigned s = 7u; for (int i = 0; i < n; i++) { s = s * 1664525u + 1013904223u; out[i] = s >> 8; }",
    "used_before": "unsigned s = 7u; for (int i = 0; i < n; i++) { out[i] = s ^ (s >> 3); s = 69069u * s + 1u; }",
    "two_draws": """unsigned long long s = 3; for (int i = 0; i < n; i++) {
        s = s * 6364136223846793005ull + 1442695040888963407ull; unsigned a = s >> 33;
        s = s * 6364136223846793005ull + 1442695040888963407ull; out[i] = a - (unsigned)(s >> 40); }""",
    "three_parts": "unsigned s = 1; for (int i = 0; i < n; i++) { out[i] = s; s = s * 5u + 3u; out[i] += s; s = s * 5u + 3u; }",
    "nested": """unsigned s = 9u; for (int j = 0; j < n; j++) { unsigned kept = 0; for (int i = 2; i <= 6; i++) {
        s = s * 22695477u + 1u; kept += s >> 16; } out[j] = kept; }""",
    "kept_after": "unsigned s = 5; for (int i = 0; i < n; i++) { s = s * 17u - 4u; out[i] = s; } out[0] = s;",
    "by_size": "unsigned s = 5; for (int i = 3; i < n; i++) { s = (s + n) * 9u; out[i] = s; }",
    "by_helper": "unsigned s = 11; for (int i = 0; i < n; i++) out[i] = drawn(s) & 1023;",
    "checksum": "unsigned h = 1; for (int i = 0; i < n; i++) h = h * 31u + x[i]; out[0] = h;",
    "wide_checksum": "unsigned long long h = 14; for (int i = 0; i < n; i++) h = (h - x[i]) * 1099511628211ull; out[0] = h >> 20;",
    "signed_terms": "unsigned h = 0; for (int i = 1; i < n; i++) h = x[i] * 3 + 257u * h - x[i - 1]; out[n - 1] = h;",
}
"""Name -> a body that writes `out` of `n` numbers, from `x`."""
LEFT = {
    "with_sign": "int s = 7; for (int i = 0; i < n; i++) { s = (s * 13 + 5) & 1023; out[i] = s; }",
    "by_choice": "unsigned s = 7; for (int i = 0; i < n; i++) { if (x[i] > 0) s = s * 5u + 1u; out[i] = s; }",
    "two_kinds": "unsigned s = 7; for (int i = 0; i < n; i++) { s = s * 5u + 1u; out[i] = s; s = s * 9u; }",
    "read_on_the_way": "unsigned h = 7; for (int i = 0; i < n; i++) { h = h * 31u + x[i]; out[i] = h; }",
    "squared": "unsigned s = 7; for (int i = 0; i < n; i++) { s = s * s + 1u; out[i] = s; }",
    "by_float": "unsigned s = 7; for (int i = 0; i < n; i++) { s = s * 1.5 + 1; out[i] = s; }",
    "of_16_bits": "unsigned short s = 7; for (int i = 0; i < n; i++) { s = s * 5u + 1u; out[i] = s; }",
}
HELPER = "static unsigned drawn(unsigned& state) { state = state * 77u + 12345u; return state >> 16; }\n"


def task_of(name, body, make_task):
    head = f"// shape: x = n\n// shape: out = n\n// init: x = ints(-9, 10)\n{SIZES}{HELPER if 'drawn' in body else ''}"
    return make_task(f"{head}void {name}(int n, const int* x, unsigned* out) {{ {body} }}\n", name)


def test_turns_by_themselves_are_the_turns_in_their_order(make_task):
    engine, pairs = Engine(), []
    for name, body in TAKEN.items():
        task = task_of(name, f"for (int k = 0; k < n; k++) out[k] = 0;\n{body}", make_task)
        source = engine.text(task, steps(engine, task, []))
        assert "jumped_" in source and "runs in one thread" not in source, name
        pairs.append(Pair(task, source))
    names = list(TAKEN)
    assert {names[at]: said for at, said in native_differences(pairs, choose_sandbox()).items()} == {}


@pytest.mark.parametrize("name", LEFT)
def test_what_only_looks_like_it_stays(name, make_task):
    engine = Engine()
    task = task_of(name, LEFT[name], make_task)
    program = engine.program(task, steps(engine, task, []))
    assert any(nest.kind is Kind.SERIAL for nest in program.nests)
    assert "jumped_" not in engine.text(task, steps(engine, task, []))
