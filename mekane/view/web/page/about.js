"use strict";
// What rotates about the axis of a joint (spirals, motors, dampers, stops), what lies around a point (bushings), and where joints are fixed to the ground.

const ABOUT = { motor: "#d97706", damper: "#5b6875", stop: "#d1242f", bushing: "#3b3f46" };

function spiralGeometry(unit, coils) {
  const windings = Math.max(3, coils), tube = new Tube(24 * windings + 1, 0.17 * unit), points = new Float32Array(3 * tube.count);
  for (let k = 0; k < tube.count; k++) {
    const a = (2 * Math.PI * k) / 24, r = unit * (0.9 + (2.4 * k) / tube.count);
    points.set([r * Math.cos(a), r * Math.sin(a), 0], 3 * k);
  }
  return tube.along(points);
}

const discGeometry = (radius, thickness) => new THREE.CylinderGeometry(radius, radius, thickness, 32).rotateX(Math.PI / 2);

function aboutGeometry(kind, unit, coils) {
  switch (kind) {
    case "spiral": return spiralGeometry(unit, coils || 4);
    case "motor": return discGeometry(2.3 * unit, 2 * unit);
    case "damper": return discGeometry(1.45 * unit, 0.8 * unit);
    case "stop": return new THREE.TorusGeometry(1.8 * unit, 0.25 * unit, 8, 32, 1.5 * Math.PI);
    case "bushing": return new THREE.SphereGeometry(1.7 * unit, 24, 16);
  }
  return null;
}

// a mesh in the frame of a body: z is the axis of the joint; the slot-th thing about one joint stands further out
function aboutOf(force, frame, unit, slot) {
  const geometry = aboutGeometry(force.look, unit, force.coils);
  if (!geometry) return null;
  const mesh = new THREE.Mesh(geometry, painted(ABOUT[force.look] || BETWEEN_COLOURS.spring));
  const out = force.look === "bushing" ? 0 : (slot % 2 ? 1 : -1) * unit * (2.4 + 1.6 * Math.floor(slot / 2));
  mesh.position.copy(vec(frame.position)).add(new THREE.Vector3(0, 0, out).applyQuaternion(quat(frame.rotation)));
  mesh.quaternion.copy(quat(frame.rotation));
  mesh.userData = { name: force.name, kind: force.kind };
  return mesh;
}

// a grey collar where a joint is fixed to the ground
function collarOf(joint, frame, unit, colour) {
  const mesh = new THREE.Mesh(discGeometry(1.9 * unit, 0.9 * unit), painted(colour));
  mesh.position.copy(vec(frame.position));
  mesh.quaternion.copy(quat(frame.rotation));
  mesh.userData = { name: joint.name, kind: joint.kind };
  return mesh;
}

function anchorOf(point, unit, colour) {
  const mesh = new THREE.Mesh(new THREE.SphereGeometry(0.8 * unit, 20, 14), painted(colour));
  mesh.position.copy(vec(point));
  return mesh;
}
