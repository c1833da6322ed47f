"""How alike two programs are: the share of short runs of tokens that they have in common, whatever their names and constants."""

import hashlib

from regrapht.source.tokens import Token, TokenKind, tokens

WIDTH = 7
"""Tokens in one run: long enough that `for (i = 0; i <` alone is no likeness."""

_WORDS_KEPT = """
    alignas auto bool break case char const constexpr continue default delete do double else enum extern false float for goto if
    inline int long namespace new operator register restrict return short signed sizeof static struct switch template this true
    typedef typename union unsigned using void volatile while size_t
    __global__ __device__ __host__ __shared__ __constant__ __restrict__ __launch_bounds__ __syncthreads __syncwarp
    threadIdx blockIdx blockDim gridDim warpSize atomicAdd __shfl_down_sync __shfl_xor_sync __shfl_sync __ldg
"""
_KEYWORDS = frozenset(_WORDS_KEPT.split())
_LITERALS = {TokenKind.NUMBER: "0", TokenKind.STRING: '""', TokenKind.CHARACTER: "''"}


def shingles(source: str) -> frozenset[str]:
    """Hashes of every run of 7 tokens of `source`; names become one word and literals one value of their kind.

    A program of fewer than 7 tokens is one run.
    """
    words = [_normalised(token) for token in tokens(source) if token.kind is not TokenKind.BLANK]
    if not words:
        return frozenset()
    runs = (words[first : first + WIDTH] for first in range(max(1, len(words) - WIDTH + 1)))
    return frozenset(hashlib.sha256("\0".join(run).encode("utf-8", "surrogatepass")).hexdigest()[:16] for run in runs)


def similarity(first: frozenset[str], second: frozenset[str]) -> float:
    """The Jaccard index of two sets of shingles, 0 to 1; two empty programs are alike."""
    if not first and not second:
        return 1.0
    return len(first & second) / len(first | second)


def _normalised(token: Token) -> str:
    if token.kind is TokenKind.NAME:
        return token.text if token.text in _KEYWORDS else "name"
    return _LITERALS.get(token.kind, token.text)
