// Canvas 2D, for machines without WebGL: capsules as shaded strokes, triangles and strokes sorted by distance.

const cssColor = (linear, light) => `rgb(${linear.map((c) => Math.round(255 * Math.pow(clamp(c * light, 0, 1), 1 / 2.2))).join(",")})`;

class FlatView {
  constructor(canvas, clip) {
    Object.assign(this, { canvas, clip, mode: "canvas", pen: canvas.getContext("2d") });
  }

  /** Pixel, depth and pixels per metre of a point; null behind the eye. */
  seen(p) {
    const q = through(this.view.matrix, p);
    if (q[3] < 0.05) return null;
    const { width, height } = this.canvas;
    return { x: (0.5 + 0.5 * q[0] / q[3]) * width, y: (0.5 - 0.5 * q[1] / q[3]) * height, depth: q[3],
      zoom: 0.5 * height / Math.tan(this.view.angle / 2) / q[3] };
  }

  draw(time, view, theme, distance) {
    const pen = this.pen;
    this.view = view;
    pen.fillStyle = cssColor(theme.haze, 1);
    pen.fillRect(0, 0, this.canvas.width, this.canvas.height);
    pen.lineCap = pen.lineJoin = "round";
    this.grid(view, theme, distance);
    const rows = this.clip.capsules(time), things = [];
    this.shadows(rows);
    for (let row = 0; row < rows.length; row += 10) {
      const a = [...rows.slice(row, row + 3)], b = [...rows.slice(row + 3, row + 6)];
      const depth = through(view.matrix, scale(add(a, b), 0.5))[3];
      things.push({ depth, paint: () => this.capsule(a, b, rows[row + 6], [...rows.slice(row + 7, row + 10)]) });
    }
    for (const prop of this.clip.props) this.triangles(prop, time, things);
    things.sort((a, b) => b.depth - a.depth);
    for (const thing of things) thing.paint();
  }

  line(a, b) {
    const p = this.seen(a), q = this.seen(b);
    if (!p || !q) return;
    this.pen.beginPath(); this.pen.moveTo(p.x, p.y); this.pen.lineTo(q.x, q.y); this.pen.stroke();
  }

  grid(view, theme, distance) {
    const reach = Math.ceil(4 + distance), x = Math.round(view.eye[0] + view.forward[0] * distance), z = Math.round(view.eye[2] + view.forward[2] * distance);
    this.pen.strokeStyle = cssColor(theme.line, 1); this.pen.lineWidth = 1; this.pen.globalAlpha = 0.5;
    // Short pieces, so that a line reaching behind the eye loses only its hidden part.
    for (let i = -reach; i <= reach; i++) for (let j = -reach; j < reach; j++) {
      this.line([x + i, 0, z + j], [x + i, 0, z + j + 1]);
      this.line([x + j, 0, z + i], [x + j + 1, 0, z + i]);
    }
    this.pen.globalAlpha = 1;
  }

  shadows(rows) {
    const light = this.clip.light, floor = (p) => [p[0] - light[0] / light[1] * p[1], 0, p[2] - light[2] / light[1] * p[1]];
    this.pen.strokeStyle = "rgba(70,75,85,1)"; this.pen.globalAlpha = 0.28;
    for (let row = 0; row < rows.length; row += 10) {
      const p = this.seen(floor([...rows.slice(row, row + 3)])), q = this.seen(floor([...rows.slice(row + 3, row + 6)]));
      if (!p || !q) continue;
      this.pen.lineWidth = 1.4 * rows[row + 6] * p.zoom;
      this.pen.beginPath(); this.pen.moveTo(p.x, p.y); this.pen.lineTo(q.x + 0.01, q.y); this.pen.stroke();
    }
    this.pen.globalAlpha = 1;
  }

  capsule(a, b, radius, color) {
    const p = this.seen(a), q = this.seen(b);
    if (!p || !q) return;
    const pen = this.pen, zoom = 0.5 * (p.zoom + q.zoom), lift = 0.28 * radius * zoom;
    // Narrower and brighter strokes towards the light make a round edge.
    for (const [width, light, shift] of [[2, 0.5, 0], [1.7, 0.72, 0.35], [1.15, 0.9, 0.8], [0.5, 1.02, 1.15]]) {
      pen.lineWidth = Math.max(width * radius * zoom, 1); pen.strokeStyle = cssColor(color, light);
      pen.beginPath(); pen.moveTo(p.x - 0.5 * lift * shift, p.y - lift * shift);
      pen.lineTo(q.x - 0.5 * lift * shift + 0.01, q.y - lift * shift); pen.stroke();
    }
  }

  triangles(prop, time, things) {
    const pose = this.clip.propPose(prop, time), v = prop.vertices, f = prop.faces;
    for (let i = 0; i < f.length; i += 3) {
      const corners = [0, 1, 2].map((k) => through(pose, [...v.slice(3 * f[i + k], 3 * f[i + k] + 3)]).slice(0, 3));
      const n = unit(cross(sub(corners[1], corners[0]), sub(corners[2], corners[0])));
      const seen = corners.map((c) => this.seen(c));
      if (seen.includes(null)) continue;
      // Sorting alone would let the far side of a closed mesh shine through.
      if (dot(n, sub(this.view.eye, corners[0])) < 0) continue;
      const light = 0.42 + 0.12 * n[1] + 0.55 * Math.max(dot(n, this.clip.light), 0);
      things.push({ depth: (seen[0].depth + seen[1].depth + seen[2].depth) / 3, paint: () => {
        const pen = this.pen;
        pen.fillStyle = pen.strokeStyle = cssColor(prop.linear, light); pen.lineWidth = 0.7;
        pen.beginPath(); seen.forEach((s) => pen.lineTo(s.x, s.y)); pen.closePath(); pen.fill(); pen.stroke();
      } });
    }
  }
}
