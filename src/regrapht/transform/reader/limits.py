"""The standard library's names for the ends of types: macros such as `INT64_MAX`, and `std::numeric_limits`."""

from regrapht.transform.ir.expressions import Expression, Number, Unary

_ENDS = {
    "float": {
        "max": "FLT_MAX",
        "min": "FLT_MIN",
        "lowest": "-FLT_MAX",
        "epsilon": "FLT_EPSILON",
        "infinity": "INFINITY",
    },
    "double": {
        "max": "DBL_MAX",
        "min": "DBL_MIN",
        "lowest": "-DBL_MAX",
        "epsilon": "DBL_EPSILON",
        "infinity": "INFINITY",
    },
    "char": {"max": "127", "min": "-128", "lowest": "-128"},
    "signed char": {"max": "127", "min": "-128", "lowest": "-128"},
    "unsigned char": {"max": "255", "min": "0", "lowest": "0"},
    "short": {"max": "32767", "min": "-32768", "lowest": "-32768"},
    "unsigned short": {"max": "65535", "min": "0", "lowest": "0"},
    "int": {"max": "INT_MAX", "min": "INT_MIN", "lowest": "INT_MIN"},
    "unsigned int": {"max": "UINT_MAX", "min": "0u", "lowest": "0u"},
    "long long": {"max": "LLONG_MAX", "min": "LLONG_MIN", "lowest": "LLONG_MIN"},
    "unsigned long long": {"max": "ULLONG_MAX", "min": "0ull", "lowest": "0ull"},
}
_MACROS = {
    **{name: name for name in ("INFINITY", "NAN", "M_PI")},
    **{f"{kind}_{end}": f"{kind}_{end}" for kind in ("FLT", "DBL") for end in ("MAX", "MIN", "EPSILON")},
    **{
        f"{name}_{end.upper()}": _ENDS[kind][end]
        for kind, names in (
            ("signed char", ("SCHAR", "INT8")),
            ("unsigned char", ("UCHAR", "UINT8")),
            ("short", ("SHRT", "INT16")),
            ("unsigned short", ("USHRT", "UINT16")),
            ("int", ("INT", "INT32")),
            ("unsigned int", ("UINT", "UINT32")),
            ("long long", ("LLONG", "LONG", "INT64")),
            ("unsigned long long", ("ULLONG", "ULONG", "UINT64", "SIZE")),
        )
        for name in names
        for end in (("max",) if "unsigned" in kind else ("max", "min"))
    },
    "CHAR_BIT": "8",
}


def macro(name: str) -> Expression | None:
    """What a macro of <climits>, <cfloat>, <cstdint> or <cmath> stands for; None for another name."""
    return _expression(_MACROS[name]) if name in _MACROS else None


def limit(type_name: str, what: str) -> Expression | None:
    """`std::numeric_limits<type_name>::what()`; None where that is not known."""
    text = _ENDS.get(type_name, {}).get(what)
    return None if text is None else _expression(text)


def _expression(text: str) -> Expression:
    return Unary("-", Number(text[1:])) if text.startswith("-") else Number(text)
