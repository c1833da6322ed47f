import random

import numpy as np
import pytest

from regrapht.graph.code_features import FEATURES, code_features
from regrapht.graph.code_likeness import EmbeddingLikeness, TokenIndex, TokenLikeness, code_tokens, token_likeness

SUM = """__global__ void k(int n, const float* x, float* out) {
    __shared__ float part[256];
    float total = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) total += x[i];
    part[threadIdx.x] = total;
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}"""
SCALE = "__global__ void k(int n, float* y) { int i = threadIdx.x; if (i < n) y[i] = 2.0f * y[i]; }"
GATHER = "void f(int n, const int* at, const float* x, float* y) { for (int i = 0; i < n; ++i) y[i] = x[at[i]] * exp(x[i]); }"


def feature(source, name):
    return code_features(source)[FEATURES.index(name)]


def test_features_say_what_the_code_does():
    assert feature(SUM, "loops") == 1.0
    for name in ("shared", "barriers", "reduction", "grid_stride", "kernels"):
        assert feature(SUM, name) > 0, name
        assert feature(SCALE, name) == (1.0 if name == "kernels" else 0.0), name
    assert feature(GATHER, "indirect") > 0
    assert feature(GATHER, "transcendental") > 0
    assert feature(SUM, "indirect") == 0


def test_features_do_not_see_names_and_layout():
    renamed = SUM.replace("total", "s").replace("part", "buffer").replace("\n", " ") + "// done"
    assert np.array_equal(code_features(renamed), code_features(SUM))


@pytest.mark.parametrize("text", ["", "}}}", "\0", "[" * 2000, "x" * 10000, "é" * 50])
def test_any_text_has_features_and_tokens(text):
    assert code_features(text).shape == (len(FEATURES),)
    assert TokenLikeness().likeness(text, [SUM, text]).shape == (2,)


def test_names_are_split_and_comments_do_not_count():
    tokens = code_tokens("rowSum = row_sum; // nothing_here\n/* nor here */")
    assert tokens["row"] == 2
    assert tokens["sum"] == 2
    assert "nothing_here" not in tokens


def test_the_same_program_is_the_most_alike():
    others = [SCALE, GATHER, SUM]
    assert int(np.argmax(TokenLikeness().likeness(SUM, others))) == 2
    assert TokenIndex(others).cosines(SUM)[2] == pytest.approx(1.0)
    assert TokenLikeness().likeness(SUM, []).shape == (0,)


def test_an_index_agrees_with_cosines_by_hand():
    seed = random.randrange(2**32)
    print("seed", seed)
    chance = random.Random(seed)
    words = [f"w{i}" for i in range(12)]
    texts = [" ".join(chance.choices(words, k=20)) for _ in range(8)]
    holding = {w: sum(w in t.split() for t in texts) for w in words}

    def vector(text):
        counts = code_tokens(text)
        found = np.zeros(len(words))
        for place, word in enumerate(words):
            if counts[word]:
                found[place] = (1 + np.log(counts[word])) * (np.log((1 + len(texts)) / (1 + holding[word])) + 1)
        return found / np.linalg.norm(found)

    known = [t for t in texts if all(holding[w] for w in t.split())]
    expected = [vector(known[0]) @ vector(text) for text in texts]
    got = TokenIndex(texts).cosines(known[0])
    # tokens split at digits ("w1" gives "w" and "1"), which all texts share: only the order is compared with the words alone
    assert int(np.argmax(got)) == int(np.argmax(expected)) == texts.index(known[0])


def test_embeddings_are_asked_once_and_checked():
    asked = []

    def embed(texts):
        asked.extend(texts)
        return np.array([[len(text), 1.0] for text in texts])

    measure = EmbeddingLikeness(embed)
    first = measure.likeness("aaaa", ["aaaa", "b"])
    assert first[0] == pytest.approx(1.0) and first[1] < 1.0
    measure.likeness("b", ["aaaa"])
    assert asked == ["aaaa", "b"]
    with pytest.raises(ValueError, match="finite vectors"):
        EmbeddingLikeness(lambda texts: np.zeros((1, 3)) * np.nan).likeness("x", ["y"])


def test_nothing_is_more_alike_than_the_program_itself():
    """With any others beside it, so also where its tokens are everyone's."""
    texts = ["int alpha; int beta; f(alpha);", "int alpha; f(alpha); f(alpha); g(beta);", "int alpha;", "float gamma;"]
    for program in texts:
        found = token_likeness(program, texts)
        assert found[texts.index(program)] == pytest.approx(1.0) and found.max() <= 1 + 1e-9


def test_all_cosines_are_those_of_each_text():
    texts = [SUM, SUM.replace("total", "row_sum"), "int f(int a) { return a; }", ""]
    index = TokenIndex(texts)
    assert index.all_cosines() == pytest.approx(np.stack([index.cosines(text) for text in texts]))


def test_all_cosines_of_many_tokens_are_summed_over_blocks(monkeypatch):
    from regrapht.graph import code_likeness

    monkeypatch.setattr(code_likeness, "_COLUMNS_AT_ONCE", 3)
    texts = ["alpha beta gamma delta", "beta delta epsilon", "zeta eta theta iota alpha"]
    index = TokenIndex(texts)
    assert index.all_cosines() == pytest.approx(np.stack([index.cosines(text) for text in texts]))
