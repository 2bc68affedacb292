"""Plug-ins: what a package of Mekane holds, a file each, and what installed packages add to it by entry points.

    [project.entry-points."mekane.joints"]          in the pyproject.toml of the other package:
    collar = "my_package.collar"                    a name, and the module that defines what is called so

Entry points are looked for when something is requested that Mekane itself does not have, or when all there is is
listed; so they cost nothing at the start. What cannot be loaded is left out, with a warning. Only installed packages
have entry points: nothing that stands in a model file is ever imported or run.
"""

import warnings
from collections.abc import Iterator, MutableMapping
from functools import cache
from importlib import import_module
from pathlib import PurePath
from pkgutil import iter_modules

from mekane.errors import FileError, ModelError, PluginWarning, did_you_mean


@cache
def entry_points(group: str) -> dict:
    """Entry points of the group "mekane.<group>", by name. Of two that share a name the first counts, by package."""
    from importlib import metadata

    found = {}
    for entry in sorted(metadata.entry_points(group=f"mekane.{group}"), key=lambda entry: (entry.name, owner(entry))):
        other = found.setdefault(entry.name, entry)
        if owner(other) != owner(entry):
            warn(entry, f"package {owner(other)!r} has one of that name")
    return found


@cache
def added(group: str, name: str):
    """What the entry point of this name gives, a module; None if there is none, or it cannot be loaded."""
    entry = entry_points(group).get(name)
    if entry is None:
        return None
    try:
        return entry.load()
    except (Exception, SystemExit) as error:  # another package may fail in every way
        warn(entry, f"{type(error).__name__}: {error}")
        return None


@cache
def files_in(path: tuple, packages: bool = True) -> list[str]:
    """Names of the modules in these folders, packages among them or not; those that begin with _ are for the others."""
    found = [module for module in iter_modules(path) if packages or not module.ispkg]
    return sorted(module.name for module in found if not module.name.startswith("_"))


def import_files(package: str, path) -> None:
    """Import every module of a package, so that what they define registers itself."""
    for name in files_in(tuple(path)):
        import_module(f"{package}.{name}")


def owner(entry) -> str:
    """The package that an entry point belongs to."""
    return entry.dist.name if entry.dist is not None else entry.value.partition(".")[0]


def warn(entry, why: str) -> None:
    text = f"package {owner(entry)!r}: its entry point {entry.name!r} in the group {entry.group!r} is left out; {why}"
    warnings.warn(text, PluginWarning, stacklevel=3)


class Plugins:
    """The plug-ins of a package: its files by name, those of `others` and of names that begin with _ left out, and the
    entry points of the group. Each is a module that defines what `needs` names."""

    def __init__(self, group: str, package: str, path, what: str, needs=(), others=()):
        self.group, self.package, self.path, self.what, self.needs = group, package, path, what, needs
        self.others = others

    @property
    def own(self) -> list[str]:
        """Names of the files."""
        return [name for name in files_in(tuple(self.path)) if name not in self.others]

    def names(self) -> list[str]:
        """All names, those of installed packages last. Nothing is imported."""
        return [*self.own, *(name for name in entry_points(self.group) if name not in self.own)]

    def get(self, name: str):
        """The module of this name, or None."""
        if not isinstance(name, str):
            return None
        return import_module(f"{self.package}.{name}") if name in self.own else self.installed(name)

    def installed(self, name: str):
        """The module that an installed package adds, if it defines what it has to."""
        module = added(self.group, name)
        missing = [name for name in self.needs if module is not None and not hasattr(module, name)]
        if missing:
            warn(entry_points(self.group)[name], f"it does not define {', '.join(missing)}")
        return None if missing else module

    def find(self, name: str, more=()):
        """The module of this name, or an error that tells what there is. more: names that the caller knows itself."""
        module = self.get(name)
        if module is None:
            options = [*more, *self.names()]
            hint = did_you_mean(str(name), options).strip()
            raise ModelError(self.what, f"it is {name!r}", f"there are {', '.join(options)}", hint)
        return module

    def modules(self, installed: bool = True) -> dict:
        """All of them by name, or Mekane's own. An installed one does not replace one of Mekane's."""
        for name in set(self.own) & set(entry_points(self.group)) if installed else ():
            refuse_clash(self.group, name)
        names = self.names() if installed else self.own
        return {name: module for name in names if (module := self.get(name)) is not None}


