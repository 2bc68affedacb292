"use strict";
// Poses between two frames, joint by joint: what moves in each joint of the tree goes evenly, so that no such joint opens (joint_interpolation.py).

class JointMotion {
  constructor(scene) {
    this.links = scene.tree.map((link) => this.link(scene, link));
    this.x = [0, 1, 2].map(() => new THREE.Vector3());
    this.q = [0, 1, 2].map(() => new THREE.Quaternion());
    [this.parent, this.body] = [0, 1].map(() => ({ x: new THREE.Vector3(), q: new THREE.Quaternion() }));
  }

  link(scene, { body, parent, joint }) {
    const still = [0, 0, 0, 1], frame = (end) => ({ x: vec(end.position), q: quat(end.rotation) });
    const free = [{ position: [0, 0, 0], rotation: still }, { position: scene.bodies[body].com, rotation: still }];
    const { a, b } = joint === null ? {} : scene.joints[joint], ends = joint === null ? free : b.body === body ? [a, b] : [b, a];
    return { body, parent: joint === null ? -1 : parent, F: frame(ends[0]), M: frame(ends[1]) };
  }

  // into groups, as Poses.at gives it
  pose(groups, at) {
    if (at.w === 0) groups.forEach((group, k) => this.taken(group.position, group.quaternion, at.p, at.a + 7 * k));
    else if (at.w === 1) groups.forEach((group, k) => this.taken(group.position, group.quaternion, at.q, at.b + 7 * k));
    else for (const link of this.links) this.between(groups, link, at);
  }

  taken(x, q, numbers, k) {
    x.fromArray(numbers, k);
    q.fromArray(numbers, k + 3).normalize();
  }

  between(groups, link, at) {
    const { x: [x, y, z], q: [p, q, r] } = this, group = groups[link.body];
    this.inJoint(link, at.p, at.a, x, p);
    this.inJoint(link, at.q, at.b, y, q);
    x.lerp(y, at.w);
    p.slerp(q, at.w);
    const parent = link.parent < 0 ? this.ground() : { x: groups[link.parent].position, q: groups[link.parent].quaternion };
    q.copy(parent.q).multiply(link.F.q);
    group.position.copy(link.F.x).applyQuaternion(parent.q).add(parent.x).add(x.applyQuaternion(q));
    group.quaternion.copy(q).multiply(p).multiply(r.copy(link.M.q).invert()).normalize();
    group.position.sub(z.copy(link.M.x).applyQuaternion(group.quaternion));
  }

  ground() {
    this.parent.x.set(0, 0, 0);
    this.parent.q.identity();
    return this.parent;
  }

  // frame M relative to F
  inJoint(link, numbers, begin, x, q) {
    const { body } = this, parent = this.ground(), [, , z] = this.x;
    if (link.parent >= 0) this.taken(parent.x, parent.q, numbers, begin + 7 * link.parent);
    this.taken(body.x, body.q, numbers, begin + 7 * link.body);
    z.copy(link.F.x).applyQuaternion(parent.q).add(parent.x);
    parent.q.multiply(link.F.q).invert();
    x.copy(link.M.x).applyQuaternion(body.q).add(body.x).sub(z).applyQuaternion(parent.q);
    q.copy(parent.q).multiply(body.q).multiply(link.M.q);
  }
}
