"""Activation dynamics of actuators, and the force-length-velocity curves of muscles, as MuJoCo has them, in expressions."""

from __future__ import annotations

SMALLEST = 1e-15  # what MuJoCo takes as zero


def activation_rate(dynamics: str, prm, control: str) -> str:
    """ȧ = u (integrator), (u − a)/τ (filter), (u − a)/τ(u, a) (muscle)."""
    if dynamics == "INTEGRATOR":
        return control
    if dynamics != "MUSCLE":
        return f"({control} - a)/{max(float(prm[0]), SMALLEST)!r}"
    rise, fall, smooth = (float(x) for x in prm[:3])
    to = f"(min(max({control}, 0), 1) - a)"
    level = "(0.5 + 1.5*min(max(a, 0), 1))"
    rise, fall = f"({rise!r}*{level})", f"({fall!r}/{level})"
    if smooth < SMALLEST:
        return f"{to}/({rise} if {to} > 0 else {fall})"
    x = f"min(max({to}/{smooth!r} + 0.5, 0), 1)"
    return f"{to}/({fall} + ({rise} - {fall})*{x}**3*(3*{x}*(2*{x} - 5) + 10))"


def within(rate: str, limits) -> str:
    """The rate of a state that stays between limits."""
    low, high = (float(x) for x in limits)
    return f"(min({rate}, 0) if a >= {high!r} else max({rate}, 0) if a <= {low!r} else {rate})"


class Muscle:
    """prm: range, force, scale, lmin, lmax, vmax, fpmax, fvmax.  lengths: of the actuator, at both ends of range."""

    def __init__(self, prm, lengths, acceleration):
        self.range, self.lengths = (float(prm[0]), float(prm[1])), (float(lengths[0]), float(lengths[1]))
        force, scale, self.l_min, self.l_max, self.v_max, self.f_passive, self.f_fast = (float(x) for x in prm[2:9])
        self.force = force if force >= 0 else scale / max(SMALLEST, float(acceleration))
        self.rest = (self.lengths[1] - self.lengths[0]) / max(SMALLEST, self.range[1] - self.range[0])

    def relative(self, length: str) -> str:
        """L, one at the optimal length."""
        return f"({self.range[0]!r} + ({length} - {self.lengths[0]!r})/{max(SMALLEST, self.rest)!r})"

    def gain(self, length: str, rate: str) -> str:
        """−F0 × active force by length × by velocity"""
        L, V = self.relative(length), f"({rate}/{max(SMALLEST, self.rest * self.v_max)!r})"
        return f"{-self.force!r}*{self.by_length(L)}*{self.by_velocity(V)}"

    def by_length(self, L: str) -> str:
        """Four parabolas from l_min to l_max, with the top at one."""
        low, high = 0.5 * (self.l_min + 1.0), 0.5 * (1.0 + self.l_max)
        rising, falling = (
            f"(({L} - {self.l_min!r})/{low - self.l_min!r})",
            f"(({self.l_max!r} - {L})/{self.l_max - high!r})",
        )
        before, after = f"((1 - {L})/{1.0 - low!r})", f"(({L} - 1)/{high - 1.0!r})"
        ends = f"0 if {L} < {self.l_min!r} or {L} > {self.l_max!r}"
        return (
            f"({ends} else 0.5*{rising}**2 if {L} <= {low!r} else 1 - 0.5*{before}**2 if {L} <= 1"
            f" else 1 - 0.5*{after}**2 if {L} <= {high!r} else 0.5*{falling}**2)"
        )

    def by_velocity(self, V: str) -> str:
        y = self.f_fast - 1.0
        fast = f"{self.f_fast!r} - ({y!r} - {V})**2/{max(y, SMALLEST)!r}"
        return f"(0 if {V} <= -1 else ({V} + 1)**2 if {V} <= 0 else {fast} if {V} <= {y!r} else {self.f_fast!r})"

    def bias(self, length: str) -> str:
        """−F0 × passive force: a parabola from one to half of the way to l_max, straight from there"""
        L, high = self.relative(length), 0.5 * (1.0 + self.l_max)
        x, beyond = f"(({L} - 1)/{high - 1.0!r})", f"(({L} - {high!r})/{high - 1.0!r})"
        scale = -self.force * self.f_passive
        return f"({scale!r})*(0 if {L} <= 1 else 0.5*{x}**2 if {L} <= {high!r} else 0.5 + {beyond})"
