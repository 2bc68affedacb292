"use strict";
// A slider of the studio, with its number.

class Row {
  // a slider with its number
  constructor(slider, changed) {
    this.slider = element("input");
    this.number = element("input");
    this.slider.type = "range";
    this.number.type = "number";
    this.slider.step = this.number.step = "any";
    this.range(slider.low, slider.high);
    this.line = element("label");
    const name = element("span", slider.name.replace(/([._])/g, "$1\u200b")), unit = element("small", slider.unit);
    name.title = slider.name;
    this.line.append(name, this.slider, this.number, unit);
    this.slider.setAttribute("aria-label", slider.name);
    this.number.setAttribute("aria-label", `${slider.name}, number ${slider.unit}`.trim());
    this.slider.addEventListener("input", () => { this.number.value = short(this.slider.valueAsNumber); changed(this.slider.valueAsNumber, true); });
    this.slider.addEventListener("change", () => changed(this.slider.valueAsNumber, false));
    this.number.addEventListener("change", () => Number.isFinite(this.number.valueAsNumber) && changed(this.number.valueAsNumber, false));
  }

  range(low, high) {
    this.slider.min = low;
    this.slider.max = high;
  }

  update(slider) {
    if (slider.value < Number(this.slider.min)) this.range(Math.min(slider.low, slider.value), this.slider.max);
    if (slider.value > Number(this.slider.max)) this.range(this.slider.min, Math.max(slider.high, slider.value));
    if (!this.slider.matches(":active")) this.slider.value = slider.value;
    if (document.activeElement !== this.number) this.number.value = short(slider.value);
  }
}

const digits = (x, count) => String(Number(x.toPrecision(count)));
const short = (x) => (digits(x, 6).length > 9 ? digits(x, 3) : digits(x, 6)); // what a narrow field shows whole
