"use strict";
// Forces or impulses in their cones: x with v = D x + g and −v in the normal cone of each set at x.  (N.2), (N.9)
// Block Gauss–Seidel, refined by the linear problem of the modes that it finds. A block: {rows, byNormal, friction, floor, direction, closed}.

const SWEEPS = 2000, SWEEPS_TOGETHER = 8, PATIENT_SWEEPS = 64;
const CONES_MET = 1e-14, CONES_ACCEPTED = 1e-11; // residual, relative

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
      Object.assign(one, { normal: one.byNormal ? one.rows[0] : -1, tangents, step: 1 / Math.max(stiffnessOf(D, one.rows), 1e-300), stiff: Math.max(stiffnessOf(D, tangents), 1e-300) });
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
    return { x, left };
  }

  velocity(row, x) { return this.g[row] + dotOf(this.D[row], x); }

  // the nearest point of the set, the normal first
  nearest({ closed, byNormal, friction, floor, direction }, x) {
    if (closed === false) return x.map(() => 0);
    const n = byNormal ? Math.max(floor, x[0]) : 0, tangents = byNormal ? x.slice(1) : x, most = friction * (byNormal ? (direction ? n : Math.max(n, 0)) : 1), size = Math.hypot(...tangents);
    const inside = direction ? tangents.map((_, i) => -most * direction[i]) : size > most ? tangents.map((a) => (a * most) / size) : tangents;
    return byNormal ? [n, ...inside] : inside;
  }

  // natural residual, relative
  residual(x) {
    let worst = 0;
    for (const one of this.blocks) {
      const at = this.nearest(one, one.rows.map((row) => x[row] - one.step * this.velocity(row, x)));
      one.rows.forEach((row, i) => { worst = Math.max(worst, Math.abs(x[row] - at[i]) / one.step); });
    }
    return worst / this.scale;
  }

  // the force of one element with all others as they are: the normal first, then the disc, a few times
  improve(one, x) {
    for (let k = 0; k < (one.byNormal && one.tangents.length ? 4 : 1); k++) {
      if (one.byNormal) this.press(one, x);
      const step = one.byNormal ? 1 / one.stiff : one.step, at = this.nearest(one, one.rows.map((row) => (row === one.normal ? x[row] : x[row] - step * this.velocity(row, x))));
      one.rows.forEach((row, i) => { x[row] = at[i]; });
    }
  }

  press({ normal, tangents, friction, floor, direction, closed }, x) {
    const own = this.D[normal][normal], stiff = direction ? tangents.reduce((sum, row, i) => sum - friction * this.D[normal][row] * direction[i], own) : own;
    x[normal] = closed === false ? 0 : Math.max(floor, x[normal] - this.velocity(normal, x) / (stiff > 0 ? stiff : own));
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
