"use strict";
// The mechanism: bodies, joints, springs and arrows, put where they are at a time.

function betweenTimes(time, t) {
  const last = time.length - 1;
  if (!(t > time[0])) return { i: 0, j: 0, w: 0 };
  if (t >= time[last]) return { i: last, j: last, w: 0 };
  let low = 0, high = last;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (time[middle] <= t) low = middle; else high = middle;
  }
  return { i: low, j: high, w: (t - time[low]) / (time[high] - time[low]) };
}

const PIN = 0.02; // radius of a pin, as a share of the scale

const solidsIn = ({ bodies, ground, joints }) => [...bodies.map((one) => one.solids), ground.solids, ...joints.map((one) => one.glyph)].reduce((sum, list) => sum + list.length, 0);

class Mechanism {
  constructor(data, world, software = false) {
    this.data = data;
    this.motion = new JointMotion(data.scene);
    this.unit = PIN * data.scene.scale;
    this.root = new THREE.Group();
    setFineness(solidsIn(data.scene), software);
    this.groups = data.scene.bodies.map((body) => this.bodyGroup(body));
    this.ground = new THREE.Group();
    for (const solid of data.scene.ground.solids) this.ground.add(meshOf(solid));
    this.root.add(this.ground);
    this.glyphs = data.scene.joints.flatMap((joint) => this.jointGlyphs(joint));
    this.between = [];
    this.about();
    this.lines();
    shadowed(this.root);
    this.arrows = new Arrows(data, this.root);
    this.thin = new ThinParts(this);
    this.ghost = null; // made when it is requested
    world.add(this.root);
  }

  dispose() { disposed(this.root); }

  // of what the pointer meets: number of the body, and where; glyphs of joints belong to the body they stand on
  bodyOf(hit) {
    for (let part = hit && hit.part; part; part = part.parent) if (this.groups.includes(part)) return { body: this.groups.indexOf(part), point: hit.point };
    return null;
  }

  groupOf(body) { return body < 0 ? this.ground : this.groups[body]; }

  bodyGroup(body) {
    const group = new THREE.Group();
    group.userData = { name: body.name, kind: "body" };
    for (const solid of body.solids) group.add(meshOf(solid));
    this.root.add(group);
    return group;
  }

  jointGlyphs(joint) {
    const travel = this.data.frames.travel[joint.name], list = joint.glyph.map((part) => {
      const mesh = meshOf(railOf(joint, part, travel));
      mesh.userData = { name: joint.name, kind: joint.kind };
      this.groupOf(part.body).add(mesh);
      return mesh;
    });
    const frame = [joint.a, joint.b].find((end) => end.body < 0);
    if (frame && list.length && !travel && joint.translations !== 2) {
      list.push(collarOf(joint, { ...frame, position: joint.post || frame.position }, this.unit, this.data.scene.ground.colour));
      this.ground.add(list[list.length - 1]);
    }
    return list;
  }

  // forces about the axes of joints
  about() {
    const slots = new Map(), { scene, frames } = this.data;
    for (const force of scene.forces) {
      const joint = scene.joints[force.joint], bushing = force.look === "bushing" && force.ends[0];
      if (!bushing && !(joint && force.turning)) continue;
      const slot = slots.get(force.joint) || 0, end = joint && (joint.name in frames.travel ? joint.b : joint.a);
      const frame = bushing ? { body: bushing.body, position: bushing.point, rotation: [0, 0, 0, 1] } : end;
      const mesh = aboutOf(force, frame, this.unit, slot);
      slots.set(force.joint, slot + 1);
      if (mesh) this.groupOf(frame.body).add(mesh);
    }
  }

  // forces and constraints between points
  lines() {
    const { scene, frames } = this.data;
    for (const force of scene.forces) {
      const joint = scene.joints[force.joint];
      if (force.ends.length !== 2 || force.turning || ["bushing", "stop"].includes(force.look) || (joint && joint.translations === 2)) continue;
      const begin = joint && { body: joint.a.body, point: railBegin(joint, frames.travel[joint.name]) };
      this.join(joint ? { ...force, ends: [begin, force.ends[1]] } : force);
    }
    for (const one of scene.constraints) if (["link", "rope"].includes(one.look) && one.points.length === 2) this.join({ ...one, ends: one.points });
  }

  join(part) {
    const one = betweenOf(part, this.unit);
    this.between.push(one);
    this.root.add(one.root);
    for (const end of part.ends) if (end.body < 0) this.ground.add(anchorOf(end.point, this.unit, this.data.scene.ground.colour));
  }

  ghostGroup() {
    const ghost = new THREE.Group();
    this.data.scene.bodies.forEach((body) => {
      const group = new THREE.Group();
      for (const solid of body.solids) group.add(meshOf(solid, { transparent: true, opacity: 0.15, depthWrite: false }));
      ghost.add(group);
    });
    this.motion.pose(ghost.children, this.data.poses.at(0, 0, 0));
    this.root.add(ghost);
    return ghost;
  }

  pointOf(body, point) {
    const x = vec(point);
    return body < 0 ? x : x.applyQuaternion(this.groups[body].quaternion).add(this.groups[body].position);
  }

  show(t, options) {
    const { i, j, w } = betweenTimes(this.data.time, t), jumps = w > 0 && this.data.jumps.has(i);
    const at = this.data.poses.at(i, j, jumps ? Math.round(w) : w); // frames too far apart for the motion: the nearer one
    this.data.poses.want(i, j, !(t < this.t));
    this.t = t;
    this.exact = at.exact; // else the nearest of the overview, until the very frames have come
    this.apart = jumps ? this.data.time[j] - this.data.time[i] : 0;
    this.motion.pose(this.groups, at);
    for (const one of this.between) one.place((body, point) => this.pointOf(body, point));
    this.arrows.show(t, options);
    for (const glyph of this.glyphs) glyph.visible = options.joints;
    if (options.ghost) this.ghost ??= this.ghostGroup();
    if (this.ghost) this.ghost.visible = options.ghost;
  }

  // what a pointer can be at
  visible() {
    const arrows = this.arrows.list.filter((one) => one.group.visible).map((one) => one.group);
    return [...this.groups, this.ground, ...this.between.map((one) => one.root), ...arrows];
  }

  // meshes of a part, by its name
  meshes(name) {
    const found = [];
    const collect = (object, named) => {
      if (object.userData.outline) return;
      const mine = object.userData.name ? object.userData.name === name : named;
      if (object.isMesh && mine && object.visible) found.push(object);
      for (const child of object.children) collect(child, mine);
    };
    for (const object of this.visible()) collect(object, object === this.ground && name === "ground");
    return found;
  }

  centre() {
    const sum = new THREE.Vector3();
    for (const group of this.groups) sum.add(group.position);
    return sum.divideScalar(Math.max(1, this.groups.length));
  }
}
