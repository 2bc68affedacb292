"use strict";
// What is between two points: springs, dampers, actuators, links. Each is drawn along z and put between its ends.

const BETWEEN_COLOURS = { spring: "#8a5a2b", damper: "#5b6875", actuator: "#d97706", line: "#7a8590", link: "#444c56", rod: "#aeb6be", rope: "#b98d52" };

const painted = (colour, extra = {}) => new THREE.MeshStandardMaterial({ color: colour, roughness: 0.5, metalness: 0.2, ...extra });
const barAlongZ = (radius, sides = 16) => new THREE.CylinderGeometry(radius, radius, 1, sides).rotateX(Math.PI / 2).translate(0, 0, 0.5); // from 0 to 1

class Between {
  constructor(part, unit) {
    this.ends = part.ends;
    this.unit = unit; // radius of a pin
    this.root = new THREE.Group();
    this.root.userData = { name: part.name, kind: part.kind };
    this.length = -1;
  }

  bar(radius, colour) {
    const mesh = new THREE.Mesh(barAlongZ(radius), painted(colour));
    mesh.frustumCulled = false;
    this.root.add(mesh);
    return mesh;
  }

  span(mesh, from, to) {
    mesh.position.z = from;
    mesh.scale.z = Math.max(to - from, 1e-9);
  }

  place(pointOf) {
    const a = pointOf(this.ends[0].body, this.ends[0].point), d = pointOf(this.ends[1].body, this.ends[1].point).sub(a), length = d.length();
    this.root.position.copy(a);
    if (length > 0) this.root.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), d.divideScalar(length));
    if (Math.abs(length - this.length) <= 1e-7 * length) return;
    this.length = length;
    this.stretch(length);
  }
}

class Rod extends Between {
  constructor(part, unit, share, colour) {
    super(part, unit);
    this.mesh = this.bar(share * unit, colour);
  }

  stretch(length) { this.span(this.mesh, 0, length); }
}

class Spring extends Between {
  constructor(part, unit) {
    super(part, unit);
    this.coils = part.coils || 8;
  }

  // the wire is made when its first length is known: a long spring has more coils
  begin(length) {
    this.coils = Math.max(this.coils, Math.min(30, Math.round(length / (2.5 * this.unit))));
    this.tube = new Tube(18 * this.coils + 5, 0.22 * this.unit);
    const mesh = new THREE.Mesh(this.tube.geometry, painted(BETWEEN_COLOURS.spring, { metalness: 0.45 }));
    mesh.frustumCulled = false;
    this.root.add(mesh);
  }

  stretch(length) {
    if (!this.tube) this.begin(length);
    this.tube.along(this.wire(length));
  }

  wire(length) {
    // straight ends, between them a helix that grows out of the axis and back within half a turn
    const n = this.tube.count - 5, list = new Float32Array(3 * this.tube.count), radius = 1.25 * this.unit, end = Math.min(0.12 * length, 3 * this.unit);
    for (let k = 0; k <= n; k++) {
      const u = k / n, a = 2 * Math.PI * this.coils * u, r = radius * Math.min(1, 2 * this.coils * Math.min(u, 1 - u));
      list.set([r * Math.cos(a), r * Math.sin(a), end + (length - 2 * end) * u], 3 * (k + 2));
    }
    list.set([0, 0, 0, 0, 0, 0.9 * end], 0);
    list.set([0, 0, length - 0.9 * end, 0, 0, length], 3 * (n + 3));
    return list;
  }
}

class Piston extends Between {
  // a housing at the first end and a rod at the second, which slides in it
  constructor(part, unit, colour) {
    super(part, unit);
    this.stem = this.bar(0.25 * unit, "#c9ced4");
    this.housing = this.bar(0.9 * unit, colour);
    this.rod = this.bar(0.4 * unit, "#c9ced4");
  }

  stretch(length) {
    this.first ??= length;
    const house = Math.min(0.5 * this.first, 0.7 * length), begin = Math.min(0.12 * this.first, 0.2 * length);
    this.span(this.stem, 0, begin);
    this.span(this.housing, begin, begin + house);
    this.span(this.rod, begin + 0.5 * house, length);
  }
}

function betweenOf(part, unit) {
  switch (part.look) {
    case "spring": return new Spring(part, unit);
    case "damper": return new Piston(part, unit, BETWEEN_COLOURS.damper);
    case "actuator": return new Piston(part, unit, BETWEEN_COLOURS.actuator);
    case "rod": return new Rod(part, unit, 0.9, BETWEEN_COLOURS.rod);
    case "rope": return new Rod(part, unit, 0.4, BETWEEN_COLOURS.rope);
    case "link": return new Rod(part, unit, 0.45, BETWEEN_COLOURS.link);
    default: return new Rod(part, unit, 0.15, BETWEEN_COLOURS.line);
  }
}
