"""Members of class templates: which instances of them a file uses, and one of them as the compiler makes it of the text."""

import re
from collections.abc import Iterator

from regrapht.tasks.project.clang_unit import ClangUnit, Cursor

PROBE = "regrapht_probe"
_TEMPLATES = ("CLASS_TEMPLATE", "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION")
_CLASSES = ("CLASS_DECL", "STRUCT_DECL", *_TEMPLATES)
_NAMES = ("CALL_EXPR", "DECL_REF_EXPR", "MEMBER_REF_EXPR")
_ANONYMOUS = re.compile(r"\(anonymous namespace\)::")
_INTEGERS = ("short", "long", "long long")


def is_of_template(function: Cursor) -> bool:
    """Whether it is a method of a class template, or of a class inside of one, which means something in an instance only."""
    outer = function.semantic_parent if function.kind.name == "CXX_METHOD" else None
    while outer is not None and outer.kind.name in _CLASSES:
        if outer.kind.name in _TEMPLATES:
            return True
        outer = outer.semantic_parent
    return False


def class_of(method: Cursor) -> str:
    """The class of a method of an instance, as any place of its file can name it."""
    return _ANONYMOUS.sub("", str(method.semantic_parent.type.get_canonical().spelling))


def instances_of(unit: ClangUnit, method: Cursor) -> dict[str, Cursor]:
    """Class -> the method as it is made for that class, for each instance that the file uses or asks for."""
    if not unit.made:
        unit.made[""] = []  # asked
        for meant in _made(unit):
            if (body := meant.get_definition()) is not None:
                unit.made.setdefault(_pattern(meant).get_usr(), []).append(body)
    bodies = unit.made.get(method.get_usr(), [])
    return {class_of(one): one for one in sorted(bodies, key=class_of)}


def arguments_of(method: Cursor) -> tuple[str, ...]:
    """What the parameters of the class template are in an instance, those too that have a default."""
    owner = method.semantic_parent
    texts = []
    for number in range(max(owner.get_num_template_arguments(), 0)):
        if owner.get_template_argument_kind(number).name == "TYPE":
            texts.append(str(owner.type.get_template_argument_type(number).get_canonical().spelling))
        elif owner.get_template_argument_kind(number).name == "INTEGRAL":
            texts.append(str(owner.get_template_argument_value(number)))
    return tuple(_ANONYMOUS.sub("", one) for one in texts)


def _made(unit: ClangUnit) -> Iterator[Cursor]:
    """The methods of instances that are called or named, also by such methods, and those of instances that the file asks for."""
    left: list[Cursor] = [one for one in unit.own_children(unit.root) if not one.kind.is_preprocessing()]
    seen: set[str] = set()
    while left:
        for node in left.pop().walk_preorder():
            for meant in _meant(node):
                if meant.specialized_template is None or not unit.is_own(meant) or meant.get_usr() in seen:
                    continue
                seen.add(meant.get_usr())
                if meant.kind.name == "CXX_METHOD":
                    yield meant
                if (body := meant.get_definition()) is not None:
                    left.append(body)


def _meant(node: Cursor) -> list[Cursor]:
    """The functions that a node refers to: that of a name, all of `template class NAME<double>;`, which are children of its type alone."""
    if node.kind.name in ("CLASS_DECL", "STRUCT_DECL") and node.specialized_template is not None:
        return [one for one in node.type.get_methods() if one.kind.name == "CXX_METHOD"]
    meant = node.referenced if node.kind.name in _NAMES else None
    return [meant] if meant is not None and meant.kind.name in ("CXX_METHOD", "FUNCTION_DECL") else []


def _pattern(meant: Cursor) -> Cursor:
    while (template := meant.specialized_template) is not None:
        meant = template
    return meant


def probe(method: Cursor) -> str:
    """A line behind a file that has the compiler make a method, which may be private, of its template."""
    returned, whole = (str(one.get_canonical().spelling) for one in (method.result_type, method.type))
    behind = whole.removeprefix(returned).strip()
    of = "" if method.is_static_method() else f"{class_of(method)}::"
    kind = _ANONYMOUS.sub("", f"{returned} ({of}*){behind}")
    return f"auto {PROBE} = static_cast<{kind}>(&{class_of(method)}::{method.spelling});\n"


def probed(root: Cursor) -> Cursor | None:
    """The method that `probe` had made."""
    for top in root.get_children():
        if top.kind.name == "VAR_DECL" and top.spelling == PROBE:
            for node in top.walk_preorder():
                if node.kind.name == "DECL_REF_EXPR" and node.referenced.kind.name == "CXX_METHOD":
                    return node.referenced.get_definition()
    return None


def plain_type(text: str) -> str:
    """A type or a number as one spelling: compilers write spaces and integers in ways of their own."""
    text = _ANONYMOUS.sub("", text.replace("{anonymous}::", "").replace("`anonymous namespace'::", ""))
    text = re.sub(r"\b(?:(?:unsigned|signed|long|short|int|char)\b\s*){2,}", _integer, text)
    text = re.sub(r"\b(\d+)[uUlL]+\b", r"\1", text)
    return re.sub(r"\s+(?!\w)|(?<!\w)\s+", "", text.strip())


def _integer(found: "re.Match[str]") -> str:
    words = found.group().split()
    sign = "unsigned " if "unsigned" in words else "signed " if "char" in words else ""
    size = "char" if "char" in words else next((one for one in reversed(_INTEGERS) if _has(words, one)), "int")
    behind = " " if found.group()[-1].isspace() else ""
    return f"{sign}{size}{behind}"


def _has(words: list[str], size: str) -> bool:
    return all(words.count(one) >= size.split().count(one) for one in size.split())
