"""Meshes for tests: corners and faces of solids written by hand, and files of them."""

from itertools import product

import numpy as np

TETRAHEDRON = (
    np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], float),
    [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)],
)


def box(x, y, z, at=(0, 0, 0)):
    """Twelve triangles, two for each side."""
    corners = np.array(list(product((-0.5, 0.5), repeat=3))) * (x, y, z) + at
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return corners, [three for a, b, c, d in sides for three in ((a, b, c), (a, c, d))]


def ball(radius, n):
    """Inscribed in a sphere: n meridians, n parallels."""
    corners = [(0.0, 0.0, -radius)]
    for theta in np.pi * np.arange(1, n) / n:
        ring = 2 * np.pi * np.arange(n) / n
        r, z = radius * np.sin(theta), -radius * np.cos(theta)
        corners += [(r * np.cos(a), r * np.sin(a), z) for a in ring]
    corners.append((0.0, 0.0, radius))
    last, faces = len(corners) - 1, []
    at = lambda row, k: 1 + row * n + k % n
    for k in range(n):
        faces += [(0, at(0, k + 1), at(0, k)), (last, at(n - 2, k), at(n - 2, k + 1))]
        for row in range(n - 2):
            low, high = (at(row, k), at(row, k + 1)), (at(row + 1, k), at(row + 1, k + 1))
            faces += [(low[0], low[1], high[1]), (low[0], high[1], high[0])]
    return np.array(corners), faces


def write_stl(path, mesh, text=False):
    corners, faces = mesh
    triangles = np.asarray(corners)[np.asarray(faces)]
    if text:
        loops = ["\n".join(f"vertex {x!r} {y!r} {z!r}" for x, y, z in three.tolist()) for three in triangles]
        facets = "\n".join(f"facet normal 0 0 0\nouter loop\n{loop}\nendloop\nendfacet" for loop in loops)
        path.write_text(f"solid part\n{facets}\nendsolid part\n")
        return path
    rows = np.zeros(len(triangles), [("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
    rows["corners"] = triangles
    path.write_bytes(b"\0" * 80 + len(triangles).to_bytes(4, "little") + rows.tobytes())
    return path


def write_obj(path, mesh, colour=None):
    """Colour: red, green, blue of a material in a file beside it."""
    corners, faces = mesh
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in np.asarray(corners).tolist()]
    if colour is not None:
        path.with_suffix(".mtl").write_text(f"newmtl paint\nKd {' '.join(map(str, colour))}\n")
        lines = [f"mtllib {path.with_suffix('.mtl').name}", *lines, "usemtl paint"]
    lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces]
    path.write_text("\n".join(lines) + "\n")
    return path


def write_dae(path, mesh, unit="1", up="Z_UP"):
    corners, faces = mesh
    numbers = " ".join(repr(x) for x in np.asarray(corners).ravel().tolist())
    colour = "<diffuse><color>0.2 0.4 0.6 1</color></diffuse>"
    effect = f'<effect id="e"><profile_COMMON><technique sid="t"><lambert>{colour}</lambert></technique></profile_COMMON></effect>'
    axes = "".join(f'<param name="{axis}" type="float"/>' for axis in "XYZ")
    accessor = f'<accessor source="#a" count="{len(corners)}" stride="3">{axes}</accessor>'
    used = '<instance_material symbol="m" target="#m"/>'
    bound = f"<bind_material><technique_common>{used}</technique_common></bind_material>"
    path.write_text(f"""<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit meter="{unit}"/><up_axis>{up}</up_axis></asset>
<library_effects>{effect}</library_effects>
<library_materials><material id="m"><instance_effect url="#e"/></material></library_materials>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="a" count="{3 * len(corners)}">{numbers}</float_array>
<technique_common>{accessor}</technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles material="m" count="{len(faces)}"><input semantic="VERTEX" source="#v" offset="0"/>
<p>{" ".join(str(k) for face in faces for k in face)}</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node><instance_geometry url="#g">{bound}</instance_geometry></node></visual_scene>
</library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>""")
    return path
