"use strict";
// Plots of channels, with a cursor at the time shown.

const COLOURS = ["#1f6feb", "#d1242f", "#1a7f37", "#8250df", "#bf8700", "#0a7ea4", "#bc4c00"];

class Plots {
  constructor(data, seek) {
    this.data = data;
    this.seek = seek;
    this.charts = [];
    const names = Object.keys(data.channels);
    $("channel").append(new Option("add a plot …", ""), ...names.map((name) => new Option(name, name)));
    $("channel").addEventListener("change", (event) => {
      if (event.target.value) this.add(event.target.value);
      event.target.value = "";
    });
    for (const name of data.shown) this.add(name);
  }

  add(name) {
    const channel = this.data.channels[name], width = channel.values.shape[1] || 1, t = Array.from(this.data.time);
    const columns = Array.from({ length: width }, (_, c) => t.map((_, i) => channel.numbers[i * width + c]));
    const series = columns.map((_, c) => ({ label: channel.labels ? channel.labels[c] : name, stroke: COLOURS[c % COLOURS.length], width: 1.5 }));
    const holder = document.createElement("div");
    $("plots").append(holder);
    const axis = { size: 56, font: "11px system-ui" };
    const chart = new uPlot({
      width: ($("plots").clientWidth || 300) - 2, height: 130, title: `${name} [${channel.units || "1"}]`,
      scales: { x: { time: false } }, axes: [{ ...axis, size: 28 }, axis], legend: { show: width > 1, live: false },
      series: [{ label: "t" }, ...series], cursor: { drag: { setScale: false } },
    }, [t, ...columns], holder);
    const line = document.createElement("div");
    line.style.cssText = "position:absolute;top:0;bottom:0;width:1px;background:#1c2733;pointer-events:none";
    chart.over.append(line);
    chart.over.addEventListener("click", () => chart.cursor.left >= 0 && this.seek(chart.posToVal(chart.cursor.left, "x")));
    this.charts.push({ chart, line });
  }

  show(t) {
    for (const { chart, line } of this.charts) line.style.left = `${chart.valToPos(t, "x")}px`;
  }
}
