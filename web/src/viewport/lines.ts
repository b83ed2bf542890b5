// Curves the planners leave: paths, channels, triangulations, branches, flights.

import * as THREE from "three";
import { lineColor } from "../colors";
import type { Line } from "../protocol";

// What is shown only when somebody asks how it was found.
const INNARDS = new Set(["triangles", "channel", "branches", "cells"]);
const LIFT: Record<string, number> = { triangles: 0.004, channel: 0.006, branches: 0.008, cells: 0.01, path: 0.012 };

export class Lines {
  readonly object = new THREE.Group();
  // Where paths and flights lead, for framing.
  readonly extent = new THREE.Box3();

  set(lines: Line[], innards: boolean): void {
    for (const child of [...this.object.children]) {
      child.removeFromParent();
      if (child instanceof THREE.Line) child.geometry.dispose();
    }
    this.extent.makeEmpty();
    for (const line of lines) {
      const hidden = INNARDS.has(line.kind);
      if (!hidden) for (const at of line.points) this.extent.expandByPoint(new THREE.Vector3(...at));
      if (innards || !hidden) this.object.add(drawn(line));
    }
  }

  // The same curves elsewhere, in the memory they have; false when they are not the same.
  move(lines: Line[]): boolean {
    const known = this.object.children as THREE.Line[];
    const fits = known.length === lines.length && known.every(({ geometry }, k) => geometry.getAttribute("position").count === lines[k]?.points.length);
    if (!fits) return false;
    lines.forEach(({ points }, k) => {
      const place = known[k]?.geometry.getAttribute("position");
      points.forEach(([x, y, z], n) => place?.setXYZ(n, x, y, z));
      if (place) place.needsUpdate = true;
    });
    return true;
  }
}

function drawn(line: Line): THREE.Line {
  const lift = LIFT[line.kind] ?? 0;
  const points = corners(line).map(([x, y, z]) => new THREE.Vector3(x, y + lift, z));
  const geometry = new THREE.BufferGeometry().setFromPoints(points);
  const material = paint(line.kind);
  if (line.each) return new THREE.LineSegments(geometry, material);
  return line.closed ? new THREE.LineLoop(geometry, material) : new THREE.Line(geometry, material);
}

// Kept for good: the last material of its sort takes its compiled program with it when it goes.
const paints = new Map<string, THREE.LineBasicMaterial>();

function paint(kind: string): THREE.LineBasicMaterial {
  let known = paints.get(kind);
  if (!known) {
    known = new THREE.LineBasicMaterial({
      color: lineColor(kind),
      transparent: true,
      opacity: INNARDS.has(kind) ? 0.55 : 1,
      depthTest: kind !== "flight",
    });
    paints.set(kind, known);
  }
  return known;
}

// Many small outlines in one list become pairs of ends.
function corners(line: Line): [number, number, number][] {
  const { each, points } = line;
  if (!each || each === 2) return points;
  const ends: [number, number, number][] = [];
  for (let k = 0; k + each <= points.length; k += each)
    for (let j = 0; j < each; j += 1) {
      const from = points[k + j];
      const to = points[k + ((j + 1) % each)];
      if (from && to) ends.push(from, to);
    }
  return ends;
}
