"use strict";
// Rods that would be thinner than a pixel are drawn that thick, so that a chain of 500 links is seen.

const LEAST_RADIUS = 0.8; // pixels

class ThinParts {
  constructor(mechanism) {
    const rods = mechanism.data.scene.bodies.flatMap((body, k) => body.solids.map((solid, i) => ({ solid, mesh: mechanism.groups[k].children[i] })));
    this.rods = rods.filter(({ solid }) => ["capsule", "cylinder", "sphere"].includes(solid.kind));
    this.least = Math.min(Infinity, ...this.rods.map(({ solid }) => solid.size[0]));
  }

  show(pixelsPerMetre) {
    if (pixelsPerMetre === this.shown || (this.least * pixelsPerMetre > LEAST_RADIUS && !this.widened)) return;
    this.shown = pixelsPerMetre;
    this.widened = this.least * pixelsPerMetre <= LEAST_RADIUS;
    for (const { solid, mesh } of this.rods) {
      const wide = Math.max(1, LEAST_RADIUS / (solid.size[0] * pixelsPerMetre));
      mesh.scale.set(wide, wide, solid.kind === "sphere" ? wide : 1);
    }
  }
}
