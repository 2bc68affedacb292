"use strict";
// A round wire along points, whose geometry is changed in place when the points move: springs, spirals, paths.

class Tube {
  constructor(count, radius, sides = 6) {
    Object.assign(this, { count, radius, sides });
    this.geometry = new THREE.BufferGeometry();
    for (const name of ["position", "normal"]) this.geometry.setAttribute(name, new THREE.Float32BufferAttribute(new Float32Array(3 * count * sides), 3));
    const faces = [];
    for (let k = 0; k + 1 < count; k++) {
      for (let s = 0; s < sides; s++) {
        const a = k * sides + s, b = k * sides + ((s + 1) % sides);
        faces.push(a, b, a + sides, b, b + sides, a + sides);
      }
    }
    this.geometry.setIndex(faces);
  }

  along(points) {
    const { count, sides, radius } = this, position = this.geometry.attributes.position, normal = this.geometry.attributes.normal;
    const at = (k) => new THREE.Vector3(points[3 * k], points[3 * k + 1], points[3 * k + 2]);
    const t = new THREE.Vector3(0, 0, 1), n = new THREE.Vector3(), b = new THREE.Vector3(), out = new THREE.Vector3();
    for (let k = 0; k < count; k++) {
      const p = at(k), step = at(Math.min(k + 1, count - 1)).sub(at(Math.max(k - 1, 0)));
      if (step.lengthSq() > 0) t.copy(step).normalize();
      n.addScaledVector(t, -n.dot(t)); // the direction across is transported with as little rotation as possible
      if (n.lengthSq() < 1e-12) n.set(Math.abs(t.x) < 0.7 ? 1 : 0, Math.abs(t.x) < 0.7 ? 0 : 1, 0).addScaledVector(t, -(Math.abs(t.x) < 0.7 ? t.x : t.y));
      n.normalize();
      b.crossVectors(t, n);
      for (let s = 0; s < sides; s++) {
        const angle = (2 * Math.PI * s) / sides, i = k * sides + s;
        out.copy(n).multiplyScalar(Math.cos(angle)).addScaledVector(b, Math.sin(angle));
        normal.setXYZ(i, out.x, out.y, out.z);
        position.setXYZ(i, p.x + radius * out.x, p.y + radius * out.y, p.z + radius * out.z);
      }
    }
    position.needsUpdate = normal.needsUpdate = true;
    this.geometry.boundingSphere = this.geometry.boundingBox = null;
    return this.geometry;
  }
}
