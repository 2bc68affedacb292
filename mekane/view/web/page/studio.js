"use strict";
// The studio: the model's text, a slider for each of its numbers, buttons. The text is sent, what the server makes of it is shown.

const QUIET = 500; // a text is run when nobody has typed for so long [ms]
const IMPATIENT = 400; // a newer request waits so long for the answer to an older one [ms]
// why a model that runs well may have no answer
const WITHOUT = {
  "/equilibrium": "There is no equilibrium to show: no place was found where all forces balance and the mechanism stays at rest. The model itself is in order. What is driven, or pushed by a force that nothing holds, has none.",
  "/modes": "There are no modes to show: they are small swings about an equilibrium, and none was found. The model itself is in order.",
};
const GROUPS_OPEN = ["parameters", "drives", "initial positions", "run"];

class Studio {
  constructor(page, given) {
    this.page = page;
    this.given = given;
    this.viewer = crypto.getRandomValues(new Uint32Array(2)).join("-");
    this.requested = this.shown = this.typed = 0;
    this.waiting = null;
    this.moved = new Map(); // sliders that were moved and are not yet in the text, the latest last
    this.saved = given.text;
    this.file = given.file;
    this.base = given.base; // what is in the file, as far as this page knows
    this.rows = new Map();
    this.live = new StudioLive(this);
    document.body.classList.add("studio");
    $("pin").hidden = false;
    page.lineOf = (name) => this.editor.lineOf(name);
    page.goToLine = (line) => this.editor.go(line, 1);
    this.build();
    this.gesture = {};
    this.editor = new Editor($("editor"), (undone) => this.edited(undone), new Completion(given.vocabulary, () => Object.keys((this.page.data || { channels: {} }).channels)));
    this.panes = new Panes();
    this.start = new Start(this);
    this.adding = new Adding(this);
    if (given.base !== null) rememberModel(given.file, given.text); // there is such a file
    if (!this.restore() && given.choose) this.start.show();
    setTimeout(() => this.shown || this.page.overlay("computing … (the very first time, kernels are compiled: about 20 s)"), 1500);
    this.run({});
  }

  // -- what is remembered over a reload of this tab

  get key() { return `mekane studio ${this.given.token}`; }

  restore() {
    let kept = null;
    try { kept = JSON.parse(sessionStorage.getItem(this.key)); } catch { /* private windows may refuse */ }
    Object.assign(this, kept && { saved: kept.saved, file: kept.file, base: kept.base });
    this.editor.begin(kept ? kept.text : this.given.text);
    this.keep();
    return Boolean(kept);
  }

  keep() {
    const { file, base, saved } = this, text = this.editor.text;
    try { sessionStorage.setItem(this.key, JSON.stringify({ text, saved, file, base })); } catch { /* as above */ }
    $("file").textContent = file;
    $("unsaved").hidden = text === saved;
  }

  // of files that are downloaded
  get stem() { return this.file.split(/[\\/]/).pop().replace(/\.ya?ml$/i, "") || this.given.name; }

  // -- the column

