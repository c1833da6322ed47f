"""Running an experiment, a cell a method, task and seed, and keeping what came of it."""
