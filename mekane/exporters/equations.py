"""Equations of a model as code that stands alone: C, NumPy, JAX, MATLAB or Octave, SymPy."""

import os
from pathlib import PurePath

from mekane.exporters import languages
from mekane.exporters.languages._identifiers import checked, cleaned, free
from mekane.files import write
from mekane.symbolic.functions import functions


def export_equations(
    system, path=None, language=None, formulation="joint", parameters="named", name=None, jacobian=False
):
    """The functions rhs, mass_matrix, forcing and those of the constraints, of (t, y, p), as text; with `path`, also
    written there.

    language: one of mekane.exporters.languages.NAMES; left out, by the end of the file's name (C if there is no file).
    parameters: what p holds: "named" (parameters of the system), "symbolic" (every number of the model that is read), a
        list of names, or "numeric" (nothing).
    name: what the functions are called by; that of the system by default. jacobian: also d rhs / d y.
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
