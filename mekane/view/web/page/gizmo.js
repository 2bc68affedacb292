"use strict";
// Axes of the world and gravity in a corner of the picture.

const GIZMO = 84; // pixels
const AXES = { x: ["#c0392b", [1, 0, 0]], y: ["#1e8449", [0, 1, 0]], z: ["#2456b8", [0, 0, 1]] };

function pointerAlong(direction, colour, length, thick) {
  const group = new THREE.Group(), material = painted(colour), shaft = new THREE.Mesh(barAlongZ(thick, 10), material);
  const head = new THREE.Mesh(new THREE.ConeGeometry(2.6 * thick, 6 * thick, 14).rotateX(Math.PI / 2), material);
  shaft.scale.z = length - 5 * thick;
  head.position.z = length - 3 * thick;
  group.add(shaft, head);
  group.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), direction);
  return group;
}

class Gizmo {
  constructor() {
    this.scene = new THREE.Scene();
    this.scene.add(new THREE.HemisphereLight("#ffffff", "#8d97a3", 3));
    this.camera = new THREE.PerspectiveCamera(30, 1, 0.1, 20);
    this.arrows = new THREE.Group();
  }

  take(scene) {
    disposed(this.arrows);
    this.arrows = new THREE.Group();
    this.tips = Object.entries(AXES).map(([name, [colour, direction]]) => ({ name, colour, direction: vec(direction), length: 1 }));
    const g = vec(scene.gravity);
    if (g.length() > 0) this.tips.push({ name: "g", colour: "#57606a", direction: g.normalize(), length: 0.8 });
    for (const tip of this.tips) this.arrows.add(pointerAlong(tip.direction, tip.colour, tip.length, 0.05));
    this.scene.add(this.arrows);
    $("gizmo").replaceChildren(...this.tips.map((tip) => {
      tip.label = document.createElement("span");
      tip.label.textContent = tip.name;
      tip.label.style.color = tip.colour;
      return tip.label;
    }));
  }

  // in the right lower corner, rotated as the camera is
  draw(renderer, camera, width) {
    this.camera.quaternion.copy(camera.quaternion);
    this.camera.position.set(0, 0, 6).applyQuaternion(camera.quaternion);
    this.camera.updateMatrixWorld();
    for (const tip of this.tips) {
      const at = tip.direction.clone().multiplyScalar(1.28 * tip.length).project(this.camera);
      tip.label.style.left = `${(0.5 + 0.5 * at.x) * GIZMO}px`;
      tip.label.style.top = `${(0.5 - 0.5 * at.y) * GIZMO}px`;
    }
    renderer.autoClear = false;
    renderer.clearDepth();
    renderer.setViewport(width - GIZMO - 4, 4, GIZMO, GIZMO);
    renderer.render(this.scene, this.camera);
    renderer.autoClear = true;
  }
}
