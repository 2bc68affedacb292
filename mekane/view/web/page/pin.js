"use strict";
// A run that is kept beside those that follow: its mechanism pale, its curves dashed.

class PinnedRun {
  constructor(data, world) {
    this.data = data;
    this.motion = new JointMotion(data.scene);
    this.root = new THREE.Group();
    this.groups = data.scene.bodies.map((body) => {
      const group = new THREE.Group();
      for (const solid of body.solids) group.add(meshOf({ ...solid, colour: "#8c959f", marked: false }, { transparent: true, opacity: 0.35, depthWrite: false }));
      this.root.add(group);
      return group;
    });
    world.add(this.root);
  }

  show(t) {
    const { data } = this, { i, j, w } = betweenTimes(data.time, t);
    this.motion.pose(this.groups, data.poses.at(i, j, data.jumps.has(i) ? Math.round(w) : w));
  }

  dispose() { disposed(this.root); }
}
