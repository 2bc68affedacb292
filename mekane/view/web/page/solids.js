"use strict";
// Solids of a scene as meshes of three.js.

const vec = (x) => new THREE.Vector3(x[0], x[1], x[2]);
const DARKER = 0.6; // linear light; about 0.8 of what a screen shows
const quat = (x) => new THREE.Quaternion(x[0], x[1], x[2], x[3]);

function geometryOf(solid) {
  const s = solid.size, upright = (g) => g.rotateX(Math.PI / 2); // three's cylinders stand along y, ours along z
  switch (solid.kind) {
    case "box": return new THREE.BoxGeometry(s[0], s[1], s[2]);
    case "cylinder": return upright(new THREE.CylinderGeometry(s[0], s[0], s[1], 32));
    case "capsule": return upright(new THREE.CapsuleGeometry(s[0], s[1], 6, 20));
    case "sphere": return new THREE.SphereGeometry(s[0], 24, 16);
    case "ellipsoid": return new THREE.SphereGeometry(1, 40, 28).scale(s[0], s[1], s[2]);
    case "disc": return upright(new THREE.CylinderGeometry(s[0], s[0], s[1], 48));
    case "ring": return ringOf(s);
    case "mesh": return trianglesOf(solid);
    case "prism": return extruded(new THREE.Shape(solid.outline.map((p) => new THREE.Vector2(p[0], p[1]))), s[0]);
  }
  throw new Error(`unknown solid ${solid.kind}`);
}

function extruded(shape, thickness) {
  return new THREE.ExtrudeGeometry(shape, { depth: thickness, bevelEnabled: false, curveSegments: 48 }).translate(0, 0, -thickness / 2);
}

function ringOf(size) {
  const shape = new THREE.Shape().absarc(0, 0, size[1], 0, 2 * Math.PI);
  shape.holes.push(new THREE.Path().absarc(0, 0, size[0], 0, 2 * Math.PI));
  return extruded(shape, size[2]);
}

// every other quarter about z is darker, so that one sees it turn
function quartered(geometry) {
  const apart = geometry.index ? geometry.toNonIndexed() : geometry, { array, count } = apart.attributes.position, shades = new Float32Array(3 * count);
  for (let k = 0; k < 9 * (count / 3); k += 9) {
    const x = array[k] + array[k + 3] + array[k + 6], y = array[k + 1] + array[k + 4] + array[k + 7];
    shades.fill(x * y < 0 ? DARKER : 1, k, k + 9);
  }
  if (apart !== geometry) geometry.dispose();
  return apart.setAttribute("color", new THREE.BufferAttribute(shades, 3));
}

function meshOf(solid, extra = {}) {
  const material = new THREE.MeshStandardMaterial({ color: solid.colour, roughness: 0.55, metalness: 0.1, vertexColors: Boolean(solid.marked), ...extra });
  const mesh = new THREE.Mesh(solid.marked ? quartered(geometryOf(solid)) : geometryOf(solid), material);
  if (solid.kind === "mesh") mesh.material.side = THREE.DoubleSide; // surfaces of files may be open
  mesh.position.copy(vec(solid.position));
  mesh.quaternion.copy(quat(solid.rotation));
  return mesh;
}

function disposed(object) {
  // give back what the object and all in it hold of the graphics card
  object.removeFromParent();
  object.traverse((part) => {
    if (part.geometry) part.geometry.dispose();
    for (const material of [part.material].flat()) if (material) material.dispose();
  });
}
