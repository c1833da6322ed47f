"""Comparing methods.

`suite`, `metrics` and `intervals` are the ground; `pack` says what a suite was on one day, and `pack_archive` keeps its files. On it stand
`admit` (a suite's tasks and tiers), `experiment` (running cells and keeping them), `summary` (tables and conclusions, on `experiment`) and
`landscape` (recorded worlds). Suites come from `importers` and `harvest`.
"""
