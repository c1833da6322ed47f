"""What profilers print becomes shares; a caller has what only it calls."""

from pathlib import Path

import pytest

from regrapht.errors import ConfigError
from regrapht.session.port.functions_of import OwnFunction
from regrapht.session.port.profile import given

PERF = "# Overhead  Command  Symbol\n    61.25%  app  app  [.] swe::Solver::fluxes(double)\n    20.00%  app  app  [.] norm\n"
GPROF = " time   seconds  self  calls\n 61.25   0.02   0.02  7208  0.00  0.00  swe::Solver::fluxes(double)\n 20.00  0.1 0.1 norm\n"
PLAIN = "61.25 fluxes\n20 norm\n"


def function(name: str, *calls: str) -> OwnFunction:
    return OwnFunction(
        usr=name, name=name, entry=name, file=Path("a.cpp"), unit=Path("a.cpp"), line=1, body=1, has_loop=True,
        can_hold=True, calls=frozenset(calls),
    )  # fmt: skip


FOUND = [function("swe::Solver::fluxes"), function("norm"), function("step", "swe::Solver::fluxes"), function("idle")]


@pytest.mark.parametrize("text", [PERF, GPROF, PLAIN], ids=["perf", "gprof", "plain"])
def test_shares_are_read(tmp_path: Path, text: str) -> None:
    (tmp_path / "p.txt").write_text(text)
    found = given(tmp_path / "p.txt", FOUND)
    assert found.spent["swe::Solver::fluxes"].own == pytest.approx(0.6125)
    assert found.spent["step"].share == pytest.approx(0.6125) and found.spent["step"].own == 0
    assert [one.name for one in found.ranked(FOUND, 0.1)] == ["step", "swe::Solver::fluxes", "norm"]


def test_a_profile_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "p.txt").write_text("50% other\n")
    with pytest.raises(ConfigError, match="no function of the application"):
        given(tmp_path / "p.txt", FOUND)
