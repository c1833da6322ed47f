"""Admitting a suite: its tasks examined, its reference trajectories judged, its tiers computed."""
