"use strict";
// The page as a whole. Its controls are made once; `take` puts in a motion. One page serves a saved file, a viewer and the studio.

const OPTIONS = { joints: "joints", forces: "reactions", ghost: "ghost of the start", follow: "camera follows", grid: "floor and axes" };
const RATES = [0.01, 0.03, 0.1, 0.25, 0.5, 1, 2, 5];

class Page {
  constructor() {
    this.data = null;
    this.t = 0;
    this.playing = false;
    this.rate = 1;
    this.options = { joints: true, forces: false, ghost: false, follow: false, grid: true };
    this.stage = new Stage();
    this.plots = new Plots((t) => this.seek(t));
    for (const [key, text] of Object.entries(OPTIONS)) this.toggle(key, text);
    this.bar();
    this.pointer();
    this.last = performance.now();
    const tick = (now) => { this.tick(now); requestAnimationFrame(tick); };
    requestAnimationFrame(tick);
  }

  get end() { return this.data.time[this.data.time.length - 1]; }
  get begin() { return this.data.time[0]; }

  take(data) {
    // another motion; what the reader has chosen stays. `data` is what `readied` gives.
    const before = this.data, old = this.mechanism, size = data.scene.size;
    const anew = !before || before.scene.name !== data.scene.name;
    const resized = !anew && (size > 3 * this.seenSize || this.seenSize > 3 * size);
    this.mechanism = new Mechanism(data, this.stage.world);
    this.data = data;
    if (anew) this.fresh();
    if (anew || resized) this.seenSize = size;
    this.stage.take(data, anew || resized);
    this.plots.take(data, anew);
    this.words();
    $("scrub").min = this.begin;
    $("scrub").max = this.end;
    this.seek(this.t);
    if (old) { old.root.removeFromParent(); this.draw(); old.dispose(); } // drawn before, so that shaders are kept and not made again
  }

  fresh() {
    const span = this.end - this.begin;
    this.t = this.begin;
    $("speed").value = this.rate = span < 0.2 ? 0.01 : span < 1 ? 0.1 : 1;
    $("show-follow").checked = this.options.follow = goesFar(this.data);
  }

  words() {
    const { scene, info, arrows } = this.data;
    $("title").textContent = document.title = scene.name;
    $("subtitle").textContent = info.subtitle;
    $("health").textContent = info.health;
    $("show-forces").parentElement.hidden = !arrows.length;
    $("parts").replaceChildren();
    scene.bodies.forEach((body, k) => this.part(body.name, `${body.mass.toPrecision(4)} kg`, body.colour, this.mechanism.groups[k]));
    for (const joint of scene.joints) this.part(joint.name, joint.kind, "#c9d1d9", null);
  }

  part(name, text, colour, group) {
    const li = document.createElement("li"), swatch = document.createElement("span"), small = document.createElement("small");
    swatch.className = "swatch";
    swatch.style.background = colour;
    small.textContent = ` ${text}`;
    li.append(swatch, name, small);
    li.dataset.name = name;
    if (group) {
      const glow = (on) => group.traverse((x) => x.material && x.material.emissive && x.material.emissive.set(on ? "#3b82f6" : "#000000"));
      li.addEventListener("mouseenter", () => glow(true));
      li.addEventListener("mouseleave", () => glow(false));
    }
    $("parts").append(li);
  }

  toggle(key, text) {
    const label = document.createElement("label"), box = document.createElement("input");
    box.type = "checkbox";
    box.id = `show-${key}`;
    box.checked = this.options[key];
    box.addEventListener("change", () => { this.options[key] = box.checked; });
    label.append(box, ` ${text}`);
    $("show").append(label);
  }

  bar() {
    for (const rate of RATES) $("speed").append(new Option(`${rate}×`, rate));
    $("speed").addEventListener("change", (event) => { this.rate = Number(event.target.value); });
    $("scrub").addEventListener("input", (event) => { this.pause(); this.seek(Number(event.target.value)); });
    $("play").addEventListener("click", () => this.press());
    document.addEventListener("keydown", (event) => {
      if (event.code === "Space" && !["INPUT", "SELECT", "BUTTON", "TEXTAREA"].includes(event.target.tagName)) { event.preventDefault(); this.press(); }
    });
  }

  press() {
    if (this.playing) return this.pause();
    if (this.t >= this.end) this.t = this.begin;
    this.playing = true;
  }

  pause() { this.playing = false; }

  seek(t) {
    this.t = Math.min(this.end, Math.max(this.begin, t));
  }

  overlay(text) {
    // a note over the stage; none without a text
    $("overlay").textContent = text || "";
    $("overlay").hidden = !text;
  }

  pointer() {
    const ray = new THREE.Raycaster(), tip = $("tip");
    this.stage.canvas.addEventListener("pointermove", (event) => {
      if (!this.data) return;
      const box = this.stage.canvas.getBoundingClientRect();
      const at = new THREE.Vector2((2 * (event.clientX - box.left)) / box.width - 1, 1 - (2 * (event.clientY - box.top)) / box.height);
      ray.setFromCamera(at, this.stage.camera);
      const hit = ray.intersectObjects([...this.mechanism.groups, this.mechanism.ground], true).find((x) => x.object.isMesh);
      const named = hit && (hit.object.userData.name ? hit.object : hit.object.parent);
      tip.hidden = !(named && named.userData.name);
      for (const li of $("parts").children) li.classList.toggle("near", !tip.hidden && li.dataset.name === named.userData.name);
      if (tip.hidden) return;
      const p = hit.object.parent.position, place = named.userData.kind === "body" ? `\n(${[p.x, p.y, p.z].map((x) => x.toPrecision(4)).join(", ")}) m` : "";
      tip.textContent = `${named.userData.kind} ${named.userData.name}${place}`;
      tip.style.left = `${event.clientX - box.left + 12}px`;
      tip.style.top = `${event.clientY - box.top + 12}px`;
    });
  }

  tick(now) {
    const step = Math.min(0.1, (now - this.last) / 1000);
    this.last = now;
    if (!this.data) return;
    if (this.playing) this.advance(step * this.rate);
    this.draw();
  }

  advance(step) {
    this.t += step;
    if (this.t < this.end) return;
    if ($("loop").checked) this.t = this.begin + ((this.t - this.begin) % Math.max(this.end - this.begin, 1e-12));
    else { this.t = this.end; this.pause(); }
  }

  draw() {
    $("play").textContent = this.playing ? "Pause" : "Play";
    if (document.activeElement !== $("scrub") || this.playing) $("scrub").value = this.t;
    $("time").textContent = `${this.t.toPrecision(4)} s`;
    this.mechanism.show(this.t, this.options);
    if (this.options.follow) this.stage.follow(this.mechanism.centre());
    this.stage.grid.visible = this.stage.axes.visible = this.options.grid;
    this.plots.show(this.t);
    $("trouble").textContent = this.data.poses.trouble || this.data.trouble || "";
    this.stage.draw();
  }
}

readData().then((data) => {
  const page = new Page();
  if (data.studio) window.studio = new Studio(page, data.studio);
  else page.take(data);
  window.page = page;
}).catch((error) => {
  $("subtitle").textContent = `This page cannot be shown: ${error.message}`;
  throw error;
});
