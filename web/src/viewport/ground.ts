// What everything stands on and is lit by: floor, grid, sun and sky.

import * as THREE from "three";

const FLOOR = new THREE.PlaneGeometry(120, 120).rotateX(-Math.PI / 2);

// [m] how far the grid reaches, how far apart its lines are, and how long each piece of them is: some drivers lose
// lines of which one end lies behind the camera, so none is long.
const [REACH, APART, PIECE] = [24, 1, 2];
// [m] the same while the picture moves.
const ROUGH_REACH = 6;

function squares(reach: number): THREE.BufferGeometry {
  const ends: number[] = [];
  for (let line = -reach; line <= reach; line += APART)
    for (let from = -reach; from < reach; from += PIECE)
      ends.push(line, 0, from, line, 0, from + PIECE, from, 0, line, from + PIECE, 0, line);
  return new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(ends, 3));
}

export class Ground {
  readonly object = new THREE.Group();
  // Light falls on the floor everywhere alike: its colour needs no light, which half of every picture would pay for.
  private readonly floor = new THREE.Mesh(FLOOR, new THREE.MeshBasicMaterial());
  // Lies on the floor and shows only shadows.
  private readonly shade = new THREE.Mesh(FLOOR, new THREE.ShadowMaterial({ opacity: 0.35 }));
  private readonly grids = { fine: squares(REACH), rough: squares(ROUGH_REACH) };
  private readonly grid = new THREE.LineSegments(
    this.grids.fine,
    new THREE.LineBasicMaterial({ color: "#9aa1ac", transparent: true, opacity: 0.3, depthWrite: false }),
  );
  private readonly sun = new THREE.DirectionalLight("#ffffff", 2.2);

  constructor() {
    this.floor.position.y = -0.002;
    this.shade.receiveShadow = true;
    this.shade.position.y = -0.001;
    this.sun.shadow.mapSize.set(2048, 2048);
    const box = this.sun.shadow.camera;
    box.left = box.bottom = -9;
    box.right = box.top = 9;
    box.far = 25;
    this.sun.shadow.normalBias = 0.02;
    const sky = new THREE.HemisphereLight("#ffffff", "#8a8f99", 1.3);
    this.object.add(this.floor, this.shade, this.grid, this.sun, this.sun.target, sky);
  }

  theme(dark: boolean): void {
    this.floor.material.color.set(dark ? "#3a4049" : "#c9cdd4");
  }

  // Shadows fall around what is looked at; a rough picture has a small grid.
  light(at: THREE.Vector3, shadows: boolean, rough: boolean): void {
    this.grid.geometry = rough ? this.grids.rough : this.grids.fine;
    this.sun.position.copy(at).add(new THREE.Vector3(3, 8, 2));
    this.sun.target.position.copy(at);
    this.sun.castShadow = shadows;
    this.shade.visible = shadows;
  }
}
