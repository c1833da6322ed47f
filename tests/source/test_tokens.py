"""The lexer's tokens, one kind at a time."""

from regrapht.source.tokens import TokenKind, tokens


def spelled(text):
    return [(token.kind, token.text) for token in tokens(text)]


def test_kinds():
    assert spelled("int a1 = 0x1Fu + 1.5e-3f; // end") == [
        (TokenKind.NAME, "int"),
        (TokenKind.NAME, "a1"),
        (TokenKind.PUNCTUATION, "="),
        (TokenKind.NUMBER, "0x1Fu"),
        (TokenKind.PUNCTUATION, "+"),
        (TokenKind.NUMBER, "1.5e-3f"),
        (TokenKind.PUNCTUATION, ";"),
    ]


def test_literals_keep_what_looks_like_a_comment():
    assert spelled(r'"a // \" b" R"x(/* )" */)x"') == [
        (TokenKind.STRING, r'"a // \" b"'),
        (TokenKind.STRING, 'R"x(/* )" */)x"'),
    ]


def test_a_directive_keeps_its_end_and_its_blanks():
    kinds = [token.kind for token in tokens("#define F (x)\nint a;")]
    assert kinds[0] is TokenKind.DIRECTIVE
    assert kinds[kinds.index(TokenKind.DIRECTIVE_END) + 1] is TokenKind.NAME
    assert TokenKind.BLANK in kinds


def test_what_never_ends_is_one_stray_token():
    assert spelled("a /* b c")[-1] == (TokenKind.STRAY, "/* b c")
    assert [kind for kind, _ in spelled("'open\nb")] == [TokenKind.STRAY, TokenKind.NAME]


def test_lines_are_counted():
    assert [token.line for token in tokens("a\n/* x\n y */ b\nc")] == [1, 3, 4]
