"use strict";
// The page of a motion: reads the data that stands in it (docs/scene.md), draws the mechanism, plays it. One page serves a saved file and a server.

const $ = (id) => document.getElementById(id);

// ---------------------------------------------------------------- data

async function unpacked(block) {
  const bytes = Uint8Array.from(atob(block.data), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const buffer = await new Response(stream).arrayBuffer();
  const kinds = { float32: Float32Array, float64: Float64Array, int32: Int32Array };
  return new kinds[block.dtype](buffer);
}

async function readData() {
  const data = JSON.parse($("data").textContent);
  data.time = await unpacked(data.frames.time);
  data.poses = await unpacked(data.frames.poses);
  for (const arrow of data.arrows) arrow.numbers = await unpacked(arrow.values);
  for (const channel of Object.values(data.channels)) channel.numbers = await unpacked(channel.values);
  return data;
}

// ---------------------------------------------------------------- solids

const vec = (x) => new THREE.Vector3(x[0], x[1], x[2]);
const quat = (x) => new THREE.Quaternion(x[0], x[1], x[2], x[3]);

function geometryOf(solid) {
  const s = solid.size, upright = (g) => g.rotateX(Math.PI / 2); // three's cylinders stand along y, ours along z
  switch (solid.kind) {
    case "box": return new THREE.BoxGeometry(s[0], s[1], s[2]);
    case "cylinder": return upright(new THREE.CylinderGeometry(s[0], s[0], s[1], 32));
    case "capsule": return upright(new THREE.CapsuleGeometry(s[0], s[1], 8, 24));
    case "sphere": return new THREE.SphereGeometry(s[0], 32, 20);
    case "ellipsoid": return new THREE.SphereGeometry(1, 40, 28).scale(s[0], s[1], s[2]);
    case "disc": return upright(new THREE.CylinderGeometry(s[0], s[0], s[1], 48));
    case "ring": return ringOf(s);
    case "prism": return extruded(new THREE.Shape(solid.outline.map((p) => new THREE.Vector2(p[0], p[1]))), s[0]);
  }
  throw new Error(`unknown solid ${solid.kind}`);
}

function extruded(shape, thickness) {
  return new THREE.ExtrudeGeometry(shape, { depth: thickness, bevelEnabled: false, curveSegments: 48 }).translate(0, 0, -thickness / 2);
}

function ringOf(size) {
  const shape = new THREE.Shape().absarc(0, 0, size[1], 0, 2 * Math.PI);
  shape.holes.push(new THREE.Path().absarc(0, 0, size[0], 0, 2 * Math.PI));
  return extruded(shape, size[2]);
}

function meshOf(solid, extra = {}) {
  const material = new THREE.MeshStandardMaterial({ color: solid.colour, roughness: 0.55, metalness: 0.1, ...extra });
  const mesh = new THREE.Mesh(geometryOf(solid), material);
  mesh.position.copy(vec(solid.position));
  mesh.quaternion.copy(quat(solid.rotation));
  return mesh;
}

// ---------------------------------------------------------------- springs, links and arrows: what is between points of two bodies

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

// ---------------------------------------------------------------- the mechanism

class Mechanism {
  constructor(data, world) {
    this.data = data;
    this.n = data.scene.bodies.length;
    this.groups = data.scene.bodies.map((body) => this.bodyGroup(body, world));
    this.ground = new THREE.Group();
    for (const solid of data.scene.ground.solids) this.ground.add(meshOf(solid));
    world.add(this.ground);
    this.glyphs = this.jointGlyphs();
    this.between = this.lines(world);
    this.arrows = data.arrows.map((arrow) => this.arrow(arrow, world));
    this.ghost = this.ghostGroup(world);
  }

  bodyGroup(body, world) {
    const group = new THREE.Group();
    group.userData = { name: body.name, kind: "body" };
    for (const solid of body.solids) group.add(meshOf(solid));
    world.add(group);
    return group;
  }

  jointGlyphs() {
    const list = [];
    for (const joint of this.data.scene.joints) {
      for (const part of joint.glyph) {
        const mesh = meshOf(part.solid, { transparent: true, opacity: 0.85 });
        mesh.userData = { name: joint.name, kind: joint.kind };
        (part.body < 0 ? this.ground : this.groups[part.body]).add(mesh);
        list.push(mesh);
      }
    }
    return list;
  }

  lines(world) {
    const scene = this.data.scene, radius = 0.025 * scene.scale, list = [];
    for (const force of scene.forces) if (force.ends.length === 2) list.push(new Between(world, force, radius, "#8a4b08"));
    for (const c of scene.constraints) {
      if (c.look === "link" && c.points.length === 2) list.push(new Between(world, { look: "line", ends: c.points }, 1, "#444444"));
    }
    return list;
  }

  arrow(arrow, world) {
    const helper = new THREE.ArrowHelper(new THREE.Vector3(0, 0, 1), new THREE.Vector3(), 1, "#d1242f");
    helper.visible = false;
    world.add(helper);
    return { helper, ...arrow };
  }

  ghostGroup(world) {
    const ghost = new THREE.Group();
    this.data.scene.bodies.forEach((body, k) => {
      const group = new THREE.Group();
      for (const solid of body.solids) group.add(meshOf(solid, { transparent: true, opacity: 0.15, depthWrite: false }));
      this.pose(group, 0, 0, 0, k);
      ghost.add(group);
    });
    ghost.visible = false;
    world.add(ghost);
    return ghost;
  }

  pose(group, i, j, w, k) {
    // between frames i and j, with weight w of the second
    const p = this.data.poses, a = 7 * (i * this.n + k), b = 7 * (j * this.n + k), mix = (c) => p[a + c] + w * (p[b + c] - p[a + c]);
    group.position.set(mix(0), mix(1), mix(2));
    group.quaternion.set(mix(3), mix(4), mix(5), mix(6)).normalize();
  }

  show(t, options) {
    const { i, j, w } = this.between_frames(t);
    this.groups.forEach((group, k) => this.pose(group, i, j, w, k));
    const pointOf = (body, point) => {
      const x = vec(point);
      return body < 0 ? x : x.applyQuaternion(this.groups[body].quaternion).add(this.groups[body].position);
    };
    for (const line of this.between) line.place(pointOf);
    for (const arrow of this.arrows) this.placeArrow(arrow, i, j, w, options);
    for (const glyph of this.glyphs) glyph.visible = options.joints;
    this.ghost.visible = options.ghost;
  }

  placeArrow(arrow, i, j, w, options) {
    const x = arrow.numbers, mix = (c) => x[6 * i + c] + w * (x[6 * j + c] - x[6 * i + c]);
    const force = new THREE.Vector3(mix(3), mix(4), mix(5)), size = force.length();
    arrow.helper.visible = options.forces && size > 1e-9 * (options.largest || 1);
    if (!arrow.helper.visible) return;
    const length = (0.5 * this.data.scene.scale * size) / (options.largest || 1);
    arrow.helper.position.set(mix(0), mix(1), mix(2));
    arrow.helper.setDirection(force.divideScalar(size));
    arrow.helper.setLength(length, Math.min(0.3 * length, 0.06 * this.data.scene.scale), Math.min(0.15 * length, 0.03 * this.data.scene.scale));
  }

  between_frames(t) {
    const time = this.data.time, last = time.length - 1;
    if (!(t > time[0])) return { i: 0, j: 0, w: 0 };
    if (t >= time[last]) return { i: last, j: last, w: 0 };
    let low = 0, high = last;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (time[middle] <= t) low = middle; else high = middle;
    }
    return { i: low, j: high, w: (t - time[low]) / (time[high] - time[low]) };
  }

  centre() {
    const sum = new THREE.Vector3();
    for (const group of this.groups) sum.add(group.position);
    return sum.divideScalar(Math.max(1, this.n));
  }
}

