"use strict";
// A mechanism with contact laws integrated in time: smooth phases in which every element is open, slides or sticks, guards that end them, located to
// round-off, impacts, and the choice of modes at an instant.  (N.3)–(N.16); the same laws as in mekane/solvers/contacts.

const TOUCHING = 1e-9; // m or rad: a gap that counts as closed
const CLOSE = 1e-9; // m or rad: bounces lower than this are closed
const ARMED = 1e-12; // a guard that began at zero counts from here on
const UNARMED = 1e-9; // or below minus this
const LONGEST_STEP = 1 / 60; // s: what sticks does not feel its load, and error control would pass over the moment at which it breaks away
const LOOKED_AT = [0.2, 0.4, 0.6, 0.8, 1]; // of a step: there guards are looked at
const ROUNDS = 100; // of impacts at one instant
const WEAKER = 1e-9; // share by which static friction may be less than that of sliding: round-off of two expressions
const AGAIN = 0.25; // of the step that was planned: the first one after modes have changed
const SAME_INSTANT = 4e-15; // relative: no time passes between two instants
const JAMS = 1e-6; // of a normal force: where sliding jams friction lifts it at least so much more than it presses
const NEARLY = 0.25; // of a normal force: where forces grow beyond bounds directions turn fast, and what presses is not known better
const RETURNED = -1; // in place of a mode that is banned: sliding has come to rest at this instant, which bans nothing yet
const TOGETHER = 1e-9; // share of their limits within which contacts that share a load reach them together
const MOST_TOLD = 1000; // events on the time line
const IN_MODES = 6; // numbers of an element in p: mode, whether it sticks, direction of sliding, sides of a load
const WATCHED = 4; // guards of an element: normal, friction, sides of a load or slowness

class ContactEngine extends LiveEngine {
  prepare() {
    this.watches = true;
    this.view = new ContactView(this.model, this.about);
    this.elements = this.about.contacts.elements;
    this.watched = new Float64Array(WATCHED * this.elements.length + 1);
    this.slack = this.watched.slice();
    this.log = [];
    this.notes = new Set();
  }

  // ---------------------------------------------------------------- modes, kept in p

  place(e) { return this.about.places.modes + IN_MODES * e; }
  mode(e) { return this.p[this.place(e)]; }
  known(e) { return this.p.subarray(this.place(e) + 2, this.place(e) + 4); }
  sides(e) { return this.p.subarray(this.place(e) + 4, this.place(e) + 6); }

  write(e, mode, direction = []) {
    const k = this.place(e);
    this.p[k] = mode;
    this.p[k + 1] = Number(mode === Mode.STICKING);
    this.p[k + 2] = direction[0] ?? 0;
    this.p[k + 3] = direction[1] ?? 0;
  }

  // unit vector of sliding along the tangents, continued through rest: its side is that of the direction known, which changes only between steps
  direction(e) {
    const known = this.known(e), { tangents } = this.elements[e];
    if (tangents.length < 2) return known;
    const [x, y] = tangents.map((row) => this.view.velocity[row]), size = Math.hypot(x, y);
    if (size < AT_REST || (known[0] === 0 && known[1] === 0)) return known;
    const side = x * known[0] + y * known[1] < 0 ? -1 : 1;
    return [(side * x) / size, (side * y) / size];
  }

  // ---------------------------------------------------------------- smooth phases

  rates(t, y, out) {
    const power = this.hand ? this.pull(t, y) : 0, { view, n } = this;
    view.see(t, y, this.p);
    out.set(view.rates);
    this.pivot = Math.min(this.pivot, out[n]);
    const forces = this.phaseForces();
    view.push(forces, out, this.about.q);
    const { works } = this.about.contacts;
    works.forEach((place, k) => { forces.forEach((f, row) => { out[place] += f * view.power[row * works.length + k]; }); });
    out[n] = power;
    this.evaluations++;
  }

  // forces of all rows in the present modes, at what was seen last
  phaseForces() {
    const closed = this.elements.flatMap((_, index) => (this.mode(index) === Mode.OPEN ? [] : [this.described(index, this.direction(index))]));
    if (!closed.length) { this.phase = null; return new Float64Array(this.view.m); }
    const local = this.view.local(closed), modes = closed.map(({ mode }) => mode), directions = local.elements.map(({ direction }) => direction);
    if (this.shares) this.share(local, modes, directions);
    this.phase = new ModeForces(local, modes, directions);
    return this.view.spread(local, this.phase.forces);
  }

