"""What is listed in C++, cut at its commas."""

_PAIRS = {"(": ")", "[": "]", "{": "}", "<": ">"}


def parts_of(listed: str, *, brackets: str = "([{") -> list[str]:
    """What stands between the commas outside of brackets, without the blanks around it; one empty part of an empty text.

    Args:
        brackets: What opens one. `<` is among them only where no comparison can be meant.
    """
    closing = {_PAIRS[one] for one in brackets}
    parts, depth = [""], 0
    for character in listed:
        depth += (character in brackets) - (character in closing)
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts]
