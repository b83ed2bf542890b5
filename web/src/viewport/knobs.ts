// Knobs: what can be dragged in the viewport beside things and people.

import * as THREE from "three";
import type { Vec3 } from "../protocol";

export interface Knob {
  id: string;
  title: string;
  at: Vec3;
  color: string;
  // On the floor, or in the plane that faces the camera.
  plane: "floor" | "view";
  // A flat ring on the floor, or a ball.
  shape?: "ring" | "ball";
  drag(at: Vec3, done: boolean, drag: string): void;
}

const RING = new THREE.RingGeometry(0.13, 0.2, 32).rotateX(-Math.PI / 2);
const BALL = new THREE.SphereGeometry(0.055, 14, 10);
const PAD = new THREE.SphereGeometry(0.2, 8, 6);

export class Knobs {
  readonly object = new THREE.Group();
  private knobs: Knob[] = [];
  private held = "";

  set(knobs: Knob[]): void {
    this.knobs = knobs;
    const known = new Map(this.object.children.map((child) => [String(child.userData["knob"]), child]));
    for (const knob of knobs) {
      const group = known.get(knob.id) ?? this.made(knob);
      known.delete(knob.id);
      if (this.held !== knob.id) group.position.fromArray(knob.at);
      const face = group.children[0] as THREE.Mesh<THREE.BufferGeometry, THREE.MeshBasicMaterial>;
      face.material.color.set(knob.color);
    }
    for (const gone of known.values()) gone.removeFromParent();
  }

  find(id: string): Knob | undefined {
    return this.knobs.find((knob) => knob.id === id);
  }

  list(): readonly Knob[] {
    return this.knobs;
  }

  hold(id: string): void {
    this.held = id;
  }

  move(id: string, at: THREE.Vector3): void {
    this.object.children.find((child) => child.userData["knob"] === id)?.position.copy(at);
  }

  private made(knob: Knob): THREE.Object3D {
    const group = new THREE.Group();
    const flat = knob.shape !== "ball";
    const material = new THREE.MeshBasicMaterial({
      color: knob.color,
      side: THREE.DoubleSide,
      depthTest: false,
      transparent: true,
      opacity: 0.9,
    });
    const face = new THREE.Mesh(flat ? RING : BALL, material);
    face.renderOrder = 10;
    face.position.y = flat ? 0.02 : 0;
    // Fingers and mice are not that exact: a larger invisible ball takes the hit.
    const pad = new THREE.Mesh(PAD, new THREE.MeshBasicMaterial({ visible: false }));
    pad.scale.setScalar(flat ? 1 : 0.5);
    group.add(face, pad);
    group.userData["knob"] = knob.id;
    face.userData["knob"] = knob.id;
    pad.userData["knob"] = knob.id;
    this.object.add(group);
    return group;
  }
}
