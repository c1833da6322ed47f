"""Sphinx configuration. `make docs` builds with warnings as errors."""

project = "regrapht"
author = "the regrapht authors"
copyright = "2026, the regrapht authors"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = "regrapht"
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
autodoc_member_order = "bysource"
nitpicky = False
