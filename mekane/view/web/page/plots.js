"use strict";
// Plots of channels, with a cursor at the time shown. A drag zooms all of them, a double click shows all again, a click goes to that time.

const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9", "#7a7a7a"]; // of Okabe and Ito: every eye can distinguish them
const HEIGHT = 130, LARGE = 320; // px; in lecture mode
const chartHeight = () => (document.body.classList.contains("lecture") ? LARGE : HEIGHT);
const CLICK = 4; // px that the pointer may move in a click

function columnsOf(data, name) {
  const channel = data.channels[name], width = channel.values.shape[1] || 1, t = Array.from(channel.t || data.sampleTime), { factor } = shownUnit(channel.units);
  return [t, ...Array.from({ length: width }, (_, c) => t.map((_, i) => factor * channel.numbers[i * width + c]))];
}

// names of the components of a channel; [""] of a number
function labelsOf({ labels, values }) {
  const width = (values && values.shape[1]) || (labels ? labels.length : 1);
  return labels || (width > 1 ? [..."xyzw"].slice(0, width) : [""]);
}

// with the curves of a pinned run after its own, on all times of both
function comparedColumns(data, pinned, name) {
  const own = columnsOf(data, name), other = pinned && pinned.channels[name];
  return other && other.numbers ? uPlot.join([own, columnsOf(pinned, name)]) : own;
}

// of what is plotted; what does not change is in the middle
function rangeOf(chart, low, high) {
  if (low === null || high - low > 1e-12 * Math.max(Math.abs(low), Math.abs(high))) return uPlot.rangeNum(low ?? 0, high ?? 1, 0.1, true);
  const margin = 0.5 * Math.abs(low) || 1;
  return [low - margin, high + margin];
}

class Chart {
  constructor(parent, data, name, { seek, pinned = null, over = null, buttons = () => [] }) {
    Object.assign(this, { name, parent, seek, pinned, over });
    this.holder = document.createElement("div");
    this.holder.className = "plot";
    parent.append(this.holder);
    const channel = data.channels[name];
    this.labels = labelsOf(channel);
    this.unit = shownUnit(channel.units).text || "1";
    const columns = this.columns(data);
    this.head(`${name} [${this.unit}]`, buttons(this));
    this.chart = new uPlot(this.options(columns), columns, this.holder);
    this.chart.root.hidden = columns[0].length === 1; // of a state at rest the numbers say all
    this.line = document.createElement("div");
    this.line.className = "cursor";
    this.chart.over.append(this.line);
    this.listen(this.chart.over);
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(parent);
  }

  // what uPlot draws
  columns(data) {
    this.own = columnsOf(data, this.name); // without those of a pinned run, which has other times
    return comparedColumns(data, this.pinned, this.name);
  }

  axis() {
    return { size: 56, font: "11px system-ui, sans-serif", stroke: themeColour("--soft"), grid: { stroke: themeColour("--line"), width: 1 }, ticks: { stroke: themeColour("--line"), width: 1 } };
  }

  // [{ x, y, colour, dashed }] of what is shown
  curves() {
    const own = this.labels.length, [x, ...columns] = this.chart.data;
    return columns.map((y, c) => ({ x, y, colour: COLOURS[c % own % COLOURS.length], dashed: c >= own })).filter((_, c) => this.chart.series[c + 1].show);
  }

  options(columns) {
    const axis = this.axis();
    const time = (chart, list) => list.map((t, k) => (t === null ? "" : k === list.length - 1 ? `${number(t)} s` : number(t)));
    const own = this.labels.length, series = columns.slice(1).map((_, c) => ({
      label: this.labels[c % own], stroke: COLOURS[c % own % COLOURS.length], width: 1.5, spanGaps: true, ...(c >= own ? { dash: [4, 4], width: 1.2 } : {}),
    }));
    return {
      width: this.width(), height: chartHeight(), scales: { x: { time: false }, y: { range: rangeOf } }, axes: [{ ...axis, size: 28, values: time }, axis],
      legend: { show: false }, series: [{ label: "t" }, ...series], cursor: { drag: { x: true, y: false, setScale: true }, sync: { key: "time" } },
    };
  }

  // its name, a chip for each component with the value at the time shown, and buttons
  head(title, buttons) {
    const head = document.createElement("div"), name = document.createElement("b");
    head.className = "plot-head";
    name.textContent = title;
    this.chips = this.labels.map((label, c) => this.chip(label, c));
    head.append(name, ...this.chips, ...buttons);
    this.holder.append(head);
  }

  chip(label, c) {
    const chip = document.createElement("button"), dot = document.createElement("span"), text = document.createElement("span");
    chip.className = "chip";
    chip.title = label ? `Show or hide ${label}` : "Show or hide the curve";
    chip.setAttribute("aria-pressed", "true");
    dot.className = "swatch";
    dot.style.background = COLOURS[c % COLOURS.length];
    chip.append(dot, text);
    chip.addEventListener("click", () => this.toggle(c));
    return chip;
  }

  toggle(c) {
    const shown = this.chips[c].getAttribute("aria-pressed") !== "true", own = this.labels.length;
    this.chips[c].setAttribute("aria-pressed", shown);
    for (let k = c + 1; k < this.chart.series.length; k += own) this.chart.setSeries(k, { show: shown });
  }

  // a click goes to that time; a drag zooms
  listen(over) {
    let begun = null;
    over.addEventListener("mousedown", (event) => { begun = event.clientX; });
    over.addEventListener("click", (event) => {
      if (this.chart.cursor.left >= 0 && (begun === null || Math.abs(event.clientX - begun) <= CLICK)) this.seek(this.chart.posToVal(this.chart.cursor.left, "x"));
      begun = null;
    });
  }

