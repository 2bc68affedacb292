"use strict";
// A line around what is pointed at or selected: the same surface, a few pixels larger, seen from inside.

const OUTLINE = 2.5; // pixels

function outlineMaterial(colour, size) {
  const material = new THREE.MeshBasicMaterial({ color: colour, side: THREE.BackSide, toneMapped: false });
  material.onBeforeCompile = (shader) => {
    shader.uniforms.pixel = size;
    shader.vertexShader = `uniform vec2 pixel;\n${shader.vertexShader}`.replace("#include <project_vertex>", `#include <project_vertex>
      vec4 aside = projectionMatrix * vec4(normalMatrix * normal, 0.0);
      gl_Position.xy += normalize(aside.xy + vec2(1e-9)) * pixel * gl_Position.w;`);
  };
  return material;
}

class Outline {
  constructor(colour) {
    this.size = { value: new THREE.Vector2() };
    this.material = outlineMaterial(colour, this.size);
    this.shells = [];
  }

  resize(width, height) { this.size.value.set((2 * OUTLINE) / Math.max(1, width), (2 * OUTLINE) / Math.max(1, height)); }

  // around these meshes, and no others
  around(meshes) {
    for (const shell of this.shells) shell.removeFromParent();
    this.shells = meshes.map((mesh) => {
      const shell = new THREE.Mesh(mesh.geometry, this.material);
      shell.raycast = () => {};
      shell.userData.outline = true; // it is no part of the mechanism
      shell.frustumCulled = false;
      mesh.add(shell);
      return shell;
    });
  }
}
