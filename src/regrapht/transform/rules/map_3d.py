"""Three parallel loops as a three-dimensional grid."""

from regrapht.transform.rules.map_2d import Map2D
from regrapht.transform.rules.rule import Parameter


class Map3D(Map2D):
    slug = "map_3d"
    title = "a three-dimensional grid over three parallel loops"
    condition = "at least three loops with independent iterations, mapped as numbered points"
    explanation = (
        "Three parallel loops become the axes of a grid, so that a block covers a compact brick of points whose neighbours share data "
        "in the caches."
    )
    parameters = (Parameter("block", ([32, 4, 2], [16, 4, 4], [32, 2, 4], [8, 8, 4])),)
    axes = 3
