"use strict";
// A mechanism integrated in time: a Runge–Kutta method with step control, Newton steps onto the constraints after every step, comparisons located.
// `model` are functions of (t, y, p) that Mekane wrote (mekane/symbolic/live.py); `about` says where things stand in p, and holds the tableau.

const NEWTON = 6, ASSEMBLY = 60; // Newton steps: after a step, after a slider
const NEAR_SPEED = 1e-4; // a rate that one step brings to round-off, as rows are linear in speeds
const REPEATS = 1e-6; // largest residual of rows that repeat others
const LOOKS = [0.25, 0.5, 0.75, 1]; // of a step: there comparisons are looked at
const MANY = 50; // changes of comparisons at one instant
const SAME_TIME = 2e-14; // relative: instants that are no farther apart are one
const ROUGHLY = 100; // times the tolerance: error of the part of a step up to a change, beyond which a shorter step is taken
const SAFETY = 0.9, SHRINK = 0.2, GROW = 5;

class LiveEngine {
  constructor(model, about, { rtol = 1e-9, atol = 1e-12 } = {}) {
    Object.assign(this, { model, about, rtol, atol });
    const { n } = about, stages = about.tableau.b.length;
    this.n = n;
    [this.y, this.new, this.stage, this.before] = [0, 0, 0, 0].map(() => new Float64Array(n + 1)); // the last number: work of the hand
    this.K = Array.from({ length: stages }, () => new Float64Array(n + 1)); // a right-hand side leaves its pivot in the last number
    this.projected = new Float64Array(n + 3);
    this.motion = new Float64Array(18 * about.bodies);
    this.measured = new Float64Array(2 * about.measured + 1);
    this.guards = new Float64Array(about.comparisons);
    this.happenings = new Float64Array(about.events.reduce((sum, one) => sum + 1 + one.set.length, 0)); // conditions of events, then what they set
    this.totals = new Float64Array(3);
    this.values = Array.from(model.p.subarray(about.places.parameters, about.places.outcomes)); // of the sliders
    this.prepare();
    this.reset();
  }

  // what an engine with more laws needs before the start (contacts/engine.js)
  prepare() { this.watches = this.about.comparisons > 0; }

  // the start of the model, with the parameters as they are now
  reset() {
    this.p = Float64Array.from(this.model.p);
    this.p.set(this.values, this.about.places.parameters);
    this.y.set(this.model.y0);
    this.y[this.n] = 0;
    this.t = 0;
    this.h = 0;
    this.hand = null;
    this.evaluations = this.steps = this.stuck = 0;
    this.pivot = 1;
    this.strongest = this.about.strongest;
    this.byUser = 0; // what sliders and events have put into the energies [J]
    this.endedBy = ""; // an event that stops
    if (!this.settle(ASSEMBLY)) throw new Error("the joints cannot be closed at the start with these numbers");
    this.begin();
    this.about.events.forEach((one, k) => { if (one.atStart) this.p[this.about.places.events + 2 * k] = 0; }); // has become true
    this.happen();
  }

  // after the state was set: where joints are, on which sides comparisons are, and which conditions hold
  begin() {
    this.follow();
    this.decide();
    this.about.events.forEach((_, k) => { this.p[this.about.places.events + 2 * k] = Number(this.conditions()[k] !== 0); });
    this.h = 0;
  }

  // ---------------------------------------------------------------- derivatives

  rates(t, y, out) {
    const power = this.hand ? this.pull(t, y) : 0;
    this.model.rhs(t, y, this.p, out);
    this.pivot = Math.min(this.pivot, out[this.n]);
    out[this.n] = power;
    this.evaluations++;
  }

  // position and velocity of a point of a body, given in its frame
  pointOf(body, place, t = this.t, y = this.y) {
    const m = this.model.bodies(t, y, this.p, this.motion), k = 18 * body, arm = [0, 1, 2].map((i) => m[k + 3 + 3 * i] * place[0] + m[k + 4 + 3 * i] * place[1] + m[k + 5 + 3 * i] * place[2]);
    const w = [m[k + 15], m[k + 16], m[k + 17]];
    return { arm, x: arm.map((a, i) => a + m[k + i]), v: crossOf(w, arm).map((a, i) => a + m[k + 12 + i]) };
  }

