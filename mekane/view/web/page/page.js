"use strict";
// The page as a whole. Its controls are made once; `take` puts in a motion. One page serves a saved file, a viewer and the studio.

const ROUND_OFF = 1e-6; // of the size of what is shown

class Page {
  constructor() {
    this.data = null;
    this.t = 0;
    this.playing = false;
    this.rate = 1;
    this.live = null; // what simulates it here
    this.near = null; // name of the part that the pointer is at, here or in the tree
    this.options = { joints: true, reactions: false, forces: true, ghost: false, follow: false, grid: true, light: true, arrowSize: 1 };
    const seek = (t) => this.seek(t);
    this.stage = new Stage();
    this.stage.resized = () => { if (this.data && this.stage.controls) { this.refit(); this.draw(); } }; // at once: its canvas is empty now
    this.plots = new Plots(seek);
    this.plots.changed = () => this.data && showComparison(this);
    this.health = new HealthPanel(seek);
    this.traces = new Traces(this.stage.world);
    this.tree = new Tree(this);
    this.inspector = new Inspector(this);
    this.recorder = new Recorder(this);
    this.looping = true; // unless a film is recorded
    this.pinned = null;
    this.pointer = new Pointer(this);
    this.events = new EventMarks((t) => { this.pause(); seek(t); });
    this.theme = new Theme(() => this.repaint());
    this.options.light = this.stage.light.shadows;
    toggles(this.options);
    timeBar(this);
    keyboard(this);
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
    const resized = !anew && (size > 3 * this.viewedSize || this.viewedSize > 3 * size);
    this.mechanism = new Mechanism(data, this.stage.world, this.stage.software);
    this.data = data;
    this.taken = (this.taken || 0) + 1;
    if (anew) this.fresh();
    if (anew || resized) this.viewedSize = size;
    this.stage.take(data, anew || resized, this.options.follow);
    this.plots.take(data, anew);
    this.traces.take(data);
    this.tree.take(data);
    this.health.take(data);
    this.events.take(data);
    this.texts();
    $("scrub").min = this.begin;
    $("scrub").max = this.end;
    this.seek(this.t);
    this.hover(this.near);
    this.select(kindOf(data.scene, this.inspector.name) ? this.inspector.name : null);
    if (!anew && !resized) this.refit();
    if (old) { old.root.removeFromParent(); this.draw(); old.dispose(); } // drawn before, so that shaders are kept and not made again
  }

  fresh() {
    this.t = this.begin;
    chooseRate(this.rate = this.data.live ? 1 : fittingRate(this.end - this.begin)); // live: as on the clock
    $("show-follow").checked = this.options.follow = goesFar(this.data);
  }

  texts() {
    const { scene, info, arrows } = this.data, some = (option) => arrows.some((arrow) => SHOWN_BY[arrow.kind] === option);
    $("title").textContent = document.title = scene.name;
    $("subtitle").textContent = info.subtitle;
    $("show-joints").parentElement.hidden = !scene.joints.length;
    for (const option of ["reactions", "forces"]) $(`show-${option}`).parentElement.hidden = !some(option);
    $("arrow-size").parentElement.hidden = !arrows.length;
  }

  press() {
    if (this.playing) return this.pause();
    if (this.t >= this.end && !this.live) this.t = this.begin;
    this.playing = true;
  }

  pause() { this.playing = false; }

  seek(t) {
    this.t = Math.min(this.end, Math.max(this.begin, t));
  }

  // by frames
  step(by) {
    const { i, j } = betweenTimes(this.data.time, this.t), last = this.data.time.length - 1;
    this.pause();
    if (this.live && by > 0 && this.t >= this.end) { this.live.single(); return; }
    this.seek(this.data.time[Math.min(last, Math.max(0, by > 0 ? i + 1 : this.t > this.data.time[i] ? i : j - (i === j ? 1 : 2)))]);
  }

  overlay(text) {
    // a note over the stage; none without a text
    $("overlay").textContent = text || "";
    $("overlay").hidden = !text;
  }

  hover(name) {
    this.near = name;
    this.tree.near(name);
    this.stage.outlines.near.around(name ? this.mechanism.meshes(name) : []);
  }

  // a part by its name, or nothing
  select(name) {
    this.inspector.select(name);
    this.stage.outlines.selected.around(name ? this.mechanism.meshes(name) : []);
  }

  // if it has left the picture: the view is fitted again, unless the reader has chosen it
  refit() {
    if (this.options.follow || this.stage.sees(this.data)) return;
    if (this.stage.chosen) return this.note("part of it is outside the picture: f fits it");
    this.stage.frame(this.data, false);
    this.note("view fitted");
  }

