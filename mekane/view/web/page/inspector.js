"use strict";
// What is selected: its numbers in the model, its values at the time shown, its channels as buttons for plots, its reaction.

class Inspector {
  constructor(page) {
    this.page = page;
    this.name = null;
  }

  // a part by its name; none without one
  select(name) {
    this.name = name;
    $("inspector").hidden = !name;
    if (!name) return;
    const { data } = this.page, kind = kindOf(data.scene, name);
    $("inspected").textContent = calledOf(kind, name);
    $("facts").replaceChildren(...factsOf(data, name).flatMap(([key, text]) => [element("dt", key), element("dd", text)]));
    $("part-values").replaceChildren();
    $("part-channels").replaceChildren(...this.channels(name));
    if (this.page.lineOf) this.line(name);
  }

  // the studio knows where the part stands in the text
  line(name) {
    const line = this.page.lineOf(name), button = $("part-line");
    button.hidden = !line;
    button.textContent = `line ${line}`;
    button.onclick = () => this.page.goToLine(line);
  }

  channels(name) {
    return Object.keys(this.page.data.channels).filter((key) => key.startsWith(`${name}.`)).map((key) => {
      const button = element("button", key.slice(name.length + 1));
      button.className = "chip";
      button.title = `Plot ${key}`;
      button.addEventListener("click", () => this.page.plots.add(key));
      return button;
    });
  }

  show(t) {
    if (!this.name) return;
    const values = [...this.page.values(this.name, t, true), ...this.page.mechanism.arrows.text(this.name).map((text) => ["force", text])];
    filled($("part-values"), values);
  }
}

function kindOf(scene, name) {
  if (name === "ground") return "";
  if (scene.bodies.some((body) => body.name === name)) return "body";
  const part = [...scene.joints, ...scene.forces, ...scene.constraints].find((one) => one.name === name);
  return part ? part.kind.replaceAll("_", " ") : "";
}

// "ball 7" and not "ball ball 7"
function calledOf(kind, name) {
  return !kind || name.toLowerCase().startsWith(kind.toLowerCase()) ? name : `${kind} ${name}`;
}

function factsOf(data, name) {
  const joint = data.scene.joints.find((one) => one.name === name), body = (k) => (k < 0 ? "ground" : data.scene.bodies[k].name);
  return [...(joint ? [["between", `${body(joint.a.body)} and ${body(joint.b.body)}`]] : []), ...((data.info.facts || {})[name] || [])];
}

// pairs as rows of a list, changed only where their text is another
function filled(list, pairs) {
  if (list.children.length !== 2 * pairs.length) list.replaceChildren(...pairs.flatMap(() => [element("dt"), element("dd")]));
  pairs.flat().forEach((text, k) => setText(list.children[k], text));
}
