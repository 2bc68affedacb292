"""Equations of a model as code that stands alone: C, NumPy, JAX, CasADi, MATLAB or Octave, SymPy,
JavaScript."""

from __future__ import annotations

import os
from pathlib import PurePath
from typing import TYPE_CHECKING

from mekane.exporters import languages
from mekane.exporters.languages._identifiers import checked, cleaned, free
from mekane.files import write
from mekane.symbolic.functions import functions

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from mekane.model.system import System


def export_equations(
    system: System,
    path: str | PathLike[str] | None = None,
    language: str | None = None,
    formulation: str = "joint",
    parameters: str | Sequence[str] = "named",
    name: str | None = None,
    jacobian: bool = False,
) -> str:
    """The equations of motion as code that stands alone: functions rhs, mass_matrix, forcing … of (t, y, p).

    Parameters:
        system: the model.
        path: the file to write; left out, the text is only returned.
        language: one of mekane.exporters.languages.NAMES; left out, by the end of the file's name (C if there is none).
        formulation: "joint", or a name in mekane.formulations.
        parameters: what p holds: "named" (parameters, inputs and discrete variables of the system), "symbolic" (every
            number of the model that is read), a list of names, or "numeric" (nothing).
        name: what the functions are called by; that of the system by default.
        jacobian: also d rhs / d y; default False.

    Example:
        from mekane import gallery
        print(mk.export_equations(gallery.find("pendulum").system(), language="numpy"))
    """
    chosen = (
        languages.find(language)
        if language is not None
        else languages.of_file(path)
        if path is not None
        else languages.find("c")
    )
    name = called(system, path, chosen, name)
    text = chosen.text(functions(system, formulation, parameters, jacobian), name)
    if path is not None:
        write(path, text)
    return text


def called(system, path, language, name):
    """What functions are called by."""
    if name is None and path is not None and language.named_by_file:
        return checked(PurePath(os.fspath(path)).stem, language, f"file {str(path)!r}")
    return (
        free(cleaned(system.name), language.reserved)
        if name is None
        else checked(name, language, "name of the exported functions")
    )