  // contacts that share a load: in what proportion is found once for a step
  share(local, modes, directions) {
    if (this.shared?.length === local.scale.length) local.scale = this.shared;
    else shareByLoad(local, modes, directions);
    this.shared = local.scale;
  }

  described(index, direction) { return { index, mode: this.mode(index), direction, sides: this.sides(index) }; }

  // where a step may end at most
  goal(end) { return Math.min(super.goal(end), this.t + LONGEST_STEP); }

  step(end) {
    if (this.hand) this.pull(this.t, this.y);
    this.shared = null;
    this.view.see(this.t, this.y, this.p);
    const beyond = Array.from(this.watch(), (g, k) => (g < -Math.max(this.slack[k], UNARMED) ? k : -1)).filter((k) => k >= 0);
    if (beyond.length) this.resolve(beyond.map((k) => [Math.floor(k / WATCHED), k % WATCHED])); // a hand, a slider or what an event set has changed the load
    super.step(end);
    if (this.again) this.h = this.again;
    this.again = 0;
    this.view.see(this.t, this.y, this.p);
    this.elements.forEach(({ tangents }, e) => { if (this.mode(e) === Mode.SLIDING && tangents.length === 2) this.known(e).set(this.direction(e)); });
  }

  // forces grow beyond bounds where sliding comes to jam: its instant is known as closely as floats tell
  passesSingular() {
    if (!jammedIn(this.instant())) return false;
    this.fired = [[this.elements.length, 0]]; // as the guard of jamming would
    this.change();
    return true;
  }

  // ---------------------------------------------------------------- constraints

  settle(most) { return super.settle(most) && this.ontoContacts() && this.isFinite(); }

  // gaps that are closed onto zero, then rates of what is closed or sticks
  ontoContacts() {
    const closed = this.elements.map((_, e) => e).filter((e) => this.mode(e) !== Mode.OPEN);
    if (!closed.length) return true;
    const gaps = closed.filter((e) => this.elements[e].normal >= 0 && !this.elements[e].rate).map((e) => this.elements[e].normal);
    if (gaps.length && !this.closeOnto(gaps)) return false;
    const rows = closed.flatMap((e) => [...(this.elements[e].normal >= 0 ? [this.elements[e].normal] : []), ...(this.mode(e) === Mode.STICKING ? this.elements[e].tangents : [])]);
    this.view.see(this.t, this.y, this.p);
    this.view.push(this.answer(rows, this.view.velocity), this.y, this.about.q);
    return true;
  }

  closeOnto(rows) {
    for (let k = 0, before = Infinity; k < NEWTON; k++) {
      this.view.see(this.t, this.y, this.p);
      const left = largestOf(rows.map((row) => this.view.gaps[row]));
      if (!Number.isFinite(left)) return false;
      if (left === 0 || !(left < 0.5 * before)) break;
      const shift = new Float64Array(this.about.u);
      this.view.push(this.answer(rows, this.view.gaps), shift, 0);
      this.shift(shift);
      before = left;
      if (left < 1e-10) break; // what is left then is round-off
    }
    return true;
  }

  // forces on rows that take away what `measured` is there
  answer(rows, measured) {
    const { view } = this, s = rows.map((row) => 1 / Math.sqrt(Math.max(view.between(row, row), 1e-300))), forces = new Float64Array(view.m);
    const movable = rows.map((row, i) => i).filter((i) => view.between(rows[i], rows[i]) > 1e-14 * Math.max(...rows.map((row) => view.between(row, row))));
    const solve = leastSolution(movable.map((i) => Float64Array.from(movable, (j) => s[i] * s[j] * view.between(rows[i], rows[j]))));
    solve(Float64Array.from(movable, (i) => -s[i] * measured[rows[i]])).forEach((x, k) => { forces[rows[movable[k]]] += s[movable[k]] * x; });
    return forces;
  }

