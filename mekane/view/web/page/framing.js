"use strict";
// How far away the eye is to see all of a motion.

const MOST_POINTS = 20000, MOST_FRAMES = 200; // that are examined
const AROUND = 12; // points around what is round

function halfOf(solid) {
  const s = solid.size;
  switch (solid.kind) {
    case "box": case "mesh": return s.map((x) => x / 2);
    case "ellipsoid": return s;
    case "sphere": return [s[0], s[0], s[0]];
    case "ring": return [s[1], s[1], s[2] / 2];
    case "capsule": return [s[0], s[0], s[1] / 2 + s[0]];
    case "prism": return [Math.max(...solid.outline.map((p) => Math.abs(p[0]))), Math.max(...solid.outline.map((p) => Math.abs(p[1]))), s[0] / 2];
  }
  return [s[0], s[0], s[1] / 2];
}

// points all over the surface of a solid, in the frame of its body; they do not reach out of it
function surfaceOf(solid) {
  const [x, y, z] = halfOf(solid), rotation = quat(solid.rotation), at = vec(solid.position), ends = [-1, 1];
  const around = Array.from({ length: AROUND }, (_, k) => [Math.cos((2 * Math.PI * k) / AROUND), Math.sin((2 * Math.PI * k) / AROUND)]);
  const own = () => {
    switch (solid.kind) {
      case "box": case "mesh": return ends.flatMap((i) => ends.flatMap((j) => ends.map((k) => [i * x, j * y, k * z])));
      case "prism": return solid.outline.flatMap((p) => ends.map((k) => [...p, k * z]));
      case "sphere": case "ellipsoid": return around.flatMap(([c, s]) => [[c * x, s * y, 0], [0, c * y, s * z], [s * x, 0, c * z]]);
      case "capsule": return [[0, 0, z], [0, 0, -z], ...around.flatMap(([c, s]) => ends.map((k) => [c * x, s * y, k * (z - x)]))];
    }
    return around.flatMap(([c, s]) => ends.map((k) => [c * x, s * y, k * z]));
  };
  return own().map((p) => vec(p).applyQuaternion(rotation).add(at));
}

// at some frames: where the surfaces of all bodies are, as { points, middle }, middle being that of the origins of the bodies
function surfacePoints({ scene, poses }) {
  const surfaces = scene.bodies.map((body) => body.solids.flatMap(surfaceOf)), all = surfaces.reduce((sum, list) => sum + list.length, 0);
  const p = poses.numbers, count = poses.size ? p.length / poses.size : 0, few = Math.min(count, Math.max(2, Math.min(MOST_FRAMES, Math.floor(MOST_POINTS / Math.max(1, all)))));
  return Array.from({ length: few }, (_, f) => {
    const begin = poses.size * Math.round((f * (count - 1)) / Math.max(1, few - 1)), points = [], middle = new THREE.Vector3(), rotation = new THREE.Quaternion();
    surfaces.forEach((surface, k) => {
      const a = begin + 7 * k, at = new THREE.Vector3(p[a], p[a + 1], p[a + 2]);
      rotation.set(p[a + 3], p[a + 4], p[a + 5], p[a + 6]).normalize();
      for (const point of surface) points.push(point.clone().applyQuaternion(rotation).add(at));
      middle.addScaledVector(at, 1 / surfaces.length);
    });
    return { points, middle };
  });
}

// a sphere around all of a motion, and the radius of one that goes along with the middle of the bodies
function reachOf({ scene }, surfaces) {
  const box = new THREE.Box3(vec(scene.box[0]), vec(scene.box[1])), centre = new THREE.Vector3();
  let about = scene.size / 2;
  for (const { points, middle } of surfaces) for (const p of points) { box.expandByPoint(p); about = Math.max(about, p.distanceTo(middle)); }
  box.getCenter(centre);
  return { centre, radius: 0.6 * box.min.distanceTo(box.max), about: 1.1 * about };
}

// what has to be in the picture: bodies, and what is held to the ground; if the camera follows, bodies as they are about their middle
function pointsOf(data, surfaces, follows) {
  const { scene, frames } = data;
  if (follows) return surfaces.flatMap(({ points, middle }) => points.map((p) => p.clone().sub(middle)));
  const found = [...surfaces.flatMap(({ points }) => points), ...scene.ground.solids.flatMap(surfaceOf)];
  for (const joint of scene.joints) for (const end of [joint.a, joint.b]) if (end.body < 0) found.push(vec(end.position));
  for (const part of [...scene.forces, ...scene.constraints.filter((one) => one.look)]) for (const end of part.ends || part.points) if (end.body < 0) found.push(vec(end.point));
  for (const joint of scene.joints) for (const part of joint.glyph) if (part.body < 0) found.push(...surfaceOf(railOf(joint, part, frames.travel[joint.name])));
  found.push(...forceTips(data));
  return found.length ? found : [vec(scene.box[0]), vec(scene.box[1])];
}

// where the arrows of forces point to, if they are at hand
function forceTips({ scene, arrows }) {
  const largest = Math.max(1e-300, ...arrows.filter((one) => one.units === "N").map((one) => one.largest || 0)), metres = (LONGEST * scene.scale) / largest;
  return arrows.filter((one) => one.kind === "force" && one.numbers).flatMap(({ numbers }) => {
    const count = numbers.length / 6, few = Math.min(count, MOST_FRAMES), x = (f) => numbers.subarray(6 * Math.floor((f * count) / few));
    return Array.from({ length: few }, (_, f) => vec(x(f)).addScaledVector(vec(x(f).subarray(3)), metres));
  });
}

// how far the floor has to go down for bodies to stay above it (floor_below of view/render/floor.py)
function depthBelow({ scene }, surfaces) {
  const point = vec(scene.ground.floor.point), normal = vec(scene.ground.floor.normal);
  let low = 0;
  for (const { points } of surfaces) for (const p of points) low = Math.min(low, p.dot(normal) - point.dot(normal));
  return low < -0.02 * scene.size ? 0.05 * scene.size - low : 0;
}

// eye and target of the nearest camera that sees all points with a margin around them (`fitted` of view/render/projection.py derives this)
function framing(points, towards, up, camera) {
  const right = new THREE.Vector3().crossVectors(up, towards).normalize(), over = new THREE.Vector3().crossVectors(towards, right);
  const half = Math.tan((camera.fov / 2 / 180) * Math.PI), tall = 0.84 * half, wide = 0.88 * half * camera.aspect;
  const most = { right: -Infinity, left: -Infinity, above: -Infinity, below: -Infinity, near: -Infinity, far: -Infinity };
  for (const p of points) {
    const x = p.dot(right), y = p.dot(over), z = p.dot(towards);
    const sides = { right: x + wide * z, left: -x + wide * z, above: y + tall * z, below: -y + tall * z, near: z, far: -z };
    for (const side in sides) most[side] = Math.max(most[side], sides[side]);
  }
  const { near, far } = most, back = Math.max((most.right + most.left) / (2 * wide), (most.above + most.below) / (2 * tall), near);
  const middle = new THREE.Vector3().addScaledVector(right, (most.right - most.left) / 2).addScaledVector(over, (most.above - most.below) / 2);
  return { centre: middle.addScaledVector(towards, (near - far) / 2), distance: back - (near - far) / 2 };
}
