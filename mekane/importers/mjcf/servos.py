"""PID servos and motors with a winding, as MuJoCo has them, in expressions of what they are given: where their law ends in the
limit of short time steps, they are exact."""

from __future__ import annotations

from collections.abc import Callable

from mekane.importers.mjcf.muscles import within

POSITION, VELOCITY, FEEDFORWARD, VOLTAGE = 1, 2, 4, 8  # inputs an actuator may have, in this order
INPUTS = {POSITION: "position", VELOCITY: "velocity", FEEDFORWARD: "feedforward", VOLTAGE: "control"}


def inputs_of(spec: int) -> dict[str, int]:
    """{name: number among the controls of the actuator} of what is given to it."""
    return {name: k for k, name in enumerate(name for bit, name in INPUTS.items() if spec & bit)}


class Pid:
    """F = kp (x − l) + kv (v − l̇) + ki ∫(x − l) dt + ff; the integral stays within ±imax."""

    def __init__(self, gain, bias, dynamics, spec: int):
        self.kp, self.kv, self.ki = -float(bias[1]), -float(bias[2]), float(gain[0])
        self.most, self.slew = float(dynamics[0]), float(dynamics[1])
        self.inputs = inputs_of(spec)
        self.known = not bias[0] and not any(gain[1:]) and not any(bias[3:]) and not any(dynamics[2:])

    def why_not(self) -> str:
        if self.slew:
            return "a setpoint of limited slew rate jumps between two rates where it has arrived"
        return "" if self.known else "it has parameters that are not known"

    def law(self, given: dict[str, str], length: str, rate: str, state: Callable[[str], str]) -> str:
        error = f"({given['position']} - {length})" if "position" in given else f"(0 - {length})"
        terms = [f"{self.kp!r}*{error}", f"{self.kv!r}*({given.get('velocity', '0')} - {rate})"]
        if self.ki:
            terms.append(f"{self.ki!r}*{state(within(error, (-self.most, self.most)) if self.most else error)}")
        return " + ".join([*terms, *([given["feedforward"]] if "feedforward" in given else [])])


class WoundMotor:
    """F = K i, with the current  i = (V − K l̇)/R, or with an inductance  di/dt = ((V − K l̇)/R − i)/τ."""

    def __init__(self, gain, bias, dynamics, spec: int):
        self.resistance, self.constant, self.lag = float(gain[0]), float(gain[1]), float(dynamics[0])
        self.inputs = inputs_of(spec)
        self.known = spec == VOLTAGE and not any(gain[2:]) and not any(bias) and not any(dynamics[1:])

    def why_not(self) -> str:
        return "" if self.known else "of a motor its resistance, constant and inductance are modelled, with a voltage"

    def law(self, given: dict[str, str], length: str, rate: str, state: Callable[[str], str]) -> str:
        current = f"(({given['control']} - {self.constant!r}*{rate})/{self.resistance!r})"
        return f"{self.constant!r}*{state(f'({current} - a)/{self.lag!r}') if self.lag else current}"


SERVOS = {"PID": Pid, "DCMOTOR": WoundMotor}  # by the kind of their gain
