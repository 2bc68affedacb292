"use strict";
// What the reader can set: what is shown, speed, time, view.

const OPTIONS = {
  joints: "joints", reactions: "reactions", forces: "forces", ghost: "ghost of start", follow: "camera follows", grid: "floor and axes", light: "shadows",
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
  $("show-light").addEventListener("change", (event) => page.stage.light.all(event.target.checked));
  $("unselect").addEventListener("click", () => page.select(null));
  $("lecture").addEventListener("click", () => page.lecture());
  $("pin").addEventListener("click", () => page.pin());
}

// 1, 2, 2.5 or 5 times a power of ten: a short or a long motion takes about eight seconds; what lasts seconds goes as it is
function fittingRate(span) {
  if (!(span > 0) || (span >= 2 && span <= 20)) return 1;
  const rate = span / 8, power = 10 ** Math.floor(Math.log10(rate)), near = (k) => Math.abs(Math.log((k * power) / rate));
  return Number(([1, 2, 2.5, 5, 10].reduce((a, b) => (near(b) < near(a) ? b : a)) * power).toPrecision(3));
}

// in the list of speeds, too
function chooseRate(rate) {
  const options = [...$("speed").options].map((one) => Number(one.value));
  if (!options.includes(rate)) $("speed").add(new Option(`${rate}×`, rate), options.findIndex((one) => one > rate));
  $("speed").value = rate;
}
