"use strict";
// Posts from bearings down to the floor: behind the links of a plane mechanism, below a joint that carries what is above it, at both ends of a level rail.

const POST_COLOUR = "#9aa3ad";

function postsOf({ scene, frames }, floor) {
  const group = new THREE.Group(), unit = PIN * scene.scale, up = vec(scene.ground.floor.normal);
  for (const joint of scene.joints) for (const top of postTops(joint, frames.travel[joint.name], up)) {
    const height = top.clone().sub(floor.point).dot(up);
    if (height > 2 * unit && height < 2.5 * scene.size) group.add(postOf(top, up, height, unit));
  }
  return shadowed(group);
}

const LEVEL = 0.3; // slope of a rail that stands on two posts

function postTops(joint, travel, up) {
  if (![joint.a, joint.b].some((end) => end.body < 0) || !joint.glyph.length || !joint.post) return [];
  if (!joint.translations) return travel ? [] : [vec(joint.post)];
  const part = joint.glyph.find((one) => one.body === joint.a.body);
  if (joint.translations > 1 || joint.a.body >= 0 || !part) return [];
  const { size, position, rotation } = railOf(joint, part, travel), axis = new THREE.Vector3(0, 0, 1).applyQuaternion(quat(rotation)), half = 0.5 * size[size.length - 1];
  return Math.abs(axis.dot(up)) < LEVEL ? [-half, half].map((far) => vec(position).addScaledVector(axis, far)) : [];
}

function postOf(top, up, height, unit) {
  const post = new THREE.Group(), material = painted(POST_COLOUR, { metalness: 0.3 });
  const stem = new THREE.Mesh(barAlongZ(0.75 * unit, 24), material), foot = new THREE.Mesh(roundBar(2.4 * unit, 0.7 * unit, 40), material), cap = new THREE.Mesh(new THREE.SphereGeometry(1.15 * unit, 28, 20), material);
  stem.scale.z = height;
  foot.position.z = 0.35 * unit;
  cap.position.z = height;
  post.add(stem, foot, cap);
  post.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), up);
  post.position.copy(top).addScaledVector(up, -height);
  return post;
}
