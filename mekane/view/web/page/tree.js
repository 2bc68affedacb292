"use strict";
// The parts as a tree: from the ground over joints to bodies; then what closes loops, constraints and forces. Values on hover and on click.

class Tree {
  constructor(page) {
    this.page = page;
    this.rows = new Map(); // name → { li, value, more, kind }
    this.open = new Set(); // names of rows that show all their values
  }

  take(data) {
    this.data = data;
    this.rows.clear();
    $("parts").replaceChildren();
    this.row("ground", "", data.scene.ground.colour, 1);
    const below = new Map();
    for (const link of data.scene.tree) below.set(link.parent, [...(below.get(link.parent) || []), link]);
    this.grow(below, -1, 2);
    for (const joint of data.scene.joints) if (joint.cut) this.row(joint.name, `${joint.kind}, closes a loop: ${this.ends(joint)}`, "", 2, "⟲");
    for (const one of data.scene.constraints) this.row(one.name, one.kind, "", 2, "⚯");
    for (const one of data.scene.forces) this.row(one.name, one.kind, "", 2, "↯");
  }

  grow(below, parent, level) {
    for (const link of below.get(parent) || []) {
      const body = this.data.scene.bodies[link.body], joint = this.data.scene.joints[link.joint];
      if (joint) this.row(joint.name, joint.kind.replaceAll("_", " "), "", level, "○");
      this.row(body.name, `${number(body.mass)} kg${joint ? "" : ", free"}`, body.colour, joint ? level + 1 : level);
      this.grow(below, link.body, level + (joint ? 2 : 1));
    }
  }

  ends(joint) {
    const name = (k) => (k < 0 ? "ground" : this.data.scene.bodies[k].name);
    return `${name(joint.a.body)} – ${name(joint.b.body)}`;
  }

  row(name, text, colour, level, sign = "") {
    const li = document.createElement("li"), mark = document.createElement("span"), small = document.createElement("small");
    const value = document.createElement("span"), more = document.createElement("dl");
    mark.className = colour ? "swatch" : "sign";
    if (colour) mark.style.background = colour; else mark.textContent = sign;
    small.textContent = ` ${text}`;
    value.className = "value";
    more.hidden = !this.open.has(name);
    li.append(mark, name, small, value, more);
    li.dataset.name = name;
    li.style.paddingLeft = `${0.3 + 0.7 * Math.min(level - 1, 9)}em`;
    Object.entries({ role: "treeitem", "aria-level": level, tabindex: 0, "aria-expanded": !more.hidden }).forEach(([key, x]) => li.setAttribute(key, x));
    this.listen(li, name, more);
    this.rows.set(name, { li, value, more });
    $("parts").append(li);
  }

  listen(li, name, more) {
    const toggle = () => {
      more.hidden = !more.hidden;
      li.setAttribute("aria-expanded", !more.hidden);
      if (more.hidden) this.open.delete(name); else this.open.add(name);
    };
    for (const [kind, on] of [["mouseenter", true], ["mouseleave", false], ["focus", true], ["blur", false]]) li.addEventListener(kind, () => this.page.hover(on ? name : null));
    li.addEventListener("click", () => { toggle(); this.page.select(name); });
    li.addEventListener("keydown", (event) => {
      const step = { ArrowUp: li.previousElementSibling, ArrowDown: li.nextElementSibling, Home: $("parts").firstElementChild, End: $("parts").lastElementChild }[event.code];
      if (event.target !== li || !(step || ["Enter", "Space"].includes(event.code))) return;
      event.preventDefault();
      event.stopPropagation();
      if (step) step.focus(); else { toggle(); this.page.select(name); }
    });
  }

  near(name) { for (const [key, row] of this.rows) row.li.classList.toggle("near", key === name); }

  show(t, near) {
    for (const [name, row] of this.rows) {
      const text = name === near ? this.page.values(name, t, true).map(([quantity, x]) => `${quantity} ${x}`)[0] || "" : "";
      if (row.value.textContent !== text) row.value.textContent = text;
      if (!row.more.hidden) this.fill(row.more, this.page.values(name, t, true));
    }
  }

  fill(more, pairs) { filled(more, pairs.length ? pairs : [["", "no values are kept for this part"]]); }
}
