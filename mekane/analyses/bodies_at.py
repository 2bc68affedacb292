"""Where the bodies are at a state: axes and origins of the users' frames."""

from mekane.algebra.kernel import plain
from mekane.compile import layout as at
from mekane.kernels.motion import move


def poses_at(compiled, q, u):
    """body → (R, p), world axes."""
    T, W = compiled.tables, compiled.workspace()
    plain(move)(T.body_i, T.body_f, T.block_i, T.block_f, T.speed_kind, q, u, W.body, W.speed)
    found = {}
    for link in compiled.links:
        i = compiled.frames.row[link.body]
        R, p = W.body[i, at.B_R : at.B_R + 9].reshape(3, 3), W.body[i, at.B_P : at.B_P + 3]
        found[link.body] = R @ compiled.frames.R_BU[i], p + R @ compiled.frames.point(link.body, (0.0, 0.0, 0.0))
    return found
