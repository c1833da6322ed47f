"""KernelBench's problems as tasks: modules of our own writing, translated without torch and held against numpy."""

import importlib.util

import numpy as np
import pytest

from regrapht.bench.importers.imported import write_import
from regrapht.bench.importers.kernelbench import problem_file, read_kernelbench
from regrapht.bench.importers.kernelbench_check import compare_with_module, require_torch
from regrapht.bench.importers.row_choice import MOST_BYTES, MOST_WORK
from regrapht.errors import ConfigError, PrerequisiteMissing
from regrapht.evaluate.inputs.drawing import Case, draw
from regrapht.evaluate.inputs.families import Family
from regrapht.evaluate.reference.compiled import CompiledReference
from regrapht.report.imported import import_text
from regrapht.sandbox.choose import choose_sandbox
from regrapht.tasks.load import load_task

IMAGES = {
    "constants": "batch = 4\nchannels = 8\nheight = 20\nwidth = 24",
    "inputs": "return [torch.rand(batch, channels, height, width)]",
}


@pytest.fixture
def task_of(write_kernelbench, tmp_path):
    """The one task of a checkout with one module."""

    def make(text, name="7_thing"):
        checkout = write_kernelbench(tmp_path / "c", {name: text})
        found = read_kernelbench(checkout)
        assert not found.not_imported, found.not_imported
        done = write_import(found, tmp_path / "out")
        return load_task(done.out / found.tasks[0].id)

    return make


@pytest.fixture
def refusal_of(write_kernelbench, tmp_path):
    def make(text):
        found = read_kernelbench(write_kernelbench(tmp_path / "c", {"7_thing": text}))
        assert not found.tasks
        return found.not_imported[0]

    return make


def run(task, sizes):
    """Arrays in their shapes, and the output."""
    inputs = draw(task, Case(sizes=sizes, family=Family.DECLARED), secret=9, index=0)
    arrays = {
        name: array.reshape(task_arg(task, name).dimensions(sizes))
        for name, array in inputs.arrays.items()
        if name != "out"
    }
    out = CompiledReference(task, choose_sandbox(allow_root=True)).written([inputs])[0]["out"]
    return arrays, out.reshape(task_arg(task, "out").dimensions(sizes))


def task_arg(task, name):
    return next(arg for arg in task.args if arg.name == name)


def softmax(x, axis):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def correlate(x, w, stride, pad, dilation, groups):
    """A strided, padded, dilated, grouped convolution of images, tap by tap."""
    x = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    n, _, h, wide = x.shape
    o, c, kh, kw = w.shape
    oh, ow = (h - dilation * (kh - 1) - 1) // stride + 1, (wide - dilation * (kw - 1) - 1) // stride + 1
    out = np.zeros((n, o, oh, ow))
    for f in range(o):
        first = f // (o // groups) * c
        for i in range(oh):
            for j in range(ow):
                rows, columns = i * stride + dilation * np.arange(kh), j * stride + dilation * np.arange(kw)
                out[:, f, i, j] = (x[:, first : first + c][:, :, rows][:, :, :, columns] * w[f]).sum((1, 2, 3))
    return out


def scatter(x, w, stride, pad, more):
    """A transposed convolution: each input adds its window to the output."""
    n, _, h, wide = x.shape
    _, o, kh, kw = w.shape
    full = np.zeros((n, o, (h - 1) * stride + kh + more, (wide - 1) * stride + kw + more))
    for i in range(h):
        for j in range(wide):
            full[:, :, i * stride : i * stride + kh, j * stride : j * stride + kw] += np.einsum(
                "nc,cokl->nokl", x[:, :, i, j], w
            )
    return full[:, :, pad : full.shape[2] - pad, pad : full.shape[3] - pad]


