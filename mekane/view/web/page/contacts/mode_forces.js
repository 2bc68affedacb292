"use strict";
// Forces and accelerations of all elements of contact laws in given modes.  (N.3)–(N.5), (N.7)
//
// `local` is the mechanism as they see it at one instant: D, velocity and acceleration (without their forces) of its rows, and elements: {normal: row or
// -1, tangents: rows, friction, static, speed, load}. Rows that hold answer to the load and to friction of unit size each; then sizes of friction follow,
// by Newton's method where the load of a joint limits them, or where the direction in which an element begins to slide is to be found (INCIPIENT).

const Mode = { OPEN: 0, SLIDING: 1, STICKING: 2, INCIPIENT: 3 };
const AT_REST = 1e-10; // m/s or rad/s: a speed that counts as zero
const NEWTON_FOR_FRICTION = 30;
const LARGEST_TURN = 0.5; // rad, in one iteration
const NOTHING = 1e-3; // m/s²: round-off of accelerations is judged beside that, where there are none

class ModeForces {
  // directions: of sliding, along the tangents of each element; of INCIPIENT a guess, or none
  constructor(local, modes, directions) {
    Object.assign(this, { local, modes, directions: directions.map((d) => d && Array.from(d)) });
    this.m = local.velocity.length;
    this.forces = zerosOf(this.m);
    this.answerToLoads();
    this.found = this.findSizes();
    this.rates = local.acceleration.map((a, i) => a + dotOf(local.D[i], this.forces));
  }

  isRubbing(e) { return this.modes[e] === Mode.SLIDING && isRough(this.local.elements[e]); }

  get rows() {
    const { elements } = this.local;
    return elements.flatMap(({ normal, tangents }, e) => {
      const mode = this.modes[e];
      return mode === Mode.OPEN ? [] : [...(normal >= 0 ? [normal] : []), ...(mode === Mode.SLIDING ? [] : tangents)];
    });
  }

  // this.base: forces of all rows without friction that is to be found; this.unknowns: what is, with what it calls up per unit
  answerToLoads() {
    const { D, acceleration, scale, elements } = this.local, rows = this.rows;
    const solve = leastSolution(rows.map((i) => rows.map((j) => scale[i] * D[i][j] * scale[j])));
    this.repeats = solve.repeats;
    const spread = (column, right) => { solve(right).forEach((x, k) => { column[rows[k]] += scale[rows[k]] * x; }); return column; };
    const reacted = (column, share) => spread(column, rows.map((i) => scale[i] * (-share * acceleration[i] - dotOf(D[i], column))));
    const base = zerosOf(this.m);
    this.unknowns = [];
    elements.forEach((one, e) => {
      if (!this.isRubbing(e)) return;
      const column = hasGivenSize(one) ? base : zerosOf(this.m), size = column === base ? one.friction : 1;
      one.tangents.forEach((row, i) => { column[row] -= size * this.directions[e][i]; });
      if (column !== base) this.unknowns.push({ e, answer: reacted(column, 0) });
    });
    this.base = reacted(base, 1);
    this.beginning = elements.flatMap(({ tangents }, e) => this.modes[e] === Mode.INCIPIENT
      ? [{ e, along: 0, answers: tangents.map((row) => spread(zerosOf(this.m), rows.map((i) => (i === row ? scale[row] : 0)))) }] : []);
  }

  // forces with friction that satisfies its law, and directions of what begins to slide. Whether they were found
  findSizes() {
    const { elements } = this.local, iterates = this.beginning.length > 0 || this.unknowns.some(({ e }) => elements[e].load);
    this.columns = this.unknowns.map(({ e, answer }) => ({ e, answer }));
    if (!this.solveSizes()) return false;
    for (const one of this.beginning) this.guessDirection(one.e);
    for (let k = 0; iterates && k < NEWTON_FOR_FRICTION; k++) {
      const before = this.forces;
      this.columns = [...this.unknowns.map(({ e, answer }) => ({ e, answer })), ...this.beginning.flatMap((one) => this.columnsOf(one))];
      if (!this.solveSizes()) return false;
      const turned = this.turn(), change = largestOf(this.forces.map((x, i) => x - before[i])), size = largestOf(this.forces);
      if (!Number.isFinite(size)) return false;
      if (k > 0 && turned < 1e-14 && change <= 1e-15 * size) return true;
      this.nearly = turned < 1e-11 && change <= 1e-12 * size;
    }
    return !iterates || this.nearly;
  }

