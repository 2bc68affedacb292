"""The API reference, written from what is there at run time: signatures, docstrings, registries.

System gets most of its methods when kinds are registered (System.pin, System.spring, …), so a reader of sources would
miss them. pages() gives the Markdown of each page; make_site.py puts them into the site.
"""

import inspect
import pkgutil
import re
from importlib import import_module

import mekane as mk
from mekane.model.constraint import constraint_kinds
from mekane.model.force import force_kinds
from mekane.model.joint import joint_kinds
from mekane.model.set_valued import contact_kinds
from mekane.results.printing import Printed
from mekane.results.result import Result

LONGEST_DEFAULT = 40  # letters of a default value
ARGUMENT = re.compile(r"^(\*{0,2}[a-z_]\w*(?:, \*{0,2}[a-z_]\w*)*): ")  # "rtol, atol: tolerances …"
SECTION = re.compile(r"^[A-Z]\w+:$")  # "Parameters:", and indented lines below it
COLUMNS = re.compile(r"\S {4,}\S")  # aligned by hand
SPECIAL = re.compile(r"([\\*_\[\]<>$#|~])")
EXCEPTIONS = ("MekaneError", "ModelError", "ExpressionError", "UnitError", "SimulationError", "FileError")


def pages() -> dict[str, str]:
    """Name of a page: its text."""
    kinds = {*joint_kinds, *force_kinds, *constraint_kinds, *contact_kinds}
    return {
        "system": page("System", "What a model is made of, besides its joints, constraints, contact laws and forces.", [the_system(kinds)]),
        "joints": page("Joints", "Methods of a System; each returns the joint. Any of them may close a loop.", methods(joint_kinds)),
        "constraints": page("Constraints", "Methods of a System; each returns the constraint.", methods(constraint_kinds)),
        "contacts": page("Contact laws", "Methods of a System; each returns the law.", methods(contact_kinds)),
        "forces": page("Forces", "Methods of a System; each returns the force.", methods(force_kinds)),
        "analyses": page("Analyses", "Functions of a System: `mk.simulate(s, 2.0)`.", functions()),
        "results": page("Results", "What analyses return.", [described("class", owner) for owner in result_classes()]),
        "values": page("Shapes and values", "What is given to bodies and forces.", values()),
        "errors": page("Errors", "What Mekane raises on purpose.", errors()),
        "commands": commands(),
    }  # fmt: skip


def page(title, intro, entries):
    return f"# {title}\n\n{intro}\n\n" + "\n".join(entries)


# ---------------------------------------------------------------- what is on the pages


def the_system(kinds):
    names = [name for name in public(mk.System) if name not in kinds]
    return described("class", mk.System, names)


def methods(kinds):
    return [entry("method", f"System.{kind}", getattr(mk.System, kind)) for kind in sorted(kinds)]


def functions():
    """Public functions, in the order of mekane.__all__."""
    names = [
        name for name in mk.__all__ if inspect.isroutine(getattr(mk, name)) and name[0].islower() and name != "select"
    ]
    return [entry("function", f"mekane.{name}", getattr(mk, name)) for name in names]


def values():
    """What begins with a capital letter and is no model and no error, and select."""
    names = [name for name in mk.__all__ if name[0].isupper() and name not in (*EXCEPTIONS, "System")]
    return [entry("class", f"mekane.{name}", getattr(mk, name)) for name in names] + [
        entry("function", "mekane.select", mk.select)
    ]


def errors():
    return [entry("exception", f"mekane.{name}", getattr(mk, name), arguments=False) for name in EXCEPTIONS]


def result_classes():
    """Result, and every class that prints itself as the answer of an analysis."""
    for package in ("mekane.analyses", "mekane.symbolic", "mekane.results"):
        for module in pkgutil.walk_packages(import_module(package).__path__, f"{package}."):
            import_module(module.name)
    found = {cls.__name__: cls for cls in descendants(Printed) if not cls.__name__.startswith("_")}
    return [Result, *(found[name] for name in sorted(found))]


def descendants(cls):
    return [each for sub in cls.__subclasses__() for each in (sub, *descendants(sub))]


