"use strict";
// Light: surroundings that are seen in reflections, and a sun with soft shadows. Where pictures come too slowly, shadows go first, then the
// surroundings, in whose place a plain sky gives as much light.

const SLOW = 60, PATIENCE = 1200; // ms from picture to picture while it plays; ms of such pictures before something goes
const SHADOW_PIXELS = 1024;
const SUN = { with: 2.1, without: 2.8 }, SKY = 4; // strengths with reflections and without: pictures are as bright

// a sky above, a floor below, and a bright window on one side
function surroundingScene() {
  const scene = new THREE.Scene(), sky = new THREE.SphereGeometry(10, 32, 24), { position } = sky.attributes;
  const shades = new Float32Array(3 * position.count), low = new THREE.Color("#8d949c"), middle = new THREE.Color("#eef2f6"), high = new THREE.Color("#ffffff"), mixed = new THREE.Color();
  for (let k = 0; k < position.count; k++) {
    const height = position.getY(k) / 10;
    mixed.lerpColors(middle, height < 0 ? low : high, Math.min(1, Math.abs(1.6 * height))).multiplyScalar(height > 0.55 ? 1.5 : 0.8).toArray(shades, 3 * k);
  }
  sky.setAttribute("color", new THREE.BufferAttribute(shades, 3));
  const window = new THREE.Mesh(new THREE.BoxGeometry(0.2, 5, 6), new THREE.MeshBasicMaterial({ color: new THREE.Color(4, 4, 4) }));
  window.position.set(7, 4, 3);
  scene.add(new THREE.Mesh(sky, new THREE.MeshBasicMaterial({ vertexColors: true, side: THREE.BackSide })), window);
  return scene;
}

// without a graphics card all is drawn by the processor: reflections would take half of the time
function isSoftware() {
  const gl = document.createElement("canvas").getContext("webgl2"), names = gl?.getExtension("WEBGL_debug_renderer_info");
  const found = Boolean(names) && /swiftshader|llvmpipe|softpipe|software/i.test(gl.getParameter(names.UNMASKED_RENDERER_WEBGL));
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return found;
}

class Light {
  constructor(renderer, world, software) {
    this.renderer = renderer;
    this.software = software;
    this.world = world;
    this.sun = new THREE.DirectionalLight("#fffaf2", SUN.with);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(SHADOW_PIXELS, SHADOW_PIXELS);
    this.sun.shadow.radius = 3;
    world.add(this.sun, this.sun.target);
    this.sky = new THREE.HemisphereLight("#ffffff", "#c2c9d1", SKY);
    this.sky.visible = false;
    world.add(this.sky);
    this.slow = 0;
    if (!renderer) return;
    renderer.shadowMap.enabled = true;
    renderer.shadowMap.type = THREE.PCFShadowMap;
    renderer.toneMapping = THREE.NeutralToneMapping;
    world.environmentIntensity = 0.75;
    this.all(!software);
  }

  // all of it that is not too slow here, or what is drawn fast
  all(on) {
    this.shadows = on;
    this.reflections = on && !this.software;
  }

  // made when they are wanted
  made() {
    const maker = new THREE.PMREMGenerator(this.renderer), scene = surroundingScene(), { texture } = maker.fromScene(scene, 0.03, 0.1, 100, { size: 64 });
    maker.dispose();
    disposed(scene);
    return texture;
  }

  // shadows of all that comes within a radius around a centre
  take(scene, { centre, radius }) {
    const up = vec(scene.up), towards = vec(scene.camera.towards), right = new THREE.Vector3().crossVectors(vec(scene.camera.up), towards).normalize();
    this.world.environmentRotation.setFromQuaternion(new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), up));
    this.direction = up.clone().multiplyScalar(1.5).addScaledVector(towards, 0.7).addScaledVector(right, 0.45).normalize();
    this.radius = radius;
    const { camera } = this.sun.shadow;
    Object.assign(camera, { left: -radius, right: radius, top: radius, bottom: -radius, near: 0.5 * radius, far: 5 * radius });
    camera.updateProjectionMatrix();
    this.sun.shadow.bias = -0.0004;
    this.sun.shadow.normalBias = (3 * radius) / SHADOW_PIXELS;
    this.at(centre);
  }

  at(centre) {
    this.sun.target.position.copy(centre);
    this.sun.position.copy(centre).addScaledVector(this.direction, 2.5 * this.radius);
  }

  get shadows() { return this.sun.castShadow; }

  set shadows(on) {
    this.sun.castShadow = on;
    this.slow = 0;
  }

  get reflections() { return Boolean(this.world.environment); }

  set reflections(on) {
    if (on && this.renderer) this.surroundings ??= this.made();
    this.world.environment = on ? this.surroundings : null;
    this.sky.visible = !on;
    this.sun.intensity = on ? SUN.with : SUN.without;
    this.slow = 0;
  }

  // after every picture while it plays: what has just gone because they come too slowly, or nothing
  measured(milliseconds) {
    this.slow = Math.max(0, this.slow + (milliseconds > SLOW ? milliseconds : -2 * milliseconds));
    if (this.slow < PATIENCE || !(this.shadows || this.reflections)) return "";
    const gone = this.shadows ? "shadows" : "reflections";
    this[gone] = false;
    return gone;
  }
}
