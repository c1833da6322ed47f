"""Words of a block's head, gone on with inside of it: the language's name, the way an entry begins."""

import re

_LANGUAGE = re.compile(r"^(?:cuda|cpp|c\+\+)(?:,[ \t]*|[ \t]*$)", re.MULTILINE | re.IGNORECASE)
"""A model that begins a block by its language's name sometimes goes on so, before each definition or on lines of its own."""
_TWICE = re.compile(r'\bextern "C" (?:void )?(?=extern "C" )')

_COMMA = re.compile(r'^extern "C",[ \t]*', re.MULTILINE)


def without_language_words(text: str) -> str:
    """The reply without the language's name before its definitions, and with `extern "C"` once and no comma behind it."""
    return _COMMA.sub('extern "C" ', _TWICE.sub("", _LANGUAGE.sub("", text)))
