// The viewport: light, floor, people, things, curves and knobs. It draws when something changed, not all the time.

import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { personColor } from "../colors";
import type { Person, State, Thing, Vec3 } from "../protocol";
import { Figure } from "./figure";
import { Knobs } from "./knobs";
import { Lines } from "./lines";
import { Prop } from "./prop";

interface Cast {
  figure: Figure;
  ghost: Figure | null;
  skin: string;
  startS: number;
}

export class Stage {
  readonly canvas: HTMLCanvasElement;
  readonly knobs = new Knobs();
  readonly controls: OrbitControls;
  readonly camera = new THREE.PerspectiveCamera(45, 1, 0.05, 200);
  private readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly lines = new Lines();
  private readonly people = new Map<string, Cast>();
  private readonly props = new Map<string, Prop>();
  private readonly floor: THREE.Mesh;
  private readonly sun = new THREE.DirectionalLight("#ffffff", 2.2);
  private wanted = false;
  private time = 0;
  private framed = false;
  private newest: { state: State; innards: boolean } | null = null;
  private taking: Promise<void> = Promise.resolve();
  // Called after every drawing, with the camera as it is.
  afterDrawing: () => void = () => undefined;

  constructor(host: HTMLElement, lowQuality: boolean) {
    this.renderer = new THREE.WebGLRenderer({ antialias: !lowQuality, powerPreference: "high-performance" });
    this.renderer.setPixelRatio(lowQuality ? 1 : Math.min(devicePixelRatio, 2));
    this.renderer.shadowMap.enabled = !lowQuality;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.canvas = this.renderer.domElement;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("aria-label", "Viewport. Drag to look around, click the floor or drag what is marked.");
    host.append(this.canvas);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.maxPolarAngle = Math.PI / 2 - 0.02;
    this.controls.addEventListener("change", () => this.draw());
    this.floor = this.furnish();
    this.look([3.6, 2.6, -3.6], [0, 0.9, 1.5]);
    new ResizeObserver(() => this.resize(host)).observe(host);
    this.resize(host);
  }

  theme(dark: boolean): void {
    const back = dark ? "#20242b" : "#dfe4ec";
    this.scene.background = new THREE.Color(back);
    this.scene.fog = new THREE.Fog(back, 14, 40);
    (this.floor.material as THREE.MeshStandardMaterial).color.set(dark ? "#3a4049" : "#c9cdd4");
    this.draw();
  }

  look(from: Vec3, at: Vec3): void {
    this.camera.position.fromArray(from);
    this.controls.target.fromArray(at);
    this.controls.update();
    this.draw();
  }

  // Take over a state, one after the other; answers when it, or a newer one, is on the stage.
  take(state: State, innards: boolean): Promise<void> {
    this.newest = { state, innards };
    this.taking = this.taking.then(() => this.takeNewest()).catch(() => undefined);
    return this.taking;
  }

  private async takeNewest(): Promise<void> {
    if (!this.newest) return;
    const { state, innards } = this.newest;
    this.newest = null;
    await Promise.all([...this.takeProps(state.things), ...this.takePeople(state.people)]);
    this.lines.set(state.lines, innards);
    this.seek(this.time);
    if (!this.framed && state.people.length > 0) {
      this.framed = true;
      this.frame();
    }
  }

  seek(time: number): void {
    this.time = time;
    for (const { figure, ghost, startS } of this.people.values()) {
      figure.pose(time - startS);
      ghost?.pose(time - startS);
    }
    for (const prop of this.props.values()) prop.pose(time);
    this.draw();
  }

  // Everything in view; from the front, where people look, or from where the camera is.
  frame(front = false): void {
    const box = new THREE.Box3();
    for (const { figure } of this.people.values()) box.union(figure.extent());
    for (const prop of this.props.values()) box.expandByObject(prop.object);
    box.union(this.lines.extent);
    if (box.isEmpty()) return;
    box.min.y = 0;
    const centre = box.getCenter(new THREE.Vector3());
    const radius = Math.min(Math.max(box.getSize(new THREE.Vector3()).length() / 2, 1.6), 12);
    const away = front
      ? new THREE.Vector3(0.55, 0.35, 0.76)
      : this.camera.position.clone().sub(this.controls.target).normalize();
    const distance = (0.95 * radius) / Math.sin((Math.PI / 180) * (this.camera.fov / 2));
    this.look(centre.clone().addScaledVector(away, distance).toArray() as Vec3, centre.toArray() as Vec3);
  }

  view(name: "front" | "side" | "top"): void {
    const at = this.controls.target.clone();
    const distance = this.camera.position.distanceTo(at);
    const way = { front: [0, 0.15, 1], side: [1, 0.15, 0], top: [0, 1, 0.001] }[name];
    const from = new THREE.Vector3().fromArray(way).setLength(distance).add(at);
    this.look(from.toArray() as Vec3, at.toArray() as Vec3);
  }

  joint(person: string, index: number): Vec3 | null {
    const cast = this.people.get(person);
    return cast ? (cast.figure.joint(index).toArray() as Vec3) : null;
  }

  thing(name: string): Vec3 | null {
    return (this.props.get(name)?.object.position.toArray() as Vec3 | undefined) ?? null;
  }

  // Whether the newest motion of somebody is on the stage; for tests and timing.
  shows(person: string): string {
    return this.people.get(person)?.figure.playing ?? "";
  }

