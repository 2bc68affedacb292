"use strict";
// The stage: camera, light, floor, axes. Without WebGL there is none, and the page says so; all else goes on.

const FAR = 4, AWAY = 1.4; // sizes of the mechanism; the second across `up`, where no joint of the ground keeps it in its place (view/scene/framing.py)

// a motion that would be small in the picture of its whole way: the camera follows it
function goesFar({ frames, scene }) {
  const extent = vec(frames.box[1]).sub(vec(frames.box[0])), anchored = scene.joints.some((joint) => !joint.translations && [joint.a.body, joint.b.body].includes(-1));
  const across = vec(extent.toArray().map((x, k) => x * (1 - Math.abs(scene.up[k]))));
  return extent.length() > FAR * scene.size || (!anchored && across.length() > AWAY * scene.size);
}

const LAST_DIGITS = 1e-12; // relative, of the camera: a change that cannot be seen
const STILL = 300, FINE = 2; // ms without a change, after which a picture is drawn as fine as this where the processor draws

// the picture is made by this; null where the browser has no WebGL
function rendererOn(canvas, antialias) {
  const complain = console.error;
  try {
    console.error = () => {}; // three.js would print what is shown on the stage
    return new THREE.WebGLRenderer({ canvas, antialias, alpha: true, preserveDrawingBuffer: true });
  } catch { return null; } finally { console.error = complain; }
}

class Stage {
  constructor() {
    this.canvas = $("canvas");
    this.software = isSoftware();
    this.renderer = rendererOn(this.canvas, !this.software);
    $("no-webgl").hidden = Boolean(this.renderer);
    if (this.renderer) this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio));
    this.world = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(35, 1, 0.001, 200);
    this.light = new Light(this.renderer, this.world, this.software);
    this.outlines = { near: new Outline("#1f6feb"), selected: new Outline("#e8590c") };
    this.surroundings = new THREE.Group();
    this.gizmo = new Gizmo();
    this.resized = () => {}; // what the page does then
    new ResizeObserver(() => { this.resize(); this.resized(); }).observe($("stage"));
    this.resize();
  }

  take(data, anew, follows) {
    // floor and axes of another scene; seen as before, or anew
    const scene = data.scene, surfaces = surfacePoints(data);
    disposed(this.surroundings);
    this.surroundings = this.surroundingsOf(data, depthBelow(data, surfaces));
    this.world.add(this.surroundings);
    this.gizmo.take(scene);
    this.reach = reachOf(data, surfaces);
    this.light.take(scene, follows ? { centre: new THREE.Vector3(), radius: this.reach.about } : this.reach);
    this.camera.near = 0.001 * scene.size;
    this.camera.far = 200 * scene.size;
    this.camera.updateProjectionMatrix();
    if (anew) this.frame(data, follows, surfaces);
  }

  surroundingsOf(data, lower) {
    const group = new THREE.Group(), { scene } = data;
    this.floor = new Floor(scene, lower);
    this.dressed = scene.ground.solids.length > 0; // its origin is no bare place: the corner shows the directions
    this.axes = new THREE.Group();
    for (const [colour, direction] of Object.values(AXES)) this.axes.add(pointerAlong(vec(direction), colour, 0.12 * scene.scale, 0.0025 * scene.scale));
    this.posts = postsOf(data, this.floor);
    group.add(this.floor.group, this.axes, this.posts);
    return group;
  }

  // what of it is shown
  options({ grid, joints }) {
    this.floor.show(grid, this.light);
    this.axes.visible = grid && !this.dressed;
    this.posts.visible = joints;
  }

  repaint() {
    if (this.floor) this.floor.paint();
    this.drawn = null;
  }

  frame(data, follows, surfaces = surfacePoints(data)) {
    if (this.controls) this.controls.dispose(); // its rotation is about the `up` that the camera has when it is made
    this.camera.up.copy(vec(data.scene.camera.up));
    this.controls = new THREE.OrbitControls(this.camera, this.canvas);
    this.chosen = false; // until the reader turns it
    let held = false; // a click that turns nothing does not choose a view
    this.controls.addEventListener("start", () => { held = true; });
    this.controls.addEventListener("change", () => { this.chosen ||= held; });
    this.controls.addEventListener("end", () => { held = false; });
    const towards = vec(data.scene.camera.towards), { centre, distance } = framing(pointsOf(data, surfaces, follows), towards, this.camera.up, this.camera);
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).addScaledVector(towards, Math.max(distance, 0.1 * data.scene.size));
    this.followed = follows ? new THREE.Vector3() : null; // it is framed as if the middle of the bodies were at the origin
    this.controls.update();
  }

  // whether all of a motion is in the picture
  sees(data) {
    this.camera.updateMatrixWorld();
    const p = new THREE.Vector3();
    return surfacePoints(data).every(({ points }) => points.every((point) => { p.copy(point).project(this.camera); return Math.abs(p.x) <= 1 && Math.abs(p.y) <= 1 && p.z < 1; }));
  }

  resize() {
    const { clientWidth: w, clientHeight: h } = $("stage");
    if (this.renderer) this.renderer.setSize(w, h, false);
    for (const outline of Object.values(this.outlines)) outline.resize(w, h);
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
      this.floor.follow(centre);
      this.light.at(centre);
    }
    this.followed = centre;
  }

  // if `key` or the camera changed; whether it was drawn
  draw(key) {
    this.controls.update();
    const state = { key, camera: [...this.camera.position.toArray(), ...this.camera.quaternion.toArray()] }, moved = !this.shows(state);
    if (moved) this.movedAt = performance.now();
    if (!this.renderer || !(moved || this.refines)) return false;
    this.drawn = state;
    if (this.software) this.sharpen(!moved);
    const { clientWidth: w, clientHeight: h } = $("stage");
    this.renderer.setViewport(0, 0, w, h);
    this.renderer.render(this.world, this.camera);
    this.gizmo.draw(this.renderer, this.camera, w);
    return moved;
  }

  // whether this was drawn last; the controls find the camera anew each time, and its last digits come and go
  shows({ key, camera }) {
    const { position } = this.camera, most = LAST_DIGITS * (position.length() + position.distanceTo(this.controls.target));
    return key === this.drawn?.key && camera.every((x, k) => Math.abs(x - this.drawn.camera[k]) <= (k < 3 ? most : LAST_DIGITS));
  }

  // the processor draws what moves without smooth edges, which takes half of the time, and what stands still with them
  get refines() { return this.software && !this.fine && performance.now() - this.movedAt > STILL; }

  sharpen(on) {
    if (this.fine === on) return;
    this.fine = on;
    this.renderer.setPixelRatio(on ? FINE : 1);
  }
}
