"""Names of what is in an MJCF model as names of parts. There each kind has names of its own, here all share one name space."""

from mekane.importers.urdf.names import PartNames


class ModelNames(PartNames):
    """Names of joints, bodies and sites by their number in the model, and names that are still free."""

    def __init__(self, mujoco, model):
        self.taken, self.notes = set(), []
        given = lambda kind, i: mujoco.mj_id2name(model, getattr(mujoco.mjtObj, f"mjOBJ_{kind}"), i) or ""
        self.given = given
        bodies = [given("BODY", i) or f"body {i}" for i in range(model.nbody)]
        self.joints = [self.of("JOINT", i, "joint", f"{bodies[model.jnt_bodyid[i]]} joint") for i in range(model.njnt)]
        self.sites = []  # of their markers, as they are added
        self.bodies = ["ground", *(self.of("BODY", i, "body", f"body {i}") for i in range(1, model.nbody))]

    def of(self, kind: str, i: int, what: str, otherwise: str) -> str:
        """The name of a part: its own, or this one if it has none. Changes of given names are remarked."""
        name = self.given(kind, i)
        return self.unique(name, what, f"{name} {what}") if name else self.free(otherwise.replace(".", "_"))
