import json

import pytest

from regrapht.construct.verdict_file import VERDICTS_FILE, TimeSummary, read_verdicts
from regrapht.construct.verify import verify_corpus
from regrapht.errors import EvaluatorUnavailable, SchemaError
from regrapht.records.verdict import Level, Status


def test_every_step_is_judged_once(corpus, writing):
    judge, seen = writing.judge(), []
    report = verify_corpus(corpus, judge, level=Level.SCREEN, on_step=seen.append)
    assert judge.judged == len(seen) == 9
    assert (report.judged, report.on_file, report.by_status) == (9, 0, {"PASSED": 8, "WRONG_VALUE": 1})
    assert report.refused == ("scale_a/slow/02_step.cu: WRONG_VALUE: y is wrong",)
    assert "WRONG_VALUE  scale_a/slow/02_step.cu: y is wrong" in [str(step) for step in seen]
    assert "9 judged, 0 on file" in str(report)

    again = verify_corpus(corpus, judge, level=Level.SCREEN)
    assert judge.judged == 9
    assert (again.judged, again.on_file, again.refused) == (0, 9, report.refused)


def test_only_what_changed_is_judged_again(corpus, writing):
    judge = writing.judge()
    verify_corpus(corpus, judge, level=Level.FULL)
    folder = corpus / "dense_la" / "scale_a" / "slow"
    (folder / "02_step.cu").write_text((folder / "02_step.cu").read_text().replace("3.0f", "2.0f"))
    report = verify_corpus(corpus, judge, level=Level.FULL)
    assert judge.judged == 10
    assert report.refused == ()
    assert len(read_verdicts(folder)) == 3
    verify_corpus(corpus, judge, level=Level.FULL, force=True)
    assert judge.judged == 19


def test_a_full_judgement_covers_a_screening_and_not_the_other_way_round(corpus, writing):
    judge = writing.judge()
    verify_corpus(corpus, judge, level=Level.SCREEN)
    verify_corpus(corpus, judge, level=Level.FULL)
    assert judge.judged == 18
    verify_corpus(corpus, judge, level=Level.SCREEN)
    assert judge.judged == 18


def test_evaluators_keep_verdicts_side_by_side(corpus, writing):
    verify_corpus(corpus, writing.judge(), level=Level.FULL)
    verify_corpus(corpus, writing.judge("local_gpu", {0: 8.0, 1: 4.0, 2: 2.0, 3: 1.0}), level=Level.FULL)
    verdicts = read_verdicts(corpus / "dense_la" / "scale_a" / "fast")
    assert [(verdict.file, verdict.evaluator) for verdict in verdicts[:2]] == [
        ("01_step.cu", "emulated"),
        ("01_step.cu", "local_gpu"),
    ]
    assert verdicts[1].timing[0].candidate == TimeSummary(median_us=4.0, quartiles_us=(4.0, 4.0), samples=3)
    assert verdicts[1].environment.device == "NVIDIA H200 (sm_90)"


def test_an_interrupted_verification_goes_on_where_it_was(corpus, writing):
    judge = writing.judge()
    evaluate, limit = judge.evaluate, 4

    def failing(task, candidate, *, level):
        if judge.judged == limit:
            raise EvaluatorUnavailable("the device is gone")
        return evaluate(task, candidate, level=level)

    judge.evaluate = failing
    with pytest.raises(EvaluatorUnavailable):
        verify_corpus(corpus, judge, level=Level.FULL)
    limit = 100
    report = verify_corpus(corpus, judge, level=Level.FULL)
    assert (judge.judged, report.judged, report.on_file) == (9, 5, 4)


def test_what_cannot_be_judged_is_reported_apart(corpus, writing):
    (corpus / "image" / "scale_b" / "own_words" / "01_step.cu").write_text("// unsupported 2.0f\n")
    report = verify_corpus(corpus, writing.judge(), level=Level.FULL)
    assert [step.split(":")[0] for step in report.unjudged] == ["scale_b/own_words/01_step.cu"]
    assert len(report.refused) == 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda text: text[: len(text) // 2], "not strict JSON"),
        (lambda text: text.replace('"schema_version": 2', '"schema_version": 9'), "upgrade"),
        (lambda text: text.replace("regrapht.corpus_verdicts", "other"), "not a file of verdicts"),
        (lambda text: text.replace('"PASSED"', '"FINE"'), "FINE"),
        (lambda text: "[]", "not a file of verdicts"),
    ],
)
def test_a_damaged_file_is_refused_with_a_remedy(corpus, writing, change, words):
    verify_corpus(corpus, writing.judge(), level=Level.FULL)
    folder = corpus / "dense_la" / "scale_a" / "fast"
    path = folder / VERDICTS_FILE
    path.write_text(change(path.read_text()))
    with pytest.raises(SchemaError, match=words) as caught:
        read_verdicts(folder)
    assert "delete the file and run `regrapht graph verify`" in str(caught.value)


def test_verdicts_are_readable_by_people(corpus, writing):
    verify_corpus(corpus, writing.judge(), level=Level.FULL)
    text = (corpus / "dense_la" / "scale_a" / "slow" / VERDICTS_FILE).read_text()
    document = json.loads(text)
    steps = document["steps"]
    assert text.count("\n") == 8 + len(document["environments"]) + len(steps)
    assert [step["status"] for step in steps] == ["PASSED", Status.WRONG_VALUE.value, "PASSED"]
    assert all(step["date"].endswith("+00:00") for step in steps)
