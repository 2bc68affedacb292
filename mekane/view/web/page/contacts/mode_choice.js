"use strict";
// Which elements open, slide or stick from an instant on.  (N.7)
//
// From the likeliest combination on the mode that violates its law most is exchanged, until all laws hold; where that leads nowhere, or friction couples
// strongly, all combinations of few modes are tried.

const FEW_MODES = 729; // combinations that are tried
const STRONGLY_FEW = 64; // likewise where friction couples strongly, before anything else
const LAWS_MET = 1e-8; // relative
const LOCATED = 1e-6; // relative: so well an instant at which forces change fast is located
const COUPLES = 0.9; // friction beside normal forces, in what they do to normal accelerations; Painlevé's paradox needs 1
const SAME_MOTION = 1e-7;
const SHARED_LOAD = 3, SMALLEST_PART = 1e-3;
const ALIKE = 10; // scales that are made equal differ by less
const TANGENTIAL = 0.1; // scale of a tangential row over that of its normal: where friction of one contact could take the place of what presses another, the contacts press
const GIVEN_WAY = 0, OWN_WAY = 1, AT_EDGE = 2; // direction of sliding: given; along the own acceleration; against the force that has kept it

// modes that the velocity leaves open, the likeliest first. banned: "element mode"; of INCIPIENT: it must not stick, nor break away against the force that
// has kept it. anew: so it is; opened: a guard has opened it
function optionsOf(local, e, banned) {
  const { normal, tangents, speed, index } = local.elements[e], is = (mode) => banned.has(`${index} ${mode}`), found = [];
  if (normal >= 0 && local.velocity[normal] > AT_REST) return [{ mode: Mode.OPEN }];
  if (!isRough(local.elements[e])) found.push({ mode: Mode.SLIDING, way: GIVEN_WAY, direction: tangents.map(() => 0) });
  else if (speed > AT_REST) found.push({ mode: Mode.SLIDING, way: GIVEN_WAY, direction: tangents.map((row) => local.velocity[row] / speed) });
  else if (is(Mode.INCIPIENT) && tangents.length === 2) found.push({ mode: Mode.SLIDING, way: OWN_WAY, anew: true });
  else if (is(Mode.STICKING)) found.push({ mode: Mode.SLIDING, way: AT_EDGE });
  else {
    found.push({ mode: Mode.STICKING });
    if (tangents.length === 1) found.push(...[1, -1].map((side) => ({ mode: Mode.SLIDING, way: GIVEN_WAY, direction: [side] })));
    else found.push({ mode: Mode.SLIDING, way: OWN_WAY });
  }
  if (normal >= 0) found.push({ mode: Mode.OPEN, opened: is(Mode.SLIDING) && is(Mode.STICKING) });
  const left = found.filter(({ mode }) => !is(mode));
  return left.length ? left : found;
}

// the motion in these modes, whether it satisfies all laws or not; null: there is none
function tryModes(local, picked) {
  const stuck = picked.map(({ mode, way }) => (mode === Mode.SLIDING && way !== GIVEN_WAY ? Mode.STICKING : mode));
  shareByLoad(local, stuck, picked.map(({ direction }) => direction));
  const edge = picked.some(({ way }) => way === AT_EDGE) && new ModeForces(local, stuck, picked.map(({ direction }) => direction));
  const directions = picked.map(({ way, direction }, e) => {
    if (way !== AT_EDGE) return direction;
    const kept = local.elements[e].tangents.map((row) => edge.forces[row]), size = Math.max(Math.hypot(...kept), 1e-300);
    return kept.map((x) => -x / size);
  });
  const modes = picked.map(({ mode, way }) => (way === OWN_WAY ? Mode.INCIPIENT : mode));
  let motion = new ModeForces(local, modes, directions);
  const begins = modes.flatMap((mode, e) => (mode === Mode.INCIPIENT ? [e] : [])), isFound = (one) => one.found && !one.keepsEdge((e) => picked[e].anew);
  for (let k = 0; k < 8 && !isFound(motion) && begins.length === 1; k++) {
    const angle = 0.31 + (Math.PI * k) / 4, looked = new ModeForces(local, modes, directions.map((d, e) => (e === begins[0] ? [Math.cos(angle), Math.sin(angle)] : d)));
    if (isFound(looked) && Math.max(0, ...looked.violations) < LAWS_MET) motion = looked;
  }
  if (!isFound(motion)) return null;
  motion.worst = motion.violations.map((off, e) => (picked[e].opened && off < LOCATED ? 0 : off)); // open where its guard is zero as closely as floats tell
  motion.picked = picked.map(({ mode }, e) => ({ mode, direction: mode === Mode.SLIDING ? Array.from(motion.directions[e] ?? []) : [] }));
  return motion;
}

