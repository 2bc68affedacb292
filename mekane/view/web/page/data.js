"use strict";
// What stands in the page (docs/scene.md), unpacked; and what is requested from the server when it is needed.

const $ = (id) => document.getElementById(id);
const LESS_MOTION = matchMedia("(prefers-reduced-motion: reduce)"); // then nothing begins to move by itself
const setText = (element, text) => { if (element.textContent !== text) element.textContent = text; }; // or the page would be laid out again

async function unpacked(block) {
  const bytes = Uint8Array.from(atob(block.data), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const buffer = await new Response(stream).arrayBuffer();
  const kinds = { float32: Float32Array, float64: Float64Array, int32: Int32Array, uint16: Uint16Array, uint32: Uint32Array };
  return new kinds[block.dtype](buffer);
}

const FORMAT = "mekane scene 1"; // of view/scene/scene.py: what this page reads

// a page that was kept open, or a file put together by hand, may meet data of another version
function checkFormat({ format }) {
  if (format === FORMAT) return;
  const text = `its data are "${format || "of an unknown format"}", and this page reads "${FORMAT}": it is of another version of Mekane. Reload the page, or write the file again.`;
  throw Object.assign(new Error(text), { explained: true });
}

async function readied(data) {
  checkFormat(data.scene);
  const { frames, channels, arrows } = data;
  await unpackMeshes(data.scene);
  data.time = await unpacked(frames.time);
  data.jumps = new Set(await unpacked(frames.jumps)); // i: nothing is drawn between the frames i and i + 1
  data.sampleTime = data.samples ? await unpacked(data.samples) : data.time;
  data.poses = await posesOf(frames);
  for (const channel of Object.values(channels)) if (channel.values) await unpackedChannel(channel);
  if (arrows.some((arrow) => arrow.values)) await takeArrows(data, { arrows });
  return data;
}

async function posesOf(frames) {
  const n = frames.bodies.length, { overview, chunk, count, address } = frames;
  if (!overview) return new Poses(n, await unpacked(frames.poses), await unpacked(frames.jumps));
  const jumps = await unpacked(overview.jumps), indices = await unpacked(overview.indices);
  return new Poses(n, await unpacked(overview.poses), jumps, indices, { frames: chunk, count, address });
}

async function unpackedChannel(channel) {
  if (channel.time) channel.t = await unpacked(channel.time); // else that of the samples
  channel.numbers = await unpacked(channel.values);
  return channel;
}

async function served(address) {
  const answer = await fetch(address).catch(() => { throw new Error("the server does not answer; is it still running?"); });
  if (answer.ok) return answer;
  const reply = await answer.json().catch(() => null);
  throw new Error(reply ? reply.error.text : `the server answers ${answer.status}`);
}

async function servedJson(address) {
  const reply = await (await served(address)).json();
  if (reply.error) throw new Error(reply.error.text);
  return reply;
}

// A channel with its numbers; requested once.
function channelOf(data, name) {
  const channel = data.channels[name];
  if (channel.numbers) return Promise.resolve(channel);
  channel.request ??= servedJson(`${data.address}channel?name=${encodeURIComponent(name)}`)
    .then((reply) => { data.trouble = ""; return unpackedChannel(Object.assign(channel, reply)); })
    .catch((error) => { channel.request = undefined; throw error; });
  return channel.request;
}

// Arrows with their numbers: at once, or when they have come.
function requestArrows(data) {
  if (data.largest !== undefined || data.arrowsRequested || !data.arrows.length) return;
  data.arrowsRequested = true;
  servedJson(`${data.address}arrows`).then((reply) => takeArrows(data, reply)).catch((error) => { data.trouble = `no arrows: ${error.message}`; });
}

async function takeArrows(data, reply) {
  const time = reply.time ? await unpacked(reply.time) : data.time;
  const numbers = await Promise.all(reply.arrows.map((arrow) => unpacked(arrow.values)));
  reply.arrows.forEach((arrow, k) => Object.assign(data.arrows[k], arrow, { numbers: numbers[k] }));
  data.arrowTime = time;
  data.arrowJumps = reply.jumps && new Set(await unpacked(reply.jumps)); // else those of the frames
  data.largest = Math.max(0, ...data.arrows.map((arrow) => arrow.largest));
}

async function readData() {
  const data = JSON.parse($("data").textContent);
  return data.studio ? data : readied(data); // a studio requests its motions
}
