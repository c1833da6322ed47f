"""What the environment says, and what is said when it says nonsense."""

import pytest

from regrapht import settings
from regrapht.errors import ConfigError


def test_bench_sets(monkeypatch):
    monkeypatch.delenv("REGRAPHT_BENCH_SETS", raising=False)
    assert settings.bench_sets() == 4
    monkeypatch.setenv("REGRAPHT_BENCH_SETS", "1")
    assert settings.bench_sets() == 1


@pytest.mark.parametrize("text", ["0", "-1", "two", "1.5"])
def test_bench_sets_that_are_no_number_of_sets(monkeypatch, text):
    monkeypatch.setenv("REGRAPHT_BENCH_SETS", text)
    with pytest.raises(ConfigError, match="REGRAPHT_BENCH_SETS"):
        settings.bench_sets()


def test_the_proof_of_a_fast_reference_has_a_limit(monkeypatch):
    monkeypatch.delenv("REGRAPHT_PROOF_S", raising=False)
    assert settings.proof_seconds() == 600
    monkeypatch.setenv("REGRAPHT_PROOF_S", "2.5")
    assert settings.proof_seconds() == 2.5


@pytest.mark.parametrize("text", ["0", "inf", "nan", "soon"])
def test_a_proofs_limit_that_is_none(monkeypatch, text):
    monkeypatch.setenv("REGRAPHT_PROOF_S", text)
    with pytest.raises(ConfigError, match="REGRAPHT_PROOF_S"):
        settings.proof_seconds()


def test_the_compiler_is_the_one_that_this_process_finds(tmp_path, monkeypatch):
    compiler = tmp_path / "my-g++"
    compiler.write_text("#!/bin/sh\n")
    compiler.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setenv("CXX", "my-g++")
    assert settings.cxx() == str(compiler)
    monkeypatch.setenv("CXX", "no-such-compiler")
    assert settings.cxx() == "no-such-compiler"
    monkeypatch.chdir(tmp_path.parent)
    monkeypatch.setenv("CXX", f"{tmp_path.name}/my-g++")
    assert settings.cxx() == str(compiler)
    monkeypatch.setenv("CXX", "ccache g++")
    with pytest.raises(ConfigError, match="without arguments"):
        settings.cxx()
