"use strict";
// What the reader can set: what is shown, speed, time, view.

const OPTIONS = {
  joints: "joints", reactions: "reactions", forces: "forces", ghost: "ghost of start", follow: "camera follows", grid: "floor and axes",
};
const RATES = [0.01, 0.03, 0.1, 0.25, 0.5, 1, 2, 5];

function toggles(options) {
  for (const [key, text] of Object.entries(OPTIONS)) {
    const label = document.createElement("label"), box = document.createElement("input");
    box.type = "checkbox";
    box.id = `show-${key}`;
    box.checked = options[key];
    box.addEventListener("change", () => { options[key] = box.checked; });
    label.append(box, ` ${text}`);
    $("show").append(label);
  }
  $("arrow-size").addEventListener("input", (event) => { options.arrowSize = 10 ** Number(event.target.value); });
}

function timeBar(page) {
  for (const rate of RATES) $("speed").append(new Option(`${rate}×`, rate));
  $("speed").addEventListener("change", (event) => { page.rate = Number(event.target.value); });
  $("scrub").addEventListener("input", (event) => { page.pause(); page.seek(Number(event.target.value)); });
  $("play").addEventListener("click", () => page.data && page.press());
  $("fit").addEventListener("click", () => page.data && page.stage.frame(page.data, page.options.follow));
  document.addEventListener("keydown", (event) => {
    if (["INPUT", "SELECT", "BUTTON", "TEXTAREA", "SUMMARY"].includes(event.target.tagName) || !page.data) return;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.code];
    if (event.code === "Space") page.press();
    else if (step) page.step(step);
    else return;
    event.preventDefault();
  });
}
