"use strict";
// The mechanism as its contacts see it at one instant: numbers of the traced function `contact`, and of these the part that elements need which touch.

const VANISHING = 1e-8; // of what the diagonal of D was at the start: a row is not scaled up beyond that
const IMMOVABLE = 1e-11; // of the largest: a direction in which nothing can move

class ContactView {
  constructor(model, { n, u, contacts }) {
    Object.assign(this, { model, about: contacts, m: contacts.rows, speeds: u });
    const k = contacts.elements.length, { m } = this, sizes = [n + 1, m * m, m * u, m, m, m, m * contacts.works.length, k, k, 2 * contacts.loads * (m + 1)], names = ["rates", "D", "A", "gaps", "velocity", "acceleration", "power", "friction", "static", "loads"];
    this.out = new Float64Array(sizes.reduce((a, b) => a + b, 0));
    sizes.reduce((begin, size, i) => { this[names[i]] = this.out.subarray(begin, begin + size); return begin + size; }, 0);
  }

  see(t, y, p) { this.model.contact(t, y, p, this.out); }

  between(i, j) { return this.D[i * this.m + j]; }

  // change of the speeds by forces or impulses on all rows, added to those that begin at `first` of y
  push(forces, y, first) {
    for (let k = 0; k < this.m; k++) if (forces[k] !== 0) for (let r = 0; r < this.speeds; r++) y[first + r] += forces[k] * this.A[k * this.speeds + r];
  }

  // directions along the tangents of an element in which the mechanism can move: two, one or none
  axes({ tangents }) {
    if (tangents.length < 2) return tangents.map(() => [1]);
    const [i, j] = tangents, a = this.between(i, i), b = this.between(i, j), c = this.between(j, j), middle = (a + c) / 2, radius = Math.hypot((a - c) / 2, b);
    if (middle - radius > IMMOVABLE * (middle + radius)) return [[1, 0], [0, 1]];
    if (!(middle + radius > 1e-300)) return [];
    const angle = 0.5 * Math.atan2(2 * b, a - c);
    return [[Math.cos(angle), Math.sin(angle)]];
  }

  // by which forces that are not unique are compared: it follows from the state alone. A row that vanishes just here is not scaled up without end
  scaleOf(row) { return 1 / Math.sqrt(Math.max(this.between(row, row), VANISHING / this.about.scale[row] ** 2)); }

  // `local` of mode_forces.js of these elements: [{index, mode, direction, sides}, …]. selection: its rows as combinations of all
  local(touching) {
    const { about, friction } = this, selection = [], elements = touching.map(({ index, mode, direction, sides }) => {
      const of = about.elements[index], axes = this.axes(of), normal = of.normal >= 0 ? selection.push([[of.normal], [1]]) - 1 : -1;
      const tangents = axes.map((axis) => selection.push([of.tangents, axis]) - 1), along = axes.map((axis) => axis.reduce((sum, a, i) => sum + a * direction[i], 0));
      const { name, restitution, law, rate } = of;
      return { index, name, normal, tangents, axes, restitution, law, rate, mode, direction: along, sides, friction: friction[index], static: Math.max(this.static[index], friction[index]) };
    });
    const D = selection.map(([rows, parts]) => {
      const line = zerosOf(selection.length);
      selection.forEach(([others, shares], k) => {
        for (let a = 0; a < rows.length; a++) for (let b = 0; b < others.length; b++) {
          const part = parts[a] * shares[b];
          if (part !== 0) line[k] += part * 0.5 * (this.between(rows[a], others[b]) + this.between(others[b], rows[a]));
        }
      });
      return line;
    });
    const taken = (numbers) => {
      const found = zerosOf(selection.length);
      for (let k = 0; k < found.length; k++) { const [rows, parts] = selection[k]; for (let i = 0; i < rows.length; i++) found[k] += parts[i] * numbers[rows[i]]; }
      return found;
    };
    const scale = selection.map(([rows, parts]) => Math.hypot(...rows.map((row, i) => parts[i] * this.scaleOf(row))));
    const found = { D, velocity: taken(this.velocity), acceleration: taken(this.acceleration), elements, selection, scale };
    for (const one of elements) {
      one.speed = Math.hypot(...one.tangents.map((row) => found.velocity[row]), 0);
      one.load = this.load(one, taken);
    }
    found.usualScale = found.scale.slice();
    return found;
  }

  // of a joint, that limits friction: affine in the forces of all rows
  load({ index, sides }, taken) {
    const { load, components, sums } = this.about.elements[index];
    if (load < 0) return null;
    const each = Array.from({ length: components }, (_, c) => c);
    return { sums, sides, free: each.map((c) => this.loads[2 * load + c]), response: each.map((c) => taken(this.answersOf(load, c))) };
  }

  // a component of a load by unit forces on all rows
  answersOf(load, c) {
    const found = zerosOf(this.m), wide = 2 * this.about.loads;
    for (let row = 0; row < this.m; row++) found[row] = this.loads[wide * (row + 1) + 2 * load + c];
    return found;
  }

  // forces on the rows of a local as forces on all rows
  spread({ selection }, forces) {
    const found = zerosOf(this.m);
    selection.forEach(([rows, parts], k) => rows.forEach((row, i) => { found[row] += parts[i] * forces[k]; }));
    return found;
  }
}