def commands():
    """Every command with its --help."""
    from typer.main import get_command
    from typer.testing import CliRunner

    from mekane.cli.main import app

    names = list(get_command(app).commands)
    texts = [(name, CliRunner().invoke(app, [name, "--help"], env={"COLUMNS": "100"}).output) for name in names]
    entries = [f"## mekane {name}\n\n```text\n{text.strip()}\n```\n" for name, text in texts]
    return page("Commands", "Every command, as `--help` tells it.", entries)


# ---------------------------------------------------------------- one entry


def described(kind, cls, names=None):
    """A class with its public members."""
    members = "".join(member(cls, name) for name in (public(cls) if names is None else names))
    return entry(kind, cls.__name__ if cls is not mk.System else "mekane.System", cls, members)


def member(cls, name):
    value = inspect.getattr_static(cls, name)
    if callable(getattr(cls, name)) and not isinstance(value, property):
        return entry("method", name, getattr(cls, name), fence="::::")
    return entry("attribute", name, getattr(value, "fget", None) or value, fence="::::", arguments=False)


def public(cls):
    """Names of the members that Mekane defines, in alphabetical order."""
    ours = [name for owner in cls.__mro__ if owner.__module__.startswith("mekane") for name in vars(owner)]
    return sorted(name for name in {*ours} if not name.startswith("_") and documented(cls, name))


def documented(cls, name):
    getattr(cls, name)  # loads what is loaded when it is first used
    value = inspect.getattr_static(cls, name)
    return bool(inspect.getdoc(getattr(value, "fget", None) or value)) and not isinstance(
        value, (dict, frozenset, tuple)
    )


def entry(kind, name, value, members="", fence=":::::", arguments=True):
    heading = name + (signature(value) if arguments else "")
    return f"{fence}{{py:{kind}}} {heading}\n\n{text_of(inspect.getdoc(value) or '')}\n\n{members}{fence}\n\n"


def signature(value):
    try:
        parameters = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return ""
    shown = [short(parameter) for parameter in parameters if parameter.name != "self"]
    return str(inspect.Signature(shown))


def short(parameter):
    """Without annotation, and with a default that fits on a line."""
    default = parameter.default
    if default is not parameter.empty and len(repr(default)) > LONGEST_DEFAULT:
        parameter = parameter.replace(default=Ellipsis)
    return parameter.replace(annotation=parameter.empty)


# ---------------------------------------------------------------- docstrings as Markdown


def text_of(docstring):
    return "\n\n".join(block(part) for part in re.split(r"\n\s*\n", docstring) if part.strip())


def block(part):
    """A paragraph; code as code; lines that explain arguments as a list."""
    lines = part.splitlines()
    if SECTION.match(lines[0]) and lines[1:]:
        return f"**{lines[0][:-1]}**\n\n{section(lines[0][:-1], inspect.cleandoc(chr(10).join(lines[1:])))}"
    if lines[0].lstrip().startswith(">>>") or all(line.startswith("    ") for line in lines):
        return code(inspect.cleandoc(part))
    if any(COLUMNS.search(line) for line in lines) and not ARGUMENT.match(lines[0]):
        return f"```text\n{part}\n```"
    if not any(ARGUMENT.match(line) for line in lines):
        return escaped(" ".join(line.strip() for line in lines))
    return "\n".join(items(lines))


def section(title, text):
    return code(text) if title.startswith("Example") else block(text)


def code(text):
    """Coloured if it is Python."""
    try:
        compile(text.replace(">>> ", ""), "docstring", "exec")
    except SyntaxError:
        return f"```text\n{text}\n```"
    return f"```python\n{text}\n```"


def items(lines):
    """Lines of a list, one for each argument; what follows on the next lines belongs to it."""
    found = []
    for line in lines:
        head = ARGUMENT.match(line)
        if head:
            names = ", ".join(f"`{name}`" for name in head[1].split(", "))
            found.append(f"- {names}: {escaped(line[head.end() :].strip())}")
        else:
            found.append(("  " if found else "") + escaped(line.strip()))
    return found if found[0].startswith("- ") else [found[0], "", *found[1:]]


def escaped(text):
    """Letters that mean something to Markdown, outside of `code`."""
    pieces = re.split(r"(`[^`]*`)", text)
    return "".join(piece if k % 2 else SPECIAL.sub(r"\\\1", piece) for k, piece in enumerate(pieces))
