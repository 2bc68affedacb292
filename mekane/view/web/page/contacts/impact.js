"use strict";
// Impulses of contacts at one instant.  (N.8)–(N.12)

const PATH_SEGMENTS = 60;
const SLID_OUT = 1e-12; // of the first speed
const LOCKED = 1e-12; // of the mobility along the normal: what sticks cannot move along it either, as an arm jammed between floor and pin
const LEFT_LOCKED = 1e-10; // of the first speed: what sliding that stops leaves of the velocity along the normal, where both end together
const IMPACT_ROUNDS = 1000; // of impacts one after the other
const SLIDES_ON = 10; // times the velocities with which gaps close: such sliding outlasts the impact
const GAIN = 1e-10; // relative: energy beyond round-off
const FELT = 1e-12; // of D, relative: two contacts feel each other
const IMPULSE_ACCURATE = 1e-9; // relative residual beyond which the page says so

const ENDLESS = "an impact does not end: sliding never stops and the surfaces only approach";

const approachingIn = (local) => local.elements.filter(({ normal }) => normal >= 0 && local.velocity[normal] < -AT_REST);

// impulses of all contacts that touch, over the rows of `local`. order: "simultaneous", or "sequential"; plastic: without a rebound; bound: indices of
// elements that may also pull in it
function impactOf(local, order, plastic = false, bound = new Set()) {
  const near = coupledIn(local), laws = new Set(approachingIn(local).map(({ law }) => law)), P = new Float64Array(local.velocity.length);
  const e = (one) => (plastic ? 0 : one.restitution), rough = (one) => (one.tangents.length ? one.friction : 0);
  if (order === "sequential" && !bound.size) return { P: oneAfterTheOther(local, near, e, rough), notes: [] };
  if (near.length === 1 && !bound.size && [...laws].every((law) => law === "poisson" || law === "stronge")) {
    const [one] = near, found = impactAlone(local, one, local.velocity, rough(one), e(one), one.law);
    rowsOf(one).forEach((row, i) => { P[row] = found[i]; });
    return { P, notes: [] };
  }
  const blocks = (floors, directions = []) => near.map((one, k) => ({ rows: rowsOf(one), byNormal: true, friction: rough(one), floor: floors[k], direction: directions[k] }));
  if (laws.has("newton")) {
    const g = local.velocity.slice();
    for (const one of near) g[one.normal] *= 1 + e(one);
    const { x, left } = solveCones(local.D, g, blocks(near.map(() => 0)));
    return { P: x, notes: notesOf(left) };
  }
  const notes = laws.has("stronge") && near.length > 1 ? ["Stronge's law is defined for one contact at a time; several met: Poisson's in phases"] : [];
  const floors = near.map(({ index }) => (bound.has(index) ? -Infinity : 0)), directions = near.map((one) => (bound.has(one.index) ? keptSliding(local, one) : undefined));
  let first = solveCones(local.D, local.velocity, blocks(floors));
  if (directions.some((one) => one)) {
    const sliding = solveCones(local.D, local.velocity, blocks(floors, directions));
    first = { x: withoutGain(local, first.x, sliding.x), left: sliding.left };
  }
  if (!near.some((one) => e(one) > 0)) return { P: first.x, notes: [...notes, ...notesOf(first.left)] };
  const after = local.velocity.map((v, i) => v + dotOf(local.D[i], first.x));
  const more = solveCones(local.D, after, blocks(near.map((one) => e(one) * Math.max(first.x[one.normal], 0))));
  return { P: first.x.map((x, i) => x + more.x[i]), notes: [...notes, ...notesOf(Math.max(first.left, more.left))] };
}

// direction in which an element that is to stay closed slides all the time: its friction is μ times its impulse even where that pulls
function keptSliding(local, { tangents }) {
  const slip = tangents.map((row) => local.velocity[row]), speed = Math.hypot(...slip);
  const approach = Math.max(...local.elements.filter(({ normal }) => normal >= 0).map(({ normal }) => Math.abs(local.velocity[normal])));
  return tangents.length && speed > SLIDES_ON * approach ? slip.map((v) => v / speed) : undefined;
}