  // coordinates moved by a small change expressed in speeds; Euler parameters stay of unit length to second order
  shift(x) {
    const { moved, turned } = this.about.contacts, { y } = this;
    for (const [q, u] of moved) y[q] += x[u];
    for (const [q, u] of turned) {
      const [a, b, c] = [0.5 * x[u], 0.5 * x[u + 1], 0.5 * x[u + 2]], [e1, e2, e3, e4] = y.slice(q, q + 4);
      const next = [e1 + e4 * a - e3 * b + e2 * c, e2 + e3 * a + e4 * b - e1 * c, e3 - e2 * a + e1 * b + e4 * c, e4 - e1 * a - e2 * b - e3 * c], size = Math.hypot(...next);
      y.set(next.map((e) => e / size), q);
    }
  }

  // ---------------------------------------------------------------- guards: what stays positive while the modes hold  (N.6)

  // at what was seen last
  watch() {
    this.phaseForces();
    const { watched, phase: motion } = this;
    this.elements.forEach((one, e) => {
      const k = WATCHED * e, mode = this.mode(e), i = motion ? motion.local.elements.findIndex(({ index }) => index === e) : -1;
      watched.fill(1, k, k + WATCHED);
      if (one.normal >= 0) watched[k] = mode === Mode.OPEN ? this.view[one.rate ? "velocity" : "gaps"][one.normal] : motion.forces[motion.local.elements[i].normal] * this.mobility(i);
      if (mode === Mode.OPEN || !one.tangents.length) return;
      watched[k + 1] = mode === Mode.STICKING ? this.margin(i) : this.slip(e);
      if (one.sums) loadOf(motion.local.elements[i].load, motion.forces).forEach((x, c) => { watched[k + 2 + c] = this.sides(e)[c] * x; });
      else if (mode === Mode.SLIDING && one.tangents.length === 2) watched[k + 2] = Math.hypot(...one.tangents.map((row) => this.view.velocity[row])) - AT_REST;
      if (mode === Mode.STICKING && this.view.static[e] < this.view.friction[e] * (1 - WEAKER)) throw new Error(`the static friction of '${one.name}' is less than that of sliding at ${this.t.toPrecision(9)} s; what sticks holds at least as much as what slides`);
      if (this.view.friction[e] < 0) throw new Error(`the friction of '${one.name}' becomes negative at ${this.t.toPrecision(9)} s; friction resists motion`);
    });
    watched[watched.length - 1] = motion ? motion.definite : 1;
    return watched;
  }

  // acceleration along the normal, or along the first tangent if there is none, that a unit force there causes: what counts as zero does not hang on masses
  mobility(i) {
    const { D, elements } = this.phase.local, { normal, tangents } = elements[i], row = normal >= 0 ? normal : tangents[0];
    return row === undefined ? 1 : D[row][row];
  }

  // how much more could be carried while it sticks, in squares of accelerations
  margin(i) {
    const { local, forces } = this.phase, { tangents, static: most } = local.elements[i], limit = most * this.phase.pressed(i);
    return (limit * limit - tangents.reduce((sum, row) => sum + forces[row] ** 2, 0)) * this.mobility(i) ** 2;
  }

  // the speed in the direction known; what slides without friction has none
  slip(e) {
    const known = this.known(e), { tangents } = this.elements[e];
    if (known[0] === 0 && known[1] === 0) return Math.max(this.view.friction[e], this.view.static[e]) > 0 ? -1 : 1;
    return tangents.reduce((sum, row, i) => sum + known[i] * this.view.velocity[row], 0);
  }

  // guards of comparisons, positive on the side of the step, then those of contacts
  lookedAt(t, y) {
    const { outcomes } = this.about.places, sides = this.about.comparisons ? Array.from(this.model.guards(t, y, this.p, this.guards), (x, i) => (this.p[outcomes + i] ? -x : x)) : [];
    if (this.hand) this.pull(t, y);
    this.view.see(t, y, this.p);
    return [...sides, ...this.watch()];
  }

  arm() {
    if (this.hand) this.pull(this.t, this.y);
    this.view.see(this.t, this.y, this.p);
    this.watch().forEach((g, k) => { this.slack[k] = g > ARMED ? 0 : this.isSlowness(k) ? Infinity : UNARMED; });
  }

  // of what has just begun to slide it is negative
  isSlowness(k) { return k % WATCHED === 2 && k < this.watched.length - 1 && !this.elements[Math.floor(k / WATCHED)].sums; }