def test_elementwise_with_a_number(task_of, scale_and_clip):
    task = task_of(scale_and_clip, name="19_Scale_And_Clip_")
    assert (task.id, task.entry) == ("level1_019_scale_and_clip", "forward_scale_and_clip")
    assert [arg.name for arg in task.args] == ["rows", "columns", "x", "scale", "out"]
    assert task.bench_sizes == ({"rows": 32, "columns": 48},) and task.licence == "MIT"
    assert task_arg(task, "x").init.kind == "normal", "signed, where the source draws from [0, 1)"
    assert (
        "[i0 * columns + i1] = fmaxf((scale * x[" in task.reference.source.text
        and "vector<float>" not in task.reference.source.text
    )


def test_softmax_of_a_product_with_its_transpose(task_of, module):
    text = module(
        "scores = torch.matmul(A, B.T)\nreturn torch.softmax(scores / 2, dim=-1)",
        names="A, B",
        constants="M = 32\nN = 16\nK = 8 * 2",
        inputs="return [torch.rand(M, K), torch.triu(torch.rand(N, K))]",
    )
    task = task_of(text)
    arrays, out = run(task, {"M": 5, "N": 7, "K": 3})
    assert np.allclose(out, softmax(arrays["A"] @ np.triu(arrays["B"]).T / 2, 1), atol=1e-5)
    assert "below the diagonal of B counts as zero" in task.description and task.tolerance.reduction_length.text in (
        "K",
        "(N)",
    )


def test_a_grouped_convolution_with_parameters_as_inputs(task_of, module):
    text = module(
        "return self.conv(x)",
        **IMAGES,
        init="width_out, kernel=3",
        setup="self.conv = nn.Conv2d(8, width_out, kernel, stride=2, padding=1, dilation=2, groups=4, bias=True)",
        given="12",
    ).replace("channels = 8\n", "").replace("batch, channels,", "batch, 8,")  # fmt: skip
    task = task_of(text)
    assert [arg.name for arg in task.args if arg.name not in task.size_names] == [
        "x",
        "conv_weight",
        "conv_bias",
        "out",
    ]
    arrays, out = run(task, {"batch": 2, "height": 9, "width": 6})
    right = correlate(arrays["x"], arrays["conv_weight"], 2, 1, 2, 4) + arrays["conv_bias"][:, None, None]
    assert out.shape == right.shape and np.allclose(out, right, atol=1e-4)
    assert "height - 3 >= 0" in task.require


@pytest.mark.slow
def test_a_transposed_convolution(task_of, module):
    setup = "self.up = nn.ConvTranspose2d(channels, 6, 3, stride=2, padding=1, output_padding=1, bias=False)"
    task = task_of(module("return self.up(x)", **IMAGES, init="channels", setup=setup, given="channels"))
    arrays, out = run(task, {"batch": 2, "channels": 3, "height": 4, "width": 5})
    assert np.allclose(out, scatter(arrays["x"], arrays["up_weight"], 2, 1, 1), atol=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["Max", "Avg"])
def test_pools(task_of, module, kind):
    task = task_of(
        module("return self.pool(x)", **IMAGES, setup=f"self.pool = nn.{kind}Pool2d(3, stride=2, padding=1)")
    )
    arrays, out = run(task, {"batch": 2, "channels": 3, "height": 7, "width": 6})
    padded = np.pad(arrays["x"], ((0, 0), (0, 0), (1, 1), (1, 1)), constant_values=-np.inf if kind == "Max" else 0)
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (2, 3))[:, :, ::2, ::2]
    assert np.allclose(out, windows.max((4, 5)) if kind == "Max" else windows.mean((4, 5)), atol=1e-5)


