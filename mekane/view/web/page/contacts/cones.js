"use strict";
// Forces or impulses in their cones: x with v = D x + g and −v in the normal cone of each set at x.  (N.2), (N.9)
// Block Gauss–Seidel, refined by the linear problem of the modes that it finds; where friction couples contacts so strongly that it goes round in circles,
// a search by Newton's method from many starts. A block: {rows, byNormal, friction, floor, direction, closed}.

const SWEEPS = 2000, SWEEPS_TOGETHER = 8, PATIENT_SWEEPS = 64;
const CONES_MET = 1e-14, CONES_ACCEPTED = 1e-11; // residual, relative
const CONES_FOUND = 1e-9, CONE_STARTS = 60; // residual, relative, beyond which a search goes on, and from how many starts
const SEARCH_STEPS = 30, BY_DIFFERENCES = 1e-7; // of Newton's method in a search
const ONE_STEPS = 100, ONE_EXACT = 1e-16, ONE_ROUND = 1e-14; // iterations for one contact, which nearly always takes a few; relative
const FLAT_FRICTION = 1e-14; // of the larger stiffness along the tangents: the smaller one counts as so much at least

// rows of no block have no force
function solveCones(D, g, blocks) {
  const filled = blocks.filter(({ rows }) => rows.length), x = zerosOf(g.length);
  if (!filled.length) return { x, left: 0 };
  const rows = filled.flatMap((one) => [...one.rows]).sort((a, b) => a - b);
  const own = filled.map((one) => ({ ...one, rows: [...one.rows].map((row) => rows.indexOf(row)) }));
  const found = new Cones(rows.map((i) => rows.map((j) => D[i][j])), rows.map((i) => g[i]), own).solved();
  rows.forEach((row, i) => { x[row] = found.x[i]; });
  return { x, left: found.left };
}

class Cones {
  constructor(D, g, blocks) {
    Object.assign(this, { D, g, blocks });
    for (const one of blocks) {
      const tangents = one.byNormal ? one.rows.slice(1) : one.rows;
      Object.assign(one, { normal: one.byNormal ? one.rows[0] : -1, tangents, step: 1 / Math.max(stiffnessOf(D, one.rows), 1e-300) });
      one.places = [one.normal, tangents[0] ?? -1, tangents[1] ?? -1];
      one.W = one.places.map((i) => one.places.map((j) => (i < 0 || j < 0 ? 0 : D[i][j])));
    }
    // in an expansion g is round-off: what counts are the impulses it starts from
    this.scale = Math.max(largestOf(g), 1e-300, ...blocks.filter(({ byNormal, floor }) => byNormal && Number.isFinite(floor)).map(({ normal, floor }) => Math.abs(D[normal][normal] * floor)));
  }

  solved() {
    const stopped = leastSolution(this.D)(this.g.map((a) => -a)); // contacts that repeat one another: sweeps would leave some at the edge of their cones
    let left = this.residual(stopped), x = zerosOf(this.g.length);
    if (left < 100 * CONES_MET) return { x: stopped, left };
    for (let sweep = 0; sweep < SWEEPS; sweep += SWEEPS_TOGETHER) {
      for (let k = 0; k < SWEEPS_TOGETHER; k++) for (const one of this.blocks) this.improve(one, x);
      const refined = this.refined(x);
      if (refined && this.residual(refined) < this.residual(x)) x = refined;
      left = this.residual(x);
      if (left < CONES_MET || (sweep >= PATIENT_SWEEPS && left < CONES_ACCEPTED)) break;
      if (sweep === PATIENT_SWEEPS && this.few) {
        const best = this.patterns().map((one) => this.refined(one)).filter(Boolean).reduce((a, b) => (this.residual(b) < this.residual(a) ? b : a), x);
        if (this.residual(best) < CONES_ACCEPTED) return { x: best, left: this.residual(best) };
      }
    }
    return left < CONES_FOUND ? { x, left } : this.searched(x, largestOf(stopped));
  }

  // the best of what Newton's method finds from x, and from starts of this size all around, the same ones every time
  searched(x, size) {
    let left = this.residual(x);
    for (let start = 0; start < CONE_STARTS && left >= CONES_FOUND; start++) {
      const found = this.byNewton(start ? x.map((_, i) => size * (2 * ((start * 0.7548776662 + i * 0.5698402910) % 1) - 1)) : x);
      for (const one of [found, this.refined(found)]) if (one && this.residual(one) < left) [x, left] = [one, this.residual(one)];
    }
    return { x, left };
  }