  // share of the step after which a guard is first zero; then the step is taken up to there. 2: none is
  firstChange(t, h) {
    const end = Float64Array.from(this.new), c = this.about.comparisons, slack = [...new Float64Array(c), ...this.slack], seen = [{ share: 0, g: this.lookedAt(t, this.y) }];
    const passed = (g) => g.some((x, k) => x < -slack[k]);
    for (const share of LOOKED_AT) {
      this.between(h, share, end);
      let g = this.lookedAt(t + share * h, this.stage), low = seen[seen.length - 1].share;
      const dip = passed(g) ? 0 : this.dip(seen, { share, g }, slack);
      if (dip) {
        this.between(h, dip, end);
        g = this.lookedAt(t + dip * h, this.stage);
        low = seen.length > 1 && dip < low ? seen[seen.length - 2].share : low;
      }
      if (passed(g)) {
        const found = this.locate(t, h, low, dip || share, slack);
        if (found) return found;
        this.stages(t, h);
        end.set(this.new);
      }
      if (!dip) seen.push({ share, g });
      g.forEach((x, k) => { if (x > ARMED) slack[k] = 0; });
    }
    this.new.set(end);
    slack.slice(c).forEach((x, k) => { this.slack[k] = x; });
    return 2;
  }

  // where a guard that falls and rises again within two looks may dip below zero; 0: none does
  dip(seen, { share: s2, g: g2 }, slack) {
    if (seen.length < 2) return 0;
    const [{ share: s0, g: g0 }, { share: s1, g: g1 }] = seen.slice(-2);
    for (let k = 0; k < g1.length; k++) {
      if (slack[k] > 0 || !(g1[k] < g0[k] && g1[k] <= g2[k])) continue;
      const a = (g0[k] - g1[k]) / (s0 - s1), b = ((g2[k] - g1[k]) / (s2 - s1) - a) / (s2 - s0), lowest = (s0 + s1) / 2 - a / (2 * b);
      if (g1[k] + (lowest - s1) * (a + b * (lowest - s0)) < 0.5 * g1[k] && lowest > s0 && lowest < s2) return lowest;
    }
    return 0;
  }

  // the first zero of a guard between two shares of the step, at its far side; this.fired: those that are zero there. 0: there is none
  locate(t, h, low, high, slack) {
    const at = (share) => { if (share > 0) this.stages(t, share * h); return this.lookedAt(t + share * h, share > 0 ? this.new : this.y); };
    const finest = Math.max(2.2e-16, (2.2e-16 * Math.abs(t)) / h);
    let first = at(low), last = at(high);
    if (low > 0 && first.some((x, i) => x < -slack[i])) [low, first] = [0, at(0)]; // it was zero there, but for round-off
    for (let k = 0; k < ROUNDS; k++) {
      const under = last.map((_, i) => i).filter((i) => last[i] < -slack[i] && first[i] >= -Math.max(slack[i], ARMED));
      if (!under.length) return 0;
      const guess = (i) => (first[i] + slack[i]) / (first[i] - last[i]), i = under.reduce((a, b) => (guess(b) < guess(a) ? b : a));
      const before = high;
      high = farSideOfZero((share) => at(share)[i] + slack[i], low, high, first[i] + slack[i], last[i] + slack[i], finest);
      last = at(high);
      if (before - high <= 8 * finest || last.every((x, j) => j === i || !(x < -slack[j] - 1e-14) || first[j] < -slack[j])) {
        const c = this.about.comparisons;
        this.fired = last.map((_, j) => j).filter((j) => j >= c && (j === i || (last[j] + slack[j] <= ARMED && first[j] > last[j]))).map((j) => [Math.floor((j - c) / WATCHED), (j - c) % WATCHED]);
        return high;
      }
    }
    return 0;
  }

  change() {
    if (this.about.comparisons) super.change();
    else if (++this.stuck > MANY) throw new Error("contacts open, slide and stick again and again at the same instant");
    if (this.t - (this.changedAt ?? -1) > 1e-12 * Math.max(1, this.t)) this.stuck = 0;
    this.changedAt = this.t;
    this.resolve(this.fired ?? []);
    this.fired = [];
  }

  // ---------------------------------------------------------------- an instant

  // after the state was set
  begin() {
    super.begin();
    this.forget();
    this.view.see(this.t, this.y, this.p);
    this.elements.forEach(({ normal, rate, name }, e) => {
      if (normal >= 0 && !rate && this.mode(e) === Mode.OPEN && this.view.gaps[normal] < -TOUCHING) throw new Error(`with it the gap of '${name}' is ${this.view.gaps[normal].toPrecision(3)}: bodies would enter each other`);
    });
    this.resolve([]);
  }

