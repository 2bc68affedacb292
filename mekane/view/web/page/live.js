"use strict";
// A mechanism that is simulated in the page: played in real time, dragged, changed by sliders, rewound through what was recorded.

const BUDGET = 24; // ms of computing for one picture
const PLOTTED_EVERY = 200; // ms
const LIVE_STEP = 1 / 60; // of the clock on the wall: a single step [s]

class Live {
  // `engine`: what computes it; `data`: of the page, with a preview of the motion that the camera is set by
  // before: another that it goes on from, if that has the same coordinates
  constructor(page, engine, data, before = null) {
    Object.assign(this, { page, engine, data, about: data.live.about });
    this.record = new LiveRecord(this.engine);
    if (before) this.goOnFrom(before);
    this.weight = data.scene.bodies.reduce((sum, body) => sum + body.mass, 0) * Math.hypot(...data.scene.gravity);
    this.slow = 0;
    if (!this.record.count || this.record.end < this.engine.t) this.record.push(this.engine);
    data.arrows = this.arrows();
    data.info.events = this.engine.log ?? data.info.events ?? [];
    data.channels = this.record.channels(this.about.coordinates);
    data.shown = (data.shown || []).filter((name) => name in data.channels);
    const first = Object.keys(data.channels).filter((name) => name !== "energy" && !name.endsWith(".rate"));
    if (!data.shown.length) data.shown = [...first, "energy"].slice(0, 2);
    page.take(data);
    data.jumps = new Set();
    data.poses = new Poses(this.about.bodies, this.record.numbers, []);
    this.hand = new Hand(this);
    this.panel = new LivePanel(this);
    this.refresh();
    page.live = this;
    page.t = this.engine.t;
    this.plot();
  }

  dispose() {
    this.hand.dispose();
    this.panel.dispose();
    this.page.live = null;
  }

  // whether it has the coordinates of another
  isAs({ about }) { return ["n", "q", "u", "bodies", "places", "coordinates"].every((key) => JSON.stringify(about[key]) === JSON.stringify(this.about[key])); }

  goOnFrom({ engine, record, panel, about }) {
    if (!this.isAs({ about })) return;
    const before = engine.energy.total;
    this.engine.state = engine.state;
    if (!this.engine.settle(ASSEMBLY)) {
      this.engine.reset();
      this.data.trouble = "It cannot be put together from where it was, and begins anew.";
      return;
    }
    this.engine.begin();
    this.engine.byUser += this.engine.energy.total - before;
    this.record = record;
    this.first = panel.first;
    record.cut(engine.t);
    record.count--;
    record.push(this.engine);
  }

  // of points of contact; their numbers are those of the record
  arrows() {
    const { contacts } = this.about, { points } = this.record;
    return (contacts?.points ?? []).map(({ element, body, normal }, k) => ({ name: contacts.elements[element].name, kind: "contact", units: "N", body, normal, unique: true, largest: 0, stride: points, offset: 6 * k, numbers: this.record.arrows }));
  }

  // the same after the record has grown: the largest force so far sets the scale
  refreshArrows() {
    const { data, record } = this, { arrows } = data;
    if (!arrows.length) return;
    data.arrowTime = record.time;
    for (const one of arrows) {
      one.numbers = record.arrows;
      const k = (record.count - 1) * one.stride + one.offset + 3;
      one.largest = Math.max(one.largest, Math.hypot(record.arrows[k], record.arrows[k + 1], record.arrows[k + 2]));
    }
    data.largest = Math.max(0, ...arrows.map(({ largest }) => largest));
  }

  // what was recorded, to the page
  refresh() {
    const { data, record, page } = this;
    data.time = record.time;
    data.sampleTime = record.time;
    data.poses.numbers = record.numbers;
    this.refreshArrows();
    $("scrub").min = page.begin;
    $("scrub").max = Math.max(page.end, page.begin + 1e-9);
  }

  plot() {
    this.plotted = performance.now();
    Object.assign(this.data.channels, this.record.channels(this.about.coordinates));
    this.page.plots.renew(this.data);
    if (this.engine.log) this.page.events.take(this.data);
    if (!this.page.traces.list.length || this.plotted < this.notBefore) return;
    this.page.traces.take(this.data);
    this.notBefore = performance.now() + 20 * (performance.now() - this.plotted); // long paths are drawn anew less often
  }

  get atEnd() { return this.page.t >= this.record.end; }

  // called for every picture while it plays; step: seconds of the motion
  advance(step) {
    const { page, record, engine } = this;
    if (!this.atEnd) { page.t = Math.min(page.t + step, record.end); return; } // what was recorded is played again
    const begun = performance.now(), goal = engine.t + step;
    try { engine.advance(goal, begun + BUDGET); } catch (error) { this.stop(error.message); }
    if (engine.endedBy) this.stop(`event '${engine.endedBy}' ends the motion at ${number(engine.t)} s`);
    this.slow = 0.9 * this.slow + 0.1 * (1 - (engine.t - goal + step) / step);
    record.push(engine);
    this.refresh();
    page.t = engine.t;
    if (performance.now() - this.plotted > PLOTTED_EVERY) this.plot();
  }

  stop(message) {
    this.page.pause();
    this.hand.drop();
    this.data.trouble = `${message}. Reset, or rewind and go on from there.`;
  }

  single() {
    this.page.pause();
    this.advance(LIVE_STEP * this.page.rate);
    this.plot();
  }

  // go on from the moment that is shown: what was recorded after it is forgotten. Whether that can be
  present() {
    if (this.atEnd) return true;
    this.engine.state = this.record.cut(this.page.t);
    this.data.trouble = "";
    this.refresh();
    this.page.t = this.record.end;
    if (this.engine.log) this.page.events.take(this.data);
    this.panel.values();
    return true;
  }

  // what was recorded stays on the stage as a motion to look at
  keep() {
    const { page, data } = this;
    this.plot();
    page.pause();
    this.dispose();
    data.info = { ...data.info, subtitle: `recorded, ${data.time.length} frames` };
    page.take(data);
  }

  reset() {
    const before = this.engine.state;
    this.hand.drop();
    try { this.engine.reset(); } catch (error) {
      this.engine.state = before;
      this.data.trouble = error.message;
      return;
    }
    this.record.clear();
    this.record.push(this.engine);
    this.data.trouble = "";
    this.page.t = this.engine.t;
    this.refresh();
    this.plot();
  }

  // another value of a slider acts from the moment that is shown
  set(k, value) {
    this.present();
    try {
      this.engine.set(k, value);
      this.data.trouble = "";
    } catch (error) { this.data.trouble = `${this.data.live.sliders[k].name} = ${number(value)}: ${error.message}`; }
    this.record.cut(this.engine.t);
    this.record.count--;
    this.record.push(this.engine);
    this.refresh();
    this.panel.values();
    this.page.taken++; // it is drawn again
  }

  // once for every picture
  show() {
    this.hand.show();
    this.panel.show();
  }
}
