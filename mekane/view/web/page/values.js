"use strict";
// Numbers of channels at a time, as text.

const number = (x) => (x === 0 || (Math.abs(x) < 1e5 && Math.abs(x) >= 1e-3) ? String(Number(x.toPrecision(4))) : x.toExponential(2));

// how a unit is shown: angles in degrees where the reader's own numbers are in degrees
let inDegrees = false;
function shownUnit(units) {
  const angle = inDegrees && /^rad(?=$|\/)/.test(units || "");
  return angle ? { factor: 180 / Math.PI, text: units.replace("rad", "deg") } : { factor: 1, text: units || "" };
}

// [quantity, text] of what is known of a part at time t; channels that a server has are requested
function valuesOf(data, name, t, request = false) {
  const known = Object.keys(data.channels).filter((key) => key.startsWith(`${name}.`));
  return known.map((key) => [key.slice(name.length + 1), channelAt(data, key, t, request)]).filter(([, text]) => text);
}

function channelAt(data, key, t, request) {
  const channel = data.channels[key];
  if (!channel.numbers) {
    if (request) channelOf(data, key).catch((error) => { data.trouble = error.message; });
    return request ? "…" : "";
  }
  const { i, j, w } = betweenTimes(channel.t || data.sampleTime, t), width = channel.values.shape[1] || 1, x = channel.numbers;
  const unit = shownUnit(channel.units), list = Array.from({ length: width }, (_, c) => number(unit.factor * (x[i * width + c] + w * (x[j * width + c] - x[i * width + c]))));
  const about = channel.thinned && w > 0 ? "≈ " : ""; // of a thinned curve only the extremes are known
  return `${about}${width > 1 ? `(${list.join(", ")})` : list[0]} ${unit.text}`.trim();
}

function closing(text, act) {
  const button = document.createElement("button");
  button.className = "close";
  button.textContent = "×";
  button.title = text;
  button.setAttribute("aria-label", text);
  button.addEventListener("click", act);
  return button;
}
