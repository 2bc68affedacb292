"""Names that Mekane does not have, from other programs or from before, and what to write instead."""

import ast

from mekane.errors import did_you_mean

METHODS = {  # of System, and kinds in model files: the name elsewhere → the name here
    "revolute": "pin", "hinge": "pin", "rotational": "pin", "continuous": "pin", "pivot": "pin",
    "prismatic": "slider", "translational": "slider", "slide": "slider",
    "fixed": "weld", "rigid": "weld", "lock": "weld", "weld_joint": "weld",
    "spherical": "ball", "ball_joint": "ball", "ball_and_socket": "ball",
    "cylindrical": "pin_slider", "cardan": "universal", "hooke": "universal", "helical": "screw",
    "floating": "free", "free_joint": "free", "quaternion_floating": "free", "six_dof": "free", "bushing_joint": "bushing",
    "add_body": "body", "rigid_body": "body", "add_rigid_body": "body", "add_link": "body", "link": "body",
    "particle": "body", "point_mass": "body",
    "add_force": "force", "point_force": "force", "add_torque": "torque", "moment": "torque", "add_spring": "spring",
    "spring_damper": "spring", "tsda": "spring", "rsda": "torsional_spring", "rotational_spring": "torsional_spring",
    "translational_spring": "sliding_spring", "add_damper": "damper", "add_actuator": "actuator",
    "add_motor": "motor", "sensor": "output", "site": "marker", "joint_limit": "limit", "friction": "dry_friction",
    "rod": "distance", "rigid_link": "distance", "cam": "coupler", "belt": "gear", "rack_pinion": "rack_and_pinion",
    "rolling": "rolling_disc", "rolling_wheel": "rolling_disc", "driver": "prescribed", "motion": "prescribed",
    "armature": "rotor", "rotor_inertia": "rotor",
    "curve_constraint": "point_on_curve", "point_in_plane": "point_on_plane", "add_parameter": "parameter",
}  # fmt: skip
SEVERAL = {  # of System: what there is instead
    "add_joint": 'Each kind of joint is a method of its own: s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y")',
    "joint": 'Each kind of joint is a method of its own: s.pin("hinge", s.ground, arm, at=(0, 0, 0), axis="y")',
    "add_constraint": 'Each kind of constraint is a method of its own: s.gear("mesh", "hinge", "shaft", ratio=-2)',
    "constraint": 'Each kind of constraint is a method of its own: s.gear("mesh", "hinge", "shaft", ratio=-2)',
    "start": 'It is now initial_conditions: s.initial_conditions({"hinge.angle": "3 turn"})',
    "inverse_dynamics": "At one state it is now required_forces: s.required_forces(q, u, ud); "
    'along a motion it is mk.inverse_dynamics(s, {"hinge": "sin(t)"})',
    "rnea": "In Mekane this is required_forces: s.required_forces(q, u, ud)",
    "aba": "In Mekane this is forward_dynamics: s.forward_dynamics(q, u)",
    "crba": "In Mekane this is mass_matrix: s.mass_matrix(q)",
    "add_gravity": "In Mekane this is gravity: s.gravity = (0, 0, -9.81)",
    "run": "In Mekane this is simulate: mk.simulate(s, 2.0)",
}
FUNCTIONS = {  # of mk: what there is instead
    **dict.fromkeys(("Model", "World", "MultibodyPlant", "MbsSystem", "SystemContainer", "Mechanism"),
                    'In Mekane this is System: s = mk.System("crank")'),
    **dict.fromkeys(("run", "integrate", "solve", "sim", "simulation"), "In Mekane this is simulate: run = mk.simulate(s, 2.0)"),
    **dict.fromkeys(("Body", "RigidBody", "Particle"), 'In Mekane this is a method of System: s.body("arm", mass=1.0)'),
    **dict.fromkeys(("statics", "static_equilibrium", "trim"), "In Mekane this is equilibrium: mk.equilibrium(s)"),
    **dict.fromkeys(("eigenvalues", "eigenmodes", "modal_analysis", "frequencies"), "In Mekane this is modes: mk.modes(s)"),
    **dict.fromkeys(("read_model", "from_yaml", "load_yaml"), 'In Mekane this is load_model: mk.load_model("crank.yaml")'),
    "linearise": "In Mekane this is linearize: mk.linearize(s)",
    "optimise": "In Mekane this is optimize: mk.optimize(s, …)",
    "inverse_kinematic": "In Mekane this is inverse_kinematics: mk.inverse_kinematics(s, …)",
    "kanes_method": "In Mekane this is equations: mk.equations(s)",
    "KanesMethod": "In Mekane this is equations: mk.equations(s)",
    "LagrangesMethod": 'In Mekane this is equations: mk.equations(s, method="lagrange")',
    "start": "It is now stepper: solver = mk.stepper(s)",
}  # fmt: skip
SECTIONS = {  # of a model file: the name elsewhere → the name here
    "start": "initial_conditions", "links": "bodies", "body": "bodies", "joint": "joints", "constraint": "constraints",
    "force": "forces", "name": "system", "model": "system", "params": "parameters",
    "input": "inputs", "variable": "variables", "marker": "markers", "sites": "markers", "output": "outputs",
    "sensors": "outputs", "event": "events", "controller": "controllers",
}  # fmt: skip


def method_hint(name: str, system_class: type, known: list[str]) -> str:
    """What to write instead of s.name, or which name comes close."""
    if name in SEVERAL:
        return f" {SEVERAL[name]}"
    if name in system_class._analyses:
        return f" Write mk.{name}(s)."
    if name in METHODS:
        return f" In Mekane this is {METHODS[name]}: {example(getattr(system_class, METHODS[name]))}"
    return did_you_mean(name, known)


def function_hint(name: str, system_class: type) -> str:
    """What to write instead of mk.name; "" if nothing is known."""
    if name in FUNCTIONS:
        return f" {FUNCTIONS[name]}"
    kind = METHODS.get(name.lower(), name.lower())
    method = getattr(system_class, kind, None)
    return f" In Mekane this is a method of System: {example(method)}" if callable(method) else ""


def kind_hint(names, kinds: dict) -> str:
    """What to write in a model file instead of these keys, none of which is a kind."""
    for name in names:
        here = METHODS.get(name)
        if here in kinds:
            return f"In Mekane {name} is {here}: {file_form(kinds[here].example)}"
    return next(filter(None, (did_you_mean(name, kinds) for name in names)), "")


def example(method) -> str:
    """One line that shows how a method of System is called."""
    record_class = getattr(method, "record_class", None)
    return record_class.example if record_class else f's.{method.__name__}("arm", mass=1.0)'


def file_form(line: str) -> str:
    """An example of Python as a line of a model file: {pin: [ground, arm], at: [0, 0, 0], axis: y}."""
    call = ast.parse(line).body[0].value
    ends = [_written(one) for one in call.args[1:]]
    first = f"[{', '.join(ends)}]" if len(ends) == 2 else ends[0] if ends else "…"
    keywords = [f"{one.arg}: {_written(one.value)}" for one in call.keywords]
    return "{" + ", ".join([f"{call.func.attr}: {first}", *keywords]) + "}"


def _written(node) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Tuple):
        return f"[{', '.join(map(_written, node.elts))}]"
    if isinstance(node, ast.Dict):
        return (
            "{" + ", ".join(f"{_written(k)}: {_written(v)}" for k, v in zip(node.keys, node.values, strict=True)) + "}"
        )
    return str(node.value) if isinstance(node, ast.Constant) else ast.unparse(node)