// where contacts that stick share a load, friction is shared in proportion to what presses them together: all of them reach their limits together
function shareByLoad(local, modes, directions) {
  makeScalesEqual(local, modes);
  const sharing = local.elements.filter(({ normal }, e) => normal >= 0 && modes[e] === Mode.STICKING);
  const scaleTangents = (part) => { for (const one of sharing) for (const row of one.tangents) local.scale[row] = TANGENTIAL * part(one) * local.scale[one.normal]; };
  scaleTangents(() => 1);
  if (sharing.length < 2) return;
  for (let k = 0; k < SHARED_LOAD; k++) {
    const { forces, repeats } = new ModeForces(local, modes, directions), largest = Math.max(...sharing.map(({ normal }) => forces[normal]));
    if (!repeats || !(largest > 0)) return;
    scaleTangents(({ normal }) => Math.sqrt(Math.min(Math.max(forces[normal] / largest, SMALLEST_PART), 1)));
  }
}

// scales of closed contacts that are alike: forces that are not unique are then those of the least sum of squares
function makeScalesEqual(local, modes) {
  const { elements, usualScale } = local, normals = elements.flatMap(({ normal }, e) => (normal >= 0 && modes[e] !== Mode.OPEN ? [normal] : []));
  const scales = normals.map((row) => usualScale[row]), least = Math.min(...scales);
  local.scale = usualScale.slice();
  if (Math.max(...scales) < ALIKE * least) for (const row of normals) local.scale[row] = least;
}

// whether friction could make several motions possible, or none
function couplesStrongly({ elements, D }) {
  if (elements.some(({ load }) => load)) return true;
  return elements.some(({ normal }) => normal >= 0 && elements.reduce((sum, one) => {
    if (one.normal < 0) return sum;
    return sum + one.friction * Math.hypot(...one.tangents.map((row) => D[normal][row]), 0) / Math.sqrt(Math.max(D[one.normal][one.normal], 1e-300));
  }, 0) / Math.sqrt(Math.max(D[normal][normal], 1e-300)) > COUPLES);
}

// the motion that goes on from here; null: none satisfies all laws (Painlevé's paradox)
function chooseModes(local, banned = new Set()) {
  if (!local.elements.length) return tryModes(local, []);
  const options = local.elements.map((_, e) => optionsOf(local, e, banned)), combinations = options.reduce((product, one) => product * one.length, 1);
  const all = combinations <= STRONGLY_FEW && options.flat().filter(({ way }) => way === OWN_WAY).length <= 1 && couplesStrongly(local);
  const found = all ? null : exchanged(local, options, options.map(() => 0)) ?? fromCones(local, options);
  if (found || combinations > FEW_MODES) return found;
  return amongAll(local, options) ?? (all && !local.elements.some(({ load }) => load) ? fromCones(local, options) : null); // a direction may have been missed
}

function exchanged(local, options, place) {
  const seen = new Set();
  while (!seen.has(place.join())) {
    seen.add(place.join());
    const motion = tryModes(local, options.map((some, e) => some[place[e]]));
    if (!motion || motion.pulledIn) return null;
    const worst = motion.worst.indexOf(Math.max(...motion.worst));
    if (motion.worst[worst] < LAWS_MET) return motion;
    place = place.slice();
    place[worst] = nextOption(local, options[worst], place[worst], worst, motion.forces);
  }
  return null;
}

// the option that follows from what is wrong with the present one
function nextOption(local, options, now, e, forces, mode = options[now].mode) {
  const { normal, tangents } = local.elements[e], of = (wanted) => options.findIndex((one) => one.mode === wanted);
  if (mode === Mode.OPEN) return 0;
  if (normal >= 0 && forces[normal] < 0 && of(Mode.OPEN) >= 0) return of(Mode.OPEN);
  if (mode === Mode.SLIDING) return of(Mode.STICKING) >= 0 ? of(Mode.STICKING) : now;
  let best = -Infinity, found = now;
  options.forEach((one, i) => {
    if (one.mode !== Mode.SLIDING) return;
    const against = one.way === GIVEN_WAY ? -tangents.reduce((sum, row, j) => sum + one.direction[j] * forces[row], 0) : 0;
    if (against > best) [best, found] = [against, i];
  });
  return found;
}

