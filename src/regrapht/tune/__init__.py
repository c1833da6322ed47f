"""Parameters left open, searched over the judge after the search: those of the transform engine's rules, and those of `// tune:` lines."""
