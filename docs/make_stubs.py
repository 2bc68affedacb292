"""Writes the stubs from which editors and type checkers read what only exists when Mekane runs: python docs/make_stubs.py

System gets a method for every kind of joint, force and constraint, and some of its methods, of Result's and of the
package's functions are loaded when they are first used. The stubs hold their real signatures and help. A test compares
them with the code.
"""

import ast
import builtins
import re
import subprocess
import sys
from functools import cached_property
from importlib import import_module
from inspect import Parameter, Signature, cleandoc, signature
from pathlib import Path
from textwrap import indent

import mekane
from mekane.model.interface.kind_help import default_text
from mekane.model.system import System
from mekane.results.result import Result

ROOT = Path(mekane.__file__).parent
HEAD = "# Written by docs/make_stubs.py: change the code, then run `make stubs`.\n"
ADD_KIND = """COLLECTIONS: dict[str, str]

def add_kind(kind: str, record_class: type, collection: str, call: Any = None) -> None: ...
"""
SPECIAL = ("__init__", "__getitem__", "__contains__", "__eq__", "__copy__", "_repr_html_")


def stubs() -> dict[Path, str]:
    """The text of every stub, by its file."""
    texts = {
        ROOT / "__init__.pyi": package_stub(),
        ROOT / "model" / "system.pyi": class_stub(System, ADD_KIND),
        ROOT / "results" / "result.pyi": class_stub(Result),
    }
    return {file: formatted(text, file) for file, text in texts.items()}


# ---------------------------------------------------------------- the package


def package_stub() -> str:
    """Everything public, from where it is written."""
    lines = [f"from {module} import {name} as {public}" for public, (module, name) in sources().items()]
    names = ", ".join(f'"{name}"' for name in mekane.__all__)
    return "\n".join([HEAD, *lines, "", f"__all__ = [{names},]", "__version__: str", ""])


def sources() -> dict[str, tuple[str, str]]:
    """Public name → (module, name there)."""
    eager = imports_of(mekane)
    lazy = {name: (at.partition(":")[0], at.partition(":")[2] or name) for name, at in mekane._LAZY.items()}
    return {name: lazy.get(name) or eager[name] for name in mekane.__all__}


# ---------------------------------------------------------------- a class


def class_stub(cls: type, more: str = "") -> str:
    """A class with its attributes, properties and methods, those that are made or loaded later included."""
    members = [member for name in vars(cls) if (member := stub_of(cls, name))]
    body = "\n".join([*attributes(cls), *members])
    text = f"class {cls.__name__}:\n{quoted(cls)}\n{indent(body, '    ')}\n\n{more}\n"
    return f"{HEAD}\n{needed_imports(cls, text)}\n\n{text}"


def attributes(cls: type) -> list[str]:
    """What __init__ gives every object, as it is annotated there."""
    tree = ast.parse(source_of(cls.__module__))
    found = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Attribute) and node.target.value.id == "self"
    ]
    return [f"{node.target.attr}: {ast.unparse(node.annotation)}" for node in found if node.target.attr[0] != "_"]


def stub_of(cls: type, name: str) -> str:
    if name.startswith("_") and name not in SPECIAL:
        return ""
    getattr(cls, name)  # loads what is loaded later
    member = vars(cls)[name]
    if isinstance(member, property):
        setter = f"\n@{name}.setter\ndef {name}(self, value: {setter_type(member)}) -> None: ..." if member.fset else ""
        return f"@property\n{function_stub(name, member.fget)}{setter}"
    if isinstance(member, cached_property):
        return f"@property\n{function_stub(name, member.func)}"
    return function_stub(name, member) if callable(member) else ""


def setter_type(member: property) -> str:
    return list(signature(member.fset).parameters.values())[1].annotation


def function_stub(name: str, function) -> str:
    call = kind_call(function) if hasattr(function, "record_class") else signature(function)
    first, *others = call.parameters.values()
    parameters = [first.replace(name="self", annotation=Parameter.empty), *others]
    text = written(parameters)
    returns = "None" if name == "__init__" else call.return_annotation
    arrow = "" if returns is Signature.empty else f" -> {annotation(returns)}"
    return f"def {name}({text}){arrow}:\n{quoted(function)}    ..."


