"""Kinematics: what a sweep of a drive has found."""

from typing import NamedTuple

import numpy as np

from mekane.analyses.kinematics.named_positions import Attitude, Component, Point, find
from mekane.errors import ModelError
from mekane.model.names import joint_coordinates
from mekane.results.labels import DIMENSION, QUATERNION, XYZ
from mekane.results.printing import Printed, Shown
from mekane.results.quantities import made_continuous

MOST_COLUMNS = 8


class Event(NamedTuple):
    """A particular position met on the way."""

    # "dead point": the drive cannot go on; "toggle": a coordinate turns back; "crossing": another branch crosses this
    # one
    kind: str
    drives: dict  # name → value
    coordinate: str  # that turns back
    value: float | None  # of that coordinate
    lines: tuple  # what stands in line


class Kinematics(Printed):
    """A mechanism at every value of its drive.

    k["rod.position"], k["slider.displacement"] …         positions over the drive (xarray), any named position
    k.velocity_ratio(name), k.acceleration_ratio(name)    rates of it at unit rate of the drive, steady; of an
    orientation, angular velocity k.dead_points, k.toggles, k.crossings                 particular positions: Events
    k.drive, k.drives                                     values of the (first) drive; of all, by name
    k.stopped                                             why the sweep ended before its path, or ""
    k.q                                                   coordinates (samples, coordinates)
    """

    def __init__(self, positions, drives, samples, events, stopped):
        self.positions, self.stopped = positions, stopped
        self.system, self.formulation = positions.described, positions.compiled.formulation
        self._drives, self._samples = drives, samples
        values_of = [[float(np.ravel(one.value(here))[0]) for here, *_ in samples] for one in drives]
        self.drives = {one.name: np.array(values) for one, values in zip(drives, values_of, strict=True)}
        self.drive = self.drives[drives[0].name]
        self.dead_points, self.toggles, self.crossings = (
            [e for e in events if e.kind == kind] for kind in ("dead point", "toggle", "crossing")
        )
        self.q = np.array([here.q for here, *_ in samples])

    def __len__(self):
        return len(self._samples)

    # ---------------------------------------------------------------- by name

    def __getitem__(self, name):
        position = self._find(name)
        values = np.array([position.value(here) for here, *_ in self._samples])
        if position.labels == QUATERNION:
            values = made_continuous(values)
        return self._labelled(position, values, position.units, position.labels, position.name)

    def velocity_ratio(self, name, drive=None):
        """d(name)/d(drive), the other drives standing."""
        return self._ratio(name, drive, 1)

    def acceleration_ratio(self, name, drive=None):
        """d²(name)/d(drive)²: the acceleration at unit, constant rate of the drive."""
        return self._ratio(name, drive, 2)

    def transmission_angle(self, one, joint, other):
        """Angle at a joint between the lines to two other joints, such as coupler and rocker; between 0 and 90 deg
        [rad]."""
        points = [self[f"{name}.point"].values for name in (one, joint, other)]
        a, b = points[0] - points[1], points[2] - points[1]
        sine, cosine = np.linalg.norm(np.cross(a, b), axis=1), np.abs(np.sum(a * b, axis=1))
        return self._over_drive(np.arctan2(sine, cosine), "rad", None, f"transmission angle at {joint}")

    def names(self):
        from mekane.analyses.kinematics.named_positions import catalogue

        return list(catalogue(self.positions.system))

    def _ratio(self, name, drive, order):
        position, k = self._find(name), self._which(drive)
        values = [(position.rate, position.second)[order - 1](here.motion(u[k], w[k])) for here, u, w in self._samples]
        labels = XYZ if isinstance(position, Attitude | Point) else None
        per = {"rad": "rad", "m": "m"}[self._drives[k].units]
        units = f"{'rad' if isinstance(position, Attitude) else position.units}/{per}{'^2' if order == 2 else ''}"
        return self._labelled(position, np.array(values), units, labels, f"{position.name} per {self._drives[k].name}")

    def _which(self, drive):
        names = list(self.drives)
        if drive is None and len(names) > 1:
            raise ModelError(
                "kinematics", "it has several drives", f"one of {', '.join(names)}", f'Write drive="{names[0]}".'
            )
        name = names[0] if drive is None else find(self.positions.system, drive, "kinematics").name
        if name not in names:
            raise ModelError("kinematics", f"{name!r} is not driven", f"driven: {', '.join(names)}")
        return names.index(name)

    def _find(self, name):
        return find(self.positions.system, name, "kinematics")

    def _labelled(self, position, values, units, labels, name):
        body = position.of.body if isinstance(position, Component) else getattr(position, "body", None)
        return self._over_drive(values, units, labels, f"{name}, of body {body!r}" if body else name, position.name)

    def _over_drive(self, values, units, labels, long_name, name=None):
        import xarray

        first = next(iter(self.drives))
        dims = [first if len(self.drives) == 1 else "sample"]
        coords = {one: (dims[0], values_of) for one, values_of in self.drives.items()}
        if labels:
            dims.append(DIMENSION.get(labels, "axis"))
            coords[dims[1]] = list(labels)
        return xarray.DataArray(
            values, coords, dims, None if name in self.drives else name, {"units": units, "long_name": long_name}
        )

    # ---------------------------------------------------------------- outward

    def shown_names(self):
        """Names that a table shows: coordinates of joints that move."""
        moves = lambda name: len(self) and np.ptp(self[name].values) > 1e-12
        return [name for name in joint_coordinates(self.system) if name not in self.drives and moves(name)]

    def shown(self):
        names = self.shown_names()[:MOST_COLUMNS]
        step = max(1, (len(self) - 1) // 20) if len(self) else 1
        columns = [*self.drives.values(), *(x for name in names for x in self._columns(name))]
        headings = [
            *self.drives,
            *(x for name in names for x in ((name, "ratio") if len(self.drives) == 1 else (name,))),
        ]
        rows = [[column[i] for column in columns] for i in range(0, len(self), step)]
        tables = [Shown(f"{self.system.name}: kinematics", headings, rows, self.stopped)]
        events = [*self.dead_points, *self.crossings, *self.toggles]
        if events:
            lines = [
                [
                    e.kind,
                    *e.drives.values(),
                    e.coordinate,
                    "" if e.value is None else f"{e.value:.6g}",
                    "; ".join(e.lines),
                ]
                for e in events
            ]
            tables.append(Shown("particular positions", ["what", *self.drives, "coordinate", "at", "in line"], lines))
        return tables

    def _columns(self, name):
        ratio = [self.velocity_ratio(name).values] if len(self.drives) == 1 else []
        return [self[name].values, *ratio]

    def to_dict(self):
        """Plain data: positions and ratios of everything that has a name and is one number or a point."""
        chosen = [name for name in self.names() if not name.endswith(".centre")]
        ratios = lambda get: {name: {one: get(name, one).values.tolist() for one in self.drives} for name in chosen}
        return {
            "system": self.system.name,
            "drives": {name: values.tolist() for name, values in self.drives.items()},
            "positions": {name: self[name].values.tolist() for name in chosen},
            "velocity_ratios": ratios(self.velocity_ratio),
            "acceleration_ratios": ratios(self.acceleration_ratio),
            "events": [
                event._asdict() | {"lines": list(event.lines)}
                for event in (*self.dead_points, *self.crossings, *self.toggles)
            ],
            "stopped": self.stopped,
        }

    def plot(self, path=None, names=None):
        """Positions and velocity ratios over the drive; into a file if a path is given."""
        from mekane.analyses.kinematics.sweep_plot import plot

        return plot(self, path, names)
