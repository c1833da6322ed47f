"""Which elements of which arrays a function touches."""
