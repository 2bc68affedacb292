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

class Mechanism {
  constructor(data, world) {
    this.data = data;
    this.n = data.scene.bodies.length;
    this.root = new THREE.Group();
    this.groups = data.scene.bodies.map((body) => this.bodyGroup(body, this.root));
    this.ground = new THREE.Group();
    for (const solid of data.scene.ground.solids) this.ground.add(meshOf(solid));
    this.root.add(this.ground);
    this.glyphs = this.jointGlyphs();
    this.between = this.lines(this.root);
    this.arrows = data.arrows.map((arrow) => this.arrow(arrow, this.root));
    this.ghost = this.ghostGroup(this.root);
    world.add(this.root);
  }

  dispose() { disposed(this.root); }

  bodyGroup(body, world) {
    const group = new THREE.Group();
    group.userData = { name: body.name, kind: "body" };
    for (const solid of body.solids) group.add(meshOf(solid));
    world.add(group);
    return group;
  }

  jointGlyphs() {
    const list = [];
    for (const joint of this.data.scene.joints) {
      for (const part of joint.glyph) {
        const mesh = meshOf(part.solid, { transparent: true, opacity: 0.85 });
        mesh.userData = { name: joint.name, kind: joint.kind };
        (part.body < 0 ? this.ground : this.groups[part.body]).add(mesh);
        list.push(mesh);
      }
    }
    return list;
  }

  lines(world) {
    const scene = this.data.scene, radius = 0.025 * scene.scale, list = [];
    for (const force of scene.forces) if (force.ends.length === 2) list.push(new Between(world, force, radius, "#8a4b08"));
    for (const c of scene.constraints) {
      if (c.look === "link" && c.points.length === 2) list.push(new Between(world, { look: "line", ends: c.points }, 1, "#444444"));
    }
    return list;
  }

  arrow(arrow, world) {
    const helper = new THREE.ArrowHelper(new THREE.Vector3(0, 0, 1), new THREE.Vector3(), 1, "#d1242f");
    helper.visible = false;
    world.add(helper);
    return { helper, of: arrow };
  }

  ghostGroup(world) {
    const ghost = new THREE.Group();
    this.data.scene.bodies.forEach((body, k) => {
      const group = new THREE.Group();
      for (const solid of body.solids) group.add(meshOf(solid, { transparent: true, opacity: 0.15, depthWrite: false }));
      this.pose(group, this.data.poses.at(0, 0, 0), k);
      ghost.add(group);
    });
    ghost.visible = false;
    world.add(ghost);
    return ghost;
  }

  pose(group, { p, a, q, b, w }, k) {
    // of body k, as Poses.at tells it
    const x = a + 7 * k, y = b + 7 * k, mix = (c) => p[x + c] + w * (q[y + c] - p[x + c]);
    group.position.set(mix(0), mix(1), mix(2));
    group.quaternion.set(mix(3), mix(4), mix(5), mix(6)).normalize();
  }

  show(t, options) {
    const { i, j, w } = betweenTimes(this.data.time, t), at = this.data.poses.at(i, j, w);
    this.data.poses.want(i, j, !(t < this.t));
    this.t = t;
    this.exact = at.exact; // else the nearest of the overview, until the very frames have come
    this.groups.forEach((group, k) => this.pose(group, at, k));
    const pointOf = (body, point) => {
      const x = vec(point);
      return body < 0 ? x : x.applyQuaternion(this.groups[body].quaternion).add(this.groups[body].position);
    };
    for (const line of this.between) line.place(pointOf);
    this.placeArrows(t, options);
    for (const glyph of this.glyphs) glyph.visible = options.joints;
    this.ghost.visible = options.ghost;
  }

  placeArrows(t, options) {
    if (options.forces) askArrows(this.data);
    const at = this.data.arrowTime && betweenTimes(this.data.arrowTime, t);
    for (const arrow of this.arrows) this.placeArrow(arrow, at, options);
  }

  placeArrow(arrow, at, options) {
    arrow.helper.visible = options.forces && at !== undefined;
    if (!arrow.helper.visible) return;
    const x = arrow.of.numbers, { i, j, w } = at, mix = (c) => x[6 * i + c] + w * (x[6 * j + c] - x[6 * i + c]);
    const force = new THREE.Vector3(mix(3), mix(4), mix(5)), size = force.length(), largest = this.data.largest || 1;
    arrow.helper.visible = size > 1e-9 * largest;
    if (!arrow.helper.visible) return;
    const length = (0.5 * this.data.scene.scale * size) / largest;
    arrow.helper.position.set(mix(0), mix(1), mix(2));
    arrow.helper.setDirection(force.divideScalar(size));
    arrow.helper.setLength(length, Math.min(0.3 * length, 0.06 * this.data.scene.scale), Math.min(0.15 * length, 0.03 * this.data.scene.scale));
  }

  centre() {
    const sum = new THREE.Vector3();
    for (const group of this.groups) sum.add(group.position);
    return sum.divideScalar(Math.max(1, this.n));
  }
}
