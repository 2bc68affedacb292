"""What can be measured of a page as it stands in a browser: what is on the stage, what its text looks like. And
screenshots of it."""

import base64
import os
from pathlib import Path

FOLDER = Path(os.environ.get("MEKANE_ARTIFACTS") or Path(__file__).parents[2] / "out" / "screens")

MEASURES = r"""
window.measures = {
  // share of the picture from edge to edge, −1 … 1, that each body takes: of every vertex of its meshes, as the camera sees it
  reach() {
    const { camera } = page.stage, p = new THREE.Vector3();
    page.stage.world.updateMatrixWorld(true);
    camera.updateMatrixWorld(true);
    return page.mechanism.groups.map((group) => {
      const low = [Infinity, Infinity], high = [-Infinity, -Infinity];
      let deep = false;
      group.traverse((mesh) => {
        if (!mesh.isMesh || !mesh.visible) return;
        const at = mesh.geometry.attributes.position;
        for (let k = 0; k < at.count; k++) {
          p.fromBufferAttribute(at, k).applyMatrix4(mesh.matrixWorld).project(camera);
          deep = deep || Math.abs(p.z) > 1;
          [p.x, p.y].forEach((x, c) => { low[c] = Math.min(low[c], x); high[c] = Math.max(high[c], x); });
        }
      });
      return [...low, ...high, deep ? 1 : 0];
    });
  },

  // the same at some times, as shares of the motion, without drawing them
  reaches(shares) {
    const { mechanism, stage, options, t } = page;
    const found = shares.map((share) => {
      mechanism.show(page.begin + share * (page.end - page.begin), options);
      stage.follow(options.follow ? mechanism.centre() : null);
      stage.controls.update();
      return this.reach();
    });
    page.seek(t);
    page.draw();
    return found;
  },

  pixels() {
    const { canvas } = page.stage, flat = document.createElement("canvas");
    [flat.width, flat.height] = [canvas.width, canvas.height];
    const pen = flat.getContext("2d");
    pen.drawImage(canvas, 0, 0);
    return pen.getImageData(0, 0, flat.width, flat.height).data;
  },

  // share of the pixels that are others when the mechanism is taken away
  covered() {
    page.stage.drawn = null; // both as coarse as what moves
    page.draw();
    const there = this.pixels(), { root } = page.mechanism;
    root.visible = false;
    page.stage.drawn = null;
    page.draw();
    const empty = this.pixels();
    root.visible = true;
    page.stage.drawn = null; // so that it is drawn again
    let others = 0;
    for (let k = 0; k < there.length; k += 4) if ([0, 1, 2, 3].some((c) => Math.abs(there[k + c] - empty[k + c]) > 16)) others++;
    return (4 * others) / there.length;
  },

  text() {
    const pieces = this.pieces();
    this.pieces = () => pieces; // laid out once
    return Object.fromEntries(["overlaps", "clipped", "wide", "smallest", "contrast"].map((word) => [word, this[word]()]));
  },

  // what of a rectangle can be seen: cut by all boxes around it that cut
  cut(box, element) {
    let { left, top, right, bottom } = box;
    for (let around = element; around && around !== document.documentElement; around = around.parentElement) {
      const style = getComputedStyle(around), edge = around.getBoundingClientRect();
      if (style.overflowX !== "visible") [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
      if (style.overflowY !== "visible") [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
    }
    return { left, top, right, bottom };
  },

  // rectangles of all text and of all controls that can be seen
  pieces() {
    const found = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange();
    const shut = document.querySelector("dialog[open]"); // what is behind it does not count
    const seen = (element) => element.checkVisibility({ visibilityProperty: true }) && !(shut && !shut.contains(element));
    const put = (element, what, box) => {
      const seen = this.cut(box, element);
      if (seen.right - seen.left > 1 && seen.bottom - seen.top > 1) found.push({ element, what, whole: box, ...seen });
    };
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      const parent = node.parentElement;
      if (!node.data.trim() || parent.closest("script, style, option, textarea, #gizmo, math") || !seen(parent)) continue;
      range.selectNodeContents(node);
      for (const box of range.getClientRects()) put(parent, node.data.trim().slice(0, 40), box);
    }
    for (const control of document.querySelectorAll("button, select, input, textarea, .uplot canvas")) {
      const name = control.id || control.getAttribute("aria-label") || control.localName;
      if (seen(control)) put(control, name, control.getBoundingClientRect());
    }
    return found;
  },

  // pairs that lie on each other
  overlaps() {
    const list = this.pieces(), pairs = [];
    list.forEach((a, k) => {
      for (const b of list.slice(k + 1)) {
        if (a.element === b.element || a.element.contains(b.element) || b.element.contains(a.element)) continue;
        const across = Math.min(a.right, b.right) - Math.max(a.left, b.left), down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (across > 1 && down > 3) pairs.push(`${a.what} | ${b.what}`);
      }
    });
    return pairs;
  },

  // text that is cut at its right or left, or hangs out of the window
  clipped() {
    const list = this.pieces().filter((one) => !one.element.closest(".cm-editor, #tables, #formulas"));
    const cut = ({ whole, left, right }) => whole.left < Math.max(0, left) - 1 || whole.right > Math.min(innerWidth, right) + 1;
    return list.filter(cut).map((one) => one.what);
  },

  wide() {
    const places = "body, header, main, footer, aside, section, #middle, #stage, #plots, #parts, #sliders, #answer, #show";
    return [...document.querySelectorAll(places)]
      .filter((one) => one.clientWidth && one.scrollWidth > one.clientWidth + 1)
      .map((one) => one.id || one.localName);
  },

  smallest() { return Math.min(...this.pieces().map((one) => parseFloat(getComputedStyle(one.element).fontSize))); },

  // of text to what is behind it (WCAG 2): the least, and where
  contrast() {
    const linear = (x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
    const light = ([r, g, b]) => 0.2126 * linear(r / 255) + 0.7152 * linear(g / 255) + 0.0722 * linear(b / 255);
    const numbers = (text) => { // rgb(1, 2, 3), rgba(1, 2, 3, 0.5), color(srgb 0.1 0.2 0.3 / 0.5)
      const x = text.match(/[\d.]+(?:e-?\d+)?/g).map(Number), size = text.startsWith("color(") ? 255 : 1;
      return [...x.slice(0, 3).map((c) => size * c), x[3] ?? 1];
    };
    const over = (top, below) => [0, 1, 2].map((c) => top[3] * top[c] + (1 - top[3]) * below[c]);
    const behind = (element) => {
      if (!element) return [255, 255, 255];
      const style = getComputedStyle(element), stops = (style.backgroundImage.match(/rgba?\([^)]*\)/g) || []).map(numbers);
      const below = () => behind(element.parentElement);
      if (stops.length) return stops.sort((a, b) => light(a) - light(b))[0].slice(0, 3); // the darkest
      const colour = numbers(style.backgroundColor);
      return colour[3] === 1 ? colour.slice(0, 3) : over(colour, below());
    };
    let least = [Infinity, ""];
    for (const { element, what } of this.pieces()) {
      if (["range", "checkbox"].includes(element.type) || element.localName === "canvas") continue;
      const empty = element.placeholder && !element.value, style = getComputedStyle(element, empty ? "::placeholder" : null);
      const back = behind(element), front = over(numbers(style.color), back);
      const [a, b] = [light(front), light(back)].sort((x, y) => y - x), found = (a + 0.05) / (b + 0.05);
      if (found < least[0]) least = [found, what];
    }
    return least;
  },
};
"""


def screenshot(browser, name):
    """Keep it as NAME.png among the artifacts."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    shot = browser.call("Page.captureScreenshot", format="png")["data"]
    (FOLDER / f"{name}.png").write_bytes(base64.b64decode(shot))


def window(browser, width, height):
    browser.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)


def unreadable(browser, smallest=11, contrast=4.5):
    """What lies on something else, what is cut off, and letters that are too small or too pale to be read (WCAG 2, AA:
    4.5), in words."""
    reply = browser.evaluate("Object.create(measures).text()")
    found = [f"{how}: {what}" for how in ("overlaps", "clipped", "wide") for what in reply[how]]
    size, (least, where) = reply["smallest"], reply["contrast"]
    found += [f"letters of {size} px"] * (size < smallest) + [f"contrast {least:.2f}: {where}"] * (least < contrast)
    return found
