"""Kane's equations as formulas, in the order a textbook shows them.  THEORY §3, §4

F_r + F_r* + (Bᵀ lambda)_r = 0          or        M u' = f + Bᵀ lambda
"""

from functools import cached_property

from mekane.expressions.graph import Expr
from mekane.symbolic.methods.presentation import Presented, Section


class KaneEquations(Presented):
    method = "Kane"

    def __init__(self, traced, form="auto", friction=None):
        self.friction = friction
        super().__init__(traced, form)

    def essential(self):
        return [*super().essential(), *(self.friction.forces if self.friction is not None else [])]

    # ---------------------------------------------------------------- kinematics

    @cached_property
    def kinematical(self):
        """q' in terms of the speeds."""
        pairs = [(q.name, rate) for q, rate in zip(self.trace.q, self.trace.qd, strict=True) if isinstance(q, Expr)]
        return self.column("q'", [rate for _, rate in pairs], [name for name, _ in pairs])

    @cached_property
    def angular_velocities(self):
        """{body: angular velocity, components along the body's own axes}"""
        return {name: self.vector("omega", self.angular_velocity(name), name) for name in self.bodies}

    @cached_property
    def velocities(self):
        """{body: velocity of its mass centre, world axes}"""
        return {name: self.vector("v", self.velocity(name), name) for name in self.bodies}

    @cached_property
    def partial_angular_velocities(self):
        """{body: a row for each speed, components along the body's own axes}"""
        return {name: self.partials("omega", self.angular_velocity(name), name) for name in self.bodies}

    @cached_property
    def partial_velocities(self):
        """{body: a row for each speed, of the mass centre, world axes}"""
        return {name: self.partials("v", self.velocity(name), name) for name in self.bodies}

    def partials(self, symbol, vector, body):
        """Partial velocities: a row for each speed."""
        return self.formula(symbol, self.trace.by_speeds(vector), self.trace.compiled.speeds, "xyz", owner=body)

    def angular_velocity(self, name):
        return self.trace.turn(name).T @ self.trace.angular_velocity(name)

    def velocity(self, name):
        return self.trace.point(name, self.trace.mass_centre(name))[1]

    # ---------------------------------------------------------------- equations

    @cached_property
    def active_forces(self):
        """F_r"""
        return self.column("F", self.trace.active_forces, self.trace.compiled.speeds)

    @cached_property
    def inertia_forces(self):
        """F_r*"""
        return self.column("F*", self.trace.inertia_forces, self.trace.compiled.speeds)

    @cached_property
    def mass_matrix(self):
        speeds = self.trace.compiled.speeds
        return self.formula("M", self.trace.mass_matrix, speeds, speeds)

    @cached_property
    def forcing(self):
        """f, with M u' = f + Bᵀ lambda"""
        return self.column("f", self.trace.forcing, self.trace.compiled.speeds)

    @cached_property
    def sliding_friction(self):
        """s, with M u' = f + Bᵀ lambda + s: of contacts that slide; None without them."""
        return None if self.friction is None else self.column("s", self.friction.forces, self.trace.compiled.speeds)

    # ---------------------------------------------------------------- constraints and energies

    @cached_property
    def constraints(self):
        """What vanishes: residuals of position rows, rates of velocity rows; rows given for accelerations as B u' +
        bias."""
        return self.column("phi", self.trace.rows.vanishing, self.trace.rows.names)

    @cached_property
    def constraint_matrix(self):
        """B, rows over speeds"""
        return self.formula("B", self.trace.rows.B, self.trace.rows.names, self.trace.compiled.speeds)

    @cached_property
    def constraint_bias(self):
        """b, with B u' + b = 0"""
        return self.column("b", self.trace.rows.bias, self.trace.rows.names)

    @cached_property
    def kinetic_energy(self):
        return self.formula("T", self.trace.energies[0])

    @cached_property
    def potential_energy(self):
        """Of gravity and of every element that has one."""
        _, weight, stored = self.trace.energies
        return self.formula("V", sum(stored.values(), weight))

    # ---------------------------------------------------------------- shown

    def sections(self):
        found = [
            Section("Kinematical equations", [self.kinematical]),
            Section("Angular velocities, body axes", list(self.angular_velocities.values())),
            Section("Velocities of the mass centres, world axes", list(self.velocities.values())),
            Section("Partial angular velocities", list(self.partial_angular_velocities.values())),
            Section("Partial velocities of the mass centres", list(self.partial_velocities.values())),
            Section("Generalized active forces", [self.active_forces]),
            Section("Generalized inertia forces", [self.inertia_forces]),
            Section("Mass matrix", [self.mass_matrix]),
            Section(
                f"Forcing, M u' = f{' + Bᵀ lambda' if self.has_rows else ''}{' + s' if self.friction else ''}",
                [self.forcing],
            ),
        ]
        if self.friction is not None:
            found.append(Section("Friction of what slides", [self.sliding_friction]))
        if self.has_rows:
            found += [
                Section("Constraints, phi = 0", [self.constraints]),
                Section("Constraint matrix, B u' + b = 0", [self.constraint_matrix, self.constraint_bias]),
            ]
        return [*found, Section("Energies", [self.kinetic_energy, self.potential_energy])]