  // what had fired at the last instant, and the modes whose guards have ended them at it
  forget() { [this.last, this.bans] = [{ time: -1, fired: "" }, { time: -1, banned: new Set() }]; }

  reset() {
    this.log.length = 0;
    this.again = 0;
    super.reset();
  }

  set(k, value) {
    const before = this.state;
    try { super.set(k, value); } catch (error) {
      this.state = before;
      throw error;
    }
  }

  // speeds and modes from this instant on. fired: [element, which of its guards] of those that ended the step
  resolve(fired) {
    const jams = this.mayJam(fired), modes = this.elements.map((_, e) => this.mode(e)), banned = this.bannedBy(fired);
    [this.quiet, this.jammed] = [true, false]; // so far nothing has changed at this instant, nothing has jammed
    for (const [e, which] of fired) if (which >= 2 && this.elements[e]?.sums) this.sides(e)[which - 2] *= -1;
    const closing = fired.filter(([e, which]) => which === 0 && modes[e] === Mode.OPEN && !this.elements[e].rate).map(([e]) => e);
    if (closing.length) this.closeOnto([...new Set([...closing, ...this.elements.map((_, e) => e).filter((e) => modes[e] !== Mode.OPEN && !this.elements[e].rate)])].map((e) => this.elements[e].normal).filter((row) => row >= 0));
    for (let round = 0; round < ROUNDS; round++) {
      const local = this.instant();
      const approaches = approachingIn(local).length > 0, slow = jams && !approaches ? this.leavesTooSlowly(local) : new Set();
      if (approaches || slow.size) {
        this.hit(local, slow);
        banned.clear();
        continue;
      }
      this.markStopped(local, fired);
      const motion = this.choose(local, fired, banned, jams);
      if (!motion) { this.jam(local); continue; }
      if (motion.several) this.notes.add(`at ${this.t.toPrecision(6)} s several motions satisfy contact and friction (Painlevé); the one that continues what was before is taken`);
      this.adopt(local, motion, modes);
      return;
    }
    throw new Error("impacts at one instant do not come to an end");
  }

  // the mechanism as all that touches sees it now
  instant() {
    if (this.hand) this.pull(this.t, this.y);
    this.view.see(this.t, this.y, this.p);
    const touches = ({ normal, rate }, e) => normal < 0 || rate || this.mode(e) !== Mode.OPEN || this.view.gaps[normal] <= TOUCHING;
    return this.view.local(this.elements.map((_, e) => e).filter((e) => touches(this.elements[e], e)).map((e) => this.described(e, this.known(e))));
  }

  isNow(time) { return Math.abs(this.t - time) <= SAME_INSTANT * Math.abs(this.t); }

  // whether sliding may jam: a guard says so, or forces grow beyond bounds before any could: the same guards end the motion again at the same instant, though
  // they had changed nothing
  mayJam(fired) {
    const { last } = this;
    this.last = { time: this.t, fired: fired.join(";") };
    return fired.some(([e]) => !this.elements[e]) || (fired.length > 0 && this.isNow(last.time) && last.fired === this.last.fired && this.quiet);
  }

  // modes whose guards have ended them at this instant: at a tie they would be as good as the next. Those of before count, too, while no time passes: friction
  // at its limit and a stop that carries nothing would take turns. What breaks away and comes back at once, as friction presses more than it gives way, or
  // jams, does not break away so (INCIPIENT)
  bannedBy(fired) {
    const found = this.isNow(this.bans.time) ? this.bans.banned : new Set(), ban = (e, ...modes) => modes.forEach((mode) => found.add(`${e} ${mode}`)), is = (e, mode) => found.has(`${e} ${mode}`);
    this.bans = { time: this.t, banned: found };
    for (const [e, which] of fired) {
      if (!this.elements[e]) this.banEdges(found);
      else if (which === 0 && this.mode(e) !== Mode.OPEN) ban(e, Mode.SLIDING, Mode.STICKING);
      else if (which === 1 && this.mode(e) === Mode.STICKING) ban(e, Mode.STICKING);
      else if (which === 1 && this.elements[e].tangents.length === 2) ban(e, is(e, Mode.STICKING) || is(e, RETURNED) ? Mode.INCIPIENT : RETURNED);
    }
    return found;
  }

