"""Passes from IR to IR, before and between analyses: loops and scalars in the forms of which analysis and rules know most."""
