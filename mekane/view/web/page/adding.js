"use strict";
// A body or a joint, added by two places: clicked on the stage, or chosen and typed in a bar beside it. The server writes its line into the text.

const NEAR = 9; // pixels: a click so near to a known point means that point
const STEP = 3; // pixels: other places are rounded to about so much
const STRAIGHT = 0.99; // cosine: a direction so near to an axis is that axis
const HINTS = { // before the first place, before the second
  body: ["click where the new body begins", "click where it ends"],
  slider: ["click the first body; beside them is the ground", "click the second, in the direction of sliding"],
  "": ["click the first body; beside them is the ground", "click the second, at the place of the joint"],
};

class Adding {
  constructor(studio) {
    this.studio = studio;
    this.page = studio.page;
    this.mark = new THREE.Mesh(new THREE.SphereGeometry(1, 20, 14), painted("#e8590c"));
    Object.assign(this.mark.material, { depthTest: false, transparent: true }); // seen through what it lies in
    this.mark.renderOrder = 9;
    this.page.stage.world.add(this.mark);
    $("do-add").addEventListener("click", () => (this.on ? this.close() : this.open()));
    $("add-cancel").addEventListener("click", () => this.close());
    $("add-kind").addEventListener("change", () => this.hint());
    for (const k of [0, 1]) $(`add-body-${k}`).addEventListener("change", () => this.choose(k));
    $("add-bar").addEventListener("submit", (event) => { event.preventDefault(); this.add(); });
    addEventListener("keydown", (event) => this.key(event));
    this.close();
  }

  get on() { return !$("add-bar").hidden; }

  key(event) {
    if (this.on && event.key === "Escape" && !event.target.closest(".cm-editor")) return this.close();
    const typing = event.target.closest(".cm-editor, input, select, textarea") || document.querySelector("dialog[open]");
    if (event.key === "a" && !typing && !this.on && !(event.ctrlKey || event.metaKey || event.altKey)) { event.preventDefault(); this.open(); }
  }

  open() {
    const { page, studio } = this;
    if (!page.data) return;
    if (studio.live.on || !$("answer").hidden) { studio.live.stop(); studio.run({}); } // places are those of the text
    for (const k of [0, 1]) {
      $(`add-body-${k}`).replaceChildren(...["ground", ...page.data.scene.bodies.map((body) => body.name)].map((name) => new Option(name, name)));
      $(`add-at-${k}`).value = "";
    }
    this.picked = 0;
    page.pointer.taker = (event, hit) => this.take(event, hit);
    $("add-bar").hidden = false;
    $("do-add").setAttribute("aria-expanded", true);
    $("stage").classList.add("adding");
    this.hint();
    $("add-kind").focus();
  }

  close() {
    const inside = $("add-bar").contains(document.activeElement);
    $("add-bar").hidden = true;
    $("do-add").setAttribute("aria-expanded", false);
    $("stage").classList.remove("adding");
    this.mark.visible = false;
    if (this.page.pointer.taker) this.page.overlay("");
    this.page.pointer.taker = null;
    if (this.page.taken) this.page.taken++; // drawn again
    if (inside) $("do-add").focus();
  }

  hint(trouble = "") {
    const kind = $("add-kind").value;
    $("add-holds").hidden = kind !== "body";
    $("add-axes").hidden = ["ball", "weld"].includes(kind);
    $("add-note").textContent = trouble;
    this.page.overlay((HINTS[kind] || HINTS[""])[this.picked]);
  }

  // -- places, all of them at the start

  start() {
    this.page.pause();
    this.page.seek(this.page.begin);
    this.page.draw();
  }

  // x, y or z, whichever is nearest to the line of sight; or the one that was chosen
  across() {
    const chosen = $("add-axis").value;
    return chosen ? vec(AXES[chosen][1]) : nearestAxis(this.page.stage.camera.getWorldDirection(new THREE.Vector3()).negate());
  }

  take(event, hit) {
    this.start();
    const body = hit && this.page.mechanism.bodyOf(this.page.pointer.hit(event)), name = body ? this.page.data.scene.bodies[body.body].name : "ground";
    const point = this.known(event, name) || (body ? this.inPlane(body) : this.onGround(event));
    if (!point) return this.hint("There is no place in that direction: turn the view.");
    this.put(this.picked, name, point);
    if (this.picked === 1) return this.add();
    this.picked = 1;
    return this.hint();
  }

  // on a body: in the plane across the axis through its mass centre, since it is drawn in a layer of its own
  inPlane({ body, point }) {
    const away = this.centreOf(body).sub(point), n = this.across();
    return this.rounded(point.clone().addScaledVector(n, away.dot(n)), n);
  }

  // beside all bodies: in the plane of the first place, or of the middle of the mechanism
  onGround(event) {
    const n = this.across(), through = this.picked ? vec(this.place(0)) : this.middle(), found = this.page.pointer.onPlane(event, through, n);
    return found && this.rounded(found, n);
  }

