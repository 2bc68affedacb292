"use strict";
// What a live mechanism has done so far, to rewind through: states to go on from, poses to draw, energies and coordinates to plot. Bounded: of a long
// session the last part is kept.

const MOST_RECORDED = 64e6; // bytes
const MOST_ROWS = 40000;
const MOST_PLOTTED = 1500; // points of a curve while it runs
const ENERGIES = ["kinetic", "potential", "total", "work of the hand", "work of others"];

class LiveRecord {
  constructor(engine, rows = MOST_ROWS) {
    const wide = engine.state.length, n = engine.about.bodies;
    this.width = wide;
    this.size = 7 * n;
    this.points = 6 * (engine.about.contacts?.points.length ?? 0); // numbers of points of contact
    this.most = Math.max(100, Math.min(rows, Math.floor(MOST_RECORDED / (8 * wide + 4 * (this.size + this.points) + 8 * 6))));
    this.capacity = Math.min(256, this.most);
    this.dropped = false;
    [this.times, this.states, this.poses, this.energies, this.arrows] = [1, wide, this.size, ENERGIES.length, this.points].map((k, i) => new (i === 2 || i === 4 ? Float32Array : Float64Array)(k * this.capacity));
    this.clear();
  }

  clear() { this.count = 0; }

  get end() { return this.times[this.count - 1]; }
  get time() { return this.times.subarray(0, this.count); }
  get numbers() { return this.poses.subarray(0, this.size * this.count); }

  push(engine) {
    if (this.count === this.capacity) this.widen();
    const k = this.count++, { kinetic, potential, total, hand, others } = engine.energy;
    this.times[k] = engine.t;
    this.states.set(engine.state, k * this.width);
    this.energies.set([kinetic, potential, total, hand, others], k * ENERGIES.length);
    engine.posesInto(this.poses, k * this.size);
    if (this.points) engine.arrowsInto(this.arrows, k * this.points);
  }

  // more space, or the oldest quarter is forgotten
  widen() {
    if (this.capacity < this.most) {
      const larger = Math.min(this.most, 2 * this.capacity), grown = (from) => { const to = new from.constructor((from.length / this.capacity) * larger); to.set(from); return to; };
      for (const name of ["times", "states", "poses", "energies", "arrows"]) this[name] = grown(this[name]);
      this.capacity = larger;
      return;
    }
    const gone = Math.ceil(this.count / 4);
    for (const name of ["times", "states", "poses", "energies", "arrows"]) this[name].copyWithin(0, (gone * this[name].length) / this.capacity);
    this.count -= gone;
    this.dropped = true;
  }

  // forget what is after t; the state there
  cut(t) {
    while (this.count > 1 && this.times[this.count - 1] > t) this.count--;
    return this.states.slice((this.count - 1) * this.width, this.count * this.width);
  }

  // the last row, as an engine that is elsewhere gave it
  get last() {
    const k = this.count - 1;
    return { state: this.states.slice(k * this.width, (k + 1) * this.width), energies: this.energies.slice(k * ENERGIES.length, (k + 1) * ENERGIES.length), poses: this.poses.slice(k * this.size, (k + 1) * this.size) };
  }

  // a curve of columns: `wide` numbers at `first` of every row; not more than `most` points
  curve(numbers, wide, first, count, most = MOST_PLOTTED) {
    const few = Math.min(this.count, most), t = new Float64Array(few), x = new Float64Array(few * count);
    for (let i = 0; i < few; i++) {
      const k = few < 2 ? 0 : Math.round((i * (this.count - 1)) / (few - 1));
      t[i] = this.times[k];
      for (let c = 0; c < count; c++) x[i * count + c] = numbers[k * wide + first + c];
    }
    return { t, numbers: x, values: { shape: [few, count] }, thinned: few < this.count };
  }

  channels(coordinates) {
    const found = { energy: { ...this.curve(this.energies, ENERGIES.length, 0, ENERGIES.length), labels: ENERGIES, units: "J" } };
    for (const { name, index, units } of coordinates) found[name] = { ...this.curve(this.states, this.width, 2 + index, 1), units };
    return found;
  }
}

// x, y, z and quaternion x, y, z, w of every body, from its origin and rotation matrix
function posesInto(motion, poses, begin) {
  for (let k = 0, at = begin; k < motion.length; k += 18, at += 7) {
    poses.set(motion.subarray(k, k + 3), at);
    poses.set(quaternionOf(motion.subarray(k + 3, k + 12)), at + 3);
  }
}

function quaternionOf([a, b, c, d, e, f, g, h, i]) {
  // by the largest of the four
  const four = [1 + a - e - i, 1 - a + e - i, 1 - a - e + i, 1 + a + e + i], k = four.indexOf(Math.max(...four)), s = 0.5 / Math.sqrt(four[k]);
  const rows = [[four[0], b + d, c + g, h - f], [b + d, four[1], f + h, c - g], [c + g, f + h, four[2], d - b], [h - f, c - g, d - b, four[3]]];
  return rows[k].map((x) => x * s);
}
