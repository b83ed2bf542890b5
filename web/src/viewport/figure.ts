// A person: a skinned body driven by a clip, at any time between its frames.

import * as THREE from "three";
import { floats, skin } from "../assets";
import type { Clip } from "../protocol";

export class Figure {
  readonly object: THREE.SkinnedMesh;
  private clip: Clip | null = null;
  private frames = new Float32Array();

  private constructor(
    object: THREE.SkinnedMesh,
    private readonly bones: THREE.Bone[],
    private readonly shapes: { fine: THREE.BufferGeometry; coarse: THREE.BufferGeometry },
  ) {
    this.object = object;
  }

  static async make(skinName: string, material: THREE.Material): Promise<Figure> {
    const { geometry, coarse, parents, offsets, binds } = await skin(skinName);
    const bones = Array.from(parents, (parent, k) => {
      const bone = new THREE.Bone();
      bone.position.fromArray(offsets, 3 * k);
      return { bone, parent };
    });
    // A mesh that somebody brought along keeps its own colours; a ghost has none.
    if (geometry.hasAttribute("color") && material instanceof THREE.MeshStandardMaterial && !material.transparent) {
      material.vertexColors = true;
      material.color.set("#ffffff");
      material.side = THREE.DoubleSide;
    }
    const object = new THREE.SkinnedMesh(geometry, material);
    for (const { bone, parent } of bones) (parent < 0 ? object : (bones[parent]?.bone ?? object)).add(bone);
    const all = bones.map(({ bone }) => bone);
    object.bind(new THREE.Skeleton(all, binds), new THREE.Matrix4());
    object.frustumCulled = false;
    object.castShadow = true;
    return new Figure(object, all, { fine: geometry, coarse });
  }

  async play(clip: Clip): Promise<void> {
    if (clip.asset === this.clip?.asset) return;
    const frames = await floats(clip.asset);
    this.clip = clip;
    this.frames = frames as Float32Array<ArrayBuffer>;
  }

  get playing(): string {
    return this.clip?.asset ?? "";
  }

  pose(time: number): void {
    const { clip, frames } = this;
    if (!clip) return;
    const place = Math.min(Math.max(time * clip.fps, 0), clip.frames - 1);
    const first = Math.floor(place);
    const second = Math.min(first + 1, clip.frames - 1);
    const share = place - first;
    const width = 3 + 4 * clip.joints;
    const a = first * width;
    const b = second * width;
    const root = this.bones[0];
    if (!root) return;
    const mixed = (k: number): number => (1 - share) * (frames[a + k] ?? 0) + share * (frames[b + k] ?? 0);
    root.position.set(mixed(0), mixed(1), mixed(2));
    this.bones.forEach((bone, k) => {
      const from = a + 3 + 4 * k;
      const to = b + 3 + 4 * k;
      start.set(frames[from + 1] ?? 0, frames[from + 2] ?? 0, frames[from + 3] ?? 0, frames[from] ?? 1);
      end.set(frames[to + 1] ?? 0, frames[to + 2] ?? 0, frames[to + 3] ?? 0, frames[to] ?? 1);
      bone.quaternion.slerpQuaternions(start, end, share);
    });
    this.object.updateMatrixWorld(true);
  }

  sketch(rough: boolean): void {
    this.object.geometry = rough ? this.shapes.coarse : this.shapes.fine;
  }

  // One pose, given as a row of a clip.
  stand(row: ArrayLike<number>): void {
    this.bones[0]?.position.set(row[0] ?? 0, row[1] ?? 0, row[2] ?? 0);
    this.bones.forEach((bone, k) => {
      const at = 3 + 4 * k;
      bone.quaternion.set(row[at + 1] ?? 0, row[at + 2] ?? 0, row[at + 3] ?? 0, row[at] ?? 1);
    });
    this.object.updateMatrixWorld(true);
  }

  // Where a joint is now, in the world.
  joint(index: number): THREE.Vector3 {
    const bone = this.bones[index];
    return bone ? bone.getWorldPosition(new THREE.Vector3()) : new THREE.Vector3();
  }

  // Path of the root on the floor, for framing.
  extent(): THREE.Box3 {
    const box = new THREE.Box3();
    if (!this.clip) return box;
    const width = 3 + 4 * this.clip.joints;
    for (let k = 0; k < this.clip.frames; k += 5) box.expandByPoint(point.fromArray(this.frames, k * width));
    return box;
  }

  dispose(): void {
    this.object.removeFromParent();
    this.object.skeleton.dispose();
  }
}

const start = new THREE.Quaternion();
const end = new THREE.Quaternion();
const point = new THREE.Vector3();
