"""Model files in YAML: the same names as in Python.

    system: crank
    gravity: [0, 0, -9.81]
    parameters: {k: 100}
    bodies:
      crank: {mass: 1.2, inertia: [0.1, 0.1, 0.02], position: [0, 0, 1], orientation: {axis: z, angle: 30 deg}}
    include:
      left leg: {file: leg.yaml, to: crank, at: [0, 0.1, 0]}
    joints:
      main: {pin: [ground, crank], at: [0, 0, 0], axis: y, rate: 60 rpm}
    forces:
      return: {spring: [[ground, [0, 0, 0]], [crank, [0, 0, 1]]], stiffness: 4e3, length: 80 mm}
      drive: {motor: main, torque: 5*sin(3*t)}
    speeds:
      u1: 2*main.angle.rate
    events:
      end: {when: main.angle > 10, stop: true}
    assemble: {main.angle: 90 deg}
    simulate: {t_end: 2, every: 0.01}

A part's kind is a key, with what it joins or acts on; beside it stand the keywords of the Python method of that name.
Functions exist in Python only; a file has expressions instead. Reading a file never runs anything that is in it.
"""

from contextlib import contextmanager
from inspect import signature
from pathlib import Path
from typing import NamedTuple

import numpy as np
import yaml

import mekane.contacts
import mekane.forces
import mekane.joints  # noqa: F401  (with the line above: all kinds are known from here on)
from mekane.errors import ModelError, did_you_mean
from mekane.files import write
from mekane.importers._mesh_files import from_folder, relative_to, with_files
from mekane.importers._yaml_text import Loader, is_text, read_data, read_file
from mekane.model.constraint import constraint_kinds
from mekane.model.construction_log import PARTS
from mekane.model.construction_log import SECTIONS as SECTION_NAMES
from mekane.model.force import force_kinds
from mekane.model.interface.other_names import SECTIONS as OTHER_SECTIONS
from mekane.model.interface.other_names import kind_hint
from mekane.model.joint import joint_kinds
from mekane.model.named_part import named_parts
from mekane.model.set_valued import contact_kinds
from mekane.model.system import System
from mekane.model.values.units import positive, shown
from mekane.plugins import add_installed_kind, kind_names

SECTIONS = (
    "system",
    "gravity",
    "planar",
    "parameters",
    "ground",
    "inputs",
    "variables",
    "bodies",
    "include",
    "markers",
    "joints",
    "constraints",
    "contacts",
    "forces",
    "speeds",
    "outputs",
    "events",
    "controllers",
    "initial_conditions",
    "assemble",
    "simulate",
)
SIMULATE = {  # option → its dimension or its type
    "t_end": "time", "every": "time", "step": "time", "rtol": "number", "atol": "number",
    "method": str, "formulation": str, "correct": bool, "constraints": str, "independent": list, "code": str,
    "until": str, "impacts": str, "painleve": str,
}  # fmt: skip


suffixes = (".yaml", ".yml")
MOST_INCLUDED = 1000  # files, one in another
KINDS = {bool: "true or false", str: "text", list: "a list of names"}


def load(source) -> System:
    """The System in a YAML file; a text of several lines is taken as the YAML itself."""
    return load_document(source)[0]


class Origin(NamedTuple):
    """Where data come from: the file, after those that include it; and all files that were included so far."""

    files: tuple[Path, ...]
    included: list[Path]


def load_document(source, change=None, around: Origin | None = None) -> tuple[System, dict]:
    """The System, and the options for `simulate` that the file gives. change: makes another of the System before it is
    put together. around: the origin of the data that include this file."""
    given = is_text(source)
    name = "YAML text" if given else str(source)
    data = read_data(source if given else read_file(source), name)
    files, included = around or ((), [])
    origin = None if given else Origin((*files, Path(source).resolve()), included)
    return from_dict(data, name, change, origin), simulate_options(data, name)


def from_dict(data: dict, source: str = "model", change=None, origin: Origin | None = None) -> System:
    """The System that plain data describe, such as `System.to_dict()` gives, changed if requested, then assembled as
    they specify. origin: the file they come from, if there is one."""
    system = described(data, source, origin)
    if change is not None:
        system = change(system)
    pins = dict(section_of(data, "assemble", source))
    if not pins:
        return system
    from mekane.analyses.kinematics.assemble import assemble

    with located(source, "assemble"):
        return assemble(system, pins).system


