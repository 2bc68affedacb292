"use strict";
// Play = simulate, in the studio: the model of the text as code that integrates itself in this page. Whatever is changed meanwhile, by a slider or by
// typing, acts at once: new code goes on from the state of the old.

class StudioLive {
  constructor(studio) {
    this.studio = studio;
    this.live = null;
  }

  get on() { return this.live !== null; }

  toggle() {
    if (!this.on) return this.studio.request("/live", {}, (reply) => this.take(reply));
    this.stop();
    return this.studio.run({}); // back to the motion
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
    loadModel(reply.script);
    before?.dispose();
    this.live = new Live(page, window.liveModel, this.dataOf(reply, before), before);
    this.live.panel.offer("live-keep", "Keep this run", "End the simulation; what was recorded stays to be looked at", () => this.keep());
    page.playing = playing;
    $("do-live").setAttribute("aria-pressed", true);
    $("answer").hidden = true;
  }

  // of the page: what it has, with another scene
  dataOf({ scene, about }, before) {
    const { page } = this.studio, info = { subtitle: "simulated in this page", health: "", events: [] };
    if (!before) this.shown = page.plots.names();
    return { ...page.data, scene, info, trouble: "", arrows: [], channels: {}, shown: this.shown, live: { about, sliders: [] } };
  }

  keep() {
    const { live } = this;
    this.live = null;
    $("do-live").setAttribute("aria-pressed", false);
    live.keep();
  }

  stop() {
    if (!this.on) return;
    this.studio.page.pause();
    this.live.dispose();
    this.live = null;
    $("do-live").setAttribute("aria-pressed", false);
  }

  share() {
    return this.studio.request("/live-page", {}, async (reply) => {
      if (reply.refused) this.studio.enter(`There is no live page of it.\n\n${reply.refused}`);
      else this.studio.download(reply.html, `${this.studio.given.name}.live.html`);
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
