"""The plain version of a matrix product, frozen: speed-ups are told against it."""

from pathlib import Path

from regrapht.propose.transform_engine import TransformProposer

GOLDEN = Path(__file__).parent / "golden" / "gemm_strided_ld.cu"


def test_plain_matrix_product(read_input):
    assert TransformProposer().plain(read_input("gemm_strided_ld")).source == GOLDEN.read_text()
