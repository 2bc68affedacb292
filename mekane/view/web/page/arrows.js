"use strict";
// Reactions, forces of contacts, forces and torques as arrows, all of one unit to one scale.

const ARROW_COLOURS = { reaction: "#d1242f", contact: "#bf3989", friction: "#0a7ea4", force: "#1a7f37", torque: "#8250df" };
const NOT_UNIQUE = "#e58a00";
const LONGEST = 0.4; // of the scale of the scene: the largest arrow at size 1

class Arrows {
  constructor(data, root) {
    this.data = data;
    this.group = new THREE.Group();
    root.add(this.group);
    this.shaft = barAlongZ(1, 10);
    this.head = new THREE.ConeGeometry(1, 1, 16).rotateX(Math.PI / 2).translate(0, 0, -0.5); // its tip at the origin
    this.arc = new THREE.TorusGeometry(1, 0.06, 8, 40, 1.5 * Math.PI);
    this.patch = roundBar(1, 0.12, 32);
    this.list = data.arrows.map((of) => this.made(of));
  }

  made(of) {
    const group = new THREE.Group(), colour = of.unique === false ? NOT_UNIQUE : ARROW_COLOURS[of.kind];
    const material = painted(colour, { depthTest: false, transparent: true, opacity: 0.9 });
    const body = new THREE.Mesh(of.kind === "torque" ? this.arc : this.shaft, material), tip = new THREE.Mesh(this.head, material);
    for (const mesh of [body, tip]) Object.assign(mesh, { renderOrder: 5, frustumCulled: false });
    group.add(body, tip);
    group.userData = { name: of.name, kind: of.kind, arrow: true };
    this.group.add(group);
    return { of, group, body, tip, vector: new THREE.Vector3(), ...(of.kind === "contact" ? this.touching(of) : {}) };
  }

  // what shows where two bodies touch: a patch, and friction along it where the normal is known
  touching(of) {
    const patch = new THREE.Mesh(this.patch, painted(ARROW_COLOURS.contact, { transparent: true, opacity: 0.75 })), friction = of.normal && this.made({ ...of, kind: "friction" });
    patch.userData = { name: of.name, kind: of.kind, arrow: true };
    this.group.add(patch);
    return { patch, friction };
  }

  largest(units) { return Math.max(0, ...this.data.arrows.filter((arrow) => arrow.units === units).map((arrow) => arrow.largest || 0)); }

  // metres for a newton
  get metresPerNewton() { return (LONGEST * this.data.scene.scale * this.size) / (this.largest("N") || 1); }

  shown(options) { return this.list.filter((one) => options[SHOWN_BY[one.of.kind]]); }

  show(t, options) {
    this.size = options.arrowSize;
    const wanted = this.shown(options);
    if (wanted.length) requestArrows(this.data);
    for (const one of this.list) for (const part of [one.group, one.patch, one.friction?.group]) if (part) part.visible = false;
    if (!this.data.arrowTime) return;
    const at = this.instant(t), largest = { N: this.largest("N"), "N m": this.largest("N m") };
    if (at) for (const one of wanted) this.place(one, at, largest[one.of.units]);
  }

  // through a jump of the frames arrows go with them; where arrows are known at fewer instants than the frames, none is shown there
  instant(t) {
    const { arrowTime, arrowJumps, jumps } = this.data, at = betweenTimes(arrowTime, t);
    if (!at.w || !(arrowJumps || jumps).has(at.i)) return at;
    return arrowJumps ? null : { ...at, w: Math.round(at.w) };
  }

  place(one, { i, j, w }, largest) {
    const { numbers: x, stride = 6, offset = 0 } = one.of, mix = (c) => x[stride * i + offset + c] + w * (x[stride * j + offset + c] - x[stride * i + offset + c]), size = one.vector.set(mix(3), mix(4), mix(5)).length();
    one.group.visible = size > 1e-6 * largest;
    if (!one.group.visible) return;
    const scale = this.data.scene.scale, length = (LONGEST * scale * this.size * size) / largest;
    one.group.position.set(mix(0), mix(1), mix(2));
    this.point(one, one.vector, length);
    if (one.patch) this.touch(one, length / size);
  }

  // of this length along a vector
  point(one, vector, length) {
    const { scale } = this.data.scene;
    one.group.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), vector.clone().normalize());
    if (one.of.kind === "torque") this.bend(one, 0.25 * length, 0.02 * scale);
    else this.straighten(one, length, Math.min(0.35 * length, 0.05 * scale));
  }

  touch(one, metresPerNewton) {
    const normal = one.of.normal ? vec(one.of.normal) : one.vector.clone().normalize(), along = one.vector.clone().addScaledVector(normal, -one.vector.dot(normal));
    one.patch.visible = true;
    one.patch.position.copy(one.group.position);
    one.patch.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), normal);
    one.patch.scale.setScalar(0.03 * this.data.scene.scale);
    if (!one.friction || along.length() < 1e-3 * one.vector.length()) return;
    one.friction.group.visible = true;
    one.friction.group.position.copy(one.group.position);
    this.point(one.friction, along, along.length() * metresPerNewton);
  }

  straighten(one, length, head) {
    one.length = length;
    one.body.scale.set(0.18 * head, 0.18 * head, length - head);
    one.tip.scale.set(0.45 * head, 0.45 * head, head);
    one.tip.position.z = length;
  }

  bend(one, radius, least) {
    // about the torque, as the fingers of the right hand
    one.body.scale.setScalar(radius);
    const head = Math.max(0.45 * radius, 0.3 * least);
    one.tip.scale.set(0.45 * head, 0.45 * head, head);
    one.tip.position.set(0.6 * head, -radius, 0);
    one.tip.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), new THREE.Vector3(1, 0, 0));
  }

  text(name) {
    // of the arrow of a part, for a tip
    const one = this.list.find((arrow) => arrow.of.name === name && arrow.group.visible);
    if (!one) return [];
    const on = one.of.body < 0 ? "the ground" : this.data.scene.bodies[one.of.body].name;
    const lines = [`${one.of.kind} on ${on}: ${number(one.vector.length())} ${one.of.units}`];
    return one.of.unique === false ? [...lines, "not unique: constraints repeat one another"] : lines;
  }
}

const SHOWN_BY = { reaction: "reactions", contact: "forces", force: "forces", torque: "forces" };

// "━━ 250 N": a bar on the screen that is as long as an arrow of this force, in the middle of the picture
function arrowScale(arrows, stage, options) {
  const shown = arrows.shown(options).some((one) => one.of.units === "N" && one.group.visible), holder = $("scale");
  holder.hidden = !shown;
  if (!shown) return;
  const pixels = stage.pixelsPerMetre() * arrows.metresPerNewton, round = [1, 2, 5].map((k) => k * 10 ** Math.floor(Math.log10(110 / pixels)));
  const newtons = round.filter((n) => n * pixels <= 110.001).pop();
  if (!newtons) return; // a stage without height has no scale
  holder.firstElementChild.style.width = `${newtons * pixels}px`;
  setText(holder.lastElementChild, `${newtons >= 1e5 || newtons < 1e-3 ? newtons.toExponential(0) : Number(newtons.toPrecision(1))} N`);
}