def described(data: dict, source: str, origin: Origin | None = None) -> System:
    """The System as its parts are described."""
    _check_sections(data, source)
    place = str if origin is None else from_folder(origin.files[-1].parent)
    with located(source):
        system = System(data.get("system", "system"), planar=data.get("planar"))
    for name, value in section_of(data, "parameters", source):
        with located(source, "parameters", name):
            system.parameter(name, value)
    if data.get("gravity") is not None:
        with located(source):
            system.gravity = data["gravity"]
    if data.get("ground") is not None:
        with located(source, "ground"):
            check_keys(data["ground"], ("look",), "")
            system.ground_look = with_files(data["ground"].get("look"), place)
    _add_named(system, data, source, ("inputs", "variables"))
    for name, entry in section_of(data, "bodies", source):
        with located(source, "bodies", name):
            check_keys(entry, _keywords(system.body), "")
            system.body(name, **with_files(entry, place))
    for name, entry in section_of(data, "include", source):
        with located(source, "include", name):
            include(system, name, entry, origin)
    _add_named(system, data, source, ("markers",))
    for section, kinds in (
        ("joints", joint_kinds),
        ("constraints", constraint_kinds),
        ("contacts", contact_kinds),
        ("forces", force_kinds),
    ):
        for name, entry in section_of(data, section, source):
            with located(source, section, name):
                add_part(system, name, with_files(entry, place) if section == "contacts" else entry, kinds, section)
    own = dict(section_of(data, "speeds", source))
    if own:
        with located(source, "speeds"):
            system.generalized_speeds(own)
    _add_named(system, data, source, ("outputs", "events", "controllers"))
    begun = dict(section_of(data, "initial_conditions", source))
    if begun:
        with located(source):
            system.initial_conditions(begun)
    return system


def include(system: System, name: str, entry, origin: Origin | None) -> None:
    """Add the model of another file, {file: leg.yaml, to: torso, at: …}: one in the folder of this file, or below it. options:
    of its importer."""
    check_keys(entry, ("file", "options", *_keywords(system.add)[1:]), "")
    path, options = _included(entry.get("file"), origin), _importer_options(entry.get("options"))
    origin.included.append(path)
    if path.suffix in suffixes and not options:
        other = load_document(path, around=origin)[0]
    else:
        from mekane.importers import load_model

        other = load_model(path, **options)
    system.add(
        name, other, **{keyword: value for keyword, value in entry.items() if keyword not in ("file", "options")}
    )


def _importer_options(given) -> dict:
    if given is None:
        return {}
    if not isinstance(given, dict) or not all(isinstance(keyword, str) for keyword in given):
        raise ModelError(
            "", f"options are {shown(given)}", "keywords of its importer", "Write  options: {base: floating}."
        )
    if isinstance(given.get("loops"), str):
        raise ModelError(
            "", f"loops is {given['loops']!r}", "joints are expected here", "Write them in place of the file."
        )
    return given


def _included(file, origin: Origin | None) -> Path:
    """The file that is meant, if it is one that may be read from here."""
    if not isinstance(file, str) or not file:
        raise ModelError("", f"file is {shown(file)}", "the name of a model file is expected", "Write  file: leg.yaml.")
    if origin is None:
        raise ModelError("", f"file is {file!r}", "only a file can include others", "Save this model to a file first.")
    folder = origin.files[-1].parent
    path = (folder / file).resolve()
    if not path.is_relative_to(folder):
        raise ModelError("", f"file is {file!r}", "included files are in the folder of the model, or below it")
    if len(origin.included) >= MOST_INCLUDED:
        raise ModelError("", f"more than {MOST_INCLUDED} files are included", "a model has fewer parts")
    if path in origin.files:
        raise ModelError("", f"file is {file!r}, which includes this one", "files do not include themselves")
    return path


def simulate_options(data: dict, source: str = "model") -> dict:
    """The entries of `simulate`, checked, in SI."""
    options = {} if data.get("simulate") is None else data["simulate"]
    part = f"{source}, simulate"
    check_keys(options, SIMULATE, part)
    return {keyword: _option(keyword, value, part) for keyword, value in options.items()}


def dumps(system: System, simulate: dict | None = None, folder: Path | None = None) -> str:
    """The system as YAML text, one line for each part. folder: mesh files are named relative to it."""
    data = {section: content for section, content in system.to_dict().items() if content not in ({}, None)}
    if folder is not None:
        for section in {"ground", "bodies", "contacts"} & set(data):
            entries = data[section].items()
            data[section] = {name: with_files(entry, relative_to(folder)) for name, entry in entries}
    if simulate:
        data["simulate"] = simulate
    return yaml.dump(_by_line(data), Dumper=Dumper, sort_keys=False, allow_unicode=True, width=10**6)


def dump(system: System, path, simulate: dict | None = None) -> None:
    """Write the system to a file. A file that is there already is replaced at the end, whole, or not at all."""
    write(path, dumps(system, simulate, Path(path).resolve().parent))


# reading


@contextmanager
def located(source: str, *path):
    """Errors from inside name the file and the place in it."""
    try:
        yield
    except ModelError as error:
        place = ", ".join(filter(None, [source, " › ".join(map(str, path))]))
        rest = error.part.rpartition(repr(path[-1]))[2] if path else error.part
        detail = rest.strip(" ,:")  # "body 'crank', shape box" → "shape box": the rest is in the place
        raise type(error)(
            f"{place}: {detail}" if detail else place, error.problem, error.expected, error.remedy
        ) from None


def section_of(data: dict, section: str, source: str) -> list[tuple]:
    entries = {} if data.get(section) is None else data[section]
    _check_mapping(entries, f"{source}, {section}", "names and what they stand for")
    return list(entries.items())


