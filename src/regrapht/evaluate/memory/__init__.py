"""What checkers of memory say of a program beside its outputs, and whether the device did the work."""
