// The same skin with few triangles: vertices of one bone that lie in one cell become one.

import * as THREE from "three";

// Cells along the longest side.
const CELLS = 44;

export function coarse(fine: THREE.BufferGeometry): THREE.BufferGeometry {
  const place = fine.getAttribute("position");
  const bone = fine.getAttribute("skinIndex");
  const weight = fine.getAttribute("skinWeight");
  const index = fine.getIndex();
  if (!index || !bone || !weight) return fine;
  fine.computeBoundingBox();
  const size = fine.boundingBox?.getSize(new THREE.Vector3()) ?? new THREE.Vector3(1, 1, 1);
  const cell = Math.max(size.x, size.y, size.z) / CELLS || 1;
  const keys = new Map<string, number>();
  const kept = new Uint32Array(place.count);
  for (let n = 0; n < place.count; n += 1) {
    let most = 0;
    for (let k = 1; k < 4; k += 1) if (weight.getComponent(n, k) > weight.getComponent(n, most)) most = k;
    const at = [place.getX(n), place.getY(n), place.getZ(n)].map((value) => Math.round(value / cell));
    const key = `${bone.getComponent(n, most)} ${at.join(" ")}`;
    const known = keys.get(key) ?? n;
    keys.set(key, known);
    kept[n] = known;
  }
  const corners: number[] = [];
  for (let k = 0; k + 2 < index.count; k += 3) {
    const [a = 0, b = 0, c = 0] = [0, 1, 2].map((j) => kept[index.getX(k + j)] ?? 0);
    if (a !== b && b !== c && c !== a) corners.push(a, b, c);
  }
  const made = new THREE.BufferGeometry();
  for (const name of Object.keys(fine.attributes)) made.setAttribute(name, fine.getAttribute(name));
  made.setIndex(corners);
  return made;
}