def _check_mapping(data, part: str, of: str) -> None:
    if not isinstance(data, dict):
        remedy = "Write each as  name: …  without a dash." if isinstance(data, list) else ""
        raise ModelError(part, f"it is {shown(data)}", f"a mapping of {of} is expected", remedy)


def check_keys(data, allowed, part: str) -> None:
    _check_mapping(data, part, "keys to values")
    for key in data:
        if key not in allowed:
            raise ModelError(part, f"unknown key {key!r}", f"it takes {', '.join(allowed)}", did_you_mean(key, allowed))


def _check_sections(data, source: str) -> None:
    _check_mapping(data, source, "keys to values")
    for key in data:
        if key not in SECTIONS and key in OTHER_SECTIONS:
            expected = f"it takes {', '.join(SECTIONS)}"
            raise ModelError(source, f"unknown key {key!r}", expected, f"In Mekane this is {OTHER_SECTIONS[key]}.")
    check_keys(data, SECTIONS, source)


def _keywords(method) -> list[str]:
    return [keyword for keyword in signature(method).parameters if keyword not in ("self", "name")]


def _add_named(system: System, data: dict, source: str, sections: tuple[str, ...]) -> None:
    """Parts of sections with one kind each: {keyword: value, …}, or the value alone."""
    methods = {record_class.collection: getattr(system, kind) for kind, record_class in named_parts.items()}
    for section in sections:
        method, keywords = methods[section], _keywords(methods[section])
        for name, entry in section_of(data, section, source):
            with located(source, section, name):
                if keywords[0] == "value" and not isinstance(entry, dict):
                    entry = {"value": entry}
                check_keys(entry, keywords, "")
                method(name, **entry)


def add_part(system: System, name: str, entry, kinds: dict, section: str) -> None:
    """A joint or a force: {kind: what it joins, keyword: value, …}."""
    _check_mapping(entry, "", "keys to values")
    kind = _kind(entry, kinds, section)
    method = getattr(system, kind)
    parameters = list(signature(method).parameters.values())[1:]
    ends = sum(p.name in ("a", "b") for p in parameters)
    where = entry[kind]
    if ends == 2 and not (isinstance(where, list) and len(where) == 2):
        raise ModelError("", f"{kind} is {shown(where)}", "two ends are expected", f"Write  {kind}: [a, b].")
    keywords = {keyword: value for keyword, value in entry.items() if keyword != kind}
    check_keys(keywords, [p.name for p in parameters[ends or 1 :]], "")
    method(name, *(where if ends else [where]), **keywords)


def _kind(entry: dict, kinds: dict, section: str) -> str:
    """The key that is a kind. A motor's `torque` is one too, so the one counts that leaves no other key unexplained."""
    fitting = _fitting(entry, kinds)
    if not fitting and [keyword for keyword in entry if add_installed_kind(keyword, (section,))]:
        fitting = _fitting(entry, kinds)
    named = [keyword for keyword in entry if keyword in kinds]
    if not named:
        known = list(dict.fromkeys([*kinds, *kind_names((section,))]))
        hint = kind_hint(entry, {**dict.fromkeys(known), **kinds})
        problem = f"none of {', '.join(map(repr, entry))} is a kind" if entry else "it is empty"
        raise ModelError("", problem, f"one of {', '.join(known)} is expected", hint)
    return (fitting or named)[0]


def _fitting(entry: dict, kinds: dict) -> list[str]:
    """Kinds among the keys whose keywords are all the other keys."""
    return [kind for kind in entry if kind in kinds and set(entry) - {kind} <= set(_keywords(getattr(System, kind)))]


def _option(keyword: str, value, part: str):
    wanted = SIMULATE[keyword]
    if isinstance(wanted, str):
        return positive(value, wanted, part, keyword)
    if not isinstance(value, wanted):
        raise ModelError(part, f"{keyword} is {shown(value)}", f"{KINDS[wanted]} is expected")
    return value


# writing


class _Line(dict):
    """A mapping that is written on one line."""


class Dumper(yaml.SafeDumper):
    yaml_implicit_resolvers = Loader.yaml_implicit_resolvers  # quote the texts that would be read as something else

    def ignore_aliases(self, data):
        return True


Dumper.add_multi_representer(np.generic, lambda dumper, data: dumper.represent_data(data.item()))
Dumper.add_multi_representer(np.ndarray, lambda dumper, data: dumper.represent_data(data.tolist()))
Dumper.add_representer(
    _Line, lambda dumper, data: dumper.represent_mapping("tag:yaml.org,2002:map", data.items(), flow_style=True)
)
Dumper.add_representer(
    list, lambda dumper, data: dumper.represent_sequence("tag:yaml.org,2002:seq", data, flow_style=True)
)


def _by_line(data: dict) -> dict:
    """Bodies, joints, forces, events … one line each; a smaller section on one line as a whole."""

    def lines(section, content):
        if section in (*PARTS, *SECTION_NAMES.values()) and section not in ("inputs", "variables"):
            return {name: _Line(entry) if isinstance(entry, dict) else entry for name, entry in content.items()}
        return _Line(content) if isinstance(content, dict) else content

    return {section: lines(section, content) for section, content in data.items()}
