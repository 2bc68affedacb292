"""Specialised code in a run: whether a model can have it, when it pays, and putting it in place of the loops.

    code="auto"          by the loops; after FIRST steps code is made for the model, if the rest of the run looks long
    enough code="specialised"   from the start, whatever it costs
    code="loops"         by the loops

What looks long is judged by counts of steps, speeds and rows, never by a clock: the same run gives the same numbers
every time. What has no expression (Python functions) and embedded constraints stay with the loops; the notes of a run
say so.
"""

import math

from mekane.errors import ModelError
from mekane.solvers.specialised.choice import find_code
from mekane.tables.handle import INERTIAS, KINEMATICS, PROJECTION_STEP, RHS

FIRST = 50  # steps by the loops, before the rest of a run is judged
# operations of one evaluation: more take long to compile and no longer fit where the processor wants its code
LARGEST = 40_000
ENTRIES = {"rhs": RHS, "kinematics": KINEMATICS, "inertias": INERTIAS, "projection_step": PROJECTION_STEP}
LONGEST_TREE = 15  # speeds: where no loops are closed, code for more is hardly faster
BY_SPEED, BY_ROW = 0.12e-6, 0.4e-6  # seconds of an evaluation by the loops, about
MAKING = 0.04  # seconds for each speed, about
WORTH = 4.0  # so many times longer than making the code the rest of a run must look


class HandOver:
    """The code a solver runs by. made: code of this model that is there already; then it is used from the start."""

    def __init__(self, wanted, made=None):
        self.wanted, self.made, self.used, self.reason = find_code(wanted), made, None, ""
        self.judged = wanted == "loops"
        self.rows = None  # the active rows that the code was made for

    def start(self, solver):
        """At the start of a run."""
        self._find_loops(solver)
        if self.wanted == "specialised" or (self.wanted == "auto" and self.made is not None):
            self.judged = True
            self.use(solver)

    def _find_loops(self, solver):
        self.loops = {name: int(solver.handle.header[which]) for name, which in ENTRIES.items()}

    def judge(self, solver, rest):
        """After the first steps: about so many evaluations are still to come."""
        compiled = solver.compiled
        seconds = rest * (BY_SPEED * compiled.n_u + BY_ROW * compiled.n_rows)
        if (compiled.n_rows or compiled.n_u <= LONGEST_TREE) and seconds > WORTH * MAKING * compiled.n_u:
            self.use(solver)
        self.judged = True  # last: interrupted before, it is judged again

    def judge_again(self):
        """A run goes on to a later time: the rest of it may be long enough."""
        self.judged = self.wanted == "loops" or self.used is not None or bool(self.reason)

    def worth_after(self, compiled):
        """Evaluations of a stepping by hand, whose end nobody knows, after which code is made: those still to come are
        expected to be as many. Infinite where that is decided."""
        seconds = BY_SPEED * compiled.n_u + BY_ROW * compiled.n_rows
        fits = compiled.n_u > 0 and (compiled.n_rows or compiled.n_u <= LONGEST_TREE)
        if self.wanted != "auto" or self.used is not None or self.reason or not fits:
            return math.inf
        return WORTH * MAKING * compiled.n_u / seconds

    def use(self, solver, rows=None):
        """Make the code for these rows (default: those now active), if that can be done, and put it in place of the
        loops."""
        active, state = rows or (solver.workspace.active.copy(), solver.workspace.state.copy())
        like = solver.workspace._replace(active=active, state=state)
        try:
            refuse(solver)
            if self.made is None or not self.made.fits(like):
                self.made = make(solver.compiled, like, self.loops)
        except ModelError as error:
            self.reason = error.problem
            return
        self.used, self.rows = self.made, (active, state)
        for name, address in self.used.addresses().items():
            solver.handle.header[ENTRIES[name]] = address

    def put_loops_back(self, solver):
        """As at the start, before code was made."""
        self.used = self.rows = None
        for name, address in self.loops.items():
            solver.handle.header[ENTRIES[name]] = address

    def values(self):
        """What a saved state contains of it, besides `arrays`."""
        return dict(wanted=self.wanted, judged=self.judged, reason=self.reason)

    def arrays(self):
        return {} if self.rows is None else {"code.active": self.rows[0], "code.state": self.rows[1]}

    def restore(self, solver, values, arrays):
        """The same code as in the solver whose state this is."""
        self.judged, self.reason = values["judged"], values["reason"]
        self._find_loops(solver)
        if "code.active" in arrays:
            self.use(solver, (arrays["code.active"], arrays["code.state"]))

    def facts(self):
        """For health and report."""
        return dict(code="specialised" if self.used else "loops")

    def notes(self):
        if self.used is not None:
            return [f"code was made for this model: {self.used.operations['rhs']} operations for each evaluation"]
        return [f"no code was made for this model: {self.reason}"] if self.reason else []


def make(compiled, workspace, loops):
    """Specialised code of the right-hand side, and of the projection where there is one. loops: {name: address} of the
    same entries."""
    from mekane.codegen.specialise import right_hand_side
    from mekane.codegen.specialised_code import Specialised
    from mekane.solvers.specialised.projection import can_project, kinematics_with_guards, projections

    if 400 * len(compiled.links) > LARGEST:
        raise ModelError(
            "code", f"{len(compiled.links)} bodies are too many", f"code is made for about {LARGEST // 400}"
        )
    traced = lambda: [
        right_hand_side(compiled, workspace),
        *(projections(compiled, workspace) if can_project(compiled, workspace) else []),
        *([kinematics_with_guards(compiled, workspace)] if len(compiled.tables.contact_i) else []),
    ]
    return Specialised(traced, loops, most=LARGEST)


def refuse(solver):
    """What cannot have specialised code."""
    if solver.constraints == "embedded":
        raise ModelError("code", "embedded constraints are met by the loops")
    if solver.compiled.program.callbacks:
        raise ModelError("code", "a Python function that has no expression is called in every step")