// the impulses on the way from P to `sliding`, as far as they do not create energy: its change is a square of the share
function withoutGain(local, P, sliding) {
  const way = sliding.map((x, i) => x - P[i]), c = Math.max(lossOf(local, P), 0);
  const a = -0.5 * way.reduce((sum, x, i) => sum + x * dotOf(local.D[i], way), 0), b = -way.reduce((sum, x, i) => sum + x * (local.velocity[i] + dotOf(local.D[i], P)), 0);
  const share = a + b + c >= 0 ? 1 : (2 * c) / (-b + Math.sqrt(b * b - 4 * a * c));
  return P.map((x, i) => x + share * way[i]);
}

// of one contact at these velocities of all rows
function impactAlone(local, one, velocity, friction, restitution, law) {
  const rows = rowsOf(one);
  return impactOfOne(rows.map((i) => rows.map((j) => local.D[i][j])), rows.map((row) => velocity[row]), friction, restitution, law);
}

// the fastest approaching contact alone, by its path, until nothing approaches
function oneAfterTheOther(local, near, e, rough) {
  const P = new Float64Array(local.velocity.length);
  for (let round = 0, v = local.velocity; round < IMPACT_ROUNDS; round++) {
    const one = near.reduce((a, b) => (v[b.normal] < v[a.normal] ? b : a));
    if (v[one.normal] >= -AT_REST) return P;
    const found = impactAlone(local, one, v, rough(one), e(one), one.law === "stronge" ? "stronge" : "poisson"), rows = rowsOf(one);
    rows.forEach((row, i) => { P[row] += found[i]; });
    v = v.map((x, k) => x + rows.reduce((sum, row, i) => sum + local.D[k][row] * found[i], 0));
  }
  throw new Error(`impacts one after the other do not come to an end: ${near.map(({ name }) => `'${name}'`).join(", ")}. Let them be simultaneous`);
}

const notesOf = (left) => (left > IMPULSE_ACCURATE ? [`the impulses of an impact are known to ${left.toExponential(1)} of the velocities only`] : []);

// those that touch and that an impulse of what approaches can reach, through others or not
function coupledIn(local) {
  const touching = local.elements.filter(({ normal }) => normal >= 0), reached = new Set(approachingIn(local).length ? approachingIn(local) : touching.slice(0, 1));
  const feels = (a, b) => rowsOf(a).some((i) => rowsOf(b).some((j) => Math.abs(local.D[i][j]) > FELT * Math.sqrt(Math.max(local.D[i][i] * local.D[j][j], 1e-300))));
  for (let before = -1; before < reached.size;) {
    before = reached.size;
    for (const one of touching) if (!reached.has(one) && [...reached].some((other) => feels(one, other))) reached.add(one);
  }
  return touching.filter((one) => reached.has(one));
}

// energy that an impact takes: −½ (γ⁻ + γ⁺)·P  (N.16)
function lossOf(local, P) { return -P.reduce((sum, p, i) => sum + p * (local.velocity[i] + 0.5 * dotOf(local.D[i], P)), 0); }

// ---------------------------------------------------------------- one contact

// the impulse of one contact along Coulomb's path in its normal impulse p, normal first. v: its velocity before.  (N.10), (N.14)
function impactOfOne(D, v, friction, restitution, law) {
  const path = new ImpactPath(D, v, friction);
  let compression = null;
  for (let k = 0; k < PATH_SEGMENTS; k++) {
    const heading = path.heading();
    if (path.isLocked(heading)) return path.endLocked(heading, law === "stronge" ? 0 : compression ? (1 + restitution) * compression.pressed - path.P[0] : restitution * path.P[0]);
    const end = path.untilEnd(heading, compression, restitution, law);
    let stopped;
    if (path.turns(heading)) stopped = path.turning(compression, restitution, law);
    else {
      const stop = path.untilStop(heading);
      stopped = stop < end;
      if (!Number.isFinite(Math.min(stop, end))) throw new Error(ENDLESS);
      path.go(Math.min(stop, end), heading);
    }
    if (stopped) path.v.fill(0, 1);
    else if (!compression) {
      path.v[0] = 0;
      compression = { pressed: path.P[0], work: path.work };
      if (restitution === 0) return path.P;
    } else return path.P;
  }
  throw new Error(`an impact has not ended after ${PATH_SEGMENTS} changes between sliding and sticking`);
}

