"use strict";
// Light or dark: as the system has it, or as the reader has chosen.

const DARK = matchMedia("(prefers-color-scheme: dark)");
const themeColour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const isDark = () => (document.documentElement.dataset.theme || (DARK.matches ? "dark" : "light")) === "dark";

class Theme {
  // `changed` is called after every change
  constructor(changed) {
    this.changed = changed;
    let kept = null;
    try { kept = localStorage.getItem("mekane theme"); } catch { /* pages from disk may have no storage */ }
    if (kept) document.documentElement.dataset.theme = kept;
    DARK.addEventListener("change", () => this.apply());
    $("theme").addEventListener("click", () => this.choose(isDark() ? "light" : "dark"));
    this.label();
  }

  choose(theme) {
    document.documentElement.dataset.theme = theme;
    try { localStorage.setItem("mekane theme", theme); } catch { /* as above */ }
    this.apply();
  }

  apply() {
    this.label();
    this.changed();
  }

  label() {
    const text = isDark() ? "Light colours" : "Dark colours";
    $("theme").textContent = isDark() ? "☀" : "☾";
    $("theme").title = text;
    $("theme").setAttribute("aria-label", text);
  }
}
