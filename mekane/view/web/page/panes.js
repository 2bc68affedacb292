"use strict";
// Panes of the studio, made wider or narrower by the lines between them: with the pointer, or with arrow keys.

const PANES = {
  // name → the element whose edge it is, the property that it sets, along which axis, which way it grows, least and most [px]
  left: { of: "sidebar", property: "--left", axis: "x", grows: 1, least: 220, most: () => innerWidth - 460, label: "width of the model's pane" },
  right: { of: "side", property: "--right", axis: "x", grows: -1, least: 180, most: () => innerWidth - 520, label: "width of the pane with plots" },
  text: { of: "editor", property: "--text", axis: "y", grows: -1, least: 90, most: () => $("sidebar").clientHeight - 160, label: "height of the text" },
};
const PANE_STEP = 24; // of an arrow key [px]

class Panes {
  constructor() {
    for (const [name, pane] of Object.entries(PANES)) {
      const kept = this.kept(name);
      if (kept) this.set(pane, kept);
      $(pane.of).append(this.line(name, pane));
    }
  }

  line(name, pane) {
    const line = element("div");
    line.className = "splitter";
    line.id = `split-${name}`;
    line.tabIndex = 0;
    Object.entries({ role: "separator", "aria-orientation": pane.axis === "x" ? "vertical" : "horizontal", "aria-label": pane.label }).forEach(([key, text]) => line.setAttribute(key, text));
    line.addEventListener("pointerdown", (event) => this.drag(event, line, name, pane));
    line.addEventListener("keydown", (event) => this.key(event, line, name, pane));
    line.addEventListener("dblclick", () => this.set(pane, null, name));
    return line;
  }

  size({ of, axis }) { return $(of).getBoundingClientRect()[axis === "x" ? "width" : "height"]; }

  drag(event, line, name, pane) {
    const key = pane.axis === "x" ? "clientX" : "clientY", begun = event[key], before = this.size(pane);
    event.preventDefault();
    line.focus();
    line.setPointerCapture(event.pointerId);
    const move = (now) => this.set(pane, before + pane.grows * (now[key] - begun), name);
    line.addEventListener("pointermove", move);
    line.addEventListener("lostpointercapture", () => line.removeEventListener("pointermove", move), { once: true });
  }

  key(event, line, name, pane) {
    const by = { ArrowLeft: [-1, "x"], ArrowRight: [1, "x"], ArrowUp: [-1, "y"], ArrowDown: [1, "y"] }[event.key];
    if (!by || by[1] !== pane.axis) return;
    event.preventDefault();
    event.stopPropagation();
    this.set(pane, this.size(pane) + pane.grows * by[0] * PANE_STEP, name);
  }

  // size in pixels; null: as it was made
  set(pane, size, name) {
    const { style } = document.documentElement;
    if (size === null) style.removeProperty(pane.property);
    else style.setProperty(pane.property, `${Math.round(Math.max(pane.least, Math.min(size, Math.max(pane.least, pane.most()))))}px`);
    if (name) this.keep(name, style.getPropertyValue(pane.property));
  }

  kept(name) {
    try { return parseFloat(localStorage.getItem(`mekane pane ${name}`)) || 0; } catch { return 0; } // private windows may refuse
  }

  keep(name, size) {
    try { localStorage.setItem(`mekane pane ${name}`, size); } catch { /* as above */ }
  }
}
