"use strict";
// Play = simulate, in the studio: the model of the text as code that integrates itself in this page; or, where there can be no such code, stepped by the
// studio. Whatever is changed meanwhile, by a slider or by typing, acts at once: the motion goes on from where it is.

const NO_LIVE_PAGE = "There is no page that simulates it by itself. The button Live plays it here; the button Page saves its run as a page to share.";

class StudioLive {
  constructor(studio) {
    this.studio = studio;
    this.live = null;
    addEventListener("pagehide", () => { if (this.live instanceof SteppedLive) this.end(); });
  }

  get on() { return this.live !== null; }

  toggle() {
    if (this.studio.adding.on) this.studio.adding.close(); // a click would add instead of drag
    if (!this.on) return this.studio.request("/live", {}, (reply) => this.take(reply));
    this.stop();
    return this.studio.run({}); // back to the motion
  }

  // on with a changed text; not if it was ended before that came
  go(reply) {
    if (this.on) this.take(reply);
    else if (reply.stepped) this.end();
  }

  // code of a text; or why there is none
  take(reply) {
    const { page } = this.studio;
    if (reply.refused) {
      this.stop();
      this.studio.enter(`It cannot be simulated in this page.\n\n${reply.refused}`);
      return;
    }
    if (!page.data) return;
    const before = this.live, playing = before ? page.playing : !LESS_MOTION.matches;
    before?.dispose();
    if (before instanceof SteppedLive && !reply.stepped) this.end();
    this.live = this.made(reply, this.dataOf(reply, before), before);
    this.live.panel.offer("live-keep", "Keep this run", "End the simulation; what was recorded stays to be looked at", () => this.keep());
    page.playing = playing;
    $("do-live").setAttribute("aria-pressed", true);
    $("answer").hidden = true;
  }

  made(reply, data, before) {
    const { page } = this.studio;
    if (reply.stepped) return new SteppedLive(page, reply, data, this.studio, before instanceof SteppedLive ? before : null);
    loadModel(reply.script);
    return new Live(page, engineOf(window.liveModel, reply.about), data, before instanceof SteppedLive ? null : before);
  }

  // of the page: what it has, with another scene
  dataOf({ scene, about, stepped }, before) {
    const { page } = this.studio, info = { subtitle: stepped ? "simulated by the studio" : "simulated in this page", health: "", events: [] };
    if (!before) this.shown = page.plots.names();
    return { ...page.data, scene, info, trouble: "", arrows: [], channels: {}, shown: this.shown, live: { about, sliders: [] } };
  }

  keep() {
    const { live } = this;
    this.live = null;
    $("do-live").setAttribute("aria-pressed", false);
    live.keep();
    if (live instanceof SteppedLive) this.end();
  }

  // the studio need not step any more; also when the tab is closed
  end() { this.studio.post("/live-end", { text: "" }, undefined, true).catch(() => {}); }

  stop() {
    if (!this.on) return;
    this.studio.page.pause();
    this.live.dispose();
    if (this.live instanceof SteppedLive) this.end();
    this.live = null;
    $("do-live").setAttribute("aria-pressed", false);
  }

  share() {
    return this.studio.request("/live-page", {}, async (reply) => {
      if (reply.refused) this.studio.enter(`${NO_LIVE_PAGE}\n\n${reply.refused}`);
      else this.studio.download(reply.html, `${this.studio.stem}.live.html`);
    });
  }
}

// window.liveModel: that of the last script
function loadModel(text) {
  const script = document.createElement("script");
  script.textContent = text;
  document.head.append(script);
  script.remove();
}