@cache
def refuse_clash(group: str, name: str) -> None:
    warn(entry_points(group)[name], "Mekane has one of that name; rename it")


class FileFormats(Plugins):
    """Plug-ins that read or write files: each names its `suffixes`, and the first of Mekane's that names one has it."""

    def __init__(self, *args, default: str, **keywords):
        super().__init__(*args, **keywords)
        self.default = default  # for names without a suffix

    def by_suffix(self, function: str | None = None, installed: bool = True) -> dict:
        """Modules by the suffix of their files, the default first; only those that define `function`."""
        found = {}
        for name, module in sorted(self.modules(installed).items(), key=lambda item: item[0] != self.default):
            for suffix in module.suffixes if function is None or hasattr(module, function) else ():
                if found.setdefault(suffix, module) is not module:
                    refuse_suffix(self.group, name, suffix)
        return found

    def for_file(self, path, function: str | None = None, what: str = ""):
        """The module for a file of this name; an error tells which there are."""
        suffix = PurePath(path).suffix.lower()
        usual = self.get(self.default)  # which has its suffixes, whatever the others name
        if not suffix or (suffix in usual.suffixes and (function is None or hasattr(usual, function))):
            return usual
        known = self.by_suffix(function, installed=False)
        known = known if suffix in known else self.by_suffix(function)
        if suffix not in known:
            expected = f"{what or self.what} {' or '.join(known)}"
            raise FileError(f"file {str(path)!r}", f"its name ends in {suffix!r}", expected, "Give another name.")
        return known[suffix]


@cache
def refuse_suffix(group: str, name: str, suffix: str) -> None:
    if name in entry_points(group):
        warn(entry_points(group)[name], f"another one reads or writes {suffix} files already")


class Kinds(MutableMapping):
    """Classes of joints, forces, … by their kind. A file is called as the kind that it defines, so that kinds are known
    without being imported; that is done when one is first requested."""

    def __init__(self):
        self.files: dict[str, str] = {}  # kind: the module that defines it
        self.classes: dict[str, type] = {}

    def scan(self, package: str, path) -> list[str]:
        """The kinds of a package, a file each."""
        self.files = {kind: f"{package}.{kind}" for kind in files_in(tuple(path), packages=False)}
        return list(self.files)

    def __getitem__(self, kind: str) -> type:
        if kind not in self.classes and kind in self.files:
            import_module(self.files[kind])
            if kind not in self.classes:
                raise TypeError(
                    f"module {self.files[kind]} does not define the kind {kind!r}: name the file by its kind"
                )
        return self.classes[kind]

    def __setitem__(self, kind: str, cls: type) -> None:
        self.classes[kind] = cls

    def __delitem__(self, kind: str) -> None:
        del self.classes[kind]

    def __contains__(self, kind) -> bool:
        return kind in self.files or kind in self.classes

    def __iter__(self) -> Iterator[str]:
        return iter({**self.files, **self.classes})

    def __len__(self) -> int:
        return len({**self.files, **self.classes})


KINDS = ("joints", "constraints", "contacts", "forces")


def kind_names(groups=KINDS) -> list[str]:
    """Kinds that installed packages add. Nothing is imported."""
    return [name for group in groups for name in entry_points(group)]


def add_installed_kind(kind: str, groups=KINDS) -> bool:
    """Import the kind of this name that an installed package adds, whose class then becomes a kind; False if there is
    none."""
    found = [added(group, kind) for group in groups if kind in entry_points(group)]
    return any(module is not None for module in found)


def refuse_taken_kinds(package_of) -> None:
    """Warn of kinds whose names are taken. package_of(name): the package that has the name already, or None."""
    for group in KINDS:
        for name, entry in entry_points(group).items():
            if package_of(name) not in (None, entry.module.partition(".")[0]):
                refuse_clash(group, name)
