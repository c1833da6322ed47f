"""What integer expressions are: polynomials over sizes and symbols with a range."""