  // From a point in the world to pixels of the page.
  pixels(at: Vec3): [number, number] {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    const p = new THREE.Vector3().fromArray(at).project(this.camera);
    return [left + ((p.x + 1) / 2) * width, top + ((1 - p.y) / 2) * height];
  }

  ray(event: PointerEvent): THREE.Raycaster {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    const place = new THREE.Vector2(
      (2 * (event.clientX - left)) / width - 1,
      1 - (2 * (event.clientY - top)) / height,
    );
    const ray = new THREE.Raycaster();
    ray.setFromCamera(place, this.camera);
    return ray;
  }

  // What lies under the mouse: knobs first, whatever stands before them.
  pick(event: PointerEvent): { knob?: string; thing?: string; person?: string; floor?: Vec3 } {
    // What was moved since the last drawing is hit where it is now.
    this.scene.updateMatrixWorld();
    const ray = this.ray(event);
    const knob = ray.intersectObject(this.knobs.object, true)[0]?.object.userData["knob"] as string | undefined;
    if (knob) return { knob };
    const bodies = [...this.people].map(([name, { figure }]) => ({ name, object: figure.object }));
    const things = [...this.props.values()].map(({ object, name }) => ({ name, object }));
    const hits = ray.intersectObjects<THREE.Mesh>([...bodies, ...things].map(({ object }) => object), false);
    const nearest = hits[0];
    if (nearest) {
      const body = bodies.find(({ object }) => object === nearest.object);
      if (body) return { person: body.name };
      return { thing: String(nearest.object.userData["thing"]) };
    }
    const at = ray.ray.intersectPlane(new THREE.Plane(new THREE.Vector3(0, 1, 0)), new THREE.Vector3());
    return at && at.length() < 100 ? { floor: at.toArray() as Vec3 } : {};
  }

  draw(): void {
    if (this.wanted) return;
    this.wanted = true;
    requestAnimationFrame(() => {
      this.wanted = false;
      this.sun.position.copy(this.controls.target).add(new THREE.Vector3(3, 8, 2));
      this.sun.target.position.copy(this.controls.target);
      this.renderer.render(this.scene, this.camera);
      this.afterDrawing();
    });
  }

  private takeProps(things: Thing[]): Promise<void>[] {
    const names = new Set(things.map(({ name }) => name));
    for (const [name, prop] of this.props) {
      if (names.has(name)) continue;
      prop.dispose();
      this.props.delete(name);
    }
    return things.map((thing) => {
      let prop = this.props.get(thing.name);
      if (!prop) {
        prop = new Prop(thing.name);
        this.props.set(thing.name, prop);
        this.scene.add(prop.object);
      }
      return prop.take(thing);
    });
  }

  private takePeople(people: Person[]): Promise<void>[] {
    const names = new Set(people.map(({ name }) => name));
    for (const [name, cast] of this.people) if (!names.has(name)) this.dismiss(name, cast);
    return people.map((person, index) => this.takePerson(person, index));
  }

  private async takePerson(person: Person, index: number): Promise<void> {
    if (!person.skin || !person.clip) return;
    let cast = this.people.get(person.name);
    if (!cast || cast.skin !== person.skin) {
      const material = new THREE.MeshStandardMaterial({ color: personColor(index), roughness: 0.7 });
      const figure = await Figure.make(person.skin, material);
      const known = this.people.get(person.name);
      if (known) this.dismiss(person.name, known);
      cast = { figure, ghost: null, skin: person.skin, startS: person.start_s };
      await figure.play(person.clip);
      this.people.set(person.name, cast);
      this.scene.add(figure.object);
    }
    cast.startS = person.start_s;
    await cast.figure.play(person.clip);
    if (!person.ghost) {
      cast.ghost?.dispose();
      cast.ghost = null;
      return;
    }
    if (!cast.ghost) {
      const faint = new THREE.MeshStandardMaterial({
        color: "#8d95a5",
        transparent: true,
        opacity: 0.28,
        depthWrite: false,
      });
      cast.ghost = await Figure.make(person.skin, faint);
      cast.ghost.object.castShadow = false;
      this.scene.add(cast.ghost.object);
    }
    await cast.ghost.play(person.ghost);
  }

  private dismiss(name: string, cast: Cast): void {
    cast.figure.dispose();
    cast.ghost?.dispose();
    this.people.delete(name);
  }

  private furnish(): THREE.Mesh {
    const ground = new THREE.Mesh(
      new THREE.PlaneGeometry(120, 120).rotateX(-Math.PI / 2),
      new THREE.MeshStandardMaterial({ roughness: 1 }),
    );
    ground.receiveShadow = true;
    ground.position.y = -0.002;
    const grid = new THREE.GridHelper(60, 60, "#707884", "#9aa1ac");
    grid.material.transparent = true;
    grid.material.opacity = 0.35;
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    const shade = this.sun.shadow.camera;
    shade.left = shade.bottom = -9;
    shade.right = shade.top = 9;
    shade.far = 25;
    this.sun.shadow.normalBias = 0.02;
    const sky = new THREE.HemisphereLight("#ffffff", "#8a8f99", 1.3);
    this.scene.add(ground, grid, this.sun, this.sun.target, sky, this.lines.object, this.knobs.object);
    return ground;
  }

  private resize(host: HTMLElement): void {
    const { clientWidth: width, clientHeight: height } = host;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.draw();
  }
}