@pytest.mark.slow
def test_group_normalisation(task_of, module):
    setup = "self.norm = nn.GroupNorm(num_groups=groups, num_channels=channels)"
    text = module("return self.norm(x)", **IMAGES, init="channels, groups", setup=setup, given="channels, 4")
    task = task_of(text)
    assert task.require == ("channels % 4 == 0",)
    arrays, out = run(task, {"batch": 2, "channels": 8, "height": 3, "width": 5})
    x = arrays["x"].reshape(2, 4, -1)
    y = ((x - x.mean(2, keepdims=True)) / np.sqrt(x.var(2, keepdims=True) + 1e-5)).reshape(arrays["x"].shape)
    assert np.allclose(out, y * arrays["norm_weight"][:, None, None] + arrays["norm_bias"][:, None, None], atol=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("forward", "right"),
    [
        ("return torch.argmax(x, dim=1)", lambda x: x.argmax(1)),
        ("return torch.min(x, dim=0)[0]", lambda x: x.min(0)),
        ("return x / torch.norm(x, p=2, dim=1, keepdim=True)", lambda x: x / np.sqrt((x * x).sum(1, keepdims=True))),
        ("return torch.cumsum(x.flip(1), dim=1).flip(1)", lambda x: x[:, ::-1].cumsum(1)[:, ::-1]),
        ("y = torch.cumsum(x.narrow(1, 0, x.size(1) - 1), dim=1)\n"
         "return torch.cat((torch.zeros_like(x.select(1, 0).unsqueeze(1)), y), dim=1)",
         lambda x: np.pad(x[:, :-1].cumsum(1), ((0, 0), (1, 0)))),
        ("return torch.mean(torch.clamp(1 - x * x, min=0))", lambda x: np.maximum(1 - x * x, 0).mean().reshape(1)),
        ("return x * torch.sigmoid(x) - F.softplus(x) + F.elu(x, alpha=0.5)",
         lambda x: x / (1 + np.exp(-x)) - np.log1p(np.exp(x)) + np.where(x > 0, x, 0.5 * np.expm1(x))),
        ("return torch.einsum('ij,kj->ik', x, x)", lambda x: x @ x.T),
    ],
)  # fmt: skip
def test_functions_against_numpy(task_of, module, forward, right):
    task = task_of(module(forward))
    arrays, out = run(task, {"rows": 6, "columns": 5})
    expected = right(arrays["x"].astype(np.float64))
    assert out.shape == expected.shape and np.allclose(out, expected, atol=1e-4)


def test_inputs_that_are_no_uniform_floats(task_of, module):
    text = module(
        "return torch.cumsum(x * mask, dim=1)",
        names="x, mask",
        constants="rows = 8\nshape = (16,)",
        inputs="x = torch.rand(rows, *shape) * 2 - 1\nmask = torch.randint(0, 2, x.shape).bool()\nreturn [x, mask]",
    )
    task = task_of(text)
    assert task.size_names == ("rows", "shape_0")
    mask = task_arg(task, "mask")
    assert (mask.dtype.name, mask.init.kind, mask.init.parameters["values"]) == ("uint8", "choice", (0, 1))


def test_products_of_many_stay_near_one(task_of, module):
    task = task_of(module("return torch.cumprod(x, dim=1)"))
    assert task_arg(task, "x").init.parameters == {"low": 0.9, "high": 1.1}


def test_names_that_the_loops_need_are_changed(task_of, module):
    text = module("return x * s", names="x, s", constants="c = 8\nint_ = 4", inputs="return [torch.rand(c, int_), 2.0]")
    task = task_of(text)
    assert [arg.name for arg in task.args] == ["c_", "int_", "x", "s_", "out"]


def test_timed_sizes_are_halved_until_the_judge_can_verify_them(write_kernelbench, module, tmp_path):
    text = module(
        "return torch.matmul(x, y)",
        names="x, y",
        constants="N = 2048 * 4",
        inputs="return [torch.rand(N, N), torch.rand(N, N)]",
    )
    checkout = write_kernelbench(tmp_path / "c", {"1_big": text})
    task = read_kernelbench(checkout).tasks[0]
    done = write_import(read_kernelbench(checkout), tmp_path / "out")
    n = load_task(done.out / task.id).bench_sizes[0]["N"]
    assert "bench_scaled" in task.labels and n**3 <= MOST_WORK < (2 * n) ** 3 and 12 * n * n <= MOST_BYTES
    assert any("N = 8192" in note for note in task.notes)
    full = read_kernelbench(checkout, full_sizes=True)
    assert "bench_scaled" not in full.tasks[0].labels and "N = 8192 }" in full.tasks[0].files["task.toml"]


