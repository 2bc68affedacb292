"use strict";
// Posts from bearings down to the floor: behind the links of a plane mechanism, below a joint that carries what is above it.

const POST_COLOUR = "#9aa3ad";

function postsOf({ scene, frames }, floor) {
  const group = new THREE.Group(), unit = PIN * scene.scale, up = vec(scene.ground.floor.normal);
  for (const joint of scene.joints) {
    const frame = [joint.a, joint.b].find((end) => end.body < 0);
    if (!frame || !joint.glyph.length || joint.name in frames.travel || joint.translations || !joint.post) continue;
    const top = vec(joint.post), height = top.clone().sub(floor.point).dot(up);
    if (height > 2 * unit && height < 2.5 * scene.size) group.add(postOf(top, up, height, unit));
  }
  return shadowed(group);
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
