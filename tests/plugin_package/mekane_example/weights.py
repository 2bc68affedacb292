"""Two weights on a rope (Atwood): a = g (m2 − m1) / (m2 + m1)."""

from mekane.gallery.entry import Mechanism, checks
from mekane.model.system import System


def system():
    s = System("two weights")
    for name, mass, x in (("light", 1.0, -0.01), ("heavy", 3.0, 0.01)):
        body = s.body(name, mass=mass, inertia=(1, 1, 1), position=(x, 0, -1))
        s.slider(f"{name} guide", s.ground, body, axis="z")
    s.rope("rope", ("light", (0.01, 0, 0)), ("heavy", (-0.01, 0, 0)), over=(s.ground, (0, 0, 0)), length=2)
    return s


mechanisms = [
    Mechanism(
        name="weights",
        title="two weights on a rope",
        source="classical; closed form",
        system=system,
        t_end=0.5,
        checks=checks(
            """
            t    z
            0.5  -1.613125
            """,
            {"z": "heavy.position.z"},
            tolerance=1e-8,
            why="z = −1 − g t²/4 at a tolerance of 1e-9",
        ),
    )
]
