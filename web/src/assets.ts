// Binary things of the server, fetched once. Their names say what is in them, so they never change.

import * as THREE from "three";
import { embeddedBlock } from "./embedded";
import { coarse } from "./viewport/coarse";

// Names are 16 bytes, written in hexadecimal.
const NAME_BYTES = 32;
const MOST_BLOCKS = 256;

const blocks = new Map<string, Promise<ArrayBuffer>>();

export function block(name: string): Promise<ArrayBuffer> {
  let known = blocks.get(name);
  if (!known) {
    known = fetched(name);
    known.catch(() => blocks.delete(name));
    blocks.set(name, known);
  }
  return known;
}

// A block the server sent by itself: its name, then its bytes.
export function keep(message: ArrayBuffer): void {
  const name = new TextDecoder().decode(new Uint8Array(message, 0, NAME_BYTES));
  blocks.set(name, Promise.resolve(message.slice(NAME_BYTES)));
  // Long drags make many clips; an old one that comes back is fetched again.
  for (const oldest of blocks.keys()) {
    if (blocks.size <= MOST_BLOCKS) break;
    blocks.delete(oldest);
  }
}

async function fetched(name: string): Promise<ArrayBuffer> {
  const own = embeddedBlock(name);
  if (own) return own;
  const answer = await fetch(`asset/${name}`);
  if (!answer.ok) throw new Error(`asset ${name}: ${answer.status}`);
  return answer.arrayBuffer();
}

export async function floats(name: string): Promise<Float32Array> {
  return new Float32Array(await block(name));
}

export async function mesh(name: string): Promise<THREE.BufferGeometry> {
  const data = await block(name);
  const [vertices = 0, faces = 0] = new Uint32Array(data, 0, 2);
  const geometry = new THREE.BufferGeometry();
  const corners = new Float32Array(data, 8, 3 * vertices);
  const indexed = new THREE.BufferGeometry();
  indexed.setAttribute("position", new THREE.BufferAttribute(corners, 3));
  indexed.setIndex(new THREE.BufferAttribute(new Uint32Array(data, 8 + 12 * vertices, 3 * faces), 1));
  // Furniture has edges: every face keeps its own normal.
  geometry.copy(indexed.toNonIndexed());
  geometry.computeVertexNormals();
  return geometry;
}

export interface Skin {
  geometry: THREE.BufferGeometry;
  // The same with few triangles.
  coarse: THREE.BufferGeometry;
  parents: Int32Array;
  offsets: Float32Array;
  binds: THREE.Matrix4[];
}

const skins = new Map<string, Promise<Skin>>();

export function skin(name: string): Promise<Skin> {
  let known = skins.get(name);
  if (!known) {
    known = block(name).then(readSkin);
    skins.set(name, known);
  }
  return known;
}

function readSkin(data: ArrayBuffer): Skin {
  const [vertices = 0, faces = 0, bones = 0, colors = 0] = new Uint32Array(data, 0, 4);
  let at = 16;
  const take = <T>(make: new (buffer: ArrayBuffer, at: number, count: number) => T, count: number): T => {
    const array = new make(data, at, count);
    at += 4 * count;
    return array;
  };
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(take(Float32Array, 3 * vertices), 3));
  geometry.setAttribute("normal", new THREE.BufferAttribute(take(Float32Array, 3 * vertices), 3));
  const joints = Uint16Array.from(take(Uint32Array, 4 * vertices));
  geometry.setAttribute("skinIndex", new THREE.BufferAttribute(joints, 4));
  geometry.setAttribute("skinWeight", new THREE.BufferAttribute(take(Float32Array, 4 * vertices), 4));
  geometry.setIndex(new THREE.BufferAttribute(take(Uint32Array, 3 * faces), 1));
  const parents = take(Int32Array, bones);
  const offsets = take(Float32Array, 3 * bones);
  const matrices = take(Float32Array, 16 * bones);
  if (colors > 0) geometry.setAttribute("color", new THREE.BufferAttribute(take(Float32Array, 3 * colors), 3));
  const binds = Array.from({ length: bones }, (_, k) => new THREE.Matrix4().fromArray(matrices, 16 * k));
  return { geometry, coarse: coarse(geometry), parents, offsets, binds };
}
