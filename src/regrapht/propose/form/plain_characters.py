"""Characters that C++ does not use, as word processors, web pages and other keyboards write them, escapes of Markdown, colours of a
terminal.

No-break and ideographic spaces, typographic quotes, dashes for minus, full-width punctuation, invisible characters, `\\_`. Comments and
what proper strings say stay as they are.
"""

import re

from regrapht.source.tokens import pieces

_BLANKS = "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_INVISIBLE = "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
_PLAIN = str.maketrans(
    {
        **dict.fromkeys(_BLANKS, " "),
        **dict.fromkeys(_INVISIBLE, ""),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033", '"'),
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032", "'"),
        **dict.fromkeys(_DASHES, "-"),
        **{chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
        "\u00d7": "*",
        "\u2264": "<=",
        "\u2265": ">=",
        "\u2260": "!=",
    }
)
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_ESCAPED = re.compile(r"\\(?=[_*<>\[\](){}#&|~-])")


def with_plain_characters(code: str) -> str:
    """The code with the characters of C++ in the place of those that look like them."""
    code = _COLOUR.sub("", code)
    if code.isascii() and not _ESCAPED.search(code):
        return code
    done, run = [], ""
    for piece in pieces(code):
        if piece.startswith(("//", "/*")) or (len(piece) > 1 and piece[0] in "\"'" and piece[0] == piece[-1]):
            done += [_plain(run), piece]
            run = ""
        else:
            run += piece
    return "".join([*done, _plain(run)])


def _plain(code: str) -> str:
    return _ESCAPED.sub("", code.translate(_PLAIN))
