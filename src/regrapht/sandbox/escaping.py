"""Making text that a hostile program printed safe to keep and to show."""

import re

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]")


def escape(raw: bytes, *, limit_bytes: int | None = None) -> str:
    r"""`raw` as text: invalid UTF-8 and control characters other than newline and tab become `\xNN`, the rest stays.

    With `limit_bytes` only the first that many bytes are kept, and the text says that more was dropped.
    """
    dropped = 0
    if limit_bytes is not None and len(raw) > limit_bytes:
        raw, dropped = raw[:limit_bytes], len(raw) - limit_bytes
    text = raw.replace(b"\r\n", b"\n").decode("utf-8", errors="backslashreplace")
    text = _CONTROL.sub(lambda match: f"\\x{ord(match.group()):02x}", text)
    return f"{text}\n[{dropped} more bytes]" if dropped else text
