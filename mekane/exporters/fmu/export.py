"""export_fmu: a system as an FMU."""

from __future__ import annotations

from os import fspath
from pathlib import PurePath
from typing import TYPE_CHECKING

from mekane.errors import ModelError
from mekane.exporters.fmu.archive import binary_place, compiled, find_compiler, licence, packed, sources
from mekane.exporters.fmu.code import texts
from mekane.exporters.fmu.description import build_description, description
from mekane.exporters.fmu.discrete import set_inside
from mekane.exporters.fmu.traced import traced
from mekane.exporters.fmu.variables import variables
from mekane.exporters.languages import find
from mekane.exporters.languages._identifiers import cleaned, free
from mekane.files import write
from mekane.model.hybrid.activity import without_contact_laws
from mekane.model.values.flag import flag
from mekane.model.values.units import positive

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from mekane.model.system import System
    from mekane.model.types import NumberLike

STAMP = "1980-01-01T00:00:00Z"  # the same model gives the same bytes


def export_fmu(
    system: System,
    path: str | PathLike[str],
    *,
    version: int = 2,
    outputs: Sequence[str] | None = None,
    inputs: Sequence[str] = (),
    parameters: str | Sequence[str] = "named",
    formulation: str = "joint",
    t_end: NumberLike = 1.0,
    contact_laws: bool = True,
    binary: bool = True,
) -> list[str]:
    """Write a model as an FMU of the FMI standard, for model exchange and co-simulation, which needs nothing of Mekane.

    Parameters:
        system: the model.
        path: the file, "model.fmu".
        version: of the standard, 2 or 3.
        outputs: names of channels, ["arm.position", "hinge.angle"]; by default joint coordinates and their rates,
            energies, and the outputs of the system.
        inputs: parameters that are inputs of the FMU, besides the inputs of the system.
        parameters: those of the FMU: "named" (the parameters and discrete variables of the system), "symbolic" (every
            number of the model that is read), a list of names, or "numeric" (none).
        formulation: "joint", or a name in mekane.formulations.
        t_end: end of the experiment that importers offer [s]; default 1.
        contact_laws: False leaves limits, contacts and dry friction out, which an FMU cannot hold, and says so; True refuses
            a model that has any. Default True.
        binary: also compile it, if there is a C compiler; default True.

    Returns:
        list: sentences about what the file does not hold, or holds in another way.

    Example:
        from mekane import gallery
        mk.export_fmu(gallery.find("pendulum").system(), "pendulum.fmu", binary=False)
    """
    if version not in (2, 3) or isinstance(version, bool):
        raise ModelError("version", f"it is {version!r}", "2 or 3 is expected, of the FMI standard")
    path = PurePath(fspath(path))
    t_end = positive(t_end, "time", "FMU", "t_end")
    identifier = free(cleaned(path.stem), find("c").reserved)
    system, left_out = (system, []) if flag(contact_laws, "FMU", "contact_laws") else without_laws(system)
    model = traced(system, formulation, with_inputs(system, parameters, inputs), outputs)
    found = variables(model, inputs)
    own, token = texts(model, found, identifier)
    made = sources(own, version)
    stamp = "Mekane", STAMP
    entries = {"modelDescription.xml": description(version, system.name, identifier, token, model, found, t_end, stamp)}
    entries |= {f"sources/{name}": text for name, text in made.items()}
    entries["documentation/licenses/license.txt"] = licence()
    if version == 3:
        entries["sources/buildDescription.xml"] = build_description(identifier)
    notes = add_binary(entries, made, version, identifier) if binary else []
    write(path, packed(entries))
    return [*left_out, *model.notes, *notes]


def without_laws(system):
    """A copy whose contact laws are left out, and a sentence that names them."""
    if not system.contact_laws:
        return system, []
    names = ", ".join(map(repr, system.contact_laws))
    return without_contact_laws(system, modes={}), [f"The FMU moves as if these were not there: {names}."]


def with_inputs(system, parameters, inputs):
    """What is kept as a symbol: inputs, and what changes on the way, in any case."""
    wanted = [*system.inputs, *inputs, *set_inside(system)]
    if isinstance(parameters, str):
        if parameters != "numeric":
            return parameters
        parameters = []
    return list(dict.fromkeys([*parameters, *wanted]))


def add_binary(entries, made, version, identifier):
    """Compile for this machine. Returns what to say where that is not possible."""
    place, compiler = binary_place(version, identifier), find_compiler()
    if compiler is None:
        return ["There is no C compiler here: the FMU holds sources alone. Importers that compile can use it."]
    if place is None:
        return ["FMI has no name for this kind of machine: the FMU holds sources alone."]
    entries[place] = compiled(compiler, made)
    return []