// ---------------------------------------------------------------- the stage

function goesFar(data) {
  // a motion that would be a dot in the picture of its whole way: the camera follows it
  return vec(data.frames.box[1]).sub(vec(data.frames.box[0])).length() > 4 * data.scene.size;
}

class Stage {
  constructor(data) {
    const scene = data.scene;
    this.canvas = $("canvas");
    this.renderer = new THREE.WebGLRenderer({ canvas: this.canvas, antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio));
    this.world = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(35, 1, 0.001 * scene.size, 200 * scene.size);
    this.camera.up.copy(vec(scene.camera.up));
    this.controls = new THREE.OrbitControls(this.camera, this.canvas);
    this.lights(scene);
    this.surroundings(scene);
    this.frame(data);
    new ResizeObserver(() => this.resize()).observe($("stage"));
    this.resize();
  }

  lights(scene) {
    this.world.add(new THREE.HemisphereLight("#ffffff", "#8d97a3", 2.2));
    const sun = new THREE.DirectionalLight("#ffffff", 1.8);
    sun.position.copy(vec(scene.up)).add(vec(scene.camera.towards)).multiplyScalar(scene.size);
    this.world.add(sun);
  }

  surroundings(scene) {
    this.floorSize = 3 * scene.size;
    this.floorPoint = vec(scene.ground.floor.point);
    this.grid = new THREE.GridHelper(this.floorSize, 24, "#c3cbd3", "#d5dbe1");
    this.grid.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), vec(scene.ground.floor.normal));
    this.grid.position.copy(this.floorPoint);
    this.axes = new THREE.AxesHelper(0.2 * scene.scale);
    this.world.add(this.grid, this.axes);
    const g = vec(scene.gravity);
    if (g.length() > 0) {
      const at = vec(scene.box[1]);
      this.gravity = new THREE.ArrowHelper(g.normalize(), at, 0.2 * scene.scale, "#57606a", 0.05 * scene.scale, 0.03 * scene.scale);
      this.world.add(this.gravity);
    }
  }

  frame(data) {
    const box = new THREE.Box3(vec(data.scene.box[0]), vec(data.scene.box[1]));
    if (!goesFar(data)) box.expandByPoint(vec(data.frames.box[0])).expandByPoint(vec(data.frames.box[1]));
    const centre = box.getCenter(new THREE.Vector3()), reach = 0.5 * box.getSize(new THREE.Vector3()).length();
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).addScaledVector(vec(data.scene.camera.towards), (1.15 * reach) / Math.sin((35 / 2 / 180) * Math.PI));
    this.controls.update();
  }

  resize() {
    const { clientWidth: w, clientHeight: h } = $("stage");
    this.renderer.setSize(w, h, false);
    this.camera.aspect = w / Math.max(1, h);
    this.camera.updateProjectionMatrix();
  }

  follow(centre) {
    const step = centre.clone().sub(this.controls.target);
    this.controls.target.add(step);
    this.camera.position.add(step);
    this.keepFloor(centre);
  }

  keepFloor(centre) {
    // the floor goes along by whole cells, so that it seems to stay
    const cell = this.floorSize / 24, inverse = this.grid.quaternion.clone().invert();
    const local = centre.clone().sub(this.floorPoint).applyQuaternion(inverse);
    local.set(cell * Math.round(local.x / cell), 0, cell * Math.round(local.z / cell));
    this.grid.position.copy(local.applyQuaternion(this.grid.quaternion).add(this.floorPoint));
  }

  draw() {
    this.controls.update();
    this.renderer.render(this.world, this.camera);
  }
}

