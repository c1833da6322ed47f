"""A verdict in the making: its stages, how one ends early, and what a proposer is told."""