  // what cannot stick may break away another way than against the force that has kept it
  banEdges(banned) { this.elements.forEach((_, e) => { if (banned.has(`${e} ${Mode.STICKING}`)) banned.add(`${e} ${Mode.INCIPIENT}`); }); }

  // the motion from here on; null: there is none
  choose(local, fired, banned, jams) {
    const worst = jams && !this.jammed ? jammedIn(local) : null;
    if (worst) banned.add(`${worst.index} ${Mode.SLIDING}`);
    let motion = this.stillSticks(local, fired, banned) ?? chooseModes(local, banned);
    if (!motion && [...banned].some((one) => one.endsWith(` ${Mode.STICKING}`))) {
      this.banEdges(banned);
      motion = chooseModes(local, banned);
    }
    if (motion || worst || !banned.size) return motion;
    banned.clear();
    return chooseModes(local);
  }

  // of contacts that share a load one may reach its limit alone: the motion in which all stick on, if others can carry what is too much for it
  stillSticks(local, fired, banned) {
    const sharing = local.elements.filter(({ normal, mode }) => normal >= 0 && mode === Mode.STICKING);
    if (!this.shares || sharing.length < 2 || !fired.length || !fired.every(([e, which]) => which === 1 && sharing.some(({ index }) => index === e))) return null;
    const motion = tryModes(local, local.elements.map((_, e) => optionsOf(local, e, new Set())[0]));
    const holds = motion && Math.max(...motion.worst) < LAWS_MET, pressed = holds ? sharing.filter(({ normal }) => motion.forces[normal] > 0) : [];
    const left = pressed.map((one) => 1 - Math.hypot(...one.tangents.map((row) => motion.forces[row])) / (one.static * motion.forces[one.normal]));
    if (left.length && Math.min(...left) > TOGETHER) return motion;
    for (const [k, { index }] of (holds ? pressed : sharing).entries()) if (!holds || left[k] <= 10 * TOGETHER) banned.add(`${index} ${Mode.STICKING}`);
    return null;
  }

  // elements whose sliding has ended, together with one whose guard says so: the speed that is left is round-off
  markStopped(local, fired) {
    if (!fired.some(([, which]) => which > 0)) return;
    for (const one of local.elements) if (one.speed <= 10 * AT_REST && one.mode === Mode.SLIDING) one.speed = 0;
  }

  adopt(local, motion, before) {
    const direction = ({ axes }, along) => (axes.length ? axes[0].map((_, i) => axes.reduce((sum, axis, k) => sum + axis[i] * along[k], 0)) : []);
    this.elements.forEach((_, e) => {
      const k = local.elements.findIndex(({ index }) => index === e), one = local.elements[k];
      if (k < 0) { this.write(e, Mode.OPEN); return; }
      const known = Array.from(this.known(e));
      this.write(e, motion.picked[k].mode, motion.picked[k].mode === Mode.SLIDING ? direction(one, motion.picked[k].direction) : []);
      this.quiet &&= dotOf(known, this.known(e)) >= 0; // it does not slide the other way
      if (one.load?.sums) loadOf(one.load, motion.forces).forEach((x, c) => { this.sides(e)[c] ||= x >= 0 ? 1 : -1; });
    });
    this.shares = motion.repeats;
    this.shared = null;
    const energy = super.energy.total;
    this.ontoContacts();
    this.p[this.about.places.impacts] += super.energy.total - energy; // closing the last gaps lifts by them
    this.follow();
    this.arm();
    this.again = Math.max(1e-12 * Math.max(1, this.t), Math.min(this.timeToReturn(), AGAIN * (this.h || Infinity)));
    if (!Number.isFinite(this.again)) this.again = 0;
    const names = ["opens", "slides", "sticks"], changes = this.elements.flatMap(({ name }, e) => (this.mode(e) === before[e] ? [] : [`${name} ${names[this.mode(e)]}`]));
    if (changes.length) this.tell(changes[0].slice(0, changes[0].lastIndexOf(" ")), changes.join(", "));
  }

  tell(name, text) {
    this.quiet = false;
    this.log.push({ time: this.t, name, lines: [`${text} at ${this.t.toPrecision(6)} s`], count: 1 });
    if (this.log.length > MOST_TOLD) this.log.shift();
  }

