"use strict";
// The floor: a plane that fades out, its grid with cells of a round length, and a bar that tells lengths.

const CELLS = 40;
const UNITS = [[1e3, "km"], [1, "m"], [1e-2, "cm"], [1e-3, "mm"], [1e-6, "µm"], [1e-9, "nm"]];

// the largest 1, 2 or 5 times a power of ten that is not above x
function roundBelow(x) {
  const power = 10 ** Math.floor(Math.log10(x) + 1e-9);
  return [5, 2, 1].find((k) => k * power <= x * (1 + 1e-9)) * power;
}

function lengthText(metres) {
  const [size, unit] = UNITS.find(([size]) => metres >= 0.999 * size) || UNITS[UNITS.length - 1];
  return `${Number((metres / size).toPrecision(3))} ${unit}`;
}

class Floor {
  constructor(scene, lower) {
    const { point, normal } = scene.ground.floor;
    this.cell = roundBelow(scene.size / 6);
    this.point = vec(point).addScaledVector(vec(normal), -lower);
    this.group = new THREE.Group();
    this.group.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), vec(normal));
    this.group.position.copy(this.point);
    this.plane = new THREE.Mesh(this.faded(), new THREE.MeshBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false, toneMapped: false }));
    this.shade = new THREE.Mesh(new THREE.PlaneGeometry(CELLS * this.cell, CELLS * this.cell), new THREE.ShadowMaterial({ opacity: 0.3, depthWrite: false }));
    this.grid = new THREE.LineSegments(this.lines(), new THREE.LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false, toneMapped: false }));
    this.shade.receiveShadow = true;
    [this.plane, this.shade, this.grid].forEach((part, k) => { part.renderOrder = k - 5; });
    this.group.add(this.plane, this.shade, this.grid);
    this.paint();
  }

  get size() { return CELLS * this.cell; }

  // transparent at its border
  faded() {
    const geometry = new THREE.RingGeometry(0, this.size / 2, 64, 12), { position } = geometry.attributes;
    this.alpha(geometry, Array.from({ length: position.count }, (_, k) => 1 - (2 * Math.hypot(position.getX(k), position.getY(k))) / this.size));
    return geometry;
  }

  lines() {
    const points = [], alphas = [], half = CELLS / 2, alpha = (x, y) => 0.9 * Math.max(0, 1 - Math.hypot(x, y) / half) ** 1.3;
    for (let i = -half; i <= half; i++) for (let j = -half; j < half; j++) for (const [a, b] of [[[i, j], [i, j + 1]], [[j, i], [j + 1, i]]]) {
      points.push(a[0] * this.cell, a[1] * this.cell, 0, b[0] * this.cell, b[1] * this.cell, 0);
      alphas.push(alpha(...a), alpha(...b));
    }
    const geometry = new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
    this.alpha(geometry, alphas);
    return geometry;
  }

  alpha(geometry, alphas) {
    geometry.setAttribute("color", new THREE.Float32BufferAttribute(new Float32Array(4 * alphas.length).fill(1), 4));
    alphas.forEach((a, k) => geometry.attributes.color.setW(k, Math.max(0, a)));
  }

  // in the colours of the theme
  paint() {
    this.plane.material.color.set(themeColour("--floor"));
    this.grid.material.color.set(themeColour("--grid"));
    this.shade.material.opacity = Number(getComputedStyle(document.documentElement).getPropertyValue("--shade"));
  }

  // goes along by whole cells, so that it seems to stay
  follow(centre) {
    const local = centre.clone().sub(this.point).applyQuaternion(this.group.quaternion.clone().invert());
    local.set(this.cell * Math.round(local.x / this.cell), this.cell * Math.round(local.y / this.cell), 0);
    this.group.position.copy(local.applyQuaternion(this.group.quaternion).add(this.point));
  }

  // without shadows or reflections pictures come slowly: the grid alone is drawn then
  show(on, { shadows, reflections }) {
    this.grid.visible = on;
    this.shade.visible = on && shadows;
    this.plane.visible = on && reflections;
  }
}

// "━━ 20 cm · grid 5 cm": a bar on the screen that is as long as this in the middle of the picture
function lengthScale(stage, withGrid) {
  const pixels = stage.pixelsPerMetre(), length = roundBelow(110 / pixels), holder = $("length");
  holder.firstElementChild.style.width = `${length * pixels}px`;
  setText(holder.lastElementChild, `${lengthText(length)}${withGrid ? ` · grid ${lengthText(stage.floor.cell)}` : ""}`);
}
