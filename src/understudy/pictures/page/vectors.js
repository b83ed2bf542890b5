"use strict";
// Vectors are arrays of three, matrices column-major arrays of sixteen; metres, Y up.

const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const scale = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => scale(a, 1 / Math.max(Math.hypot(...a), 1e-12));
const mix = (a, b, s) => a + (b - a) * s;
const clamp = (x, low, high) => Math.min(Math.max(x, low), high);

/** Product of two 4x4 matrices. */
function times(a, b) {
  const out = new Float32Array(16);
  for (let c = 0; c < 4; c++) for (let r = 0; r < 4; r++)
    for (let k = 0; k < 4; k++) out[4 * c + r] += a[4 * k + r] * b[4 * c + k];
  return out;
}

/** Perspective projection; angle is vertical [rad]. */
function perspective(angle, aspect, near, far) {
  const f = 1 / Math.tan(angle / 2);
  return [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, 2 * far * near / (near - far), 0];
}

/** World to camera for a camera with the given axes. */
function lookAlong(eye, right, up, forward) {
  return [right[0], up[0], -forward[0], 0, right[1], up[1], -forward[1], 0, right[2], up[2], -forward[2], 0,
    -dot(right, eye), -dot(up, eye), dot(forward, eye), 1];
}

/** Matrix of a rigid pose: position and wxyz quaternion. */
function poseMatrix(p, [w, x, y, z]) {
  return new Float32Array([
    1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y), 0,
    2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x), 0,
    2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y), 0, p[0], p[1], p[2], 1]);
}

/** A point through a 4x4 matrix, without the division. */
function through(m, p) {
  return [0, 1, 2, 3].map((r) => m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r]);
}

/** Linear red, green, blue of "#rrggbb". */
function linearColor(hex) {
  return [1, 3, 5].map((i) => Math.pow(parseInt(hex.slice(i, i + 2), 16) / 255, 2.2));
}

/** An orbiting camera around a target. */
class Orbit {
  constructor(yaw, distance) {
    this.yaw = yaw; this.pitch = 0.22; this.distance = distance; this.target = [0, 0.9, 0]; this.angle = 0.5;
  }

  /** Eye, axes and matrix for a picture of the given aspect. */
  view(aspect) {
    const flat = [Math.sin(this.yaw), 0, Math.cos(this.yaw)];
    const forward = add(scale(flat, -Math.cos(this.pitch)), [0, -Math.sin(this.pitch), 0]);
    const right = [Math.cos(this.yaw), 0, -Math.sin(this.yaw)];
    const up = cross(right, forward);
    const eye = sub(this.target, scale(forward, this.distance));
    const matrix = times(perspective(this.angle, aspect, 0.05, 400), lookAlong(eye, right, up, forward));
    return { eye, right, up, forward, matrix, angle: this.angle };
  }
}
