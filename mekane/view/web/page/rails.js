"use strict";
// Rails are as long as what moves on them goes, and a little longer.

// the solid of a rail, made as long as `travel` (least and largest displacement) needs; else as it is
function railOf(joint, part, travel) {
  const first = joint.glyph.find((one) => one.body === joint.a.body);
  if (!travel || part !== first) return part.solid;
  const { solid } = part, long = solid.kind === "box" ? 2 : 1, axis = new THREE.Vector3(0, 0, 1).applyQuaternion(quat(solid.rotation));
  const shift = 2 * vec(solid.position).sub(vec(joint.a.position)).dot(axis), margin = solid.size[long] - Math.abs(shift);
  const low = Math.min(0, travel[0]), high = Math.max(0, travel[1]), size = [...solid.size]; // 0 is where it is fixed
  size[long] = high - low + margin;
  return { ...solid, size, position: vec(joint.a.position).addScaledVector(axis, 0.5 * (low + high)).toArray() };
}

// where the rail of a joint begins, in the frame of body a: springs along it are fixed there
function railBegin(joint, travel) {
  const part = joint.glyph.find((one) => one.body === joint.a.body);
  if (!part) return joint.a.position;
  const solid = railOf(joint, part, travel);
  const axis = new THREE.Vector3(0, 0, 1).applyQuaternion(quat(solid.rotation));
  return vec(solid.position).addScaledVector(axis, -0.5 * solid.size[solid.kind === "box" ? 2 : 1]).toArray();
}
