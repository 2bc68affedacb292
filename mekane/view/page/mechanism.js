"use strict";
// The mechanism: bodies, joints, springs and arrows, put where they are at a time.

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
    return { helper, ...arrow };
  }

  ghostGroup(world) {
    const ghost = new THREE.Group();
    this.data.scene.bodies.forEach((body, k) => {
      const group = new THREE.Group();
      for (const solid of body.solids) group.add(meshOf(solid, { transparent: true, opacity: 0.15, depthWrite: false }));
      this.pose(group, 0, 0, 0, k);
      ghost.add(group);
    });
    ghost.visible = false;
    world.add(ghost);
    return ghost;
  }

  pose(group, i, j, w, k) {
    // between frames i and j, with weight w of the second
    const p = this.data.poses, a = 7 * (i * this.n + k), b = 7 * (j * this.n + k), mix = (c) => p[a + c] + w * (p[b + c] - p[a + c]);
    group.position.set(mix(0), mix(1), mix(2));
    group.quaternion.set(mix(3), mix(4), mix(5), mix(6)).normalize();
  }

  show(t, options) {
    const { i, j, w } = this.between_frames(t);
    this.groups.forEach((group, k) => this.pose(group, i, j, w, k));
    const pointOf = (body, point) => {
      const x = vec(point);
      return body < 0 ? x : x.applyQuaternion(this.groups[body].quaternion).add(this.groups[body].position);
    };
    for (const line of this.between) line.place(pointOf);
    for (const arrow of this.arrows) this.placeArrow(arrow, i, j, w, options);
    for (const glyph of this.glyphs) glyph.visible = options.joints;
    this.ghost.visible = options.ghost;
  }

  placeArrow(arrow, i, j, w, options) {
    const x = arrow.numbers, mix = (c) => x[6 * i + c] + w * (x[6 * j + c] - x[6 * i + c]);
    const force = new THREE.Vector3(mix(3), mix(4), mix(5)), size = force.length();
    arrow.helper.visible = options.forces && size > 1e-9 * (options.largest || 1);
    if (!arrow.helper.visible) return;
    const length = (0.5 * this.data.scene.scale * size) / (options.largest || 1);
    arrow.helper.position.set(mix(0), mix(1), mix(2));
    arrow.helper.setDirection(force.divideScalar(size));
    arrow.helper.setLength(length, Math.min(0.3 * length, 0.06 * this.data.scene.scale), Math.min(0.15 * length, 0.03 * this.data.scene.scale));
  }

  between_frames(t) {
    const time = this.data.time, last = time.length - 1;
    if (!(t > time[0])) return { i: 0, j: 0, w: 0 };
    if (t >= time[last]) return { i: last, j: last, w: 0 };
    let low = 0, high = last;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (time[middle] <= t) low = middle; else high = middle;
    }
    return { i: low, j: high, w: (t - time[low]) / (time[high] - time[low]) };
  }

  centre() {
    const sum = new THREE.Vector3();
    for (const group of this.groups) sum.add(group.position);
    return sum.divideScalar(Math.max(1, this.n));
  }
}
