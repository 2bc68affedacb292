"""A tree in a plane: bodies that no joint connects to their parent translate in the plane and rotate about its normal.
[C] section 5"""

import numpy as np

from mekane.formulations.tree import Tree, X, Y, Z
from mekane.model.joint import rotation, translation
from mekane.model.plane import plane_axes

PLANAR_PRIMITIVES = (translation(X), translation(Y), rotation(Z))


def flattened(system, tree):
    return Tree([link if link.joint else in_plane(system, link) for link in tree.links], tree.cut)


def in_plane(system, link):
    """The same body on the same parent, with three speeds; axes of F and M are those of the plane in the initial
    positions."""
    axes, n = plane_axes(system.plane), plane_axes(system.plane)[:, 2]
    parent = system.ground if link.parent == "ground" else system.bodies[link.parent]
    body = system.bodies[link.body]
    height = n @ (body.position + body.R_NB @ link.p_BM - parent.position - parent.R_NB @ link.p_PF)
    rotates = any(primitive.kind != "translation" for primitive in link.primitives)
    return link._replace(
        primitives=PLANAR_PRIMITIVES if rotates else PLANAR_PRIMITIVES[:2],
        p_PF=link.p_PF + parent.R_NB.T @ (height * n),
        R_PF=parent.R_NB.T @ axes,
        R_BM=np.asarray(body.R_NB).T @ axes,
    )