  middle() {
    const sum = new THREE.Vector3(), { bodies } = this.page.data.scene;
    bodies.forEach((_, k) => sum.add(this.centreOf(k)));
    return sum.divideScalar(Math.max(1, bodies.length));
  }

  centreOf(body) { return this.page.mechanism.pointOf(body, this.page.data.scene.bodies[body].com); }

  // to a length that is seen as a few pixels; along the axis it is not touched
  rounded(point, n) {
    const metres = STEP / this.page.stage.pixelsPerMetre(), power = 10 ** Math.floor(Math.log10(metres)), step = [1, 2, 5, 10].map((k) => k * power).find((one) => one >= metres);
    return vec(point.toArray().map((x, k) => (Math.abs(n.getComponent(k)) > 0.5 ? x : Number((Math.round(x / step) * step).toPrecision(9)))));
  }

  // a point of a joint, an end of a rod or a mass centre under the pointer: of this body, or of the ground
  known(event, name) {
    const { x, y } = this.page.pointer.aim(event), { camera } = this.page.stage, { clientWidth: w, clientHeight: h } = $("stage");
    const far = (p) => { const q = p.clone().project(camera); return Math.hypot(((q.x + 1) / 2) * w - x, ((1 - q.y) / 2) * h - y); };
    return this.points(name).map((p) => [far(p), p]).filter(([d]) => d < NEAR).sort((a, b) => a[0] - b[0]).map(([, p]) => p)[0];
  }

  points(name) {
    const { scene } = this.page.data, number = scene.bodies.findIndex((body) => body.name === name), found = [];
    const of = (point) => this.page.mechanism.pointOf(number, point);
    for (const joint of scene.joints) for (const end of [joint.a, joint.b]) if (end.body === number) found.push(of(end.position));
    if (number < 0) return [...found, new THREE.Vector3()];
    for (const solid of scene.bodies[number].solids) if (["cylinder", "capsule"].includes(solid.kind)) found.push(...endsOf(solid).map(of));
    return [...found, this.centreOf(number)];
  }

  put(k, name, point) {
    $(`add-body-${k}`).value = name;
    $(`add-at-${k}`).value = point.toArray().map((x) => Number(x.toPrecision(7)) + 0).join(", ");
    if (k) return;
    this.mark.position.copy(point);
    this.mark.scale.setScalar(4 / this.page.stage.pixelsPerMetre());
    this.mark.visible = true;
    this.page.taken++; // drawn again
  }

  // another body of the list: at its mass centre, until something else is typed
  choose(k) {
    this.start();
    const number = this.page.data.scene.bodies.findIndex((body) => body.name === $(`add-body-${k}`).value);
    this.put(k, $(`add-body-${k}`).value, number < 0 ? new THREE.Vector3() : this.centreOf(number));
    this.picked = Math.max(this.picked, k ? this.picked : 1);
    this.hint();
  }

  place(k) { return $(`add-at-${k}`).value.split(/[\s,;]+/).filter(Boolean).map(Number); }

  // -- what is sent

  async add() {
    this.start();
    const { studio } = this, kind = $("add-kind").value, hold = kind === "body" ? $("add-hold").value : "";
    const places = [0, 1].map((k) => ({ body: $(`add-body-${k}`).value, point: this.place(k) }));
    const wrong = places.findIndex(({ point }) => point.length !== 3 || !point.every(Number.isFinite));
    if (wrong >= 0) return this.again(`The ${wrong ? "second" : "first"} place is not three numbers, such as 0.1, 0, 2.`, wrong);
    const reply = await studio.post("/add", { kind, hold, places, axis: this.axis(kind, places).toArray(), changes: [...studio.moved.values()] }).catch((error) => ({ error: { text: error.message } }));
    if (reply.error) return this.again(reply.error.text, 1);
    this.close();
    return studio.write(reply.text, reply.name);
  }

  again(trouble, picked) {
    this.picked = picked;
    this.hint(trouble);
  }

  // a slider slides from the one place to the other, unless an axis was chosen; all else turns about the line of sight
  axis(kind, [one, other]) {
    const way = vec(other.point).sub(vec(one.point));
    if (kind !== "slider" || $("add-axis").value) return this.across();
    if (way.length() * this.page.stage.pixelsPerMetre() < NEAR) return nearestAxis(new THREE.Vector3(1, 0, 0).applyQuaternion(this.page.stage.camera.quaternion)); // to the right
    const near = nearestAxis(way.normalize());
    return Math.abs(way.dot(near)) > STRAIGHT ? near : way;
  }
}

// x, y or z; of two that are as near, the first
function nearestAxis(direction) {
  const parts = direction.toArray(), k = parts.reduce((best, x, i) => (Math.abs(x) > Math.abs(parts[best]) + 1e-9 ? i : best), 0);
  return vec([0, 1, 2].map((i) => (i === k ? 1 : 0)));
}

// of a rod: the middles of its two ends, in the frame of its body
function endsOf({ position, rotation, size }) {
  return [-1, 1].map((side) => vec([0, 0, (side * size[1]) / 2]).applyQuaternion(quat(rotation)).add(vec(position)).toArray());
}
