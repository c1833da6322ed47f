# ruff: noqa: E501 -- one rule of the format a line
"""The loader takes what the format allows, and says file, key and remedy of everything else."""

import textwrap

import pytest

from regrapht.errors import TaskError
from regrapht.records.element import StructType
from regrapht.records.encoding import from_json, to_json
from regrapht.records.task import Compare, Residency, Role, Task
from regrapht.tasks.load import load_task

REFERENCE = """\
struct Item { float x; int id; };
void helper(int n) { (void)n; }
float saxpy(int n, int m, float alpha, const float* x, const Item* items, float* y, int* count) {
    float sum = 0.0f;
    for (int i = 0; i < n; i++) { y[i] += alpha * x[i * m] + items[i].x; sum += y[i]; }
    *count = n;
    return sum;
}
"""
TOML = """\
schema = 1
id = "saxpy"
entry = "saxpy"
family = "dense_la"
tier = "easy"

[reference]
file = "reference.cpp"

[[args]]
name = "n"
kind = "size"
dtype = "int32"

[[args]]
name = "m"
kind = "size"
dtype = "int32"

[[args]]
name = "alpha"
kind = "scalar"
dtype = "float32"
value = 1.5

[[args]]
name = "x"
kind = "array"
dtype = "float32"
shape = ["n", "m"]
role = "in"
init = { kind = "uniform", low = 0, high = "2 * n" }
domain = [0, 100]

[[args]]
name = "items"
kind = "array"
dtype = { x = "float32", id = "int32" }
shape = ["n"]
role = "in"
init = { kind = "normal" }

[[args]]
name = "y"
kind = "array"
dtype = "float32"
shape = ["n"]
role = "inout"
compare = "unordered"
valid_length = "count"

[[args]]
name = "count"
kind = "array"
dtype = "int32"
shape = [1]
role = "out"

[sizes]
check = [{ n = 1, m = 1 }, { n = 17, m = 3 }]
bench = [{ n = 4096, m = 4 }]
require = ["m <= n"]

[tolerance]
class = "float"
allow = ["tf32"]

[work]
flops = "2 * n"
"""