// ---------------------------------------------------------------- plots

const COLOURS = ["#1f6feb", "#d1242f", "#1a7f37", "#8250df", "#bf8700", "#0a7ea4", "#bc4c00"];

class Plots {
  constructor(data, seek) {
    this.data = data;
    this.seek = seek;
    this.charts = [];
    const names = Object.keys(data.channels);
    $("channel").append(new Option("add a plot …", ""), ...names.map((name) => new Option(name, name)));
    $("channel").addEventListener("change", (event) => {
      if (event.target.value) this.add(event.target.value);
      event.target.value = "";
    });
    for (const name of data.shown) this.add(name);
  }

  add(name) {
    const channel = this.data.channels[name], width = channel.values.shape[1] || 1, t = Array.from(this.data.time);
    const columns = Array.from({ length: width }, (_, c) => t.map((_, i) => channel.numbers[i * width + c]));
    const series = columns.map((_, c) => ({ label: channel.labels ? channel.labels[c] : name, stroke: COLOURS[c % COLOURS.length], width: 1.5 }));
    const holder = document.createElement("div");
    $("plots").append(holder);
    const axis = { size: 56, font: "11px system-ui" };
    const chart = new uPlot({
      width: ($("plots").clientWidth || 300) - 2, height: 130, title: `${name} [${channel.units || "1"}]`,
      scales: { x: { time: false } }, axes: [{ ...axis, size: 28 }, axis], legend: { show: width > 1, live: false },
      series: [{ label: "t" }, ...series], cursor: { drag: { setScale: false } },
    }, [t, ...columns], holder);
    const line = document.createElement("div");
    line.style.cssText = "position:absolute;top:0;bottom:0;width:1px;background:#1c2733;pointer-events:none";
    chart.over.append(line);
    chart.over.addEventListener("click", () => chart.cursor.left >= 0 && this.seek(chart.posToVal(chart.cursor.left, "x")));
    this.charts.push({ chart, line });
  }