def kind_call(method) -> Signature:
    """How the method of a kind is called, with types."""
    parameters = [Parameter("self", Parameter.POSITIONAL_OR_KEYWORD)]
    for argument in method.record_class.arguments():
        optional = " | None" if argument.default is None and "None" not in argument.type else ""
        parameters.append(argument.parameter.replace(annotation=argument.type + optional))
    return Signature(parameters, return_annotation=method.record_class.__name__)


def written(parameters: list[Parameter]) -> str:
    """Parameters as they stand in a definition."""
    texts, starred = [], False
    for p in parameters:
        if p.kind is p.KEYWORD_ONLY and not starred:
            texts.append("*")
        starred = starred or p.kind in (p.KEYWORD_ONLY, p.VAR_POSITIONAL)
        mark = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
        kind = "" if p.annotation is p.empty else f": {annotation(p.annotation)}"
        default = "" if p.default is p.empty else f" = {default_text(p.default)}"
        texts.append(f"{mark}{p.name}{kind}{default}")
    return ", ".join(texts)


def annotation(given) -> str:
    return given if isinstance(given, str) else given.__name__ if isinstance(given, type) else str(given)


def quoted(of) -> str:
    """A docstring, indented."""
    text = cleandoc(of.__doc__ or "")
    return indent(f'"""{text}\n"""' if text and "\n" in text else f'"""{text}"""', "    ") + "\n" if text else ""


# ---------------------------------------------------------------- imports


def needed_imports(cls: type, text: str) -> str:
    """Import statements for every name in the annotations of a stub."""
    known = {}
    for module in modules_of(cls):
        known |= imports_of(module)
    known |= {name: ("mekane.model.types", name) for name in public_names("mekane.model.types")}
    known |= {name: ("typing", name) for name in ("Any", "Literal")}
    known |= {name: ("collections.abc", name) for name in ("Sequence", "Mapping", "Callable", "Iterable")}
    known |= {record.__name__: (record.__module__, record.__name__) for record in records(cls)}
    names = {name for name in annotation_names(text) if name != cls.__name__ and not hasattr(builtins, name)}
    return "\n".join(f"from {known[name][0]} import {imported(known[name][1], name)}" for name in sorted(names))


def imported(there: str, here: str) -> str:
    return there if there == here else f"{there} as {here}"


def annotation_names(text: str) -> set[str]:
    """Names that annotations of a stub use."""
    found = set()
    for node in ast.walk(ast.parse(text)):
        given = getattr(node, "annotation", None), getattr(node, "returns", None)
        found |= {x.id for one in given if one is not None for x in ast.walk(one) if isinstance(x, ast.Name)}
    return found


def modules_of(cls: type) -> list:
    """Modules in which its methods are written."""
    functions = [getattr(member, "fget", getattr(member, "func", member)) for member in vars(cls).values()]
    names = {getattr(function, "__module__", None) for function in functions} | {cls.__module__}
    return [import_module(name) for name in sorted(filter(None, names)) if name.startswith("mekane")]


def records(cls: type) -> list[type]:
    return [member.record_class for member in vars(cls).values() if hasattr(member, "record_class")]


def public_names(module: str) -> list[str]:
    return [name for name in vars(import_module(module)) if re.fullmatch(r"[A-Z]\w*Like", name)]


def imports_of(module) -> dict[str, tuple[str, str]]:
    """Name → (module, name there), of all that a module imports, also for type checkers alone, or defines."""
    tree, found = ast.parse(source_of(module.__name__)), {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            found |= {alias.asname or alias.name: (node.module, alias.name) for alias in node.names}
        if isinstance(node, ast.ClassDef):
            found[node.name] = (module.__name__, node.name)
    return found


def source_of(module: str) -> str:
    return Path(import_module(module).__file__).read_text(encoding="utf-8")


def formatted(text: str, file: Path) -> str:
    """As the formatter of the project writes it."""
    ruff = [sys.executable, "-m", "ruff"]
    config = ["--config", str(ROOT.parent / "pyproject.toml"), "--stdin-filename", str(file), "-"]
    for command in (["check", "--select", "I", "--fix", "--quiet"], ["format", "--quiet"]):
        text = subprocess.run([*ruff, *command, *config], input=text, capture_output=True, text=True, check=True).stdout
    return text


if __name__ == "__main__":
    for file, text in stubs().items():
        file.write_text(text, encoding="utf-8")
        print(file.relative_to(ROOT.parent))