  // x from here on where the natural residual falls to zero, if it does
  byNewton(x) {
    let off = this.natural(x), size = largestOf(off);
    for (let k = 0; k < SEARCH_STEPS && size > CONES_MET * this.scale; k++) {
      const h = BY_DIFFERENCES * Math.max(largestOf(x), 1e-300), columns = x.map((_, j) => this.natural(x.map((a, i) => (i === j ? a + h : a))).map((a, i) => (a - off[i]) / h));
      const change = gaussSolution(off.map((_, i) => columns.map((column) => column[i])), off.map((a) => -a));
      if (!change) break;
      let share = 2, next = x, left = Infinity;
      while (!(left < size) && share > 1e-3) {
        share /= 2;
        next = x.map((a, i) => a + share * change[i]);
        left = largestOf(this.natural(next));
      }
      if (!(left < size)) break;
      [x, off, size] = [next, this.natural(next), left];
    }
    return x;
  }

  velocity(row, x) { return this.g[row] + dotOf(this.D[row], x); }

  // the nearest point of the set, the normal first
  nearest({ closed, byNormal, friction, floor, direction }, x) {
    if (closed === false) return x.map(() => 0);
    const n = byNormal ? Math.max(floor, x[0]) : 0, tangents = byNormal ? x.slice(1) : x, most = friction * (byNormal ? (direction ? n : Math.max(n, 0)) : 1), size = Math.hypot(...tangents);
    const inside = direction ? tangents.map((_, i) => -most * direction[i]) : size > most ? tangents.map((a) => (a * most) / size) : tangents;
    return byNormal ? [n, ...inside] : inside;
  }

  // how far x is from the nearest point of each set to where its velocity drives it
  natural(x) {
    const found = zerosOf(x.length);
    for (const one of this.blocks) {
      const at = this.nearest(one, one.rows.map((row) => x[row] - one.step * this.velocity(row, x)));
      one.rows.forEach((row, i) => { found[row] = (x[row] - at[i]) / one.step; });
    }
    return found;
  }

  residual(x) { return largestOf(this.natural(x)) / this.scale; } // relative

  // the force of one element with all others as they are
  improve(one, x) {
    const { places, W } = one, own = places.map((row) => (row < 0 ? 0 : x[row])), q = places.map((row, i) => (row < 0 ? 0 : this.velocity(row, x) - dotOf(W[i], own)));
    forceAlone(one, q).forEach((force, i) => { if (places[i] >= 0) x[places[i]] = force; });
  }

  // the solution of the linear problem of the modes that x shows: which normals push, what sticks, what slides and where; null if there is none
  refined(x) {
    const fixed = zerosOf(x.length), columns = [], kept = [], size = largestOf(x);
    const keep = (row, friction) => { const column = zerosOf(x.length); column[row] = 1; friction?.(column, 1); columns.push(column); kept.push(row); };
    for (const one of this.blocks) {
      if (one.closed === false) continue;
      const { normal, tangents, floor, friction, direction } = one, carried = Math.hypot(...tangents.map((row) => x[row])), most = friction * (normal >= 0 ? Math.max(x[normal], 0) : 1);
      const slides = direction || (tangents.length && carried >= most * (1 - 1e-9)), way = tangents.map((row, i) => (direction ? -direction[i] : carried > 0 ? x[row] / carried : 0));
      const rub = (column, press) => tangents.forEach((row, i) => { column[row] = friction * press * way[i]; });
      if (normal >= 0 && x[normal] <= floor + 1e-12 * size) {
        fixed[normal] = Number.isFinite(floor) ? floor : 0;
        if (slides) rub(fixed, fixed[normal]);
      } else if (normal >= 0) keep(normal, slides ? rub : null);
      else if (slides) rub(fixed, 1);
      if (!slides) for (const row of tangents) keep(row);
    }
    const right = kept.map((row) => -this.velocity(row, fixed)), equations = kept.map((row) => columns.map((column) => dotOf(this.D[row], column)));
    const found = kept.length ? gaussSolution(equations, right) : [];
    if (!found) return null;
    columns.forEach((column, k) => column.forEach((a, i) => { fixed[i] += found[k] * a; }));
    return fixed;
  }

  get few() { return this.blocks.length <= 3 && this.blocks.every(({ byNormal, closed, direction, rows }) => byNormal && closed !== false && !direction && rows.length <= 2); }