class ImpactPath {
  constructor(D, v, friction) {
    Object.assign(this, { D, friction, v: Float64Array.from(v), P: new Float64Array(v.length), work: 0, first: Math.hypot(...v) + 1e-300 });
  }

  get slip() { return this.friction > 0 ? Math.hypot(...this.v.slice(1)) : 0; }
  get slides() { return this.slip > SLID_OUT * this.first; }

  // dP/dp
  heading() {
    const { D, v, friction } = this, n = v.length;
    if (n === 1 || friction === 0) return v.map((_, i) => Number(i === 0));
    if (this.slides) return v.map((x, i) => (i ? (-friction * x) / this.slip : 1));
    const sticking = gaussSolution(D.slice(1).map((row) => row.slice(1)), D.slice(1).map((row) => -row[0])), size = sticking ? Math.hypot(...sticking) : Infinity;
    if (size <= friction) return Float64Array.of(1, ...sticking);
    if (n === 2) return Float64Array.of(1, (friction * sticking[0]) / size);
    return Float64Array.of(1, ...this.invariantDirection().map((x) => -friction * x));
  }

  isLocked(heading) { return !this.slides && timesOf(this.D, heading)[0] <= LOCKED * this.D[0][0]; }

  // what sticks and can move no more ends as it is, by any law; Poisson's impulse that is left moves nothing
  endLocked(heading, left) {
    if (this.v[0] < -LEFT_LOCKED * this.first * (1 + Math.hypot(...heading.slice(1)))) throw new Error(ENDLESS);
    return this.P.map((x, i) => x + left * heading[i]);
  }

  turns(heading) {
    if (this.v.length < 3 || !this.slides) return false;
    const [, x, y] = timesOf(this.D, heading), [, a, b] = this.v, along = (x * a + y * b) / this.slip;
    return Math.hypot(x - (along * a) / this.slip, y - (along * b) / this.slip) > 1e-13 * Math.hypot(x, y);
  }

  go(p, heading) {
    const rate = timesOf(this.D, heading);
    this.work += this.v[0] * p + 0.5 * rate[0] * p * p;
    this.v = this.v.map((x, i) => x + p * rate[i]);
    this.P = this.P.map((x, i) => x + p * heading[i]);
  }

  // impulse after which sliding ends; infinite if it does not
  untilStop(heading) {
    if (!this.slides) return Infinity;
    const along = timesOf(this.D, heading).reduce((sum, x, i) => (i ? sum + (x * this.v[i]) / this.slip : 0), 0);
    return along < 0 ? -this.slip / along : Infinity;
  }

  // impulse left to the end of compression, or of the impact, if nothing changes before
  untilEnd(heading, compression, e, law) {
    const rate = timesOf(this.D, heading)[0];
    if (!compression) return rate > 0 ? -this.v[0] / rate : Infinity;
    if (law !== "stronge") return (1 + e) * compression.pressed - this.P[0];
    const left = this.work - (1 - e * e) * compression.work;
    if (rate === 0) return -left / this.v[0];
    return (-this.v[0] + Math.sqrt(Math.max(this.v[0] ** 2 - 2 * rate * left, 0))) / rate;
  }

  // sliding whose direction turns, in steps of Runge and Kutta over p, up to its end or to that of the phase. Whether it stopped
  turning(compression, e, law) {
    const goal = !compression ? (y) => -y[0] : law === "stronge" ? (y) => (1 - e * e) * compression.work - y[6] : (y) => (1 + e) * compression.pressed - y[3];
    const ended = followTurning(this.D, this.friction, Float64Array.of(...this.v, ...this.P, this.work), this.first, goal);
    [this.v, this.P, this.work] = [ended.y.slice(0, 3), ended.y.slice(3, 6), ended.y[6]];
    return ended.stopped;
  }

