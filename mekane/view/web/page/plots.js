"use strict";
// Plots of channels, with a cursor at the time shown.

const COLOURS = ["#1f6feb", "#d1242f", "#1a7f37", "#8250df", "#bf8700", "#0a7ea4", "#bc4c00"];
const HEIGHT = 130;

function columnsOf(data, name) {
  const channel = data.channels[name], width = channel.values.shape[1] || 1, t = Array.from(channel.t || data.sampleTime);
  return [t, ...Array.from({ length: width }, (_, c) => t.map((_, i) => channel.numbers[i * width + c]))];
}

// of what is plotted; what does not change is in the middle
function rangeOf(chart, low, high) {
  if (low === null || high - low > 1e-12 * Math.max(Math.abs(low), Math.abs(high))) return uPlot.rangeNum(low ?? 0, high ?? 1, 0.1, true);
  const margin = 0.5 * Math.abs(low) || 1;
  return [low - margin, high + margin];
}

class Chart {
  constructor(parent, data, name, seek, title = name) {
    const channel = data.channels[name], columns = columnsOf(data, name), axis = { size: 56, font: "11px system-ui, sans-serif" };
    this.name = name;
    this.parent = parent;
    this.holder = document.createElement("div");
    this.holder.className = "plot";
    parent.append(this.holder);
    const series = columns.slice(1).map((_, c) => ({ label: channel.labels ? channel.labels[c] : name, stroke: COLOURS[c % COLOURS.length], width: 1.5 }));
    this.chart = new uPlot({
      width: this.width(), height: HEIGHT, title: `${title} [${channel.units || "1"}]`,
      scales: { x: { time: false }, y: { range: rangeOf } }, axes: [{ ...axis, size: 28 }, axis], legend: { show: series.length > 1, live: false },
      series: [{ label: "t" }, ...series], cursor: { drag: { setScale: false } },
    }, columns, this.holder);
    this.line = document.createElement("div");
    this.line.className = "cursor";
    this.chart.over.append(this.line);
    this.chart.over.addEventListener("click", () => this.chart.cursor.left >= 0 && seek(this.chart.posToVal(this.chart.cursor.left, "x")));
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(parent);
  }

  // the same channel of another motion; false if it needs another chart
  renewed(data) {
    const channel = data.channels[this.name];
    if (!channel || !channel.numbers) return false;
    const columns = columnsOf(data, this.name);
    if (columns.length !== this.chart.series.length) return false;
    this.chart.setData(columns);
    return true;
  }

  width() { return Math.max(120, (this.parent.clientWidth || 300) - 2); }

  resize() { if (this.chart.width !== this.width()) this.chart.setSize({ width: this.width(), height: HEIGHT }); }

  show(t) { this.line.style.left = `${this.chart.valToPos(t, "x")}px`; }

  destroy() {
    this.observer.disconnect();
    this.chart.destroy();
    this.holder.remove();
  }
}

class Plots {
  constructor(seek) {
    this.seek = seek;
    this.charts = [];
    $("channel").addEventListener("change", (event) => {
      if (event.target.value) this.add(event.target.value);
      event.target.value = "";
    });
  }

  take(data, anew) {
    // curves of another motion: those that are chosen stay, where they still exist
    this.data = data;
    $("channel").replaceChildren(new Option("add a plot …", ""), ...Object.keys(data.channels).map((name) => new Option(name, name)));
    const chosen = this.charts.map((one) => one.name), left = chosen.filter((name) => name in data.channels);
    const wanted = anew || (chosen.length && !left.length) ? data.shown : left;
    for (const one of [...this.charts]) if (!wanted.includes(one.name) || !one.renewed(data)) this.remove(one);
    for (const name of wanted) this.add(name);
    this.charts.sort((a, b) => wanted.indexOf(a.name) - wanted.indexOf(b.name)); // those still to come follow
    $("plots").append(...this.charts.map((one) => one.holder));
  }

  // the same curves with more numbers
  renew(data) { for (const one of this.charts) one.renewed(data); }

  names() { return this.charts.map((one) => one.name); }

  add(name) {
    if (this.charts.some((one) => one.name === name)) return;
    if (!this.data.channels[name].numbers) { this.fetched(name); return; }
    const one = new Chart($("plots"), this.data, name, this.seek);
    one.holder.append(closing(`Remove the plot of ${name}`, () => this.remove(one)));
    this.charts.push(one);
  }

  async fetched(name) {
    // requested from the server when it is chosen
    const data = this.data;
    try {
      await channelOf(data, name);
      if (this.data === data) this.add(name);
    } catch (error) { data.trouble = error.message; }
  }

  remove(one) {
    one.destroy();
    this.charts.splice(this.charts.indexOf(one), 1);
  }

  show(t) { for (const one of this.charts) one.show(t); }
}
