# Written by docs/make_stubs.py: change the code, then run `make stubs`.

from mekane import constraints as constraints
from mekane import contacts as contacts
from mekane import forces as forces
from mekane import joints as joints
from mekane.analyses.equilibrium.continuation import continuation as continuation
from mekane.analyses.equilibrium.equilibrium import equilibrium as equilibrium
from mekane.analyses.gym.make import gym as gym
from mekane.analyses.inverse_dynamics.inverse_dynamics import inverse_dynamics as inverse_dynamics
from mekane.analyses.kinematics.assemble import assemble as assemble
from mekane.analyses.kinematics.inverse_kinematics import inverse_kinematics as inverse_kinematics
from mekane.analyses.kinematics.mobility import mobility as mobility
from mekane.analyses.kinematics.sweep import kinematics as kinematics
from mekane.analyses.linear.linearize import linearize as linearize
from mekane.analyses.linear.modes import modes as modes
from mekane.analyses.linear.root_locus import root_locus as root_locus
from mekane.analyses.optimize.optimize import optimize as optimize
from mekane.analyses.sensitivity.sensitivity import sensitivity as sensitivity
from mekane.analyses.simulate import simulate as simulate
from mekane.analyses.specialise import compile_model as compile
from mekane.analyses.state.functions import dynamics as dynamics
from mekane.analyses.steady.steady import steady as steady
from mekane.analyses.stepper import stepper as stepper
from mekane.analyses.studies.arrays import batch as batch
from mekane.analyses.studies.distributions import lognormal as lognormal
from mekane.analyses.studies.distributions import normal as normal
from mekane.analyses.studies.distributions import triangular as triangular
from mekane.analyses.studies.distributions import truncated_normal as truncated_normal
from mekane.analyses.studies.distributions import uniform as uniform
from mekane.analyses.studies.figures_of_studies import plot_band as plot_band
from mekane.analyses.studies.figures_of_studies import plot_histogram as plot_histogram
from mekane.analyses.studies.figures_of_studies import plot_sweep as plot_sweep
from mekane.analyses.studies.monte_carlo import monte_carlo as monte_carlo
from mekane.analyses.studies.sensitivity_indices import sensitivity_indices as sensitivity_indices
from mekane.analyses.studies.sweep import sweep as sweep
from mekane.errors import ExpressionError as ExpressionError
from mekane.errors import FileError as FileError
from mekane.errors import MekaneError as MekaneError
from mekane.errors import ModelError as ModelError
from mekane.errors import SimulationError as SimulationError
from mekane.errors import UnitError as UnitError
from mekane.exporters.equations import export_equations as export_equations
from mekane.exporters.fmu.export import export_fmu as export_fmu
from mekane.exporters.netcdf import load as load
from mekane.expressions.graph import Table as Table
from mekane.expressions.graph import select as select
from mekane.importers import load_model as load_model
from mekane.importers import save_model as save_model
from mekane.model.geometry.curved import Cam as Cam
from mekane.model.geometry.curved import HeightField as HeightField
from mekane.model.geometry.hull import Hull as Hull
from mekane.model.geometry.mesh import Mesh as Mesh
from mekane.model.geometry.polygon import Polygon as Polygon
from mekane.model.geometry.shapes import Box as Box
from mekane.model.geometry.shapes import Capsule as Capsule
from mekane.model.geometry.shapes import Cylinder as Cylinder
from mekane.model.geometry.shapes import Ellipsoid as Ellipsoid
from mekane.model.geometry.shapes import Plate as Plate
from mekane.model.geometry.shapes import Rod as Rod
from mekane.model.geometry.shapes import Sphere as Sphere
from mekane.model.geometry.shapes import Torus as Torus
from mekane.model.geometry.surfaces import Plane as Plane
from mekane.model.system import System as System
from mekane.model.values.parameters import Param as Param
from mekane.symbolic.compare import compare as compare
from mekane.symbolic.conserved import conserved as conserved
from mekane.symbolic.equations import equations as equations
from mekane.view.plots.plot import plot_runs as plot_runs
from mekane.view.web.live_page import save_live as save_live

__all__ = [
    "Box",
    "Cam",
    "Capsule",
    "Cylinder",
    "Ellipsoid",
    "ExpressionError",
    "FileError",
    "HeightField",
    "Hull",
    "MekaneError",
    "Mesh",
    "ModelError",
    "Param",
    "Plane",
    "Plate",
    "Polygon",
    "Rod",
    "SimulationError",
    "Sphere",
    "System",
    "Table",
    "Torus",
    "UnitError",
    "constraints",
    "contacts",
    "forces",
    "joints",
    "select",
    "load_model",
    "save_model",
    "simulate",
    "stepper",
    "gym",
    "compile",
    "assemble",
    "kinematics",
    "inverse_kinematics",
    "mobility",
    "inverse_dynamics",
    "dynamics",
    "equilibrium",
    "continuation",
    "steady",
    "linearize",
    "modes",
    "root_locus",
    "sensitivity",
    "optimize",
    "sweep",
    "monte_carlo",
    "batch",
    "normal",
    "uniform",
    "lognormal",
    "triangular",
    "truncated_normal",
    "sensitivity_indices",
    "plot_sweep",
    "plot_histogram",
    "plot_band",
    "equations",
    "compare",
    "conserved",
    "export_equations",
    "export_fmu",
    "load",
    "plot_runs",
    "save_live",
]
__version__: str
