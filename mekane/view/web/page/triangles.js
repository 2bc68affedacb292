"use strict";
// Meshes: triangles that stand packed in the scene, and solids that refer to them by number.

const CREASE = Math.cos((40 * Math.PI) / 180); // neighbouring faces that differ by more than this have an edge between them

let unpackedMeshes = []; // of the last scene that had its own

// Unpack the meshes of a scene, and give each solid its own; null: they are those of the scene before.
async function unpackMeshes(scene) {
  if (scene.meshes) unpackedMeshes = await Promise.all(scene.meshes.map(async (one) => ({ vertices: await unpacked(one.vertices), faces: await unpacked(one.faces) })));
  const meshes = unpackedMeshes;
  for (const body of scene.bodies) for (const solid of body.solids) if (solid.kind === "mesh") solid.mesh = meshes[solid.triangles];
}

// The geometry of a mesh; every triangle has corners of its own.
function trianglesOf(solid) {
  const { vertices, faces } = solid.mesh, size = solid.size, points = new Float32Array(3 * faces.length);
  for (let k = 0; k < faces.length; k++) for (let i = 0; i < 3; i++) points[3 * k + i] = (vertices[3 * faces[k] + i] / 65535 - 0.5) * size[i];
  const geometry = new THREE.BufferGeometry().setAttribute("position", new THREE.BufferAttribute(points, 3));
  return geometry.setAttribute("normal", new THREE.BufferAttribute(creasedNormals(points, faces, vertices.length / 3), 3));
}

// of each corner: the mean over the faces that meet there and are no edge apart, by their areas
function creasedNormals(points, faces, count) {
  const n = faces.length / 3, areas = new Float32Array(3 * n), lengths = new Float32Array(n), normals = new Float32Array(9 * n);
  for (let f = 0; f < n; f++) {
    const p = 9 * f, a = [0, 1, 2].map((i) => points[p + 3 + i] - points[p + i]), b = [0, 1, 2].map((i) => points[p + 6 + i] - points[p + i]);
    areas.set([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]], 3 * f);
    lengths[f] = Math.hypot(areas[3 * f], areas[3 * f + 1], areas[3 * f + 2]) || 1e-30;
  }
  const begin = new Uint32Array(count + 1), around = new Uint32Array(faces.length);
  for (const v of faces) begin[v + 1]++;
  for (let v = 0; v < count; v++) begin[v + 1] += begin[v];
  const next = begin.slice();
  faces.forEach((v, k) => { around[next[v]++] = (k / 3) | 0; });
  faces.forEach((v, k) => {
    const f = (k / 3) | 0;
    let x = 0, y = 0, z = 0;
    for (let i = begin[v]; i < begin[v + 1]; i++) {
      const g = around[i], along = areas[3 * f] * areas[3 * g] + areas[3 * f + 1] * areas[3 * g + 1] + areas[3 * f + 2] * areas[3 * g + 2];
      if (g !== f && along <= CREASE * lengths[f] * lengths[g]) continue;
      x += areas[3 * g]; y += areas[3 * g + 1]; z += areas[3 * g + 2];
    }
    const length = Math.hypot(x, y, z) || 1;
    normals.set([x / length, y / length, z / length], 3 * k);
  });
  return normals;
}
