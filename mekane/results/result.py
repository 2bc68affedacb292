"""Result: what a run holds, the state at the sampled times, and lazy methods for everything that follows from it."""

from __future__ import annotations

from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from mekane.errors import ModelError, did_you_mean, many
from mekane.model.interface.lazy import lazy_method
from mekane.results import quantities
from mekane.results.derived import Derived, derived, is_formula, output
from mekane.results.labels import labelled

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from numpy import ndarray
    from pandas import DataFrame
    from xarray import DataArray, Dataset

    from mekane.model.constraint import Constraint
    from mekane.model.joint import Joint
    from mekane.model.system import System
    from mekane.results.energies import Energies
    from mekane.results.events import Events
    from mekane.results.global_error import GlobalError
    from mekane.results.health import Health
    from mekane.results.load_sharing import LoadSharing
    from mekane.results.redundancy import Redundancy
    from mekane.results.residuals import Residuals

AHEAD_NUMBERS = 1 << 22  # computed at most besides what was requested


class Result:
    """A motion. Only the state at the sampled times is stored; all else is computed on demand, and kept.

    run.t                                times [s]
    run["body.position"], run["joint.angle"], run["joint.angle.rate"], run["body.position.x"] …   labelled arrays;
    run["2*p.angle + q.angle"]           a formula of them, in the language of laws
    run.names() lists them run.reaction("joint")                force and moment in a joint
    run.energy, run.momentum             energies, work, momentum
    run.residual, run.redundancy         how well joints close, which constraints repeat others
    run.error                            estimated errors of positions, orientations and velocities; how many digits are
    right run.health                           whether to trust it
    run.state(3.0)                       the state at the time of a sample, for other analyses
    run.verify()                         the run repeated more accurately, in another formulation: the digits that agree
    run.resume(20.0)                     the same run to a later time
    run.save("x.nc"), run.to_csv("x.csv"), run.report(), run.to_xarray(), run.to_pandas()
    run.save_html("x.html")              a page that plays it, in one file
    run.plot("joint.angle", path="x.png"), run.plot_phase("joint.angle"), run.plot_spectrum("joint.angle")
    run.spectrum("joint.angle")          amplitudes over frequency: .peaks, .plot()
    run.plot_reactions("joint"), run.plot_energy(), run.plot_residual()
    """

    def __init__(self, system, compiled, record, info, end=None):
        self.system: System = system
        self.compiled, self.record = compiled, record
        self.info: dict[str, Any] = dict(info)
        self.t: ndarray = record.t
        self.end = end  # the state of the solver from which it can go on; as bytes, if it was read from a file
        self._numbers, self._of_part, self._passes, self._health, self._formulas = {}, {}, {}, {}, {}

    def __getstate__(self):
        """What follows from the rest is left out of copies and files: it is computed again."""
        kept = {
            field: value
            for field, value in vars(self).items()
            if not isinstance(getattr(Result, field, None), cached_property)
        }
        return kept | {"_numbers": {}, "_of_part": {}, "_passes": {}, "_formulas": {}}

    # ---------------------------------------------------------------- by name

    def __getitem__(self, name: str) -> DataArray:
        """A quantity over time as an xarray.DataArray with its unit."""
        quantity, labels = self._find(name)
        return labelled(self.t, self.numbers(name), quantity.units, self._long_name(name, quantity), labels, name)

    def __contains__(self, name: object) -> bool:
        try:
            self._find(name)
        except ModelError:
            return False
        return True

    def numbers(self, name: str) -> ndarray:
        """The same as a plain array, (time,) or (time, axis). It is shared: copy it before changing it."""
        if name not in self._numbers:
            quantity, labels = self._find(name)
            if isinstance(quantity.compute, Derived):
                self.prepare([name])
            elif labels == quantity.labels:
                self.prepare([name, *self._ahead(name, quantity)])
            else:
                base, _, label = name.rpartition(".")
                self._numbers[name] = self.numbers(base)[:, quantity.labels.index(label)]
        return self._numbers[name]

    def prepare(self, names: Iterable[str]) -> None:
        """Compute these quantities in one pass over the samples, and keep them: many cost little more than one."""
        formulas = {name: self._find(name)[0].compute for name in names if name not in self._numbers}
        formulas = {name: formula for name, formula in formulas.items() if isinstance(formula, Derived)}
        channels = [name for formula in formulas.values() for name in formula.names if name in self]
        outputs = [name for name in channels if name in self.system.outputs]
        if outputs:
            self.prepare(outputs)
        plain = [name for name in (*names, *channels) if name not in formulas and name not in outputs]
        self._compute(plain)
        for name, formula in formulas.items():
            self._numbers[name] = formula.over(self)
            self._numbers[name].setflags(write=False)

    def _compute(self, names):
        """Quantities that are no formulas of others, in one pass over the samples."""
        from mekane.results.samples import over_samples

        found = {
            name: self._find(name)[0] for name in dict.fromkeys(map(self._whole, names)) if name not in self._numbers
        }
        values = over_samples(self, *(quantity.compute for quantity in found.values())) if found else ()
        for (name, quantity), numbers in zip(found.items(), values, strict=True):
            self._numbers[name] = quantity.finish(numbers) if quantity.finish else numbers
            self._numbers[name].setflags(write=False)

    def _whole(self, name):
        """The quantity that a component belongs to; of any other name itself."""
        quantity, labels = self._find(name)
        return name if labels == quantity.labels else name.rpartition(".")[0]

    def _ahead(self, name, quantity):
        """Names that are likely requested next: the same quantity of the parts that follow, of more of them each time,
        as memory allows."""
        owner, group = self._group_of(name)
        field = name[len(owner) + 1 :]
        passes = self._passes[field] = self._passes.get(field, -1) + 1
        most = AHEAD_NUMBERS // max(1, len(self.t) * len(quantity.labels or "1"))
        following = islice(group, group.get(owner, 0) + 1, None)
        return [
            name for name in islice((f"{part}.{field}" for part in following), min(2**passes - 1, most)) if name in self
        ]

    def _group_of(self, name):
        """The part that a quantity is of, and the group of that part: its name → number."""
        for owner in (name.rpartition(".")[0], name.partition(".")[0]):
            for group in self._groups:
                if owner in group:
                    return owner, group
        return owner, {}

    @cached_property
    def _groups(self):
        """Of joints, bodies, forces, constraints and elements of contact laws: name → its number."""
        system = self.system
        elements = [element for law in system.contact_laws.values() for element in law.ids(system)]
        groups = (system.joints, system.bodies, system.forces, system.constraints, elements)
        return [{name: number for number, name in enumerate(group)} for group in groups]

    @cached_property
    def events(self) -> Events:
        """What has happened: time, event, what changed, impulses in joints, energy before and after."""
        from mekane.results.events import Events

        return Events(self.info.get("events", ()))

    def names(self) -> list[str]:
        """Every name that can be requested; those of vectors also with .x, .y, .z behind, quaternions with .e1 …
        .e4."""
        return [*(name for name, quantity in self._catalogue.items() if quantity.listed), *self.system.outputs]

    def units(self, name: str) -> str:
        return self._find(name)[0].units

    def labels(self, name: str) -> tuple[str, ...] | None:
        """Labels of the components of a vector or quaternion; None for a single number."""
        return self._find(name)[1]

    def follows_from_state(self, name: str) -> bool:
        """True if no forces have to be computed for it."""
        return self._find(name)[0].state

    @cached_property
    def _catalogue(self):
        return quantities.catalogue(self)

    def _find(self, name):
        """The quantity behind a name, and the labels of what is requested (None: one number)."""
        known = self._quantities(str(name).partition(".")[0])
        if name in known:
            return known[name], known[name].labels
        if name in self.compiled.discrete:
            return quantities.discrete_quantity(self, name), None
        base, _, label = str(name).rpartition(".")
        if base in known and label in (known[base].labels or ()):
            return known[base], None
        if name in self.system.outputs:
            return self._formula(name, output), None
        component = quantities.orientation_component(self.system, str(name))
        if component is not None:
            return component, None
        if isinstance(name, str) and is_formula(self, name):
            return self._formula(name), None
        raise self._unknown(name)

    def _formula(self, text, quantity_of=derived):
        if text not in self._formulas:
            self._formulas[text] = quantity_of(self, text)
        return self._formulas[text]

    def _quantities(self, owner):
        """Those of one part, or the speed of that name: a model may have very many parts."""
        if owner in self.system.own_speeds:
            return self._catalogue
        if owner not in self._of_part:
            self._of_part[owner] = quantities.quantities_of(self, owner)
        return self._of_part[owner]

    def _unknown(self, name):
        owner = str(name).partition(".")[0]
        same = [known for known in self.names() if known.startswith(f"{owner}.")]
        if same:
            expected = f"{owner!r} has {', '.join(known.partition('.')[2] for known in same)}"
        else:
            expected = f"the model has {_some([*quantities.parts_of(self.system), *self.system.outputs])}"
        whole = same and name == owner  # a part was named, not a quantity of it
        remedy = f"Write {same[0]!r}." if whole else self._meant(str(name), owner, same)
        return ModelError("result", f"there is no {name!r}", expected, remedy)

    def _meant(self, name, owner, same):
        """What a name may stand for: a quantity of its part, reactions among them, or else another part."""
        known = [*same, *(one for one in self._quantities(owner) if one not in same)] if same else self.names()
        return (
            did_you_mean(name, known) or ("" if same else did_you_mean(owner, quantities.parts_of(self.system)))
        ).strip()

    def _long_name(self, name, quantity):
        return quantity.long_name if name == self._whole(name) else f"{name.rpartition('.')[2]} of {quantity.long_name}"

    # ---------------------------------------------------------------- what follows from the state

    @cached_property
    def kinematics(self):
        """Positions and velocities of bodies and joints at all samples: the methods of
        results.sampled_kinematics.SampledKinematics."""
        from mekane.results.samples import Throughout

        return Throughout(self, "kinematics")

    @cached_property
    def loads(self):
        """Accelerations and forces at all samples: the methods of results.sampled_loads.Loads."""
        from mekane.results.samples import Throughout

        return Throughout(self, "loads")

    @cached_property
    def energies(self) -> Energies:
        """Energies as plain arrays (results.energies)."""
        from mekane.results.energies import Energies

        return Energies(self)

    @cached_property
    def residuals(self) -> Residuals:
        """Residuals as plain arrays (results.residuals)."""
        from mekane.results.residuals import Residuals

        return Residuals(self)

    @cached_property
    def redundancy(self) -> Redundancy:
        """Which constraints repeat others (results.redundancy)."""
        from mekane.results.redundancy import redundancy_at

        few = np.unique(np.linspace(0, len(self.t) - 1, 4).astype(int)) if len(self.t) else []
        return redundancy_at(self.compiled, *(self.record.y[i, : self.compiled.n_q + self.compiled.n_u] for i in few))

    @cached_property
    def sharing(self) -> LoadSharing:
        """How members share loads that are not unique (results.load_sharing)."""
        from mekane.results.load_sharing import LoadSharing

        return LoadSharing(self)

    # ---------------------------------------------------------------- about the motion

    def reaction(
        self, joint: str | Joint | Constraint, on: str | None = None, axes: str = "world", at: str = "b"
    ) -> Dataset:
        """Force [N] and moment [N m] that a joint exerts, as a Dataset over time; what constrains, not motors or
        springs on the joint.

        on: the body it acts on, by name, or "a" or "b" (default b).  axes: "world", "joint" (those of frame F on a) or
            a body's name.
        at: the point the moment is about: the joint's point on b (default) or on a.  attrs["unique"] is 0 if it is not
            unique: then it is the least share of all that balance the bodies, the same in every formulation. Of a
            constraint: its force on a body, about its own point (a contact, an end), with the multiplier of each of its
            equations.
        """
        from mekane.results.reactions import reaction

        return reaction(self, joint, on, axes, at)

    def is_unique(self, joint: str | Joint | Constraint) -> bool:
        """True if the equations of rigid bodies determine the reaction of this joint or constraint."""
        from mekane.results.reactions import joint_of

        name = getattr(joint, "name", joint)
        name = name if name in {**self.system.constraints, **self.system.contact_laws} else joint_of(self, joint).name
        if name in self.system.contact_laws:
            shared = self.info.get("contacts", {}).get("shared", ())
            return not any(one == name or one.startswith(f"{name}.") for one in shared)
        return name not in self.redundancy.not_unique

    @cached_property
    def energy(self) -> Dataset:
        """Dataset: kinetic, potential, work, balance (= T + V − W, constant), and each potential and work by itself
        [J]."""
        from mekane.results.energies import energy

        return energy(self)

    @cached_property
    def momentum(self) -> Dataset:
        """Dataset: linear and angular momentum."""
        from mekane.results.energies import momentum

        return momentum(self)

    @cached_property
    def residual(self) -> Dataset:
        """Dataset: by how much joints are open and how fast they open, the largest and for each joint."""
        from mekane.results.residuals import residual

        return residual(self)

    @property
    def error(self) -> GlobalError:
        """The estimated global error (results.global_error.GlobalError): the run is repeated for it when it is first
        requested."""
        from mekane.analyses.global_error import global_error

        if self.known_error is None:
            self.known_error = global_error(self)
        return self.known_error

    @cached_property
    def known_error(self) -> GlobalError | None:
        """The estimate as far as it was made, now or before the run was saved; None if it was not."""
        from mekane.results.global_error import GlobalError

        return GlobalError.from_dict(self.info["error"]) if "error" in self.info else None

    @property
    def health(self) -> Health:
        """Whether to trust the run and why: a paragraph, with .ok and the numbers behind it. The error of a small run
        is estimated."""
        from mekane.analyses.global_error import is_small

        if self.known_error is None and is_small(self):
            self.known_error = self.error
        return self.known_health

    @property
    def known_health(self) -> Health:
        """The same at once: the error is judged if it is known, and is not estimated."""
        from mekane.results.health import health

        key = self.known_error is not None
        if key not in self._health:
            self._health[key] = health(self)
        return self._health[key]

    # ---------------------------------------------------------------- outward

    def to_pandas(self, names: str | Iterable[str] | None = None) -> DataFrame:
        """A DataFrame of these quantities and formulas (default: all that follows from the state), over time; vectors
        have a column for each component. attrs["units"] has the unit of each column."""
        from mekane.exporters.csv import default_columns, table

        return _frame(self, *table(self, default_columns(self) if names is None else _listed(names)))

    def to_xarray(self, names: Iterable[str] | None = None) -> Dataset:
        """A Dataset of these quantities (default: all)."""
        import xarray

        chosen = self.names() if names is None else list(names)
        self.prepare(chosen)
        return xarray.Dataset({name: self[name] for name in chosen}, attrs={"system": self.system.name})

    state = lazy_method("mekane.analyses.state.motion_state", "state")
    verify = lazy_method("mekane.analyses.verify", "verify")
    resume = lazy_method("mekane.analyses.resume", "resume")
    save = lazy_method("mekane.exporters", "save")
    to_csv = lazy_method("mekane.exporters.csv", "to_csv")
    report = lazy_method("mekane.exporters.report", "report")

    _repr_html_ = lazy_method("mekane.view.web.notebook", "result_html")
    plot = lazy_method("mekane.view.plots.plot", "plot")
    plot_phase = lazy_method("mekane.view.plots.phase", "plot_phase")
    spectrum = lazy_method("mekane.view.plots.spectrum", "spectrum_of_run")
    plot_spectrum = lazy_method("mekane.view.plots.spectrum", "plot_spectrum")
    plot_energy = lazy_method("mekane.view.plots.balances", "plot_energy")
    plot_residual = lazy_method("mekane.view.plots.balances", "plot_residual")
    plot_reactions = lazy_method("mekane.view.plots.balances", "plot_reactions")
    save_html = lazy_method("mekane.view.web.saved_page", "save_html")
    picture = lazy_method("mekane.view.render.picture", "picture")
    animation = lazy_method("mekane.view.render.animation", "animation")
    view = lazy_method("mekane.view.web.viewer", "view")

    def __eq__(self, other):
        """The same model, the same state at the same times."""
        if not isinstance(other, Result):
            return NotImplemented
        arrays = all(np.array_equal(a, b) for a, b in zip(self.record, other.record, strict=True))
        same_model = (
            self.compiled.formulation == other.compiled.formulation and self.system.to_dict() == other.system.to_dict()
        )
        return arrays and same_model and without_error(self.info) == without_error(other.info)

    __hash__ = None

    def __repr__(self):
        span = f"{many(len(self.t), 'sample')}, {self.t[0]:g} … {self.t[-1]:g} s" if len(self.t) else "no samples"
        return f"Result of {self.system.name!r}: {span}; run.names() lists what it can report"


def _listed(names):
    return [names] if isinstance(names, str) else list(names)


def _frame(run, columns, values):
    """Columns and numbers, time first, as a DataFrame with time as its index."""
    import pandas

    frame = pandas.DataFrame(values[:, 1:], pandas.Index(values[:, 0], name="t"), columns[1:])
    frame.attrs = {"system": run.system.name, "units": {name: run.units(name) for name in columns[1:]}}
    return frame


def without_error(info):
    """How a run went, without the estimate of its error, which may have been made of one and not of another."""
    return {field: value for field, value in info.items() if field != "error"}


def _some(names, most=12):
    return ", ".join(names[:most]) + (" …" if len(names) > most else "")
