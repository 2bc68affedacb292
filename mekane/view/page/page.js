"use strict";
// The page as a whole: play, scrub, what is shown. One page serves a saved file, a viewer and the studio.

class Page {
  constructor(data) {
    this.data = data;
    this.t = data.time[0];
    this.playing = false;
    this.rate = 1;
    this.options = { joints: true, forces: false, ghost: false, follow: goesFar(data), grid: true, largest: Math.max(0, ...data.arrows.map((a) => a.largest)) };
    this.stage = new Stage(data);
    this.mechanism = new Mechanism(data, this.stage.world);
    this.plots = new Plots(data, (t) => this.seek(t));
    this.words();
    this.bar();
    this.pointer();
    this.last = performance.now();
    const tick = (now) => { this.tick(now); requestAnimationFrame(tick); };
    requestAnimationFrame(tick);
  }

  get end() { return this.data.time[this.data.time.length - 1]; }
  get begin() { return this.data.time[0]; }

  words() {
    const { scene, info } = this.data;
    $("title").textContent = document.title = scene.name;
    $("subtitle").textContent = info.subtitle;
    $("health").textContent = info.health;
    scene.bodies.forEach((body, k) => this.part(body.name, `${body.mass.toPrecision(4)} kg`, body.colour, this.mechanism.groups[k]));
    for (const joint of scene.joints) this.part(joint.name, joint.kind, "#c9d1d9", null);
    const names = { joints: "joints", forces: "reactions", ghost: "ghost of the start", follow: "camera follows", grid: "floor and axes" };
    for (const [key, text] of Object.entries(names)) this.toggle(key, text);
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
    if (key === "forces" && !this.data.arrows.length) return;
    const label = document.createElement("label"), box = document.createElement("input");
    box.type = "checkbox";
    box.id = `show-${key}`;
    box.checked = this.options[key];
    box.addEventListener("change", () => { this.options[key] = box.checked; });
    label.append(box, ` ${text}`);
    $("show").append(label);
  }

  bar() {
    const span = this.end - this.begin;
    for (const rate of [0.01, 0.03, 0.1, 0.25, 0.5, 1, 2, 5]) $("speed").append(new Option(`${rate}×`, rate));
    const natural = span < 0.2 ? 0.01 : span < 1 ? 0.1 : 1;
    $("speed").value = this.rate = natural;
    $("speed").addEventListener("change", (event) => { this.rate = Number(event.target.value); });
    $("scrub").min = this.begin;
    $("scrub").max = this.end;
    $("scrub").addEventListener("input", (event) => { this.playing = false; this.seek(Number(event.target.value)); });
    $("play").addEventListener("click", () => this.press());
    document.addEventListener("keydown", (event) => {
      if (event.code === "Space" && !["INPUT", "SELECT", "BUTTON", "TEXTAREA"].includes(event.target.tagName)) { event.preventDefault(); this.press(); }
    });
  }

  press() {
    if (!this.playing && this.t >= this.end) this.t = this.begin;
    this.playing = !this.playing;
  }

  seek(t) {
    this.t = Math.min(this.end, Math.max(this.begin, t));
  }

  pointer() {
    const ray = new THREE.Raycaster(), tip = $("tip");
    this.stage.canvas.addEventListener("pointermove", (event) => {
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
    if (this.playing) {
      this.t += step * this.rate;
      if (this.t >= this.end) {
        if ($("loop").checked) this.t = this.begin + ((this.t - this.begin) % Math.max(this.end - this.begin, 1e-12));
        else { this.t = this.end; this.playing = false; }
      }
    }
    $("play").textContent = this.playing ? "Pause" : "Play";
    if (document.activeElement !== $("scrub") || this.playing) $("scrub").value = this.t;
    $("time").textContent = `${this.t.toPrecision(4)} s`;
    this.mechanism.show(this.t, this.options);
    if (this.options.follow) this.stage.follow(this.mechanism.centre());
    this.stage.grid.visible = this.stage.axes.visible = this.options.grid;
    this.plots.show(this.t);
    this.stage.draw();
  }
}

readData().then((data) => { window.page = new Page(data); }).catch((error) => {
  $("subtitle").textContent = `This page cannot be shown: ${error.message}`;
  throw error;
});
