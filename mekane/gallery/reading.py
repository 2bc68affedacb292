"""What checks read from a run besides its channels: axes of bodies, angles in a plane."""

import numpy as np

from mekane.model.values.orientation import matrix_from_quaternion


def rotations(run, body: str) -> np.ndarray:
    """R_NB at every sample."""
    return np.array([matrix_from_quaternion(e) for e in np.asarray(run[f"{body}.orientation"])])


def in_body(run, body: str, channel: str) -> np.ndarray:
    """A vector channel of a body in the body's own axes, at every sample."""
    return np.einsum("tij,ti->tj", rotations(run, body), np.asarray(run[f"{body}.{channel}"]))


def plane_angle(body: str):
    """Reader of the angle of a body's x axis in the plane z = 0, turns counted from sample to sample."""

    def read(run):
        x = rotations(run, body)[:, :, 0]
        return np.unwrap(np.arctan2(x[:, 1], x[:, 0]))

    return read


def of_constraint(run, name: str, body: str) -> np.ndarray:
    """The force a constraint exerts on a body, at every sample; world axes."""
    return run.reaction(name, on=body)["force"].values


def energy_lost(run) -> np.ndarray:
    """By how much the balance of energy is off, as a share of the kinetic energy at the start."""
    balance = np.asarray(run.energy["balance"])
    return (balance - balance[0]) / float(run.energy["kinetic"][0])
