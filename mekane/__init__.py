"""Mekane: multibody dynamics by Kane's method.

import mekane as mk
s = mk.System("pendulum")
arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y", rate=2.0)
run = mk.simulate(s, 2.0)
run["hinge.angle"], run.reaction("hinge"), run.energy, run.health
"""

from importlib import import_module

from mekane import constraints, forces, joints
from mekane.errors import ExpressionError, FileError, MekaneError, ModelError, SimulationError, UnitError
from mekane.expressions.graph import Table, select
from mekane.model.argument_check import requires_system
from mekane.model.lazy import lazy_method, lazy_property
from mekane.model.shapes import Box, Capsule, Cylinder, Plate, Rod, Sphere
from mekane.model.system import System
from mekane.model.values.parameters import Param

__version__ = "0.1.0"

_LATE = {  # what loads compiled code or large libraries is loaded when it is first used
    "continuation": "mekane.analyses.equilibrium.continuation",
    "steady": "mekane.analyses.steady.steady",
    "sensitivity": "mekane.analyses.sensitivity.sensitivity",
    "optimize": "mekane.analyses.optimize.optimize",
    "compare": "mekane.symbolic.compare",
    "conserved": "mekane.symbolic.conserved",
    "equations": "mekane.symbolic.equations",
    "equilibrium": "mekane.analyses.equilibrium.equilibrium",
    "simulate": "mekane.analyses.simulate",
    "start": "mekane.analyses.simulate",
    "assemble": "mekane.analyses.kinematics.assemble",
    "kinematics": "mekane.analyses.kinematics.sweep",
    "mobility": "mekane.analyses.kinematics.mobility",
    "inverse_kinematics": "mekane.analyses.kinematics.inverse_kinematics",
    "inverse_dynamics": "mekane.analyses.inverse_dynamics.inverse_dynamics",
    "load": "mekane.exporters.netcdf",
    "export_equations": "mekane.exporters.equations",
    "linearize": "mekane.analyses.linear.linearize",
    "modes": "mekane.analyses.linear.modes",
    "root_locus": "mekane.analyses.linear.root_locus",
    "compile": "mekane.analyses.specialise",
    "plot_runs": "mekane.view.plots.plot",
    "load_model": "mekane.importers.yaml",
    "save_model": "mekane.importers.yaml",
}
_NAMES_THERE = {"load_model": "load", "save_model": "dump", "load": "load", "compile": "compile_model"}

for _word in ("forward_dynamics", "inverse_dynamics", "mass_matrix", "bias_forces", "initial_state"):
    setattr(System, _word, lazy_method("mekane.analyses.state.dynamics", _word))
System.forward_dynamics_derivatives = lazy_method("mekane.analyses.state.derivatives", "forward_dynamics_derivatives")
for _module, _words in {
    "kane": ("partial_velocities", "kane_equations"),
    "equation_count": ("count_equations",),
}.items():
    for _word in _words:
        setattr(System, _word, lazy_method(f"mekane.analyses.state.{_module}", _word))
System.topology = lazy_property("mekane.analyses.kinematics.topology", "topology")
System._repr_html_ = lazy_method("mekane.view.web.notebook", "system_html")
for _word in ("coordinates", "speeds"):
    setattr(System, _word, lazy_property("mekane.analyses.state.dynamics", _word))
System._analyses = frozenset(_LATE) - {"load", "load_model", "plot_runs"}

__all__ = [
    "Box", "Capsule", "Cylinder", "ExpressionError", "FileError", "MekaneError", "ModelError", "Param", "Plate", "Rod", "SimulationError",
    "Sphere", "System", "Table", "UnitError", "constraints", "forces", "joints", "select", *_LATE,
]  # fmt: skip


def __getattr__(name):
    if name in _LATE:
        globals()[name] = requires_system(getattr(import_module(_LATE[name]), _NAMES_THERE.get(name, name)), name)
        return globals()[name]
    raise AttributeError(f"mekane has no {name!r}; it has {', '.join(sorted(__all__))}")