  // the damped spring from the cursor to the point that is held, as a force on its body; returns its power
  pull(t, y) {
    const { body, place, target, stiffness, damping } = this.hand, { arm, x, v } = this.pointOf(body, place, t, y);
    const force = x.map((a, i) => stiffness * (target[i] - a) - damping * v[i]);
    this.load(body, force, crossOf(arm, force));
    return force[0] * v[0] + force[1] * v[1] + force[2] * v[2];
  }

  load(body, force, moment) {
    const k = this.about.places.hand + 6 * body;
    for (let i = 0; i < 3; i++) { this.p[k + i] = force[i]; this.p[k + 3 + i] = moment[i]; }
  }

  // take hold of a point of a body; the spring is stiff enough to be followed within 1/`quick` s and to carry `weight` at `sag`
  grab(body, place, target, { quick = 10, weight = 0, sag = 1, strength = 1 } = {}) {
    this.hand = null;
    const mass = this.massAt(body, place), stiffness = strength * Math.max(mass * quick ** 2, weight / sag);
    this.hand = { body, place: [...place], target: [...target], stiffness, damping: 2 * Math.sqrt(stiffness * mass) };
    this.h = 0;
  }

  release() {
    if (!this.hand) return;
    this.load(this.hand.body, [0, 0, 0], [0, 0, 0]);
    this.hand = null;
    this.h = 0;
  }

  // force on the point that is held, now
  handForce() {
    if (!this.hand) return null;
    const { target, stiffness, damping, body, place } = this.hand, { x, v } = this.pointOf(body, place);
    return { at: x, force: x.map((a, i) => stiffness * (target[i] - a) - damping * v[i]) };
  }

  // the smallest mass that a force at this point feels: one over the largest acceleration that a unit force gives
  massAt(body, place) {
    const free = new Float64Array(this.n + 1), loaded = new Float64Array(this.n + 1), y = Float64Array.from(this.y), { q, u } = this.about;
    this.rates(this.t, this.y, free);
    const { arm, v } = this.pointOf(body, place), columns = [0, 1, 2].map((i) => {
      const force = [0, 1, 2].map((j) => Number(i === j));
      this.load(body, force, crossOf(arm, force));
      this.rates(this.t, this.y, loaded);
      for (let k = q; k < q + u; k++) y[k] = this.y[k] + loaded[k] - free[k]; // velocities are linear in speeds
      return this.pointOf(body, place, this.t, y).v.map((a, j) => a - v[j]);
    });
    this.load(body, [0, 0, 0], [0, 0, 0]);
    let e = [0.6, 0.5, 0.62], size = 0;
    for (let k = 0; k < 30; k++) {
      const next = [0, 1, 2].map((j) => columns[0][j] * e[0] + columns[1][j] * e[1] + columns[2][j] * e[2]);
      size = Math.hypot(...next);
      if (!(size > 1e-12)) return 1;
      e = next.map((a) => a / size);
    }
    return 1 / size;
  }

  // ---------------------------------------------------------------- a step

  stages(t, h) {
    const { A, c } = this.about.tableau, { y, stage, K, n } = this;
    for (let i = 1; i < K.length; i++) {
      for (let m = 0; m < n; m++) stage[m] = y[m];
      for (let j = 0; j < i; j++) {
        const a = h * A[i][j], k = K[j];
        if (a !== 0) for (let m = 0; m < n; m++) stage[m] += a * k[m];
      }
      this.rates(t + c[i] * h, stage, K[i]);
    }
    this.sum(h);
  }

  sum(h) {
    const { b } = this.about.tableau, { y, K, n } = this;
    for (let m = 0; m <= n; m++) {
      let sum = 0;
      for (let i = 0; i < b.length; i++) sum += b[i] * K[i][m];
      this.new[m] = y[m] + h * sum;
    }
  }

