"""Languages that equations are exported in: a file here is one, its `language` defines how the code is written.
Installed packages add others by entry points (mekane.languages)."""

from pathlib import PurePath

from mekane.errors import ModelError
from mekane.plugins import Plugins

LANGUAGES = Plugins("languages", __name__, __path__, "language", needs=("language",))
NAMES = LANGUAGES.own  # Mekane's own


def find(name):
    """The language called `name`."""
    return LANGUAGES.find(name).language


def by_suffix(installed: bool = True) -> dict:
    """Languages by the suffix of their files, Mekane's own before others, or they alone."""
    found = [module.language for module in LANGUAGES.modules(installed).values()]
    return {language.suffix: language for language in reversed(found) if language.goes_by_suffix}


def of_file(path):
    """The language that files named like this one are written in."""
    suffix, known = PurePath(path).suffix, by_suffix(installed=False)
    known = known if suffix in known else by_suffix()
    if suffix not in known:
        expected = f"files end in {', '.join(sorted(known))}"
        remedy = f'Give language="…", one of {", ".join(LANGUAGES.names())}.'
        raise ModelError(f"file {str(path)!r}", f"no language goes by {suffix!r}", expected, remedy)
    return known[suffix]
