"use strict";
// What stands in the page (docs/scene.md), unpacked.

const $ = (id) => document.getElementById(id);

async function unpacked(block) {
  const bytes = Uint8Array.from(atob(block.data), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const buffer = await new Response(stream).arrayBuffer();
  const kinds = { float32: Float32Array, float64: Float64Array, int32: Int32Array };
  return new kinds[block.dtype](buffer);
}

async function readied(data) {
  data.time = await unpacked(data.frames.time);
  data.poses = await unpacked(data.frames.poses);
  for (const arrow of data.arrows) arrow.numbers = await unpacked(arrow.values);
  for (const channel of Object.values(data.channels)) channel.numbers = await unpacked(channel.values);
  return data;
}

async function readData() {
  const data = JSON.parse($("data").textContent);
  return data.studio ? data : readied(data); // a studio asks for its motions
}
