"use strict";
// Plots of one channel over another: x over y, phase portraits. The curve runs through time; a dot is where it is at the time shown.

const RATE_NAMES = { position: "velocity", velocity: "acceleration", angular_velocity: "angular_acceleration" };

// what a channel can be plotted over: numbers, and components of vectors
function componentNames(data) {
  return Object.entries(data.channels).flatMap(([name, channel]) => labelsOf(channel).map((label) => (label ? `${name}.${label}` : name)));
}

// the channel behind such a name, and which of its components; none if there is no such
function componentOf(data, text) {
  for (const [name, channel] of Object.entries(data.channels)) {
    const c = labelsOf(channel).findIndex((label) => text === (label ? `${name}.${label}` : name));
    if (c >= 0) return { name, c };
  }
  return null;
}

// the channel of the rate of another, if there is one
function rateOf(data, name) {
  const [owner, quantity] = [name.slice(0, name.lastIndexOf(".")), name.slice(name.lastIndexOf(".") + 1)];
  return [`${name}.rate`, `${owner}.${RATE_NAMES[quantity]}`].find((one) => one in data.channels);
}

// y components over one of x, at all times at which one of them is known: { t, x, ys }
function pathsOver(data, name, over) {
  const { name: other, c } = componentOf(data, over), [ty, ...ys] = columnsOf(data, name), [tx, ...xs] = columnsOf(data, other);
  if (tx.length === ty.length && tx.every((t, i) => t === ty[i])) return { t: ty, x: xs[c], ys };
  const t = [...new Set([...tx, ...ty])].sort((a, b) => a - b);
  return { t, x: atTimes(tx, xs[c], t), ys: ys.map((y) => atTimes(ty, y, t)) };
}

const atTimes = (times, values, t) => t.map((one) => { const { i, j, w } = betweenTimes(times, one); return values[i] + w * (values[j] - values[i]); });

class PhaseChart extends Chart {
  // uPlot gets a box around the curves, which are drawn into it
  columns(data) {
    const { pinned, name, over } = this, source = componentOf(data, over), beside = pinned && pinned.channels[name]?.numbers && componentOf(pinned, over);
    this.overUnit = shownUnit(data.channels[source.name].units).text || "1";
    this.paths = [pathsOver(data, name, over), ...(beside && pinned.channels[beside.name].numbers ? [pathsOver(pinned, name, over)] : [])];
    this.hidden ??= this.labels.map(() => false);
    const ends = (lists) => rangeOf(null, ...lists.flat().filter(Number.isFinite).reduce(([low, high], x) => [Math.min(low, x), Math.max(high, x)], [Infinity, -Infinity]));
    return [ends(this.paths.map(({ x }) => x)), ends(this.paths.flatMap(({ ys }) => ys))];
  }

  options(columns) {
    const axis = this.axis(), under = { ...axis, size: 28, label: `${this.over} [${this.overUnit}]`, labelSize: 16, labelFont: axis.font };
    return {
      width: this.width(), height: chartHeight() + 50, scales: { x: { time: false }, y: { range: (chart, low, high) => [low, high] } }, axes: [under, axis],
      legend: { show: false }, series: [{}, { paths: () => null, points: { show: false } }], cursor: { drag: { x: true, y: false, setScale: true }, points: { show: false } }, hooks: { draw: [(chart) => this.paint(chart)] },
    };
  }

  curves() {
    return this.paths.flatMap(({ x, ys }, k) => ys.map((y, c) => ({ x, y, colour: COLOURS[c % COLOURS.length], dashed: k > 0, c }))).filter(({ c }) => !this.hidden[c]);
  }

