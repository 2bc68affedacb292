"""A page of user code, which a type checker and an editor read; it is not run."""

import mekane as mk

s = mk.System("crank", gravity=(0, 0, -9.81), parameters={"k": 4e3})
crank = s.body("crank", mass=1.2, inertia=(0.1, 0.1, 0.02), position=(0, 0, "-50 cm"))
rod = s.body("rod", shape=mk.Box("5 cm", 0.1, 1.0), density="7850 kg/m^3", position=(0, 0, -1.5))
s.pin("main", s.ground, crank, at=(0, 0, 0), axis="y", rate="60 rpm")
s.pin("elbow", crank, "rod", at=(0, 0, -1), axis=(0, 1, 0))
s.spring("return", (s.ground, (1, 0, 0)), (crank, (0, 0, 0)), stiffness=mk.Param("k"), length="80 mm")
s.motor("drive", "main", torque=lambda t, state: 5 * t)
s.gear("mesh", "main", ("elbow", "angle"), ratio=-2)
hook = s.distance("hook", crank, (rod, (0, 0, 0.1)), active=False)
floor = s.contact(
    "floor", (rod, (0, 0, -0.5)), (s.ground, mk.Plane(at=(0, 0, -3), normal="z")), friction=0.3, law="stronge"
)
s.contact("hit", rod, ("crank", mk.Sphere("5 cm")), restitution=0.5)
s.limit("bumper", ("elbow", "angle"), upper="45 deg")
s.clutch("clutch", "main", "elbow", torque="50 if t > 1 else 0")
torque = s.input("u", 0.0, unit="N m")
s.variable("gear", 1)
s.marker("tip", rod, at=(0, 0, -0.5))
s.output("power", "u*main.angle.rate", unit="W")
s.event("grab", when="t >= 2", lock=hook, at="its present position")
s.event("bang", when="t >= 1", impulse={rod: (0, 0, "5 N s")}, at=(0, 0, 0.1), set={"gear": "gear + 1"})
s.event("burst", when="t >= 1", impulse=(0, 0, 5), between=(crank, "rod"), once=False)
s.controller("pilot", "1 ms", reads=["main.angle"], writes=torque, function=lambda t, angle: -20 * angle)
run = mk.simulate(s, 2.0, every="10 ms", method="dop853")
angle = run["main.angle"]
largest = float(angle.max())
force = run.reaction("main")["force"]
rest = mk.equilibrium(s)
small = mk.linearize(s, at=rest)
print(largest, rest.stable, small.A, run.health.ok, force.values)
