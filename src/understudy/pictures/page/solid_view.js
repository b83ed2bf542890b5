// WebGL 2: capsules as one instanced mesh, props, a ruled floor and flat shadows.

const HEAD = "#version 300 es\nprecision highp float;\n";
const LIGHTING = `
uniform vec3 uLight, uEye, uHaze; uniform float uAmbient, uFar;
vec3 lit(vec3 albedo, vec3 n, vec3 p, float gloss) {
  vec3 v = normalize(uEye - p);
  float key = max(dot(n, uLight), 0.0), up = 0.5 + 0.5 * n.y;
  float contact = mix(0.72, 1.0, smoothstep(0.0, 0.35, p.y));
  vec3 c = albedo * (uAmbient * mix(vec3(0.62, 0.58, 0.54), vec3(0.93, 0.98, 1.06), up) * contact + 0.68 * key * vec3(1.0, 0.965, 0.9));
  c += gloss * pow(max(dot(n, normalize(uLight + v)), 0.0), 40.0) + 0.8 * gloss * pow(1.0 - max(dot(n, v), 0.0), 3.0);
  return c;
}
vec4 finished(vec3 c, vec3 p) {
  float haze = 1.0 - exp(-pow(length(p - uEye) / uFar, 4.0));
  return vec4(pow(mix(c, uHaze, haze), vec3(1.0 / 2.2)), 1.0);
}`;
// Shadows are the same shapes pressed onto the floor along the light.
const PRESS = "uniform mat4 uView; uniform vec3 uLight2; uniform bool uShadow;\n" +
  "vec3 pressed(vec3 p) { return uShadow ? vec3(p.xz - uLight2.xz / uLight2.y * max(p.y, 0.0), 0.002).xzy : p; }\n";

const CAPSULE_VERTEX = HEAD + PRESS + `
layout(location = 0) in vec4 aShape; layout(location = 1) in vec3 aStart; layout(location = 2) in vec3 aEnd;
layout(location = 3) in float aRadius; layout(location = 4) in vec3 aColor;
out vec3 vNormal, vColor, vPoint;
void main() {
  vec3 axis = aEnd - aStart; float size = length(axis);
  axis = size > 1e-6 ? axis / size : vec3(0.0, 1.0, 0.0);
  vec3 side = normalize(cross(axis, abs(axis.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0)));
  vNormal = aShape.x * side + aShape.y * cross(axis, side) + aShape.z * axis;
  vColor = aColor; vPoint = mix(aStart, aEnd, aShape.w) + aRadius * vNormal;
  gl_Position = uView * vec4(pressed(vPoint), 1.0);
}`;
const CAPSULE_FRAGMENT = HEAD + LIGHTING + `
in vec3 vNormal, vColor, vPoint; uniform bool uShadow; uniform float uDark; out vec4 color;
void main() { color = uShadow ? vec4(0.0, 0.0, 0.0, uDark) : finished(lit(vColor, normalize(vNormal), vPoint, 0.10), vPoint); }`;

const PROP_VERTEX = HEAD + PRESS + `
layout(location = 0) in vec3 aPoint; uniform mat4 uPose; out vec3 vPoint;
void main() { vPoint = (uPose * vec4(aPoint, 1.0)).xyz; gl_Position = uView * vec4(pressed(vPoint), 1.0); }`;
const PROP_FRAGMENT = HEAD + LIGHTING + `
in vec3 vPoint; uniform vec3 uColor; uniform bool uShadow; uniform float uDark; out vec4 color;
void main() {
  if (uShadow) { color = vec4(0.0, 0.0, 0.0, uDark); return; }
  vec3 n = normalize(cross(dFdx(vPoint), dFdy(vPoint)));
  color = finished(lit(uColor, dot(n, uEye - vPoint) < 0.0 ? -n : n, vPoint, 0.03), vPoint);
}`;

const FLOOR_VERTEX = HEAD + `
layout(location = 0) in vec2 aCorner; uniform mat4 uView; uniform vec3 uEye; uniform float uFar; out vec3 vPoint;
void main() { vPoint = vec3(uEye.x + 3.0 * uFar * aCorner.x, 0.0, uEye.z + 3.0 * uFar * aCorner.y); gl_Position = uView * vec4(vPoint, 1.0); }`;
const FLOOR_FRAGMENT = HEAD + LIGHTING + `
in vec3 vPoint; uniform vec3 uTile, uTile2, uLine; out vec4 color;
float rule(vec2 at, float spacing, float width) {
  vec2 u = at / spacing, w = max(fwidth(u), 1e-6), d = abs(fract(u - 0.5) - 0.5);
  vec2 line = clamp((0.5 * width / spacing + 0.5 * w - d) / w, 0.0, 1.0) * min(vec2(1.0), width / spacing / w);
  return max(line.x, line.y);
}
void main() {
  vec2 cell = floor(vPoint.xz), w = fwidth(vPoint.xz);
  float odd = mod(cell.x + cell.y, 2.0), blur = clamp(max(w.x, w.y) * 1.5, 0.0, 1.0);
  vec3 tile = mix(mix(uTile, uTile2, odd), 0.5 * (uTile + uTile2), blur);
  tile = mix(tile, uLine, clamp(0.6 * rule(vPoint.xz, 1.0, 0.022) + 0.16 * rule(vPoint.xz, 0.25, 0.008), 0.0, 1.0));
  color = finished(tile, vPoint);
}`;