  // root-mean-square error of q, u and integrals over its tolerance; two rows of errors combine as in DOP853
  error(h) {
    const { error } = this.about.tableau, n = this.about.controlled, { K, y } = this;
    let first = 0, second = 0;
    for (let m = 0; m < n; m++) {
      const scale = this.atol + this.rtol * Math.max(Math.abs(y[m]), Math.abs(this.new[m]));
      let e = 0, e2 = 0;
      for (let i = 0; i < K.length; i++) { e += error[0][i] * K[i][m]; e2 += error[1][i] * K[i][m]; }
      first += (e / scale) ** 2;
      second += (e2 / scale) ** 2;
    }
    return first === 0 ? 0 : (Math.abs(h) * first) / Math.sqrt((first + 0.01 * second) * n);
  }

  firstStep(rest) {
    let size = 0, rate = 0;
    for (let m = 0; m < this.about.controlled; m++) {
      const scale = this.atol + this.rtol * Math.abs(this.y[m]);
      size += (this.y[m] / scale) ** 2;
      rate += (this.K[0][m] / scale) ** 2;
    }
    return Math.min(rest, Math.max(1e-6 * Math.min(1, rest), rate > 0 ? 0.01 * Math.sqrt(size / rate) : rest));
  }

  // to the time `end`, or until `deadline` (of performance.now) has passed
  advance(end, deadline = Infinity) {
    while (isAfter(end, this.t) && !this.endedBy && performance.now() < deadline) this.step(end);
    return this.t;
  }

  // where a step may end at most: the end, or the next instant at which a law of time changes
  goal(end) {
    const stop = this.about.stops.find((one) => isAfter(one, this.t));
    return stop === undefined ? end : Math.min(end, stop);
  }

  step(end) {
    const goal = this.goal(end), t = this.t;
    this.pivot = 1;
    this.rates(t, this.y, this.K[0]);
    if (!(this.h > 0)) this.h = this.firstStep(goal - t);
    for (;;) {
      const left = goal - t, h = this.h >= left * 0.999 ? left : 2 * this.h > left ? left / 2 : this.h;
      if (!(h > Math.max(1e-250, 1e-14 * Math.abs(t)))) {
        if (this.passesSingular()) return;
        throw new Error("the step became too small to go on: the motion is singular here, or a law is not smooth");
      }
      this.stages(t, h);
      const error = this.error(h), factor = Number.isFinite(error) ? Math.min(GROW, Math.max(SHRINK, SAFETY * (error || 1e-12) ** (-1 / this.about.tableau.power))) : SHRINK;
      if (error <= 1 && this.ended(t, h, h === left ? goal : t + h)) {
        this.h = Math.max(h * factor, h < this.h && factor > 1 ? this.h : 0); // a step that was cut says little of the next
        this.steps++;
        return;
      }
      this.h = h * Math.min(factor, error <= 1 ? 0.25 : SAFETY);
    }
  }

  // whether laws go on where the motion is singular (contacts/engine.js)
  passesSingular() { return false; }

  // take the step, up to the first change of a comparison; false if that part of it is not exact enough, or cannot be brought onto the constraints
  ended(t, h, after) {
    const share = this.watches ? this.firstChange(t, h) : 2;
    if (share <= 1 && !(this.error(share * h) <= ROUGHLY)) return false;
    this.before.set(this.y);
    this.y.set(this.new);
    this.t = share > 1 ? after : t + share * h;
    let closed = false;
    try { closed = this.settle(NEWTON); } finally { if (!closed) { this.y.set(this.before); this.t = t; } }
    if (!closed) return false;
    if (share <= 1) this.change();
    else this.stuck = 0;
    this.follow();
    if (share <= 1) this.happen();
    return true;
  }

  // ---------------------------------------------------------------- constraints

  // y onto the constraints, positions and then speeds; whether it got there
  settle(most) {
    if (!this.model.project_positions) return this.isFinite();
    return this.level(this.model.project_positions, this.about.near, most) && this.level(this.model.project_speeds, NEAR_SPEED, most) && this.isFinite();
  }

