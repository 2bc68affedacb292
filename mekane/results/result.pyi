# Written by docs/make_stubs.py: change the code, then run `make stubs`.

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from numpy import ndarray
from numpy.typing import ArrayLike
from pandas import DataFrame
from xarray import DataArray, Dataset

from mekane.model.constraint import Constraint
from mekane.model.joint import Joint
from mekane.model.system import System
from mekane.model.types import NumberLike
from mekane.results.energies import Energies
from mekane.results.events import Events
from mekane.results.global_error import GlobalError
from mekane.results.health import Health
from mekane.results.load_sharing import LoadSharing
from mekane.results.redundancy import Redundancy
from mekane.results.residuals import Residuals
from mekane.view.render.animation import Animation
from mekane.view.render.picture import Picture

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

    system: System
    info: dict[str, Any]
    t: ndarray
    def __init__(self, system, compiled, record, info, end=None) -> None: ...
    def __getitem__(self, name: str) -> DataArray:
        """A quantity over time as an xarray.DataArray with its unit."""
        ...
    def __contains__(self, name: object) -> bool: ...
    def numbers(self, name: str) -> ndarray:
        """The same as a plain array, (time,) or (time, axis). It is shared: copy it before changing it."""
        ...
    def prepare(self, names: Iterable[str]) -> None:
        """Compute these quantities in one pass over the samples, and keep them: many cost little more than one."""
        ...
    @property
    def events(self) -> Events:
        """What has happened: time, event, what changed, impulses in joints, energy before and after."""
        ...
    def names(self) -> list[str]:
        """Every name that can be requested; those of vectors also with .x, .y, .z behind, quaternions with .e1 …
        .e4.
        """
        ...
    def units(self, name: str) -> str: ...
    def labels(self, name: str) -> tuple[str, ...] | None:
        """Labels of the components of a vector or quaternion; None for a single number."""
        ...
    def follows_from_state(self, name: str) -> bool:
        """True if no forces have to be computed for it."""
        ...
    @property
    def kinematics(self):
        """Positions and velocities of bodies and joints at all samples: the methods of
        results.sampled_kinematics.SampledKinematics.
        """
        ...
    @property
    def loads(self):
        """Accelerations and forces at all samples: the methods of results.sampled_loads.Loads."""
        ...
    @property
    def energies(self) -> Energies:
        """Energies as plain arrays (results.energies)."""
        ...
    @property
    def residuals(self) -> Residuals:
        """Residuals as plain arrays (results.residuals)."""
        ...
    @property
    def redundancy(self) -> Redundancy:
        """Which constraints repeat others (results.redundancy)."""
        ...
    @property
    def sharing(self) -> LoadSharing:
        """How members share loads that are not unique (results.load_sharing)."""
        ...
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
        ...
    def is_unique(self, joint: str | Joint | Constraint) -> bool:
        """True if the equations of rigid bodies determine the reaction of this joint or constraint."""
        ...
    @property
    def energy(self) -> Dataset:
        """Dataset: kinetic, potential, work, balance (= T + V − W, constant), and each potential and work by itself
        [J].
        """
        ...
    @property
    def momentum(self) -> Dataset:
        """Dataset: linear and angular momentum."""
        ...
    @property
    def residual(self) -> Dataset:
        """Dataset: by how much joints are open and how fast they open, the largest and for each joint."""
        ...
    @property
    def error(self) -> GlobalError:
        """The estimated global error (results.global_error.GlobalError): the run is repeated for it when it is first
        requested.
        """
        ...
    @property
    def known_error(self) -> GlobalError | None:
        """The estimate as far as it was made, now or before the run was saved; None if it was not."""
        ...
    @property
    def health(self) -> Health:
        """Whether to trust the run and why: a paragraph, with .ok and the numbers behind it. The error of a small run
        is estimated.
        """
        ...
    @property
    def known_health(self) -> Health:
        """The same at once: the error is judged if it is known, and is not estimated."""
        ...
    def to_pandas(self, names: str | Iterable[str] | None = None) -> DataFrame:
        """A DataFrame of these quantities and formulas (default: all that follows from the state), over time; vectors
        have a column for each component. attrs["units"] has the unit of each column.
        """
        ...
    def to_xarray(self, names: Iterable[str] | None = None) -> Dataset:
        """A Dataset of these quantities (default: all)."""
        ...
    def state(self, t=None):
        """The state at the time of a sample, to be used by other analyses: mk.linearize(s, at=run.state(3.0)).

        t: time of a sample [s]; by default the last one. The answer has values by name, discrete (inputs, variables and
            what is active) and system: with its bodies where they are then, and with what is active then.
        """
        ...
    def verify(self, progress=None):
        """Repeat a run with tolerances a hundred times tighter (a fixed step: by the automatic method) in another
        formulation.

        Returns a Verification. progress: as in mk.simulate.
        """
        ...
    def resume(
        self,
        t_end: NumberLike,
        *,
        every: NumberLike | Sequence[float] | ArrayLike | None = None,
        progress: Callable[[float, float], Any] | bool | None = None,
    ) -> Result:
        """The same run to a later time: it goes on as one run to that time would have gone, with all that has happened.

        Parameters:
            run: of mk.simulate, or from a file (mk.load). It stays as it is.
            t_end: end of the motion [s], counted from the same start.
            every: time between samples from here on [s], or a list of times; by default as before.
            progress: as in mk.simulate.

        Returns:
            Result: of the whole motion, from t = 0 on. A run that an event has ended (stop=True, until=) goes on past it;
                one that Ctrl-C has stopped goes on with the rest.

        Example:
            from mekane import gallery
            run = mk.simulate(gallery.find("pendulum").system(), 1.0, every=0.01)
            assert run.resume(2.0) == mk.simulate(run.system, 2.0, every=0.01)
        """
        ...
    def save(self, path, quantities=None):
        """Write a run to a file of the kind that its name ends in: .nc (NetCDF, which mk.load reads again), .csv (a table),
        .txt (a report), and what installed packages add.

        quantities: names ("arm.angle", …) to put in: besides the state in NetCDF, for other programs; as the columns of a
            table.
        """
        ...
    def to_csv(self, path, columns=None):
        """Write time and these quantities; a vector takes a column for each component.

        columns: names such as "arm.angle", "ball.position" or "ball.position.z"; default: all that follows from the state
            without forces. Numbers are written so that reading them back gives the same ones.
        """
        ...
    def report(self, path=None, columns=None, lines=21):
        """The listing as text; with `path`, also written there.

        columns: quantities of the results table (default: joint coordinates; of a model that has none, positions).
        lines: about so many samples are shown, evenly spread; None shows all.
        """
        ...
    def _repr_html_(self):
        """Health, and the first of what is drawn by run.plot() as small plots."""
        ...
    def plot(self, *names, path=None, against=None):
        """Quantities over time: numbers of one unit share a panel, a vector has its own. Returns the figure, written to
        `path` if given.

        names: as run[…] knows them; without any, the joint coordinates.  against: another run, or {"label": run, …}, drawn
            beside this one.
        """
        ...
    def plot_phase(self, name, path=None):
        """The rate of a quantity over the quantity itself; ● is where the run begins. Returns the figure, written to `path`
        if given.
        """
        ...
    def spectrum(self, name, window="hann"):
        """How much of each frequency is in a quantity, the mean left out: .frequency, .components, .peaks, .plot().

        window: "hann", "flattop" (amplitudes are exact, peaks wide) or "none".
        """
        ...
    def plot_spectrum(self, name, path=None, window="hann", log=True):
        """Amplitude over frequency, the mean left out, the largest peaks named.  window: "hann", "flattop" (amplitudes are
        exact, peaks wide) or "none".  log: powers of ten.

        Returns the figure, written to `path` if given.
        """
        ...
    def plot_energy(self, path=None, each=False):
        """The ledger of energy: kinetic, potential, less work, and their sum, which stays; below, by how much it does not.

        each=True draws every store of potential energy and the work of every element by itself. Returns the figure, written
        to `path` if given.
        """
        ...
    def plot_residual(self, path=None):
        """By how much joints and constraints are open, and how fast they open, on a scale of powers of ten. Returns the
        figure.
        """
        ...
    def plot_reactions(self, joint, path=None, **options):
        """Force and moment in a joint, or of a constraint, by components and as a whole. Returns the figure, written to
        `path` if given.

        options: on, axes and at, as run.reaction has them.
        """
        ...
    def save_html(self, path, plots=None, most=1000):
        """Write the page of a run. plots: names to be plotted at first; joint coordinates unless given. most: frames."""
        ...
    def picture(self, path=None, t=None, size=(800, 600), ghost=False, traces=()) -> Picture:
        """The mechanism at time t (default: the start), written to `path` (.png) if given; notebooks show it.

        size: pixels across and down.  ghost: the start, pale.  traces: names of bodies, or (body, point): paths of their
            points.
        """
        ...
    def animation(
        self,
        path,
        *,
        fps=25,
        size=(640, 480),
        speed=None,
        seconds=None,
        ghost=False,
        traces=(),
        most=600,
        progress=None,
    ) -> Animation:
        """Write the motion as .gif, .mp4 (where ffmpeg is there), .webp or .png (APNG). Returns what was written.

        speed: 1 is real time, which is the rule; motions below a second are slowed down, those that are too long for `most`
            frames go faster.
        seconds: how long the film is to be, instead of speed.  ghost, traces: as for run.picture.  progress: as in
            mk.simulate. Ctrl-C keeps what was drawn so far.
        """
        ...
    def view(self, plots=None, port=8150, open=True):
        """Show a run in the browser; this returns at once, and what it returns can wait() or close(). In a notebook it is
        shown there.

        plots: names to be plotted at first, joint coordinates unless given. port: the next free one is taken if it is busy.
        """
        ...
    def __eq__(self, other):
        """The same model, the same state at the same times."""
        ...
