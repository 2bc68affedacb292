"use strict";
// What can be written at a place of the text: sections, kinds, their keys, names of parts, and in expressions channels and functions.

const CHOSEN_VALUES = { axis: ["x", "y", "z"], axis_a: ["x", "y", "z"], axis_b: ["x", "y", "z"], formulation: ["joint", "absolute", "relative", "mixed", "bryan"], massless: ["true", "false"], once: ["true", "false"], stop: ["true", "false"], active: ["true", "false"] };
const NAMES_A_PART = { body: "bodies", to: "bodies", frame: "bodies", parent: "bodies" }; // keys whose value is the name of a part
const WITHOUT_CHANNELS = ["mass", "inertia", "com", "position", "at", "on_a", "on_b", "color", "look", "orientation"]; // numbers, parameters, no channels

class Completion {
  // words: what `vocabulary` of the server gives; channels: () => names of the last run
  constructor(words, channels) { Object.assign(this, { words, channels }); }

  // for CodeMirror
  source(context) {
    const text = context.state.doc.toString(), place = placeIn(text, context.pos);
    const word = context.matchBefore(place.key ? /[\w ]*/ : /[\w.]*/), typed = word ? word.text.trimStart() : "";
    const options = this.options(text, place);
    if (!options.length || (!typed && !context.explicit)) return null;
    return { from: context.pos - typed.length, options, validFor: place.key ? /^[\w ]*$/ : /^[\w.]*$/ };
  }

  options(text, place) {
    const found = place.key ? this.keys(text, place).filter(({ label }) => !place.siblings.includes(label)) : this.values(text, place);
    const seen = new Set();
    return found.filter(({ label }) => !seen.has(label) && seen.add(label));
  }

  keys(text, { path, siblings }) {
    const [section, name, key] = path, { sections, kinds, keys, shapes } = this.words;
    if (!path.length) return sections.map((one) => offer(one, "section", "", ":"));
    if (section === "simulate") return path.length === 1 ? describedKeys(keys.simulate) : [];
    if (section === "assemble") return path.length === 1 ? this.coordinates(text) : [];
    if (path.length === 1) return [];
    if (key === "shape" || key === "look") return shapes.map((one) => offer(one, "kind", "", ": "));
    if (path.length > 2) return [];
    if (!(section in kinds)) return describedKeys(keys[section] || []);
    const kind = siblings.find((one) => one in kinds[section]);
    return kind ? describedKeys(kinds[section][kind].keys) : Object.entries(kinds[section]).map(([one, entry]) => offer(one, "kind", entry.help, ": "));
  }

  values(text, { path, siblings, list, depth }) {
    const [section, , key] = path, { kinds } = this.words, first = kinds[section] && siblings.find((one) => one in kinds[section]);
    const kind = first === key && kinds[section]?.[key]; // a motor's torque is the name of a kind, too
    if (section === "simulate" || section === "system" || !path.length) return choicesOf(CHOSEN_VALUES[path[1]]);
    if (kind) return this.joined(text, kind, depth || 0);
    if (key in CHOSEN_VALUES) return choicesOf(CHOSEN_VALUES[key]);
    if (key in NAMES_A_PART && section !== "joints") return this.names(text, NAMES_A_PART[key]);
    if (["lock", "release"].includes(key)) return this.names(text, "joints");
    return this.expression(text, WITHOUT_CHANNELS.includes(key) || section === "parameters" || list);
  }

  // bodies or joints that a kind stands between; of a point the numbers come after the body
  joined(text, kind, depth) {
    if (kind.joins === "bodies") return depth > 2 ? this.expression(text, true) : this.names(text, "bodies");
    return kind.joins === "joints" ? this.names(text, "joints") : this.expression(text, false);
  }

  names(text, section) {
    return [...(section === "bodies" ? [offer("ground", "variable", "the world")] : []), ...namesIn(text, section).map((one) => offer(quotedName(one), "variable", section === "bodies" ? "body" : "joint"))];
  }

  coordinates(text) {
    const joints = namesIn(text, "joints"), names = this.channels().filter((one) => joints.some((joint) => one.startsWith(`${joint}.`) && /^[a-z_]+$/.test(one.slice(joint.length + 1))));
    return names.filter((one) => /\.(angle|displacement|x|y|z|angle_x|angle_y|angle_z)$/.test(one)).map((one) => offer(one, "property", "coordinate", ": "));
  }

  expression(text, plain) {
    const parameters = namesIn(text, "parameters").map((one) => offer(plain ? `$${one}` : one, "constant", "parameter"));
    if (plain) return parameters;
    const own = ["inputs", "variables", "outputs"].flatMap((section) => namesIn(text, section).map((one) => offer(one, "variable", section)));
    const channels = this.channels().filter((one) => /^[A-Za-z_][\w.]*$/.test(one) && one.includes(".")).map((one) => offer(one, "property", "channel"));
    return [...parameters, ...own, offer("t", "variable", "time [s]"), ...channels, ...this.words.functions.map((one) => offer(one, "function", "", "("))];
  }
}

const offer = (label, type, info = "", after = "") => ({ label, type, info: info || undefined, apply: label + after });
const describedKeys = (list) => list.map(({ name, help }) => offer(name, "property", help, ": "));
const choicesOf = (list) => (list || []).map((one) => offer(one, "constant"));
const quotedName = (name) => (/^[\w][\w .-]*$/.test(name) ? name : JSON.stringify(name));