  isFinite() {
    let sum = 0;
    for (const x of this.y) sum += Math.abs(x);
    return Number.isFinite(sum);
  }

  // Newton steps until the residual is small, or no longer falls
  level(project, near, most) {
    const { n, projected, y } = this;
    let before = 1e300, residual = 0;
    for (let k = 0; k < most; k++) {
      project(this.t, y, this.p, projected);
      residual = projected[n];
      if (!Number.isFinite(residual)) return false;
      if (projected[n + 2] > REPEATS + 100 * residual) throw new Error("constraints that repeated others at the start no longer do: a live page does not follow that");
      const falls = residual <= (most > NEWTON ? 1 : 0.5) * before;
      if (falls) for (let m = 0; m < n; m++) y[m] = projected[m];
      this.regularize(projected[n + 1]);
      if (residual <= near || !falls) break;
      before = residual;
    }
    return residual <= Math.max(near, 1e-7);
  }

  // near a singular position the rows are softer, until it is passed (solvers/constraints/projection.py)
  regularize(pivot) {
    const { ordinary, weak, usual, singular } = this.about.regular;
    this.strongest = Math.max(this.strongest, pivot);
    const share = Math.min(1, this.strongest / ordinary);
    this.p[this.about.places.regularization] = share * (pivot < weak * share ? singular : usual);
  }

  // measurements that laws read, turns counted
  follow() {
    const { measured, places } = this.about;
    if (!measured) return;
    this.model.measure(this.t, this.y, this.p, this.measured);
    this.p.set(this.measured, places.measured);
  }

  // ---------------------------------------------------------------- comparisons

  // outcomes anew; one may be read by another
  decide() {
    const { comparisons, places, orEqual } = this.about;
    for (let k = 0; comparisons && k <= comparisons; k++) {
      const g = this.model.guards(this.t, this.y, this.p, this.guards);
      let changed = false;
      for (let i = 0; i < comparisons; i++) {
        const holds = Number(orEqual[i] ? g[i] <= 0 : g[i] < 0);
        changed ||= holds !== this.p[places.outcomes + i];
        this.p[places.outcomes + i] = holds;
      }
      if (!changed) return;
    }
  }

  // which comparison is on the other side than in this step, -1: none; its guard is positive on the side of the step
  changed(t, y) {
    const g = this.model.guards(t, y, this.p, this.guards), { outcomes } = this.about.places;
    return g.findIndex((x, i) => (this.p[outcomes + i] ? -x : x) < 0);
  }

  // share of the step after which a comparison first is on its other side; then the step is taken up to there. 2: none changes
  firstChange(t, h) {
    const end = Float64Array.from(this.new);
    let low = 0, high = 0;
    for (const share of LOOKS) {
      this.between(h, share, end);
      if (this.changed(t + share * h, this.stage) >= 0) { high = share; break; }
      low = share;
    }
    this.new.set(end);
    if (!high) return 2;
    const finest = Math.max(1e-13, (4 * 2.2e-16 * Math.abs(t)) / h);
    while (high - low > finest) {
      const middle = low + (high - low) / 2;
      this.stages(t, middle * h);
      if (this.changed(t + middle * h, this.new) >= 0) high = middle; else low = middle;
    }
    this.stages(t, high * h);
    return high;
  }

  // the cubic through both ends of the step and their slopes, into `stage`
  between(h, share, end) {
    const { y, K, n, stage } = this, last = K[K.length - 1], s = share, a = 1 - s;
    for (let m = 0; m < n; m++) stage[m] = a * y[m] + s * end[m] + s * a * (a * (h * K[0][m] - end[m] + y[m]) - s * (h * last[m] - end[m] + y[m]));
  }

  change() {
    if (++this.stuck > MANY) throw new Error("a law switches again and again at the same instant");
    const { outcomes } = this.about.places, g = this.model.guards(this.t, this.y, this.p, this.guards);
    for (let i = 0; i < g.length; i++) if ((this.p[outcomes + i] ? -g[i] : g[i]) < 0) this.p[outcomes + i] = 1 - this.p[outcomes + i];
  }