  // part of the time after which a gap that has just opened is closed again: a ball that flies for a microsecond is not to be passed over
  timeToReturn() {
    const motion = new Float64Array(this.n + 1), found = [Infinity];
    this.rates(this.t, this.y, motion);
    const forces = this.phaseForces();
    this.elements.forEach(({ normal, rate }, e) => {
      if (normal < 0 || rate || this.mode(e) !== Mode.OPEN || this.view.gaps[normal] > TOUCHING) return;
      let a = this.view.acceleration[normal];
      forces.forEach((f, row) => { a += this.view.between(normal, row) * f; });
      if (this.view.velocity[normal] > 0 && a < 0) found.push((AGAIN * 2 * this.view.velocity[normal]) / -a);
    });
    return Math.min(...found);
  }

  // ---------------------------------------------------------------- impacts

  get kinetic() { return this.model.energies(this.t, this.y, this.p, this.totals)[0]; }

  // closing: as `bouncesToClose` has it, if that is known
  hit(local, closing) {
    const { impacts } = this.about.contacts;
    let P, notes;
    if (!closing.size) {
      ({ P, notes } = impactOf(local, impacts));
      closing = this.bouncesToClose(local, P);
    }
    if (closing.size) {
      const hit = new Set(approachingIn(local).map(({ index }) => index));
      ({ P, notes } = impactOf(local, impacts, true, new Set([...closing].filter((e) => !hit.has(e)))));
    }
    notes.forEach((note) => this.notes.add(note));
    const kinetic = this.kinetic, lost = lossOf(local, P);
    if (lost < -GAIN * kinetic - 1e-300) throw new Error(`${approachingIn(local).map(({ name }) => `'${name}'`).join(", ")}: this law of restitution would multiply the kinetic energy by ${(1 - lost / kinetic).toPrecision(6)}; use poisson or stronge`);
    this.take(local, P, closing.size ? "comes to rest" : "is hit");
  }

  // speeds after impulses
  take(local, P, what) {
    const before = this.kinetic, most = largestOf(P);
    this.instant(); // what was seen may be of another state
    this.view.push(this.view.spread(local, P), this.y, this.about.q);
    this.p[this.about.places.impacts] += this.kinetic - before;
    const hit = local.elements.filter(({ normal }) => normal >= 0 && P[normal] > 1e-13 * most).map(({ name }) => name);
    this.tell(hit[0] ?? "impact", `${hit.join(", ")} ${what}, ${(before - this.kinetic).toPrecision(3)} J lost,`);
  }

  // indices of the elements that leave and come back, if none would fly as high as CLOSE, or leaves for good faster than that; else none
  bouncesToClose(local, P) {
    const none = new Set(), rates = local.velocity.map((v, i) => v + dotOf(local.D[i], P));
    if (!leavingIn(local, rates).length) return none;
    const y = this.y.slice();
    this.view.push(this.view.spread(local, P), this.y, this.about.q);
    const after = this.instant(), motion = approachingIn(after).length ? null : chooseModes(after);
    this.y.set(y);
    this.view.see(this.t, this.y, this.p);
    const leaving = leavingIn(after, after.velocity);
    return motion && leaving.every((one) => isLow(after, one, motion, CLOSE)) ? new Set(leaving.filter(({ normal }) => motion.rates[normal] < 0).map(({ index }) => index)) : none;
  }

  // indices of the elements that leave, and come back before floats can show that they were away
  leavesTooSlowly(local) {
    const leaving = leavingIn(local, local.velocity), motion = leaving.length ? chooseModes(local) : null;
    return new Set(motion ? leaving.filter((one) => motion.rates[one.normal] < 0 && isLow(local, one, motion, TOUCHING)).map(({ index }) => index) : []);
  }

  // no acceleration satisfies contact and friction (Painlevé): an impact without collision  (N.14)
  jam(local) {
    const one = jammedIn(local), names = local.elements.map(({ name }) => `'${name}'`).join(", ");
    if (!one) throw new Error(`${names}: this page finds no motion that satisfies contact and friction here`);
    const rows = rowsOf(one), v = rows.map((row) => local.velocity[row]), P = new Float64Array(local.velocity.length), presses = pressedBesideFriction(local, one);
    v[0] = 0;
    const friction = presses > -JAMS ? (one.friction * (1 + JAMS)) / (1 - presses) : one.friction; // the instant is known up to round-off; forces have grown beyond bounds
    impactOfOne(rows.map((i) => rows.map((j) => local.D[i][j])), v, friction, 0, "poisson").forEach((x, i) => { P[rows[i]] = x; });
    if (!(largestOf(P) > 0)) throw new Error(`${names}: this page finds no motion that satisfies contact and friction here`);
    this.notes.add(`'${one.name}' jams at ${this.t.toPrecision(6)} s (Painlevé): an impact without collision stops it`);
    this.jammed = true;
    this.take(local, P, "jams");
  }

