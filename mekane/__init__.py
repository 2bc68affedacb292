"""Mekane: multibody dynamics by Kane's method.

import mekane as mk
s = mk.System("pendulum")
arm = s.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0, 0, -0.5))
s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y", rate=2.0)
run = mk.simulate(s, 2.0)
run["hinge.angle"], run.reaction("hinge"), run.energy, run.health
"""

from importlib import import_module as _import_module

from mekane import constraints, contacts, forces, joints
from mekane.errors import ExpressionError, FileError, MekaneError, ModelError, SimulationError, UnitError
from mekane.expressions.graph import Table, select
from mekane.model.geometry.curved import Cam, HeightField
from mekane.model.geometry.hull import Hull
from mekane.model.geometry.mesh import Mesh
from mekane.model.geometry.polygon import Polygon
from mekane.model.geometry.shapes import Box, Capsule, Cylinder, Ellipsoid, Plate, Rod, Sphere, Torus
from mekane.model.geometry.surfaces import Plane
from mekane.model.hybrid.activity import at_start as _at_start
from mekane.model.interface.argument_check import requires_system as _requires_system
from mekane.model.interface.lazy import Lazy as _Lazy
from mekane.model.interface.lazy import add_lazy as _add_lazy
from mekane.model.interface.lazy import lazy_method as _lazy_method
from mekane.model.interface.lazy import lazy_property as _lazy_property
from mekane.model.system import System
from mekane.model.values.parameters import Param

__version__ = "0.1.0"

_LAZY = {  # public name: module, or module:function where the function has another name there; imported at first use
    # models in files
    "load_model": "mekane.importers",
    "save_model": "mekane.importers",
    # simulation
    "simulate": "mekane.analyses.simulate",
    "stepper": "mekane.analyses.stepper",
    "gym": "mekane.analyses.gym.make",
    "compile": "mekane.analyses.specialise:compile_model",
    # kinematics
    "assemble": "mekane.analyses.kinematics.assemble",
    "kinematics": "mekane.analyses.kinematics.sweep",
    "inverse_kinematics": "mekane.analyses.kinematics.inverse_kinematics",
    "mobility": "mekane.analyses.kinematics.mobility",
    # forces of a given motion
    "inverse_dynamics": "mekane.analyses.inverse_dynamics.inverse_dynamics",
    "dynamics": "mekane.analyses.state.functions",
    # equilibrium and steady motion
    "equilibrium": "mekane.analyses.equilibrium.equilibrium",
    "continuation": "mekane.analyses.equilibrium.continuation",
    "steady": "mekane.analyses.steady.steady",
    # linearized motion
    "linearize": "mekane.analyses.linear.linearize",
    "modes": "mekane.analyses.linear.modes",
    "root_locus": "mekane.analyses.linear.root_locus",
    # design
    "sensitivity": "mekane.analyses.sensitivity.sensitivity",
    "optimize": "mekane.analyses.optimize.optimize",
    # many runs
    "sweep": "mekane.analyses.studies.sweep",
    "monte_carlo": "mekane.analyses.studies.monte_carlo",
    "batch": "mekane.analyses.studies.arrays",
    "normal": "mekane.analyses.studies.distributions",
    "uniform": "mekane.analyses.studies.distributions",
    "lognormal": "mekane.analyses.studies.distributions",
    "triangular": "mekane.analyses.studies.distributions",
    "truncated_normal": "mekane.analyses.studies.distributions",
    "sensitivity_indices": "mekane.analyses.studies.sensitivity_indices",
    "plot_sweep": "mekane.analyses.studies.figures_of_studies",
    "plot_histogram": "mekane.analyses.studies.figures_of_studies",
    "plot_band": "mekane.analyses.studies.figures_of_studies",
    # symbolic equations of motion
    "equations": "mekane.symbolic.equations",
    "compare": "mekane.symbolic.compare",
    "conserved": "mekane.symbolic.conserved",
    "export_equations": "mekane.exporters.equations",
    # models for other simulators
    "export_fmu": "mekane.exporters.fmu.export",
    # results
    "load": "mekane.exporters.netcdf",
    "plot_runs": "mekane.view.plots.plot",
    "save_live": "mekane.view.web.live_page",
}
_WITHOUT_SYSTEM = {  # the others are analyses mk.<name>(system, …)
    "load_model", "load", "plot_runs", "plot_sweep", "plot_histogram", "plot_band", "sensitivity_indices",
    "normal", "uniform", "lognormal", "triangular", "truncated_normal",
}  # fmt: skip

_SYSTEM_METHODS = {  # method of System: module that defines the function
    "initial_state": "mekane.analyses.state.dynamics",
    "forward_dynamics": "mekane.analyses.state.dynamics",
    "forward_dynamics_derivatives": "mekane.analyses.state.derivatives",
    "required_forces": "mekane.analyses.state.dynamics",
    "mass_matrix": "mekane.analyses.state.dynamics",
    "bias_forces": "mekane.analyses.state.dynamics",
    "partial_velocities": "mekane.analyses.state.kane",
    "kane_equations": "mekane.analyses.state.kane",
    "count_equations": "mekane.analyses.state.equation_count",
}
_SYSTEM_PROPERTIES = {
    "coordinates": "mekane.analyses.state.dynamics",
    "speeds": "mekane.analyses.state.dynamics",
    "topology": "mekane.analyses.kinematics.topology",
}

for _name, _module in _SYSTEM_METHODS.items():
    _add_lazy(System, _name, _Lazy(_module, _name, _at_start))
for _name, _module in _SYSTEM_PROPERTIES.items():
    _add_lazy(System, _name, _lazy_property(_module, _name, _at_start))
_add_lazy(System, "_repr_html_", _lazy_method("mekane.view.web.notebook", "system_html"))
System._analyses = frozenset(_LAZY) - _WITHOUT_SYSTEM

__all__ = [
    "Box", "Cam", "Capsule", "Cylinder", "Ellipsoid", "ExpressionError", "FileError", "HeightField", "Hull", "MekaneError", "Mesh",
    "ModelError", "Param", "Plane", "Plate", "Polygon", "Rod", "SimulationError", "Sphere", "System", "Table", "Torus", "UnitError",
    "constraints", "contacts", "forces", "joints", "select", *_LAZY,
]  # fmt: skip


def __getattr__(name):
    if name not in _LAZY:
        from mekane.model.interface.other_names import function_hint

        hint = function_hint(name, System) or f" It has {', '.join(sorted(__all__))}"
        raise AttributeError(f"mekane has no {name!r}.{hint}")
    module, _, function = _LAZY[name].partition(":")
    globals()[name] = _requires_system(getattr(_import_module(module), function or name), name)
    return globals()[name]


def __dir__():
    return [*__all__, "__version__"]
