"""The files that a run leaves: complete and escaped."""

import xml.etree.ElementTree as ElementTree
from pathlib import Path

from regrapht.records.encoding import from_json
from regrapht.records.verdict import Verdict
from regrapht.report.curves import gain_over_budget
from regrapht.report.result_folder import write_result
from regrapht.report.search_picture import search_picture
from regrapht.report.story import Story
from regrapht.store.output_folder import RESULT_FILE


def write(folder: Path, story: Story) -> dict[str, str]:
    files = write_result(
        folder,
        story,
        command="regrapht optimize x",
        details={"Run": "1"},
        exemplars={1: ["gemv"]},
        architecture="sm_90",
    )
    return {path.name: path.read_text() for path in files}


def test_all_files(tmp_path: Path, story: Story) -> None:
    files = write(tmp_path, story)
    run = {"report.html", "best.cu", "best.h", "use_best.cu", "verdict.json"}
    delivered = {"scale.cu", "scale.h", "scale_host.cu", "scale_cpu.cpp", "test_scale.cpp", "scale.verdict.json"}
    assert set(files) == run | delivered | {"CMakeLists.txt", "README.md"}
    assert story.best is not None
    assert files["best.cu"] == story.best.candidate.source
    assert from_json(Verdict, files["verdict.json"]) == story.best.verdict
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*files, RESULT_FILE])


def test_nothing_of_an_earlier_result_stays(tmp_path: Path, story: Story, nothing_passed: Story) -> None:
    write(tmp_path, story)
    (tmp_path / "mine.txt").write_text("kept")
    write(tmp_path, nothing_passed)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["mine.txt", "report.html", RESULT_FILE])


def test_report_escapes_what_candidates_wrote(tmp_path: Path, story: Story) -> None:
    report = write(tmp_path, story)["report.html"]
    assert "<script>" not in report and "&lt;script&gt;" in report
    assert "http://" not in report.replace("http://www.w3.org/2000/svg", "") and "https://" not in report
    for part in ("20.00", "WRONG_VALUE", "Test GPU (sm_90)", "regrapht optimize x", "vectorised_access", "gemv"):
        assert part in report


def test_report_without_a_best(tmp_path: Path, nothing_passed: Story) -> None:
    assert set(write(tmp_path, nothing_passed)) == {"report.html"}


def test_drawings_are_xml(story: Story) -> None:
    for drawing in (gain_over_budget(story.steps, "x"), search_picture(story.steps, story.path)):
        assert ElementTree.fromstring(drawing).tag.endswith("svg")