  // ---------------------------------------------------------------- events

  conditions() { return this.about.events.length ? this.model.events(this.t, this.y, this.p, this.happenings) : []; }

  // events whose condition has become true, in the order of the model; one may bring about another
  happen() {
    const { events, places } = this.about;
    for (let round = 0; events.length; round++) {
      if (round > MANY) throw new Error("events happen again and again at the same instant");
      const holds = Array.from(this.conditions()), due = events.map((_, k) => k).filter((k) => holds[k] && !this.p[places.events + 2 * k] && !(events[k].once && this.p[places.events + 2 * k + 1]));
      events.forEach((_, k) => { this.p[places.events + 2 * k] = Number(holds[k] !== 0); });
      if (!due.length) return;
      due.forEach((k) => this.apply(k));
    }
  }

  // what an event sets, from the state before it
  apply(k) {
    const { events, places } = this.about, values = Array.from(this.conditions()), before = this.energy.total, guards = this.about.comparisons ? Array.from(this.model.guards(this.t, this.y, this.p, this.guards)) : [];
    for (const [place, number] of events[k].set) {
      if (!Number.isFinite(values[number])) throw new Error(`event '${events[k].name}': a value is no number`);
      this.p[place] = values[number];
    }
    this.p[places.events + 2 * k + 1]++;
    this.redecide(guards);
    this.byUser += this.energy.total - before;
    if (events[k].stop) this.endedBy = events[k].name;
  }

  // outcomes of comparisons that read what was set
  redecide(before) {
    const { comparisons, places, orEqual } = this.about, g = comparisons ? this.model.guards(this.t, this.y, this.p, this.guards) : [];
    for (let i = 0; i < comparisons; i++) if (g[i] !== before[i]) this.p[places.outcomes + i] = Number(orEqual[i] ? g[i] <= 0 : g[i] < 0);
  }

  // ---------------------------------------------------------------- from outside

  // another value of the k-th slider, at once; an error leaves all as it was
  set(k, value) {
    const place = this.about.places.parameters + k, old = this.p[place], before = this.energy;
    this.before.set(this.y);
    this.p[place] = value;
    let failed = "the joints cannot be closed with it";
    try { if (this.settle(ASSEMBLY)) failed = ""; } catch (error) { failed = error.message; }
    if (failed || !Number.isFinite(this.energy.total)) {
      this.p[place] = old;
      this.y.set(this.before);
      throw new Error(failed || "it gives no numbers");
    }
    this.values[k] = value;
    this.begin();
    this.byUser += this.energy.total - before.total;
  }

  // kinetic, potential, their sum, work of the hand, of all other forces, of sliders; what is left of the sum without work stays as it is
  get energy() {
    const [kinetic, potential, others] = this.model.energies(this.t, this.y, this.p, this.totals), hand = this.y[this.n], total = kinetic + potential;
    return { kinetic, potential, total, hand, others, sliders: this.byUser, balance: total - hand - others - this.byUser };
  }

  // where the bodies are, into an array of poses
  posesInto(poses, begin) { posesInto(this.model.bodies(this.t, this.y, this.p, this.motion), poses, begin); }

  // all that a later moment depends on, to come back to
  get state() { return Float64Array.of(this.t, this.byUser, ...this.y, ...this.p.subarray(0, this.about.places.hand)); }

  set state(row) {
    this.release();
    [this.t, this.byUser] = row;
    this.y.set(row.subarray(2, this.n + 3));
    this.p.set(row.subarray(this.n + 3));
    this.values = Array.from(this.p.subarray(this.about.places.parameters, this.about.places.outcomes));
    this.h = 0;
    this.endedBy = "";
  }
}

// that solves what the model has
const engineOf = (model, about, settings) => new (about.contacts ? ContactEngine : LiveEngine)(model, about, settings);

// so far apart that a step can be taken from t to there
const isAfter = (end, t) => end - t > SAME_TIME * Math.abs(t);
const crossOf = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