@pytest.mark.parametrize(
    ("changes", "kind", "words"),
    [
        ({"forward": "return torch.fft.fft(x)"}, "operation", "torch.fft.fft"),
        ({"forward": "if x.shape[0] > 3:\n    return x\nreturn -x"}, "statement", "if x.shape[0] > 3"),
        ({"forward": "return x, x"}, "interface", "one tensor"),
        ({"forward": "return x.frobnicate()"}, "operation", "frobnicate"),
        ({"forward": "return torch.sum(x, dim=5)"}, "operation", "dimension 5"),
        ({"forward": "return x * float(rows)"}, "operation", "a number that follows from a size"),
        ({"forward": "return x / (rows % 3)"}, "operation", "arithmetic on the size rows"),
        ({"forward": "return x + y", "names": "x, y", "inputs": "return [torch.rand(rows), torch.rand(columns)]",
          "constants": "rows = 8\ncolumns = 8"}, "shapes", "equal only at the source's sizes"),
        ({"forward": "return x", "inputs": "A = torch.rand(rows, rows)\nreturn [A + A.T]"}, "inputs", "no draw of that kind"),
        ({"forward": "return x", "inputs": "return [torch.rand(rows, columns).softmax(dim=1)]"}, "inputs", "softmax"),
        ({"forward": "return x", "inputs": "return [open('secrets')]"}, "operation", "'open'"),
        ({"forward": "return self.conv(x)", "setup": "self.conv = nn.Conv2d(5, 6, 3)"}, "shapes", "5 channels"),
        ({"forward": "return torch.max(x, dim=1)[7]"}, "form", "IndexError"),
        ({"forward": "return torch.einsum('ijk->i', x)"}, "form", "cannot be followed"),
        ({"forward": "return torch.nn.functional.gelu(x, approximate='wrong')"}, "operation", "wrong"),
    ],
)  # fmt: skip
def test_what_cannot_be_translated_says_why(refusal_of, module, changes, kind, words):
    refusal = refusal_of(module(**changes))
    assert refusal.kind == kind and words in refusal.reason
    assert refusal.problem == "level1/7_thing"


@pytest.mark.parametrize("text", ["def f(:", "x = 1", "class Model:\n    def forward(self, x): return x\n"])
def test_a_file_of_another_form_is_refused(refusal_of, text):
    assert refusal_of(text).kind == "form"


def test_nothing_of_a_file_is_executed(refusal_of, module, tmp_path):
    marker = tmp_path / "executed"
    refusal_of(module("return x") + f"\nexecuted = open({str(marker)!r}, 'w')\n")
    assert not marker.exists()


def test_defects_of_the_source_are_told(write_kernelbench, module, tmp_path):
    checkout = write_kernelbench(
        tmp_path / "c",
        {
            "23_Softmax": module("return torch.softmax(x, dim=1)"),
            "37_FrobeniusNorm_": module("return x / torch.norm(x, p='fro')"),
        },
    )
    done = write_import(read_kernelbench(checkout), tmp_path / "out")
    text = " ".join(import_text(done).split())
    for words in (
        "Known defects of the source in what was imported (3)",
        "zeros pass at the absolute tolerance of 1e-4",
        "uniform in [0, 1)",
        "share a name space",
        "issue 108",
    ):
        assert words in text
    readme = (done.out / "level1_023_softmax" / "README.md").read_text()
    assert "1/393216" in readme and "4e-5" not in readme and "uniform in [0, 1)" in readme and "identity" not in readme
    assert "source_defect_gone" in done.found.tasks[0].labels and "source_defect_handled" in done.found.tasks[0].labels


