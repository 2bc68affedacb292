"""Languages that equations are exported in: a file here is one, its `language` defines how the code is written."""

from importlib import import_module
from pathlib import PurePath
from pkgutil import iter_modules

from mekane.errors import ModelError, did_you_mean

NAMES = sorted(module.name for module in iter_modules(__path__) if not module.name.startswith("_"))


def find(name):
    """The language called `name`."""
    if name not in NAMES:
        raise ModelError(
            "language", f"it is {name!r}", f"there are {', '.join(NAMES)}", did_you_mean(str(name), NAMES).strip()
        )
    return import_module(f"{__name__}.{name}").language


def of_file(path):
    """The language that files named like this one are written in."""
    suffix = PurePath(path).suffix
    known = {language.suffix: language for language in map(find, reversed(NAMES)) if language.goes_by_suffix}
    if suffix not in known:
        expected = f"files end in {', '.join(sorted(known))}"
        remedy = f'Give language="…", one of {", ".join(NAMES)}.'
        raise ModelError(f"file {str(path)!r}", f"no language goes by {suffix!r}", expected, remedy)
    return known[suffix]
