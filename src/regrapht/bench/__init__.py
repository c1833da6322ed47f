"""Comparing methods: suites, metrics, experiments, landscapes."""
