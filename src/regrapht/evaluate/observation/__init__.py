"""The reference run with its loops watched: whether their turns meet, as far as drawn inputs show."""