  show(t) {
    for (const { chart, line } of this.charts) line.style.left = `${chart.valToPos(t, "x")}px`;
  }
}

// ---------------------------------------------------------------- the whole

class Page {
  constructor(data) {
    this.data = data;
    this.t = data.time[0];
    this.playing = false;
    this.rate = 1;
    this.options = { joints: true, forces: false, ghost: false, follow: goesFar(data), grid: true, largest: Math.max(0, ...data.arrows.map((a) => a.largest)) };
    this.stage = new Stage(data);
    this.mechanism = new Mechanism(data, this.stage.world);
    this.plots = new Plots(data, (t) => this.seek(t));
    this.words();
    this.bar();
    this.pointer();
    this.last = performance.now();
    const tick = (now) => { this.tick(now); requestAnimationFrame(tick); };
    requestAnimationFrame(tick);
  }

  get end() { return this.data.time[this.data.time.length - 1]; }
  get begin() { return this.data.time[0]; }

  words() {
    const { scene, info } = this.data;
    $("title").textContent = document.title = scene.name;
    $("subtitle").textContent = info.subtitle;
    $("health").textContent = info.health;
    scene.bodies.forEach((body, k) => this.part(body.name, `${body.mass.toPrecision(4)} kg`, body.colour, this.mechanism.groups[k]));
    for (const joint of scene.joints) this.part(joint.name, joint.kind, "#c9d1d9", null);
    const names = { joints: "joints", forces: "reactions", ghost: "ghost of the start", follow: "camera follows", grid: "floor and axes" };
    for (const [key, text] of Object.entries(names)) this.toggle(key, text);
  }

  part(name, text, colour, group) {
    const li = document.createElement("li"), swatch = document.createElement("span"), small = document.createElement("small");
    swatch.className = "swatch";
    swatch.style.background = colour;
    small.textContent = ` ${text}`;
    li.append(swatch, name, small);
    li.dataset.name = name;
    if (group) {
      const glow = (on) => group.traverse((x) => x.material && x.material.emissive && x.material.emissive.set(on ? "#3b82f6" : "#000000"));
      li.addEventListener("mouseenter", () => glow(true));
      li.addEventListener("mouseleave", () => glow(false));
    }
    $("parts").append(li);
  }

