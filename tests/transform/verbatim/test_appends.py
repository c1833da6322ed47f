"""What of a turn only counts: enough for the counters, and no write to anyone's memory."""

import pytest

from regrapht.transform.verbatim.appends import find_append
from regrapht.transform.verbatim.counting import counted, nested
from regrapht.transform.verbatim.moves import even_moves
from regrapht.transform.verbatim.rendering import Rendering
from regrapht.transform.verbatim.scopes import Scopes

HEAD = "#include <vector>\nvoid set(int* to, int v) { *to = v; }\n"
HEAD += "void f(int n, const int* a, int* out, int* aux) { int c = 0; std::vector<int> v; "


def sliced(body: str) -> str | None:
    """The body of the loop's turns that only count, with blanks evened; None where they do not append."""
    scopes = Scopes(HEAD + body + " }", "f")
    loop = next(node for node in scopes.source.walk(scopes.entry) if node.type == "for_statement")
    nest = nested(scopes, counted(scopes, loop))
    found = find_append(scopes, nest, even_moves(scopes, nest))
    if found is None:
        return None
    return " ".join(Rendering(scopes).piece(nest[-1].body, found.count_only).split())


@pytest.mark.parametrize(
    ("body", "counting"),
    [
        ("{ if (a[i] > 1) out[c++] = a[i]; }", "{ if (a[i] > 1) c++; }"),
        ("{ for (int k = 0; k < a[i]; ++k) { int* to = out + c++; set(to, k); } }", "{ for (int k = 0; k < a[i]; ++k) { c++; } }"),
        ("{ aux[i] = c; if (a[i] == 0) continue; out[c] = i; ++c; }", "{ if (a[i] == 0) continue; ++c; }"),
        ("{ int w = 0; while (a[i] >> w) ++w; aux[i] = c; c += w; }", "{ int w = 0; while (a[i] >> w) ++w; c += w; }"),
        ("{ if (a[i]) v.push_back(i); }", "{ if (a[i]) ++vb_c0; }"),
        ("{ if (c < 5) out[c++] = a[i]; }", None),
        ("{ c += a[i] > c; }", None),
        ("{ out[i] = a[i]; c += out[i]; out[i] = 0; }", None),
        ("{ c = c / 2 + 1; }", None),
        ("{ v.push_back(i); out[i] = v.back(); }", None),
        ("{ a[i] && c++; out[i] = 1; }", "{ a[i] && c++; }"),
        ("{ a[i] ? out[c++] = 1 : 0; }", None),
    ],
)  # fmt: skip
def test_a_turn_that_only_counts(body, counting):
    assert sliced(f"for (int i = 0; i < n; ++i) {body}") == counting