  // a word over the stage that goes by itself
  note(text) {
    this.overlay(text);
    clearTimeout(this.noted);
    this.noted = setTimeout(() => $("overlay").textContent === text && this.overlay(""), 2500);
  }

  // keep this run beside those that follow; a second time lets it go
  pin() {
    if (this.pinned) this.pinned.dispose();
    this.pinned = this.pinned ? null : new PinnedRun(this.data, this.stage.world);
    this.plots.pinned = this.pinned && this.data;
    $("pin").setAttribute("aria-pressed", Boolean(this.pinned));
    $("pin").textContent = this.pinned ? "Unpin" : "Pin this run";
    this.plots.repaint();
    showComparison(this);
    this.taken++; // drawn again
  }

  // stage, one plot, large letters
  lecture() {
    const on = document.body.classList.toggle("lecture");
    $("lecture").setAttribute("aria-pressed", on);
    for (const one of this.plots.charts) one.resize();
  }

  // in the colours of another theme
  repaint() {
    this.stage.repaint();
    this.plots.repaint();
    this.health.repaint();
  }

  // [quantity, text] of what is known of a part at a time
  values(name, t, ask = false) {
    const found = valuesOf(this.data, name, t, ask), k = this.data.scene.bodies.findIndex((body) => body.name === name);
    if (k < 0 || found.some(([quantity]) => quantity === "position")) return found;
    const round = (x) => number(Math.abs(x) < ROUND_OFF * this.data.scene.size ? 0 : x);
    return [["position", `(${this.mechanism.groups[k].position.toArray().map(round).join(", ")}) m`], ...found];
  }

  tick(now) {
    const passed = now - this.last, step = Math.min(0.1, passed / 1000);
    this.last = now;
    if (!this.data) return;
    const gone = this.playing && this.stage.renderer && this.stage.light.measured(passed);
    if (gone) $("show-light").checked = this.options.light = false;
    if (gone) this.note(`${gone} are off: pictures came too slowly`);
    if (this.playing) this.advance(step * this.rate);
    this.draw();
  }

  advance(step) {
    if (this.live) { this.live.advance(step); return; }
    if (this.end <= this.begin) { this.t = this.begin; return; } // a state, such as an equilibrium
    this.t += step;
    if (this.t < this.end) return;
    if ($("loop").checked && this.looping) this.t = this.begin + ((this.t - this.begin) % Math.max(this.end - this.begin, 1e-12));
    else { this.t = this.end; this.pause(); }
  }

  draw() {
    setText($("play"), this.playing ? "Pause" : "Play");
    if (document.activeElement !== $("scrub") || this.playing) $("scrub").value = this.t;
    setText($("time"), `${this.t.toPrecision(4)} s`);
    this.mechanism.show(this.t, this.options);
    if (this.pinned) this.pinned.show(this.t);
    this.traces.show((body, point) => this.mechanism.pointOf(body, point));
    this.stage.follow(this.options.follow ? this.mechanism.centre() : null);
    this.stage.options(this.options);
    this.mechanism.thin.show(this.stage.pixelsPerMetre());
    lengthScale(this.stage, this.options.grid);
    arrowScale(this.mechanism.arrows, this.stage, this.options);
    this.plots.show(this.t);
    this.health.show(this.t);
    if (this.live) this.live.show();
    this.tree.show(this.t, this.near);
    this.inspector.show(this.t);
    const apart = this.mechanism.apart ? `frames are ${number(this.mechanism.apart)} s apart here: the motion between them is not shown` : "";
    setText($("trouble"), this.data.poses.trouble || this.data.trouble || apart);
    const key = [this.t, this.near, this.inspector.name, this.stage.light.shadows, this.stage.light.reflections, this.taken, this.traces.changes, this.mechanism.exact, Boolean(this.data.arrowTime), JSON.stringify(this.options)];
    this.pointer.show(this.stage.draw(key.join()));
  }
}

readData().then((data) => {
  const page = new Page();
  if (data.studio) window.studio = new Studio(page, data.studio);
  else if (data.live) new Live(page, engineOf(window.liveModel, data.live.about), data);
  else page.take(data);
  window.page = page;
}).catch((error) => {
  const reason = /webgl/i.test(error.message) ? "this browser has no WebGL, by which it is drawn. Allow hardware acceleration, or use another browser." : error.message;
  $("subtitle").textContent = `This page cannot be shown: ${reason}`;
  $("subtitle").setAttribute("role", "alert");
  if (!error.explained) throw error;
});
