"use strict";
// Solids of a scene as meshes of three.js.

const vec = (x) => new THREE.Vector3(x[0], x[1], x[2]);
const DARKER = 0.6; // linear light; about 0.8 of what a screen shows
const quat = (x) => new THREE.Quaternion(x[0], x[1], x[2], x[3]);

const EDGE = 0.12; // radius of edges, as a share of the least half size
const upright = (geometry) => geometry.rotateX(Math.PI / 2); // three's cylinders stand along y, ours along z

// many solids are small on the stage: each is made of fewer triangles
const MANY_SOLIDS = 60, LEAST_SIDES = 10;
const COARSE = 0.7; // where the processor draws them
let fineness = 1;
const setFineness = (count, software) => { fineness = (software ? COARSE : 1) * Math.min(1, Math.sqrt(MANY_SOLIDS / Math.max(count, 1))); };
const sides = (n) => Math.max(Math.min(n, LEAST_SIDES), Math.round(n * fineness));
const rings = (n) => Math.max(3, Math.round(n * fineness)); // of a rounded end

function geometryOf(solid) {
  const s = solid.size;
  switch (solid.kind) {
    case "box": return new THREE.RoundedBoxGeometry(s[0], s[1], s[2], 3, EDGE * Math.min(...s) / 2);
    case "disc": if (solid.teeth) return gearWheel(s[0], s[1], solid.teeth); // falls through
    case "cylinder": return roundBar(s[0], s[1], sides(solid.kind === "disc" ? 64 : 40));
    case "capsule": return upright(new THREE.CapsuleGeometry(s[0], s[1], rings(8), sides(28)));
    case "sphere": return new THREE.SphereGeometry(s[0], sides(40), sides(28));
    case "ellipsoid": return new THREE.SphereGeometry(1, 56, 40).scale(s[0], s[1], s[2]);
    case "ring": return solid.teeth ? ringGear(s, solid.teeth) : ringOf(s);
    case "mesh": return trianglesOf(solid);
    case "prism": return extruded(new THREE.Shape(solid.outline.map((p) => new THREE.Vector2(p[0], p[1]))), s[0]);
  }
  throw new Error(`unknown solid ${solid.kind}`);
}

// points of a quarter of a circle about (r, y), from one angle on
const quarter = (r, y, e, from) => [0, 1, 2, 3, 4].map((k) => new THREE.Vector2(r + e * Math.cos(from + (k * Math.PI) / 8), y + e * Math.sin(from + (k * Math.PI) / 8)));

function roundBar(radius, length, around) {
  const e = EDGE * Math.min(radius, length / 2), r = radius - e, h = length / 2 - e;
  const profile = [new THREE.Vector2(0, -length / 2), ...quarter(r, -h, e, -Math.PI / 2), ...quarter(r, h, e, 0), new THREE.Vector2(0, length / 2)];
  return upright(new THREE.LatheGeometry(profile, around));
}

function ringOf([inner, outer, thickness]) {
  const e = 2 * EDGE * Math.min(outer - inner, thickness) / 2, h = thickness / 2 - e, half = Math.PI / 2;
  const profile = [...quarter(inner + e, -h, e, 2 * half), ...quarter(outer - e, -h, e, 3 * half), ...quarter(outer - e, h, e, 0), ...quarter(inner + e, h, e, half)];
  return upright(new THREE.LatheGeometry([...profile, profile[0].clone()], 72));
}

// the pitch circle with teeth of the usual height, one of them at angle 0
function toothed(radius, teeth) {
  const high = (2 * radius) / teeth, pitch = (2 * Math.PI) / teeth, corners = [[-0.36, -1.1], [-0.16, 0.9], [0.16, 0.9], [0.36, -1.1]];
  return Array.from({ length: teeth }, (_, k) => corners.map(([turn, out]) => [(k + turn) * pitch, radius + out * high])).flat()
    .map(([angle, r]) => new THREE.Vector2(r * Math.cos(angle), r * Math.sin(angle)));
}

const round = (radius) => new THREE.Path().absarc(0, 0, radius, 0, 2 * Math.PI);

function gearWheel(radius, thickness, teeth) {
  const shape = new THREE.Shape(toothed(radius, teeth)), holes = radius * 0.17;
  for (let k = 0; k < 6; k++) shape.holes.push(new THREE.Path().absarc(0.56 * radius * Math.cos((k * Math.PI) / 3), 0.56 * radius * Math.sin((k * Math.PI) / 3), holes, 0, 2 * Math.PI));
  return extruded(shape, thickness);
}

function ringGear([inner, outer, thickness], teeth) {
  const shape = new THREE.Shape(round(outer).getPoints(96));
  shape.holes.push(new THREE.Path(toothed(inner, teeth)));
  return extruded(shape, thickness);
}

function extruded(shape, thickness) {
  const e = EDGE * thickness / 2, bevel = { bevelEnabled: true, bevelThickness: e, bevelSize: e, bevelOffset: -e, bevelSegments: 2 };
  return new THREE.ExtrudeGeometry(shape, { depth: thickness - 2 * e, ...bevel }).translate(0, 0, e - thickness / 2);
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
  const material = new THREE.MeshStandardMaterial({ color: solid.colour, roughness: 0.45, metalness: 0.05, vertexColors: Boolean(solid.marked), ...extra });
  const mesh = new THREE.Mesh(solid.marked ? quartered(geometryOf(solid)) : geometryOf(solid), material);
  if (solid.kind === "mesh") mesh.material.side = THREE.DoubleSide; // surfaces of files may be open
  mesh.position.copy(vec(solid.position));
  mesh.quaternion.copy(quat(solid.rotation));
  return mesh;
}

// it throws shadows and takes them, unless it can be seen through
function shadowed(object) {
  object.traverse((part) => { if (part.isMesh && !part.material.transparent) part.castShadow = part.receiveShadow = true; });
  return object;
}

function disposed(object) {
  // give back what the object and all in it hold of the graphics card
  object.removeFromParent();
  object.traverse((part) => {
    if (part.geometry) part.geometry.dispose();
    for (const material of [part.material].flat()) if (material) material.dispose();
  });
}
