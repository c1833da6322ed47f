import re

import pytest

from regrapht.errors import SchemaError
from regrapht.graph.vocabulary import load_vocabulary, parse_vocabulary
from regrapht.records.technique import Area

SHARED_WITH_THE_TRANSFORM_ENGINE = """
    map_to_threads map_2d map_3d grid_stride_loop loop_interchange shared_memory_tiling shared_memory_halo shared_memory_transpose
    shared_memory_padding loop_unrolling thread_coarsening register_tiling block_reduction warp_shuffle_reduction two_stage_reduction
    atomic_reduction shared_memory_histogram restrict_read_only block_size_tuning vectorised_access constant_memory kernel_fusion
    kernel_fission launch_bounds streaming_stores library_call warp_per_row shared_lookup_table
"""


def test_the_vocabulary_covers_the_field():
    vocabulary = load_vocabulary()
    assert len(vocabulary.techniques) >= 48
    assert set(SHARED_WITH_THE_TRANSFORM_ENGINE.split()) <= set(vocabulary.techniques)
    assert {technique.area for technique in vocabulary.techniques.values()} == set(Area)
    assert {word for technique in vocabulary.techniques.values() for word in technique.needs} == set(
        vocabulary.features
    )


def test_every_technique_is_written_out():
    for technique in load_vocabulary().techniques.values():
        assert 40 <= len(technique.meaning.split()) <= 130, technique.slug
        assert len(technique.condition.split()) >= 8, technique.slug
        assert technique.meaning.endswith(".") and technique.condition.endswith("."), technique.slug
        assert len(technique.aliases) >= 3, technique.slug
        assert "\n" not in technique.meaning + technique.condition


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("shared_memory_tiling", "shared_memory_tiling"),
        ("Shared Memory", "shared_memory_tiling"),
        ("Loop-Unrolling", "loop_unrolling"),
        ("#pragma unroll", "loop_unrolling"),
        ("  WARP SHUFFLE  ", "warp_shuffle_reduction"),
        ("__shfl_down_sync", "warp_shuffle_reduction"),
        ("Memory Coalescing", "memory_coalescing"),
        ("Warp Divergence", "branch_elimination"),
        ("Fast Math", "fast_math_intrinsics"),
        ("Parallelism", "map_to_threads"),
        ("cp.async", "asynchronous_copy"),
        ("Vectorized memory access", "vectorised_access"),
        ("", None),
        ("...", None),
        ("init", None),
        ("make it faster", None),
    ],
)
def test_names_resolve_or_stay_unknown(name, slug):
    assert load_vocabulary().resolve(name) == slug


GOOD = """
schema = 1
features = ["stencil"]

[[technique]]
slug = "tile"
title = "Tile"
area = "memory"
meaning = "Tiles."
condition = "Loops."
aliases = ["blocking"]
needs = ["stencil"]
"""
SECOND = GOOD.partition("\n\n")[2]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("schema = ", "not TOML"),
        (GOOD.replace("schema = 1", "schema = 2"), "upgrade"),
        (GOOD.replace("schema = 1\n", ""), "upgrade"),
        (GOOD.replace("features", "feature"), "unknown key 'feature'"),
        (GOOD.replace('features = ["stencil"]', "features = [1]"), "features must be a list"),
        (GOOD.replace('area = "memory"', 'area = "magic"'), "area 'magic' is none of"),
        (GOOD.replace('needs = ["stencil"]', 'needs = ["moon"]'), "needs moon"),
        (GOOD.replace('needs = ["stencil"]', ""), "'needs' is missing"),
        (GOOD + "colour = 1\n", "no key of a technique"),
        (GOOD.replace('meaning = "Tiles."', 'meaning = " "'), "meaning must be a text"),
        (GOOD.replace('"tile"', '"Tile It"'), "a slug is lower case"),
        (GOOD.replace('"tile"', '"init"'), "a slug is lower case"),
        (GOOD + SECOND, "'tile' is defined twice"),
        (GOOD + SECOND.replace('"tile"', '"other"').replace('"Tile"', '"Other"'), "'blocking' names both"),
        (GOOD.replace('"blocking"', '"!"'), "no letter"),
    ],
)
def test_a_broken_vocabulary_is_refused_by_what_is_wrong(text, words):
    assert parse_vocabulary(GOOD).resolve("BLOCKING") == "tile"
    with pytest.raises(SchemaError, match=re.escape(words)):
        parse_vocabulary(text)