  toggle(key, text) {
    if (key === "forces" && !this.data.arrows.length) return;
    const label = document.createElement("label"), box = document.createElement("input");
    box.type = "checkbox";
    box.id = `show-${key}`;
    box.checked = this.options[key];
    box.addEventListener("change", () => { this.options[key] = box.checked; });
    label.append(box, ` ${text}`);
    $("show").append(label);
  }

  bar() {
    const span = this.end - this.begin;
    for (const rate of [0.01, 0.03, 0.1, 0.25, 0.5, 1, 2, 5]) $("speed").append(new Option(`${rate}×`, rate));
    const natural = span < 0.2 ? 0.01 : span < 1 ? 0.1 : 1;
    $("speed").value = this.rate = natural;
    $("speed").addEventListener("change", (event) => { this.rate = Number(event.target.value); });
    $("scrub").min = this.begin;
    $("scrub").max = this.end;
    $("scrub").addEventListener("input", (event) => { this.playing = false; this.seek(Number(event.target.value)); });
    $("play").addEventListener("click", () => this.press());
    document.addEventListener("keydown", (event) => {
      if (event.code === "Space" && !["INPUT", "SELECT", "BUTTON", "TEXTAREA"].includes(event.target.tagName)) { event.preventDefault(); this.press(); }
    });
  }

  press() {
    if (!this.playing && this.t >= this.end) this.t = this.begin;
    this.playing = !this.playing;
  }

  seek(t) {
    this.t = Math.min(this.end, Math.max(this.begin, t));
  }

  pointer() {
    const ray = new THREE.Raycaster(), tip = $("tip");
    this.stage.canvas.addEventListener("pointermove", (event) => {
      const box = this.stage.canvas.getBoundingClientRect();
      const at = new THREE.Vector2((2 * (event.clientX - box.left)) / box.width - 1, 1 - (2 * (event.clientY - box.top)) / box.height);
      ray.setFromCamera(at, this.stage.camera);
      const hit = ray.intersectObjects([...this.mechanism.groups, this.mechanism.ground], true).find((x) => x.object.isMesh);
      const named = hit && (hit.object.userData.name ? hit.object : hit.object.parent);
      tip.hidden = !(named && named.userData.name);
      for (const li of $("parts").children) li.classList.toggle("near", !tip.hidden && li.dataset.name === named.userData.name);
      if (tip.hidden) return;
      const p = hit.object.parent.position, place = named.userData.kind === "body" ? `\n(${[p.x, p.y, p.z].map((x) => x.toPrecision(4)).join(", ")}) m` : "";
      tip.textContent = `${named.userData.kind} ${named.userData.name}${place}`;
      tip.style.left = `${event.clientX - box.left + 12}px`;
      tip.style.top = `${event.clientY - box.top + 12}px`;
    });
  }

  tick(now) {
    const step = Math.min(0.1, (now - this.last) / 1000);
    this.last = now;
    if (this.playing) {
      this.t += step * this.rate;
      if (this.t >= this.end) {
        if ($("loop").checked) this.t = this.begin + ((this.t - this.begin) % Math.max(this.end - this.begin, 1e-12));
        else { this.t = this.end; this.playing = false; }
      }
    }
    $("play").textContent = this.playing ? "Pause" : "Play";
    if (document.activeElement !== $("scrub") || this.playing) $("scrub").value = this.t;
    $("time").textContent = `${this.t.toPrecision(4)} s`;
    this.mechanism.show(this.t, this.options);
    if (this.options.follow) this.stage.follow(this.mechanism.centre());
    this.stage.grid.visible = this.stage.axes.visible = this.options.grid;
    this.plots.show(this.t);
    this.stage.draw();
  }
}

readData().then((data) => { window.page = new Page(data); }).catch((error) => {
  $("subtitle").textContent = `This page cannot be shown: ${error.message}`;
  throw error;
});
