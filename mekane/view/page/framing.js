"use strict";
// How far away the eye is to see all of a motion.

const MOST_LOOKED_AT = 24; // frames

function halfOf(solid) {
  const s = solid.size;
  switch (solid.kind) {
    case "box": return s.map((x) => x / 2);
    case "ellipsoid": return s;
    case "sphere": return [s[0], s[0], s[0]];
    case "ring": return [s[1], s[1], s[2] / 2];
    case "capsule": return [s[0], s[0], s[1] / 2 + s[0]];
    case "prism": return [Math.max(...solid.outline.map((p) => Math.abs(p[0]))), Math.max(...solid.outline.map((p) => Math.abs(p[1]))), s[0] / 2];
  }
  return [s[0], s[0], s[1] / 2];
}

function cornersOf(solid) {
  const [x, y, z] = halfOf(solid), turn = quat(solid.rotation), at = vec(solid.position), signs = [-1, 1];
  return signs.flatMap((i) => signs.flatMap((j) => signs.map((k) => new THREE.Vector3(i * x, j * y, k * z).applyQuaternion(turn).add(at))));
}

// corners of all solids at some frames, and what is held to the ground
function pointsOf(data) {
  const { scene, poses } = data, p = poses.numbers, count = p.length / Math.max(1, poses.size), few = goesFar(data) ? 1 : Math.min(count, MOST_LOOKED_AT), found = [];
  scene.bodies.forEach((body, k) => {
    const corners = body.solids.flatMap(cornersOf), turn = new THREE.Quaternion(), at = new THREE.Vector3();
    for (let f = 0; f < few; f++) {
      const a = poses.size * Math.round((f * (count - 1)) / Math.max(1, few - 1)) + 7 * k;
      turn.set(p[a + 3], p[a + 4], p[a + 5], p[a + 6]).normalize();
      at.set(p[a], p[a + 1], p[a + 2]);
      for (const corner of corners) found.push(corner.clone().applyQuaternion(turn).add(at));
    }
  });
  found.push(...scene.ground.solids.flatMap(cornersOf));
  for (const joint of scene.joints) for (const end of [joint.a, joint.b]) if (end.body < 0) found.push(vec(end.position));
  for (const force of scene.forces) for (const end of force.ends) if (end.body < 0) found.push(vec(end.point));
  return found.length ? found : [vec(scene.box[0]), vec(scene.box[1])];
}

// where to look, and from how far, so that all points are in the picture with a margin around them
function framing(points, towards, up, camera) {
  const right = new THREE.Vector3().crossVectors(up, towards).normalize(), over = new THREE.Vector3().crossVectors(towards, right);
  const middle = (axis) => { const x = points.map((p) => p.dot(axis)); return 0.5 * (x.reduce((a, b) => Math.min(a, b)) + x.reduce((a, b) => Math.max(a, b))); };
  const centre = new THREE.Vector3();
  for (const axis of [right, over, towards]) centre.addScaledVector(axis, middle(axis));
  const tall = 0.8 * Math.tan((camera.fov / 2 / 180) * Math.PI), wide = 0.88 * camera.aspect * Math.tan((camera.fov / 2 / 180) * Math.PI);
  const needed = points.map((point) => {
    const d = point.clone().sub(centre);
    return d.dot(towards) + Math.max(Math.abs(d.dot(right)) / wide, Math.abs(d.dot(over)) / tall);
  });
  return { centre, distance: needed.reduce((a, b) => Math.max(a, b)) };
}