def test_a_defect_is_told_only_of_the_problems_that_have_it(write_kernelbench, module, tmp_path):
    signed = module("return torch.relu(x)", inputs="return [torch.rand(rows, columns) * 2 - 1]")
    modules = {
        "19_ReLU": module("return torch.relu(x)"),
        "20_LeakyReLU": signed,
        "21_Negated": module("return -x"),
        "22_Normal": module("return -x", inputs="return [torch.randn(rows, columns)]"),
        "37_FrobeniusNorm_": module("return torch.fft.fft(x)"),
    }
    done = write_import(read_kernelbench(write_kernelbench(tmp_path / "c", modules)), tmp_path / "out")
    told = {task.problem.partition("_")[2]: " ".join(one.finding for one in task.defects) for task in done.found.tasks}
    assert told == {
        "ReLU": "inputs are uniform in [0, 1), never negative: the identity passes",
        "LeakyReLU": "",
        "Negated": "inputs are uniform in [0, 1), never negative",
        "Normal": "",
    }
    text = " ".join(import_text(done).split())
    assert "in what was imported (2)" in text and "problems that were not imported (1)" in text
    mine, _, others = text.partition("problems that were not imported (1)")
    assert "4e-5" in others and "4e-5" not in mine and "handled" not in others
    readme = (done.out / "level1_022_normal" / "README.md").read_text()
    assert (
        "Known defects" not in readme
        and "Known defect" not in (done.out / "level1_020_leakyrelu/task.toml").read_text()
    )


@pytest.mark.parametrize(
    ("names", "constants", "inputs", "forward", "loops", "arrays"),
    [
        ("x, y", "N = 4096", "[torch.rand(N, N), torch.rand(N, N)]", "torch.matmul(x, y)", True, False),
        ("x", "N = 20000", "[torch.rand(N, N)]", "x + x", False, True),
        ("x", "N = 65536", "[torch.rand(N, N)]", "x + x", True, True),
    ],
)  # fmt: skip
def test_smaller_sizes_have_the_reason_that_holds(
    write_kernelbench, module, tmp_path, names, constants, inputs, forward, loops, arrays
):
    text = module(f"return {forward}", names=names, constants=constants, inputs=f"return {inputs}")
    task = read_kernelbench(write_kernelbench(tmp_path / "c", {"1_big": text})).tasks[0]
    (note,) = [note for note in task.notes if "timed at smaller sizes" in note]
    assert (("loops of" in note), ("arrays of" in note)) == (loops, arrays), note
    if not arrays:
        assert "loops of 6.9e+10 runs" in note


def test_another_folder_is_refused(tmp_path, write_kernelbench):
    with pytest.raises(ConfigError, match=r"not a KernelBench checkout with .* there is no KernelBench/level1"):
        read_kernelbench(tmp_path)
    with pytest.raises(ConfigError, match="no problem"):
        read_kernelbench(write_kernelbench(tmp_path / "c", {}))


def test_levels_are_chosen(write_kernelbench, scale_and_clip, tmp_path):
    checkout = write_kernelbench(tmp_path / "c", {"1_a": scale_and_clip}, level=2)
    assert read_kernelbench(checkout, levels=(2,)).tasks[0].id == "level2_001_a"
    with pytest.raises(ConfigError, match="level1, KernelBench/level7"):
        read_kernelbench(checkout, levels=(1, 2, 7))


def test_comparing_without_torch_says_what_to_install():
    if importlib.util.find_spec("torch") is not None:
        pytest.skip("torch is installed")
    with pytest.raises(PrerequisiteMissing, match=r"pip install 'regrapht\[torch\]'"):
        require_torch()


@pytest.mark.slow
def test_references_agree_with_their_modules(write_kernelbench, module, tmp_path):
    pytest.importorskip("torch")
    good = module(
        "return torch.softmax(self.fc(x), dim=1)",
        init="columns",
        setup="self.fc = nn.Linear(columns, 6)",
        given="columns",
    )
    checkout = write_kernelbench(tmp_path / "c", {"3_good": good})
    done = write_import(read_kernelbench(checkout), tmp_path / "out")
    task = load_task(done.out / "level1_003_good")
    sandbox = choose_sandbox(allow_root=True)
    assert compare_with_module(task, problem_file(checkout, "level1/3_good"), sandbox).why_not == ""
    other = write_kernelbench(tmp_path / "d", {"3_good": good.replace("softmax", "log_softmax")})
    assert "apart by" in compare_with_module(task, problem_file(other, "level1/3_good"), sandbox).why_not
