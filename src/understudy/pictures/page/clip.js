// The recorded motion: unpacking it and asking where everything is at a time.

const bytesOf = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer;

class Clip {
  constructor(document) {
    Object.assign(this, document);
    this.anchors = new Float32Array(bytesOf(this.anchors));
    for (const actor of this.actors) {
      const steps = new Uint16Array(bytesOf(actor.points));
      actor.points = Float32Array.from(steps, (s, i) => actor.low[i % 3] + s * actor.step[i % 3]);
      actor.count = actor.radii.length;
      actor.linear = actor.colors.map(linearColor);
    }
    for (const prop of this.props) {
      prop.vertices = new Float32Array(bytesOf(prop.vertices));
      prop.faces = new Uint32Array(bytesOf(prop.faces));
      prop.track = new Float32Array(bytesOf(prop.track));
      prop.linear = linearColor(prop.color);
    }
    // Over the left shoulder of someone who sees the characters three-quarter from the front.
    const yaw = this.facing - 0.66;
    this.light = unit([-0.75 * Math.cos(yaw) + 0.45 * Math.sin(yaw), 1.15, 0.75 * Math.sin(yaw) + 0.45 * Math.cos(yaw)]);
    this.capsuleCount = this.actors.reduce((sum, actor) => sum + actor.count, 0);
  }

  /** Two frames around a time and the share of the second. */
  around(time, frames = this.frames) {
    const place = clamp(time * this.rate, 0, frames - 1);
    const before = Math.min(Math.floor(place), Math.max(frames - 2, 0));
    return [before, Math.min(before + 1, frames - 1), place - before];
  }

  /** Capsules as rows of ten: start, end, radius, linear colour. */
  capsules(time, out = new Float32Array(10 * this.capsuleCount)) {
    const [before, after, share] = this.around(time);
    let row = 0;
    for (const actor of this.actors) {
      const size = 6 * actor.count;
      for (let i = 0; i < actor.count; i++, row += 10) {
        for (let k = 0; k < 6; k++)
          out[row + k] = mix(actor.points[before * size + 6 * i + k], actor.points[after * size + 6 * i + k], share);
        out[row + 6] = actor.radii[i];
        out.set(actor.linear[i], row + 7);
      }
    }
    return out;
  }

  /** Matrix of a prop. */
  propPose(prop, time) {
    const t = prop.track;
    const [a, b, share] = this.around(time, t.length / 7).map((v, i) => (i < 2 ? 7 * v : v));
    const p = [0, 1, 2].map((k) => mix(t[a + k], t[b + k], share));
    const sign = [3, 4, 5, 6].reduce((sum, k) => sum + t[a + k] * t[b + k], 0) < 0 ? -1 : 1;
    const q = [3, 4, 5, 6].map((k) => mix(t[a + k], sign * t[b + k], share));
    return poseMatrix(p, q.map((v) => v / Math.hypot(...q)));
  }

  /** The floor point to follow. */
  anchor(time) {
    const [a, b, share] = this.around(time);
    return [mix(this.anchors[2 * a], this.anchors[2 * b], share), 0, mix(this.anchors[2 * a + 1], this.anchors[2 * b + 1], share)];
  }

  /** Centre and radius of everything the characters pass through, relative to the anchor or not. */
  extent(following) {
    let low = [Infinity, 0, Infinity], high = [-Infinity, 1e-3, -Infinity];
    for (let n = 0; n < Math.min(this.frames, 60); n++) {
      const time = n * this.duration / Math.max(Math.min(this.frames, 60) - 1, 1);
      const rows = this.capsules(time), shift = following ? this.anchor(time) : [0, 0, 0];
      for (let row = 0; row < rows.length; row += 10) for (const at of [row, row + 3]) for (let k = 0; k < 3; k++) {
        low[k] = Math.min(low[k], rows[at + k] - shift[k]);
        high[k] = Math.max(high[k], rows[at + k] - shift[k]);
      }
    }
    if (!this.capsuleCount) { low = [-2, 0, -2]; high = [2, 2, 2]; }
    return { centre: scale(add(low, high), 0.5), radius: 0.5 * Math.hypot(...sub(high, low)) + 0.12 };
  }
}
