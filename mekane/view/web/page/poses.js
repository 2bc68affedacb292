"use strict";
// Where the bodies are at every frame: all frames at hand (a saved page), or an overview at hand and the rest requested in chunks (a served one).

const MOST_STORED = 48e6; // bytes of chunks
const MOST_REQUESTED = 2; // chunks at a time
const PAUSE = 2000; // after a failure [ms]

class Poses {
  // `numbers` of the frames `indices` (null: of all), seven for each of n bodies; `source` describes chunks: { frames, count, address };
  // `jumps`: the k for which nothing is to be drawn from the k-th of these to the next
  constructor(n, numbers, jumps, indices = null, source = null) {
    Object.assign(this, { size: 7 * n, numbers, jumps, indices, source });
    this.chunks = new Map(); // the least used first
    this.requested = new Set();
    this.wanted = [];
    this.capacity = MOST_STORED;
    this.bytes = 0;
    this.trouble = "";
  }

  get storedBytes() { return this.bytes + this.numbers.byteLength; }

  // between the frames i and j, with weight w of the second: two arrays, where the frames begin in them, and whether they are the very ones
  at(i, j, w) {
    const a = this.place(i), b = i === j ? a : this.place(j);
    if (a && b) return { p: a.from, a: a.begin, q: b.from, b: b.begin, w, exact: true };
    const begin = this.size * this.nearest(w < 0.5 ? i : j);
    return { p: this.numbers, a: begin, q: this.numbers, b: begin, w: 0, exact: false };
  }

  place(frame) {
    if (!this.indices) return { from: this.numbers, begin: this.size * frame };
    const near = this.nearest(frame), chunk = this.chunks.get(this.chunkOf(frame));
    if (this.indices[near] === frame) return { from: this.numbers, begin: this.size * near };
    return chunk ? { from: chunk, begin: this.size * (frame % this.source.frames) } : null;
  }

  nearest(frame) {
    // place in the overview; frames are in order
    let low = 0, high = this.indices.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.indices[middle] <= frame) low = middle; else high = middle;
    }
    return frame - this.indices[low] <= this.indices[high] - frame ? low : high;
  }

  chunkOf(frame) { return Math.floor(frame / this.source.frames); }

  // called at every picture: what is wanted now is requested, what was wanted before and has not been requested is forgotten
  want(i, j, forward = true) {
    if (!this.source) return;
    const needed = [...new Set([i, j].filter((frame) => this.indices[this.nearest(frame)] !== frame).map((frame) => this.chunkOf(frame)))];
    const next = this.chunkOf(forward ? j : i) + (forward ? 1 : -1), there = next >= 0 && next < this.chunkOf(this.source.count - 1) + 1;
    for (const k of needed) this.use(k);
    this.wanted = needed.every((k) => this.chunks.has(k)) && there && this.indices.length < this.source.count ? [next] : needed;
    this.request();
  }

  use(k) {
    const chunk = this.chunks.get(k);
    if (chunk && this.chunks.delete(k)) this.chunks.set(k, chunk);
  }

  request() {
    if (performance.now() < this.notBefore) return;
    for (const k of this.wanted) if (this.requested.size < MOST_REQUESTED && !this.chunks.has(k) && !this.requested.has(k)) this.load(k);
  }

  async load(k) {
    this.requested.add(k);
    try {
      this.keep(k, new Float32Array(await (await served(`${this.source.address}${k}`)).arrayBuffer()));
      this.trouble = "";
    } catch (error) {
      this.trouble = `frames are missing: ${error.message}`;
      this.notBefore = performance.now() + PAUSE;
    }
    this.requested.delete(k);
    this.request();
  }

  keep(k, chunk) {
    this.chunks.set(k, chunk);
    this.bytes += chunk.byteLength;
    for (const [old, gone] of this.chunks) {
      if (this.bytes <= this.capacity || this.chunks.size <= 2) break;
      this.chunks.delete(old);
      this.bytes -= gone.byteLength;
    }
  }
}