  // the same channel of another motion; false if it needs another chart
  renewed(data, pinned = null) {
    const channel = data.channels[this.name];
    if (!channel || !channel.numbers || pinned !== this.pinned || this.unit !== (shownUnit(channel.units).text || "1")) return false;
    const columns = this.columns(data);
    if (columns.length !== this.chart.series.length) return false;
    this.chart.setData(columns);
    this.chart.root.hidden = columns[0].length === 1;
    return true;
  }

  width() { return Math.max(120, (this.parent.clientWidth || 300) - 2); }

  resize() { if (this.chart.width !== this.width() || this.chart.height !== chartHeight()) this.chart.setSize({ width: this.width(), height: chartHeight() }); }

  show(t) {
    this.line.style.left = `${this.chart.valToPos(t, "x")}px`;
    if (t === this.shown && this.chart.data === this.read) return;
    [this.shown, this.read] = [t, this.chart.data];
    const own = this.own ?? this.chart.data, { i, j, w } = betweenTimes(own[0], t);
    this.chips.forEach((chip, c) => {
      const column = own[c + 1], x = column[i] + w * (column[j] - column[i]);
      setText(chip.lastChild, `${this.labels[c]} ${Number.isFinite(x) ? number(x) : "…"}`.trim());
    });
  }

  destroy() {
    this.observer.disconnect();
    this.chart.destroy();
    this.holder.remove();
  }
}

class Plots {
  constructor(seek) {
    this.seek = seek;
    this.pinned = null; // another run, whose curves are drawn as well
    this.charts = [];
    this.changed = () => {}; // when plots come or go
    $("channel").addEventListener("change", () => this.chosen());
    $("channel").addEventListener("keydown", (event) => { if (event.key === "Enter") this.chosen(true); });
  }

  // what stands in the search box: a channel, or the first that has it in its name
  chosen(first = false) {
    const text = $("channel").value.trim(), names = Object.keys(this.data.channels), found = names.includes(text) ? text : first && text && matching(names, text)[0];
    if (!found) return;
    $("channel").value = "";
    this.add(found);
  }

  take(data, anew) {
    // curves of another motion: those that are chosen stay, where they still exist
    this.data = data;
    $("channels").replaceChildren(...Object.keys(data.channels).map((name) => new Option(name, name)));
    $("components").replaceChildren(...componentNames(data).map((name) => new Option(name, name)));
    $("channel").placeholder = `search ${Object.keys(data.channels).length} channels to plot …`;
    const chosen = this.chosenPlots(), left = chosen.filter(({ name, over }) => name in data.channels && (!over || componentOf(data, over)));
    const wanted = anew || (chosen.length && !left.length) ? data.shown.map((name) => ({ name, over: null })) : left;
    const place = (one) => wanted.findIndex(({ name, over }) => name === one.name && over === one.over);
    for (const one of [...this.charts]) if (place(one) < 0 || !one.renewed(data, this.pinned)) this.remove(one);
    for (const { name, over } of wanted) this.add(name, over);
    this.charts.sort((a, b) => place(a) - place(b)); // those still to come follow
    $("plots").append(...this.charts.map((one) => one.holder));
    this.count();
  }

  // anew: in the colours of the theme, in other units, beside another run
  repaint() {
    const chosen = this.chosenPlots();
    for (const one of [...this.charts]) this.remove(one);
    for (const { name, over } of chosen) this.add(name, over);
  }

  // the same curves with more numbers
  renew(data) { for (const one of this.charts) one.renewed(data, this.pinned); }

  chosenPlots() { return this.charts.map(({ name, over }) => ({ name, over })); }

  // of all channels that are plotted
  names() { return [...new Set(this.charts.flatMap(({ name, over }) => [name, ...(over ? [componentOf(this.data, over).name] : [])]))]; }

  // a channel over time, or over a component of another
  add(name, over = null) {
    if (this.charts.some((one) => one.name === name && one.over === over)) return;
    const needed = [name, ...(over ? [componentOf(this.data, over).name] : [])];
    if (needed.some((one) => !this.data.channels[one].numbers)) { this.fetched(needed, name, over); return; }
    const kind = over ? PhaseChart : Chart, buttons = (one) => [...overButtons(this, one), closing(`Remove the plot of ${name}`, () => this.remove(one))];
    this.charts.push(new kind($("plots"), this.data, name, { seek: this.seek, pinned: this.pinned, over, buttons }));
    this.count();
  }

  // another plot in the place of one
  replace(one, name, over) {
    const rest = this.charts.slice(this.charts.indexOf(one) + 1);
    this.remove(one);
    this.add(name, over);
    $("plots").append(...rest.map((other) => other.holder));
    this.charts = [...this.charts.filter((other) => !rest.includes(other)), ...rest];
  }

  async fetched(needed, name, over) {
    // requested from the server when it is chosen
    const data = this.data;
    try {
      await Promise.all(needed.map((one) => channelOf(data, one)));
      if (this.data === data) this.add(name, over);
    } catch (error) { data.trouble = error.message; }
  }

  remove(one) {
    one.destroy();
    this.charts.splice(this.charts.indexOf(one), 1);
    this.count();
  }

  // without a plot there is nothing to save
  count() {
    $("save-plots").hidden = !this.charts.length;
    this.changed();
  }

  show(t) { for (const one of this.charts) one.show(t); }
}

// names that have every word of a text in them, those that begin with it first
function matching(names, text) {
  const words = text.toLowerCase().split(/\s+/), has = (name) => words.every((word) => name.toLowerCase().includes(word));
  return names.filter(has).sort((a, b) => b.toLowerCase().startsWith(words[0]) - a.toLowerCase().startsWith(words[0]));
}
