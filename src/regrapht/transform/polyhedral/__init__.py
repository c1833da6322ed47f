"""Domains and accesses of a function as isl's sets and maps, and what follows from them: conflicts, conditions, places of data."""
