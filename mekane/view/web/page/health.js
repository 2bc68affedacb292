"use strict";
// Whether to trust the run: energies over time, and what was checked.

class HealthPanel {
  constructor(seek) { this.seek = seek; }

  take(data) {
    $("trust").hidden = !data.info.health; // what was not computed step by step has none
    $("trust-of").textContent = `of the run, ${number(data.time[0])} … ${number(data.time[data.time.length - 1])} s`;
    this.rows(data.info);
    this.chart(data);
  }

  rows({ health, checks = [], ok = true, trusted = ok, verdict = "" }) {
    $("checks").replaceChildren(...checks.map((check) => {
      const li = document.createElement("li"), mark = document.createElement("span"), value = document.createElement("span");
      li.className = check.mark;
      mark.textContent = { ok: "✓", warning: "!", bad: "✗", note: "·" }[check.mark];
      mark.className = "mark";
      mark.setAttribute("aria-label", check.mark);
      value.className = "value";
      value.textContent = check.value;
      li.append(mark, check.name, value);
      if (check.why) li.title = check.why;
      return li;
    }));
    $("verdict").textContent = ok ? verdict : "Do not trust this run.";
    $("verdict").className = trusted ? "ok" : ok ? "" : "bad";
    $("health").textContent = health;
  }

  async chart(data) {
    this.data = data;
    if (!data.channels.energy) { this.drop(); return; }
    try { await channelOf(data, "energy"); } catch (error) { data.trouble = error.message; return; }
    if (this.data !== data || (this.energy && this.energy.renewed(data))) return;
    this.drop();
    this.energy = new Chart($("energy"), data, "energy", { seek: this.seek });
  }

  repaint() {
    this.drop();
    if (this.data) this.chart(this.data);
  }

  drop() {
    if (this.energy) this.energy.destroy();
    this.energy = null;
  }

  show(t) { if (this.energy) this.energy.show(t); }
}