  build() {
    const actions = { equilibrium: () => this.equilibrium(), modes: () => this.modes(), equations: () => this.equations(), save: () => this.save(), share: () => this.share(), live: () => this.live.toggle(), "live-page": () => this.live.share() };
    for (const [name, act] of Object.entries(actions)) $(`do-${name}`).addEventListener("click", act);
    $("do-back").addEventListener("click", () => this.run({}));
    $("do-start-here").addEventListener("click", () => { this.editor.set(this.there); this.run({}); });
    $("method").addEventListener("change", () => this.equations());
    $("close-equations").addEventListener("click", () => $("equations").close());
    $("do-cancel").addEventListener("click", () => this.giveUp());
    $("conflict").addEventListener("click", (event) => this.resolveConflict(event.target.id));
    addEventListener("beforeunload", (event) => { if (this.editor.text !== this.saved) event.preventDefault(); });
    addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.giveUp();
      if (!(event.ctrlKey || event.metaKey)) return;
      if (event.key === "s") { event.preventDefault(); this.save(); }
      if (event.key === "Enter") { event.preventDefault(); this.run({}); }
      this.history(event);
    });
  }

  // one history for text and sliders: its keys work everywhere but in fields that have their own
  history(event) {
    const own = event.target.closest(".cm-editor") || ["number", "search", "text"].includes(event.target.type), key = event.key.toLowerCase();
    if (own || !["z", "y"].includes(key)) return;
    event.preventDefault();
    if (key === "y" || event.shiftKey) this.editor.redo(); else this.editor.undo();
  }

  edited(undone) {
    this.typed++;
    this.unsent = true;
    if (undone) this.moved.clear(); // a slider that is under way is taken back, too
    this.keep();
    clearTimeout(this.timer);
    if (undone) this.run({}); else this.timer = setTimeout(() => this.run({}), QUIET);
  }

  // -- requests

  // last: also if the page is closed meanwhile
  async post(path, more = {}, signal = undefined, last = false) {
    const body = JSON.stringify({ text: this.editor.text, viewer: this.viewer, plots: this.plotsBefore ?? this.page.plots.names(), ...more });
    let answer;
    try {
      answer = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json", "X-Mekane": this.given.token }, body, signal, keepalive: last });
    } catch (error) {
      if (signal && signal.aborted) throw error;
      throw new Error("The studio does not answer: mekane studio was ended, or this tab is of an earlier one. The text is kept in this tab.");
    }
    const reply = await answer.json();
    if (reply.error && !("text" in reply)) throw new Error(reply.error.text);
    return reply;
  }

  run(how) {
    // one request at a time; of those that wait only the newest, and not for long
    if (this.busy && (this.live.on || performance.now() - this.since < IMPATIENT)) {
      this.waiting = how;
      clearTimeout(this.hurry);
      if (!this.live.on) this.hurry = setTimeout(() => this.waiting && this.next(), IMPATIENT);
      return;
    }
    this.send(how);
  }

  next() {
    const how = this.waiting;
    this.waiting = null;
    if (how) this.send(how);
  }

  async send(how) {
    const number = ++this.requested, typed = this.typed;
    this.unsent = false;
    this.cancel(); // an analysis of another text
    this.busy = true;
    this.since = performance.now();
    $("working").hidden = false;
    clearTimeout(this.timer);
    try {
      const changes = [...this.moved.values()];
      const reply = await this.post(this.live.on ? "/live" : "/run", { number, changes, ...how });
      if (!reply.superseded && number > this.shown) await this.show(reply, number, typed, changes);
    } catch (error) {
      this.showError({ text: error.message, line: 0 });
    }
    if (number === this.requested) { this.busy = false; $("working").hidden = true; }
    this.next();
  }

  async show(reply, number, typed, changes) {
    const motion = reply.motion && (await readied(reply.motion));
    if (number < this.shown) return;
    this.shown = number;
    for (const change of changes) if (this.moved.get(change.key) === change) this.moved.delete(change.key);
    if (typed === this.typed && reply.text !== this.editor.text) { this.editor.set(reply.text, changes.length ? changes[changes.length - 1].gesture : {}); this.keep(); }
    this.page.overlay("");
    if (reply.error) return this.showError(reply.error);
    this.clearError();
    if (reply.about || reply.refused) return this.live.go(reply);
    if (this.live.on) return; // it has begun meanwhile
    this.units(reply.sliders);
    this.page.take(motion);
    this.leave();
    this.showWanted();
    this.sliders(reply.sliders);
    this.remarks(reply.remarks);
    $("took").textContent = `${Math.round(1000 * reply.seconds[1])} ms`;
  }

  remarks(list) {
    $("remarked").hidden = !list.length;
    $("remarked").firstChild.textContent = list.length === 1 ? "1 remark" : `${list.length} remarks`;
    $("remarks").replaceChildren(...list.map((text) => element("li", text)));
  }

  // -- errors: the last good motion stays

  showError(error) {
    $("error").hidden = false;
    $("error").textContent = error.line ? `line ${error.line}: ${error.text}` : error.text;
    $("error").onclick = () => error.line && this.editor.go(error.line, error.column);
    this.editor.mark(error);
    $("stage").classList.add("stale");
  }

  clearError() {
    $("error").hidden = true;
    this.editor.mark(null);
    $("stage").classList.remove("stale");
  }

  // -- sliders

  // values are shown in the unit in which angles are given
  units(list) {
    const before = inDegrees;
    inDegrees = list.some((slider) => /^(deg|°)/.test(slider.unit));
    if (before !== inDegrees && this.page.data) this.page.repaint();
  }

  sliders(list) {
    const wanted = list.map((slider) => JSON.stringify(slider.path));
    const same = wanted.length === this.rows.size && wanted.every((key) => this.rows.has(key));
    if (!same) this.lay(list);
    list.forEach((slider, k) => this.rows.get(wanted[k]).update(slider));
  }

  lay(list) {
    const before = this.rows, groups = new Map(), open = new Map([...$("sliders").children].map((box) => [box.dataset.group, box.open]));
    this.rows = new Map();
    for (const slider of list) {
      if (!groups.has(slider.group)) groups.set(slider.group, this.group(slider.group, open));
      const key = JSON.stringify(slider.path), row = before.get(key) || new Row(slider, (value, quick) => this.moveSlider({ key, path: slider.path, value, unit: slider.unit }, quick));
      this.rows.set(key, row);
      groups.get(slider.group).append(row.line);
    }
    $("sliders").replaceChildren(...groups.values());
  }

  moveSlider(change, quick) {
    this.moved.delete(change.key);
    this.moved.set(change.key, { ...change, gesture: this.gesture });
    if (!quick) this.gesture = {}; // what follows is undone by itself
    this.run({ quick });
  }

  group(name, open) {
    const box = element("details");
    box.dataset.group = name;
    box.open = open.has(name) ? open.get(name) : GROUPS_OPEN.includes(name);
    box.append(element("summary", name));
    return box;
  }

  // -- buttons

  // the newest holds: one that is still waited for is given up, and the server ends it
  async request(path, more, then) {
    this.cancel();
    clearTimeout(this.timer); // what was typed last goes with this
    const waiting = this.analysis = new AbortController();
    $("working").hidden = $("do-cancel").hidden = false;
    try {
      const reply = await this.post(path, more, waiting.signal);
      if (waiting.signal.aborted || reply.superseded) return;
      if (reply.error && path in WITHOUT && $("error").hidden) this.explain(path, reply.error);
      else if (reply.error) this.showError(reply.error);
      else { this.clearError(); await then(reply); }
    } catch (error) {
      if (!waiting.signal.aborted) this.showError({ text: error.message, line: 0 });
    } finally {
      if (this.analysis === waiting) { this.answered(); this.catchUp(); }
    }
  }

  // what is on the stage follows the text, unless something else is shown
  catchUp() { if (this.unsent && !this.live.on && $("answer").hidden) this.run({}); }

  giveUp() { this.cancel(); this.catchUp(); }

  cancel() {
    if (this.analysis) this.analysis.abort();
    this.answered();
  }

  answered() {
    this.analysis = null;
    $("do-cancel").hidden = true;
    $("working").hidden = !this.busy;
  }

  // the model is right, and yet has no such answer: no line of it is wrong
  explain(path, { problem, expected, text }) {
    this.enter(`${WITHOUT[path]}\n\n${[problem, expected].filter(Boolean).join("; ") || text}.`);
  }

  enter(text, tables = "") {
    // something else than the run is on the stage
    this.rateBefore ??= this.page.rate;
    this.plotsBefore ??= this.page.plots.names();
    $("answer").hidden = false;
    $("report").textContent = text;
    $("tables").textContent = tables;
    $("modes").replaceChildren();
    $("do-start-here").hidden = true;
  }

  leave() {
    $("answer").hidden = true;
    if (this.rateBefore === undefined) return;
    this.page.rate = this.rateBefore;
    for (const name of this.plotsBefore) if (name in this.page.data.channels) this.page.plots.add(name);
    this.rateBefore = this.plotsBefore = undefined;
  }

  equilibrium() {
    return this.request("/equilibrium", {}, async (reply) => {
      const motion = await readied(reply.motion);
      this.live.stop();
      this.enter(reply.words, reply.tables);
      this.there = reply.there;
      $("do-start-here").hidden = false;
      this.page.take(motion);
      this.page.overlay("equilibrium");
    });
  }

  modes() {
    return this.request("/modes", {}, async (reply) => {
      this.live.stop();
      this.enter(reply.words);
      reply.modes.forEach((mode, k) => $("modes").append(this.modeButton(mode, k)));
      if (reply.modes.length) await this.playMode(reply.modes[0], 0);
    });
  }

  modeButton(mode, k) {
    const button = element("button", mode.name);
    button.addEventListener("click", () => this.playMode(mode, k));
    return button;
  }

  async playMode(mode, k) {
    this.page.take(await readied(mode.motion));
    this.page.rate = mode.period / 1.5; // one and a half seconds, however fast it is
    this.page.t = 0;
    this.page.playing = !LESS_MOTION.matches;
    this.page.overlay(`mode ${mode.name}`);
    [...$("modes").children].forEach((button, i) => button.setAttribute("aria-pressed", i === k));
  }

  equations() {
    return this.request("/equations", { method: $("method").value }, async (reply) => {
      $("formulas").replaceChildren(...harmless(reply.html));
      if (!$("equations").open) $("equations").showModal();
    });
  }

  // how: nothing, { replace: true } or { copy: true }
  async save(how = {}) {
    try {
      const { file, base } = this, reply = await this.post("/save", { file, base, ...how });
      if (reply.error) return this.showError(reply.error);
      if (reply.ask) return this.conflict(reply);
      Object.assign(this, { saved: reply.text, file: reply.saved, base: reply.base });
      rememberModel(reply.saved, reply.text);
      this.keep();
      this.page.overlay(`saved: ${reply.saved}`);
      setTimeout(() => this.page.overlay(""), 2000);
    } catch (error) { this.showError({ text: error.message, line: 0 }); }
  }

  // the file is not what this page has read
  conflict(reply) {
    this.other = reply;
    $("conflict-text").textContent = `${reply.ask} What is to be done?`;
    $("conflict-reload").hidden = reply.there === null;
    $("conflict").showModal();
  }

  resolveConflict(choice) {
    if (!choice.startsWith("conflict-") || choice === "conflict-text") return;
    $("conflict").close();
    if (choice === "conflict-replace") this.save({ replace: true });
    if (choice === "conflict-copy") this.save({ copy: true });
    if (choice === "conflict-reload") this.load(this.other);
  }

  // another model, under a name of its own
  begin({ text, file, base }) {
    this.typed++; // an answer to the text of before does not bring that back
    this.editor.set(text);
    Object.assign(this, { saved: "", file, base });
    this.keep();
    this.run({});
  }

  // with a part more, which is shown when it is there
  write(text, name) {
    this.typed++;
    this.moved.clear(); // they are in the text
    this.wanted = name;
    this.editor.set(text);
    this.keep();
    this.run({});
  }

  showWanted() {
    if (!this.wanted || !kindOf(this.page.data.scene, this.wanted)) return;
    this.page.select(this.wanted);
    this.editor.reveal(this.editor.lineOf(this.wanted));
    this.wanted = null;
  }

  load({ there, base }) {
    this.typed++;
    this.editor.set(there); // Ctrl-Z brings this page's text back
    Object.assign(this, { saved: there, base });
    this.keep();
    this.run({});
  }

  download(html, name) {
    const link = element("a");
    link.href = URL.createObjectURL(new Blob([html], { type: "text/html" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  share() {
    return this.request("/share", {}, async (reply) => {
      this.download(reply.html, `${this.stem}.html`);
    });
  }
}
