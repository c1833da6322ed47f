"""How a run of a program ended, in words, and what of it refuses a candidate."""