  paint({ ctx: pen, bbox: { left, top, width, height }, valToPos }) {
    pen.save();
    pen.beginPath();
    pen.rect(left, top, width, height);
    pen.clip();
    for (const { x, y, colour, dashed } of this.curves()) {
      Object.assign(pen, { strokeStyle: colour, lineWidth: 1.5 * devicePixelRatio });
      pen.setLineDash(dashed ? [4 * devicePixelRatio, 4 * devicePixelRatio] : []);
      pen.beginPath();
      x.forEach((one, i) => pen.lineTo(valToPos(one, "x", true), valToPos(y[i], "y", true)));
      pen.stroke();
    }
    pen.restore();
  }

  toggle(c) {
    this.hidden[c] = !this.hidden[c];
    this.chips[c].setAttribute("aria-pressed", !this.hidden[c]);
    this.read = null;
    this.chart.redraw(false);
  }

  // a click goes to the time of the nearest point of a curve
  listen(over) {
    this.line.remove();
    this.dots = this.labels.map((_, c) => {
      const dot = document.createElement("span");
      dot.className = "dot";
      dot.style.background = COLOURS[c % COLOURS.length];
      over.append(dot);
      return dot;
    });
    let begun = null;
    over.addEventListener("mousedown", (event) => { begun = event.clientX; });
    over.addEventListener("click", (event) => {
      const box = over.getBoundingClientRect();
      if (begun === null || Math.abs(event.clientX - begun) <= CLICK) this.seek(this.nearest(event.clientX - box.left, event.clientY - box.top));
      begun = null;
    });
  }

  nearest(left, top) {
    const [{ t, x, ys }] = this.paths;
    let best = { away: Infinity, t: t[0] };
    ys.forEach((y, c) => t.forEach((time, i) => {
      const away = this.hidden[c] ? Infinity : Math.hypot(this.chart.valToPos(x[i], "x") - left, this.chart.valToPos(y[i], "y") - top);
      if (away < best.away) best = { away, t: time };
    }));
    return best.t;
  }

  resize() { if (this.chart.width !== this.width() || this.chart.height !== chartHeight() + 50) this.chart.setSize({ width: this.width(), height: chartHeight() + 50 }); }

  show(t) {
    const [{ t: times, x, ys }] = this.paths, { i, j, w } = betweenTimes(times, t), at = (list) => list[i] + w * (list[j] - list[i]);
    this.dots.forEach((dot, c) => {
      dot.hidden = this.hidden[c];
      Object.assign(dot.style, { left: `${this.chart.valToPos(at(x), "x")}px`, top: `${this.chart.valToPos(at(ys[c]), "y")}px` });
      setText(this.chips[c].lastChild, `${this.labels[c]} ${number(at(ys[c]))} at ${number(at(x))}`.trim());
    });
  }
}

// what a plot is over, to be changed; and the phase portrait of what has a rate
function overButtons(plots, one) {
  const over = element("button", one.over ? `over ${one.over}` : "over t"), rate = one.over || one.labels.length > 1 ? null : rateOf(plots.data, one.name);
  over.className = "chip over";
  over.title = "Plot it over another channel, or over time";
  over.addEventListener("click", () => overBox(plots, one, over));
  if (!rate) return [over];
  const phase = element("button", "phase");
  phase.className = "chip phase";
  phase.title = `${rate} over ${one.name}`;
  phase.addEventListener("click", () => plots.replace(one, rate, one.name));
  return [over, phase];
}

// a search box in place of the button; what is left empty means time
function overBox(plots, one, button) {
  const box = document.createElement("input");
  box.type = "search";
  box.className = "over";
  box.placeholder = "over … (empty: time)";
  box.setAttribute("aria-label", `plot ${one.name} over`);
  box.setAttribute("list", "components");
  box.addEventListener("keydown", (event) => {
    if (event.key === "Escape") box.blur();
    if (event.key !== "Enter") return;
    const text = box.value.trim(), names = componentNames(plots.data), found = names.includes(text) ? text : text ? matching(names, text)[0] : null;
    if (found !== undefined) plots.replace(one, one.name, found);
  });
  box.addEventListener("blur", () => { if (box.isConnected) box.replaceWith(button); });
  button.replaceWith(box);
  box.focus();
}
