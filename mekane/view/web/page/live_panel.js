"use strict";
// What the reader of a live page can do and see: reset, single steps, sliders, and the ledger of energies.

const LEDGER = {
  kinetic: "kinetic energy", potential: "potential energy", total: "their sum", hand: "work of the hand", contacts: "work of contact laws: friction", impacts: "lost in impacts", others: "work of other forces", sliders: "change by sliders and events",
};

class LivePanel {
  constructor(live) {
    this.live = live;
    this.first = live.first; // of the balance, from where its drift counts
    this.section = liveElement("section");
    this.section.id = "live";
    this.section.append(liveElement("h2", "Live"), this.buttons(), this.note(), this.sliders(), this.ledger());
    $("side").prepend(this.section);
    $("loop").parentElement.hidden = true;
  }

  dispose() {
    this.section.remove();
    $("loop").parentElement.hidden = false;
  }

  buttons() {
    this.line = liveElement("div");
    this.line.className = "live-buttons";
    this.offer("live-reset", "Reset", "Begin again, with the sliders as they are", () => this.live.reset());
    this.offer("live-step", "Step", "One sixtieth of a second of the clock, at the speed below (right arrow)", () => this.live.single());
    return this.line;
  }

  offer(id, text, title, act) {
    const button = liveElement("button", text);
    Object.assign(button, { id, title });
    button.addEventListener("click", act);
    this.line.append(button);
  }

  note() {
    const line = liveElement("p", "Drag a body with the mouse or a finger; elsewhere the view turns.");
    line.className = "soft";
    this.status = liveElement("p");
    this.status.id = "live-status";
    this.status.setAttribute("role", "status");
    const strength = liveElement("input"), label = liveElement("label", "strength of the hand ");
    Object.assign(strength, { type: "range", min: -1, max: 2, step: "any", value: 0, id: "live-strength" });
    strength.addEventListener("input", () => { this.live.hand.strength = 10 ** strength.valueAsNumber; });
    label.append(strength);
    const holder = liveElement("div");
    holder.append(line, label, this.status);
    return holder;
  }

  sliders() {
    const holder = liveElement("div");
    holder.id = "live-sliders";
    this.rows = this.live.data.live.sliders.map((slider, k) => {
      const line = liveElement("label"), name = liveElement("span", slider.name), range = liveElement("input"), value = liveElement("output");
      Object.assign(range, { type: "range", min: slider.low, max: slider.high, step: "any", value: slider.value });
      range.setAttribute("aria-label", slider.name);
      line.title = slider.note || slider.name;
      range.addEventListener("input", () => this.live.set(k, range.valueAsNumber));
      line.append(name, range, value);
      if (slider.note) line.append(liveElement("small", slider.note));
      holder.append(line);
      return { range, value, slider };
    });
    for (const [name, why] of Object.entries(this.live.data.live.fixed || {})) holder.append(liveElement("small", `${name} cannot be changed here: ${why}.`));
    this.values();
    return holder;
  }

  // of the sliders, as the engine has them
  values() {
    this.rows.forEach(({ range, value, slider }, k) => {
      const x = this.live.engine.values[k];
      if (range.valueAsNumber !== x) range.value = x;
      setText(value, `${number(x)} ${slider.unit}`.trim());
    });
  }

  ledger() {
    const table = liveElement("table");
    table.id = "ledger";
    table.append(liveElement("caption", "Energy ledger [J]"));
    this.cells = {};
    for (const [key, text] of [...Object.entries(LEDGER), ["drift", "unaccounted for"]]) {
      const row = liveElement("tr"), head = liveElement("th", text), cell = liveElement("td");
      head.scope = "row";
      row.append(head, cell);
      row.dataset.of = key;
      table.append(row);
      this.cells[key] = { row, cell };
    }
    return table;
  }

  show() {
    const { live } = this, { engine, record } = live;
    let now = engine.energy;
    if (!live.atEnd) {
      const { i } = betweenTimes(record.time, live.page.t), [kinetic, potential, total, hand, others] = record.energies.subarray(5 * i, 5 * i + 5);
      now = { ...now, kinetic, potential, total, hand, others, sliders: record.states[i * record.width + 1], ...engine.recorded?.(record.states.subarray(i * record.width, (i + 1) * record.width)) };
      now.balance = total - hand - others - now.sliders - (now.contacts ?? 0) - (now.impacts ?? 0);
    }
    now = { contacts: 0, impacts: 0, ...now };
    this.first ??= now.balance;
    if (engine.t === 0) this.first = engine.energy.balance;
    const drift = now.balance - this.first, roundOff = 1e-14 * Object.keys(LEDGER).reduce((sum, key) => sum + Math.abs(now[key]), 0);
    for (const key of Object.keys(LEDGER)) setText(this.cells[key].cell, Math.abs(now[key]) < roundOff ? "0" : number(now[key]));
    setText(this.cells.drift.cell, Math.abs(drift) < Math.max(1e-12, roundOff) ? "0" : drift.toExponential(1));
    for (const key of ["others", "sliders", "contacts", "impacts"]) this.cells[key].row.hidden = now[key] === 0;
    const kept = record.dropped ? `The last ${number(record.end - record.time[0])} s are kept. ` : "";
    const remarks = [...(engine.notes ?? [])].map((note) => `Note: ${note}. `).join("");
    setText(this.status, remarks + kept + (live.slow > 0.2 && live.page.playing ? `This computer reaches ${Math.round(100 * (1 - live.slow))} % of the speed.` : ""));
  }
}

function liveElement(kind, text = "") {
  const made = document.createElement(kind);
  made.textContent = text;
  return made;
}
