"use strict";
// The stage: camera, light, floor, axes.

function goesFar(data) {
  // a motion that would be a dot in the picture of its whole way: the camera follows it
  return vec(data.frames.box[1]).sub(vec(data.frames.box[0])).length() > 4 * data.scene.size;
}

class Stage {
  constructor() {
    this.canvas = $("canvas");
    this.renderer = new THREE.WebGLRenderer({ canvas: this.canvas, antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio));
    this.world = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(35, 1, 0.001, 200);
    this.sun = new THREE.DirectionalLight("#ffffff", 1.8);
    this.world.add(new THREE.HemisphereLight("#ffffff", "#8d97a3", 2.2), this.sun);
    this.surroundings = new THREE.Group();
    this.gizmo = new Gizmo();
    new ResizeObserver(() => this.resize()).observe($("stage"));
    this.resize();
  }

  take(data, anew, follows) {
    // floor and axes of another scene; seen as before, or anew
    const scene = data.scene, surfaces = surfacePoints(data);
    disposed(this.surroundings);
    this.surroundings = this.surroundingsOf(scene, depthBelow(data, surfaces));
    this.world.add(this.surroundings);
    this.gizmo.take(scene);
    this.sun.position.copy(vec(scene.up)).add(vec(scene.camera.towards)).multiplyScalar(scene.size);
    this.camera.near = 0.001 * scene.size;
    this.camera.far = 200 * scene.size;
    this.camera.updateProjectionMatrix();
    if (anew) this.frame(data, follows, surfaces);
  }

  surroundingsOf(scene, lower) {
    const group = new THREE.Group();
    this.floorSize = 3 * scene.size;
    this.floorPoint = vec(scene.ground.floor.point).addScaledVector(vec(scene.ground.floor.normal), -lower);
    this.grid = new THREE.GridHelper(this.floorSize, 24, "#b3bdc8", "#c9d1d9");
    this.grid.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), vec(scene.ground.floor.normal));
    this.grid.position.copy(this.floorPoint);
    this.axes = new THREE.Group();
    for (const [colour, direction] of Object.values(AXES)) this.axes.add(pointerAlong(vec(direction), colour, 0.15 * scene.scale, 0.003 * scene.scale));
    group.add(this.grid, this.axes);
    return group;
  }

  frame(data, follows, surfaces = surfacePoints(data)) {
    if (this.controls) this.controls.dispose(); // its rotation is about the `up` that the camera has when it is made
    this.camera.up.copy(vec(data.scene.camera.up));
    this.controls = new THREE.OrbitControls(this.camera, this.canvas);
    const towards = vec(data.scene.camera.towards), { centre, distance } = framing(pointsOf(data, surfaces, follows), towards, this.camera.up, this.camera);
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).addScaledVector(towards, Math.max(distance, 0.1 * data.scene.size));
    this.followed = follows ? new THREE.Vector3() : null; // it is framed as if the middle of the bodies were at the origin
    this.controls.update();
  }

  resize() {
    const { clientWidth: w, clientHeight: h } = $("stage");
    this.renderer.setSize(w, h, false);
    this.camera.aspect = w / Math.max(1, h);
    this.camera.updateProjectionMatrix();
    this.drawn = null;
  }

  // in the middle of the picture
  pixelsPerMetre() {
    const distance = this.camera.position.distanceTo(this.controls.target);
    return $("stage").clientHeight / (2 * Math.tan((this.camera.fov / 2 / 180) * Math.PI) * distance);
  }

  // goes along with the middle of the bodies, or with none; the view stays as the reader has set it
  follow(centre) {
    if (centre) {
      const step = centre.clone().sub(this.followed || this.controls.target);
      this.controls.target.add(step);
      this.camera.position.add(step);
      this.keepFloor(centre);
    }
    this.followed = centre;
  }

  keepFloor(centre) {
    // the floor goes along by whole cells, so that it seems to stay
    const cell = this.floorSize / 24, inverse = this.grid.quaternion.clone().invert();
    const local = centre.clone().sub(this.floorPoint).applyQuaternion(inverse);
    local.set(cell * Math.round(local.x / cell), 0, cell * Math.round(local.z / cell));
    this.grid.position.copy(local.applyQuaternion(this.grid.quaternion).add(this.floorPoint));
  }

  // if `key` or the camera changed; whether it was drawn
  draw(key) {
    this.controls.update();
    const state = [key, this.camera.position.toArray(), this.camera.quaternion.toArray()].join();
    if (state === this.drawn) return false;
    this.drawn = state;
    const { clientWidth: w, clientHeight: h } = $("stage");
    this.renderer.setViewport(0, 0, w, h);
    this.renderer.render(this.world, this.camera);
    this.gizmo.draw(this.renderer, this.camera, w);
    return true;
  }
}