  // forces per unit of the acceleration along its direction, and of the turn of that
  columnsOf(one) {
    const [x, y] = this.directions[one.e], [first, second] = one.answers;
    return [{ e: one.e, begins: one, answer: first.map((a, i) => x * a + y * second[i]) }, { e: one.e, turns: one, answer: first.map((a, i) => one.along * (x * second[i] - y * a)) }];
  }

  guessDirection(e) {
    if (this.directions[e]) return;
    const [p, q] = this.local.elements[e].tangents.map((row) => this.forces[row]), size = Math.hypot(p, q);
    this.directions[e] = size > 0 ? Array.of(-p / size, -q / size) : Array.of(1, 0);
  }

  solveSizes() {
    const { columns } = this, equations = [], right = [];
    this.weighed = this.local.elements.map(({ load }) => load && weighedLoad(load, this.forces));
    for (const { e, begins, turns } of columns) {
      if (turns) continue;
      if (begins) this.directionEquations(e, equations, right);
      else {
        equations.push(this.sizeEquation(e, columns));
        right.push(this.local.elements[e].friction * this.pressedBy(e, this.base, 1));
      }
    }
    const sizes = columns.length ? gaussSolution(equations, right) : [];
    if (!sizes) return false;
    this.sizes = sizes;
    this.forces = this.base.slice();
    columns.forEach(({ answer, turns }, k) => { if (!turns) answer.forEach((x, i) => { this.forces[i] += sizes[k] * x; }); });
    return true;
  }

  // z = μ λ_N(z), or z = μ R̂·R(z)
  sizeEquation(e, columns) { return columns.map((other) => Number(other.e === e) - this.local.elements[e].friction * this.pressedBy(e, other.answer, 0)); }

  // λ_T·d + μ λ_N = 0 and λ_T·n = 0 at the next acceleration and angle, linear in them
  directionEquations(e, equations, right) {
    const one = this.local.elements[e], [x, y] = this.directions[e], [i, j] = one.tangents, mu = one.friction, { columns, base, forces } = this;
    equations.push(columns.map(({ answer }) => x * answer[i] + y * answer[j] + mu * this.pressedBy(e, answer, 0)), columns.map(({ answer }) => x * answer[j] - y * answer[i]));
    right.push(-(x * base[i] + y * base[j] + mu * this.pressedBy(e, base, 1)), y * base[i] - x * base[j]);
    const turn = columns.findIndex((other) => other.e === e && other.turns), n = equations.length;
    equations[n - 2][turn] += x * forces[j] - y * forces[i];
    equations[n - 1][turn] -= x * forces[i] + y * forces[j];
  }

  // the next accelerations and directions of what begins to slide; the largest turn
  turn() {
    let largest = 0;
    this.columns.forEach(({ begins, turns, e }, k) => {
      if (begins) begins.along = this.sizes[k];
      if (!turns) return;
      const angle = Math.min(Math.max(this.sizes[k], -LARGEST_TURN), LARGEST_TURN), [x, y] = this.directions[e], c = Math.cos(angle), s = Math.sin(angle);
      this.directions[e] = Array.of(c * x - s * y, s * x + c * y);
      largest = Math.max(largest, Math.abs(angle));
    });
    return largest;
  }

  // what friction of an element is proportional to, of these forces; share: of the part that no force calls up
  pressedBy(e, forces, share) {
    const { normal } = this.local.elements[e], load = this.weighed[e];
    if (normal >= 0) return forces[normal];
    return load ? share * load.free + dotOf(load.response, forces) : share;
  }

  // the same of the forces that were found
  pressed(e) {
    const { load } = this.local.elements[e];
    return load ? dotOf(loadDirection(load, this.forces), loadOf(load, this.forces)) : this.pressedBy(e, this.forces, 1);
  }

  // of the equations for sizes of friction: one that is not positive tells that a sliding contact is pulled in by its own force or by those of others, or
  // that friction by the load of a joint locks itself
  get pivots() { return pivotsOf(this.unknowns.map(({ e }) => this.sizeEquation(e, this.unknowns))); }

  get definite() { return Math.min(1, ...this.pivots); } // positive while none does