function capsuleMesh(around, rings) {
  const shape = [], index = [];
  for (let ring = 0; ring <= 2 * rings + 1; ring++) {
    const end = ring > rings ? 1 : 0;
    const angle = (ring - end - rings) / rings * Math.PI / 2;
    for (let i = 0; i <= around; i++) {
      const turn = 2 * Math.PI * i / around;
      shape.push(Math.cos(angle) * Math.cos(turn), Math.cos(angle) * Math.sin(turn), Math.sin(angle), end);
    }
  }
  for (let ring = 0; ring < 2 * rings + 1; ring++) for (let i = 0; i < around; i++) {
    const a = ring * (around + 1) + i, b = a + around + 1;
    index.push(a, a + 1, b, a + 1, b + 1, b);
  }
  return { shape: new Float32Array(shape), index: new Uint16Array(index) };
}

class SolidView {
  constructor(canvas, clip) {
    const gl = canvas.getContext("webgl2", { alpha: false, antialias: true, stencil: true, preserveDrawingBuffer: true });
    if (!gl) throw new Error("no WebGL 2");
    Object.assign(this, { canvas, clip, gl, mode: "webgl" });
    this.rows = new Float32Array(10 * Math.max(clip.capsuleCount, 1));
    this.capsule = this.program(CAPSULE_VERTEX, CAPSULE_FRAGMENT);
    this.prop = this.program(PROP_VERTEX, PROP_FRAGMENT);
    this.floor = this.program(FLOOR_VERTEX, FLOOR_FRAGMENT);
    this.makeCapsules();
    this.floorArray = this.array([[0, 2, new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1])]]);
    for (const prop of clip.props) prop.array = this.array([[0, 3, prop.vertices]], prop.faces);
  }

  program(vertex, fragment) {
    const gl = this.gl, made = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text); gl.compileShader(shader); gl.attachShader(made, shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    }
    gl.linkProgram(made);
    if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made));
    const at = {};
    for (let i = 0; i < gl.getProgramParameter(made, gl.ACTIVE_UNIFORMS); i++) {
      const name = gl.getActiveUniform(made, i).name;
      at[name] = gl.getUniformLocation(made, name);
    }
    return { made, at };
  }

  array(attributes, index) {
    const gl = this.gl, made = gl.createVertexArray();
    gl.bindVertexArray(made);
    for (const [place, size, data] of attributes) {
      gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer()); gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
      gl.enableVertexAttribArray(place); gl.vertexAttribPointer(place, size, gl.FLOAT, false, 0, 0);
    }
    if (index) { gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer()); gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, index, gl.STATIC_DRAW); }
    gl.bindVertexArray(null);
    return made;
  }

  makeCapsules() {
    const gl = this.gl, mesh = capsuleMesh(24, 6);
    this.capsuleArray = this.array([[0, 4, mesh.shape]], mesh.index);
    this.indexCount = mesh.index.length;
    this.instances = gl.createBuffer();
    gl.bindVertexArray(this.capsuleArray);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.instances);
    for (const [place, size, offset] of [[1, 3, 0], [2, 3, 12], [3, 1, 24], [4, 3, 28]]) {
      gl.enableVertexAttribArray(place); gl.vertexAttribPointer(place, size, gl.FLOAT, false, 40, offset); gl.vertexAttribDivisor(place, 1);
    }
    gl.bindVertexArray(null);
  }

  use({ made, at }, view, theme, far) {
    const gl = this.gl;
    gl.useProgram(made);
    gl.uniformMatrix4fv(at.uView, false, view.matrix);
    for (const [name, value] of Object.entries({ uLight: this.clip.light, uLight2: this.clip.light, uEye: view.eye, uHaze: theme.haze, uTile: theme.tile, uTile2: theme.tile2, uLine: theme.line }))
      if (at[name]) gl.uniform3fv(at[name], value);
    for (const [name, value] of Object.entries({ uAmbient: theme.ambient, uFar: far, uDark: theme.dark })) if (at[name]) gl.uniform1f(at[name], value);
  }

  draw(time, view, theme, distance) {
    const gl = this.gl, far = 14 + 2.2 * distance;
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clearColor(...theme.haze.map((c) => Math.pow(c, 1 / 2.2)), 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    this.use(this.floor, view, theme, far);
    gl.bindVertexArray(this.floorArray);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.instances);
    gl.bufferData(gl.ARRAY_BUFFER, this.clip.capsules(time, this.rows), gl.DYNAMIC_DRAW);
    // Each floor pixel is darkened once, however many shapes cover it.
    gl.enable(gl.STENCIL_TEST); gl.stencilFunc(gl.EQUAL, 0, 255); gl.stencilOp(gl.KEEP, gl.KEEP, gl.INCR);
    gl.enable(gl.BLEND); gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    this.solids(time, view, theme, far, true);
    gl.disable(gl.STENCIL_TEST); gl.disable(gl.BLEND);
    this.solids(time, view, theme, far, false);
    gl.bindVertexArray(null);
  }

  solids(time, view, theme, far, shadow) {
    const gl = this.gl;
    this.use(this.capsule, view, theme, far);
    gl.uniform1i(this.capsule.at.uShadow, shadow);
    gl.bindVertexArray(this.capsuleArray);
    gl.drawElementsInstanced(gl.TRIANGLES, this.indexCount, gl.UNSIGNED_SHORT, 0, this.clip.capsuleCount);
    this.use(this.prop, view, theme, far);
    gl.uniform1i(this.prop.at.uShadow, shadow);
    for (const prop of this.clip.props) {
      gl.uniformMatrix4fv(this.prop.at.uPose, false, this.clip.propPose(prop, time));
      gl.uniform3fv(this.prop.at.uColor, prop.linear);
      gl.bindVertexArray(prop.array);
      gl.drawElements(gl.TRIANGLES, prop.faces.length, gl.UNSIGNED_INT, 0);
    }
  }
}