def write(folder, toml=TOML, **files):
    files = {"reference.cpp": REFERENCE, "task.toml": toml, **files}
    for name, text in files.items():
        (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def change(old, new):
    assert TOML.count(old) == 1, old
    return TOML.replace(old, new)


def test_a_whole_task(tmp_path):
    task = load_task(write(tmp_path))
    assert task.title == "saxpy" and task.returns.name == "float32" and task.size_names == ("n", "m")
    assert task.contract.residency is Residency.DEVICE and task.hidden_sizes and task.reference.language == "c++17"
    items, y, count = task.args[4:]
    assert items.dtype == StructType(c_name="Item", fields=items.dtype.fields) and items.dtype.size_bytes == 8
    assert y.init.kind == "normal" and y.role is Role.INOUT, "an input whose init is not said"
    assert count.compare is Compare.EXACT, "integers beside floats are compared exactly"
    assert task.tolerance.reduction_length.text == "max(n, m)"
    sizes = {"n": 10, "m": 3}
    assert task.work.bytes.evaluate(sizes) == 4 * 30 + 8 * 10 + 2 * 4 * 10 + 4 + 4
    assert task.signature == (
        'extern "C" void saxpy(int n, int m, float alpha, const float* x, const Item* items, float* y, int* count, float* result)'
    )
    assert from_json(Task, to_json(task)) == task
    assert load_task(tmp_path / "task.toml") == task


BROKEN = [
    ("no version", change("schema = 1\n", ""), "schema", "add schema"),
    ("unknown version", change("schema = 1\n", "schema = 7\n"), "schema", "schema = 1"),
    ("unknown key", change('family = "dense_la"', 'familly = "dense_la"'), "familly", "did you mean 'family'"),
    ("missing key", change('id = "saxpy"\n', ""), "id", "add id"),
    ("wrong type", change('id = "saxpy"', "id = 3"), "id", 'id = "..."'),
    ("bad id", change('id = "saxpy"', 'id = "Saxpy!"'), "id", "a-z"),
    ("unknown tier", change('tier = "easy"', 'tier = "esy"'), "tier", "did you mean 'easy'"),
    ("no reference", change('[reference]\nfile = "reference.cpp"\n', ""), "reference", "add reference"),
    ("no args", TOML[: TOML.index("[[args]]")] + TOML[TOML.index("[sizes]") :], "args", "add args"),
    ("file missing", change('"reference.cpp"', '"refrence.cpp"'), "reference.file", "did you mean 'reference.cpp'"),
    ("path escapes", change('"reference.cpp"', '"../reference.cpp"'), "reference.file", "copy the file"),
    ("unknown language", change('"reference.cpp"', '"reference.f90"'), "reference.file", ".cpp"),
    ("entry missing", change('entry = "saxpy"', 'entry = "saxpi"'), "entry", "did you mean 'saxpy'"),
    ("unknown kind", change('kind = "scalar"', 'kind = "number"'), "args.alpha.kind", "scalar"),
    ("unknown dtype", change('"float32"\nvalue', '"flot32"\nvalue'), "args.alpha.dtype", "did you mean 'float32'"),
    ("float size", change('name = "m"\nkind = "size"\ndtype = "int32"', 'name = "m"\nkind = "size"\ndtype = "float32"'), "args.m.dtype", "int32"),
    ("other dtype", change('name = "m"\nkind = "size"\ndtype = "int32"', 'name = "m"\nkind = "size"\ndtype = "int64"'), "args.m.dtype", 'dtype = "int32"'),
    ("other order", change('"n"\nkind = "size"', '"m"\nkind = "size"').replace('name = "m"\nkind', 'name = "n"\nkind').replace('name = "n"', 'name = "m"', 1), "args", "argument 1 is 'n'"),
    ("other name", change('name = "alpha"', 'name = "beta"'), "args.beta", 'name = "alpha"'),
    ("twice", change('name = "alpha"', 'name = "n"'), "args.n", "once"),
    ("too few", TOML.replace('[[args]]\nname = "count"\nkind = "array"\ndtype = "int32"\nshape = [1]\nrole = "out"\n', "").replace('valid_length = "count"', ""), "args", "in order"),
    ("no name", change('name = "alpha"\n', ""), "args[3].name", "name ="),
    ("value and init", change("value = 1.5", 'value = 1.5\ninit = { kind = "uniform" }'), "args.alpha.value", "value = 1.5"),
    ("neither value nor init", change("value = 1.5\n", ""), "args.alpha.value", "value = 1.5"),
    ("scalar with shape", change("value = 1.5", 'value = 1.5\nshape = ["n"]'), "args.alpha.shape", "change the kind"),
    ("size with value", change('name = "m"\nkind = "size"', 'name = "m"\nvalue = 3\nkind = "size"'), "args.m.value", "remove it"),
    ("no shape", change('shape = ["n", "m"]\n', ""), "args.x.shape", 'shape = ["n"]'),
    ("bad expression", change('["n", "m"]', '["n +* m"]'), "args.x.shape", "grammar"),
    ("forbidden expression", change('["n", "m"]', '["__import__(1)"]'), "args.x.shape", "grammar"),
    ("undeclared size", change('["n", "m"]', '["n", "k"]'), "args.x.shape", "sizes are n, m"),
    ("shape of floats", change('["n", "m"]', '["n", 1.5]'), "args.x.shape", "2 * n"),
    ("negative shape", change('["n", "m"]', '["n - 2", "m"]'), "args.x.shape", "sizes.check[1]"),
    ("no role", change('role = "in"\ninit = { kind = "uniform"', 'init = { kind = "uniform"'), "args.x.role", "role ="),
    ("unknown role", change('role = "inout"', 'role = "both"'), "args.y.role", "inout"),
    ("not const read", change('role = "in"\ninit = { kind = "uniform", low = 0, high = "2 * n" }\ndomain = [0, 100]', 'role = "out"'), "args.x.role", 'role = "in"'),
    ("value for pointer", change('name = "x"\nkind = "array"\ndtype = "float32"\nshape = ["n", "m"]\nrole = "in"\ninit = { kind = "uniform", low = 0, high = "2 * n" }\ndomain = [0, 100]', 'name = "x"\nkind = "scalar"\ndtype = "float32"\nvalue = 1'), "args.x.kind", 'kind = "array"'),
    ("init of an out", change('shape = [1]\nrole = "out"', 'shape = [1]\nrole = "out"\ninit = { kind = "zeros" }'), "args.count.init", 'role = "inout"'),
    ("unknown init", change('{ kind = "normal" }', '{ kind = "gauss" }'), "args.items.init.kind", "normal"),
    ("init is text", change('{ kind = "normal" }', '"normal"'), "args.items.init", "kind ="),
    ("init parameter of another kind", change('{ kind = "normal" }', '{ kind = "normal", low = 1 }'), "args.items.init.low", "mean"),
    ("init low above high", change('high = "2 * n"', "high = -1"), "args.x.init", "below high"),
    ("init over unknown size", change('high = "2 * n"', 'high = "2 * k"'), "args.x.init.high", "sizes are n, m"),
    ("negative std", change('{ kind = "normal" }', '{ kind = "normal", std = -1 }'), "args.items.init.std", "0 or more"),
    ("permutation of floats", change('{ kind = "uniform", low = 0, high = "2 * n" }', '{ kind = "permutation" }'), "args.x.init.kind", "integer dtype"),
    ("empty choice", change('{ kind = "uniform", low = 0, high = "2 * n" }', '{ kind = "choice", values = [] }'), "args.x.init.values", "values ="),
    ("init file missing", change('{ kind = "uniform", low = 0, high = "2 * n" }', '{ kind = "file", path = "x.npy" }'), "args.x.init.path", "the folder has"),
    ("init file escapes", change('{ kind = "uniform", low = 0, high = "2 * n" }', '{ kind = "file", path = "/etc/hostname" }'), "args.x.init.path", "copy the file"),
    ("csr without nnz", change('{ kind = "uniform", low = 0, high = "2 * n" }', '{ kind = "csr_row_ptr" }'), "args.x.init.kind", "integer dtype"),
    ("domain order", change("domain = [0, 100]", "domain = [100, 0]"), "args.x.domain", "low below high"),
    ("domain of one", change("domain = [0, 100]", "domain = [0]"), "args.x.domain", "[low, high]"),
    ("domain of an output", change('shape = [1]\nrole = "out"', 'shape = [1]\nrole = "out"\ndomain = [0, 1]'), "args.count.domain", "remove it"),
    ("compare of an input", change("domain = [0, 100]", 'domain = [0, 100]\ncompare = "exact"'), "args.x.compare", "change the role"),
    ("float compare of integers", change('shape = [1]\nrole = "out"', 'shape = [1]\nrole = "out"\ncompare = "float"'), "args.count.compare", "exact"),
    ("rounded floats", change('compare = "unordered"', 'compare = "rounded"'), "args.y.compare", "float"),
    ("unknown compare", change('compare = "unordered"', 'compare = "unorderd"'), "args.y.compare", "did you mean 'unordered'"),
    ("rtol of unordered", change('compare = "unordered"', 'compare = "unordered"\nrtol = 0.1'), "args.y.compare", "remove them"),
    ("valid_length of nothing", change('valid_length = "count"', 'valid_length = "cuont"'), "args.y.valid_length", "did you mean 'count'"),
    ("struct without fields", change('{ x = "float32", id = "int32" }', "{}"), "args.items.dtype", "dtype = {x"),
    ("struct of other fields", change('{ x = "float32", id = "int32" }', '{ id = "int32", x = "float32" }'), "args.items.dtype", 'x = "float32", id = "int32"'),
    ("struct as scalar type", change('{ x = "float32", id = "int32" }', '"float32"'), "args.items.dtype", "describe its fields"),
    ("no check", change("check = [{ n = 1, m = 1 }, { n = 17, m = 3 }]\n", ""), "sizes.check", "add check"),
    ("empty check", change("check = [{ n = 1, m = 1 }, { n = 17, m = 3 }]", "check = []"), "sizes.check", "n = 64"),
    ("row lacks a size", change("{ n = 17, m = 3 }", "{ n = 17 }"), "sizes.check[2]", "add m"),
    ("row with another", change("{ n = 17, m = 3 }", "{ n = 17, m = 3, mm = 1 }"), "sizes.check[2].mm", "did you mean 'm'"),
    ("row of floats", change("{ n = 17, m = 3 }", "{ n = 17.0, m = 3 }"), "sizes.check[2].n", "whole number"),
    ("row of booleans", change("{ n = 17, m = 3 }", "{ n = true, m = 3 }"), "sizes.check[2].n", "whole number"),
    ("row too large", change("{ n = 4096, m = 4 }", "{ n = 4294967296, m = 4 }"), "sizes.bench[1].n", "wider"),
    ("row breaks require", change("{ n = 17, m = 3 }", "{ n = 17, m = 30 }"), "sizes.check[2]", "requirement"),
    ("require is no comparison", change('require = ["m <= n"]', 'require = ["m + n"]'), "sizes.require", "K <= N"),
    ("require of another", change('require = ["m <= n"]', 'require = ["m <= k"]'), "sizes.require", "known: n, m"),
    ("unknown class", change('class = "float"', 'class = "near"'), "tolerance.class", "exact, float"),
    ("unknown precision", change('["tf32"]', '["fp8"]'), "tolerance.allow", "tf32, half"),
    ("rtol of the exact class", change('class = "float"', 'class = "exact"\nrtol = 0.1'), "tolerance.rtol", "class"),
    ("infinite rtol", change('class = "float"', "rtol = inf"), "tolerance.rtol", "finite"),
    ("bad flops", change('flops = "2 * n"', 'flops = "2 * q"'), "work.flops", "sizes are n, m"),
    ("unknown table", TOML + "\n[candidates]\n", "candidates", "did you mean 'candidate'"),
    ("unknown residency", TOML + '\n[candidate]\nresidency = "gpu"\n', "candidate.residency", "device, host"),
    ("reserved baseline", TOML + '\n[baselines]\nsequential = "reference.cpp"\n', "baselines.sequential", "not 'sequential'"),
    ("baseline missing", TOML + '\n[baselines]\nnaive = "naive.cu"\n', "baselines.naive", "the folder has"),
    ("include missing", change('file = "reference.cpp"', 'file = "reference.cpp"\ninclude = ["inc"]'), "reference.include", "relative to task.toml"),
    ("unknown standard", change('file = "reference.cpp"', 'file = "reference.cpp"\nlanguage = "c++18"'), "reference.language", "c++1"),
]  # fmt: skip


@pytest.mark.parametrize(("toml", "key", "remedy"), [case[1:] for case in BROKEN], ids=[case[0] for case in BROKEN])
def test_a_broken_task_names_file_key_and_remedy(tmp_path, toml, key, remedy):
    with pytest.raises(TaskError) as caught:
        load_task(write(tmp_path, toml))
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith(f"{tmp_path / 'task.toml'}: {key}: "), message
    assert remedy in message


def test_toml_errors_name_the_line(tmp_path):
    with pytest.raises(TaskError, match=r"task\.toml: is no TOML: .*line 2") as caught:
        load_task(write(tmp_path, "schema = 1\nid = saxpy\n"))
    assert caught.value.remedy


def test_other_encodings_name_the_line(tmp_path):
    with pytest.raises(
        TaskError, match=r"reference\.file: reference\.cpp is not UTF-8: byte 0xe9 in line 2 \(save it as UTF-8\)"
    ):
        load_task(write(tmp_path, **{"reference.cpp": b"int a;\n// caf\xe9\n"}))
    with pytest.raises(TaskError, match=r"task\.toml: task\.toml is not UTF-8"):
        load_task(write(tmp_path, b"id = '\xff'"))


def test_a_folder_without_task(tmp_path):
    with pytest.raises(TaskError, match=r"there is no such file .*regrapht init"):
        load_task(tmp_path)


def test_links_out_of_the_folder_are_refused(tmp_path):
    (tmp_path / "task").mkdir()
    (tmp_path / "secret.cpp").write_text(REFERENCE)
    write(tmp_path / "task")
    (tmp_path / "task" / "reference.cpp").unlink()
    (tmp_path / "task" / "reference.cpp").symlink_to(tmp_path / "secret.cpp")
    with pytest.raises(TaskError, match="leads out of the task's folder"):
        load_task(tmp_path / "task")


SMALL = textwrap.dedent("""\
    schema = 1
    id = "small"
    entry = "f"
    [reference]
    file = "FILE"
    [[args]]
    name = "a"
    kind = "array"
    dtype = "float32"
    shape = [4]
    role = "in"
    [[args]]
    name = "b"
    kind = "array"
    dtype = "int32"
    shape = [4]
    role = "out"
    [sizes]
    check = [{}]
    """)


@pytest.mark.parametrize(
    ("declaration", "place", "remedy"),
    [
        ("void f(const float a[4], int (&b)[4]) {}", "args.b", "pointer"),
        ("void f(const float* a, int** b) {}", "args.b", "flat pointer"),
        ("void f(const float a[2][2], int* b) {}", "args.a", "flat pointer"),
        ("void f(const bool* a, int* b) {}", "args.a.dtype", "float32"),
        ("template <class T> void f(const T* a, int* b) {}", "entry", "fixed types"),
        ("void f(const float* a, int* b) {}\nvoid f(int a) {}", "entry", "name of its own"),
        ("float* f(float* a, int* b) { return a; }", "entry", "return void"),
        ("int g() { return 1; }", "entry", "known: g"),
        ("int a = ;", "entry", "define it"),
    ],
)
def test_references_that_no_task_can_start_at(tmp_path, declaration, place, remedy):
    with pytest.raises(TaskError) as caught:
        load_task(write(tmp_path, SMALL.replace("FILE", "r.cc"), **{"r.cc": declaration}))
    assert caught.value.key == place and remedy in str(caught.value)


def test_typedefs_macros_and_defines_name_types(tmp_path):
    code = 'using count_t = int;\n#define IN const real\nextern "C" void f(const real* __restrict__ a, count_t *b) {}'
    toml = SMALL.replace('"FILE"', '"r.c"\ndefines = ["real=float"]')
    task = load_task(write(tmp_path, toml, **{"r.c": code}))
    assert task.tolerance.kind is Compare.EXACT and task.tolerance.reduction_length.text == "1"


def test_a_cuda_reference_is_its_own_naive_baseline(tmp_path):
    code = "__global__ void k(const float* a, int* b) { b[threadIdx.x] = a[threadIdx.x]; }\nvoid f(const float* a, int* b) { k<<<1, 4>>>(a, b); }"
    task = load_task(write(tmp_path, SMALL.replace("FILE", "r.cu"), **{"r.cu": code}))
    assert [(b.name, b.source) for b in task.baselines] == [("naive", task.reference.source)]
    with pytest.raises(TaskError, match="runs on the device"):
        load_task(write(tmp_path, SMALL.replace("FILE", "r.cu").replace('"f"', '"k"'), **{"r.cu": code}))


@pytest.mark.parametrize("declaration", ["def reference(a):", "def reference(*, a, b):", "def reference(**arguments):"])
def test_a_python_reference(tmp_path, declaration):
    code = f"{declaration}\n    return {{'b': [1, 2, 3, 4]}}\n"
    task = load_task(write(tmp_path, SMALL.replace("FILE", "r.py"), **{"r.py": code}))
    assert task.returns is None and task.reference.source.suffix == ".py"


@pytest.mark.parametrize(
    ("code", "key"),
    [
        ("def other(): pass", "reference.file"),
        ("def reference(x): pass", "args"),
        ("def reference(:", "reference.file"),
    ],
)
def test_a_broken_python_reference(tmp_path, code, key):
    with pytest.raises(TaskError) as caught:
        load_task(write(tmp_path, SMALL.replace("FILE", "r.py"), **{"r.py": code}))
    assert caught.value.key == key and caught.value.remedy
