"use strict";
// What the pointer is at: a tip with its name and values; a click selects it, a double click traces the point.

class Pointer {
  constructor(page) {
    this.page = page;
    this.ray = new THREE.Raycaster();
    const canvas = page.stage.canvas;
    canvas.addEventListener("pointermove", (event) => { this.event = event; });
    canvas.addEventListener("pointerleave", () => { this.event = null; this.leave(); });
    canvas.addEventListener("dblclick", (event) => this.trace(event));
    canvas.addEventListener("pointerdown", (event) => { this.down = [event.clientX, event.clientY]; });
    canvas.addEventListener("pointerup", (event) => this.click(event));
  }

  // the line of sight through the pointer; and the place of the pointer on the stage
  aim(event) {
    const box = this.page.stage.canvas.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
    this.ray.setFromCamera(new THREE.Vector2((2 * x) / box.width - 1, 1 - (2 * y) / box.height), this.page.stage.camera);
    return { x, y, width: box.width };
  }

  // where the line of sight meets a plane; null if it does not
  onPlane(event, point, normal) {
    this.aim(event);
    const { origin, direction } = this.ray.ray, along = direction.dot(normal), far = point.clone().sub(origin).dot(normal) / along;
    return Math.abs(along) > 1e-6 && far > 0 ? direction.clone().multiplyScalar(far).add(origin) : null;
  }

  hit(event) {
    const place = this.aim(event), { mechanism } = this.page;
    for (const found of this.ray.intersectObjects(mechanism.visible(), true)) {
      let part = found.object;
      while (part && !part.userData.name) part = part.parent;
      if (part) return { part, point: found.point, ...place };
    }
    return null;
  }

  // once for every picture, and not for every event; now and then where nothing moves, since values may come from a server
  show(drawn) {
    if (this.event?.buttons) $("tip").hidden = true; // it is dragged away from there
    const idle = !drawn && this.event === this.shown && performance.now() < this.again;
    if (!this.event || this.event.buttons || idle) return;
    this.shown = this.event;
    this.again = performance.now() + 300;
    const hit = this.hit(this.event);
    if (!hit) return this.leave();
    const { name, kind } = hit.part.userData, tip = $("tip");
    if (this.page.near !== name) this.page.hover(name);
    this.over = name;
    const values = this.taker ? [] : this.page.values(name, this.page.t, true).map(([quantity, text]) => `${quantity} ${text}`);
    tip.textContent = [calledOf(kind.replaceAll("_", " "), name), ...values.slice(0, 5), ...this.page.mechanism.arrows.text(name)].join("\n");
    tip.hidden = false;
    tip.style.left = `${Math.max(0, Math.min(hit.x + 12, hit.width - tip.offsetWidth - 4))}px`;
    tip.style.top = `${hit.y + 14}px`;
  }

  leave() {
    $("tip").hidden = true;
    if (this.over && this.page.near === this.over) this.page.hover(null);
    this.over = null;
  }

  // selects; a drag turns the view, and selects nothing
  click(event) {
    if (!this.down || event.button || Math.hypot(event.clientX - this.down[0], event.clientY - this.down[1]) > CLICK) return;
    const hit = this.hit(event);
    if (this.taker) return this.taker(event, hit); // places are being chosen
    this.page.select(hit ? hit.part.userData.name : null);
  }

  trace(event) {
    const hit = this.hit(event), k = hit ? this.page.data.scene.bodies.findIndex((body) => body.name === hit.part.userData.name) : -1;
    if (k < 0) return;
    const group = this.page.mechanism.groups[k], point = hit.point.clone().sub(group.position).applyQuaternion(group.quaternion.clone().invert());
    this.page.traces.toggle(this.page.data.scene.bodies[k].name, point.toArray(), `(${point.toArray().map(number).join(", ")})`);
  }
}
