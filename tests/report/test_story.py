"""The story of a run."""

from regrapht.report.story import Story, headline, refusals


def test_gains_and_path(story: Story) -> None:
    assert [step.gain for step in story.steps] == [5.0, None, 20.0]
    assert [step.technique for step in story.path] == ["map_to_threads", "vectorised_access"]
    assert refusals(story) == {"WRONG_VALUE": 1}


def test_headline_names_gain_baseline_interval_and_device(story: Story) -> None:
    line = headline(story)
    for part in (
        "20.00 x [18.00, 22.00] against sequential",
        "n=1000",
        "Test GPU (sm_90)",
        "measured",
        "map_to_threads -> vectorised_access",
    ):
        assert part in line


def test_headline_without_a_pass(nothing_passed: Story) -> None:
    assert "no candidate passed in 1 judged" in headline(nothing_passed)
