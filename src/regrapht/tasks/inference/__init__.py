"""How much of its arrays a function touches, read from its loops and subscripts."""
