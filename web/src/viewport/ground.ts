// What everything stands on and is lit by: floor, grid, sun and sky.

import * as THREE from "three";

const FLOOR = new THREE.PlaneGeometry(120, 120).rotateX(-Math.PI / 2);

export class Ground {
  readonly object = new THREE.Group();
  // Light falls on the floor everywhere alike: its colour needs no light, which half of every picture would pay for.
  private readonly floor = new THREE.Mesh(FLOOR, new THREE.MeshBasicMaterial());
  // Lies on the floor and shows only shadows.
  private readonly shade = new THREE.Mesh(FLOOR, new THREE.ShadowMaterial({ opacity: 0.35 }));
  private readonly sun = new THREE.DirectionalLight("#ffffff", 2.2);

  constructor() {
    this.floor.position.y = -0.002;
    this.shade.receiveShadow = true;
    this.shade.position.y = -0.001;
    const grid = new THREE.GridHelper(60, 60, "#707884", "#9aa1ac");
    grid.material.transparent = true;
    grid.material.opacity = 0.35;
    this.sun.shadow.mapSize.set(2048, 2048);
    const box = this.sun.shadow.camera;
    box.left = box.bottom = -9;
    box.right = box.top = 9;
    box.far = 25;
    this.sun.shadow.normalBias = 0.02;
    const sky = new THREE.HemisphereLight("#ffffff", "#8a8f99", 1.3);
    this.object.add(this.floor, this.shade, grid, this.sun, this.sun.target, sky);
  }

  theme(dark: boolean): void {
    this.floor.material.color.set(dark ? "#3a4049" : "#c9cdd4");
  }

  // Shadows fall around what is looked at.
  light(at: THREE.Vector3, shadows: boolean): void {
    this.sun.position.copy(at).add(new THREE.Vector3(3, 8, 2));
    this.sun.target.position.copy(at);
    this.sun.castShadow = shadows;
    this.shade.visible = shadows;
  }
}
