"use strict";
// Plots of channels, with a cursor at the time shown.

const COLOURS = ["#1f6feb", "#d1242f", "#1a7f37", "#8250df", "#bf8700", "#0a7ea4", "#bc4c00"];

class Plots {
  constructor(seek) {
    this.seek = seek;
    this.charts = []; // { name, chart, line, holder }
    $("channel").addEventListener("change", (event) => {
      if (event.target.value) this.add(event.target.value);
      event.target.value = "";
    });
    new ResizeObserver(() => this.resize()).observe($("plots"));
  }

  take(data, anew) {
    // curves of another motion: those that are chosen stay, where they still exist
    this.data = data;
    $("channel").replaceChildren(new Option("add a plot …", ""), ...Object.keys(data.channels).map((name) => new Option(name, name)));
    const chosen = this.charts.map((one) => one.name), left = chosen.filter((name) => name in data.channels);
    const wanted = anew || (chosen.length && !left.length) ? data.shown : left;
    for (const one of [...this.charts]) if (!wanted.includes(one.name) || !this.renewed(one)) this.remove(one);
    for (const name of wanted) if (!this.charts.some((one) => one.name === name)) this.add(name);
    this.charts.sort((a, b) => wanted.indexOf(a.name) - wanted.indexOf(b.name)); // those still to come follow
    $("plots").append(...this.charts.map((one) => one.holder));
  }

  names() { return this.charts.map((one) => one.name); }

  columns(name) {
    const channel = this.data.channels[name], width = channel.values.shape[1] || 1, t = Array.from(channel.t || this.data.time);
    return [t, ...Array.from({ length: width }, (_, c) => t.map((_, i) => channel.numbers[i * width + c]))];
  }

  renewed(one) {
    if (!this.data.channels[one.name].numbers) return false;
    const columns = this.columns(one.name);
    if (columns.length !== one.chart.series.length) return false;
    one.chart.setData(columns);
    return true;
  }

  add(name) {
    if (this.charts.some((one) => one.name === name)) return;
    if (!this.data.channels[name].numbers) { this.fetched(name); return; }
    const channel = this.data.channels[name], columns = this.columns(name), width = columns.length - 1;
    const series = columns.slice(1).map((_, c) => ({ label: channel.labels ? channel.labels[c] : name, stroke: COLOURS[c % COLOURS.length], width: 1.5 }));
    const holder = document.createElement("div"), axis = { size: 56, font: "11px system-ui" };
    $("plots").append(holder);
    const chart = new uPlot({
      width: this.width(), height: 130, title: `${name} [${channel.units || "1"}]`,
      scales: { x: { time: false } }, axes: [{ ...axis, size: 28 }, axis], legend: { show: width > 1, live: false },
      series: [{ label: "t" }, ...series], cursor: { drag: { setScale: false } },
    }, columns, holder);
    const line = document.createElement("div");
    line.className = "cursor";
    chart.over.append(line);
    chart.over.addEventListener("click", () => chart.cursor.left >= 0 && this.seek(chart.posToVal(chart.cursor.left, "x")));
    const one = { name, chart, line, holder };
    holder.append(this.closer(one));
    this.charts.push(one);
  }

  async fetched(name) {
    // asked of the server when it is chosen
    const data = this.data;
    try {
      await channelOf(data, name);
      if (this.data === data) this.add(name);
    } catch (error) { data.trouble = error.message; }
  }

  closer(one) {
    const button = document.createElement("button");
    button.className = "close";
    button.textContent = "×";
    button.title = `Remove the plot of ${one.name}`;
    button.setAttribute("aria-label", button.title);
    button.addEventListener("click", () => this.remove(one));
    return button;
  }

  remove(one) {
    one.chart.destroy();
    one.holder.remove();
    this.charts.splice(this.charts.indexOf(one), 1);
  }

  width() { return Math.max(120, ($("plots").clientWidth || 300) - 2); }

  resize() {
    for (const { chart } of this.charts) if (chart.width !== this.width()) chart.setSize({ width: this.width(), height: 130 });
  }

  show(t) {
    for (const { chart, line } of this.charts) line.style.left = `${chart.valToPos(t, "x")}px`;
  }
}