  // whether a contact slides, or begins to, that would be pulled in
  get pulledIn() {
    const { elements } = this.local, { pivots } = this;
    return this.unknowns.some(({ e }, k) => elements[e].normal >= 0 && !(pivots[k] > 0)) || this.beginning.some((one) => !(this.pressedByNormal(one) > 0));
  }

  // how much of its normal force presses what begins to slide, beside what the friction that goes with it lifts, from forces that unit accelerations along the
  // tangents call up: 1 − μ D_Nd / D_NN
  pressedByNormal({ e, answers: [first, second] }) {
    const { normal, tangents: [i, j], friction } = this.local.elements[e], [x, y] = this.directions[e];
    if (normal < 0) return 1;
    const pressing = first[normal] * (second[j] * x - second[i] * y) + second[normal] * (first[i] * y - first[j] * x);
    return 1 + (friction * pressing) / (first[i] * second[j] - second[i] * first[j]);
  }

  // whether what must not break away against the force that has kept it does so, or hardly moves
  keepsEdge(banned) {
    return this.beginning.some(({ e, along }) => banned(e) && along <= LAWS_MET * largestOf(this.local.elements[e].tangents.flatMap((row) => [this.local.acceleration[row], this.rates[row]])));
  }

  // how far force and acceleration of each element are from their sets, relative
  get violations() {
    const { D, acceleration, elements } = this.local, largest = Math.max(1e-12, largestOf(this.forces));
    return elements.map((one, e) => {
      let scale = 0;
      for (const row of rowsOf(one)) {
        let size = NOTHING + Math.abs(this.rates[row]) + Math.abs(acceleration[row]);
        for (let j = 0; j < this.m; j++) size += Math.abs(D[row][j] * this.forces[j]);
        scale = Math.max(scale, size);
      }
      return Math.max(this.normalViolation(e, scale, largest), this.frictionViolation(e, scale, largest));
    });
  }

  normalViolation(e, scale, largest) {
    const { normal } = this.local.elements[e];
    if (normal < 0) return 0;
    if (this.modes[e] === Mode.OPEN) return this.local.velocity[normal] <= AT_REST ? -this.rates[normal] / scale : 0;
    return Math.max(-this.forces[normal] / largest, Math.abs(this.rates[normal]) / scale);
  }

  frictionViolation(e, scale, largest) {
    const one = this.local.elements[e], { tangents } = one, mode = this.modes[e], forces = tangents.map((row) => this.forces[row]), rates = tangents.map((row) => this.rates[row]);
    if (!tangents.length || mode === Mode.OPEN) return 0;
    if (mode === Mode.STICKING) {
      const most = one.static * this.pressed(e);
      return Math.max((Math.hypot(...forces) - most) / Math.max(largest, Math.abs(most)), largestOf(rates) / scale);
    }
    const d = this.directions[e] ?? [0, 0], along = rates.reduce((sum, x, i) => sum + x * d[i], 0), across = Math.hypot(...rates.map((x, i) => x - along * d[i]));
    const mobility = this.local.D[tangents[0]][tangents[0]]; // friction that would push, by what it does: it locks itself
    const pushed = one.load ? (forces.reduce((sum, x, i) => sum + x * d[i], 0) * mobility) / scale : 0;
    return isRough(one) && one.speed <= AT_REST ? Math.max(pushed, -along / scale, across / scale) : pushed;
  }
}

const isRough = ({ tangents, friction, static: most }) => tangents.length > 0 && (friction > 0 || most > 0);
const hasGivenSize = ({ normal, load }) => normal < 0 && !load;
const rowsOf = ({ normal, tangents }) => (normal >= 0 ? [normal, ...tangents] : tangents);

function loadOf({ free, response }, forces) { return free.map((x, c) => x + dotOf(response[c], forces)); }

// the size of a load is this times its components
function loadDirection(load, forces) {
  const now = loadOf(load, forces);
  if (load.sums) return now.map((x, c) => load.sides[c] || (x >= 0 ? 1 : -1));
  const size = Math.max(Math.hypot(...now), 1e-300);
  return now.map((x) => x / size);
}

// the size of a load, linear in forces: along its direction as these have it
function weighedLoad(load, forces) {
  const [a, b = 0] = loadDirection(load, forces), [first, second] = load.response;
  return { free: a * load.free[0] + (b ? b * load.free[1] : 0), response: second ? first.map((x, i) => a * x + b * second[i]) : first.map((x) => a * x) };
}