  // the direction in which sliding that has stopped goes on: along its own change
  invariantDirection() {
    const changeAt = (angle) => timesOf(this.D, [1, -this.friction * Math.cos(angle), -this.friction * Math.sin(angle)]);
    const across = (angle) => { const [, x, y] = changeAt(angle); return Math.cos(angle) * y - Math.sin(angle) * x; };
    for (let k = 0; k < 180; k++) {
      const a = 0.31 + (2 * Math.PI * k) / 180, b = 0.31 + (2 * Math.PI * (k + 1)) / 180;
      if (across(a) * across(b) > 0) continue;
      const angle = rootBetween(across, a, b), d = [Math.cos(angle), Math.sin(angle)], [, x, y] = changeAt(angle);
      if (x * d[0] + y * d[1] > 0) return d;
    }
    throw new Error("an impact finds no direction in which sliding could go on");
  }
}

// y: velocity (3), impulse (3), work of the normal force, over the normal impulse, until sliding stops or goal(y), positive before, is zero
function followTurning(D, mu, y, first, goal) {
  const slope = (z) => {
    const size = Math.max(Math.hypot(z[1], z[2]), 1e-300), heading = [1, (-mu * z[1]) / size, (-mu * z[2]) / size];
    return [...timesOf(D, heading), ...heading, z[0]];
  };
  const left = (z) => Math.min(Math.hypot(z[1], z[2]) - 1e-11 * first, goal(z));
  let h = (1e-2 * first) / Math.max(D[0][0], D[1][1], D[2][2]);
  for (let k = 0; k < 20000; k++) {
    const whole = rungeKuttaStep(slope, y, h), error = largestOf(whole.error.map((x, i) => x / (1e-14 * first + 1e-12 * Math.max(Math.abs(y[i]), Math.abs(whole.y[i])))));
    if (!(error < 1)) { h *= Number.isFinite(error) ? Math.max(0.2, 0.9 * error ** -0.2) : 0.2; continue; }
    if (left(whole.y) <= 0) {
      const share = rootBetween((s) => left(rungeKuttaStep(slope, y, s * h).y), 0, 1), { y: at } = rungeKuttaStep(slope, y, share * h);
      return { y: at, stopped: Math.hypot(at[1], at[2]) - 1e-11 * first <= Math.abs(goal(at)) };
    }
    y = whole.y;
    h *= error > 0 ? Math.min(5, 0.9 * error ** -0.2) : 5;
  }
  throw new Error(ENDLESS);
}

// of order 5 with an error of order 4: Dormand and Prince
function rungeKuttaStep(slope, y, h) {
  const A = [[], [1 / 5], [3 / 40, 9 / 40], [44 / 45, -56 / 15, 32 / 9], [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729], [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656], [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84]];
  const E = [71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40], K = [];
  let stage = y;
  for (const row of A) {
    stage = y.map((x, i) => x + h * row.reduce((sum, a, j) => sum + a * K[j][i], 0));
    K.push(slope(stage));
  }
  return { y: stage, error: y.map((_, i) => h * E.reduce((sum, e, j) => sum + e * K[j][i], 0)) };
}

// regula falsi (Illinois) to neighbouring numbers; f has different signs at a and b, or is zero at one of them
function rootBetween(f, a, b, fa = f(a), fb = f(b), tries = 200, finest = 4e-16) {
  if (fa === 0) return a;
  for (let k = 0; k < tries && fb !== 0 && Math.abs(b - a) > finest * Math.max(Math.abs(a), Math.abs(b)); k++) {
    let x = k % 4 === 3 ? (a + b) / 2 : b - (fb * (b - a)) / (fb - fa);
    if (x === a || x === b) x = (a + b) / 2;
    const fx = f(x);
    if (fx * fb < 0) [a, fa] = [b, fb]; else fa *= 0.5;
    [b, fb] = [x, fx];
  }
  return b;
}