  // forces that stand for every combination of modes of a few contacts in a plane
  patterns() {
    return this.blocks.reduce((found, { rows, floor, friction }) => found.flatMap((x) => [0, 1].flatMap((more) => [0, 1, -1].map((side) => {
      const next = x.slice();
      next[rows[0]] = Math.max(floor, 0) + more;
      if (rows.length > 1) next[rows[1]] = side * friction * next[rows[0]];
      return next;
    }))), [zerosOf(this.g.length)]);
  }
}

// no less than the largest eigenvalue of D of these rows: the largest sum of a row
function stiffnessOf(D, rows) { return Math.max(0, ...rows.map((i) => rows.reduce((sum, j) => sum + Math.abs(D[i][j]), 0))); }

// ---------------------------------------------------------------- one element

// normal force and friction of an element with compliances W, normal first, and velocities q without its force
function forceAlone({ W, normal, tangents, friction, floor, direction, closed }, q) {
  if (closed === false) return [0, 0, 0];
  if (direction) {
    const stiff = direction.reduce((sum, d, i) => sum - friction * W[0][1 + i] * d, W[0][0]), n = normal < 0 ? 1 : Math.max(floor, -q[0] / (stiff > 0 ? stiff : Math.max(W[0][0], 1e-300)));
    return [n, ...direction.map((d) => -friction * n * d)];
  }
  if (normal < 0) return [0, ...frictionWithin(W, q[1], q[2], friction)];
  return tangents.length ? forceOfContact(W, q, friction, floor) : [Math.max(floor, -q[0] / Math.max(W[0][0], 1e-300)), 0, 0];
}

// the same of a contact, exact also where friction presses or lifts as much as the normal force does: friction with a given normal force is unique, so the
// velocity along the normal is a function of that alone, and has a root where it is negative without one. Where that is many, as of an arm on a pin,
// the smallest is taken: the one that sliding comes to
function forceOfContact(W, q, friction, floor) {
  if (!(W[0][0] > 0)) return [Math.max(floor, 0), 0, 0];
  if (floor < 0 && q[0] >= 0) return [Math.max(floor, -q[0] / W[0][0]), 0, 0];
  const rubbing = (n) => frictionWithin(W, q[1] + W[1][0] * n, q[2] + W[2][0] * n, friction * Math.max(n, 0));
  const velocity = (n) => {
    const [x, y] = rubbing(n), parts = [q[0], W[0][0] * n, W[0][1] * x, W[0][2] * y];
    return parts.reduce((sum, part) => sum + part + ONE_ROUND * Math.abs(part), 0); // what is less than this is round-off
  };
  let low = Math.max(floor, 0), before = velocity(low), high = low, after = before;
  for (let k = 0, step = -before / W[0][0]; after < 0 && k < ONE_STEPS; k++, step *= 2) {
    [low, before] = [high, after];
    high += step;
    after = velocity(high);
  }
  const n = high > low ? rootBetween(velocity, low, high, before, after, ONE_STEPS, ONE_EXACT) : low;
  return [n, ...rubbing(n)];
}

// friction (x, y) of at most this size with A (x, y) + (p, q) = −s (x, y), s ≥ 0 and zero where it is less: it stops, or opposes what is left of sliding.
// A: the part of W along the tangents
function frictionWithin([, [, a, b], [, , c]], p, q, most) {
  const half = (a - c) / 2, mean = (a + c) / 2, r = Math.hypot(half, b), first = mean + r, second = Math.max(mean - r, FLAT_FRICTION * first);
  if (!(first > 0)) return [0, 0];
  const [x, y] = half >= 0 ? [half + r, b] : [b, r - half], size = Math.hypot(x, y), [e, f] = size > 0 ? [x / size, y / size] : [1, 0];
  const u = -(p * e + q * f), v = p * f - q * e, s = rootOfSize(u, v, first, second, most); // along the axes of A
  if (s < 0) return [0, 0];
  const along = u / (first + s), across = v / (second + s), share = s > 0 ? most / Math.hypot(along, across) : 1;
  return [share * (along * e - across * f), share * (along * f + across * e)];
}

// s with |(u / (first + s), v / (second + s))| = most, zero where that is less; −1 where most is. Newton's method on one over it goes there from one side
function rootOfSize(u, v, first, second, most) {
  let s = 0;
  for (let k = 0; k < ONE_STEPS; k++) {
    const x = u / (first + s), y = v / (second + s), size = Math.hypot(x, y);
    if (size <= most * (1 + ONE_EXACT)) return s;
    if (!(most > 0)) return -1;
    const change = (((size - most) / most) * size * size) / ((x * x) / (first + s) + (y * y) / (second + s));
    if (s + change === s) return s;
    s += change;
  }
  return s;
}
