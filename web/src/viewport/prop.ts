// A thing on the stage: a mesh that stands or follows a track.

import * as THREE from "three";
import { floats, mesh } from "../assets";
import type { Thing } from "../protocol";

export class Prop {
  readonly object = new THREE.Mesh<THREE.BufferGeometry, THREE.MeshStandardMaterial>();
  private track: Float32Array | null = null;
  private keys = 0;
  private fps = 30;
  private meshName = "";
  private trackName = "";

  constructor(readonly name: string) {
    this.object.material = new THREE.MeshStandardMaterial({ roughness: 0.85 });
    this.object.castShadow = true;
    this.object.receiveShadow = true;
    this.object.userData["thing"] = name;
  }

  async take(thing: Thing): Promise<void> {
    this.object.material.color.set(thing.color);
    this.object.position.fromArray(thing.position);
    const [w, x, y, z] = thing.rotation;
    this.object.quaternion.set(x, y, z, w);
    if (thing.mesh !== this.meshName) {
      this.meshName = thing.mesh;
      const geometry = await mesh(thing.mesh);
      this.object.geometry.dispose();
      this.object.geometry = geometry;
    }
    const wanted = thing.track?.asset ?? "";
    if (wanted !== this.trackName) {
      this.trackName = wanted;
      this.track = wanted ? await floats(wanted) : null;
      this.keys = thing.track?.keys ?? 0;
      this.fps = thing.track?.fps ?? 30;
    }
  }

  pose(time: number): void {
    const { track, keys } = this;
    if (!track || keys === 0) return;
    const place = Math.min(Math.max(time * this.fps, 0), keys - 1);
    const first = 7 * Math.floor(place);
    const second = Math.min(first + 7, 7 * (keys - 1));
    const share = place - Math.floor(place);
    const at = (k: number): number => (1 - share) * (track[first + k] ?? 0) + share * (track[second + k] ?? 0);
    this.object.position.set(at(0), at(1), at(2));
    a.set(track[first + 4] ?? 0, track[first + 5] ?? 0, track[first + 6] ?? 0, track[first + 3] ?? 1);
    b.set(track[second + 4] ?? 0, track[second + 5] ?? 0, track[second + 6] ?? 0, track[second + 3] ?? 1);
    this.object.quaternion.slerpQuaternions(a, b, share);
  }

  dispose(): void {
    this.object.removeFromParent();
    this.object.geometry.dispose();
    this.object.material.dispose();
  }
}

const a = new THREE.Quaternion();
const b = new THREE.Quaternion();
