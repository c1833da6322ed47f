"""Verdicts that are handed on: made with a draw of their own, judged again from their file, signed and verified."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from regrapht.errors import ConfigError, SchemaError, UserFixable
from regrapht.records.encoding import to_json
from regrapht.records.verdict import CaseResult, Level, Stage, StageName, StageOutcome, Status, Verdict
from regrapht.session import verdicts

TASK = Path(__file__).parents[1] / "cheats" / "tasks" / "affine"
SOURCE = """__global__ void k(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 255) / 256, 256>>>(n, a, x, y, z); }
"""


class Judge:
    """Says what it is told to, and remembers its draws."""

    def __init__(self):
        self.draws, self.wrong = [], 0

    def prepare(self, task, plain):
        pass

    def evaluate(self, task, candidate, *, level):
        case = CaseResult(
            sizes={"n": 5},
            family="declared",
            hidden=False,
            output="z",
            norm_error=0.0,
            norm_bar=1e-6,
            element_error=0.0,
            mismatches=self.wrong,
            passed=not self.wrong,
        )
        passed = StageOutcome.PASSED
        return Verdict(
            status=Status.WRONG_VALUE if self.wrong else Status.PASSED,
            level=level,
            evaluator="emulated",
            task_hash=task.content_hash,
            candidate_id=candidate.id,
            reason="",
            stages=tuple(Stage(name=n, outcome=passed, seconds=0) for n in (StageName.BUILD, StageName.CHECK)),
            cases=(case,),
            no_timing="no_gpu",
        )


@pytest.fixture
def judge(monkeypatch):
    made = Judge()

    def opened(name, *, allow_root, secret):
        made.draws.append(secret)
        return made

    monkeypatch.setattr(verdicts, "open_evaluator", opened)
    return made


@pytest.fixture
def program(tmp_path):
    (tmp_path / "mine.cu").write_text(SOURCE)
    return tmp_path / "mine.cu"


def published(program, judge=None):
    made = verdicts.judge_and_publish(
        TASK, [program], entry=None, evaluator="emulated", level=Level.SCREEN, allow_root=False
    )
    target = program.with_name("v.json")
    verdicts.write_published(made, target)
    return target


def test_each_publication_spends_a_draw_of_its_own_and_a_replay_uses_it_again(program, judge):
    first, second = (json.loads(published(program).read_text())["draw"] for _ in range(2))
    assert first != second and [f"{draw:x}" for draw in judge.draws] == [first, second]
    again = verdicts.replay(program.with_name("v.json"), evaluator=None, allow_root=False)
    assert again.agrees and f"{judge.draws[-1]:x}" == second
    assert str(program.parent) not in program.with_name("v.json").read_text()


def test_what_differs_is_said(program, judge):
    target = published(program)
    judge.wrong = 3
    again = verdicts.replay(target, evaluator=None, allow_root=False)
    assert not again.agrees
    assert "status DIFFERS: PASSED then, WRONG_VALUE now" in again.lines
    assert any("z at n=5 (declared values): right then, wrong in 3 now" in line for line in again.lines)


def changed(plain, **fields):
    return json.dumps({**plain, **fields})


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda plain: "", "not strict JSON"),
        (lambda plain: changed(plain, source="int other;"), "another program"),
        (lambda plain: changed(plain, draw="xyz"), "128 bits"),
        (lambda plain: changed(plain, draw="1" * 40), "128 bits"),
        (lambda plain: changed(plain, format="other"), "format"),
        (lambda plain: changed(plain, schema_version=9), "schema"),
        (lambda plain: changed(plain, task={**plain["task"], "entry": "other"}), "another task"),
        (lambda plain: json.dumps({key: value for key, value in plain.items() if key != "task"}), "task"),
        (lambda plain: json.dumps(plain["verdict"]), "no draw to repeat"),
    ],
)
def test_a_file_that_does_not_fit_together_is_refused(program, judge, damage, words):
    target = published(program)
    target.write_text(damage(json.loads(target.read_text())))
    with pytest.raises(SchemaError, match=words) as refused:
        verdicts.replay(target, evaluator=None, allow_root=False)
    assert "\n" not in str(refused.value) and str(target) in str(refused.value)


def test_a_task_that_reads_other_files_cannot_be_handed_on(program, judge, monkeypatch):
    opened = verdicts.open_task(TASK)
    folder = replace(opened.task, reference=replace(opened.task.reference, include=("/somewhere/include",)))
    monkeypatch.setattr(verdicts, "open_task", lambda path, entry=None: replace(opened, task=folder))
    with pytest.raises(ConfigError, match="headers in include/"):
        published(program)


@pytest.fixture
def keys(tmp_path):
    pytest.importorskip("cryptography")
    from cryptography.hazmat.primitives import serialization as forms
    from cryptography.hazmat.primitives.asymmetric import ed25519, rsa

    for name, key in (("mine", ed25519.Ed25519PrivateKey.generate()), ("other", ed25519.Ed25519PrivateKey.generate())):
        pem = key.private_bytes(forms.Encoding.PEM, forms.PrivateFormat.PKCS8, forms.NoEncryption())
        (tmp_path / f"{name}.pem").write_bytes(pem)
        public = key.public_key()
        subject = forms.PublicFormat.SubjectPublicKeyInfo
        (tmp_path / f"{name}.pub").write_bytes(public.public_bytes(forms.Encoding.PEM, subject))
        ssh = public.public_bytes(forms.Encoding.OpenSSH, forms.PublicFormat.OpenSSH)
        (tmp_path / f"{name}.ssh").write_bytes(ssh)
    weak = rsa.generate_private_key(65537, 2048)
    pem = weak.private_bytes(forms.Encoding.PEM, forms.PrivateFormat.PKCS8, forms.NoEncryption())
    (tmp_path / "rsa.pem").write_bytes(pem)
    locked = ed25519.Ed25519PrivateKey.generate()
    pem = locked.private_bytes(forms.Encoding.PEM, forms.PrivateFormat.PKCS8, forms.BestAvailableEncryption(b"x"))
    (tmp_path / "locked.pem").write_bytes(pem)
    return tmp_path


def test_a_signature_is_of_every_byte_and_of_one_key(program, judge, keys):
    target = published(program)
    assert verdicts.sign(target, keys / "mine.pem") == target.with_name("v.json.sig")
    assert verdicts.verify(target, keys / "mine.pub") and verdicts.verify(target, keys / "mine.ssh")
    assert not verdicts.verify(target, keys / "other.pub")
    target.write_bytes(target.read_bytes() + b"\n")
    assert not verdicts.verify(target, keys / "mine.pub")


def test_the_verdict_of_a_run_can_be_signed_too(program, judge, keys):
    target = published(program)
    target.write_text(to_json(verdicts.read_published(target).verdict))
    verdicts.sign(target, keys / "mine.pem")
    assert verdicts.verify(target, keys / "mine.pub")


@pytest.mark.parametrize(
    ("file", "key", "words"),
    [
        ("mine.cu", "mine.pem", "is not a verdict"),
        ("v.json", "mine.pub", "no private key"),
        ("v.json", "locked.pem", "without a passphrase"),
        ("v.json", "rsa.pem", "not an Ed25519 key"),
        ("v.json", "mine.cu", "no private key"),
        ("v.json", "none.pem", "No such file"),
    ],
)
def test_what_cannot_be_signed_or_signed_with(program, judge, keys, file, key, words):
    published(program)
    with pytest.raises(UserFixable, match=words) as refused:
        verdicts.sign(keys / file, keys / key)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "text", ["", "{}", '{"format": "regrapht-signature", "algorithm": "ed25519", "signature": "?"}']
)
def test_a_signature_that_is_none(program, judge, keys, text):
    target = published(program)
    target.with_name("v.json.sig").write_text(text)
    with pytest.raises(SchemaError, match=r"v\.json\.sig"):
        verdicts.verify(target, keys / "mine.pub")
    target.with_name("v.json.sig").unlink()
    with pytest.raises(ConfigError, match="No such file"):
        verdicts.verify(target, keys / "mine.pub")


@pytest.mark.slow
def test_from_the_command_line_with_the_emulated_judge(program, keys):
    target = program.with_name("v.json")
    task = ("check", str(TASK), str(program), "--evaluator", "emulated", "--level", "screen", "--verdict", str(target))
    calls = (
        (task, 0),
        (("verdict", "replay", str(target), "--evaluator", "emulated"), 0),
        (("verdict", "sign", str(target), "--key", str(keys / "mine.pem")), 0),
        (("verdict", "verify", str(target), "--public", str(keys / "mine.pub")), 0),
        (("verdict", "verify", str(target), "--public", str(keys / "other.pub")), 1),
        (("verdict", "replay", str(program)), 2),
    )
    for call, code in calls:
        done = subprocess.run(
            [sys.executable, "-m", "regrapht", *call], capture_output=True, text=True, check=False, timeout=300
        )
        assert done.returncode == code and "Traceback" not in done.stderr, (call, done)
