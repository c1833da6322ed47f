"""What is refused by its nature, each with what would help there."""

import pytest

from regrapht.errors import CannotTransform
from regrapht.transform.reader.function_reader import read_function

HEAD = """struct Shape { float side; virtual float area() const { return side; } };
struct Square : Shape { float area() const { return side * side; } };
float elsewhere(float x);
void fill(float* b, int n);
static int order(const void* x, const void* y) { return 0; }
"""


def refusal(statements: str) -> CannotTransform:
    with pytest.raises(CannotTransform) as caught:
        read_function(f"{HEAD}void f(int n, const float* a, float* b, int* c) {{\n{statements}\n}}", "f")
    return caught.value


@pytest.mark.parametrize(
    ("statements", "reason", "remedy"),
    [
        (
            'for (int i = 0; i < n; ++i) printf("%d", i);',
            "'printf' writes output",
            "take the output out of the function",
        ),
        ('std::fprintf(stderr, "x");', "'std::fprintf' writes output", "take the output out of the function"),
        ("std::cout << n << std::endl;", "writes output", "take the output out of the function"),
        ('scanf("%d", c);', "reads input", "pass it as a parameter"),
        ("std::sort(b, b + n);", "'std::sort' sorts, and that has no parallel form here", "sort outside"),
        ("std::sort(b, b + n, [](float x, float y) { return x > y; });", "'std::sort' sorts", "sort outside"),
        ("qsort(b, n, sizeof(float), order);", "'qsort' sorts", "sort outside"),
        ("c[0] = std::lower_bound(a, a + n, b[0]) - a;", "'std::lower_bound' searches", "a loop over two bounds"),
        ("std::rotate(b, b + 1, b + n);", "moves elements", "loops over indices"),
        ("c[0] = std::rand() % 6;", "'std::rand' draws numbers", "draw them before the call"),
        ("srand(3);", "'srand' draws numbers", "draw them before the call"),
        ("std::mt19937 g(3);", "type 'std::mt19937'", "draw the numbers before the call"),
        ("if (n < 0) exit(1);", "'exit' ends the program", "check before the call"),
        ('if (n < 0) throw std::runtime_error("n");', "throw statement", "check before the call"),
        ("try { b[0] = 1; } catch (...) { }", "try statement", "write the block without it"),
        ("goto x; x: b[0] = 1;", "goto statement", "a loop or a condition"),
        ("Shape s; b[0] = s.area();", "type 'Shape'", "virtual functions are not taken"),
        ("Square s; b[0] = s.area();", "type 'Square'", "virtual functions are not taken"),
        ("b[0] = elsewhere(a[0]);", "unknown function 'elsewhere'", "define it in the same file"),
        ("fill(b, n);", "effect that is not known", "define it in the same file"),
        ("c[0] = memcmp(a, b, 4 * n);", "'memcmp' compares bytes", "compare the elements in a loop"),
        ("memcpy(b, a, 4 * n);", "bytes of 'b'", "n * sizeof"),
        ("auto t = std::chrono::steady_clock::now();", "reads a clock", "measure around the call"),
        ("std::map<int, int> seen;", "type 'std::map<int, int>'", "in arrays"),
        ("n + 1;", "effect that is not known", "assign its value"),
    ],
)
def test_the_remedy_fits(statements, reason, remedy):
    found = refusal(statements)
    assert reason in found.reason
    assert found.remedy is not None and remedy in found.remedy


@pytest.mark.parametrize(
    "text",
    [
        "static float sort(float x) { return x; } void f(int n, float* b) { b[0] = sort(b[1]); }",
        "static void merge(float* x, int n) { x[0] = n; } void f(int n, float* b) { merge(b, n); }",
        "void f(int n, float* b) { auto reduce = [](float x) { return x * x; }; b[0] = reduce(b[1]); }",
        "struct timer { float t; float time() const { return t; } }; void f(int n, float* b) { timer t{1}; b[0] = t.time(); }",
    ],
)
def test_own_functions_of_these_names_are_taken(text):
    assert read_function(text, "f").body