// the motion in the modes that forces in their cones show, with the directions of friction there; or what exchanging leads to from these
function fromCones(local, options) {
  const blocks = local.elements.map((one, e) => {
    const first = options[e][0];
    return { rows: rowsOf(one), byNormal: one.normal >= 0, friction: first.direction && isRough(one) ? one.friction : one.static, floor: 0, direction: isRough(one) ? first.direction : undefined, closed: options[e].length > 1 || first.mode !== Mode.OPEN };
  });
  const { x } = solveCones(local.D, local.acceleration, blocks), size = largestOf(x), read = options.map((some, e) => readOff(local.elements[e], some, x, size));
  const motion = tryModes(local, read);
  if (motion && !motion.pulledIn && Math.max(...motion.worst) < 10 * LAWS_MET) return motion;
  return exchanged(local, options, options.map((some, e) => {
    const same = Math.max(0, some.findIndex(({ mode }) => mode === read[e].mode));
    return read[e].mode === Mode.SLIDING && some.length > 1 && some[0].mode !== Mode.SLIDING ? nextOption(local, some, same, e, x, Mode.STICKING) : same;
  }));
}

function readOff(one, options, x, size) {
  const [first] = options;
  if (options.length === 1) return first;
  if (one.normal >= 0 && x[one.normal] <= 1e-12 * size) return { mode: Mode.OPEN };
  if (!isRough(one) || first.direction) return first;
  const kept = one.tangents.map((row) => x[row]), carried = Math.hypot(...kept);
  if (first.mode === Mode.SLIDING || carried > one.static * (one.normal >= 0 ? x[one.normal] : 1) * (1 - 1e-9)) return { mode: Mode.SLIDING, way: GIVEN_WAY, direction: kept.map((f) => -f / Math.max(carried, 1e-300)) };
  return { mode: Mode.STICKING };
}

function amongAll(local, options) {
  const found = [], pulledIn = []; // these last not, but are possible, too
  const pick = (picked) => {
    if (picked.length < options.length) { for (const one of options[picked.length]) pick([...picked, one]); return; }
    const motion = tryModes(local, picked);
    if (motion && Math.max(...motion.worst) < LAWS_MET) (motion.pulledIn ? pulledIn : found).push(motion);
  };
  pick([]);
  const rather = found.filter((one) => !found.some((other) => ratherSticks(local, one, other)));
  if (!rather.length) return null;
  const best = rather.reduce((a, b) => (continuityOf(local, b) > continuityOf(local, a) ? b : a));
  best.several = [...rather, ...pulledIn].some(({ rates }) => largestOf(rates.map((x, i) => x - best.rates[i])) > SAME_MOTION * (1 + largestOf(rates)));
  return best;
}

// whether `other` differs only by sticking where `one` would begin to slide, static friction being larger: that is the convention, no second motion
function ratherSticks(local, one, other) {
  const differ = local.elements.map((_, e) => e).filter((e) => one.picked[e].mode !== other.picked[e].mode);
  return differ.length > 0 && differ.every((e) => one.picked[e].mode === Mode.SLIDING && other.picked[e].mode === Mode.STICKING && local.elements[e].static > local.elements[e].friction && !goesOn(local, e, one));
}

// whether the element was sliding that way before, and moves on: what has stopped and does not accelerate sticks
function goesOn(local, e, motion) {
  const one = local.elements[e], { mode, direction } = motion.picked[e];
  if (one.mode !== Mode.SLIDING || mode !== Mode.SLIDING || !(dotOf(one.direction, direction) > 0)) return false;
  const rates = one.tangents.map((row) => motion.rates[row]), scale = 1e-6 + largestOf(rowsOf(one).flatMap((row) => [motion.rates[row], local.acceleration[row]]));
  return one.speed > AT_REST || (rates.length > 0 && dotOf(rates, direction) > SAME_MOTION * scale);
}

// the more of its past a motion keeps, and the more touches and sticks, the rather it is taken
function continuityOf(local, motion) {
  return local.elements.reduce((score, one, e) => {
    const { mode } = motion.picked[e], same = mode === Mode.SLIDING && isRough(one) ? goesOn(local, e, motion) : mode === one.mode;
    return score + 2 * Number(same && one.mode !== Mode.OPEN) + Number(mode !== Mode.OPEN) + Number(mode === Mode.STICKING);
  }, 0);
}
