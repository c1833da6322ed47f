"""What a function does beside computing is refused at its line, also behind a call, and only that."""

import pytest

from regrapht.source.functions import read_unit
from regrapht.tasks.inference.effects import side_effect

HEAD = 'static double half(double x) { return x / 2; }\nstatic void tell(double x) {\n    printf("%g", x);\n}\n'


@pytest.mark.parametrize(
    ("body", "line", "words"),
    [
        ("a[0] = half(a[1]);", None, ""),
        ("a[0] = (int)a[1] << 3;", None, ""),
        ("std::remove(a, a + n, 0.0);", None, ""),
        ('printf("%d", n);', 5, "prints"),
        ('std::puts("x");', 5, "prints"),
        ("tell(a[0]);", 3, "prints"),
        ('if (n > 3) fscanf(stdin, "%lf", a);', 5, "reads"),
        ("std::cout << a[0] << '\\n';", 5, "stream"),
        ("std::cin >> a[0];", 5, "stream"),
        ("if (n < 0) std::exit(1);", 5, "ends"),
    ],
)
def test_a_side_effect_is_found_where_it_stands(body: str, line: int | None, words: str) -> None:
    unit = read_unit(f"{HEAD}void f(double* a, int n) {{ {body} }}\n")
    found = side_effect(unit.named("f")[0], unit)
    assert (found and found[0]) == line and words in (found[1] if found else "")


def test_a_function_of_that_name_in_the_file_is_followed_instead() -> None:
    unit = read_unit("static double print(double x) { return x; }\nvoid f(double* a) { a[0] = print(a[1]); }\n")
    assert side_effect(unit.named("f")[0], unit) is None
