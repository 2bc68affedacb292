"""Why a surface encloses no volume: edges that are open, faces that are turned inwards."""

import numpy as np

from mekane.model.geometry.meshes.integrals import integrals
from mekane.model.geometry.meshes.surface import Surface


def defect(surface: Surface) -> str:
    """What is wrong with a merged surface; "" if it is closed and its faces are turned outwards."""
    if len(surface.faces) < 4:
        return f"it has {len(surface.faces)} triangles, and at least 4 enclose a volume"
    unmatched, twofold = unmatched_edges(surface.faces)
    if unmatched - twofold:
        return f"it is open: {unmatched - twofold} of its edges have a triangle on one side only"
    if twofold:
        return f"the normals of neighbouring triangles are opposite at {twofold} of its edges"
    return _turned_inwards(surface)


def unmatched_edges(faces: np.ndarray) -> tuple[int, int]:
    """How many edges are not passed as often in the one direction as in the other, and how many of these are passed an
    even number of times: there all triangles have a neighbour, turned the wrong way round."""
    begin, end = faces.ravel(), np.roll(faces, -1, axis=1).ravel()
    low, high = np.minimum(begin, end), np.maximum(begin, end)
    keys, number = np.unique(low * (int(faces.max()) + 1) + high, return_inverse=True)
    balance = np.bincount(number.ravel(), np.where(begin < end, 1, -1), len(keys)) != 0
    even = np.bincount(number.ravel(), minlength=len(keys)) % 2 == 0
    return int(balance.sum()), int((balance & even).sum())


def _turned_inwards(surface: Surface) -> str:
    """Of each part that hangs together: a cavity lies inside another part, anything else has a positive volume."""
    parts = shells(surface)
    volumes = [integrals(part).volume for part in parts]
    boxes = [(p.min(axis=0), p.max(axis=0)) for p in (part.vertices[np.unique(part.faces)] for part in parts)]
    outside = [box for box, volume in zip(boxes, volumes, strict=True) if volume > 0.0]
    inverted = [
        box
        for box, volume in zip(boxes, volumes, strict=True)
        if volume < 0.0 and not any(np.all(low <= box[0]) and np.all(box[1] <= high) for low, high in outside)
    ]
    if inverted:
        some = f"{len(inverted)} of its {len(parts)} parts have normals that point inwards"
        return "all of its normals point inwards" if len(inverted) == len(parts) else some
    return "" if sum(volumes) > 0.0 else "it encloses no volume"


def shells(surface: Surface) -> list[Surface]:
    """Parts that hang together by their vertices."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    a, b, c = surface.faces.T
    n = len(surface.vertices)
    rows, columns = np.concatenate([a, b]), np.concatenate([b, c])
    count, label = connected_components(coo_array((np.ones(len(rows), bool), (rows, columns)), shape=(n, n)), False)
    of_face = label[a]
    order = np.argsort(of_face, kind="stable")
    ends = np.cumsum(np.bincount(of_face, minlength=count))[:-1]
    return [Surface(surface.vertices, surface.faces[some]) for some in np.split(order, ends) if len(some)]
