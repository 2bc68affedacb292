"use strict";
// A mechanism that the studio steps, in a process of its own, for models that cannot be simulated in a page. The page asks for rows, one request at a
// time, and shows the newest: what is played, dragged and rewound is as in a mechanism that the page itself simulates.

const MOST_DUE = 0.25; // s of the clock on the wall: what a slow model is behind by is not made up for

// what the page knows of the motion: the last row
class SteppedEngine {
  constructor(about, row) {
    this.about = about;
    this.values = [];
    this.hand = null;
    this.grips = 0;
    this.take(row);
  }

  take({ t, poses, energies, coordinates, grasp }) {
    Object.assign(this, { t, poses, grasp, coordinates });
    const [kinetic, potential, hand, others, sliders] = energies, total = kinetic + potential;
    this.energy = { kinetic, potential, total, hand, others, sliders, balance: total - hand - others - sliders };
  }

  get state() { return Float64Array.of(this.t, this.energy.sliders, ...this.coordinates); }

  // a row that was recorded
  goTo({ state: [t, sliders, ...coordinates], energies: [kinetic, potential, , hand, others], poses }) {
    this.take({ t, poses, energies: [kinetic, potential, hand, others, sliders], coordinates, grasp: null });
  }

  posesInto(poses, begin) { poses.set(this.poses, begin); }

  grab(body, place, target, how) { this.hand = { number: ++this.grips, body, place: [...place], target: [...target], ...how }; }

  release() { this.hand = this.grasp = null; }

  handForce() { return this.hand && this.grasp; }
}

class SteppedLive extends Live {
  constructor(page, reply, data, studio, before) {
    super(page, new SteppedEngine(reply.about, reply.row), data, reply.anew ? null : before);
    Object.assign(this, { studio, due: 0, asking: false, over: false, at: performance.now() });
    if (reply.anew) data.trouble = reply.anew;
  }

  dispose() {
    this.over = true;
    super.dispose();
  }

  // the studio has gone on already: the record has its rows, and from here on those of the new model
  goOnFrom(before) {
    if (!this.isAs(before)) return;
    this.record = before.record;
    this.first = before.panel.first;
    this.engine.grips = before.engine.grips;
    this.data.info.events = before.data.info.events.filter(({ time }) => time <= this.engine.t);
    this.record.cut(this.engine.t);
    if (this.record.end >= this.engine.t) this.record.count--;
    this.record.push(this.engine);
  }

  advance(step) {
    const { page, record } = this;
    if (!this.atEnd) { page.t = Math.min(page.t + step, record.end); return; }
    this.due = Math.min(this.due + step, MOST_DUE * page.rate);
    this.ask();
  }

  async ask() {
    if (this.asking || this.over || !(this.due > 0)) return;
    const { studio, record, engine } = this, begin = record.end, step = this.due, { hand } = engine, now = performance.now();
    this.due = 0;
    this.asking = true;
    try {
      const reply = await studio.post("/live-step", { text: "", begin, step, hand });
      if (!this.over && record.end === begin) this.rows(reply, step, Math.min((now - this.at) / 1000, MOST_DUE) * this.page.rate);
    } catch (error) { if (!this.over) this.stop(error.message); }
    this.at = now;
    this.asking = false;
    if (this.page.playing && this.atEnd) this.ask();
  }

  rows({ rows, stopped, events, gone }, step, passed) {
    const { record, engine, page, data } = this, showing = this.atEnd, begin = record.end;
    if (gone) return this.stop("The studio has ended this simulation: other tabs needed its place. Press Live twice to begin again");
    for (const row of rows) {
      engine.take(row);
      record.push(engine);
    }
    if (!engine.hand) engine.grasp = null;
    this.slow = 0.9 * this.slow + 0.1 * (passed > step ? 1 - (record.end - begin) / passed : 1 - (record.end - begin) / step);
    data.info.events = [...data.info.events, ...events].slice(-MOST_EVENTS);
    this.refresh();
    if (showing) page.t = record.end;
    if (events.length) page.events.take(data);
    if (performance.now() - this.plotted > PLOTTED_EVERY) this.plot();
    if (stopped) this.stop(stopped);
  }

  plot() {
    super.plot();
    if (this.data.info.events.length) this.page.events.take(this.data);
  }

  async single() {
    this.page.pause();
    if (this.asking) return;
    this.due = LIVE_STEP * this.page.rate;
    await this.ask();
    this.plot();
  }

  // what was recorded after the moment that is shown is forgotten; the studio goes back with the next request
  present() {
    if (this.atEnd) return true;
    const { record, page, data, engine } = this;
    record.cut(page.t);
    engine.goTo(record.last);
    data.trouble = "";
    data.info.events = data.info.events.filter(({ time }) => time <= engine.t);
    this.refresh();
    page.events.take(data);
    page.t = record.end;
    return true;
  }

  // the start of the text
  reset() {
    this.hand.drop();
    this.studio.run({ anew: true });
  }
}

const MOST_EVENTS = 1000; // on the time line
