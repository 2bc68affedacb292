"use strict";
// What is seen, as files: a picture, a film, the curves as numbers and as a drawing.

function download(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// the canvas on the colour of the stage
function flattened(canvas) {
  const flat = document.createElement("canvas"), pen = flat.getContext("2d");
  [flat.width, flat.height] = [canvas.width, canvas.height];
  const shade = pen.createLinearGradient(0, 0, 0, flat.height);
  shade.addColorStop(0, themeColour("--air-high"));
  shade.addColorStop(1, themeColour("--air-low"));
  pen.fillStyle = shade;
  pen.fillRect(0, 0, flat.width, flat.height);
  pen.drawImage(canvas, 0, 0);
  return flat;
}

class Recorder {
  constructor(page) {
    this.page = page;
    $("save-png").addEventListener("click", () => this.picture());
    $("save-webm").addEventListener("click", () => (this.film ? this.film.stop() : this.record()));
    $("save-csv").addEventListener("click", () => download(`${this.name}.csv`, new Blob([csvOf(page)], { type: "text/csv" })));
    $("save-svg").addEventListener("click", () => download(`${this.name}.svg`, new Blob([svgOf(page.plots.charts)], { type: "image/svg+xml" })));
  }

  get name() { return this.page.data.scene.name.replace(/[^\p{L}\p{N} _-]/gu, "") || "mekane"; }

  picture() { flattened(this.page.stage.canvas).toBlob((blob) => download(`${this.name}.png`, blob)); }

  // once from the beginning to the end, as fast as it plays
  record() {
    const { page } = this, flat = document.createElement("canvas"), pen = flat.getContext("2d"), { canvas } = page.stage;
    [flat.width, flat.height] = [canvas.width, canvas.height].map((size) => (page.stage.fine ? size / FINE : size));
    const film = this.film = new MediaRecorder(flat.captureStream(30), { mimeType: "video/webm" }), parts = [];
    const draw = () => {
      if (this.film !== film) return;
      pen.drawImage(flattened(canvas), 0, 0, flat.width, flat.height); // what stands still has finer pixels
      if (page.playing || !parts.some((part) => part.size)) requestAnimationFrame(draw); else film.stop(); // not before the first pictures are encoded
    };
    film.ondataavailable = (event) => parts.push(event.data);
    film.onstop = () => {
      this.film = null;
      page.looping = true;
      $("save-webm").setAttribute("aria-pressed", "false");
      download(`${this.name}.webm`, new Blob(parts, { type: "video/webm" }));
    };
    $("save-webm").setAttribute("aria-pressed", "true");
    page.seek(page.begin);
    page.playing = true;
    page.looping = false;
    film.start(100); // ms: encoded pictures arrive so often
    requestAnimationFrame(draw);
  }
}

// names as spreadsheets read them
const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

function csvOf({ plots, data }) {
  const heads = ["t [s]"], tables = [];
  const take = (name, labels, unit, table) => {
    labels.forEach((label) => heads.push(`${name}${label ? `.${label}` : ""} [${unit}]`));
    tables.push(table);
  };
  for (const { name, labels, unit, over, overUnit } of plots.charts) {
    if (over) { const of = componentOf(data, over), columns = columnsOf(data, of.name); take(over, [""], overUnit, [columns[0], columns[of.c + 1]]); }
    take(name, labels, unit, columnsOf(data, name));
  }
  const table = tables.length > 1 ? uPlot.join(tables) : tables[0];
  return [heads.map(quoted).join(","), ...table[0].map((_, i) => table.map((column) => column[i] ?? "").join(","))].join("\n");
}

const escaped = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

// one plot below the other
function svgOf(charts) {
  const wide = 640, high = 220, pad = { left: 64, right: 16, top: 28, bottom: 28 };
  const pieces = charts.map((one, k) => {
    const { chart, name, unit, labels, over, overUnit } = one, { min: x0, max: x1 } = chart.scales.x, { min: y0, max: y1 } = chart.scales.y, top = k * high;
    const x = (t) => pad.left + ((t - x0) / (x1 - x0)) * (wide - pad.left - pad.right), y = (v) => top + high - pad.bottom - ((v - y0) / (y1 - y0)) * (high - pad.top - pad.bottom);
    const lines = one.curves().map((curve) => {
      const points = Array.from(curve.x, (t, i) => [t, curve.y[i]]).filter(([t, v]) => Number.isFinite(v) && t >= x0 && t <= x1).map(([t, v]) => `${x(t).toFixed(2)},${y(v).toFixed(2)}`);
      return `<polyline fill="none" stroke="${curve.colour}" stroke-width="1.5"${curve.dashed ? ' stroke-dasharray="4 4"' : ""} points="${points.join(" ")}"/>`;
    });
    const marks = [0, 0.25, 0.5, 0.75, 1], text = (at, up, words, anchor) => `<text x="${at.toFixed(1)}" y="${up.toFixed(1)}" text-anchor="${anchor}">${escaped(words)}</text>`;
    const axes = marks.map((m) => text(x(x0 + m * (x1 - x0)), top + high - 10, number(x0 + m * (x1 - x0)), "middle") + text(pad.left - 6, y(y0 + m * (y1 - y0)) + 4, number(y0 + m * (y1 - y0)), "end"));
    const frame = `<rect x="${pad.left}" y="${top + pad.top}" width="${wide - pad.left - pad.right}" height="${high - pad.top - pad.bottom}" fill="none" stroke="#999"/>`;
    const legend = labels.filter(Boolean).map((label, c) => `<tspan fill="${COLOURS[c % COLOURS.length]}"> ${escaped(label)}</tspan>`).join("");
    return `${frame}${axes.join("")}<text x="${pad.left}" y="${top + 18}" font-weight="bold">${escaped(`${name} [${unit}] over ${over ? `${over} [${overUnit}]` : "t [s]"}`)}${legend}</text>${lines.join("")}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${high * charts.length}" font-family="sans-serif" font-size="11">${pieces.join("")}</svg>`;
}
