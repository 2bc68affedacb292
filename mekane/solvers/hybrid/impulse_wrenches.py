"""What the impulses of an event do to bodies."""

import numpy as np

from mekane.tables import columns as at


def impulse_wrenches(frames, event, impulses, body):
    """(moment about Bo, force) on every body by the impulses of an event. impulses: components of each, in its own axes;
    body: of the workspace. Real numbers, or complex ones that carry a derivative."""
    found = np.zeros((len(body), 6), np.result_type(body, *impulses))
    p, R = body[:, at.B_P : at.B_P + 3], body[:, at.B_R : at.B_R + 9].reshape(-1, 3, 3)
    for one, components in zip(event.impulses, impulses, strict=True):
        i = frames.row[one.body]
        if one.frame == "body":
            components = R[i] @ np.asarray(frames.axes(one.body, np.eye(3))) @ components
        point = p[i] + R[i] @ np.asarray(frames.point(one.body, one.point))
        for name, sign in ((one.body, 1.0), (one.opposite, -1.0)):
            if name is None:
                continue
            k = frames.row[name]
            if one.is_torque:
                found[k, :3] += sign * components
            else:
                found[k, :3] += sign * np.cross(point - p[k], components)
                found[k, 3:] += sign * components
    return found
