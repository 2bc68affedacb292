"use strict";
// Paths of points of bodies over the whole motion, or over what is at hand of it.

// where a point of body k is at every frame at hand
function pathOf(poses, k, point) {
  const p = poses.numbers, count = p.length / poses.size, list = new Float32Array(3 * count), x = new THREE.Vector3(), q = new THREE.Quaternion();
  for (let i = 0; i < count; i++) {
    const a = poses.size * i + 7 * k;
    x.set(...point).applyQuaternion(q.set(p[a + 3], p[a + 4], p[a + 5], p[a + 6]).normalize());
    list.set([x.x + p[a], x.y + p[a + 1], x.z + p[a + 2]], 3 * i);
  }
  return list;
}

// cut where nothing is known between one frame and the next
function piecesOf(points, jumps) {
  const cuts = [0, ...Array.from(jumps, (k) => k + 1), points.length / 3];
  return cuts.slice(1).map((end, k) => points.subarray(3 * cuts[k], 3 * end)).filter((piece) => piece.length > 3);
}

class Traces {
  constructor(world) {
    this.changes = 0;
    this.list = []; // { body, point, text }; and once drawn points, root
    this.group = new THREE.Group();
    world.add(this.group);
    $("trace").addEventListener("change", (event) => {
      const body = this.data.scene.bodies[Number(event.target.value)];
      event.target.value = "";
      if (body) this.toggle(body.name, body.com, "mass centre");
    });
  }

  take(data) {
    // paths in another motion; those of bodies that are gone go
    this.data = data;
    $("trace").replaceChildren(new Option("trace a body …", ""), ...data.scene.bodies.map((body, k) => new Option(body.name, k)));
    for (const one of [...this.list]) {
      this.erase(one);
      if (data.scene.bodies.some((body) => body.name === one.body)) this.draw(one); else this.list.splice(this.list.indexOf(one), 1);
    }
    this.update();
  }

  // a second time at the same point takes the path away
  toggle(body, point, text) {
    const near = 0.03 * this.data.scene.scale, there = this.list.find((one) => one.body === body && vec(one.point).distanceTo(vec(point)) < near);
    if (there) this.remove(there);
    else {
      const one = { body, point: [...point], text };
      this.list.push(one);
      this.draw(one);
    }
    this.update();
  }

  remove(one) {
    this.erase(one);
    this.list.splice(this.list.indexOf(one), 1);
    this.update();
  }

  erase(one) { if (one.root) disposed(one.root); }

  draw(one) {
    const { scene, poses } = this.data, k = scene.bodies.findIndex((body) => body.name === one.body), colour = scene.bodies[k].colour;
    one.k = k;
    one.points = pathOf(poses, k, one.point);
    one.root = new THREE.Group();
    const glow = { emissive: colour, emissiveIntensity: 0.4 }, pieces = piecesOf(one.points, poses.jumps);
    one.dot = new THREE.Mesh(new THREE.SphereGeometry(0.011 * scene.scale, 16, 12), painted(colour, glow));
    const tubes = pieces.map((piece) => new Tube(piece.length / 3, 0.004 * scene.scale, 5).along(piece));
    one.root.add(...tubes.map((tube) => new THREE.Mesh(tube, painted(colour, glow))), one.dot);
    this.group.add(one.root);
  }

  show(pointOf) { for (const one of this.list) one.dot.position.copy(pointOf(one.k, one.point)); }

  update() {
    this.changes++;
    $("traces").replaceChildren(...this.list.map((one) => {
      const li = document.createElement("li"), swatch = document.createElement("span");
      swatch.className = "swatch";
      swatch.style.background = this.data.scene.bodies[one.k].colour;
      li.append(swatch, `${one.body}, ${one.text}`, closing(`Remove the path of ${one.body}`, () => this.remove(one)));
      return li;
    }));
  }
}
