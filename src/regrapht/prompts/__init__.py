"""Wording: a proposal to a prompt (`render`), a model's reply to code (`parse`). The words themselves are files in `templates/`."""