  // ---------------------------------------------------------------- what the page shows

  // of every point of contact where it is and the force there, six numbers each, into an array
  arrowsInto(arrows, begin) {
    const { points } = this.about.contacts, places = this.model.touching(this.t, this.y, this.p);
    if (this.hand) this.pull(this.t, this.y);
    this.view.see(this.t, this.y, this.p);
    const forces = this.phaseForces();
    points.reduce((k, { element }, i) => {
      const rows = rowsOf(this.elements[element]);
      arrows.set(places.subarray(k, k + 3), begin + 6 * i);
      for (let c = 0; c < 3; c++) arrows[begin + 6 * i + 3 + c] = rows.reduce((sum, row, j) => sum + forces[row] * places[k + 3 + 3 * j + c], 0);
      return k + 3 + 3 * rows.length;
    }, 0);
  }

  // work of contact laws and of impacts in a row of the record, as `state` gives it
  recorded(row) { return { contacts: this.about.contacts.own.reduce((sum, k) => sum + row[2 + k], 0), impacts: row[3 + this.n + this.about.places.impacts] }; }

  get energy() {
    const found = super.energy, contacts = this.about.contacts.own.reduce((sum, k) => sum + this.y[k], 0), impacts = this.p[this.about.places.impacts];
    return { ...found, contacts, impacts, others: found.others - contacts, balance: found.balance - impacts };
  }

  set state(row) {
    super.state = row;
    this.again = 0;
    this.forget();
    this.shares = true;
    this.slack.fill(UNARMED);
    while (this.log.length && this.log[this.log.length - 1].time > this.t) this.log.pop();
  }

  get state() { return super.state; }
}

// elements whose gaps open at these rates of the rows
const leavingIn = (local, rates) => local.elements.filter(({ normal, rate }) => normal >= 0 && !rate && rates[normal] > AT_REST);

// whether what leaves does so more slowly than it would to come up to this height and back
const isLow = (local, { normal }, motion, height) => local.velocity[normal] ** 2 <= 2 * Math.abs(motion.rates[normal]) * height;

const slipOf = (local, { tangents }) => tangents.map((row) => local.velocity[row]);

// the element whose sliding jams, or nearly does; null: none. What slides slowly counts, too: where forces grow beyond bounds they turn directions fast
function jammedIn(local) {
  const rubbing = local.elements.filter((one) => one.normal >= 0 && isRough(one) && Math.hypot(...slipOf(local, one)) > AT_REST), pressed = rubbing.map((one) => pressedBesideFriction(local, one)), least = Math.min(...pressed);
  return least > NEARLY ? null : rubbing[pressed.indexOf(least)];
}

// how much of its normal force presses an element that slides, beside what the friction that goes with it lifts; where that is negative sliding jams
function pressedBesideFriction(local, one) {
  const slip = slipOf(local, one), D = local.D[one.normal];
  return 1 - (one.friction * slip.reduce((sum, v, i) => sum + D[one.tangents[i]] * v, 0)) / (Math.hypot(...slip) * D[one.normal]);
}

// the end of an interval in which f changes sign, f(a) ≥ 0 > f(b), that is on the side of b: regula falsi (Illinois)
function farSideOfZero(f, a, b, fa, fb, finest) {
  for (let k = 0, side = 0; k < 200 && b - a > finest; k++) {
    let x = k % 4 === 3 ? (a + b) / 2 : b - (fb * (b - a)) / (fb - fa);
    if (!(x > a && x < b)) x = (a + b) / 2;
    if (x === a || x === b) break;
    const fx = f(x);
    if (fx < 0) { [b, fb] = [x, fx]; if (side < 0) fa *= 0.5; side = -1; }
    else { [a, fa] = [x, fx]; if (side > 0) fb *= 0.5; side = 1; }
  }
  return b;
}
