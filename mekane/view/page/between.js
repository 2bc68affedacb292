"use strict";
// Springs and links: what is between points of two bodies.

function helix(coils, points = 14) {
  const n = Math.max(1, coils) * points, list = new Float32Array(3 * (n + 3));
  for (let k = 0; k <= n; k++) {
    const a = (2 * Math.PI * k) / points;
    list.set([Math.cos(a), Math.sin(a), 0.1 + (0.8 * k) / n], 3 * (k + 1));
  }
  list.set([0, 0, 0], 0);
  list.set([0, 0, 1], 3 * (n + 2));
  return list;
}

class Between {
  // a line of unit length along z, put between two points
  constructor(world, force, radius, colour) {
    this.ends = force.ends;
    const shape = force.look === "spring" ? helix(force.coils || 8) : new Float32Array([0, 0, 0, 0, 0, 1]);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(shape, 3));
    this.line = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: colour }));
    this.radius = force.look === "spring" ? radius : 1;
    this.line.frustumCulled = false;
    world.add(this.line);
  }

  place(pointOf) {
    const a = pointOf(this.ends[0].body, this.ends[0].point), b = pointOf(this.ends[1].body, this.ends[1].point);
    const d = b.clone().sub(a), length = d.length() || 1e-9;
    this.line.position.copy(a);
    this.line.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), d.divideScalar(length));
    this.line.scale.set(this.radius, this.radius, length);
  }
}
