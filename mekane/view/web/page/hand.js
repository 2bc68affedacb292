"use strict";
// A body held with the mouse or a finger: a damped spring from the cursor to the point that was taken hold of, drawn with its force.

const HAND = "#c2410c";
const QUICK = 10; // rad/s of the clock on the wall: how quickly a body follows the cursor
const SAG = 0.1; // of the size of the mechanism: so far its whole weight stretches the spring

class Hand {
  constructor(live) {
    this.live = live;
    this.page = live.page;
    this.strength = 1;
    this.root = new THREE.Group();
    this.rod = new THREE.Mesh(barAlongZ(1, 12), painted(HAND));
    this.knob = new THREE.Mesh(new THREE.SphereGeometry(1, 20, 14), painted(HAND));
    this.root.add(this.rod, this.knob);
    this.root.visible = false;
    this.page.stage.world.add(this.root);
    this.label = document.createElement("div");
    this.label.id = "hand-force";
    this.label.hidden = true;
    $("stage").append(this.label);
    this.listeners = [[$("stage"), "pointerdown", (event) => this.down(event), true], [window, "pointermove", (event) => this.move(event)],
      [window, "pointerup", (event) => this.up(event)], [window, "pointercancel", (event) => this.up(event)], [window, "blur", () => this.drop()]];
    for (const [target, kind, act, capture] of this.listeners) target.addEventListener(kind, act, capture);
  }

  dispose() {
    for (const [target, kind, act, capture] of this.listeners) target.removeEventListener(kind, act, capture);
    this.drop();
    this.label.remove();
    this.root.removeFromParent();
    disposed(this.root);
  }

  down(event) {
    if (event.target !== this.page.stage.canvas || event.button !== 0 || event.shiftKey || event.ctrlKey || this.pointer !== undefined) return;
    const found = this.page.mechanism.bodyOf(this.page.pointer.hit(event));
    if (!found || !this.live.present()) return;
    event.stopPropagation(); // the view does not turn
    event.preventDefault();
    const group = this.page.mechanism.groups[found.body], { engine } = this.live;
    const place = found.point.clone().sub(group.position).applyQuaternion(group.quaternion.clone().invert()).toArray();
    this.plane = { point: found.point.clone(), normal: this.page.stage.camera.getWorldDirection(new THREE.Vector3()) };
    engine.grab(found.body, place, found.point.toArray(), {
      quick: QUICK / this.page.rate, weight: this.live.weight, sag: SAG * this.page.data.scene.size, strength: this.strength,
    });
    this.pointer = event.pointerId;
    this.page.playing = true;
  }

  move(event) {
    if (event.pointerId !== this.pointer || !this.live.engine.hand) return;
    const { pointer } = this.page, target = pointer.onPlane(event, this.plane.point, this.plane.normal), { x, y } = pointer.aim(event);
    if (!target) return;
    this.live.engine.hand.target = target.toArray();
    this.place = [x, y];
  }

  up(event) { if (event.pointerId === this.pointer) this.drop(); }

  drop() {
    this.pointer = undefined;
    this.live.engine.release();
    this.show();
  }

  // where the spring is now, and what it pulls with
  show() {
    const held = this.live.engine.handForce();
    this.root.visible = Boolean(held);
    this.label.hidden = !held;
    if (!held) return;
    const from = vec(held.at), to = vec(this.live.engine.hand.target), way = to.clone().sub(from), length = way.length(), unit = 0.006 * this.page.data.scene.scale;
    this.rod.position.copy(from);
    if (length > 0) this.rod.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), way.divideScalar(length));
    this.rod.scale.set(unit, unit, Math.max(length, 1e-9));
    this.knob.position.copy(to);
    this.knob.scale.setScalar(2.2 * unit);
    setText(this.label, `${number(Math.hypot(...held.force))} N`);
    if (!this.place) return;
    const most = $("stage").clientWidth - this.label.offsetWidth - 4;
    [this.label.style.left, this.label.style.top] = [`${Math.max(0, Math.min(this.place[0] + 14, most))}px`, `${Math.max(0, this.place[1] - 24)}px`];
  }
}
